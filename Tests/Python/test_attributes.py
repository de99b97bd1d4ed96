# SPDX-License-Identifier: MIT
"""Observables declared in a class, dataclasses that tell of their fields, and what happens to whole objects."""

import copy
import dataclasses
import pickle
import sys
import threading
import weakref
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from support import Thread, collect, hearing, join_all
from swiftobserver import Change, HandlerError, Messenger, Update, Var, evented, events


class Animal:
    barked = Messenger[str].attribute()
    age = Var.attribute(1)


class Dog(Animal):
    name = Var.attribute("Rex")


class Narrow:
    __slots__ = ("_observables", "__weakref__")
    age = Var.attribute(1)


@evented
class Point:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)


def test_each_object_has_observables_of_its_own():
    one, other, received = Dog(), Dog(), []
    assert one.barked is one.barked is not other.barked
    assert type(one.barked) is Messenger and type(one.age) is Var
    one.barked.observe(received.append)
    other.barked.send("not heard")
    one.barked.send("woof")
    one.age.value = 7
    assert (received, one.age.value, other.age.value) == (["woof"], 7, 1)
    assert one.age.name == "Animal.age"


class Full:
    __slots__ = ("other",)
    age = Var.attribute(1)


class Unreferable:
    __slots__ = ("_observables",)
    age = Var.attribute(1)


@pytest.mark.parametrize("kind", [Full, Unreferable])
def test_an_object_without_room_for_observables_is_told_how_to_make_some(kind):
    with pytest.raises(TypeError, match="no room for observables.*__slots__ needs '_observables' and '__weakref__'"):
        kind().age


def test_an_object_with_slots_has_observables():
    one, other = Narrow(), Narrow()
    one.age.value = 2
    assert (one.age.value, other.age.value) == (2, 1)


def test_objects_that_are_frozen_or_cannot_be_hashed_have_observables():
    @dataclass(frozen=True)
    class Frozen:
        number: int
        age = Var.attribute(1)

    @dataclass
    class Unhashable:
        number: int
        age = Var.attribute(1)

    for each in (Frozen(1), Unhashable(1)):
        each.age.value = 3
        assert each.age.value == 3
        assert each == type(each)(1)


def test_a_class_shows_what_it_declares():
    assert repr(Dog.age) == "<Attribute Animal.age>"
    assert Animal.age is Dog.age


def test_an_attribute_is_not_replaced():
    dog = Dog()
    with pytest.raises(AttributeError, match="Animal.age cannot be replaced; its value is age.value"):
        dog.age = 5
    with pytest.raises(AttributeError, match="Animal.barked cannot be replaced$"):
        dog.barked = Messenger()


def test_an_attribute_stands_in_a_class():
    class Late:
        pass

    Late.age = Var.attribute(1)
    with pytest.raises(TypeError, match="body of a class"):
        Late().age
    with pytest.raises(AttributeError, match="an attribute cannot be replaced"):
        Late().age = 5
    assert repr(Late.age) == "<Attribute without a class>"


def test_a_messenger_of_ones_own_class_is_declared_too():
    class Loud(Messenger[str]):
        pass

    class Cat:
        meowed = Loud.attribute()

    assert type(Cat().meowed) is Loud


def test_an_object_goes_with_its_observables_also_in_a_cycle():
    dog = Dog()

    def holding(each):
        return lambda message: each

    dog.barked.observe(holding(dog))
    events(dog).observe(holding(dog))
    gone = [weakref.ref(each) for each in (dog, dog.barked, dog.age, events(dog))]
    del dog
    collect()
    assert [each() for each in gone] == [None] * 4


def test_threads_that_ask_at_once_get_the_same():
    for _ in range(50):
        dog, found, ready = Dog(), [], threading.Barrier(3)

        def ask():
            ready.wait()
            found.append((dog.age, events(dog)))

        join_all([Thread(ask) for _ in range(3)])
        assert len({(id(age), id(group)) for age, group in found}) == 1
        assert dog.age.count == 1


@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))],
    ids=["copy", "deep", "pickle"],
)
def test_a_copy_has_observables_of_its_own_with_the_same_values(duplicate):
    dog, received = Dog(), []
    dog.age.value = 5
    dog.age.observe(received.append)
    dog.note = "kept"
    twin = duplicate(dog)
    assert (twin.age.value, twin.name.value, twin.note) == (5, "Rex", "kept")
    twin.age.value = 6
    assert (dog.age.value, received) == (5, [])
    again = duplicate(twin)
    assert again.age.value == 6
    assert duplicate(duplicate(dog)).age.value == 5


class Reducing:
    age = Var.attribute(1)

    def __reduce_ex__(self, protocol):
        return super().__reduce_ex__(protocol)


class ReducingLater(Animal):
    def __reduce_ex__(self, protocol):
        return super().__reduce_ex__(protocol)


class Copying:
    age = Var.attribute(1)
    name = Var.attribute("Rex")

    def __copy__(self):
        twin = Copying.__new__(Copying)
        twin.__dict__.update(self.__dict__)
        return twin


class WithState:
    age = Var.attribute(1)

    def __getstate__(self):
        return dict(self.__dict__, note="state")

    def __setstate__(self, state):
        self.__dict__.update(state)


class AnotherDog(Dog):
    weight = Var.attribute(5)


@pytest.mark.parametrize(
    "kind",
    [Animal, Dog, AnotherDog, Narrow, Reducing, ReducingLater, Copying, WithState],
    ids=lambda each: each.__name__,
)
def test_a_copy_has_the_values_of_the_moment_and_keeps_nothing_of_the_original(kind):
    rex = kind()
    rex.age.value = 5
    observation = rex.age.observe(print)
    twins = [copy.copy(rex), copy.deepcopy(rex), pickle.loads(pickle.dumps(rex))]
    rex.age.value = 9
    gone = weakref.ref(rex)
    del rex
    collect()
    assert gone() is None and not observation.is_living
    assert [each.age.value for each in twins] == [5, 5, 5]
    again = copy.copy(twins[0])
    twins[0].age.value = 6
    assert again.age.value == 5


def test_a_copy_of_a_copy_that_was_not_asked_has_the_value():
    rex = Dog()
    rex.age.value = 5
    twin = copy.copy(copy.deepcopy(copy.copy(rex)))
    rex.age.value = 6
    assert twin.age.value == 5


def test_one_attribute_under_two_names_is_one():
    class Twice:
        one = other = Var.attribute(0)

    class Renamed(Animal):
        years = Animal.age

    twice, renamed, before = Twice(), Renamed(), Animal()
    twice.one.value = 1
    assert twice.other is twice.one and twice.one.name.endswith("Twice.one")
    before.age.value = 5
    renamed.age.value = 7
    assert (before.age.value, renamed.years.value, before.age.name) == (5, 7, "Animal.age")
    assert renamed.years is renamed.age
    _, changes = hearing(events(renamed))
    renamed.years.value = 8
    assert [each.name for each in changes] == ["age"]
    assert list(events(renamed)) == ["barked", "age"] and list(events(twice)) == ["one"]
    assert copy.copy(renamed).years.value == 8


def test_an_alias_of_what_a_subclass_replaces_has_a_value_of_its_own():
    class Older(Animal):
        age = Var.attribute(9)
        years = Animal.age

    class Stone:
        weight = Animal.age
        age = 3

    older, stone = Older(), Stone()
    older.years.value = 2
    stone.weight.value = 4
    assert (older.age.value, older.years.value, stone.weight.value, stone.age) == (9, 2, 4, 3)
    assert older.years.name.endswith("Older.years") and stone.weight.name.endswith("Stone.weight")
    assert (Animal().age.value, Animal.age._name) == (1, "age")


def test_an_attribute_that_would_be_a_field_is_refused_when_the_class_is_made():
    for decorate in (dataclass, evented):
        with pytest.raises(TypeError, match="Wrong.age must not be a field of a dataclass: leave out its annotation"):

            @decorate
            class Wrong:
                name: str
                age: Var = Var.attribute(2)

    @dataclass
    class Right:
        name: str
        age: ClassVar[Var] = Var.attribute(2)
        note: "ClassVar[Var]" = Var.attribute("")

    class Annotated:
        age: Var = Var.attribute(2)

    assert Right("Rex").age.value == Annotated().age.value == 2
    assert Right("Rex").note.value == "" and Right("Rex") == Right("Rex")


@pytest.mark.skipif(sys.version_info < (3, 10), reason="dataclasses with slots came with Python 3.10")
def test_a_dataclass_with_slots_has_attributes_and_is_copied():
    class Room:
        __slots__ = ("_observables", "__weakref__")

    @dataclass(slots=True)
    class Tight(Room):
        x: int
        age = Var.attribute(1)

    tight = Tight(1)
    tight.age.value = 2
    twin = copy.copy(tight)
    tight.age.value = 3
    assert (twin.age.value, twin) == (2, tight)


def test_what_happens_to_a_whole_object_is_told_with_the_attribute():
    dog, received = Dog(), []
    group = events(dog)
    assert events(dog) is group
    assert list(group) == ["barked", "age", "name"]
    assert len(group) == 3
    assert group["age"] is group.age is dog.age
    group.observe(lambda change, author: received.append((change, author)))
    dog.barked.send("woof", author="me")
    dog.age.value = 2
    assert received == [(Change("barked", "woof", dog), "me"), (Change("age", Update(1, 2), dog), dog.age)]
    assert group.name is None and group["name"] is dog.name


def test_the_events_of_an_object_are_transformed_like_any_messages():
    dog = Dog()
    ages, received = hearing(
        events(dog).filter(lambda change: change.name == "age").map(lambda change: change.message.new)
    )
    dog.name.value = "Fido"
    dog.age.value = 9
    assert received == [9]


def test_a_handler_of_the_events_that_fails_is_raised_to_the_setter():
    dog = Dog()
    events(dog).observe(lambda change: 1 / 0)
    with pytest.raises(HandlerError, match="of Events made at .*division by zero"):
        dog.age.value = 2


def test_what_declares_nothing_has_no_events():
    with pytest.raises(TypeError, match="objects of type int send nothing"):
        events(5)
    with pytest.raises(AttributeError, match="'agee'"):
        events(Dog()).agee
    with pytest.raises(KeyError, match="agee"):
        events(Dog())["agee"]


def test_a_subclass_may_put_something_else_in_the_place():
    class Stone(Animal):
        age = 5
        barked = Messenger[int].attribute()

    stone = Stone()
    assert list(events(stone)) == ["barked"]
    assert stone.age == 5


def test_the_fields_of_an_evented_dataclass_tell_when_they_change():
    point, received, xs = Point(1), [], []
    assert dataclasses.is_dataclass(Point)
    events(point).observe(received.append)
    point.events["x"].observe(xs.append)
    point.x = 2
    point.x = 2
    point.y += 5
    point.x = 2.0
    point.tags.append("unnoticed")
    point.tags = ["a"]
    assert received == [
        Change("x", Update(1, 2), point),
        Change("y", Update(0, 5), point),
        Change("x", Update(2, 2.0), point),
        Change("tags", Update(["unnoticed"], ["a"]), point),
    ]
    assert xs == [(1, 2), (2, 2.0)]
    assert point == Point(2, 5, ["a"])
    assert repr(point) == "Point(x=2.0, y=5, tags=['a'])"


def test_a_field_that_was_deleted_comes_from_none():
    point, received = Point(1), []
    events(point).observe(received.append)
    del point.x
    point.x = 3
    assert received == [Change("x", Update(None, 3), point)]


def test_a_dataclass_is_evented_with_options_or_afterwards():
    @evented
    @dataclass(order=True)
    class First:
        x: int

    @evented(order=True)
    class Second:
        x: int

    for kind in (First, Second):
        received = []
        one = kind(1)
        assert one < kind(2)
        one.events.x.observe(received.append)
        one.x = 5
        assert received == [(1, 5)]
    with pytest.raises(TypeError, match="takes no options here: First is a dataclass already"):
        evented(order=True)(First)


def test_subclasses_of_evented_classes_tell_each_change_once():
    @dataclass
    class Point3(Point):
        z: int = 0

    @evented
    class Point4(Point3):
        w: int = 0
        seen = Messenger[str].attribute()

    point, received = Point4(1), []
    events(point).observe(received.append)
    point.x, point.z, point.w, point.other = 2, 3, 4, 5
    point.seen.send("seen")
    assert [each.name for each in received] == ["x", "z", "w", "seen"]
    assert sorted(events(Point3(1))) == ["tags", "x", "y", "z"]


def test_a_class_keeps_the_way_it_sets_and_a_name_that_it_has():
    @evented
    class Careful:
        x: int
        events = "its own"

        def __setattr__(self, name, value):
            object.__setattr__(self, name, max(0, value))

        def __post_init__(self):
            self.x += 0

    careful, received = Careful(-5), []
    events(careful).observe(received.append)
    careful.x = -7
    careful.x = 7
    assert received == [Change("x", Update(0, 7), careful)]
    assert Careful.events == "its own"


def test_a_field_whose_values_cannot_be_compared_is_set_and_told_and_raised():
    class Incomparable:
        def __eq__(self, other):
            raise RuntimeError("incomparable")

    point, received = Point(Incomparable()), []
    events(point).observe(received.append)
    with pytest.raises(HandlerError, match="equality .*Incomparable: RuntimeError: incomparable"):
        point.x = Incomparable()
    assert len(received) == 1


def test_what_cannot_be_evented_is_refused():
    with pytest.raises(TypeError, match="evented is for classes, not for int"):
        evented(5)
    with pytest.raises(TypeError, match="frozen"):

        @evented
        @dataclass(frozen=True)
        class Frozen:
            x: int


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copy_of_an_evented_object_has_its_fields_and_no_observations(duplicate):
    point, received = Point(1, 2), []
    events(point).observe(received.append)
    twin = duplicate(point)
    twin.x = 5
    events(twin).observe(received.append)
    assert (twin, point, received) == (Point(5, 2), Point(1, 2), [])
    twin.y = 6
    assert received == [Change("y", Update(2, 6), twin)]

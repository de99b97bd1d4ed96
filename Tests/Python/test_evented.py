# SPDX-License-Identifier: MIT
"""Classes whose fields tell, in the corners of dataclasses: as a table, held against plain dataclasses and psygnal.

Each row makes a class with some decorator, and does something to an object of it. As a plain dataclass it has to behave
alike; what is told has to be what the row says, and what psygnal tells, where that is installed and right.
"""

import abc
import copy
import dataclasses
import gc
import pickle
import sys
import threading
import weakref
from dataclasses import InitVar, dataclass, field
from typing import ClassVar, Generic, TypeVar

import pytest

from support import Thread, collect, hearing
from swiftobserver import Change, HandlerError, Messenger, Update, Var, evented, events

try:
    import psygnal
except ImportError:
    psygnal = None

Content = TypeVar("Content")
HAS_SLOTS = sys.version_info >= (3, 10)


class Checking:
    """Refuses what is negative, as a mixin."""

    def __setattr__(self, name, value):
        if isinstance(value, int) and value < 0:
            raise ValueError(name)
        super().__setattr__(name, value)


class Doubling:
    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2 if name == "x" else value)


def usual(decorate):
    @decorate
    class Thing:
        x: int = 1
        y: str = "a"

    return Thing


def inherited(decorate):
    class Child(usual(decorate)):
        pass

    return Child


def inherited_and_overridden(decorate):
    class Child(usual(decorate)):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)

    return Child


def overridden(decorate):
    @decorate
    class Thing:
        x: int = 1
        y: str = "a"

        def __setattr__(self, name, value):
            super().__setattr__(name, value)

    return Thing


def overridden_twice(decorate):
    @decorate
    class Child(overridden(decorate)):
        z: int = 0

        def __setattr__(self, name, value):
            super().__setattr__(name, value)

    return Child


def overridden_by_object(decorate):
    @decorate
    class Child(usual(decorate)):
        z: int = 0

        def __setattr__(self, name, value):
            object.__setattr__(self, name, value)

    return Child


def set_twice_in_one(decorate):
    @decorate
    class Child(usual(decorate)):
        def __setattr__(self, name, value):
            if name == "x":
                super().__setattr__("x", 100)
            super().__setattr__(name, value)

    return Child


def decorated_twice(decorate):
    @decorate
    class Child(usual(decorate)):
        z: int = 0

    return Child


def child_that_is_a_dataclass(decorate):
    @dataclass
    class Child(usual(decorate)):
        z: int = 0

    return Child


def mixin_before(decorate):
    class Child(Checking, usual(decorate)):
        pass

    return Child


def mixin_before_decorated(decorate):
    @decorate
    class Child(Checking, usual(decorate)):
        z: int = 0

    return Child


def mixin_behind(decorate):
    class Child(usual(decorate), Checking):
        pass

    return Child


def mixin_behind_decorated(decorate):
    @decorate
    class Child(usual(decorate), Checking):
        z: int = 0

    return Child


def mixin_in_the_base(decorate):
    @decorate
    class Thing(Checking):
        x: int = 1
        y: str = "a"

    return Thing


def two_mixins(decorate):
    class Child(Checking, usual(decorate), Doubling):
        pass

    return Child


def two_bases(decorate):
    @decorate
    class Other:
        z: int = 0

    @decorate
    class Child(usual(decorate), Other):
        pass

    return Child


def diamond(decorate):
    base = usual(decorate)

    @decorate
    class Left(base):
        z: int = 0

    class Right(base, Checking):
        pass

    @decorate
    class Child(Left, Right):
        w: int = 0

    return Child


def doubling_inside(decorate):
    @decorate
    class Thing:
        x: int = 1
        y: str = "a"

        def __setattr__(self, name, value):
            super().__setattr__(name, value * 2 if name == "x" else value)

    return Thing


def with_property(decorate):
    @decorate
    class Thing:
        x: int = 1
        y: str = "a"

        @property
        def half(self):
            return self.x / 2

        @half.setter
        def half(self, value):
            self.x = int(value * 2)

    return Thing


def with_post_init(decorate):
    @decorate
    class Thing:
        x: int = 1
        y: str = "a"

        def __post_init__(self):
            self.x += 10
            self.cache = self.x

    return Thing


def with_init_var(decorate):
    @decorate
    class Thing:
        x: int = 1
        y: str = "a"
        factor: InitVar[int] = 3
        kind: ClassVar[int] = 0

        def __post_init__(self, factor):
            self.x *= factor

    return Thing


def with_factory(decorate):
    @decorate
    class Thing:
        x: list = field(default_factory=list)
        y: str = field(default="a", repr=False, compare=False)

    return Thing


def without_init(decorate):
    @decorate
    class Thing:
        x: int = field(default=1, init=False)
        y: str = "a"

        def __init__(self):
            self.x, self.y = 1, "a"

    return Thing


def with_field_events(decorate):
    @decorate
    class Thing:
        x: int = 1
        y: str = "a"
        events: list = field(default_factory=list)

    return Thing


def with_field_events_in_the_child(decorate):
    @decorate
    class Child(usual(decorate)):
        events: list = field(default_factory=list)

    return Child


def with_plain_field_events_in_the_child(decorate):
    @dataclass
    class Child(usual(decorate)):
        events: list = field(default_factory=list)

    return Child


def with_names_of_events(decorate):
    @decorate
    class Thing:
        x: int = 1
        y: str = "a"
        name: str = ""
        count: int = 0
        observe: int = 0
        made: int = 0

    return Thing


def with_slots(decorate):
    @decorate
    @dataclass(slots=True)
    class Thing:
        x: int = 1
        y: str = "a"

        def doubled(self):
            return super().__getattribute__("x") * 2

    return Thing


def with_slots_of_its_own(decorate):
    @decorate
    class Thing:
        __slots__ = ("x", "y")
        x: int
        y: str

        def __init__(self, x=1, y="a"):
            self.x, self.y = x, y

    return Thing


def with_slots_inherited(decorate):
    @dataclass(slots=True)
    class Child(with_slots(decorate)):
        z: int = 0

    return Child


def with_order_and_hash(decorate):
    @decorate
    @dataclass(order=True, unsafe_hash=True)
    class Thing:
        x: int = 1
        y: str = "a"

    return Thing


def without_equality(decorate):
    @decorate
    @dataclass(eq=False, repr=False)
    class Thing:
        x: int = 1
        y: str = "a"

    return Thing


def generic(decorate):
    @decorate
    class Thing(Generic[Content]):
        x: Content = 1
        y: str = "a"

    return Thing


def abstract(decorate):
    @decorate
    class Thing(abc.ABC):
        x: int = 1
        y: str = "a"

    return Thing


ROWS = [
    usual,
    inherited,
    inherited_and_overridden,
    overridden,
    overridden_twice,
    overridden_by_object,
    set_twice_in_one,
    decorated_twice,
    child_that_is_a_dataclass,
    mixin_before,
    mixin_before_decorated,
    mixin_behind,
    mixin_behind_decorated,
    mixin_in_the_base,
    two_mixins,
    two_bases,
    diamond,
    doubling_inside,
    with_property,
    with_post_init,
    with_init_var,
    with_factory,
    without_init,
    with_field_events,
    with_field_events_in_the_child,
    with_plain_field_events_in_the_child,
    with_names_of_events,
    with_order_and_hash,
    without_equality,
    generic,
    abstract,
    *([with_slots, with_slots_of_its_own, with_slots_inherited] if HAS_SLOTS else []),
]


def plain(kind):
    return kind if "__dataclass_fields__" in vars(kind) else dataclass(kind)


def by_psygnal(kind):
    return psygnal.evented(plain(kind))


def use(thing):
    """Does something to all fields, and returns what came of each."""
    results = []
    for name, value in (
        *(("x", 5), ("x", 5), ("x", 7), ("x", 7.0), ("x", True), ("x", -3), ("y", "b"), ("y", "b"), ("z", 4), ("w", 5)),
        *(("events", [1]), ("name", "n"), ("count", 3), ("observe", 4), ("made", 5), ("half", 6), ("other", 1)),
        *(("factor", 2), ("kind", 8), ("cache", 9)),
    ):
        if not hasattr(thing, name) and name != "other" or name == "events" not in type(thing).__dataclass_fields__:
            continue
        try:
            setattr(thing, name, value)
            results.append((name, getattr(thing, name)))
        except (ValueError, AttributeError) as error:
            results.append((name, type(error)))
    return results


def fields_of(thing):
    return {each.name: getattr(thing, each.name) for each in dataclasses.fields(thing)}


def expected_of(row):
    """What has to be told: each change of a field, as a plain dataclass makes it."""
    told, thing = [], row(plain)()
    names = [each.name for each in dataclasses.fields(thing)]

    class Told(type(thing)):
        __slots__ = ()

        def __setattr__(self, name, value):
            before = fields_of(self)
            super().__setattr__(name, value)
            after = fields_of(self)
            for each in names:
                old, new = before[each], after[each]
                if new is not old and (type(new), new) != (type(old), old) and (each == name or name == "half"):
                    if not told or told[-1] != (each, old, new):
                        told.append((each, old, new))

    thing.__class__ = Told
    use(thing)
    return told


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.__name__)
def test_each_change_of_a_field_is_told_once(row):
    thing, told = row(evented)(), []
    with events(thing).observe(lambda change: told.append((change.name, *change.message))):
        use(thing)
    assert told == expected_of(row)
    assert len(told) >= 5


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.__name__)
@pytest.mark.parametrize("observed", [False, True])
def test_an_evented_class_behaves_as_the_dataclass_that_it_is(row, observed):
    mine, theirs = row(evented), row(plain)
    if row is not with_plain_field_events_in_the_child:
        assert "events" in mine.__dataclass_fields__ or not hasattr(mine, "events")
    one, other = mine(), theirs()
    if observed:
        events(one)
    assert use(one) == use(other)
    assert fields_of(one) == fields_of(other)
    assert dataclasses.asdict(one) == dataclasses.asdict(other)
    assert dataclasses.astuple(one) == dataclasses.astuple(other)
    assert [each.name for each in dataclasses.fields(mine)] == [each.name for each in dataclasses.fields(theirs)]
    if row is not without_equality:
        assert repr(one) == repr(other)
    for duplicate in (copy.copy, copy.deepcopy):
        assert fields_of(duplicate(one)) == fields_of(one)
        assert (duplicate(one) == one) is (duplicate(other) == other)
    assert (mine.__hash__ is None) is (theirs.__hash__ is None)
    assert mine.__qualname__ == theirs.__qualname__ and mine.__module__ == theirs.__module__
    if row not in (with_init_var, without_init, with_slots_of_its_own):
        assert fields_of(dataclasses.replace(one)) == fields_of(dataclasses.replace(other))


# Where psygnal does something else, and why what is done here is right.
NOT_AS_PSYGNAL = {
    "with_field_events": "psygnal's group is gone where a field is called events",
    "with_field_events_in_the_child": "psygnal's group is gone where a field is called events",
    "with_plain_field_events_in_the_child": "psygnal's group is gone where a field is called events",
}


@pytest.mark.skipif(psygnal is None, reason="psygnal is not installed")
@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.__name__ not in NOT_AS_PSYGNAL], ids=lambda row: row.__name__
)
def test_what_is_told_is_what_psygnal_tells(row):
    thing, told = row(by_psygnal)(), []
    thing.events.connect(lambda info: told.append((info.signal.name, *reversed(info.args))), check_nargs=False)
    use(thing)
    # It compares by == alone.
    assert told == [each for each in expected_of(row) if each[1] != each[2]]


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="descriptors are those of CPython")
def test_the_descriptor_of_another_class_is_no_room_for_what_observes():
    """As a dataclass with slots has it in Python 3.11.0 to 3.11.3."""

    class Former:
        pass

    namespace = {"__slots__": ("x",), "__annotations__": {"x": int}, "__weakref__": vars(Former)["__weakref__"]}
    tight, changes = evented(type("Tight", (), namespace))(1), []
    events(tight).observe(changes.append)
    tight.x = 2
    assert [each.name for each in changes] == ["x"]


@pytest.mark.skipif(not HAS_SLOTS, reason="dataclasses with slots came with Python 3.10")
@pytest.mark.parametrize("options", [{"slots": True}, {"slots": True, "order": True}])
def test_a_class_with_slots_gets_room_for_what_observes_it(options):
    @evented(**options)
    class Tight:
        x: int = 0
        y: int = field(default=1, repr=False)

        def __setattr__(self, name, value):
            super().__setattr__(name, value)

        def method(self):
            return super().__repr__(), __class__

        @classmethod
        def of_class(cls):
            return __class__

        @property
        def by_property(self):
            return __class__

    tight, changes = Tight(1), []
    events(tight).observe(changes.append)
    tight.x = 2
    assert changes == [Change("x", Update(1, 2), tight)]
    assert not hasattr(tight, "__dict__") and dataclasses.asdict(tight) == {"x": 2, "y": 1}
    assert tight.method()[1] is Tight.of_class() is tight.by_property is Tight
    twin = copy.copy(tight)
    twin.x = 5
    assert (twin.x, tight.x, len(changes)) == (5, 2, 1)
    with pytest.raises(AttributeError):
        tight.other = 5


@pytest.mark.skipif(not HAS_SLOTS, reason="dataclasses with slots came with Python 3.10")
def test_an_evented_class_is_given_slots_afterwards():
    class Room:
        __slots__ = ("_observables", "__weakref__")

    @dataclass(slots=True)
    @evented
    class Tight(Room):
        x: int = 0

    class Child(Tight, Checking):
        pass

    for kind in (Tight, Child):
        thing, changes = kind(1), []
        events(thing).observe(lambda change: changes.append(change.message))
        thing.x = 2
        assert changes == [(1, 2)]
    with pytest.raises(ValueError):
        Child(-1)


def test_a_field_that_is_set_while_it_is_being_set_is_told_once_as_it_is_in_the_end():
    @evented
    class Clamped(usual(evented)):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if name == "x" and value > 10:
                self.x = 10

    thing, told = Clamped(), []
    events(thing).x.observe(told.append)
    thing.x = 50
    thing.x = 60
    assert told == [(1, 10)]


def test_a_field_that_is_set_as_another_is_being_set_is_told_too():
    @evented
    class Area:
        width: int = 1
        area: int = 1

        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if name == "width":
                self.area = value**2

    area, told = Area(), []
    events(area).observe(lambda change: told.append((change.name, change.message.new)))
    area.width = 3
    assert told == [("area", 9), ("width", 3)]


def test_a_setter_that_fails_leaves_the_next_change_told():
    thing, told = mixin_before_decorated(evented)(), []
    events(thing).x.observe(told.append)
    for _ in range(2):
        with pytest.raises(ValueError):
            thing.x = -1
    thing.x = 2
    assert told == [(1, 2)]


def test_threads_that_set_a_field_at_once_tell_of_theirs():
    thing, told = overridden_twice(evented)(), []
    entered, left = threading.Event(), threading.Event()

    @evented
    class Waiting(type(thing)):
        def __setattr__(self, name, value):
            if value == 5:
                entered.set()
                left.wait()
            super().__setattr__(name, value)

    thing = Waiting()
    events(thing).x.observe(lambda update: told.append(update.new))
    thread = Thread(lambda: setattr(thing, "x", 5))
    entered.wait()
    thing.x = 6
    left.set()
    thread.join()
    assert told == [6, 5]


def test_an_object_that_observes_itself_from_the_beginning_goes_at_once():
    @evented
    class Node:
        value: int = 0

        def __post_init__(self):
            self.log = []
            events(self).value.observe(self.changed)

        def changed(self, update):
            self.log.append(update.new)

    node = Node(1)
    node.value = 3
    gone, log = weakref.ref(node), node.log
    del node
    gc.collect()
    collect()
    assert (gone(), log) == (None, [3])


def test_a_copy_of_an_evented_object_keeps_nothing_of_the_original():
    thing = Kept(1)
    observation = events(thing).x.observe(print)
    twins = [copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))]
    gone = weakref.ref(thing)
    del thing
    collect()
    assert gone() is None and not observation.is_living
    for twin in twins:
        _, told = hearing(events(twin).x)
        twin.x = 2
        assert told == [(1, 2)]


@evented
class Kept:
    x: int = 0


def test_a_setter_that_calls_nothing_further_tells_nothing_and_has_events_all_the_same():
    class Silent(usual(evented)):
        def __setattr__(self, name, value):
            object.__setattr__(self, name, value)

    thing, told = Silent(), []
    assert thing.events is events(thing)
    events(thing).observe(told.append)
    thing.x = 5
    assert told == []


def test_a_class_has_attributes_and_fields_that_tell():
    @evented
    class Both:
        x: int = 0
        level: ClassVar = Var.attribute(1)
        rang = Messenger.attribute()

    both, told = Both(), []
    events(both).observe(lambda change: told.append((change.name, change.message)))
    both.x = 1
    both.level.value = 2
    both.rang.send("bell")
    assert told == [("x", (0, 1)), ("level", (1, 2)), ("rang", "bell")]
    twin = copy.copy(both)
    both.level.value = 3
    assert twin.level.value == 2


def test_a_handler_of_a_field_that_fails_is_raised_to_the_setter_and_the_field_is_set():
    thing = overridden_twice(evented)()
    events(thing).x.observe(lambda update: 1 / 0)
    with pytest.raises(HandlerError):
        thing.x = 5
    assert thing.x == 5


if HAS_SLOTS:

    @evented(slots=True)
    class TightBase:
        x: int = 0

    @evented(slots=True)
    class TightChild(TightBase):
        y: int = 1


@pytest.mark.skipif(not HAS_SLOTS, reason="dataclasses with slots came with Python 3.10")
def test_subclasses_with_slots_share_the_room_and_are_pickled():
    tight, told = TightChild(1, 2), []
    events(tight).observe(lambda change: told.append(change.name))
    tight.x, tight.y = 5, 6
    twin = pickle.loads(pickle.dumps(tight))
    twin.x = 9
    assert (told, twin, tight) == (["x", "y"], TightChild(9, 6), TightChild(5, 6))
    # Python 3.10 repeats those of fields.
    assert {"_observables", "__weakref__"}.isdisjoint(TightChild.__slots__)


def test_a_field_behind_a_property_or_a_descriptor_tells_what_it_has_become():
    @evented
    class Rounded:
        x: int
        inner: float = field(default=0, init=False, repr=False)

        @property
        def x(self):
            return round(self.inner)

        @x.setter
        def x(self, value):
            self.inner = value

    thing, told = Rounded(3), []
    events(thing).observe(lambda change: told.append((change.name, *change.message)))
    thing.x = 5.25
    thing.x = 5.5
    assert told == [("inner", 3, 5.25), ("x", 3, 5), ("inner", 5.25, 5.5), ("x", 5, 6)]

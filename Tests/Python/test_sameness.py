# SPDX-License-Identifier: MIT
"""What is the same value, as one table of kinds of values says, whatever way a value comes: law 16."""

import array
import datetime
import fractions
import math
import pathlib
import re
import types
import uuid
from collections import ChainMap, Counter, OrderedDict, UserList, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, Flag, IntEnum, IntFlag

import pytest

from support import hearing
from swiftobserver import ForeignAuthor, HandlerError, Messenger, Update, Var, evented, events

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None


class Color(IntEnum):
    RED = 1


class Size(IntEnum):
    SMALL = 1


class Mode(str, Enum):
    HEAT = "a"


class Plain(Enum):
    ONE = 1


class Access(IntFlag):
    READ = 1


class Kind(Flag):
    ONE = 1


class Text(str):
    pass


class Number(int):
    pass


class Float(float):
    pass


class List(list):
    pass


class Dict(dict):
    pass


Pair = namedtuple("Pair", "one two")
Other = namedtuple("Other", "one two")


@dataclass
class Box:
    content: object = None
    note: object = field(default=0, compare=False)


@dataclass
class OtherBox:
    content: object = None


@dataclass(frozen=True)
class Frozen:
    content: object = None


@dataclass(eq=False)
class Alone:
    content: object = None


class Equal:
    """Has an equality that a program has written."""

    def __init__(self, content):
        self.content = content

    def __eq__(self, other):
        return isinstance(other, Equal) and self.content == other.content

    def __hash__(self):
        return 1


class Column:
    """Makes an expression of `==`, as object-relational mappers do, and has no truth."""

    def __eq__(self, other):
        return Column()

    def __ne__(self, other):
        return Column()

    def __bool__(self):
        raise TypeError("the truth of this clause is not defined")

    __hash__ = object.__hash__


class Answering:
    """Answers `==` with what is no bool, and true."""

    def __eq__(self, other):
        return "yes"

    __hash__ = object.__hash__


class Array:
    """Compares like an array of numpy's: each element, and a truth comes of one element alone."""

    def __init__(self, *numbers):
        self.numbers = numbers

    def __array__(self):
        raise AssertionError("nothing needs the array")

    def __eq__(self, other):
        return Array(*[one == each for one, each in zip(self.numbers, other.numbers)])

    def __bool__(self):
        if len(self.numbers) != 1:
            raise ValueError("the truth value of an array is ambiguous")
        return bool(self.numbers[0])

    __hash__ = None


class Never:
    def __eq__(self, other):
        return False

    __hash__ = object.__hash__


class Comparing(type):
    """Has classes compared, which then have no hash."""

    def __eq__(self, other):
        return self is other


class Unhashable(metaclass=Comparing):
    def __init__(self, content):
        self.content = content

    def __eq__(self, other):
        return isinstance(other, Unhashable) and self.content == other.content

    __hash__ = object.__hash__


class UnhashableAlone(metaclass=Comparing):
    pass


def function():
    pass


THING = object()
# What makes a value, by its name: two of one name are the same value, two of different names are two. Where the name
# begins with "each", each one made is another.
KINDS = [
    ("none", lambda: None),
    ("true", lambda: True),
    ("false", lambda: False),
    ("0", lambda: 0),
    ("1", lambda: 1),
    ("0.0", lambda: 0.0),
    ("0.0", lambda: -0.0),
    ("1.0", lambda: float("1")),
    ("nan", lambda: float("nan")),
    ("inf", lambda: float("inf")),
    ("1+0j", lambda: complex(1)),
    ("complex nan", lambda: complex(math.nan, 1)),
    ("2**63", lambda: 2**62 * 2),
    ("2.0**63", lambda: 2.0**63),
    ("10**30", lambda: 10**29 * 10),
    ("no text", lambda: ""),
    ("a", lambda: "".join(["a"])),
    ("1 as text", lambda: str(1)),
    ("surrogate", lambda: "".join(["\ud800", "a"])),
    ("no bytes", lambda: b""),
    ("a as bytes", lambda: bytes([97])),
    ("bytearray", lambda: bytearray(b"a")),
    ("memoryview", lambda: memoryview(b"a")),
    ("array of numbers", lambda: array.array("i", [1])),
    ("red", lambda: Color.RED),
    ("small", lambda: Size.SMALL),
    ("heat", lambda: Mode.HEAT),
    ("one", lambda: Plain.ONE),
    ("read", lambda: Access.READ),
    ("kind", lambda: Kind.ONE),
    ("text of its own", lambda: Text("a")),
    ("number of its own", lambda: Number(1)),
    ("float of its own", lambda: Float(1)),
    ("nan of its own", lambda: Float("nan")),
    ("decimal", lambda: Decimal("1.0")),
    ("decimal", lambda: Decimal(1)),
    ("decimal nan", lambda: Decimal("nan")),
    ("decimal nan", lambda: Decimal("snan")),
    ("fraction", lambda: fractions.Fraction(2, 2)),
    ("tuple", lambda: tuple([1, [2]])),
    ("pair", lambda: Pair(1, [2])),
    ("other pair", lambda: Other(1, [2])),
    ("update", lambda: Update(1, [2])),
    ("list", lambda: [1, [2]]),
    ("list of its own", lambda: List([1, [2]])),
    ("user list", lambda: UserList([1, [2]])),
    ("deque", lambda: deque([1, [2]])),
    ("range", lambda: range(3)),
    ("dict", lambda: {1: 2}),
    ("ordered dict", lambda: OrderedDict({1: 2})),
    ("default dict", lambda: defaultdict(list, {1: 2})),
    ("counter", lambda: Counter({1: 2})),
    ("dict of its own", lambda: Dict({1: 2})),
    ("proxy", lambda: types.MappingProxyType({1: 2})),
    ("chain", lambda: ChainMap({1: 2})),
    ("set", lambda: {1, 2}),
    ("frozen set", lambda: frozenset({1, 2})),
    ("box", lambda: Box([1])),
    ("box", lambda: Box([1], note=object())),
    ("other box", lambda: OtherBox([1])),
    ("frozen", lambda: Frozen((1,))),
    ("each alone", lambda: Alone([1])),
    ("namespace", lambda: types.SimpleNamespace(content=[1])),
    ("equal", lambda: Equal([1])),
    ("of a type without hash", lambda: Unhashable([1])),
    ("list of a type without hash", lambda: [Unhashable(1)]),
    ("each of a type without hash", UnhashableAlone),
    ("each object", lambda: object()),
    ("each never", Never),
    ("each column", Column),
    ("each answering", Answering),
    ("date", lambda: datetime.date(2000, 1, 1)),
    ("moment", lambda: datetime.datetime(2000, 1, 1)),
    ("duration", lambda: datetime.timedelta(1)),
    ("uuid", lambda: uuid.UUID(int=1)),
    ("path", lambda: pathlib.PurePosixPath("a")),
    ("pattern", lambda: re.compile("a")),
    ("type", lambda: int),
    ("function", lambda: function),
    ("ellipsis", lambda: ...),
    ("thing", lambda: THING),
    ("list of thing", lambda: [THING]),
    ("each array of one", lambda: Array(1)),
    ("each array of two", lambda: Array(1, 2)),
    ("each array of none", lambda: Array()),
    ("each list of arrays", lambda: [Array(1)]),
    ("each list of arrays of two", lambda: [Array(1, 2)]),
    ("each tuple of arrays", lambda: (1, Array(1))),
    ("each dict of arrays", lambda: {"image": Array(1)}),
    ("each dict of lists of arrays", lambda: {"images": [1, (Array(1),)]}),
    ("each deque of arrays", lambda: deque([Array(1, 2)])),
    ("each box of arrays", lambda: Box(Array(1))),
    ("each box of arrays of two", lambda: Box([Array(1, 2)])),
    ("each namespace of arrays", lambda: types.SimpleNamespace(content=Array(1))),
    ("each equal of arrays of two", lambda: Equal(Array(1, 2))),
    ("each update of arrays", lambda: Update(Array(1, 2), 1)),
]
ARRAY = Array(1, 2)
KINDS += [
    ("list of one array", lambda: [ARRAY, 1]),
    ("dict of one array", lambda: {"image": ARRAY}),
    ("box of one array", lambda: Box(ARRAY)),
]
if numpy:
    KINDS += [
        ("each numpy [1.]", lambda: numpy.array([1.0])),
        ("each numpy [[1.]]", lambda: numpy.array([[1.0]])),
        ("each numpy [1]", lambda: numpy.array([1])),
        ("each numpy of none", lambda: numpy.zeros(0)),
        ("each numpy of two", lambda: numpy.zeros(2)),
        ("each numpy of three", lambda: numpy.zeros(3)),
        ("each numpy without dimension", lambda: numpy.array(1.0)),
        ("each list of numpy", lambda: [numpy.array([1.0])]),
        ("each dict of numpy", lambda: {"image": numpy.zeros(2)}),
        ("each box of numpy", lambda: Box(numpy.array([1.0]))),
        ("float64", lambda: numpy.float64(1)),
        ("float32", lambda: numpy.float32(1)),
        ("int64", lambda: numpy.int64(1)),
        ("bool_", lambda: numpy.bool_(True)),
        ("str_", lambda: numpy.str_("a")),
        ("float64 nan", lambda: numpy.float64("nan")),
        ("datetime64", lambda: numpy.datetime64("2000-01-01")),
        ("list of float64", lambda: [numpy.float64(1)]),
    ]
if pandas:
    KINDS += [
        ("each series", lambda: pandas.Series([1])),
        ("each frame", lambda: pandas.DataFrame({"a": [1, 2]})),
        ("each other frame", lambda: pandas.DataFrame({"b": [1]})),
        ("each index", lambda: pandas.Index([1])),
        ("each list of series", lambda: [pandas.Series([1, 2])]),
        ("pandas' nothing", lambda: pandas.NA),
        ("no time", lambda: pandas.NaT),
        ("timestamp", lambda: pandas.Timestamp("2000-01-01")),
    ]
NAMES = [name for name, _ in KINDS]


def told_by_setting(how, change):
    def told(old, new):
        variable = Var(old, **how)
        _, updates = hearing(variable)
        change(variable, new)
        assert variable.value is new or not updates or type(new) in CONVERTED
        return len(updates) == 1

    return told


# What the library holds itself: another object comes back.
CONVERTED = (int, float, str, bytes, bool, type(None))


def set_by_attribute(variable, new):
    variable.value = new


def set_by_author(variable, new):
    variable.set(new, author="me")


def set_by_update(variable, new):
    variable.update(lambda old: new)


def set_in_batch(variable, new):
    with variable.batch():
        variable.value = object()
        variable.value = new


def told_by_field(old, new):
    thing = Field(old)
    _, changes = hearing(events(thing))
    thing.content = new
    return len(changes) == 1


@evented
class Field:
    content: object


def told_by(native, transform):
    def told(old, new):
        messenger = Messenger(native=native)
        _, received = hearing(transform(messenger, old))
        messenger.send(old)
        messenger.send(new)
        return len(received)

    return told


def skipped(native):
    received = told_by(native, lambda messenger, old: messenger.skip_repeats())
    return lambda old, new: received(old, new) == 2


def selected(native):
    received = told_by(native, lambda messenger, old: messenger.select(old))
    return lambda old, new: received(old, new) == 1


def unique(native):
    received = told_by(native, lambda messenger, old: messenger.unique_values())

    def told(old, new):
        try:
            hash((old, new, type(old), type(new)))
        except TypeError:
            return None
        return received(old, new) == 2

    return told


WAYS = {
    "set": told_by_setting({}, set_by_attribute),
    "set by an author": told_by_setting({}, set_by_author),
    "updated": told_by_setting({}, set_by_update),
    "batch": told_by_setting({}, set_in_batch),
    "named": told_by_setting({"validator": lambda value: value}, set_by_attribute),
    "native": told_by_setting({"native": True}, set_by_attribute),
    "native, updated": told_by_setting({"native": True}, set_by_update),
    "deferred": told_by_setting({"deferred": True}, set_by_attribute),
    "field": told_by_field,
    "skip_repeats": skipped(False),
    "skip_repeats, native": skipped(True),
    "select": selected(False),
    "select, native": selected(True),
    "unique_values": unique(False),
    "unique_values, native": unique(True),
}


@pytest.mark.parametrize("way", WAYS)
def test_all_kinds_of_values_are_told_apart_alike_on_every_way(way):
    wrong = []
    for name, make in KINDS:
        old = make()
        for other, make_other in KINDS:
            new = make_other()
            differ = new is not old and (name != other or name.startswith("each"))
            try:
                told = WAYS[way](old, new)
            except Exception as error:
                told = repr(error)
            if told not in (differ, None):
                wrong.append((name, other, told))
    assert wrong == []


def test_the_table_has_many_kinds():
    assert len(NAMES) > 80


@pytest.mark.parametrize("way", WAYS)
def test_the_identical_value_is_the_same_on_every_way(way):
    for name, make in KINDS:
        value = make()
        assert not WAYS[way](value, value), name


def test_a_given_equality_decides_about_all_that_is_not_identical():
    for answer in (True, False):
        for _, make in KINDS:
            value = make()
            for new in (value, make(), object()):
                variable, updates = hearing(Var(value, equals=lambda old, new: answer))
                variable.value = new
                assert len(updates) == (new is not value and not answer)


def test_what_a_list_holds_is_found_however_deep_it_is():
    def nested(array, depth=2000):
        held = [array]
        for _ in range(depth):
            held = [held] if depth < 100 else {"held": held} if depth % 2 else (held,)
        return held

    array = Array(1)
    variable, updates = hearing(Var(nested(array, 50)))
    variable.value = nested(array, 50)
    assert updates == []
    variable.value = nested(Array(1), 50)
    assert len(updates) == 1


def test_an_equality_that_a_program_has_written_is_believed_about_arrays():
    class Image:
        def __init__(self, pixels):
            self.pixels = pixels

        def __eq__(self, other):
            return self.pixels.numbers == other.pixels.numbers

    @dataclass
    class Picture:
        pixels: object

        def __eq__(self, other):
            return self.pixels.numbers == other.pixels.numbers

    for kind in (Image, Picture):
        variable, updates = hearing(Var(kind(Array(1))))
        variable.value = kind(Array(1))
        assert updates == []
        variable.value = [kind(Array(1))]
        variable.value = [kind(Array(1))]
        variable.value = kind(Array(2))
        assert len(updates) == 2


def test_an_equality_that_fails_where_no_array_is_held_is_told():
    class Moody:
        def __eq__(self, other):
            raise ArithmeticError("incomparable")

    for make in (Moody, lambda: [Moody()], lambda: Box(Moody())):
        for how in ({}, {"native": True}, {"deferred": True}):
            variable, updates = hearing(Var(make(), **how))
            with pytest.raises(HandlerError, match="equality.*incomparable"):
                variable.value = make()
            assert len(updates) == 1


def test_lists_that_hold_themselves_are_compared_without_end_of_the_program():
    def endless():
        held = [Array(1, 2)]
        held.append(held)
        return held

    variable, updates = hearing(Var(endless()))
    variable.value = endless()
    assert len(updates) == 1


@pytest.mark.parametrize("native", [False, True])
def test_a_nan_of_a_deferred_variable_is_set_after_what_waits(native):
    nan, values = float("nan"), []
    variable = Var(nan, deferred=native, native=native)

    @variable.observe
    def set_two(update):
        values.append(update.new)
        if update.new == 1.0:
            variable.value = 2.0
            variable.value = float("nan")

    variable.value = 1.0
    assert values[:2] == [1.0, 2.0]
    assert math.isnan(values[2]) and math.isnan(variable.value)
    variable.value = float("nan")
    assert len(values) == 3


@dataclass
class Editor:
    color: str

    def __call__(self, message):
        pass


def test_of_two_equal_handlers_the_one_that_is_meant_is_stopped():
    messenger, one, other, heard = Messenger(), Editor("black"), Editor("black"), []
    observations = [messenger.observe(each) for each in (one, other, heard.append)]
    assert messenger.stop_observing(other)
    assert [each.is_living for each in observations] == [True, False, True]
    assert messenger.stop_observing(heard.append) and not observations[2].is_living
    assert messenger.stop_observing(one) and not messenger.stop_observing(one)


def heard(selected, author):
    """Whether what an author sends arrives at what is selected by another."""
    heard = []
    for native in (False, True):
        for kind in (Messenger(native=native), Var(0, native=native)):
            _, received = hearing(kind.from_(selected))
            _, others = hearing(kind.not_from(selected))
            kind.send(1, author=author) if isinstance(kind, Messenger) else kind.set(1, author=author)
            assert len(received) + len(others) == 1
            heard.append(len(received))
    assert len(set(heard)) == 1
    return heard[0] == 1


def test_authors_are_told_apart_by_identity_but_for_texts_and_numbers():
    named = {"none", "true", "false", "0", "1", "0.0", "1.0", "nan", "inf", "2**63", "10**30", "no text", "a"}
    named |= {"1+0j", "complex nan", "2.0**63", "1 as text", "surrogate", "text of its own", "number of its own"}
    named |= {"float of its own", "nan of its own", "float64", "str_", "float64 nan"}
    for name, make in KINDS:
        author, other = make(), make()
        assert heard(author, author), name
        assert heard(author, other) == (author is other or name in named), name
        assert not heard(author, object())
    assert not heard(1, True) and not heard(1, 1.0) and not heard("a", Text("a"))
    assert not heard(Editor("black"), Editor("black"))


def test_authors_of_c_code_are_told_apart_by_their_address():
    author = ForeignAuthor(123456)
    assert heard(author, ForeignAuthor(123456))
    assert not heard(author, ForeignAuthor(654321))


@pytest.mark.parametrize("native", [False, True])
def test_pairs_with_the_previous_message_have_no_latest_one(native):
    variable = Var(1, native=native)
    pairs, received = hearing(variable.with_previous())
    for ask in (
        lambda: pairs.latest_message,
        lambda: pairs.send_latest(),
        lambda: pairs.observe(print, replay="latest"),
        lambda: pairs.observe(print, replay="all"),
    ):
        with pytest.raises(TypeError, match="no latest message"):
            ask()
    variable.set(2, author="me")
    assert received == [(None, Update(1, 2))]
    _, mine = hearing(pairs.from_("me"))
    variable.set(3, author="me")
    assert received[1:] == mine == [(Update(1, 2), Update(2, 3))]

# SPDX-License-Identifier: MIT
"""Any object is a message: what arrives is what was sent, whatever way it took."""

import decimal
import enum
import fractions
import math

import pytest

from support import hearing, named
from swiftobserver import Messenger, Update, Var
from swiftobserver._values.encoding import plain


class Text(str):
    pass


class Number(int):
    pass


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    __hash__ = None


NATIVE = [None, True, False, 0, 1, -1, 2**63 - 1, -(2**63), 0.0, -0.5, 1e308, math.inf, "", "text", "zero\0inside"]
NATIVE += ["Ünïcödé \N{GRINNING FACE}", b"", b"bytes", b"zero\0inside\xff"]
BY_REFERENCE = [2**63, -(2**63) - 1, 10**1000, "lone \ud800 surrogate", Text("text"), Number(1), bytearray(b"bytes")]
BY_REFERENCE += [(1, 2), [1, 2], {}, object(), Point(1, 2), print, ..., NotImplemented, 1j]


def arrive_directly(message):
    messenger, received = hearing(Messenger())
    messenger.send(message)
    return received


def arrive_through_the_queue(message):
    received, start = [], object()
    messenger = Messenger()
    messenger.observe(lambda each: messenger.send(message) if each is start else received.append(each))
    messenger.send(start)
    return received


def arrive_through_a_map(message):
    messenger = Messenger()
    _, received = hearing(messenger.map(lambda ignored: message))
    messenger.send("other")
    return received


def arrive_through_a_variable(message):
    variable = Var("before")
    _, received = hearing(variable.new())
    variable.value = message
    return received


def arrive_by_reading_a_variable(message):
    variable = Var("before")
    variable.value = message
    return [variable.value]


def arrive_through_an_atomic_update(message):
    variable = Var("before")
    _, received = hearing(variable.new())
    variable.update(lambda ignored: message)
    return received


ROUTES = [arrive_directly, arrive_through_the_queue, arrive_through_a_map, arrive_through_a_variable]
ROUTES += [arrive_by_reading_a_variable, arrive_through_an_atomic_update]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("message", NATIVE, ids=repr)
def test_a_native_message_arrives_equal_and_of_its_type(route, message):
    (received,) = route(message)
    assert type(received) is type(message)
    assert received == message


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("message", BY_REFERENCE, ids=named)
def test_any_other_message_arrives_as_the_very_object(route, message):
    (received,) = route(message)
    assert received is message


@pytest.mark.parametrize("route", ROUTES)
def test_not_a_number_arrives(route):
    (received,) = route(math.nan)
    assert math.isnan(received)


@pytest.mark.parametrize("route", [arrive_directly, arrive_through_the_queue, arrive_through_a_map])
def test_an_update_arrives_as_an_update_with_the_very_objects(route):
    old, new = object(), [1]
    (received,) = route(Update(old, new))
    assert type(received) is Update
    assert received.old is old
    assert received.new is new


def test_a_variable_may_hold_an_update():
    inner = Update(1, 2)
    variable = Var(inner)
    assert variable.value is inner
    received = []
    variable.observe(received.append)
    variable.value = Update(2, 3)
    assert received == [Update(inner, Update(2, 3))]


def test_a_message_is_not_copied_when_it_goes_directly():
    message = "a text " * 1000
    (received,) = arrive_directly(message)
    assert received is message


def test_what_a_handler_keeps_outlives_the_send():
    messenger = Messenger()
    mapped, kept = hearing(messenger.map(lambda number: [number]))
    for number in range(100):
        messenger.send(number)
    del mapped, messenger
    assert kept == [[number] for number in range(100)]


class Mode(str, enum.Enum):
    HEAT = "heat"


class Level(enum.IntEnum):
    LOW = 1


class Kind(enum.Enum):
    ONE = Level.LOW
    OBJECT = object()


class Data(bytes):
    pass


class NoNumber:
    def __index__(self):
        raise ValueError


@pytest.mark.parametrize(
    "value, expected",
    [
        (Mode.HEAT, "heat"),
        (Level.LOW, 1),
        (Kind.ONE, 1),
        (Text("text"), "text"),
        (Number(2), 2),
        (Data(b"data"), b"data"),
        (decimal.Decimal("0.5"), 0.5),
        (fractions.Fraction(1, 2), 0.5),
        (True, True),
        (None, None),
        (2**70, 2**70),
    ],
)
def test_what_is_almost_plain_is_made_plain(value, expected):
    made = plain(value)
    assert made == expected and type(made) is type(expected)


@pytest.mark.parametrize("value", [[1], (1,), Update(1, 2), object(), Point(1, 2), NoNumber(), 1j, {}, Point, print])
def test_what_is_nothing_plain_stays_what_it_is(value):
    assert plain(value) is value
    assert plain(Kind.OBJECT) is Kind.OBJECT.value

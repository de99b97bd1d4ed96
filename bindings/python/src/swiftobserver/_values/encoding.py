# SPDX-License-Identifier: MIT
"""Python objects as values of the library, and back.

None, bool, int of 64 bits, float, str, bytes and `Update` go as what C observers understand. Everything
else, subclasses of these included, goes by reference: the very object arrives.
"""

from __future__ import annotations

import sys
from ctypes import addressof, byref, c_bool, sizeof, string_at
from operator import index

from .._core.failures import check, failed
from .._library import declarations as library
from .._library.declarations import Value, ValuePair, interpreter
from .._library.environment import lasting
from .._library.typing import Any, Callable, ClassVar, Generic, NamedTuple, TypeVar
from .sameness import PLAIN, is_array, same

Content_co = TypeVar("Content_co", covariant=True)


class Update(NamedTuple, Generic[Content_co]):
    """The value of a variable before and after a change.

    >>> Update(1, 2).new
    2
    """

    old: Content_co
    new: Content_co


# An update, without the detour through a function of Python's that a named tuple makes.
new_update: Callable[..., Any] = tuple.__new__


class ForeignObject:
    """An object of a C program, retained by its own functions for as long as this lives."""

    __slots__ = ("_value",)

    def __init__(self, value: Value) -> None:
        self._value = Value()
        check(library.value_copy(addressof(value), addressof(self._value)))

    @property
    def address(self) -> int:
        """Where the object is."""
        return self._value.pointer or 0

    def borrow(self) -> Value:
        """A value for the library, valid as long as this lives."""
        value = Value.from_buffer_copy(self._value)
        value.owned = 0
        value.kept = self
        return value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ForeignObject):
            return NotImplemented
        result = c_bool()
        check(library.value_equal(addressof(self._value), addressof(other._value), byref(result)))
        return result.value

    # Equality is decided by C code, and there is no hash to go with it.
    __hash__: ClassVar[None]  # type: ignore[assignment]
    __hash__ = None

    def __repr__(self) -> str:
        return f"<ForeignObject at {self.address:#x}>"

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        value = getattr(self, "_value", None)
        if value is not None and not is_finalizing():
            library.value_clear(addressof(value))

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("cannot copy or pickle an object of type ForeignObject")


# What Python senders are sending at the moment, by the address of the value in their hands. A handler
# that is given this address is given the message itself, and nothing is converted.
in_flight: dict[int, Any] = {}

# How to get at objects, by the address of the type that came with them.
decoders: dict[int, Callable[[Value], Any]] = {}


def encode(message: Any, may_be_update: bool = True) -> Value:
    """A value that borrows from `message`, and that keeps what it made for it alive."""
    value = Value()
    kind = type(message)
    if kind is int and -(2**63) <= message < 2**63:
        value.kind = library.KIND_INT64
        value.int64 = message
    elif kind is str:
        try:
            encoded = message.encode()
        except UnicodeEncodeError:
            # A lone surrogate has no UTF-8.
            return _reference(value, message)
        _fill(value, library.KIND_TEXT, encoded)
    elif kind is float:
        value.kind = library.KIND_DOUBLE
        value.float64 = message
    elif kind is bool:
        value.kind = library.KIND_BOOL
        value.boolean = message
    elif kind is bytes:
        _fill(value, library.KIND_BYTES, message)
    elif message is None:
        pass
    elif kind is Update and may_be_update:
        old, new = encode(message.old, False), encode(message.new, False)
        pair = ValuePair(old, new)
        value.kind = library.KIND_UPDATE
        value.update = addressof(pair)
        value.kept = (pair, old, new)
    elif isinstance(message, ForeignObject):
        return message.borrow()
    else:
        return _reference(value, message)
    return value


def plain(message: Any) -> Any:
    """The bool, int, float, str or bytes that an object of another type is, as far as it is one: an enum, a scalar of
    numpy, a Decimal, a subclass. For other programs, which have no such types."""
    kind = type(message)
    if kind in PLAIN or isinstance(message, Update) or is_array(kind):
        return message
    for exact, convert in _EXACTLY:
        if issubclass(kind, exact):
            return convert(message)
    enum = sys.modules.get("enum")
    if enum is not None and isinstance(message, enum.Enum):
        return plain(message.value)
    if kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_"):
        return bool(message)
    for name, number in (("__index__", index), ("__float__", float)):
        if hasattr(kind, name):
            try:
                return number(message)
            except Exception:
                # It is none after all, or too large.
                return message
    return message


_EXACTLY: Any = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
    (bytes, lambda message: bytes(memoryview(message))),
)


def message_at(address: int) -> Any:
    """The message at an address that a callback was given."""
    try:
        return in_flight[address]
    except KeyError:
        return decode(Value.from_address(address))


def decode(value: Value) -> Any:
    """The Python object for a value. It owns what it needs, and may outlive the value."""
    kind = value.kind
    if kind == library.KIND_INT64:
        return value.int64
    if kind == library.KIND_OBJECT:
        return decoders.get(value.type, ForeignObject)(value)
    if kind == library.KIND_TEXT:
        return _bytes(value).decode()
    if kind == library.KIND_UPDATE:
        pair = ValuePair.from_address(value.update)
        return Update(decode(pair.old_value), decode(pair.new_value))
    if kind == library.KIND_DOUBLE:
        return value.float64
    if kind == library.KIND_BOOL:
        return value.boolean
    if kind == library.KIND_BYTES:
        return _bytes(value)
    if kind == library.KIND_LIST:
        # What C combines, which Python never sends.
        return tuple(decode(each) for each in (Value * value.size).from_address(value.start)) if value.size else ()
    return None


def is_reference(value: Value) -> bool:
    """Whether a value refers to the very Python object that it was made from."""
    return bool(value.kind == library.KIND_OBJECT and value.type == _type_address)


def referent(value: Value) -> Any:
    """The very object that a value refers to."""
    return value.reference


def _fill(value: Value, kind: int, data: bytes) -> None:
    value.kind = kind
    value.data = data
    value.size = len(data)


def _bytes(value: Value) -> bytes:
    return string_at(value.start, value.size) if value.size else b""


def _reference(value: Value, message: Any) -> Value:
    value.kind = library.KIND_OBJECT
    value.reference = message
    value.type = _type_address
    return value


_retain, _release = interpreter.counting(library.RETAIN, library.RELEASE)


def equal(one: Any, other: Any) -> bool:
    """Whether two objects are the same value; no if they cannot tell."""
    try:
        return same(one, other)
    except BaseException as error:
        failed(error, "equality", type(one).__qualname__)
        return False


_type = lasting(
    library.ObjectType(
        sizeof(library.ObjectType),
        _retain,
        _release,
        library.EQUAL(equal),
    )
)
_type_address = addressof(_type)
decoders[_type_address] = referent

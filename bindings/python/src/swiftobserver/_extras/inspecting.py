# SPDX-License-Identifier: MIT
"""Tells a live page of this program, if SWIFTOBSERVER_INSPECT asks for it: `swiftobserver.inspect`."""

from __future__ import annotations

import ast
import atexit
import time
from ctypes import (
    CFUNCTYPE,
    Structure,
    addressof,
    c_bool,
    c_char,
    c_char_p,
    c_size_t,
    c_uint64,
    c_void_p,
    cast,
    sizeof,
)
from functools import partial
from reprlib import Repr
from types import FunctionType, MethodType
from typing import Any, Dict

from .._core.observation import Observation
from .._library import declarations as library
from .._library.environment import lasting
from .._library.inspection import name_of
from .._library.ownership import handle_at, living_handles
from .._values.encoding import Update
from .._values.var import Var
from .graph import _is_observable

_DESCRIBE = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_size_t)
_SET = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_size_t)
_NAME = CFUNCTYPE(None, c_uint64, c_void_p, c_size_t)
# Its first argument comes as the object.
_TEXT = library.CFUNCTYPE(None, library.py_object, c_void_p, c_size_t)
_EACH = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)
_READ = CFUNCTYPE(None, _EACH, c_void_p)


class _Inspection(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("describe", _DESCRIBE),
        ("set", _SET),
        ("name", _NAME),
        ("text", _TEXT),
        ("read", _READ),
    ]


# Of these the representation runs no code of the program's.
_PLAIN = (bool, int, float, complex, str, bytes, bytearray, type(None))
_CONTAINERS = (list, tuple, dict, set, frozenset)
_shortener = Repr()
_shortener.maxstring = _shortener.maxother = _shortener.maxlong = 80
# How long names of handlers are known, in seconds.
_FRESH = 0.5
_names: Dict[int, str] = {}
_named = float("-inf")


def _shown(value: Any, depth: int = 0) -> str:
    """Describes something, for people."""
    if type(value) is Update:
        return f"{_shown(value.old, 1)}\x1f{_shown(value.new, 1)}"
    if type(value) in _PLAIN or (type(value) in _CONTAINERS and depth < 3 and all(map(_is_plain, value))):
        return _shortener.repr(value)
    return f"<{type(value).__qualname__}>"


def _is_plain(value: Any) -> bool:
    return type(value) in _PLAIN


def _write(address: int, room: int, text: str) -> None:
    # Whole characters, and a zero.
    encoded = text.encode("utf-8", "replace")[: room - 1].decode("utf-8", "ignore").encode()
    (c_char * room).from_address(address).value = encoded.replace(b"\0", b" ")


def _describe(address: int, kind: int, value: int, room: int) -> bool:
    observable: Any = handle_at(address)
    if not _is_observable(observable):
        return False
    _write(kind, room, observable._upstream.kind or observable._kind or "messenger")
    is_settable = isinstance(observable, Var)
    if is_settable:
        _write(value, room, _shown(observable.value))
    return is_settable


def _set(address: int, text: int, problem: int, room: int) -> bool:
    variable = handle_at(address)
    if not isinstance(variable, Var):
        return False
    given = cast(text, c_char_p).value or b""
    try:
        new: Any = given.decode()
        if not isinstance(variable.value, str):
            new = ast.literal_eval(new)
        variable.value = new
    except Exception as error:  # whatever a validator or a handler raises
        _write(problem, room, f"{type(error).__name__}: {error}")
    return True


def _place(handler: Any) -> str:
    """Where a handler is written, behind the character that begins that; nothing if that is not known."""
    while isinstance(handler, (partial, MethodType)):
        handler = handler.func if isinstance(handler, partial) else handler.__func__
    if not isinstance(handler, FunctionType):
        return ""
    return f"\x1f{handler.__code__.co_filename}:{handler.__code__.co_firstlineno}"


def _name(observation: int, name: int, room: int) -> None:
    global _named
    if time.monotonic() - _named > _FRESH:
        _names.clear()
        for handle in living_handles():
            for context in list(handle._contexts):
                if isinstance(context, Observation) and context._handler is not None:
                    _names[context._number.value] = name_of(context._handler) + _place(context._handler)
        _named = time.monotonic()
    _write(name, room, _names.get(observation, ""))


def _text(thing: object, text: int, room: int) -> None:
    _write(text, room, _shown(thing))


def _read(each: Any, context: int) -> None:
    for derived in living_handles():
        if _is_observable(derived) and derived._address:
            for source in derived._read():  # type: ignore[attr-defined]
                each(context, source._address, derived._address)


_inspection = lasting(
    _Inspection(sizeof(_Inspection), _DESCRIBE(_describe), _SET(_set), _NAME(_name), _TEXT(_text), _READ(_read))
)
library.set_inspection(addressof(_inspection))
atexit.register(library.set_inspection, None)

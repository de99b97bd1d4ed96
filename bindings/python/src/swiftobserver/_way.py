# SPDX-License-Identifier: MIT
"""How messages get to handlers here, decided once: the fast way, or the plain one that works everywhere.

Fast, the library calls `PyObject_CallOneArg` itself. That takes CPython, and its one interpreter lock. Plain, ctypes
stands between the library and each handler. SWIFTOBSERVER_WAY=plain asks for the plain way.
"""

from __future__ import annotations

import os
import sys
from ctypes import Structure, addressof, c_int64, c_void_p, sizeof

VARIABLE = "SWIFTOBSERVER_WAY"

_NEEDED = (
    "PyObject_CallOneArg",
    "PyErr_Fetch",
    "PyErr_Restore",
    "PyCFunction_NewEx",
    "PyObject_CallNoArgs",
    "PyObject_Vectorcall",
)


class _Word(Structure):
    _fields_ = [("word", c_void_p)]


def _has_its_data_where_the_library_looks() -> bool:
    # A swo_caller: two words of the runtime's, and then where the data are.
    word = _Word()
    return c_void_p.from_address(id(word) + 2 * sizeof(c_void_p)).value == addressof(word)


def _obstacle() -> str:
    """Why the fast way does not apply; empty if it does."""
    wanted = os.environ.get(VARIABLE, "fast")
    if wanted not in ("fast", "plain"):
        return f'{VARIABLE} is neither "fast" nor "plain"'
    if wanted == "plain":
        return f"{VARIABLE}=plain"
    if sys.implementation.name != "cpython":
        return f"this is {sys.implementation.name}"
    if sys.version_info < (3, 11):
        return "CPython is older than 3.11"
    if "t" in sys.abiflags:
        return "this CPython has no interpreter lock"
    if hasattr(sys, "gettotalrefcount"):
        return "this CPython checks itself"
    if not _has_its_data_where_the_library_looks():
        return "the objects of this CPython are laid out otherwise"
    from ctypes import pythonapi

    if not all(hasattr(pythonapi, name) for name in _NEEDED):
        return "this CPython lacks a function"
    current, number_of = pythonapi.PyInterpreterState_Get, pythonapi.PyInterpreterState_GetID
    current.restype, current.argtypes = c_void_p, ()
    number_of.restype, number_of.argtypes = c_int64, (c_void_p,)
    if number_of(current()) != 0:
        return "this is a sub-interpreter"
    return ""


OBSTACLE = _obstacle()
FAST = not OBSTACLE

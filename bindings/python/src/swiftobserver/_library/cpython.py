# SPDX-License-Identifier: MIT
"""Python objects behind pointers, and what else differs between CPython and PyPy; pypy.py has the same names."""

from __future__ import annotations

import sys
from ctypes import CFUNCTYPE as CFUNCTYPE
from ctypes import PYFUNCTYPE, c_void_p, cast, pythonapi, sizeof
from ctypes import PyDLL as PyDLL
from ctypes import py_object as py_object

from .environment import lasting
from .typing import Any, Callable, Tuple

# Whether pointers are numbers that stand for objects.
MOVES_OBJECTS = False


def complete(kind: Any) -> None:
    """Gives the struct of values its fields that are objects: here ctypes has them."""


def word(number: int, author: Any, taken: Callable[[], dict[int, Any]]) -> int:
    """The number that stands for an author, by whose `id` or address."""
    return number


def catch_up(contexts: Any) -> None:
    """Sees to contexts that only their dying owner has kept."""


def abandon(contexts: Any, stop: Callable[[Any], object]) -> None:
    """Empties contexts without an owner, where the garbage collector does not."""


def counting(retaining: Any, releasing: Any) -> Tuple[Any, Any]:
    """The functions that count the library's references to messages, as callbacks of two types."""
    # The callbacks around these take the interpreter lock. No Python code may be in between: a KeyboardInterrupt
    # at its first instruction would leave a reference uncounted.
    count = PYFUNCTYPE(None, py_object)
    return retaining(count(("Py_IncRef", pythonapi))), releasing(count(("Py_DecRef", pythonapi)))


def reporting(function: Callable[[Any], None], dropped: Callable[[], None]) -> Callable[[Any], None]:
    """A function whose exceptions are handed to `sys.unraisablehook`, as all that leave a callback."""
    return lasting(CFUNCTYPE(None, py_object)(function))


def runtime_lock(kind: Any) -> Any:
    """How the library lets go of the interpreter lock."""
    how = (_is_held(), pythonapi.PyEval_SaveThread, pythonapi.PyEval_RestoreThread)
    return kind(sizeof(kind), *(cast(each, c_void_p).value for each in how))


def _is_held() -> Any:
    """The function that says whether its thread holds the interpreter lock."""
    # PyGILState_Check says yes to every thread once there has been a sub-interpreter, and letting go of a lock that
    # is not held ends the process. The state of a thread is its own since 3.12.
    if sys.version_info >= (3, 13):
        return pythonapi.PyThreadState_GetUnchecked
    if sys.version_info >= (3, 12):
        return pythonapi._PyThreadState_UncheckedGet
    return pythonapi.PyGILState_Check

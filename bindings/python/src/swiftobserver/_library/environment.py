# SPDX-License-Identifier: MIT
"""Finds out about this process: the shared library, and whether it can call by vectorcall.

The library is what SWIFTOBSERVER_LIBRARY names, else one in the folder of the package, else the system's.

By vectorcall, the fast way, the library calls `PyObject_Vectorcall` itself. That takes CPython, and its one interpreter
lock. By ctypes, the plain way, which works everywhere, a callback stands between the library and each handler.
SWIFTOBSERVER_WAY=plain asks for it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import Structure, addressof, c_int64, c_void_p, sizeof

from .typing import Any, NoReturn, TypeVar

Anything = TypeVar("Anything")

# The tests compare it with the C header, where the version is decided.
__version__ = "0.1.0"

VARIABLE = "SWIFTOBSERVER_LIBRARY"
SONAME = "libswiftobserver.so.0"
ADVICE = (
    f"{SONAME} comes with the wheels for a platform and with Debian's libswiftobserver0; "
    f"`make lib` builds it, and {VARIABLE} may name it."
)


_lasting: list[Any] = []


def load(version: str) -> ctypes.CDLL:
    """The first library that loads. `ImportError` if none does, or if that one does not suit `version`."""
    if sys.implementation.name == "cpython" and sys.version_info < (3, 12) and not in_main_interpreter():
        # What calls back from C there asks for the main interpreter, and waits for it for ever.
        refuse(
            "this is a sub-interpreter, in which CPython cannot be called from C before 3.12; import it in the main"
            " interpreter (with mod_wsgi: WSGIApplicationGroup %{GLOBAL})"
        )
    failures: list[str] = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            failures.append(f"{path}: {reason_of(error, path)}")
            continue
        if failures and os.environ.get(VARIABLE):
            import warnings

            warnings.warn(f"{VARIABLE} does not load, {path} is used: {failures[0]}", RuntimeWarning, stacklevel=2)
        require(library, path, version)
        return library
    refuse("\n  ".join(["the library was not found; tried", *failures]) + "\n" + ADVICE)


def is_inspected() -> bool:
    """Whether a live page may ask what this program observes."""
    return bool(os.environ.get("SWIFTOBSERVER_INSPECT"))


def is_traced() -> bool:
    """Whether this program writes a trace to its end."""
    return bool(os.environ.get("SWIFTOBSERVER_TRACE"))


def candidates() -> list[str]:
    """The paths to try, in order."""
    named = os.environ.get(VARIABLE)
    bundled = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), SONAME)
    return [*([named] if named else []), bundled, SONAME]


def require(library: ctypes.CDLL, path: str, version: str) -> None:
    """`ImportError` unless the library has the major and minor version of the package."""
    try:
        function = library.swo_version
    except AttributeError:
        refuse(f"{path} is not SwiftObserver: it has no function swo_version", path)
    function.restype = ctypes.c_int32
    function.argtypes = ()
    number: int = function()
    major, minor, patch = number // 10000, number // 100 % 100, number % 100
    if [str(major), str(minor)] != version.split(".")[:2]:
        refuse(f"{path} is version {major}.{minor}.{patch}, which does not serve this package, {version}", path)


def lasting(thing: Anything) -> Anything:
    """A thing that is never freed: the library uses it until the process ends, when Python frees what modules have."""
    _lasting.append(thing)
    if sys.implementation.name == "cpython":
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
    return thing


class _Definition(Structure):
    # PyMethodDef.
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", c_void_p),
        ("flags", ctypes.c_int),
        ("document", ctypes.c_char_p),
    ]


def c_function(name: str, function: Any, takes_one: bool) -> Any:
    """Makes functions of C code's with an object of Python's in front, as modules that are written in C have: one
    that takes one argument, or else any. `function` is of ctypes, or a name in CPython. None elsewhere.
    """
    if sys.implementation.name != "cpython":
        return None
    from ctypes import py_object, pythonapi

    if isinstance(function, str):
        function = pythonapi[function]
    definition = lasting(
        _Definition(name.encode(), ctypes.cast(function, c_void_p).value, 0x8 if takes_one else 0x1, None)
    )
    new = pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = py_object, (c_void_p, py_object, c_void_p)
    return lambda front: new(addressof(definition), front, None)


def refuse(reason: str, path: str | None = None) -> NoReturn:
    """Raises the error that ends the import."""
    raise ImportError(f"swiftobserver: {reason}", name="swiftobserver", path=path)


def reason_of(error: OSError, path: str) -> str:
    """Why a library does not load."""
    # The dynamic loader begins most of its sentences with the path, which stands there already; PyPy says it once more.
    return str(error).rpartition(path + ": ")[2]


WAY = "SWIFTOBSERVER_WAY"

_VECTORCALL_NEEDS = (
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


def in_main_interpreter() -> bool:
    """On CPython alone."""
    from ctypes import pythonapi

    current, number_of = pythonapi.PyInterpreterState_Get, pythonapi.PyInterpreterState_GetID
    current.restype, current.argtypes = c_void_p, ()
    number_of.restype, number_of.argtypes = c_int64, (c_void_p,)
    return bool(number_of(current()) == 0)


def _obstacle() -> str:
    """Why the library cannot call by vectorcall; empty if it can."""
    wanted = os.environ.get(WAY, "fast")
    if wanted not in ("fast", "plain"):
        return f'{WAY} is neither "fast" nor "plain"'
    if wanted == "plain":
        return f"{WAY}=plain"
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

    if not all(hasattr(pythonapi, name) for name in _VECTORCALL_NEEDS):
        return "this CPython lacks a function"
    if not in_main_interpreter():
        return "this is a sub-interpreter"
    return ""


OBSTACLE = _obstacle()
VECTORCALL = not OBSTACLE

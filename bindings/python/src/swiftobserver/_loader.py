# SPDX-License-Identifier: MIT
"""Finds the shared library: what SWIFTOBSERVER_LIBRARY names, else one beside this module, else the system's."""

from __future__ import annotations

import ctypes
import os

from ._typing import NoReturn

VARIABLE = "SWIFTOBSERVER_LIBRARY"
SONAME = "libswiftobserver.so.0"
ADVICE = (
    f"{SONAME} comes with the wheels for a platform and with Debian's libswiftobserver0; "
    f"`make lib` builds it, and {VARIABLE} may name it."
)


def load(version: str) -> ctypes.CDLL:
    """The first library that loads. `ImportError` if none does, or if that one does not suit `version`."""
    failures: list[str] = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            failures.append(f"{path}: {_reason(path, error)}")
            continue
        if failures and os.environ.get(VARIABLE):
            import warnings

            warnings.warn(f"{VARIABLE} does not load, {path} is used: {failures[0]}", RuntimeWarning, stacklevel=2)
        require(library, path, version)
        return library
    refuse("\n  ".join(["the library was not found; tried", *failures]) + "\n" + ADVICE)


def candidates() -> list[str]:
    """The paths to try, in order."""
    named = os.environ.get(VARIABLE)
    bundled = os.path.join(os.path.dirname(os.path.abspath(__file__)), SONAME)
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


def refuse(reason: str, path: str | None = None) -> NoReturn:
    """Raises the error that ends the import."""
    raise ImportError(f"swiftobserver: {reason}", name="swiftobserver", path=path)


def _reason(path: str, error: OSError) -> str:
    # The dynamic loader begins most of its sentences with the path, which stands there already; PyPy says it once more.
    return str(error).rpartition(path + ": ")[2]

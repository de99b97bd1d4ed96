# SPDX-License-Identifier: MIT
"""The line of a program that called into this package, for messages that can be followed up."""

from __future__ import annotations

from sys import _getframe
from types import CodeType

from ._typing import NamedTuple, Tuple

_PACKAGE = __name__.rpartition(".")[0]


class Place(NamedTuple):
    """A line of a program."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


# A line before it is looked up: some code, and how far it has got.
Spot = Tuple[CodeType, int]


def caller(above: int = 2) -> Spot:
    """Where the nearest code outside this package is at the moment, so many frames above or more."""
    try:
        frame = _getframe(above)
    except ValueError:
        # Called from C, with no other frame of Python's.
        frame = _getframe(1)
    try:
        while frame.f_globals["__package__"] == _PACKAGE and frame.f_back:
            frame = frame.f_back
    except KeyError:
        # Code that belongs to no package at all.
        pass
    return frame.f_code, frame.f_lasti


def place_of(spot: Spot) -> Place:
    """The line of a spot."""
    # Most programs never ask.
    from dis import findlinestarts

    code, instruction = spot
    number = code.co_firstlineno
    for start, line in findlinestarts(code):
        if start > instruction:
            break
        number = line or number
    return Place(code.co_filename, number)


def name_of(function: object) -> str:
    """What to call a function in a message."""
    name = getattr(function, "__qualname__", None)
    return name if isinstance(name, str) else f"{type(function).__qualname__} object"

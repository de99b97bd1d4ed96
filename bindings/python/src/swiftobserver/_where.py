# SPDX-License-Identifier: MIT
"""The line of a program that called into this package, for messages that can be followed up."""

from __future__ import annotations

import sys
from typing import NamedTuple

_PACKAGE = __name__.rpartition(".")[0]


class Place(NamedTuple):
    """A line of a program."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def caller() -> Place:
    """Where the nearest code outside this package is at the moment."""
    frame = sys._getframe(1)
    while frame.f_globals.get("__package__") == _PACKAGE and frame.f_back:
        frame = frame.f_back
    return Place(frame.f_code.co_filename, frame.f_lineno)


def name_of(function: object) -> str:
    """What to call a function in a message."""
    name = getattr(function, "__qualname__", None)
    return name if isinstance(name, str) else f"{type(function).__qualname__} object"

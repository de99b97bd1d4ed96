# SPDX-License-Identifier: MIT
"""Errors of functions over variables."""

from __future__ import annotations

from .._library.typing import Any, List, Tuple


class ComputingError(RuntimeError):
    """The function of a derived variable has tried to change something. Nothing has changed."""


class CycleError(RuntimeError):
    """A derived variable needs its own value."""

    names: Tuple[str, ...] = ()
    """The variables on the way, the one that is needed first and last."""


class Conflict(RuntimeError):
    """Another thread has changed what a transaction has read: nothing has happened, and it can be run again."""


class Deeper(BaseException):
    """Leads out of functions that wait for one another, so that a chain needs no stack. Seen by no program that lets
    pass what it does not expect."""

    def __init__(self, node: Any) -> None:
        super().__init__("this function is run again in a moment")
        self.nodes: List[Any] = [node]

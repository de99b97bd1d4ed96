# SPDX-License-Identifier: MIT
"""What a send raises: which functions failed, on which observable, and where they were attached."""

from __future__ import annotations

import sys

from . import _native as native
from . import _structures as structures
from ._typing import NamedTuple, Optional, Sequence
from ._where import Place


class Failure(NamedTuple):
    """One call of one function that ended with an exception."""

    role: str
    """What the function was: handler, mapper, predicate or equality."""
    function: str
    """The name of the function, or for an equality that of the type."""
    observable: str
    """What the function was attached to, if to anything."""
    place: Optional[Place]
    """Where it was attached; printed as `file:line`."""
    exception: BaseException

    def __str__(self) -> str:
        observable = f" of {self.observable}" if self.observable else ""
        attached = f", attached at {self.place}" if self.place else ""
        return f"{self.role} {self.function}{observable}{attached}: {_summary(self.exception)}"


def _summary(exception: BaseException) -> str:
    name = type(exception).__name__
    try:
        text = str(exception)
    except Exception:
        # An exception that cannot be printed must not hide what happened.
        return name
    return f"{name}: {text}" if text else name


if sys.version_info >= (3, 11):
    _Group = ExceptionGroup[Exception]
else:

    class _Group(Exception):
        """The part of ExceptionGroup, which came with Python 3.11, that a HandlerError has before."""

        def __init__(self, message: str, exceptions: Sequence[Exception]) -> None:
            super().__init__(message, exceptions)
            self.message = message
            self.exceptions = tuple(exceptions)

        def __str__(self) -> str:
            return self.message


class HandlerError(_Group):
    """Functions failed while a message was delivered; everyone else has received it.

    `exceptions` holds what they raised, `failures` also says who they were. From Python 3.11 on this is
    an ExceptionGroup, so `except*` serves, too.
    """

    failures: tuple[Failure, ...] = ()

    @classmethod
    def of(cls, failures: Sequence[Failure]) -> HandlerError:
        """The error for failures that are all exceptions in the narrow sense."""
        count = "" if len(failures) == 1 else f"{len(failures)} failures: "
        message = count + "; ".join(map(str, failures))
        error = cls(message, [each.exception for each in failures if isinstance(each.exception, Exception)])
        error.failures = tuple(failures)
        return error

    def derive(self, excs: Sequence[Exception]) -> HandlerError:  # type: ignore[override, unused-ignore]
        """Part of this error, as `split`, `subgroup` and `except*` need it."""
        part = HandlerError(self.message, excs)
        part.failures = tuple(each for each in self.failures if any(each.exception is one for one in excs))
        return part


def outcome(failures: Sequence[Failure]) -> BaseException:
    """What to raise for the failures of one delivery.

    What is meant to end the program, like KeyboardInterrupt, goes on as it is: nobody looks for it in a group.
    """
    ordinary = [each for each in failures if isinstance(each.exception, Exception)]
    error = HandlerError.of(ordinary) if ordinary else None
    for each in failures:
        if not isinstance(each.exception, Exception):
            each.exception.__cause__ = error
            return each.exception
    assert error is not None
    return error


def check(status: int, parameter: Optional[str] = None) -> None:
    """Raises the exception for the status of a call that failed."""
    if status == structures.OK:
        return
    sentence = native.status_text(status).decode()
    if parameter:
        sentence = f"{parameter}: {sentence}"
    if status == structures.NO_MEMORY:
        raise MemoryError(sentence)
    if status == structures.WRONG_KIND:
        raise TypeError(sentence)
    if status in (structures.INVALID_ARGUMENT, structures.INVALID_TEXT):
        raise ValueError(sentence)
    raise RuntimeError(sentence)

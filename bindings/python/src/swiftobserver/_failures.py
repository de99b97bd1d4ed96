# SPDX-License-Identifier: MIT
"""Which functions failed, on which observable, and where they were attached: noted while the library delivers, and
raised by the send that they belong to.
"""

from __future__ import annotations

from _thread import get_ident
from weakref import ref

from ._authors import ITSELF, enter, forget, kept, left_in_line
from ._environment import lasting
from ._inspection import name_of
from ._threads import nobody_is_sending, sending
from ._typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from ._observable import Observable

import sys

from . import _library as library
from ._inspection import Place
from ._library import pypy_pointers
from ._typing import NamedTuple, Optional, Sequence


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
    # What fails in sends inside one another is told once for each.
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    return f"{name}: {text}" if text else name


_LONGEST = 500


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

    What is meant to end the program, like KeyboardInterrupt, goes on as it is: no program looks for it in a group.
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
    if status == library.OK:
        return
    sentence = library.status_text(status).decode()
    if parameter:
        sentence = f"{parameter}: {sentence}"
    if status == library.NO_MEMORY:
        raise MemoryError(sentence)
    if status == library.WRONG_KIND:
        raise TypeError(sentence)
    if status == library.INVALID_ARGUMENT and parameter:
        # All else is looked at before.
        raise ValueError(f"{parameter}: this object is gone: Python has finalised it")
    if status in (library.INVALID_ARGUMENT, library.INVALID_TEXT):
        raise ValueError(sentence)
    raise RuntimeError(sentence)


class _Noted(NamedTuple):
    thread: int
    observable: Optional[ref[Observable[Any]]]
    failure: Failure


# What failed in sends in progress. Empty as a rule: looking costs nothing then.
failures: list[_Noted] = []

# The threads on which a failure handler has seen to a failure, in a send that will hear of it.
handled: list[int] = []

# The same for sends on the fast way, and the threads on which an inner send has raised what failed in an outer one.
seen_to: set[int] = set()


def deliver(call: Callable[..., int], observable: Observable[Any], value: int, author: Any) -> None:
    """Sends or sets. Raises if a function that it called in turn has failed."""
    use_stack()
    thread = get_ident()
    before, sends = handled.count(thread), sending.count(thread)
    try:
        sending.append(thread)
        status = call(observable._address, value, None if author is ITSELF else enter(author))
    finally:
        # Not if a KeyboardInterrupt came first.
        if sending.count(thread) > sends:
            sending.remove(thread)
        if kept and not failures:
            forget(observable)
    is_handled = was_handled(before)
    if failures:
        settle(observable)
    if status != library.CALLBACK_FAILED or not is_handled:
        check(status, type(observable).__name__)


def use_stack(depth: int = 20) -> None:
    """Raises the RecursionError of a send near the limit of the stack before anything is sent.

    A callback of ctypes for which there is no room fails unseen. So many calls deep it gets from a send to where the
    failure of a handler is noted.
    """
    if depth:
        use_stack(depth - 1)


def require_noted(observable: Observable[Any]) -> None:
    """Raises an error for a failure that the library knows of and this module does not."""
    thread = get_ident()
    if thread in seen_to:
        # Until the outermost send is over, because that may have failed, too.
        if nobody_is_sending():
            seen_to.discard(thread)
    elif thread not in handled and not any(each.thread == thread for each in failures):
        kind = type(observable).__name__
        raise RuntimeError(f"a handler of {kind} failed, and the stack was too full, or an interrupt came, to tell how")


def conclude(status: int, observable: Observable[Any]) -> None:
    """Raises what the status of a send says, if `settle` has raised nothing."""
    if status == library.CALLBACK_FAILED:
        require_noted(observable)
    else:
        check(status, type(observable).__name__)


def was_handled(before: int) -> bool:
    """Whether a failure handler has seen to a failure in a send of this thread that is over. Before it, so many of
    `handled` were there, of the sends that it was inside."""
    thread = get_ident()
    count = handled.count(thread) - before
    for _ in range(count):
        handled.remove(thread)
    return count > 0


def settle(observable: Observable[Any]) -> None:
    """Sees to what a send to an observable leaves: forgets who is an author no more, raises what has failed."""
    mine = _concerning(observable)
    if kept:
        if any(map(_is_interrupt, mine)):
            left_in_line(observable)
            forget()
        else:
            forget(observable)
    thread = get_ident()
    for each in mine:
        failures.remove(each)
        attached = each.observable() if each.observable is not None else None
        if attached is not None:
            attached._is_stopped = False
    if mine:
        if nobody_is_sending():
            seen_to.discard(thread)
        else:
            seen_to.add(thread)
        try:
            if observable._raises_first:
                raise mine[0].failure.exception
            raise outcome([each.failure for each in mine])
        finally:
            # The exceptions know this frame, which must not know them.
            del mine, each, attached


def _concerning(observable: Observable[Any]) -> list[_Noted]:
    """What has failed on this thread and concerns an observable."""
    thread = get_ident()
    return [each for each in failures if each.thread == thread and _concerns(each.observable, observable)]


def _is_interrupt(noted: _Noted) -> bool:
    return not isinstance(noted.failure.exception, Exception)


def is_interrupted(observable: Observable[Any]) -> bool:
    """Whether this thread is about to raise, in a send to an observable, what is meant to end the program."""
    return any(map(_is_interrupt, _concerning(observable)))


def _concerns(reference: Optional[ref[Observable[Any]]], observable: Observable[Any]) -> bool:
    """Whether what failed was attached to an observable, or to one that is made from it."""
    attached = reference() if reference is not None else None
    return attached is None or attached is observable or any(each is observable for each in attached._origins())


def failed(
    exception: BaseException,
    role: str,
    function: str,
    observable: Optional[ref[Observable[Any]]] = None,
    place: Optional[Place] = None,
) -> None:
    """Notes that a function which the library called has failed."""
    attached = observable() if observable is not None else None
    title = attached._title() if attached is not None else "an observable that is gone" if observable else ""
    failure = handle(attached, Failure(role, function, title, place, exception))
    if failure is None:
        dropped()
        return
    thread = get_ident()
    if thread in sending or not (nobody_is_sending() or (attached is not None and attached._converts)):
        failures.append(_Noted(thread, observable, failure))
        if attached is not None and not isinstance(exception, Exception):
            _interrupt(attached)
        if attached is not None and attached._stops_at_failure:
            attached._is_stopped = True
    else:
        _report(failure)


def _interrupt(observable: Observable[Any]) -> None:
    """Ends what this thread delivers of an observable, and of what that is made from. What waits stays in line."""
    for each in (observable, *observable._origins()):
        library.observable_interrupt(each._address)


def handle(observable: Optional[Observable[Any]], failure: Failure) -> Optional[Failure]:
    """Gives a failure to the failure handler of an observable. Returns what is left to raise: that failure if there is
    no such handler, its own if it fails, else None. What is meant to end the program is not for it."""
    handler = observable._failure_handler if observable is not None else None
    if handler is None or not isinstance(failure.exception, Exception):
        return failure
    try:
        handler(failure)
    except BaseException as error:
        return Failure("failure handler", name_of(handler), failure.observable, failure.place, error)
    return None


def note_briefly(observable: Optional[ref[Observable[Any]]], role: str, exception: BaseException) -> None:
    """Notes a failure with hardly any stack."""
    failure = _new(Failure, (role, "", "", None, exception))
    failures.append(_new(_Noted, (get_ident(), observable, failure)))


_new: Callable[..., Any] = tuple.__new__


def note(observable: Observable[Any], failure: Failure) -> None:
    """Sees to a failure for a send to an observable that is about to begin."""
    left = handle(observable, failure)
    if left is not None:
        failures.append(_Noted(get_ident(), ref(observable), left))


def dropped() -> None:
    """Notes that a function which the library called has dropped a message, which is no failure."""
    if get_ident() in sending:
        handled.append(get_ident())
    elif not nobody_is_sending():
        seen_to.add(get_ident())


def _raise(failure: Failure) -> None:
    raise outcome([failure])


# A C program is sending, so no caller in Python could catch it. Python hands an exception that leaves a callback to
# sys.unraisablehook.
if pypy_pointers is None:
    _report = lasting(library.CFUNCTYPE(None, library.py_object)(_raise))
else:
    _report = pypy_pointers.handing_over(_raise)
    pypy_pointers.on_drop = dropped

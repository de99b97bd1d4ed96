# SPDX-License-Identifier: MIT
"""Which functions failed, on which observable, and where they were attached: pending while the library delivers, and
raised by the send that they belong to.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from weakref import ref

from .._library import declarations as library
from .._library.declarations import interpreter
from .._library.inspection import Place, name_of
from .._library.threads import as_sender, nobody_is_sending, sending
from .._library.typing import Any, Callable, NamedTuple, NoReturn, Optional, Sequence
from .._values.moments import beside, is_in_function, running
from .authors import ITSELF, enter, forget, left_in_line, pending_authors
from .parts import AnyObservable


class Failure(NamedTuple):
    """One call of one function that ended with an exception."""

    role: str
    """The role of the function: handler, mapper, predicate or equality."""
    function: str
    """The name of the function, or for an equality that of the type."""
    observable: str
    """The thing to which the function was attached, if to any."""
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
    """The exception for the failures of one delivery.

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


def first_of(failures: Sequence[Failure]) -> BaseException:
    """The same where the first one is to be raised itself: it says what else has failed."""
    first, others = failures[0].exception, failures[1:]
    if not all(isinstance(each.exception, Exception) for each in failures):
        return outcome(failures)
    if others and sys.version_info >= (3, 11):
        note = "also failed: " + "; ".join(map(str, others))
        # One that is raised again and again has it once.
        if note not in getattr(first, "__notes__", ()):
            first.add_note(note)
    elif others and first.__cause__ is None:
        first.__cause__ = HandlerError.of(others)
    return first


def check(status: int, parameter: Optional[str] = None) -> None:
    """Raises the exception for the status of a call that failed."""
    if status == library.OK:
        return
    sentence = library.status_text(status).decode()
    if parameter:
        sentence = f"{parameter}: {sentence}"
    if status == library.NO_MEMORY:
        raise MemoryError(sentence)
    if status == library.NO_RESOURCES:
        raise OSError(sentence)
    if status == library.WRONG_KIND:
        raise TypeError(sentence)
    if status == library.INVALID_ARGUMENT and parameter:
        # All else is looked at before.
        raise ValueError(f"{parameter}: this object is gone: Python has finalised it")
    if status in (library.INVALID_ARGUMENT, library.INVALID_TEXT):
        raise ValueError(sentence)
    raise RuntimeError(sentence)


class _Pending(NamedTuple):
    thread: int
    observable: Optional[ref[AnyObservable]]
    # None where a failure handler has seen to it: then the sender hears nothing, and asks for nothing.
    failure: Optional[Failure]
    # Whether it belongs to the next send to the observable, which is about to begin.
    is_ahead: bool = False


# What failed in sends in progress, each of which takes what became pending on its thread since it began. Empty as a
# rule: looking costs nothing then.
pending: list[_Pending] = []


def deliver(call: Callable[..., int], observable: AnyObservable, value: int, author: Any) -> None:
    """Sends or sets. Raises if a function that it called in turn has failed."""
    if pending and are_pending_here():
        return amid(deliver, call, observable, value, author)  # type: ignore[no-any-return]
    if running and is_in_function():
        return beside(deliver, call, observable, value, author)  # type: ignore[no-any-return]
    use_stack()
    try:
        status = as_sender(_call, call, observable._address, value, author)
    except BaseException:
        if pending_authors and not pending:
            forget(observable)
        raise
    raise_pending(observable, status)


def _call(call: Callable[..., int], address: int, value: int, author: Any) -> int:
    # An author is named when the send has begun.
    return call(address, value, None if author is ITSELF else enter(author))


def use_stack(depth: int = 20) -> None:
    """Raises the RecursionError of a send near the limit of the stack before anything is sent.

    A callback of ctypes for which there is no room fails unseen. So many calls deep it gets from a send to where the
    failure of a handler becomes pending.
    """
    if depth:
        use_stack(depth - 1)


def are_pending_here() -> bool:
    """Whether something has failed on this thread, in a send that is not over."""
    thread = get_ident()
    return any(each.thread == thread and not each.is_ahead for each in pending)


def amid(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Makes a call that sends, inside a delivery in which something has failed already: that is the outer send's."""
    outer = _take()
    if nobody_is_sending():
        # An interrupt came before the send that they belong to could take them.
        del outer[:]
    try:
        return call(*arguments, **options)
    finally:
        pending[:0] = outer


def _take(observable: Optional[AnyObservable] = None) -> list[_Pending]:
    """Takes the failures of this thread, and those with which a send to an observable began."""
    thread = get_ident()
    mine = [
        each
        for each in pending
        if each.thread == thread and (not each.is_ahead or (observable is not None and _attached(each) is observable))
    ]
    for each in mine:
        pending.remove(each)
    return mine


def require_pending(observable: AnyObservable) -> None:
    """Raises an error for a failure that the library knows of and this module does not."""
    if not are_pending_here():
        _raise_unknown(observable)


def _raise_unknown(observable: AnyObservable) -> NoReturn:
    kind = type(observable).__name__
    raise RuntimeError(f"a handler of {kind} failed, and the stack was too full, or an interrupt came, to tell how")


def raise_pending(observable: AnyObservable, status: int = library.OK) -> None:
    """Ends a send to an observable: forgets who is an author no more, raises what has failed."""
    mine = _take(observable) if pending else []
    if pending_authors:
        if any(map(_is_interrupt, mine)):
            left_in_line(observable)
            forget()
        else:
            forget(observable)
    if mine:
        for each in mine:
            attached = _attached(each)
            if attached is not None:
                attached._is_stopped = False
        untold = [each.failure for each in mine if each.failure is not None]
        if untold:
            try:
                raise first_of(untold) if observable._raises_first else outcome(untold)
            finally:
                # The exceptions know this frame, which must not know them.
                del mine, untold, each, attached
    if status == library.CALLBACK_FAILED and mine:
        # A failure handler has seen to it.
        return
    if status == library.CALLBACK_FAILED:
        observable._store.require_pending(observable)
    check(status, type(observable).__name__)


def _attached(each: _Pending) -> Optional[AnyObservable]:
    return each.observable() if each.observable is not None else None


def _is_interrupt(each: _Pending) -> bool:
    return each.failure is not None and not isinstance(each.failure.exception, Exception)


def is_interrupted(observable: AnyObservable) -> bool:
    """Whether this thread is about to raise, in a send to an observable, what is meant to end the program."""
    thread = get_ident()
    return any(
        each.thread == thread and _is_interrupt(each) and _concerns(_attached(each), observable) for each in pending
    )


def _concerns(attached: Optional[AnyObservable], observable: AnyObservable) -> bool:
    """Whether what failed was attached to an observable, or to one that is made from it."""
    return attached is None or attached is observable or any(each is observable for each in attached._origins())


def failed(
    exception: BaseException,
    role: str,
    function: str,
    observable: Optional[ref[AnyObservable]] = None,
    place: Optional[Place] = None,
) -> None:
    """Notes that a function which the library called has failed."""
    attached = observable() if observable is not None else None
    title = attached._title() if attached is not None else "an observable that is gone" if observable else ""
    failure = handle(attached, Failure(role, function, title, place, exception))
    if failure is None:
        dropped(attached)
        return
    if _is_sending(attached):
        pending.append(_Pending(get_ident(), observable, failure))
        if attached is not None and not isinstance(exception, Exception):
            _interrupt(attached)
        if attached is not None and attached._stops_at_failure:
            attached._is_stopped = True
    else:
        _report(failure)


def _is_sending(attached: Optional[AnyObservable]) -> bool:
    """Whether Python code of this thread is sending what has reached a function: it will hear of a failure."""
    if get_ident() in sending:
        return True
    return not nobody_is_sending() and (attached is None or not attached._store.calls.KNOWS_SENDERS)


def _interrupt(observable: AnyObservable) -> None:
    """Ends what this thread delivers of an observable, and of what that is made from. What waits stays in line."""
    for each in (observable, *observable._origins()):
        library.observable_interrupt(each._address)


def handle(observable: Optional[AnyObservable], failure: Failure) -> Optional[Failure]:
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


def add_briefly(observable: Optional[ref[AnyObservable]], role: str, exception: BaseException) -> None:
    """Notes a failure with hardly any stack."""
    failure = _new(Failure, (role, "", "", None, exception))
    pending.append(_new(_Pending, (get_ident(), observable, failure, False)))


_new: Callable[..., Any] = tuple.__new__


def add_pending(observable: AnyObservable, failure: Failure) -> None:
    """Sees to a failure for a send to an observable that is about to begin."""
    left = handle(observable, failure)
    if left is not None:
        pending.append(_Pending(get_ident(), ref(observable), left, True))


def dropped(attached: Optional[AnyObservable] = None) -> None:
    """Notes that a function which the library called has dropped a message, and its sender need not hear of it."""
    if _is_sending(attached):
        pending.append(_Pending(get_ident(), None, None))


def _raise(failure: Failure) -> None:
    raise outcome([failure])


# A C program is sending, so no caller in Python could catch it. Python hands an exception that leaves a callback to
# sys.unraisablehook.
_report = interpreter.reporting(_raise, dropped)

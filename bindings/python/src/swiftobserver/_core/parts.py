# SPDX-License-Identifier: MIT
"""Observables and observations as all modules know them, below the modules that say what these can do."""

from __future__ import annotations

from weakref import ref

from .._library.declarations import OK, WRONG_THREAD
from .._library.ownership import Context, Handle
from .._library.typing import TYPE_CHECKING, Any, Callable, Iterator, List, Optional, Tuple


class AnyObservation(Context):
    """An observation of anything."""

    __slots__ = ()
    _number: Any
    _handler: Any
    # Where the handler runs, if not in the send.
    _executor: Any
    _observable: ref[Any]

    if TYPE_CHECKING:
        stop: Callable[..., bool]

        @property
        def is_living(self) -> bool: ...
        @property
        def is_blocked(self) -> bool: ...
        @property
        def _place(self) -> Any: ...
        def _failed(self, exception: BaseException) -> None: ...
        def _failure(self, exception: BaseException) -> Any: ...


class AnyObservable(Handle):
    """An observable of any kind: what it is to the library, and where it stands."""

    # Where this has what it sends, and so who reaches it: a `Store`.
    _store: Any
    # What this is made from: an `Upstream`.
    _upstream: Any
    # These are of the object alone, because Python finds such attributes ten times faster.
    _reference: ref[Any]
    # What is made from this and kept for observations of that.
    _kept_for: dict[AnyObservation, AnyObservable]
    # For vectorcall: the pointer as ctypes passes it on; after the first send the function that sends, and what it
    # knows.
    _argument: Any
    _sender: Any
    _call: Any
    # That function, whatever else `_sender` is within a pause.
    _function: Any = None
    # Whether what is sent here is to be plain, for other programs.
    _is_plain = False
    # Whether what is sent goes through a callback of ctypes, here or further down.
    _has_callbacks: bool
    # The pauses that are in progress, the oldest first, and the blocks that Python knows of. Replaced, never changed.
    _pauses: Tuple[Any, ...] = ()
    _blocks: Tuple[Any, ...] = ()
    # A failure has ended the delivery that is in progress.
    _is_stopped = False
    _stops_at_failure = False
    _raises_first = False
    _failure_handler: Optional[Callable[[Any], object]] = None
    _ordered = True
    _budget = 1000
    # Runs jobs on the thread that this is confined to.
    _home: Optional[Callable[[Callable[[], object]], object]] = None
    _home_thread: Optional[int] = None
    # By id, of messages that an interrupt has left in line. Replaced, never changed.
    _authors_left: dict[int, Any] = {}
    _name: Optional[str] = None
    # What to call this in a graph, where neither the library nor what is upstream knows.
    _kind: Optional[str] = None

    if TYPE_CHECKING:

        @property
        def name(self) -> Optional[str]: ...
        @property
        def latest_message(self) -> Any: ...
        def _knows_latest(self) -> bool: ...
        @property
        def is_blocked(self) -> bool: ...

        observe: Any

        def _require_message(self, message: Any, must: str) -> None: ...

    def _hand_over(self, status: int, again: Callable[[], object]) -> int:
        """Has a call that another thread has made repeated on the thread of this, if there is a way there."""
        if status == WRONG_THREAD and self._home is not None:
            self._home(again)
            return OK
        return status

    def _handing_over(self, call: Callable[..., int], again: Callable[[], object]) -> Callable[..., int]:
        """The same for a call of the library that is about to be made."""
        if self._home is None:
            return call
        return lambda *arguments: self._hand_over(call(*arguments), again)

    def _origins(self) -> Iterator[AnyObservable]:
        """The observables that this is made from, directly or not."""
        found: set[int] = set()
        waiting = list(self._upstream.sources())
        while waiting:
            source = waiting.pop()
            if id(source) not in found:
                found.add(id(source))
                yield source
                waiting += source._upstream.sources()

    def _read(self) -> Tuple[AnyObservable, ...]:
        """The variables that its function has read in the last run, where it has one."""
        return ()

    def _runs(self) -> Optional[Tuple[int, int]]:
        """How often its function has run, and how often in vain, where it has one."""
        return None

    def _lose_message(self) -> None:
        """A message that has waited for an executor is lost to an observation that is blocked."""

    def _goes_through_callbacks(self) -> None:
        """Notes that what is sent does, here and in what this is made from."""
        waiting: List[AnyObservable] = [self]
        while waiting:
            observable = waiting.pop()
            if not observable._has_callbacks:
                observable._has_callbacks = True
                waiting += observable._upstream.sources()

    def _title(self) -> str:
        called = self.name
        name = f" {called!r}" if called is not None else ""
        return f"{self._called()}{name} made at {self._made}"

    def _called(self) -> str:
        """The noun in its title, beside its name."""
        return type(self).__name__

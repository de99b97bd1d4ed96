# SPDX-License-Identifier: MIT
"""Several changes that are one, several reads of one moment, and reads that nothing depends on.

A transaction keeps what it sets to itself until it commits. No lock is held while it is open.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import wraps

from .._core.authors import forget, pending_authors
from .._core.failures import amid, are_pending_here, pending, raise_pending
from .._core.lines import Turn
from .._library.declarations import CALLBACK_FAILED, OK
from .._library.inspection import name_of
from .._library.typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, TypeVar
from .._values.encoding import Update
from .._values.moments import Frame, Inner, View, commit, deliver, frame_here, moments, outside
from .._values.moments import lock as moments_lock
from .._values.pause import lock as pauses_lock
from .errors import ComputingError, Conflict

Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])


class _Block:
    """A frame for the length of a `with` block."""

    __slots__ = ("_frames",)

    def __init__(self) -> None:
        # The innermost last; one for each block that this is in.
        self._frames: List[Frame] = []

    def __enter__(self) -> None:
        frame = self._frame(frame_here())
        frame.enter()
        self._frames.append(frame)

    def __exit__(self, kind: Any, exception: Any, traceback: Any) -> None:
        frame = self._frames.pop()
        if frame_here() is not frame:
            self._frames.append(frame)
            raise RuntimeError(
                f"{type(self).__name__.strip('_').lower()} must end on its thread, and after those inside"
            )
        self._end(frame, exception is not None)

    def _frame(self, outer: Optional[Frame]) -> Frame:
        raise NotImplementedError

    def _end(self, frame: Frame, has_failed: bool) -> None:
        frame.leave()
        if frame.outer is None or frame.outer.view is not frame.view:
            frame.view.end()


class _Untracked(_Block):
    """The block of `untracked()`."""

    __slots__ = ()

    def __enter__(self) -> None:
        if frame_here() is not None:
            super().__enter__()

    def __exit__(self, kind: Any, exception: Any, traceback: Any) -> None:
        # Outside of functions there is nothing to end.
        if self._frames:
            super().__exit__(kind, exception, traceback)

    def _frame(self, outer: Optional[Frame]) -> Frame:
        assert outer is not None
        return Inner(outer.view, None, outer.is_computing)


class _Snapshot(_Block):
    """The block of `snapshot()`."""

    __slots__ = ()

    def __enter__(self) -> None:
        super().__enter__()
        # A transaction does with its first read.
        view = self._frames[-1].view
        if view.moment < 0:
            view.begin()

    def _frame(self, outer: Optional[Frame]) -> Frame:
        if outer is None:
            return Frame(View(), None, False)
        return Inner(outer.view, outer.sources, outer.is_computing)


def untracked() -> _Untracked:
    """Within, reads are not noted: the function of a derived variable or an effect does not depend on them.

    They are of the same moment as the others.

    >>> from swiftobserver import Var, derived, untracked
    >>> text, language = Var("cat"), Var("en")
    >>> def described() -> str:
    ...     with untracked():
    ...         return text.value if language.value == "en" else "..."
    >>> derived(described).value
    'cat'
    """
    return _Untracked()


def snapshot() -> _Snapshot:
    """Within, this thread reads any number of variables at one moment, derived ones included.

    No other thread waits for it. It must not be kept open across an `await`.

    >>> from swiftobserver import Var, snapshot
    >>> width, height = Var(2), Var(3)
    >>> with snapshot():
    ...     print(width.value * height.value)
    6
    """
    return _Snapshot()


class Change(NamedTuple):
    """The last assignment to a variable in a transaction."""

    variable: Any
    store: Any
    value: Any
    author: Any


class _TransactionFrame(Frame):
    __slots__ = ("before", "is_joining", "is_overtaken")

    def __init__(self, outer: Optional[Frame]) -> None:
        around = outer
        while type(around) is Inner:
            around = around.outer
        self.is_joining = type(around) is _TransactionFrame
        if self.is_joining:
            assert around is not None
            view = around.view
        else:
            view = View()
            view.log, view.reads = {}, {}
        super().__init__(view, view.reads, False)
        assert view.log is not None
        self.before: Dict[Any, Any] = dict(view.log)

    def takes(self, store: Any, variable: Any, value: Any, author: Any) -> bool:
        log = self.view.log
        assert log is not None
        log[store.join(variable)] = Change(variable, store, value, author)
        self.view.results.clear()
        return True

    def abort(self) -> None:
        """Takes back what was set inside."""
        self.view.log = self.before
        self.view.results.clear()


class _Transaction(_Block):
    """The block of `transaction()`."""

    __slots__ = ()

    def _frame(self, outer: Optional[Frame]) -> Frame:
        if outer is not None and outer.is_computing:
            raise ComputingError("a transaction cannot begin in the function of a derived variable")
        return _TransactionFrame(outer)

    def _end(self, frame: Any, has_failed: bool) -> None:
        if frame.is_joining:
            if has_failed:
                frame.abort()
            frame.leave()
            return
        ready: Any = ()
        try:
            if not has_failed:
                ready = _commit(frame.view)
        finally:
            frame.leave()
            frame.view.end()
        if ready:
            outside(_deliver, ready)
            if frame.outer is not None:
                frame.outer.has_set()


def _commit(view: View) -> List[Tuple[Any, Any, Any]]:
    """Makes all changes in one step. Returns what is to be delivered."""
    assert view.log is not None and view.reads is not None
    changes = list(view.log.items())
    while True:
        olds = [change.store.held for _, change in changes]
        # Foreign code, so without a lock, and what it sets is not of this transaction.
        differing = outside(_differing, changes, olds)
        with ExitStack() as locks:
            for store in sorted((change.store for _, change in changes), key=id):
                locks.enter_context(store.lock)
            locks.enter_context(pauses_lock)
            locks.enter_context(moments_lock)
            clock = moments.clock
            if any(not node.is_derived and node.stamp != read[1] for node, read in list(view.reads.items())):
                raise Conflict("another thread has changed what this transaction has read: nothing has happened")
            if any(change.store.held is not old for (_, change), old in zip(changes, olds)):
                continue
            values = [(change.store, node, change.value) for node, change, _ in differing]
            places = [_place(change, old) for _, change, old in differing]
            if commit(values, clock, [place for place, _ in places]):
                return [(each[1].variable, each[1].store, ready) for each, (_, ready) in zip(differing, places)]


def _differing(changes: Any, olds: List[Any]) -> List[Tuple[Any, Change, Any]]:
    return [
        (node, change, old)
        for (node, change), old in zip(changes, olds)
        if change.store._differ(change.variable, old, change.value)
    ]


def _place(change: Change, old: Any) -> Tuple[Any, Any]:
    """What gives the update its place when it is iterated, and what can be sent at once then. The locks are held."""
    store = change.store
    line, ready = store._line(change.variable)
    if store.batches:
        batched = (store.batched[0] if store.batched else old, change.author)
        return map(setattr, (store,), ("batched",), (batched,)), ready
    return map(line.append, ((Update(old, change.value), change.author),)), ready


def _deliver(changed: List[Tuple[Any, Any, Any]]) -> None:
    if pending and are_pending_here():
        return amid(_deliver, changed)  # type: ignore[no-any-return]
    has_failed = deliver(_send_all, changed)
    for variable, _, _ in changed[1:]:
        # Those who are authors no more.
        raise_pending_later(variable)
    raise_pending(changed[0][0], CALLBACK_FAILED if has_failed else OK)


def _send_all(changed: List[Tuple[Any, Any, Any]]) -> bool:
    # What handlers of the first ones set waits until the others have sent theirs.
    turn = Turn()
    try:
        try:
            for _, store, _ in changed[1:]:
                with store.lock:
                    if store.delivered is None:
                        store.delivered = turn
            return _send_each(changed, turn)
        finally:
            _end_turn(changed, turn)
    except BaseException:
        # An interrupt may have come amid that.
        _end_turn(changed, turn)
        raise


def _send_each(changed: List[Tuple[Any, Any, Any]], turn: Turn) -> bool:
    has_failed = False
    for variable, store, ready in changed:
        if store.delivered is turn:
            store.delivered = None
        has_failed |= store.send_ready(variable, ready)
    return has_failed


def _end_turn(changed: List[Tuple[Any, Any, Any]], turn: Turn) -> None:
    for _, store, _ in changed:
        if store.delivered is turn:
            store.delivered = None


def raise_pending_later(variable: Any) -> None:
    """Forgets authors of a variable, and leaves failures to the first."""
    if pending_authors and not pending:
        forget(variable)


def transaction() -> _Transaction:
    """Within, this thread sets any number of variables in one step: other threads see all of it or nothing.

    >>> from swiftobserver import Var, derived, transaction
    >>> width, height = Var(2), Var(3)
    >>> area = derived(lambda: width.value * height.value)
    >>> observation = area.observe(print)
    >>> with transaction():
    ...     width.value = 4
    ...     height.value = 5
    ...     print(area.value)
    20
    Update(old=6, new=20)

    Each variable sends at most one update, when all have their values, in the order in which they were first set. If
    the block raises, nothing has happened. If another thread has changed meanwhile what was read inside, nothing has
    happened either: `Conflict` is raised; `run_transaction` and `@transactional` run again instead. One inside another
    joins it. A transaction belongs to its thread, and must not be kept open across an `await`. What C code can reach,
    made with `native=True`, cannot be set inside.
    """
    return _Transaction()


def run_transaction(function: Callable[[], Result]) -> Result:
    """Calls a function in a transaction, again if there is a conflict. Returns what it returns.

    >>> from swiftobserver import Var, run_transaction
    >>> one, other = Var(10), Var(0)
    >>> def move():
    ...     one.value, other.value = one.value - 3, other.value + 3
    >>> run_transaction(move)
    >>> one.value, other.value
    (7, 3)
    """
    if not callable(function):
        raise TypeError(f"function must be callable, not {type(function).__name__}")
    while True:
        block = _Transaction()
        block.__enter__()
        try:
            result = function()
        except BaseException as error:
            block.__exit__(type(error), error, None)
            raise
        is_joining = block._frames[-1].is_joining  # type: ignore[attr-defined]
        try:
            block.__exit__(None, None, None)
        except Conflict:
            if is_joining:
                raise
            continue
        return result


def transactional(function: Function) -> Function:
    """Has each call of a function be a transaction, which is run again if there is a conflict.

    >>> from swiftobserver import Var, transactional
    >>> one, other = Var(10), Var(0)
    >>> @transactional
    ... def move(amount):
    ...     one.value, other.value = one.value - amount, other.value + amount
    >>> move(4)
    >>> one.value, other.value
    (6, 4)
    """
    if not callable(function):
        raise TypeError(f"function must be callable, not {type(function).__name__}")
    if _is_coroutine(function):
        raise TypeError(
            f"function must be an ordinary one: {name_of(function)} would keep the transaction open as it waits"
        )

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        return run_transaction(lambda: function(*arguments, **options))

    return call  # type: ignore[return-value]


def _is_coroutine(function: Any) -> bool:
    from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction

    return iscoroutinefunction(function) or isasyncgenfunction(function) or isgeneratorfunction(function)

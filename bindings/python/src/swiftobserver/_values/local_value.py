# SPDX-License-Identifier: MIT
"""A value that Python holds, and how it changes: one step at a time, with its updates in the order of its values.

    exchange  at once, where nothing is in the way; else by the lock, in which an update gets its place in the line
    batch     one update at the end, from the first old to the last new value
    paused    each update at the end
    blocked   none

The library could hold it, and does for C code; but the garbage collector would not see what refers from there to the
variable.
"""

from __future__ import annotations

import os
from collections import deque
from itertools import chain
from time import sleep

from .._core.authors import ITSELF, pending_authors
from .._core.failures import (
    Failure,
    add_pending,
    amid,
    are_pending_here,
    check,
    is_interrupted,
    pending,
    raise_pending,
    use_stack,
)
from .._core.lines import Turn, take_turn_between
from .._core.sending import leave_in_line
from .._core.stores import LocalStore
from .._core.within import Stay
from .._library.declarations import CALLBACK_FAILED, INVALID_ARGUMENT, NOT_FOUND, OK
from .._library.environment import VECTORCALL
from .._library.inspection import name_of
from .._library.ownership import living_handles
from .._library.threads import RLock, free
from .._library.typing import Any, Callable, List, Optional, Tuple
from .._operators.pure import IsOld, Moving, Told
from .encoding import Update, new_update
from .moments import Node, deliver, delivering, frame_here, leave_to_delivery, moments, outside, prepare, running
from .moments import lock as moments_lock
from .pause import Pause
from .pause import lock as pauses_lock
from .sameness import BY_IDENTITY, PLAIN, same


class LocalValue(LocalStore):
    """Beside the variable, whose attributes are looked at when they are set: see `Handle.__setattr__`."""

    __slots__ = (
        *("held", "equals", "validator", "node", "waiting", "lock"),
        *("delivered", "slow", "blocks", "batches", "batched"),
    )

    def __init__(self, value: Any, equals: Any, validator: Any) -> None:
        self.equals: Optional[Callable[[Any, Any], object]] = equals
        self.validator: Optional[Callable[[Any], Any]] = validator
        # By which functions read it, once one does; or whether it has rules, else None.
        self.node: Any = _RULES if equals is not None or validator is not None else None
        self.held = value
        self.waiting: deque[Tuple[Update[Any], Any]] = deque()
        # Guards changes where it has to be. Nothing foreign runs under it, except if the garbage collector or a signal
        # does so: therefore re-entrant.
        self.lock = RLock()
        # The update that is delivered, by the thread that sets the variable, until it is None again.
        self.delivered: Any = None
        # Not empty while a change has to take the lock. By ctypes Python may let other threads in anywhere.
        self.slow: List[Any] = [] if VECTORCALL else [None]
        # The stays in blocks and in batches.
        self.blocks: List[Stay] = []
        self.batches: List[Stay] = []
        # The value before the first change of a batch, and the author of the last.
        self.batched: Optional[Tuple[Any, Any]] = None

    # ---- the value ----

    def read(self, variable: Any) -> Any:
        """The present value."""
        return self.held

    def read_in(self, variable: Any, frame: Any) -> Any:
        """The value in a function, which depends on it from now on."""
        node = self.node
        if type(node) is not Node:
            node = self.join(variable)
        view = frame.view
        # The value first: one that is newer has a newer stamp already.
        value, stamp = self.held, node.stamp
        if stamp > view.moment:
            if view.moment < 0:
                # A handler of a signal reads before what it has interrupted does.
                view.begin()
                return self.read_in(variable, frame)
            stamp, value = node.before(view.moment)
        if view.log and node in view.log:
            return view.log[node].value
        sources = frame.sources
        if sources is not None and node not in sources:
            sources[node] = variable, stamp
        return value

    def join(self, variable: Any = None) -> Node:
        """Gives the variable a node, by which functions read it."""
        if type(self.node) is Node:
            return self.node
        with self.lock, moments_lock:
            node = Node()
            # First that: a change that has looked at the other looks here, too.
            steps = chain(map(self.slow.append, (node,)), map(setattr, (self,), ("node",), (node,)))
            # By no call, and then in one step: a handler of a signal joins before that or after it.
            if self.node.__class__ is not Node:
                any(steps)
                if variable is not None and self.delivered is not None:
                    leave_to_delivery(variable)
            joined: Node = self.node
            return joined

    def is_late(self) -> bool:
        """Whether an update is on its way to the observers, or waits."""
        return self.delivered is not None or bool(self.waiting)

    def exchange(self, variable: Any, value: Any, author: Any) -> None:
        """Sets the value, and sends an update if it changes."""
        if self.node or pending or running:
            has_rules = self.equals is not None or self.validator is not None
            if type(self.node) is Node and not (pending or running or has_rules) and author is ITSELF:
                return self._exchange_joined(variable, value)
            return self._exchange_by_the_rules(variable, value, author)
        if variable._has_callbacks:
            use_stack()
        old = self.held
        if value is old:
            return
        kind = type(value)
        if kind is type(old):
            try:
                # As `same` has it, without the call for most.
                if kind in PLAIN:
                    if value == old or value != value and old != old:
                        return
                elif kind.__eq__ is not BY_IDENTITY and same(value, old):
                    return
            except Exception:
                # Again, where something is done about it.
                if not self._differ(variable, old, value):
                    return
        update = new_update(Update, (old, value))
        # Until delivering begins there is no call, no loop and nothing new: so Python lets no other thread in between.
        # What waits comes first, also if no thread delivers at this very moment.
        if self.held is not old or self.delivered or self.waiting or self.slow or author is not ITSELF:
            return self._exchange_by_the_lock(variable, old, value, author)
        try:
            self.delivered = update
            self.held = value
            failed = (variable._sender or self.calls.sender(variable))(update)
            self.delivered = None
        except BaseException:
            if self.delivered is update:
                self.delivered = None
            raise
        if self.waiting or failed is not None or pending_authors or pending or self.node:
            status = OK if failed is None else variable._call.status
            if self._deliver_waiting(variable):
                status = CALLBACK_FAILED
            if (moments.waiting or moments.effects) and moments.pass_turns():
                status = CALLBACK_FAILED
            raise_pending(variable, status)

    def update(self, variable: Any, function: Callable[[Any], Any], author: Any) -> Any:
        """`Var.update`."""
        if pending and are_pending_here():
            return amid(self.update, variable, function, author)
        frame = frame_here() if running else None
        # An effect depends on nothing by that: it would cause itself.
        if frame is not None and (frame.is_computing or frame.view.log is not None):
            value = self._checked(function(self.read_in(variable, frame)))
            if frame.takes(self, variable, value, author):
                return value
        while True:
            old = self.held
            value = self._checked(function(old))
            if not self._differ(variable, old, value) or self._assign(variable, old, value, author):
                return value

    def has_replaced(self, variable: Any, value: Any) -> bool:
        """Whether a validator has made another value of one that was set."""
        return self.validator is not None and self._differ(variable, value, self.held)

    def _exchange_by_the_rules(self, variable: Any, value: Any, author: Any) -> None:
        if pending and are_pending_here():
            return amid(self.exchange, variable, value, author)  # type: ignore[no-any-return]
        frame = frame_here() if running else None
        value = self._checked(value)
        if frame is not None and frame.takes(self, variable, value, author):
            return
        self._exchange_by_comparing(variable, value, author)

    def _exchange_joined(self, variable: Any, value: Any) -> None:
        """The same for a variable that functions read, where nothing is in the way."""
        if variable._has_callbacks:
            use_stack()
        old, node = self.held, self.node
        if self.delivered is not None or self.waiting or self.slow != [node]:
            return self._exchange_by_comparing(variable, value, ITSELF)
        try:
            if same(value, old):
                return
        except Exception:
            # Again, where something is done about it.
            return self._exchange_by_comparing(variable, value, ITSELF)
        update = new_update(Update, (old, value))
        entry = update, ITSELF
        try:
            with self.lock, moments_lock:
                prepare(self, node)
                # As in `_assign`.
                if self.held is old and self.delivered is None and not self.waiting and self.slow == [node]:
                    stamp = moments.clock + 1
                    moments.clock = stamp
                    node.stamp = stamp
                    self.held = value
                    # First this, so that a handler of a signal that sets it does not deliver what waits.
                    self.delivered = update
                    self.waiting.append(entry)
                else:
                    # Or what is marked would be clean for who reads before the next change, and be told of none.
                    moments.clock += 1
            if self.delivered is not update:
                return self._exchange_by_comparing(variable, value, ITSELF)
            # From here to the send Python looks for no signal, and lets no other thread in between.
            del self.waiting[0]
            failed = delivering(variable._sender or self.calls.sender(variable), update)
            self.delivered = None
        except BaseException:
            if self.delivered is update:
                self.delivered = None
            raise
        status = OK if failed is None else variable._call.status
        if self.waiting and delivering(self._deliver_waiting, variable):
            status = CALLBACK_FAILED
        if (moments.waiting or moments.effects) and moments.pass_turns():
            status = CALLBACK_FAILED
        if status or pending_authors or pending:
            raise_pending(variable, status)

    def _exchange_by_comparing(self, variable: Any, value: Any, author: Any) -> None:
        old = self.held
        if self._differ(variable, old, value):
            self._exchange_by_the_lock(variable, old, value, author)

    def _exchange_by_the_lock(self, variable: Any, old: Any, value: Any, author: Any) -> None:
        """Sets a value that differs from the old one."""
        while not self._assign(variable, old, value, author):
            # Another thread was faster.
            old = self.held
            if not self._differ(variable, old, value):
                self._deliver(variable, deque())
                return

    def _checked(self, value: Any) -> Any:
        return value if self.validator is None else self.validator(value)

    def _differ(self, variable: Any, old: Any, value: Any) -> bool:
        """Values that cannot be compared differ. The setter gets the exception."""
        try:
            if self.equals is not None:
                return value is not old and not self.equals(old, value)
            return not same(value, old)
        except Exception as error:
            function = type(value).__qualname__ if self.equals is None else name_of(self.equals)
            add_pending(variable, Failure("equality", function, variable._title(), None, error))
            return True

    def _assign(self, variable: Any, old: Any, value: Any, author: Any) -> bool:
        """Replaces the old value and sends the update, unless it is not the old value any more."""
        if variable._has_callbacks:
            use_stack()
        update = new_update(Update, (old, value)), author
        with self.lock, self._pauses_lock(variable):
            if not variable._address:
                check(INVALID_ARGUMENT, type(variable).__name__)
            node = self.join(variable) if running else self.node if type(self.node) is Node else None
            with self.lock if node is None else moments_lock:
                line, ready = self._line(variable)
                if node is not None:
                    prepare(self, node)
                # From here to the append nothing is called, and nothing made that the garbage collector tracks. So no
                # other thread, no handler of a signal and no finaliser runs in between.
                if self.held is not old:
                    if node is not None:
                        # As in `_exchange_joined`.
                        moments.clock += 1
                    return False
                if node is not None:
                    stamp = moments.clock + 1
                    moments.clock = stamp
                    node.stamp = stamp
                self.held = value
                if self.batches:
                    self.batched = (self.batched[0] if self.batched else old, author)
                    ready = deque()
                else:
                    line.append(update)
        self._deliver(variable, ready)
        return True

    # ---- copies ----

    def options(self) -> dict[str, Any]:
        """With what a variable of this kind is made."""
        return {}

    def rules(self) -> Any:
        """The part that a copy has of this, beside the value."""
        return self.equals, self.validator

    def restore(self, variable: Any, value: Any, rules: Any) -> None:
        """Gives a copy its value and its rules."""
        LocalValue.__init__(self, value, *rules)

    # ---- the line ----

    def send_latest(self, variable: Any, author: Any) -> None:
        if pending and are_pending_here():
            return amid(self.send_latest, variable, author)  # type: ignore[no-any-return]
        while True:
            value = self.held
            update = new_update(Update, (value, value)), author
            with self.lock, self._pauses_lock(variable):
                line, ready = self._line(variable)
                if self.held is value:
                    line.append(update)
                    break
        self._deliver(variable, ready)

    def _pauses_lock(self, variable: Any) -> Any:
        return pauses_lock if variable._pauses else self.lock

    def _line(self, variable: Any) -> Tuple[deque[Any], deque[Any]]:
        """Where an update waits for its turn, and the same if it can be sent at once. The caller holds the lock."""
        ready: deque[Any] = deque()
        if self.blocks:
            return deque(), ready
        if variable._pauses:
            return variable._pauses[-1].waiting, ready
        return (self.waiting if variable._ordered else ready), ready

    def _deliver(self, variable: Any, ready: deque[Any]) -> None:
        has_failed = self._send_in_turn(variable, ready)
        if has_failed or pending_authors or pending:
            raise_pending(variable, CALLBACK_FAILED if has_failed else OK)

    def _send_in_turn(self, variable: Any, ready: deque[Any]) -> bool:
        """Sends what is ready, and then handles the turns. Returns whether something has failed."""
        frame = frame_here() if running else None
        if frame is not None:
            # Those that receive are in no function.
            has_failed = bool(outside(self._send_in_turn, variable, ready))
            frame.has_set()
            return has_failed
        if type(self.node) is Node:
            if self.delivered is not None:
                leave_to_delivery(variable)
            has_failed = deliver(self.send_ready, variable, ready)
        else:
            has_failed = self.send_ready(variable, ready)
            if self.node and (moments.waiting or moments.effects):
                has_failed |= moments.pass_turns()
        return has_failed

    def send_ready(self, variable: Any, ready: deque[Any]) -> bool:
        """Sends what waits, and what can be sent at once. Returns whether a handler has failed."""
        # First what an interrupt has left, also where no order is kept.
        has_failed = self._deliver_waiting(variable)
        for each in ready:
            has_failed |= self.calls.send(variable, *each) == CALLBACK_FAILED
        return has_failed

    def _deliver_waiting(self, variable: Any) -> bool:
        """Sends what waits, one at a time; unless another does. Returns whether a handler has failed."""
        has_failed, left = False, 0
        while True:
            is_mine = False
            try:
                try:
                    with self.lock:
                        if self.delivered is not None or not self.waiting:
                            return has_failed
                        is_mine = True
                        self.delivered = self.waiting[0][0]
                    some_failed, left = self._send_some(variable)
                    has_failed |= some_failed
                finally:
                    # Also after an interrupt: what waits goes with the next update then.
                    if is_mine:
                        self.delivered = None
                        is_mine = False
            except BaseException:
                # An interrupt may have come between the two.
                if is_mine:
                    self.delivered = None
                raise
            if left == 0:
                # Lets go of the interpreter lock: a thread that sets now takes over.
                sleep(0.0001)

    def _send_some(self, variable: Any) -> Tuple[bool, int]:
        """Whether a handler has failed, and how many more it would have sent."""
        # On its own: CPython 3.12 to 3.14 find no handler around an interrupt at the end of a loop beside it.
        has_failed, left = False, variable._budget
        while self.waiting:
            update = self.waiting[0]
            # At each moment it is in at least one of the two places.
            self.delivered = update[0]
            self.waiting.popleft()
            if pending and is_interrupted(variable):
                leave_in_line(variable, *update)
            else:
                has_failed |= self.calls.send(variable, *update) == CALLBACK_FAILED
            left -= 1
            if left == 0:
                break
        return has_failed, left

    def keep_order(self, ordered: bool) -> None:
        _remove(_UNORDERED, self.slow)
        if not ordered:
            self.slow.append(_UNORDERED)

    def flush(self, variable: Any) -> None:
        if self.waiting:
            self._deliver(variable, deque())

    def require_confinable(self) -> None:
        raise TypeError("a variable that is to be confined must be made with native=True")

    # ---- replay ----

    def knows_latest(self, variable: Any) -> bool:
        return True

    def recall_latest(self, variable: Any, told: Told) -> Tuple[Any, IsOld]:
        moving = Moving()
        # So that no other thread sets the variable without the lock.
        self.slow.append(moving)
        try:
            with self.lock, pauses_lock:
                value = self.held
                for each in (*self.waiting, *[each for pause in variable._pauses for each in pause.waiting]):
                    moving.add(each[0])
                # After those that wait, as it was one of them.
                moving.add(self.now(variable))
                told(moving)
        finally:
            _remove(moving, self.slow)
        return new_update(Update, (value, value)), moving

    def between(self, variable: Any, action: Callable[[], None]) -> None:
        if deliver(self._replay, variable, action):
            self.require_pending(variable)

    def _replay(self, variable: Any, action: Callable[[], None]) -> bool:
        take_turn_between(self, self.lock, action)
        return self._deliver_waiting(variable)

    def now(self, variable: Any) -> Any:
        delivered = self.delivered
        return None if type(delivered) is Turn else delivered

    # ---- batches ----

    def begin_batch(self, variable: Any, stay: Stay) -> None:
        """Begins to keep updates back."""
        self.slow.append(stay)
        self.batches.append(stay)

    def end_batch(self, variable: Any, stay: Stay) -> None:
        """Sends one for all."""
        if pending and are_pending_here():
            return amid(self.end_batch, variable, stay)  # type: ignore[no-any-return]
        if stay in self.batches:
            self._deliver(variable, self._leave_batch(variable, stay))
        _remove(stay, self.slow)

    def lacks_batch(self, variable: Any) -> None:
        """Called when a batch ends that has not begun."""
        check(NOT_FOUND, type(variable).__name__)

    def _leave_batch(self, variable: Any, stay: Stay) -> deque[Any]:
        while True:
            batched, value = self.batched, self.held
            # Foreign code, so without the lock.
            update = (new_update(Update, (batched[0], value)), batched[1]) if batched else None
            differ = batched is not None and self._differ(variable, batched[0], value)
            with self.lock, self._pauses_lock(variable):
                line, ready = self._line(variable)
                is_last = len(self.batches) == 1
                steps = chain(
                    map(line.append, (update,) if is_last and differ else ()),
                    map(setattr, (self,) if is_last else (), ("batched",), (None,)),
                    map(self.batches.remove, (stay,)),
                )
                # In one piece with the end of the batch, so that no change in between is lost, of no handler of a
                # signal either.
                if not is_last or (self.batched is batched and self.held is value):
                    any(steps)
                    return ready

    # ---- blocks and pauses ----

    def is_blocked(self, variable: Any) -> bool:
        return bool(self.blocks)

    def block(self, variable: Any, stay: Stay) -> None:
        self.slow.append(stay)
        self.blocks.append(stay)

    def unblock(self, variable: Any, stay: Stay) -> None:
        _remove(stay, self.blocks)
        _remove(stay, self.slow)

    def before_pause(self, pause: Pause) -> None:
        self.slow.append(pause)

    def after_pause(self, pause: Pause) -> None:
        _remove(pause, self.slow)

    def send_waiting(self, variable: Any, message: Any, author: Any) -> None:
        ready: deque[Any] = deque()
        (self.waiting if variable._ordered else ready).append((message, author))
        self._send_in_turn(variable, ready)

    def leave_waiting(self, variable: Any, message: Any, author: Any) -> None:
        self.waiting.append((message, author))


# Of a variable that has rules, until a function reads it.
_RULES = True

# In the way of a variable that keeps no order.
_UNORDERED = object()


def _remove(thing: Any, things: List[Any]) -> None:
    if thing in things:
        things.remove(thing)


def _after_fork_in_child() -> None:
    for each in living_handles():
        store = getattr(each, "_store", None)
        if isinstance(store, LocalValue):
            free(store.lock)


os.register_at_fork(after_in_child=_after_fork_in_child)

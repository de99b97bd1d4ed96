# SPDX-License-Identifier: MIT
"""Moments: which values belong together, for functions that read several while threads set them.

    clock     0       1       2
    a         3       5              set at 1: before that a view of moment 0 is told 3
    b         4               6
    view        |.................|  of moment 0: 3 and 4, whenever it asks

A commit changes any number of variables in one step, and the clock. A view has the clock at its beginning as its
moment, and reads the values of that moment. A commit keeps the old values that a view may still ask for.

A variable joins when a function first reads it, or when it is set while a function is running anywhere. So the value of
one that has not joined is as old as all views there are; and as long as no function runs, setting it costs no look.
"""

from __future__ import annotations

import os
from _thread import get_ident
from itertools import chain, repeat

from .._library.threads import RLock, free
from .._library.typing import Any, Callable, Dict, List, Optional, Tuple

# The innermost frame of each thread that is in a function, a snapshot or a transaction. Empty as a rule: looking costs
# next to nothing then.
running: Dict[int, Any] = {}

# Guards the clock, the views, and what nodes say of each other. Nothing foreign runs under it, except if the garbage
# collector or a signal does so: therefore re-entrant. Locks of variables come before it.
lock = RLock()


class _Moments:
    """The common part of all variables that functions read."""

    __slots__ = (
        "clock",
        "views",
        "begun",
        "is_marking",
        "with_history",
        "waiting",
        "effects",
        "delivering",
        "affecting",
        "left",
        "passer",
        "pass_turns",
    )

    def __init__(self) -> None:
        self.clock = 0
        # The latest last.
        self.views: Dict[View, None] = {}
        # How often one has begun.
        self.begun = 0
        # Whether the thread that has the lock is in `marking`.
        self.is_marking = False
        self.with_history: List[Node] = []
        # What is observed and may have changed.
        self.waiting: Dict[Any, None] = {}
        # The effects of which the same is true: some `DueEffects`, once there is a derived variable or an effect.
        self.effects: Any = ()
        # The threads that deliver updates of variables, each with the outermost of these: its turns come after them.
        self.delivering: Dict[int, Any] = {}
        # The same for those that run effects.
        self.affecting: Dict[int, Any] = {}
        # The variables, weakly, that were being delivered when another update, or the node, came.
        self.left: Dict[Any, None] = {}
        # The thread that handles turns.
        self.passer: Optional[int] = None
        # Handles them, once there is a derived variable or an effect. Returns whether a handler has failed.
        self.pass_turns: Callable[[], bool] = lambda: False


class View:
    """A moment, to which all belongs that a function, a snapshot or a transaction reads."""

    __slots__ = ("moment", "log", "results", "reads", "under_way", "depth")

    def __init__(self) -> None:
        self.moment = -1
        # The assignments of a transaction, by the node of each variable.
        self.log: Optional[Dict[Any, Any]] = None
        # What was computed for this view alone: the moment is past, or the transaction has set something.
        self.results: Dict[Any, Any] = {}
        # What a transaction depends on.
        self.reads: Optional[Dict[Any, Any]] = None
        # What is being computed, the outermost first.
        self.under_way: Dict[Any, None] = {}
        self.depth = 0

    def begin(self) -> None:
        """Takes the moment of now, also once more. The frame is running already."""
        with lock:
            moments.views.pop(self, None)
            self.moment = moments.clock
            moments.views[self] = None
            moments.begun += 1
            self.results.clear()

    def end(self) -> None:
        """Asks for nothing any more."""
        with lock:
            moments.views.pop(self, None)
            if moments.with_history and not moments.views:
                for each in moments.with_history:
                    each.history = ()
                del moments.with_history[:]


class Node:
    """A variable that has joined: since when it has its value, and those before."""

    __slots__ = ("stamp", "history", "dependents")
    is_derived = False

    def __init__(self) -> None:
        self.stamp = 0
        # Stamps and values, the latest last.
        self.history: Any = ()
        # Weak, by id: those that are observed, directly or not.
        self.dependents: Dict[int, Any] = {}

    def before(self, moment: int) -> Tuple[int, Any]:
        """The stamp and the value at an earlier moment, at which a view is."""
        with lock:
            before: Tuple[int, Any] = next(each for each in reversed(self.history) if each[0] <= moment)
            return before

    def version_at(self, moment: int) -> Any:
        """The stamp at a moment at which a view is."""
        stamp = self.stamp
        return stamp if stamp <= moment else self.before(moment)[0]

    def keep(self, old: Any) -> None:
        """Keeps the value that is about to be replaced, if a view may ask for it. The lock is held."""
        if not moments.views:
            return
        if next(reversed(moments.views)).moment < self.stamp:
            return
        if not self.history:
            moments.with_history.append(self)
        elif self.history[-1][0] == self.stamp:
            return
        history = [*self.history, (self.stamp, old)]
        if len(history) > 8:
            ends = [each[0] for each in history[1:]] + [moments.clock + 1]
            asked = {each.moment for each in moments.views}
            history = [each for each, end in zip(history, ends) if any(each[0] <= one < end for one in asked)]
        self.history = tuple(history)


moments = _Moments()


def delivering(call: Callable[..., Any], *arguments: Any, threads: Dict[int, Any] = moments.delivering) -> Any:
    """Makes a call that delivers updates of variables: the turns that handlers cause come when the outermost is over,
    for no observer hears of a later moment first (law 32)."""
    thread, mine = get_ident(), object()
    try:
        try:
            threads.setdefault(thread, mine)
            return call(*arguments)
        finally:
            if threads.get(thread) is mine:
                del threads[thread]
    except BaseException:
        # An interrupt may have come amid that.
        if threads.get(thread) is mine:
            del threads[thread]
        raise


def affecting(run: Callable[[], None]) -> None:
    """Makes a call that runs an effect: so is delivery, and what it sets is caused by no other thread."""
    delivering(delivering, run, threads=moments.affecting)


def deliver(call: Callable[..., Any], *arguments: Any) -> bool:
    """Makes such a call, and handles the turns that it has caused. Returns whether something has failed."""
    has_failed = bool(delivering(call, *arguments))
    if moments.waiting or moments.effects:
        has_failed |= moments.pass_turns()
    return has_failed


def leave_to_delivery(variable: Any) -> None:
    """Notes that an update of a variable goes with a delivery that may have begun before functions read it."""
    with lock:
        drop_left()
        moments.left[variable._reference] = None


def drop_left() -> None:
    """Forgets the variables whose updates have all been sent. The lock is held."""
    for each in list(moments.left):
        variable = each()
        if variable is None or not variable._store.is_late():
            del moments.left[each]


def commit(changes: Any, clock: int, places: Any) -> bool:
    """Replaces values in one step: of (store, node, value) each; and gives their updates their places. Returns whether
    the clock was still at `clock` then; else nothing has happened. The lock, and those of the stores, are held."""
    stores, nodes, values = zip(*changes) if changes else ((), (), ())
    # Before the values: who finds a new value finds that all else has changed, too, or waits for the lock.
    steps = chain(
        map(setattr, (moments,), ("clock",), (clock + 1,)),
        map(setattr, nodes, repeat("stamp"), repeat(clock + 1)),
        map(setattr, stores, repeat("held"), values),
        *places,
    )
    while not marking(_mark_all, stores, nodes):
        pass
    if moments.clock == clock:
        # In one step, where there is an interpreter lock: those who only read see all of it or nothing, and so do
        # handlers of signals.
        any(steps)
        return True
    # As where one variable is set.
    moments.clock += 1
    return False


def _mark_all(stores: Any, nodes: Any) -> bool:
    """The same as in `prepare`, of several. Returns whether that is done."""
    begun = moments.begun
    for store, node in zip(stores, nodes):
        node.keep(store.held)
        if node.dependents:
            mark(node)
    return moments.begun == begun


def prepare(store: Any, node: Any) -> None:
    """Makes ready for another value of one variable, which the caller then replaces as above: the clock, the stamp, the
    value. The lock, and that of the store, are held."""
    while True:
        begun = moments.begun
        if moments.views:
            node.keep(store.held)
        if node.dependents:
            marking(mark, node)
        # Else a handler of a signal has read amid that, and what depends on the old value may be taken for clean.
        if moments.begun == begun:
            return


def marking(call: Callable[..., Any], *arguments: Any) -> Any:
    """Makes a call that marks. A handler of a signal that sets something amid it leaves the turn to whom it has
    interrupted. The lock is held."""
    before = moments.is_marking
    try:
        try:
            moments.is_marking = True
            return call(*arguments)
        finally:
            moments.is_marking = before
    except BaseException:
        # An interrupt may have come amid that.
        moments.is_marking = before
        raise


def mark(node: Any) -> None:
    """Notes that what depends on a node may have changed. The lock is held."""
    marked = [node]
    thread = get_ident()
    while marked:
        for each in list(marked.pop().dependents.values()):
            target = each()
            if target is not None and not target.is_suspect:
                target.is_suspect = True
                target.checked = moments.clock
                if target.is_effect:
                    if thread != moments.passer and thread not in moments.affecting:
                        # Not by what it has set itself.
                        target.streak = 0
                    moments.effects.add(target)
                elif target.is_observed:
                    moments.waiting[target] = None
                if target.dependents:
                    marked.append(target)


class Frame:
    """One call of a function that reads, or one stay in a block that does."""

    __slots__ = ("view", "sources", "outer", "is_computing", "thread")

    def __init__(self, view: View, sources: Optional[Dict[Any, Any]], is_computing: bool) -> None:
        self.view = view
        # What was read, with the variable and its version; None where reads are not noted.
        self.sources = sources
        # Whether it is a function that changes nothing.
        self.is_computing = is_computing
        self.outer: Optional[Frame] = None
        self.thread = 0

    def enter(self) -> None:
        """Makes this the innermost frame of the thread."""
        self.thread = thread = get_ident()
        self.outer = running.get(thread)
        running[thread] = self

    def leave(self) -> None:
        """Ends that."""
        if self.outer is None:
            running.pop(self.thread, None)
        else:
            running[self.thread] = self.outer

    def takes(self, store: Any, variable: Any, value: Any, author: Any) -> bool:
        """Whether an assignment is left to this frame."""
        if self.is_computing:
            # Lazy, for few programs err here.
            from .._derived.errors import ComputingError

            raise ComputingError(f"{variable._title()} cannot be set in the function of a derived variable")
        return False

    def has_set(self) -> None:
        """Called when the thread has set something inside."""


class Inner(Frame):
    """In the view of the frame around it."""

    __slots__ = ()

    def takes(self, store: Any, variable: Any, value: Any, author: Any) -> bool:
        return self.outer is not None and self.outer.takes(store, variable, value, author)

    def has_set(self) -> None:
        if self.outer is not None:
            self.outer.has_set()


def is_in_function() -> bool:
    """Whether a function runs on this thread, or a snapshot is read, of which handlers are no part. They are one of a
    transaction."""
    frame = running.get(get_ident())
    return frame is not None and frame.view.reads is None and (frame.sources is not None or not frame.is_computing)


def beside(call: Callable[..., Any], *arguments: Any) -> Any:
    """Makes a call that may call handlers: the function that runs does not depend on what they read (law 26)."""
    around = running[get_ident()]
    if not around.is_computing:
        return outside(call, *arguments)
    frame = Inner(around.view, None, around.is_computing)
    frame.enter()
    try:
        return call(*arguments)
    finally:
        frame.leave()


def frame_here() -> Optional[Frame]:
    """The innermost frame of this thread."""
    return running.get(get_ident())


def require_settable(store: Any, variable: Any, value: Any, author: Any) -> None:
    """Raises where a variable that cannot join is set in a function or a transaction."""
    frame = running.get(get_ident())
    if frame is not None and frame.takes(store, variable, value, author):
        raise AssertionError("a variable of C code's joins no transaction")


def outside(call: Callable[..., Any], *arguments: Any) -> Any:
    """Calls handlers, which read what is there now, whatever function has caused them."""
    thread = get_ident()
    frame = running.pop(thread, None)
    if frame is None:
        return call(*arguments)
    try:
        return call(*arguments)
    finally:
        running[thread] = frame


def _after_fork_in_child() -> None:
    free(lock)
    here = running.get(get_ident())
    running.clear()
    kept = []
    if here is not None:
        running[get_ident()] = each = here
        while each is not None:
            kept.append(each.view)
            each = each.outer
    moments.views = {each: None for each in moments.views if each in kept}
    for threads in (moments.delivering, moments.affecting):
        for thread in [each for each in threads if each != get_ident()]:
            del threads[thread]
    if moments.passer != get_ident():
        moments.passer = None


os.register_at_fork(after_in_child=_after_fork_in_child)

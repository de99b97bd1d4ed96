# SPDX-License-Identifier: MIT
"""Turns: what is observed is computed, tells what has changed, and then effects run.

One thread at a time is the passer, which does so. Others leave what they have marked, and go. First all values are in
place, then updates are sent, and effects come when there are no more.
"""

from __future__ import annotations

from _thread import get_ident
from collections import deque
from heapq import heappop, heappush

from .._library.typing import Any, Deque, Dict, List, Optional, Tuple
from .._values.moments import Frame, View, drop_left, lock, moments, outside, running
from .settling import in_view


class DueEffects:
    """Effects that have to run: those that were begun first come first. The lock is held."""

    __slots__ = ("members", "heap")

    def __init__(self) -> None:
        self.members: Dict[Any, None] = {}
        # By number. Also of those that are none any more; without those that were being added or removed when an
        # interrupt came, or a collection or a handler of a signal that does the same.
        self.heap: List[Tuple[int, Any]] = []

    def __bool__(self) -> bool:
        return bool(self.members)

    def add(self, effect: Any) -> None:
        if effect not in self.members:
            self.members[effect] = None
            heappush(self.heap, (effect.number, effect))

    def discard(self, effect: Any) -> None:
        self.members.pop(effect, None)
        if not self.members:
            self.heap = []

    def pop(self, late: Optional[Late]) -> Any:
        """The first one; `None` where all are held back."""
        if late is not None:
            members = sorted(self.members, key=lambda each: each.number)
            effect = next((each for each in members if each in self.members and each not in late), None)
            self.members.pop(effect, None)
            return effect
        while self.members:
            heap = self.heap
            if not heap:
                heap[:] = sorted((each.number, each) for each in list(self.members))
            _, effect = found = heap[0]
            is_one = effect in self.members
            self.members.pop(effect, None)
            if heappop(heap) is not found:
                self.heap = []
            if is_one:
                return effect
        return None


class Late:
    """Holds back what depends on variables whose updates are on their way: no observer hears of a later moment first
    (law 32). Who delivers those passes the turns afterwards."""

    def __init__(self) -> None:
        # What is not late.
        self._fine: set[Any] = set()

    def __contains__(self, node: Any) -> bool:
        waiting = [node]
        seen = {node}
        while waiting:
            for source, (variable, _) in waiting.pop().sources.items():
                if not source.is_derived:
                    if variable._store.is_late():
                        return True
                elif source not in self._fine and source not in seen:
                    seen.add(source)
                    waiting.append(source)
        self._fine |= seen
        return False


def _late() -> Optional[Late]:
    """What holds back, where something may have to be. The lock is held."""
    if moments.left:
        drop_left()
    return Late() if moments.left or moments.delivering else None


moments.effects = DueEffects()


def pass_turns() -> bool:
    """Handles what waits, unless a thread does, or this one delivers updates. Returns whether something has failed."""
    if get_ident() in moments.delivering:
        return False
    with lock:
        if moments.passer is not None or moments.is_marking or not (moments.waiting or moments.effects):
            return False
        moments.passer = get_ident()
    try:
        return outside(_pass) if running else _pass()
    except BaseException:
        moments.passer = None
        raise


moments.pass_turns = pass_turns


def _pass() -> bool:
    has_failed = False
    while True:
        waiting: Deque[Any] = deque()
        effect = None
        with lock:
            late = _late()
            if moments.waiting:
                waiting = _take_waiting(late)
            if not waiting and moments.effects:
                effect = moments.effects.pop(late)
            if not waiting and effect is None:
                moments.passer = None
                if not _finds_more():
                    return has_failed
                moments.passer = get_ident()
                continue
        try:
            if effect is not None:
                has_failed |= effect.turn()
                continue
            settle_all(waiting)
            has_failed |= _tell_all(waiting)
        except BaseException:
            # After an interrupt they go with the next turn.
            with lock:
                moments.waiting.update(dict.fromkeys(waiting))
            raise


def _finds_more() -> bool:
    """Whether a handler of a signal has left something to the passer that was about to end. The lock is held."""
    if not moments.waiting and not moments.effects:
        return False
    late = _late()
    return late is None or any(each not in late for each in (*moments.waiting, *moments.effects.members))


def _take_waiting(late: Optional[Late]) -> Deque[Any]:
    """What is observed and need not be held back. The lock is held."""
    if late is None:
        waiting, moments.waiting = deque(moments.waiting), {}
        return waiting
    # A collection may end some amid this.
    waiting = deque(each for each in list(moments.waiting) if each not in late)
    for each in waiting:
        moments.waiting.pop(each, None)
    return waiting


def _tell_all(waiting: Deque[Any]) -> bool:
    # On its own: CPython 3.12 to 3.14 find no handler around an interrupt at the end of a loop beside it.
    has_failed = False
    while waiting:
        has_failed |= waiting.popleft().tell()
    return has_failed


def settle_all(nodes: Any) -> None:
    """Computes some nodes as of one moment."""
    view = View()
    frame = Frame(view, None, True)
    frame.enter()
    try:
        view.begin()
        for node in nodes:
            in_view(node, view)
    finally:
        frame.leave()
        view.end()

# SPDX-License-Identifier: MIT
"""Turns: what is observed is computed, tells what has changed, and then effects run.

One thread at a time is the passer, which does so. Others leave what they have marked, and go. First all values are in
place, then updates are sent, and effects come when there are no more.
"""

from __future__ import annotations

from _thread import get_ident

from .._library.typing import Any, List
from .._values.moments import Frame, View, lock, moments, outside, running
from .settling import in_view


def pass_turns() -> bool:
    """Handles what waits, unless a thread does, or this one delivers updates. Returns whether something has failed."""
    if get_ident() in moments.delivering:
        return False
    with lock:
        if moments.passer is not None or not (moments.waiting or moments.effects):
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
        waiting, effect = [], None
        with lock:
            if moments.waiting:
                waiting, moments.waiting = list(moments.waiting), {}
            elif moments.effects:
                # Those that were begun first.
                effect = min(moments.effects, key=_number)
                moments.effects.pop(effect)
            else:
                moments.passer = None
                return has_failed
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


def _number(effect: Any) -> int:
    return effect.number  # type: ignore[no-any-return]


def _tell_all(waiting: List[Any]) -> bool:
    # On its own: CPython 3.12 to 3.14 find no handler around an interrupt at the end of a loop beside it.
    has_failed = False
    while waiting:
        has_failed |= waiting.pop(0).tell()
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

# SPDX-License-Identifier: MIT
"""Who caused a message: Python objects as the library's author pointers, and back.

The library hands a pointer through and keeps nothing alive. A message that waits for another delivery
outlives the call that sent it, and so must its author. No message that a Python thread delivers waits
longer than the sends in progress, so an author is kept until none is; or, where one was interrupted, until
the next to the same observable is over.
"""

from __future__ import annotations

import os
from weakref import WeakSet, WeakValueDictionary

from ._library import pypy_pointers
from ._ownership import Handle, handle_at
from ._threads import RLock, nobody_is_sending
from ._typing import Any, NamedTuple, Placeholder

# Stands for the observable that sends, which is the author if no other is named.
ITSELF: Any = Placeholder("itself")

# By id. Guarded by _lock, re-entrant because dropping an author may run code that sends.
kept: dict[int, Any] = {}
_lock = RLock()

# The observables whose messages wait for their next send.
_left: WeakSet[Any] = WeakSet()

# Those that can be referred to weakly, for messages that a thread of a C program delivers later.
_known: WeakValueDictionary[int, Any] = WeakValueDictionary()


class ForeignAuthor(NamedTuple):
    """An author that is not known to Python, as the C code that sent named it."""

    address: int


def enter(author: Any) -> int:
    """The pointer that stands for an author, who is kept. Call it after the send has begun."""
    if isinstance(author, Handle):
        address = author._address
    elif isinstance(author, ForeignAuthor):
        return author.address
    else:
        address = id(author)
    with _lock:
        if pypy_pointers is not None:
            address = pypy_pointers.word(address, author, kept)
        kept[address] = author
        if not isinstance(author, Handle) and _known.get(address) is not author:
            try:
                _known[address] = author
            except TypeError:
                pass
    return address


def left_in_line(observable: Any) -> None:
    """Keeps the authors of messages that wait for the next send to an observable."""
    with _lock:
        _left.add(observable)


def forget(observable: Any = None) -> None:
    """Releases the authors, unless a thread is sending. Nothing waits any more for a send to an observable."""
    with _lock:
        if observable is not None:
            _left.discard(observable)
        # Copied and cleared under the lock, dropped outside it.
        forgotten = kept.copy() if nobody_is_sending() and not _left else {}
        if forgotten:
            kept.clear()
    del forgotten


def author_at(address: int) -> Any:
    """The author that a pointer stands for."""
    handle = handle_at(address)
    if handle is not None:
        return handle
    try:
        return kept[address]
    except KeyError:
        if address == id(None):
            return None
        author = _known.get(address)
        return ForeignAuthor(address) if author is None else author


def _reset_after_fork() -> None:
    # The other threads are not there any more, and one of them may have held the lock.
    global _lock
    _lock = RLock()


os.register_at_fork(after_in_child=_reset_after_fork)

# SPDX-License-Identifier: MIT
"""The authors of messages: Python objects as the library's author pointers, and back.

The library hands a pointer through and keeps nothing alive. A message that waits for another delivery
outlives the call that sent it, and so must its author. No message that a Python thread delivers waits
longer than the sends in progress, so an author is kept until none is. Where one was interrupted, its observable
keeps them until the next send to it that names an author is over.
"""

from __future__ import annotations

import os
from _thread import get_ident
from ctypes import c_size_t
from weakref import WeakSet, WeakValueDictionary

from .._library.declarations import interpreter
from .._library.ownership import Handle, handle_at
from .._library.threads import RLock, nobody_is_sending
from .._library.typing import Any, NamedTuple, Placeholder

# Stands for the observable that sends, which is the author if no other is named.
ITSELF: Any = Placeholder("itself")

# By id. Guarded by _lock, re-entrant because dropping an author may run code that sends.
pending_authors: dict[int, Any] = {}
_lock = RLock()

# The observables whose messages wait for their next send.
_left: WeakSet[Any] = WeakSet()

# Those that can be referred to weakly, for messages that a thread of a C program delivers later.
_known: WeakValueDictionary[int, Any] = WeakValueDictionary()


class ForeignAuthor(NamedTuple):
    """An author that is not known to Python, as the C code that sent named it."""

    address: int


def is_address(number: Any) -> bool:
    """Whether a number can be that of something in memory, without being cut."""
    return type(number) is int and 0 < number <= (c_size_t(-1).value)


def enter(author: Any) -> int:
    """The pointer that stands for an author, who is kept. Call it after the send has begun."""
    if isinstance(author, Handle):
        address = author._address
    elif isinstance(author, ForeignAuthor):
        if not is_address(author.address):
            raise TypeError(f"author must be a ForeignAuthor with an address, not {author!r}")
        return author.address
    else:
        address = id(author)
    with _lock:
        address = interpreter.word(address, author, _taken)
        pending_authors[address] = author
        if not isinstance(author, Handle) and _known.get(address) is not author:
            _know(address, author)
    return address


def _know(address: int, author: Any) -> None:
    try:
        _known[address] = author
    except TypeError:
        # One that cannot be referred to weakly.
        pass


def left_in_line(observable: Any) -> None:
    """Has an observable keep the authors there are: messages wait for the next send to it."""
    with _lock:
        observable._authors_left = {**observable._authors_left, **pending_authors}
        _left.add(observable)


def forget(observable: Any = None) -> None:
    """Releases the authors, unless a thread is sending; and those of an observable, in whose line nothing waits."""
    left = None
    with _lock:
        # Looked up in the object itself, because every send that names an author comes here.
        # A send that is dropped, or handed over to another thread, delivers nothing of what waits.
        if (
            observable is not None
            and observable._authors_left
            and not observable.is_blocked
            and observable._home_thread in (None, get_ident())
        ):
            _left.discard(observable)
            left, observable._authors_left = observable._authors_left, {}
        # Copied and cleared under the lock, dropped outside it.
        forgotten = pending_authors.copy() if nobody_is_sending() else {}
        if forgotten:
            pending_authors.clear()
    del forgotten, left


def _of_those_left() -> dict[int, Any]:
    with _lock:
        return {address: author for each in _left for address, author in each._authors_left.items()}


def _taken() -> dict[int, Any]:
    return {**_of_those_left(), **pending_authors}


def author_at(address: int) -> Any:
    """The author that a pointer stands for."""
    handle = handle_at(address)
    if handle is not None:
        return handle
    try:
        return pending_authors[address]
    except KeyError:
        if address == id(None):
            return None
        author = _of_those_left().get(address) if _left else None
        if author is None:
            author = _known.get(address)
        return ForeignAuthor(address) if author is None else author


def _reset_after_fork() -> None:
    # The other threads are not there any more, and one of them may have held the lock.
    global _lock
    _lock = RLock()


os.register_at_fork(after_in_child=_reset_after_fork)

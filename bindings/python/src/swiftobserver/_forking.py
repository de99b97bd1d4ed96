# SPDX-License-Identifier: MIT
"""What a child process inherits of threads that it does not have.

Nobody goes on with what another thread was doing when a thread forked. Locks that it held are free in the child. What
it was delivering is lost there, and so is what is sent to an observable that it was sending to.
"""

from __future__ import annotations

import os
from weakref import WeakSet

from ._typing import Any

# Things that have an `_after_fork`.
with_locks: WeakSet[Any] = WeakSet()


def free(lock: Any) -> None:
    """Frees a re-entrant lock in the child, unless the thread that has forked holds it itself."""
    if not lock._is_owned():
        lock._at_fork_reinit()


def _after_fork_in_child() -> None:
    for each in list(with_locks):
        each._after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)

# SPDX-License-Identifier: MIT
"""An event loop whose time goes by at once: when it has nothing to do before a timer, it is that time already."""

from __future__ import annotations

import asyncio
import selectors


class _Selector(selectors.DefaultSelector):
    def __init__(self):
        super().__init__()
        self.now = 0.0

    def select(self, timeout=None):
        # Without a timer, another thread is going to call.
        found = super().select(None if timeout is None else 0)
        if not found and timeout is not None:
            self.now += timeout
        return found


class Clock(asyncio.SelectorEventLoop):
    """Begins at 0."""

    def __init__(self):
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self):
        return self._clock.now


def run(coroutine):
    """Runs a coroutine on such a loop, and closes it. What is not caught on the loop is raised."""
    loop = Clock()
    failures = []
    loop.set_exception_handler(lambda loop, context: failures.append(context.get("exception")))
    try:
        result = loop.run_until_complete(coroutine)
    finally:
        loop.close()
    if failures:
        raise failures[0]
    return result

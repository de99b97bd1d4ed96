# SPDX-License-Identifier: MIT
"""Waiting for a handler that runs on another thread, so that a signal or a timeout can end the waiting.

    this thread --waits for a lock--> helper thread --swo_stop_and_wait--> handler

The library waits without looking at signals, so on the main thread it waits on a helper. Inside that very handler there
is nothing to wait for; that is only true of the thread itself, which asks the library.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from threading import current_thread, main_thread

from .._library import declarations as library
from .._library.inspection import name_of
from .._library.threads import acquire, nobody_is_sending, require_timeout
from .._library.typing import Optional
from .parts import AnyObservation


def stop_and_wait(observation: AnyObservation, timeout: Optional[float]) -> bool:
    """Stops an observation, and waits until its handler is not running on any other thread."""
    require_timeout(timeout)
    was_living: bool = library.stop(observation._number) == 0
    if not _wait(observation, timeout):
        name = "a handler" if observation._handler is None else f"handler {name_of(observation._handler)}"
        place = f"attached at {observation._place}"
        raise TimeoutError(f"{name}, {place}, is still running after {timeout:g} seconds: does it wait for this?")
    return was_living


def _wait(observation: AnyObservation, timeout: Optional[float]) -> bool:
    executor = observation._executor
    if not _is_interruptible(observation, timeout):
        library.stop_and_wait(observation._number)
    elif not _wait_on_a_helper(observation, timeout):
        return False
    return executor is None or executor.wait(timeout)


def _is_interruptible(observation: AnyObservation, timeout: Optional[float]) -> bool:
    """Whether something could end the waiting, and it is worth a helper."""
    observable = observation._observable()
    if nobody_is_sending() and (observable is None or not observable._store.may_be_delivering()):
        # Nothing to wait for.
        return False
    if timeout is None and current_thread() is not main_thread():
        return False
    return not library.is_called_here(observation._number)


def _wait_on_a_helper(observation: AnyObservation, timeout: Optional[float]) -> bool:
    number, done = observation._number, allocate_lock()

    def wait() -> None:
        try:
            library.stop_and_wait(number)
        finally:
            done.release()

    done.acquire()
    start_new_thread(wait, ())
    return bool(acquire(done, timeout))

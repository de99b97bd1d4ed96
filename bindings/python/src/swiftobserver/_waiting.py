# SPDX-License-Identifier: MIT
"""Waiting for a handler that runs on another thread, so that a signal or a timeout can end the waiting.

    this thread --waits for a lock--> helper thread --swo_stop_and_wait--> handler

The library waits without looking at signals, so on the main thread it waits on a helper. A thread that is inside a
delivery may be inside that very handler, where only the library can tell that there is nothing to wait for: there it
waits itself, unless a timeout was given and the stack shows another handler.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from sys import _getframe
from threading import current_thread, main_thread
from types import MethodType

from . import _library as library
from . import _routes as routes
from ._inspection import is_inside_a_call_of_the_package, name_of
from ._threads import acquire, nobody_is_sending, require_timeout
from ._typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from ._observation import Observation


def stop_and_wait(observation: Observation, timeout: Optional[float]) -> bool:
    """Stops an observation, and waits until its handler is not running on any other thread."""
    require_timeout(timeout)
    was_living: bool = library.stop(observation._number) == 0
    if not _wait(observation, timeout):
        name = "a handler" if observation._handler is None else f"handler {name_of(observation._handler)}"
        place = f"attached at {observation._place}"
        raise TimeoutError(f"{name}, {place}, is still running after {timeout:g} seconds: does it wait for this?")
    return was_living


def _wait(observation: Observation, timeout: Optional[float]) -> bool:
    executor = observation._executor
    if not _is_interruptible(observation, timeout):
        library.stop_and_wait(observation._number)
    elif not _wait_on_a_helper(observation, timeout):
        return False
    return executor is None or executor.wait(timeout)


def _is_interruptible(observation: Observation, timeout: Optional[float]) -> bool:
    """Whether something could end the waiting, and it is worth a helper."""
    observable = observation._observable()
    if nobody_is_sending() and (observable is None or not observable._has_pointer):
        # Nothing to wait for.
        return False
    if timeout is not None:
        return not _runs_here(observation)
    return current_thread() is main_thread() and not is_inside_a_call_of_the_package()


def _wait_on_a_helper(observation: Observation, timeout: Optional[float]) -> bool:
    number, done = observation._number, allocate_lock()

    def wait() -> None:
        try:
            library.stop_and_wait(number)
        finally:
            done.release()

    done.acquire()
    start_new_thread(wait, ())
    return acquire(done, timeout)


def _runs_here(observation: Observation) -> bool:
    """Whether the stack of this thread shows a call of the handler."""
    handler: Any = observation._handler
    owner: Any = None
    if isinstance(handler, routes.WeakMethod):
        handler, owner = handler.function, handler.reference()
    elif type(handler) is MethodType:
        handler, owner = handler.__func__, handler.__self__
    frame: Any = _getframe(1)
    while frame is not None:
        if frame.f_globals is vars(routes) and frame.f_locals.get("observation") is observation:
            return True
        if frame.f_code is getattr(handler, "__code__", None) and _is_call(frame, handler, owner):
            return True
        frame = frame.f_back
    return False


def _is_call(frame: Any, function: Any, owner: Any) -> bool:
    """Whether a frame is of this very function, and not of another made from the same lines."""
    variables = frame.f_locals
    if owner is not None and variables.get(function.__code__.co_varnames[0]) is not owner:
        return False
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    try:
        return all(variables.get(name) is cell.cell_contents for name, cell in cells.items())
    except ValueError:
        # A variable that has no value yet.
        return False

# SPDX-License-Identifier: MIT
"""Has psygnal's own tests run over SwiftObserver: a plugin for pytest, with which each signal is a messenger.

What a signal emits goes to its messenger, and each slot is an observation of that. So connecting, disconnecting, order,
re-entrancy, threads and failures are the engine's. Signatures, weak callbacks, pauses, groups, containers and models
remain psygnal's, on top of it.
"""

import weakref

from psygnal import EmitLoopError
from psygnal._signal import RECURSION_LIMIT, ReemissionMode, SignalInstance

from swiftobserver import Messenger


class Slots(list):
    """The slots of a signal, and their observations in the same order."""

    def __init__(self, signal, slots=()):
        super().__init__()
        # One that emits while it emits calls its slots at once, unless it is to queue.
        self.messenger = Messenger()
        self.messenger.ordered = signal._reemission == ReemissionMode.QUEUED
        self.messenger.stops_at_failure = self.messenger.raises_first = True
        self._signal, self._observations = weakref.ref(signal), []
        for slot in slots:
            self.append(slot)

    def append(self, slot):
        super().append(slot)
        self._observations.append(self.messenger.observe(lambda args: self._receive(slot, args)))

    def insert(self, index, slot):
        # By priority, of which a messenger knows nothing: those behind begin again.
        behind = self[index:]
        for _ in behind:
            self.pop()
        for each in (slot, *behind):
            self.append(each)

    def pop(self, index=-1):
        self._observations.pop(index).stop()
        return super().pop(index)

    def remove(self, slot):
        self.pop(self.index(slot))

    def clear(self):
        while self:
            self.pop()

    def _receive(self, slot, args):
        signal = self._signal()
        is_latest = signal is None or signal._reemission != ReemissionMode.LATEST
        if not is_latest:
            is_latest = signal._recursion_depth >= signal._max_recursion_depth
            signal._args, signal._caller = args, slot
        if is_latest and slot._is_alive():
            slot.cb(args)


def _get_slots(signal):
    return signal.__dict__["slots of the messenger"]


def _set_slots(signal, slots):
    signal.__dict__["slots of the messenger"] = Slots(signal, slots)


def _emit_next(signal):
    signal._slots.messenger.send(signal._emit_queue.popleft())


def _emit_queued(signal):
    # The queue says how many have been emitted; what slots emit comes as `_emit` below.
    signal._slots.messenger.send(signal._emit_queue[0])


def _emit(signal, args):
    if signal._reemission != ReemissionMode.QUEUED or not signal._emit_queue:
        return _run_emit_loop(signal, args)
    with signal._lock:
        signal._emit_queue.append(args)
        if len(signal._emit_queue) > RECURSION_LIMIT:
            raise RecursionError
        signal._slots.messenger.send(args)


def _emit_fast(signal, *args):
    if signal._is_blocked:
        return
    if signal._is_paused:
        signal._args_queue.append(args)
        return
    try:
        signal._slots.messenger.send(args)
    except RecursionError as error:
        raise RecursionError(f"RecursionError when emitting signal {signal.name!r} with args {args}") from error
    except EmitLoopError:
        raise
    except Exception as error:
        raise EmitLoopError(exc=error, signal=signal).with_traceback(error.__traceback__) from error


_run_emit_loop = SignalInstance._run_emit_loop
SignalInstance._slots = property(_get_slots, _set_slots)
SignalInstance._run_emit_loop = _emit
SignalInstance._run_emit_loop_immediate = SignalInstance._run_emit_loop_latest_only = _emit_next
SignalInstance._run_emit_loop_queued = _emit_queued
SignalInstance.emit_fast = _emit_fast

# SPDX-License-Identifier: MIT
"""Ctrl-C at each instruction of the package: whatever was entered is left, and nothing counts as sending for ever.

A tracer raises KeyboardInterrupt before the k-th instruction, for k = 1, 2, ... until there are none. Python looks for
signals at fewer places: at the first instruction of a function, after calls, and where loops jump back.
"""

import gc
import linecache
import sys

import pytest

from support import Instructions
from swiftobserver import Messenger, Var, derived
from swiftobserver._core import authors as _authors
from swiftobserver._core import failures as _failures
from swiftobserver._library import ownership as _ownership
from swiftobserver._library import threads as _threads
from swiftobserver._values import encoding as _values
from swiftobserver._values import moments as _moments
from swiftobserver._values import pause as _pausing

pytestmark = pytest.mark.skipif(sys.implementation.name != "cpython", reason="instructions are those of CPython")


@pytest.fixture(autouse=True)
def nothing_is_left():
    """In place of the check after all other tests: what is interrupted while the library lets go of it may stay."""
    yield
    gc.collect()
    _authors.pending_authors.clear()
    _values.in_flight.clear()
    _ownership._left_behind.clear()


# How many interrupts there were, for the last test to print.
injected = {"interrupts": 0, "cases": 0}


class Interrupt(Instructions):
    """Raises before one instruction, and counts them."""

    def __init__(self, at):
        self.at, self.count, self.where = at, 0, None

    def trace(self, frame, event, argument):
        if event == "opcode":
            self.count += 1
            if self.count == self.at:
                self.where = (frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno)
                raise KeyboardInterrupt
        return self.trace


def interrupted(action, observable, at):
    # A generator has a place of its own for what is being handled. An `except` block that a tracer ends in its last
    # instructions, where no signal could, leaves that there, and not for all that this thread does afterwards.
    def running():
        yield action(observable)

    interrupt, before = Interrupt(at), sys.gettrace()
    sys.settrace(interrupt)
    try:
        next(running())
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return interrupt


class Author:
    pass


AUTHOR = Author()


def batch(variable):
    with variable.batch():
        variable.value += 1


def blocked(observable):
    with observable.blocked():
        change(observable)


def paused(observable):
    with observable.paused():
        change(observable)
        change(observable, AUTHOR)


def reduced(messenger):
    with messenger.paused(lambda one, other: one + other):
        messenger.send(1)
        messenger.send(2)


def nested(observable):
    pause = observable.paused()
    with pause:
        with observable.blocked(), pause:
            change(observable)


def blocked_observation(observable):
    with observable.observations[0].blocked():
        change(observable)


def observed(observable):
    # Entered by C: what is interrupted before has begun no block.
    with observable.observe(lambda message: None):
        change(observable)


def change(observable, author=None):
    if isinstance(observable, Messenger):
        observable.send(1) if author is None else observable.send(1, author=author)
    else:
        observable.set(observable.value + 1) if author is None else observable.set(observable.value + 1, author=author)


def by_an_author(observable):
    change(observable, AUTHOR)


def replayed(variable):
    variable.observe(lambda update: None, replay=1).stop()


def replayed_news(variable):
    variable.new().observe(lambda value: None, replay=1).stop()


def passed_on(observable):
    cache = observable.cache(0).from_(AUTHOR)
    with cache.observe(lambda message: None):
        change(observable, AUTHOR)


# What observes before a block is entered, and goes on if the interrupt comes in between.
BEGUN_BEFORE = [observed, replayed, replayed_news, passed_on]
ALL = [blocked, blocked_observation, observed, change, by_an_author]


def joined(variable):
    """A variable that a function has read."""
    with derived(lambda: variable.value).observe(lambda update: None):
        return variable


CASES = {
    "variable": (lambda: Var(0), [*ALL, batch, paused, nested, replayed, replayed_news]),
    "variable that keeps no order": (lambda: unordered(Var(0)), [batch, blocked, paused, change]),
    "variable that functions read": (lambda: joined(Var(0)), [*ALL, batch, replayed]),
    "native variable": (lambda: Var(0, native=True), [*ALL, batch, replayed]),
    "deferred variable": (lambda: Var(0, deferred=True), [batch]),
    "messenger": (Messenger, [*ALL, paused, reduced, nested, passed_on]),
    "native messenger": (lambda: Messenger(native=True), ALL),
}


def unordered(observable):
    observable.ordered = False
    return observable


@pytest.mark.parametrize(
    "make, action",
    [(make, action) for make, actions in CASES.values() for action in actions],
    ids=[f"{kind} {action.__name__}" for kind, (_, actions) in CASES.items() for action in actions],
)
@pytest.mark.filterwarnings("ignore")
def test_an_interrupt_at_any_instruction_leaves_nothing_entered(make, action, monkeypatch):
    if sys.gettrace() is not None:
        pytest.skip("there is one tracer")
    # What ctypes cannot pass on, which README says.
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    at = 0
    while True:
        at += 1
        observable, received = make(), []
        observable.observe(received.append)
        interrupt = interrupted(action, observable, at)
        if interrupt.where is None:
            break
        has_locks = free_locks(observable)
        # Between the end of a block and the call that frees its lock, where Python looks for no signal.
        assert not has_locks or is_end_of_lock(interrupt.where), interrupt.where
        assert_nothing_is_left(observable, received, interrupt.where, action)
    injected["interrupts"] += at - 1
    injected["cases"] += 1


def free_locks(observable):
    locks = [_authors._lock, _pausing.lock, _moments.lock]
    locks += [observable._store.lock] if hasattr(observable._store, "lock") else []
    held = [each for each in locks if each._is_owned()]
    for each in held:
        while each._is_owned():
            each.release()
    return bool(held)


def is_end_of_lock(where):
    path, _, line = where
    return linecache.getline(path, line).lstrip().startswith("with ") or sys.version_info < (3, 10)


def assert_nothing_is_left(observable, received, where, action):
    assert not observable.is_blocked, where
    assert not observable.is_paused, where
    assert not any(each.is_blocked for each in observable.observations), where
    assert (_threads.sending, _threads.batches, _threads.calls.value) == ([], [], 0), where
    assert _failures.pending == [], where
    moments = _moments.moments
    assert (moments.delivering, moments.passer, moments.is_marking) == ({}, None, False), where
    if _authors.pending_authors:
        # Until the next send.
        Messenger().send(None, author=AUTHOR)
        assert _authors.pending_authors == {}, where
    received.clear()
    last = 1000 if isinstance(observable, Var) else "last"
    observable.set(last) if isinstance(observable, Var) else observable.send(last)
    assert getattr(received[-1], "new", received[-1]) == last, where
    if observable.count > 1 and action not in BEGUN_BEFORE:
        gc.collect()
        assert observable.count == 1, where


def test_how_many_interrupts_there_were(capsys):
    with capsys.disabled():
        print(f"\n{injected['interrupts']} interrupts, at each instruction of {injected['cases']} cases")
    assert injected["interrupts"] > 100 * injected["cases"] or sys.gettrace() is not None or not injected["cases"]

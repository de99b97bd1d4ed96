# SPDX-License-Identifier: MIT
"""What a handler of a signal does, and a collection of garbage, at each place where Python lets it run amid an action.

The places are those of CPython 3.11 and later: the beginning of a function, the end of a call, and a jump back.
"""

import dis
import gc
import sys
from contextlib import suppress
from functools import partial

import pytest

from support import Instructions, skip_where_lines_are_counted
from swiftobserver import ComputingError, Messenger, Observer, Var, derived, effect, transaction

pytestmark = pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info < (3, 11) or sys.version_info >= (3, 13),
    reason="instructions are those of CPython 3.11 and 3.12",
)


class Amid(Instructions):
    """Has something done at one place, and counts them."""

    def __init__(self, at, action):
        self.at, self.action, self.count, self.before = at, action, 0, (None, "")

    def trace(self, frame, event, argument):
        if event == "opcode":
            (former, name), self.before = self.before, (frame, dis.opname[frame.f_code.co_code[frame.f_lasti]])
            if former is frame and (name in ("CALL", "CALL_FUNCTION_EX", "RESUME") or "JUMP_BACKWARD" in name):
                self.count += 1
                if self.count == self.at:
                    sys.settrace(None)
                    self.action()
        return self.trace


def count_places(action, at=0, amid=None):
    """Calls an action, and at one of its places another one."""
    tracer, before = Amid(at, amid), sys.gettrace()
    sys.settrace(tracer)
    try:
        action()
    finally:
        sys.settrace(before)
        # Generators keep the frames that were traced.
        tracer.before = tracer.action = None
    return tracer.count


@pytest.fixture(autouse=True, scope="module")
def instructions_are_traced():
    """CPython 3.12 does not do so the first time."""
    count_places(Var(1).batch)


class Garbage:
    """Depends on a variable, and on itself."""

    def __init__(self, variable):
        self.observer, self.triple = Observer(), derived(lambda: variable.value * 3)
        self.observer.observe(self.triple, lambda update: self)
        effect(lambda: self and self.triple.value and None, observer=self.observer)


class World:
    """Two variables, what is derived from them, and an effect; and what a collection ends."""

    def __init__(self):
        self.one, self.other = one, other = Var(1), Var(2)
        self.total = total = derived(lambda: one.value + other.value)
        self.double = double = derived(lambda: 2 * total.value)
        self.updates = {each: [] for each in (one, other, total, double)}
        self.seen = []
        self.observations = [each.observe(told.append) for each, told in self.updates.items()]
        self.observations.append(effect(lambda: self.seen.append((one.value, double.value))))
        self.garbage = Garbage(one)

    def check(self):
        assert self.total.value == self.one.value + self.other.value
        assert self.double.value == 2 * self.total.value
        for observable, told in self.updates.items():
            assert [update.new for update in told[:-1]] == [update.old for update in told[1:]]
            assert not told or told[-1].new == observable.value
        assert self.seen[-1] == (self.one.value, self.double.value)

    def end(self):
        for each in self.observations:
            each.stop()


def set_one(world):
    world.one.value = 11


def set_both(world):
    with transaction():
        world.one.value, world.other.value = 12, 13


def batch(world):
    with world.one.batch():
        world.one.value = 14


def pause(world):
    with world.one.paused():
        world.one.value = 15


def resend(world):
    world.double.send_latest()


def set_amid(world):
    world.one.value = 21


def set_other_amid(world):
    world.other.value = 22


def set_both_amid(world):
    with transaction():
        world.other.value, world.one.value = 23, 24


def observe_amid(world):
    world.double.observe(print).stop()


def resend_amid(world):
    world.double.send_latest()


def collect_amid(world):
    world.garbage = None
    gc.collect()


@pytest.mark.parametrize("action", [set_one, set_both, batch, pause, resend])
@pytest.mark.parametrize("amid", [set_amid, set_other_amid, set_both_amid, observe_amid, resend_amid, collect_amid])
def test_what_happens_amid_an_action_is_as_if_it_had_come_before_or_after(action, amid):
    skip_where_lines_are_counted()
    at = 0
    while True:
        at += 1
        world = World()

        def act(world=world):
            # It may come in a function.
            with suppress(ComputingError):
                amid(world)

        if count_places(partial(action, world), at, act) < at:
            break
        world.check()
        set_one(world)
        world.check()
        world.end()
    assert at > 20
    world.end()


def test_what_is_set_amid_the_first_use_of_a_variable_in_a_transaction_is_part_of_it():
    skip_where_lines_are_counted()
    at = 0
    while True:
        at += 1
        variable, updates = Var(0), []
        variable.observe(updates.append)

        def set_inside(variable=variable):
            with transaction():
                variable.value = 1

        is_over = count_places(set_inside, at, partial(variable.set, 2)) < at
        assert [update.new for update in updates[:-1]] == [update.old for update in updates[1:]]
        assert updates[-1].new == variable.value
        if is_over:
            break
    assert at > 20


def test_what_is_sent_amid_a_pause_arrives():
    skip_where_lines_are_counted()
    at = 0
    while True:
        at += 1
        messenger, received = Messenger(), []
        messenger.observe(received.append)

        def pause_sending(messenger=messenger):
            with messenger.paused():
                messenger.send(1)

        is_over = count_places(pause_sending, at, partial(messenger.send, 2)) < at
        messenger.send(3)
        if is_over:
            break
        assert received in ([1, 2, 3], [2, 1, 3])
    assert at > 20
    assert received == [1, 3]

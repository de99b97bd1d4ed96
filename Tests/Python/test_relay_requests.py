# SPDX-License-Identifier: MIT
"""Relays: what becomes of what a mirror is set to, and what its value is worth. In memory."""

from __future__ import annotations

import os
import threading
import time
import weakref

import pytest

from support import collect
from swiftobserver import Var
from swiftobserver._library.ownership import contexts_left_behind
from test_relay import MEMORY, ready, until

try:
    from swiftobserver.relay import Relay
except ImportError as error:
    if os.environ.get("SWO_TEST_RELAYS"):
        raise
    pytest.skip(str(error), allow_module_level=True)

# Longer than any test.
NEVER = 2_000_000


def await_decided(relay: Relay, name: str) -> None:
    while relay.is_pending(name):
        time.sleep(0)


class Gate:
    """Holds a handler up: the owner decides nothing meanwhile."""

    def __init__(self) -> None:
        self.inside, self.opened = threading.Event(), threading.Event()

    def __call__(self, _: object) -> None:
        self.inside.set()
        self.opened.wait()


def test_a_request_is_pending_until_its_owner_has_decided() -> None:
    with Relay(MEMORY, device="slow") as owner, Relay(MEMORY, request_timeout=NEVER) as other:
        level, gate = Var(1, native=True), Gate()
        # Before the relay, which so does not hear of it either.
        level.observe(gate)
        owner.publish("light/level", level, settable=True)
        mirror = other.mirror("slow/light/level", int)
        until(mirror, lambda value: value == 1)
        ready(owner, other)
        assert not other.is_pending("slow/light/level")
        mirror.value = 9
        # The relay's own thread may be about to hand the first value on, and then asks itself.
        while not other.is_pending("slow/light/level"):
            time.sleep(0)
        gate.inside.wait()
        assert other.is_pending("slow/light/level")
        gate.opened.set()
        await_decided(other, "slow/light/level")
        assert mirror.value == 9
        assert not other.is_pending("slow/light/nothing")


def test_a_request_that_is_not_answered_in_time_is_undone_and_the_state_says_so() -> None:
    with Relay(MEMORY, device="silent") as owner, Relay(MEMORY, request_timeout=0.05) as other:
        level, gate = Var(1, native=True), Gate()
        level.observe(gate)
        owner.publish("light/level", level, settable=True)
        mirror = other.mirror("silent/light/level", int)
        until(mirror, lambda value: value == 1)
        ready(owner, other)
        mirror.value = 9
        gate.inside.wait()
        until(mirror, lambda value: value == 1)
        assert not other.is_pending("silent/light/level")
        until(other.state, lambda state: "silent/light/level: its owner did not answer in 50 ms" in state)
        assert other.counts.dropped == 1
        gate.opened.set()
        until(mirror, lambda value: value == 9)


def test_what_cannot_be_set_is_undone_whoever_listens() -> None:
    with Relay(MEMORY, device="fixed") as owner, Relay(MEMORY, request_timeout=NEVER) as other:
        owner.publish("light/level", Var(1))
        with other.watch("homie/5/#").observe(lambda line: None):
            mirror = other.mirror("fixed/light/level", int)
            until(mirror, lambda value: value == 1)
            ready(owner, other)
            mirror.value = 9
            until(mirror, lambda value: value == 1)
            until(other.state, lambda state: "it cannot be set (1 dropped so far)" in state)


def test_none_cannot_be_set_from_outside() -> None:
    with Relay(MEMORY, device="solid") as owner, Relay(MEMORY, request_timeout=NEVER) as other:
        warmth = Var(20.5)
        owner.publish("climate/warmth", warmth, settable=True)
        mirror = other.mirror("solid/climate/warmth", float)
        until(mirror, lambda value: value == 20.5)
        ready(owner, other)
        mirror.value = None
        until(owner.state, lambda state: "null cannot be set from outside" in state)
        until(mirror, lambda value: value == 20.5)
        assert warmth.value == 20.5
        assert owner.counts.dropped == 1


def test_a_mirror_knows_how_long_it_is_unconfirmed_and_can_be_none_then() -> None:
    with Relay(MEMORY) as patient, Relay(MEMORY, stale_after=0.02) as strict:
        name = "known/flow/rate"
        mirror, strict_mirror = patient.mirror(name, int), strict.mirror(name, int)
        for number in (1, 2):
            with Relay(MEMORY, device="known") as owner:
                owner.publish("flow/rate", Var(number))
                until(mirror, lambda value, number=number: value == number)
                until(strict_mirror, lambda value, number=number: value == number)
                while patient.unconfirmed(name) is not None:
                    time.sleep(0)
            while (seconds := patient.unconfirmed(name)) is None:
                time.sleep(0)
            assert seconds > 0
            until(strict_mirror, lambda value: value is None)
            assert mirror.value == number
        with pytest.raises(KeyError):
            patient.unconfirmed("known/flow/nothing")


def test_the_state_waits_for_no_handler() -> None:
    with Relay(MEMORY, device="quick") as owner, Relay(MEMORY, device="watched") as other:
        rate, odd, gate = Var(1, native=True), Var(1, native=True), Gate()
        owner.publish("flow/rate", rate)
        other.publish("flow/odd", odd)
        mirror = other.mirror("quick/flow/rate", int)
        until(mirror, lambda value: value == 1)
        ready(owner, other)
        mirror.observe(gate)
        rate.value = 2
        gate.inside.wait()
        odd.value = "no number"
        until(other.state, lambda state: "(1 dropped so far)" in state)
        gate.opened.set()


def test_handlers_of_two_relays_may_close_each_others() -> None:
    with Relay(MEMORY, device="crossed") as owner:
        rate = Var(1, native=True)
        owner.publish("flow/rate", rate)
        relays = [Relay(MEMORY), Relay(MEMORY)]
        mirrors = [relay.mirror("crossed/flow/rate", int) for relay in relays]
        both, ended = threading.Barrier(2), threading.Semaphore(0)

        def closing(other: Relay) -> object:
            def close(update: object) -> None:
                if update.new == 2:  # type: ignore[attr-defined]
                    both.wait()
                    other.close()
                    ended.release()

            return close

        for mirror, other in zip(mirrors, reversed(relays)):
            until(mirror, lambda value: value == 1)
            mirror.observe(closing(other))
        rate.value = 2
        ended.acquire()
        ended.acquire()
        # Their threads are on the way out of the handlers.
        gone = [weakref.ref(each) for each in mirrors]
        del mirror, mirrors
        while any(each() is not None for each in gone) or contexts_left_behind():
            collect()
            time.sleep(0)


def test_what_is_pending_as_a_relay_is_closed_is_undone() -> None:
    with Relay(MEMORY, device="late") as owner:
        level, gate = Var(1, native=True), Gate()
        level.observe(gate)
        owner.publish("light/level", level, settable=True)
        with Relay(MEMORY, request_timeout=NEVER) as other:
            mirror = other.mirror("late/light/level", int)
            until(mirror, lambda value: value == 1)
            ready(owner, other)
            mirror.value = 9
            gate.inside.wait()
        assert mirror.value == 1
        gate.opened.set()


def test_times_that_are_none_are_refused() -> None:
    for parameter in ("request_timeout", "stale_after"):
        with pytest.raises((ValueError, TypeError)):
            Relay(MEMORY, **{parameter: "soon"})

# SPDX-License-Identifier: MIT
"""What is blocked receives or sends nothing, a batch sends one update, and observations are counted."""

import asyncio
import weakref

import pytest

from support import Thread, collect, each_kind, hearing, join_all
from swiftobserver import Messenger, Observer, Var
from swiftobserver._library import threads as _threads


@each_kind
def test_an_observation_tells_whether_it_is_blocked_and_is_not_after_its_end(native):
    messenger = Messenger(native=native)
    observation = messenger.observe(print)
    with observation.blocked():
        assert observation.is_blocked
    assert not observation.is_blocked
    observation.stop()
    with pytest.raises(RuntimeError, match="observation"):
        with observation.blocked():
            pass


@each_kind
def test_what_waits_is_lost_if_its_turn_comes_while_the_observation_is_blocked(native):
    messenger, received, jobs = Messenger(native=native), [], []
    observation = messenger.observe(received.append, on=jobs.append)
    messenger.send(1)
    messenger.send(2)
    with observation.blocked():
        jobs.pop(0)()
    messenger.send(3)
    while jobs:
        jobs.pop(0)()
    assert received == [3]
    observation.stop()


@each_kind
def test_what_waits_for_a_coroutine_is_lost_if_its_turn_comes_while_the_observation_is_blocked(native):
    received = []

    async def receive(message):
        received.append(message)

    async def send_two_and_one():
        messenger = Messenger(native=native)
        observation = messenger.observe(receive)
        messenger.send(1)
        messenger.send(2)
        with observation.blocked():
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        messenger.send(3)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        observation.stop()

    asyncio.run(send_two_and_one())
    assert received == [3]


@each_kind
def test_a_variable_tells_whether_it_is_blocked(native):
    variable, received = hearing(Var(0, native=native))
    assert not variable.is_blocked
    with variable.blocked():
        with variable.blocked():
            pass
        assert variable.is_blocked
        variable.value = 1
    assert not variable.is_blocked
    assert (variable.value, received) == (1, [])


@each_kind
def test_a_batch_that_is_left_by_an_exception_sends_its_update(native):
    variable, received = hearing(Var(0, native=native))
    with pytest.raises(KeyError):
        with variable.batch():
            variable.value = 1
            raise KeyError
    assert received == [(0, 1)]


def test_batches_of_several_threads_lose_nothing():
    variable = Var(0)
    seen = [0]

    def follow(update):
        assert update.old == seen[-1]
        seen.append(update.new)

    variable.observe(follow)

    def work():
        for _ in range(200):
            with variable.batch():
                variable.update(lambda number: number + 1)
                variable.update(lambda number: number + 1)

    join_all([Thread(work) for _ in range(3)])
    assert seen[-1] == variable.value == 1200


@each_kind
def test_observations_are_counted(native):
    messenger, observer = Messenger(native=native), Observer()
    assert (messenger.count, observer.count) == (0, 0)
    mapped = messenger.map(str)
    observation = observer.observe(messenger, print)
    messenger.observe(print)
    assert (messenger.count, mapped.count, observer.count) == (3, 0, 1)
    observation.stop()
    assert (messenger.count, observer.count) == (2, 0)


def test_a_batch_that_dies_with_its_variable_keeps_no_author():
    class Author:
        pass

    variable, other = Var(0, native=True), Messenger()
    variable.batch().begin()
    variable.set(1, author=Author())
    del variable
    collect()
    author = Author()
    gone = weakref.ref(author)
    other.send(1, author=author)
    del author
    collect()
    assert gone() is None


@each_kind
def test_a_batch_may_end_on_another_thread(native):
    variable, received = hearing(Var(0, native=native))
    batch = variable.batch()
    batch.begin()
    variable.set(1, author="somebody")
    Thread(batch.end).join()
    assert received == [(0, 1)]
    assert _threads.nobody_is_sending()

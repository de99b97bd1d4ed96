# SPDX-License-Identifier: MIT
"""What is blocked receives or sends nothing, a batch sends one update, and observations are counted."""

import pytest

from support import Thread
from swiftobserver import HandlerError, Messenger, Observer, Var

each_kind = pytest.mark.parametrize("native", [False, True], ids=["local", "native"])


@each_kind
def test_a_blocked_observation_loses_messages_and_others_do_not(native):
    one, other = [], []
    messenger = Messenger(native=native)
    observation = messenger.observe(one.append)
    messenger.observe(other.append)
    with observation.blocked():
        assert observation.is_blocked
        messenger.send(1)
    assert not observation.is_blocked
    messenger.send(2)
    assert (one, other) == ([2], [1, 2])
    observation.stop()
    with pytest.raises(RuntimeError, match="observation"):
        with observation.blocked():
            pass


@each_kind
def test_a_batch_sends_one_update_from_the_first_value_to_the_last(native):
    received = []
    variable = Var(0, native=native)
    variable.observe(lambda update, author: received.append((update, author)))
    with variable.batch():
        variable.set(1, author="first")
        with variable.batch():
            variable.set(2, author="last")
        assert received == []
        assert variable.value == 2
    assert received == [((0, 2), "last")]
    with variable.batch():
        pass
    with variable.batch():
        variable.value = 5
        variable.value = 2
    assert len(received) == 1
    variable.value = 3
    assert received[-1] == ((2, 3), variable)


@each_kind
def test_a_batch_that_is_left_by_an_exception_sends_its_update(native):
    received = []
    variable = Var(0, native=native)
    variable.observe(received.append)
    with pytest.raises(KeyError):
        with variable.batch():
            variable.value = 1
            raise KeyError
    assert received == [(0, 1)]


@each_kind
def test_what_fails_when_a_batch_ends_is_raised_there(native):
    variable = Var(0, native=native)
    variable.observe(lambda update: 1 / 0)
    with pytest.raises(HandlerError, match="division"):
        with variable.batch():
            variable.value = 1


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

    for thread in [Thread(work) for _ in range(3)]:
        thread.join()
    assert seen[-1] == variable.value == 1200


def test_updates_of_several_threads_are_a_chain():
    variable = Var(0)
    seen = [0]

    def follow(update):
        assert update.old == seen[-1]
        seen.append(update.new)

    variable.observe(follow)

    def work():
        for _ in range(2000):
            variable.update(lambda number: number + 1)

    for thread in [Thread(work) for _ in range(4)]:
        thread.join()
    assert seen == list(range(8001))


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

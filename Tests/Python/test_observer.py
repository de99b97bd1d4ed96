# SPDX-License-Identifier: MIT
"""Observers keep their observations, and end them: laws 8 and 9."""

import pytest

from support import await_release
from swiftobserver import Messenger, Observer


def test_an_observer_that_is_closed_observes_no_more():
    messenger = Messenger()
    with Observer() as observer:
        observation = observer.observe(messenger, print)
    assert not observation.is_living
    assert "closed" in repr(observer)
    with pytest.raises(ValueError, match="closed"):
        observer.observe(messenger, print)
    observer.close()
    assert observer.stop() is False


def test_an_observer_may_be_used_as_a_decorator():
    received = []
    observer, messenger = Observer(), Messenger()

    @observer.observe(messenger)
    def handler(message):
        received.append(message)

    messenger.send(1)
    assert handler.stop()
    messenger.send(2)
    assert received == [1]


@pytest.mark.parametrize("wrong", [None, 1, "observable", Observer])
def test_what_is_not_observable_is_refused_by_name(wrong):
    observer = Observer()
    with pytest.raises(TypeError, match="observable must be an Observable"):
        observer.observe(wrong, print)
    with pytest.raises(TypeError, match="observable must be an Observable"):
        observer.is_observing(wrong)
    if wrong is not None:
        with pytest.raises(TypeError, match="observable must be an Observable"):
            observer.stop(wrong)


def test_an_observable_without_truth_is_observed_all_the_same():
    class Empty(Messenger):
        def __len__(self):
            return 0

    class Nobody(Observer):
        def __bool__(self):
            return False

    received = []
    empty, nobody = Empty(), Nobody()
    other = Messenger()
    nobody.observe(empty, received.append)
    nobody.observe(other, received.append)
    empty.send(1)
    assert nobody.stop(empty)
    empty.send(2)
    other.send(3)
    del nobody
    await_release()
    other.send(4)
    assert received == [1, 3]

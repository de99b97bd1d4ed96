# SPDX-License-Identifier: MIT
"""Observables made from others: laws 13 and 22."""

import gc
import weakref

import pytest

from support import await_release, collect, each_kind, hearing
from swiftobserver import HandlerError, Messenger, Observer, Update, Var


def test_filter_takes_any_truth():
    messages = Messenger()
    true, received = hearing(messages.filter(lambda message: message))
    for message in (0, "", [], "text", [0], None):
        messages.send(message)
    assert received == ["text", [0]]


def test_new_passes_on_what_is_no_update_unchanged():
    messages = Messenger()
    news, received = hearing(messages.new())
    messages.send(Update(1, 2))
    messages.send("text")
    assert received == [2, "text"]


def test_new_of_mapped_updates_is_the_new_value():
    variable = Var(1)
    tens = variable.map(lambda update: Update(update.old * 10, update.new * 10))
    news, received = hearing(tens.new())
    variable.value = 2
    assert received == [20]


def test_a_transform_keeps_only_its_source_alive():
    messenger = Messenger()
    source, transform = weakref.ref(messenger), weakref.ref(messenger.map(str))
    await_release()
    assert transform() is None
    mapped = messenger.map(str)
    del messenger
    collect()
    assert source() is not None
    del mapped
    await_release()
    assert source() is None


def test_a_transform_that_dies_releases_its_function():
    class Function:
        def __call__(self, message):
            return message

    messenger = Messenger()
    function = Function()
    released = weakref.ref(function)
    mapped = messenger.map(function).filter(function)
    messenger.send(1)
    del function, mapped
    await_release()
    assert released() is None
    messenger.send(2)


def test_a_cycle_of_transforms_is_collected_while_their_source_sends():
    class Owner:
        def __init__(self, source):
            self.mapped = source.map(self.pass_on)
            self.filtered = self.mapped.filter(self.pass_on).filter(self.pass_on)
            self.again = self.filtered.map(self.pass_on)
            self.observer = Observer()
            self.observer.observe(self.again, self.pass_on, weak=False)

        def pass_on(self, message):
            return message

    messenger = Messenger()
    owner = Owner(messenger)
    gone = weakref.ref(owner)
    messenger.send(1)
    del owner
    for number in range(10):
        # Which PyPy does one after the other.
        gc.collect()
        messenger.send(number)
    assert (gone(), messenger.count) == (None, 0)


def test_a_message_that_a_mapper_fails_on_is_not_passed_on():
    numbers = Messenger()
    inverse, received = hearing(numbers.map(lambda number: 1 / number))
    numbers.observe(lambda number: received.append(("direct", number)))
    with pytest.raises(HandlerError, match="mapper .*lambda.* of Messenger made at .*attached at .*ZeroDivisionError"):
        numbers.send(0)
    numbers.send(2)
    assert received == [("direct", 0), 0.5, ("direct", 2)]


def test_a_message_that_a_predicate_fails_on_is_not_passed_on():
    numbers = Messenger()
    even, received = hearing(numbers.filter(lambda number: number % 2 == 0))
    with pytest.raises(HandlerError, match="predicate") as caught:
        numbers.send(None)
    assert isinstance(caught.value.exceptions[0], TypeError)
    numbers.send(2)
    assert received == [2]


@pytest.mark.parametrize("make", [Messenger.map, Messenger.filter])
@pytest.mark.parametrize("wrong", [None, 5, "text", lambda: 1, lambda one, other: 1])
def test_a_function_that_cannot_take_a_message_is_refused_by_name(make, wrong):
    with pytest.raises(TypeError, match="(mapper|predicate) must"):
        make(Messenger(), wrong)


def test_a_failing_transform_of_a_stopped_observation_is_not_called():
    messenger = Messenger()
    failing = messenger.map(lambda message: 1 / 0)
    del failing
    await_release()
    messenger.send(1)


@each_kind
@pytest.mark.parametrize(
    "make",
    [
        lambda source: source.map(lambda number: number),
        lambda source: source.filter(lambda number: True).map(lambda number: number),
        lambda source: source.cache(),
        lambda source: source.from_("me"),
        lambda source: source.weak(),
        lambda source: source.map(lambda number: number).merge(source.filter(lambda number: False)),
    ],
    ids=["map", "filter, map", "cache", "from", "weak", "merge"],
)
def test_an_observation_keeps_the_transform_that_it_observes(make, native):
    received = []
    messenger, observer = Messenger(native=native), Observer()
    first = make(messenger).observe(received.append)
    second = observer.observe(make(messenger), received.append)
    collect()
    messenger.send(1, author="me")
    assert received == [1, 1]
    first.stop()
    second.stop()
    collect()
    assert messenger.count == 0


@each_kind
def test_a_transform_that_is_observed_dies_with_what_it_is_made_from(native):
    messenger = Messenger(native=native)
    observation = messenger.map(str).observe(print)
    gone = weakref.ref(messenger)
    del messenger
    collect()
    assert gone() is None
    assert not observation.is_living


def test_a_merge_is_kept_as_long_as_one_of_its_sources():
    received = []
    one, other = Messenger(), Messenger()
    one.merge(other).observe(received.append)
    del one
    collect()
    other.send(2)
    assert received == [2]


def test_a_transform_is_not_kept_if_that_is_not_wanted():
    received = []
    messenger, observer = Messenger(), Observer()
    messenger.map(str).observe(received.append, weak=True)
    observer.observe(messenger.map(str), received.append, weak=True)
    observer.observe(messenger.map(str), received.append, keep=False)
    await_release()
    messenger.send(1)
    assert (received, messenger.count) == ([], 0)


def test_a_combined_observation_keeps_its_transforms():
    received = []
    width, height, observer = Var(1), Var(2), Observer()
    observer.observe_combined((width.new(), height.new()), lambda *both: received.append(both))
    collect()
    width.value = 3
    height.value = 4
    assert received == [(3, 2), (3, 4)]


def test_the_latest_message_of_a_long_chain_takes_no_stack():
    variable = Var(1)
    chain = [variable.new()]
    for _ in range(3000):
        chain.append(chain[-1].map(lambda number: number + 1))
    assert chain[-1].latest_message == 3001
    while chain:
        chain.pop()


def test_a_long_chain_is_released_without_recursion():
    messenger = Messenger()
    mapped = messenger
    for _ in range(20_000):
        mapped = mapped.map(str)
    released = weakref.ref(mapped)
    del mapped
    await_release()
    assert released() is None

# SPDX-License-Identifier: MIT
"""The transforms beyond map, filter and new: what they pass on, by whom, and what they keep alive. Laws 13 and 22."""

import weakref

import pytest

from support import collect
from swiftobserver import HandlerError, Messenger, Observable, Observer, Var, graph

each_kind = pytest.mark.parametrize("native", [False, True], ids=["local", "native"])


def passed_on(transform, messages, native, start=None):
    """What a transform of a messenger makes of messages, in order."""
    received = []
    messenger = Messenger(native=native)
    transformed = transform(messenger)
    assert isinstance(transformed, Observable)
    transformed.observe(received.append)
    for message in messages:
        messenger.send(message)
    return received


@each_kind
@pytest.mark.parametrize(
    "transform, sent, received",
    [
        (lambda source: source.unwrap(), [1, None, 0, None], [1, 0]),
        (lambda source: source.unwrap(5), [1, None, 0], [1, 5, 0]),
        (lambda source: source.unwrap(None), [1, None], [1, None]),
        (lambda source: source.select("a"), ["a", "b", "a"], ["a", "a"]),
        (lambda source: source.take(2), [1, 2, 3], [1, 2]),
        (lambda source: source.take(0), [1], []),
        (lambda source: source.skip(2), [1, 2, 3], [3]),
        (lambda source: source.skip(0), [1], [1]),
        (lambda source: source.skip_repeats(), [1, 1, 2, 2, 1, None, None], [1, 2, 1, None]),
        (lambda source: source.unique_values(), [1, 2, 1, 3, 2], [1, 2, 3]),
        (lambda source: source.with_previous(), [1, 2, 3], [(None, 1), (1, 2), (2, 3)]),
        (lambda source: source.map(str).skip(1).with_previous(), [1, 2, 3], [(None, "2"), ("2", "3")]),
    ],
)
def test_a_transform_passes_on_what_it_says(transform, sent, received, native):
    assert passed_on(transform, sent, native) == received


@pytest.mark.parametrize("count, error", [(-1, ValueError), (1.0, TypeError), (True, TypeError), (None, TypeError)])
def test_a_count_is_a_number_of_messages(count, error):
    for transform in (Messenger().take, Messenger().skip):
        with pytest.raises(error, match="count must"):
            transform(count)


def test_what_is_not_hashable_is_told_to_the_sender():
    messenger = Messenger()
    unique = messenger.unique_values()
    unique.observe(print)
    with pytest.raises(HandlerError, match="predicate .*unique_values of Messenger.*unhashable"):
        messenger.send([])


@each_kind
def test_messages_are_told_apart_by_their_author(native):
    mine, not_mine, received = [], [], []
    messenger = Messenger(native=native)
    me = object()
    from_me, from_others, from_itself = messenger.from_(me), messenger.not_from(me), messenger.from_(messenger)
    from_me.observe(lambda message, author: mine.append((message, author)))
    from_others.observe(lambda message, author: not_mine.append((message, author)))
    from_itself.observe(received.append)
    messenger.send(1, author=me)
    messenger.send(2)
    messenger.send(3, author="you")
    assert mine == [(1, me)]
    assert not_mine == [(2, messenger), (3, "you")]
    assert received == [2]


def test_only_observables_of_one_kind_are_merged():
    with pytest.raises(ValueError, match="cannot be merged"):
        Messenger().merge(Messenger(native=True))
    with pytest.raises(TypeError, match="others must be observables"):
        Messenger().merge(print)


@each_kind
def test_what_a_relay_delivers_fails_at_the_source(native):
    one, other = Messenger(native=native), Messenger(native=native)
    merged = one.merge(other)

    def fail(message):
        raise ValueError(message)

    received = []
    merged.observe(fail)
    merged.observe(received.append)
    for messenger in (one, other):
        with pytest.raises(HandlerError, match="handler .*fail of merge .*ValueError: reason") as caught:
            messenger.send("reason")
        assert [type(each) for each in caught.value.exceptions] == [ValueError]
    assert received == ["reason", "reason"]


@each_kind
def test_what_is_sent_inside_a_handler_of_a_relay_waits_its_turn(native):
    received = []
    messenger = Messenger(native=native)
    relay = messenger.not_from("nobody")
    relay.observe(lambda number: messenger.send(number - 1) if number else None)
    relay.observe(received.append)
    messenger.send(3)
    assert received == [3, 2, 1, 0]


@each_kind
@pytest.mark.parametrize("transform", [lambda source: source.from_("me"), lambda source: source.merge(source.map(str))])
def test_a_relay_keeps_its_source_and_nothing_keeps_the_relay(transform, native):
    messenger = Messenger(native=native)
    relay = transform(messenger)
    source, gone = weakref.ref(messenger), weakref.ref(relay)
    del messenger
    collect()
    assert source() is not None
    observation = relay.observe(print)
    assert len(source().observations) == 1
    del relay
    collect()
    assert (source(), gone()) == (None, None)
    assert not observation.is_living


def test_variables_are_transformed_too():
    received = []
    variable = Var(None)
    values = variable.new()
    numbers = values.unwrap()
    large = numbers.filter(lambda number: number > 1)
    large.observe(received.append)
    for value in (1, None, 2, 3, None):
        variable.value = value
    assert received == [2, 3]


@each_kind
def test_a_weak_transform_passes_on_all_and_keeps_nothing(native):
    received = []
    messenger = Messenger(native=native)
    same = messenger.weak()
    same.observe(lambda message, author: received.append((message, author)))
    messenger.send(1, author="me")
    assert received == [(1, "me")]
    assert {node.kind for node in graph(same).nodes} == {"messenger", "weak"}
    source = weakref.ref(messenger)
    del messenger, received[:]
    collect()
    assert source() is None
    assert len(graph(same).nodes) == 1
    same.observe(received.append)
    assert (received, same.count) == ([], 2)


@each_kind
@pytest.mark.parametrize("options", [{}, {"once": True}, {"replay": 1}, {"weak": False}])
def test_an_observation_keeps_its_observable_if_it_is_told_to(native, options):
    received = []
    variable, observer = Var(1, native=native), Observer()
    transform = variable.new().map(lambda number: number * 2)
    gone = weakref.ref(transform)
    observation = observer.observe(transform, received.append, keep=True, **options)
    del transform
    collect()
    assert gone() is not None
    variable.value = 2
    assert received[-1] in (2, 4)
    observation.stop()
    collect()
    assert gone() is None
    assert not observation.is_living


@each_kind
@pytest.mark.parametrize("stops", [False, True], ids=["with the observer", "stopped"])
def test_what_an_observation_elsewhere_keeps_goes_with_it(native, stops):
    jobs = []
    variable, observer = Var(1, native=native), Observer()
    gone = weakref.ref(variable)
    observation = observer.observe(variable.new(), print, keep=True, on=jobs.append)
    del variable
    collect()
    assert gone() is not None
    if stops:
        assert observation.stop(wait=True)
    else:
        del observer
    collect()
    assert gone() is None
    assert not observation.is_living

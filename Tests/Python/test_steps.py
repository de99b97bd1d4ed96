# SPDX-License-Identifier: MIT
"""The transforms beyond map, filter and new: what they pass on, by whom, and what they keep alive. Laws 13 and 22."""

import weakref

import pytest

from support import collect, each_kind, fail
from swiftobserver import HandlerError, Messenger, Observable, Observer, Var, graph


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
        (lambda source: source.unwrap(), [None, 0], [0]),
        (lambda source: source.unwrap(None), [1, None], [1, None]),
        (lambda source: source.select("a"), ["a", "b", "a"], ["a", "a"]),
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


def test_only_observables_of_one_kind_are_merged():
    with pytest.raises(ValueError, match="cannot be merged"):
        Messenger().merge(Messenger(native=True))
    with pytest.raises(TypeError, match="others must be observables"):
        Messenger().merge(print)


@each_kind
def test_what_a_relay_delivers_fails_at_the_source(native):
    one, other = Messenger(native=native), Messenger(native=native)
    merged = one.merge(other)

    received = []
    merged.observe(fail)
    merged.observe(received.append)
    for messenger in (one, other):
        with pytest.raises(HandlerError, match="handler .*fail of merge .*ValueError: reason") as caught:
            messenger.send("reason")
        assert [type(each) for each in caught.value.exceptions] == [ValueError]
    assert received == ["reason", "reason"]


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

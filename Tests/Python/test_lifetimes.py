# SPDX-License-Identifier: MIT
"""Nothing is kept alive that should not be, and nothing is left: laws 8 and 12 to 14."""

import gc
import weakref

import pytest

from support import await_release, collect
from swiftobserver import Messenger, Observation, Observer, Var, bind, combine, events, merge
from swiftobserver.testing import assert_sent


class Handler:
    def __init__(self, *kept):
        self.kept = kept
        self.received = []

    def __call__(self, message):
        self.received.append(message)


@pytest.fixture(autouse=True)
def collecting_only_when_told():
    collect()
    gc.disable()
    yield
    gc.enable()


def test_a_handler_that_is_refused_is_released():
    observer = Observer()
    observer.close()
    handler = Handler()
    released = weakref.ref(handler)
    with pytest.raises(ValueError):
        observer.observe(Messenger(), handler)
    del handler
    collect()
    assert released() is None


def test_a_cycle_through_a_handler_is_collected():
    messenger = Messenger()
    handler = Handler(messenger)
    messenger.observe(handler)
    released = weakref.ref(handler), weakref.ref(messenger)
    del handler, messenger
    assert [each() is None for each in released] == [False, False]
    collect()
    assert [each() is None for each in released] == [True, True]


def test_a_cycle_through_transforms_an_observer_and_a_method_is_collected():
    class Owner:
        def __init__(self):
            self.observer = Observer()
            self.variable = Var(self)
            self.texts = self.variable.map(self.text).filter(self.accept)
            self.observation = self.observer.observe(self.texts, self.receive)

        def text(self, update):
            return str(update)

        def accept(self, text):
            return True

        def receive(self, text):
            pass

    owner = Owner()
    released = weakref.ref(owner)
    del owner
    collect()
    assert released() is None


def test_what_a_variable_held_is_released_when_the_last_that_saw_it_has_gone():
    log = []

    class Value:
        def __init__(self, name):
            self.name = name

        def __del__(self):
            log.append(self.name)

    variables = [Var(Value("first"))]

    def handler(update):
        if update.new.name == "second":
            variables[0].value = Value("third")
            log.append("set")
        else:
            log.append(update.old.name + " is old")

    variables[0].observe(handler)
    variables[0].value = Value("second")
    await_release()
    assert log[:2] == ["set", "second is old"]
    assert sorted(log[2:]) == ["first", "second"]
    variables.clear()
    collect()
    assert log[4:] == ["third"]


def test_an_observation_does_not_keep_its_observable_alive():
    messenger = Messenger()
    released = weakref.ref(messenger)
    observation = messenger.observe(print)
    del messenger
    await_release()
    assert released() is None
    assert "ended" in repr(observation)


def test_a_message_is_released_after_the_send():
    messenger = Messenger()
    messenger.observe(lambda message: None)
    message = Handler()
    released = weakref.ref(message)
    messenger.send(message)
    del message
    await_release()
    assert released() is None


def test_a_queued_message_is_released_after_its_delivery():
    messenger = Messenger()
    released = []

    def handler(message):
        if message == "start":
            for _ in range(10):
                queued = Handler()
                released.append(weakref.ref(queued))
                messenger.send(queued)

    messenger.observe(handler)
    messenger.send("start")
    await_release()
    assert [each() for each in released] == [None] * 10


def test_a_variable_releases_what_it_no_longer_holds():
    one, other = Handler(), Handler()
    released = weakref.ref(one), weakref.ref(other)
    variable = Var(one)
    del one
    assert variable.value is released[0]()
    variable.value = other
    del other
    await_release()
    assert released[0]() is None
    assert released[1]() is not None
    del variable
    await_release()
    assert released[1]() is None


def test_reading_a_variable_does_not_leak():
    class Value:
        pass

    value = Value()
    variable = Var(value)
    for _ in range(100):
        assert variable.value is value
    assert variable.update(lambda same: same) is value
    released = weakref.ref(value)
    del value, variable
    await_release()
    assert released() is None


def test_a_transform_that_is_resurrected_is_dead_but_harmless():
    graveyard = []

    class Risen:
        def __del__(self):
            graveyard.append(self.messenger)

    messenger = Messenger()
    risen = Risen()
    risen.messenger, messenger._risen = messenger, risen
    observation = messenger.observe(print)
    del risen, messenger
    collect()
    (messenger,) = graveyard
    assert not observation.is_living
    with pytest.raises(ValueError):
        messenger.send(1)
    with pytest.raises(ValueError):
        messenger.observe(print)
    with pytest.raises(ValueError):
        messenger.map(str)
    graveyard.clear()
    del messenger


def test_an_object_is_initialised_once():
    for each in (Messenger(), Observer()):
        with pytest.raises(RuntimeError, match="initialised already"):
            each.__init__()
    variable = Var(1)
    with pytest.raises(RuntimeError, match="initialised already"):
        variable.__init__(2)
    assert variable.value == 1


def test_an_object_that_was_never_initialised_can_be_dropped():
    for kind in (Messenger, Var, Observer):
        kind.__new__(kind)


def test_many_observations_leave_nothing():
    messenger = Messenger()
    observations = [messenger.observe(Handler()) for _ in range(1000)]
    released = [weakref.ref(each._handler) for each in observations]
    for observation in observations[::2]:
        observation.stop()
    await_release()
    assert [each() is None for each in released] == [True, False] * 500
    del messenger
    await_release()
    assert all(each() is None for each in released)
    assert not any(map(Observation.is_living.fget, observations))


@pytest.mark.parametrize("observer_first", [True, False])
def test_an_observer_and_an_observable_that_die_together_leave_nothing(observer_first):
    # PyPy clears what refers weakly to both before it finalises the first; the fixture looks what is left.
    kinds = (Observer, Messenger) if observer_first else (Messenger, Observer)
    for _ in range(20):
        pair = {kind: kind() for kind in kinds}
        pair[Observer].observe(pair[Messenger], [].append)
        pair[Observer].observe(pair[Messenger].map(str), [].append, keep=True)


class Dial:
    turned = Var.attribute(0)


def _turn_to_text(dial, receive):
    text = Var("")
    text.new().observe(receive)
    return bind(dial.turned.new().map(str), text), text


# Each begins with what only this has: a transform of a variable, or what a function makes of one.
BEGINNINGS = {
    "observe": lambda dial, receive: dial.turned.new().map(str).observe(receive),
    "a decorator": lambda dial, receive: dial.turned.new().map(str).observe()(receive),
    "with options": lambda dial, receive: dial.turned.new().map(str).observe(receive, replay=1, on=lambda job: job()),
    "an observer": lambda dial, receive: (each := Observer(), each.observe(dial.turned.new().map(str), receive)),
    "combined": lambda dial, receive: (
        each := Observer(),
        each.observe_combined((dial.turned.new().map(str), Var(1).new()), lambda one, other: receive(one)),
    ),
    "merge": lambda dial, receive: merge(dial.turned.new().map(str), Messenger().map(str)).observe(receive),
    "combine": lambda dial, receive: (
        combine(dial.turned.new().map(str), Var(1).new()).map(lambda each: each[0]).observe(receive)
    ),
    "from": lambda dial, receive: dial.turned.new().map(str).from_(dial.turned).observe(receive),
    "cache": lambda dial, receive: dial.turned.new().map(str).cache().observe(receive),
    "replaying": lambda dial, receive: dial.turned.new().map(str).replaying(1).observe(receive),
    "events": lambda dial, receive: events(dial).map(lambda change: str(change.message.new)).observe(receive),
    "an attribute": lambda dial, receive: events(dial).turned.new().map(str).observe(receive),
    "bind": _turn_to_text,
    "assert_sent": lambda dial, receive: (each := assert_sent(dial.turned.new().map(str)), each.__enter__()),
}


@pytest.mark.parametrize("begin", BEGINNINGS.values(), ids=BEGINNINGS)
def test_what_is_observed_is_kept_whichever_way_that_begins(begin):
    dial, received = Dial(), []
    kept = begin(dial, received.append)
    received.clear()
    collect()
    dial.turned.value = 5
    assert received == ["5"] or kept[1].messages == ("5",)
    gone = [weakref.ref(dial), weakref.ref(dial.turned)]
    del dial, kept
    collect()
    assert [each() for each in gone] == [None, None]

# SPDX-License-Identifier: MIT
"""What is remembered for those who come late, and the latest message: laws 18 to 20."""

import sys
import threading
import weakref
from ctypes import addressof, byref, c_void_p

import pytest
from hypothesis import given
from hypothesis import strategies as some

from support import Thread, collect, each_kind, join_all
from swiftobserver import HandlerError, Messenger, Observer, Update, Var, combine, derived
from swiftobserver._library import declarations as library
from swiftobserver._values.encoding import encode


@each_kind
def test_all_is_remembered_where_that_is_asked_for(native):
    received = []
    messenger = Messenger(native=native)
    everything = messenger.replaying("all")
    for number in range(1000):
        messenger.send(number)
    Observer().observe(everything, received.append, replay="all")
    assert received == list(range(1000))


@each_kind
def test_what_is_replayed_and_what_follows_name_their_authors(native):
    received = []
    messenger, authors = Messenger(native=native), [Observer(), Observer(), None, Observer()]
    recent = messenger.replaying(2)
    for number in range(3):
        messenger.send(number, author=authors[number])
    observer = Observer()
    observer.observe(recent, lambda message, author: received.append((message, author)), replay="all")
    messenger.send(3, author=authors[3])
    assert received == [(number, authors[number]) for number in (1, 2, 3)]


def test_a_transform_without_an_owner_is_gone_after_its_replay():
    received = []
    Var("value").new().observe(received.append, replay="latest")
    assert received == ["value"]


@each_kind
def test_what_remembers_nothing_is_refused_and_nothing_is_observed(native):
    messenger = Messenger(native=native)
    for each in (messenger, messenger.map(str), Var(1, native=native).new().filter(bool), messenger.merge(messenger)):
        before = each.count
        with pytest.raises(TypeError, match="no latest message"):
            each.observe(print, replay=1)
        assert each.count == before


@pytest.mark.parametrize(
    "replay, error", [(-1, ValueError), (1.5, TypeError), (True, TypeError), ("last", ValueError), ([], TypeError)]
)
def test_a_replay_is_a_number_of_messages(replay, error):
    messenger, variable = Messenger(), Var(1)
    with pytest.raises(error, match="replay must"):
        variable.observe(print, replay=replay)
    with pytest.raises(error, match="count must"):
        messenger.replaying(replay)
    assert variable.observations == ()


@each_kind
def test_begun_inside_a_handler_the_replay_holds_the_message_in_delivery_once(native):
    received = []
    messenger = Messenger(native=native)
    recent = messenger.replaying(5)

    def begin(number):
        if number == 2:
            recent.observe(received.append, replay="all")

    recent.observe(begin)
    for number in (1, 2, 3):
        messenger.send(number)
    assert received == [1, 2, 3]


REMEMBERING = {
    "variable": lambda variable: variable,
    "new value": lambda variable: variable.new(),
    "mapped twice": lambda variable: variable.new().map(lambda number: number).map(lambda number: number),
    "cache": lambda variable: variable.new().cache(0),
    "of a cache": lambda variable: variable.new().cache(0).map(lambda number: number),
    "replaying": lambda variable: variable.new().replaying(3),
    "combined": lambda variable: combine(variable, variable.new().cache(0)),
}


def new_in(message):
    return message.new if isinstance(message, Update) else new_in(message[0]) if isinstance(message, tuple) else message


@each_kind
@pytest.mark.parametrize("kind", REMEMBERING)
def test_what_a_handler_sets_in_its_replay_comes_after_it(native, kind):
    received = []
    variable = Var(0, native=native)
    remembering = REMEMBERING[kind](variable)
    variable.value = 1

    def react(message):
        received.append(("late", new_in(message)))
        if new_in(message) == 1:
            variable.value = 2
            variable.value = 3
            received.append("set")

    remembering.observe(lambda message: received.append(("early", new_in(message))))
    remembering.observe(react, replay="latest")
    following = [(name, number) for number in (2, 3) for name in ("early", "late")]
    if kind == "combined":
        # Asked for the present value (law 21), once more than there are updates.
        following = list(dict.fromkeys(received[2:]))
        assert following[:2] == [("early", 3), ("late", 3)]
    assert list(dict.fromkeys(received)) == [("late", 1), "set", *following]


@each_kind
@pytest.mark.parametrize("kind", ["variable", "new value", "mapped twice", "cache", "derived"])
def test_what_a_handler_sends_again_in_its_replay_comes_after_it(native, kind):
    received = []
    variable = Var(1, native=native and kind != "derived")
    remembering = derived(lambda: variable.value) if kind == "derived" else REMEMBERING[kind](variable)

    def react(message):
        received.append("begun")
        if len(received) == 1:
            remembering.send_latest()
        received.append("ended")

    observation = remembering.observe(react, replay=1)
    assert received == ["begun", "ended"] * 2
    assert observation.is_living


def test_what_a_handler_sets_in_the_replay_of_a_derived_variable_comes_after_it():
    received = []
    variable = Var(1)
    tenfold = derived(lambda: variable.value * 10)

    def react(update):
        received.append(("late", *update))
        if update == (10, 10):
            variable.value = 2
            variable.value = 3
            assert tenfold.value == 30

    tenfold.observe(lambda update: received.append(("early", *update)))
    tenfold.observe(react, replay="latest")
    # Both turns are handled together (law 28).
    assert received == [("late", 10, 10), ("early", 10, 30), ("late", 10, 30)]
    variable.value = 4
    assert received[-2:] == [("early", 30, 40), ("late", 30, 40)]


@each_kind
def test_what_fails_at_others_in_a_replay_is_raised_after_it(native):
    received = []
    variable = Var(0, native=native)

    def react(update):
        received.append(update.new)
        if update.new == 0:
            variable.value = 1

    variable.observe(lambda update: 1 / 0)
    with pytest.raises(HandlerError, match="division by zero"):
        variable.observe(react, replay="latest")
    assert received == [0, 1]


@each_kind
def test_a_cache_replays_the_author_of_what_was_sent_again(native):
    received = []
    messenger, first, second = Messenger(native=native), Observer(), Observer()
    cache = messenger.cache(0)
    messenger.send(1, author=first)
    cache.send_latest(author=second)
    cache.observe(lambda message, author: received.append((message, author)), replay=1)
    cache.send_latest()
    cache.observe(lambda message, author: received.append((message, author)), replay=1)
    assert received == [(1, second), (1, cache), (1, cache)]


@given(some.lists(some.sampled_from(["send", "observe"]), max_size=12), some.integers(0, 4), some.booleans())
def test_every_late_observer_receives_the_last_messages_and_then_all_others(program, most, native):
    messenger = Messenger(native=native)
    recent = messenger.replaying(most)
    late, sent = [], 0
    for step in program:
        if step == "observe":
            received = []
            recent.observe(received.append, replay="all")
            late.append((received, max(0, sent - most)))
        else:
            messenger.send(sent)
            sent += 1
    for received, first in late:
        assert received == list(range(first, sent))


def test_senders_on_other_threads_leave_no_gap_and_nothing_arrives_twice():
    messenger = Messenger()
    everything = messenger.replaying("all")
    everything.observe(lambda number: None)
    received = [[] for _ in range(40)]

    def send():
        for number in range(4000):
            messenger.send(number)

    thread = Thread(send)
    for each in received:
        everything.observe(each.append, replay="all")
    thread.join()
    assert all(each == list(range(4000)) for each in received)


@each_kind
def test_what_fails_in_a_replay_is_raised_and_nothing_has_begun(native):
    messenger = Messenger(native=native)
    recent = messenger.replaying(3)
    messenger.send(0)
    messenger.send(1)
    received = []

    def fail(number):
        received.append(number)
        raise ValueError(f"number {number}")

    with pytest.raises(HandlerError, match="2 failures.*number 0.*number 1"):
        recent.observe(fail, replay="all")
    assert (received, recent.observations) == ([0, 1], ())


@each_kind
def test_a_failure_handler_is_told_what_fails_in_a_replay(native):
    failures = []
    variable = Var(0, native=native)
    variable.failure_handler = failures.append
    observation = variable.observe(lambda update: 1 / update.new, replay=1)
    variable.value = 1
    assert observation.is_living
    assert [type(each.exception) for each in failures] == [ZeroDivisionError]


@each_kind
def test_what_has_no_latest_message_sends_none_again(native):
    with pytest.raises(TypeError, match="no latest message"):
        Messenger(native=native).send_latest()


@each_kind
@pytest.mark.parametrize("make", [lambda source: source.replaying(2), lambda source: source.cache(None)])
def test_what_remembers_keeps_its_source_and_lets_go_of_messages(native, make):
    class Message:
        pass

    messenger = Messenger(native=native)
    remembering, source = make(messenger), weakref.ref(messenger)
    message = Message()
    remembered = weakref.ref(message)
    messenger.send(message)
    del messenger, message
    collect()
    assert source() is not None
    assert remembered() is not None
    del remembering
    collect()
    assert (source(), remembered()) == (None, None)


def test_a_remembered_message_that_knows_its_observable_is_collected():
    messenger = Messenger()
    recent = messenger.replaying(1)
    messenger.send([recent])
    gone = weakref.ref(recent)
    del messenger, recent
    collect()
    assert gone() is None


def made_in_c(make, *arguments):
    """What a C program makes, adopted by Python alone."""
    made = c_void_p()
    assert make(*arguments, byref(made)) == 0
    adopted = Messenger.adopt(made.value)
    library.observable_release(made)
    return adopted


def test_what_c_code_remembers_is_asked_for_and_replayed():
    received, messenger = [], Messenger(native=True)
    initial = encode("initial")
    cache = made_in_c(library.cache, messenger.pointer, addressof(initial))
    recent = made_in_c(library.replay, messenger.pointer, 2)
    assert cache.latest_message == "initial"
    for number in (1, 2, 3):
        messenger.send(number)
    assert cache.latest_message == 3
    cache.observe(received.append, replay="latest")
    recent.observe(received.append, replay="all")
    cache.send_latest()
    assert received == [3, 2, 3, 3]
    with pytest.raises(TypeError, match="no latest message"):
        recent.latest_message


def test_the_replay_ends_with_the_object_of_a_method():
    class Reader:
        def __init__(self, recent, received):
            self.received = received
            recent.observe(self.read, replay="all")

        def read(self, number):
            self.received.append(number)

    received, messenger = [], Messenger()
    recent = messenger.replaying(2)
    messenger.send(1)
    reader = Reader(recent, received)
    messenger.send(2)
    del reader
    collect()
    messenger.send(3)
    assert received == [1, 2]
    assert recent.observations == ()


def busy(observable):
    """Has a thread that sends there wait inside a handler until what is returned is set."""
    begun, go_on = threading.Event(), threading.Event()

    def handler(message):
        begun.set()
        go_on.wait()

    observable.observe(handler)
    return begun, go_on


BUFFERED = {
    "itself": lambda variable: variable,
    "new": lambda variable: variable.new(),
    "mapped": lambda variable: variable.new().map(lambda number: number),
    "cached": lambda variable: variable.new().cache(0),
    "mapped from what is cached": lambda variable: variable.cache(variable.latest_message).new(),
    "combined": lambda variable: combine(variable.new(), Var(0).new()).map(lambda pair: pair[0]),
}


@pytest.mark.parametrize("how", [{}, {"native": True}, {"deferred": True}], ids=["local", "native", "deferred"])
@pytest.mark.parametrize("make", BUFFERED.values(), ids=BUFFERED)
def test_what_is_on_its_way_from_another_thread_is_not_received_after_a_newer_replay(make, how):
    """Where C code can reach it, the replay comes after the message that is just being delivered."""
    if how and make is BUFFERED["combined"]:
        pytest.skip("what is combined from what C code can set is asked for, and not numbered")
    variable, received = Var(0, **how), []
    observable = make(variable)
    begun, go_on = busy(variable)
    first = Thread(lambda: variable.set(1))
    begun.wait()
    # It is visible at once, unless deferred, and waits.
    variable.value = 2
    observation = observable.observe(received.append, replay=1)
    variable.value = 3
    go_on.set()
    first.join()
    variable.value = 4
    numbers = [getattr(each, "new", each) for each in received]
    assert observation.is_living
    assert numbers in ([0, 1, 2, 3, 4], [1, 2, 3, 4], [2, 3, 4])


@pytest.mark.parametrize("how", [{}, {"native": True}, {"deferred": True}], ids=["local", "native", "deferred"])
@pytest.mark.parametrize("make", BUFFERED.values(), ids=BUFFERED)
def test_whoever_sets_meanwhile_a_replay_is_followed_by_what_is_newer_alone(make, how):
    if how and make is BUFFERED["combined"]:
        pytest.skip("what is combined from what C code can set is asked for, and not numbered")
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            variable, outs = Var(0, **how), []
            observable = make(variable)

            def set_all():
                for number in range(1, 60):
                    variable.value = number

            def join():
                for _ in range(8):
                    outs.append([])
                    observable.observe(outs[-1].append, replay=1)

            join_all([Thread(set_all), Thread(join)])
            for received in outs:
                numbers = [getattr(each, "new", each) for each in received]
                assert numbers == list(range(numbers[0], 60))
    finally:
        sys.setswitchinterval(interval)


def test_what_a_cache_sends_again_is_received_after_a_replay_too():
    messenger = Messenger()
    cache, received = messenger.cache(0), []
    messenger.send(1)
    cache.observe(received.append, replay=1)
    cache.send_latest()
    assert received == [1, 1]


@pytest.mark.parametrize("kind", ["paused", "batch", "blocked"])
def test_a_replay_within_a_pause_is_followed_by_what_is_newer_alone(kind):
    variable, received = Var(0), []
    with getattr(variable, kind)():
        variable.value = 1
        variable.observe(received.append, replay=1)
        variable.value = 2
    variable.value = 3
    follows = {"paused": [Update(1, 2)], "batch": [Update(0, 2)], "blocked": []}[kind]
    assert received == [Update(1, 1), *follows, Update(2, 3)]


@each_kind
@pytest.mark.parametrize("make", [lambda variable: variable, lambda variable: variable.new()], ids=["itself", "new"])
def test_what_is_stopped_while_its_replay_waits_receives_nothing(native, make):
    variable, received = Var(0, native=native), []
    observable = make(variable)
    begun, go_on = busy(variable)
    first = Thread(lambda: variable.set(1))
    begun.wait()
    observation = observable.observe(received.append, replay=1)
    had = len(received)
    assert observation.stop()
    go_on.set()
    first.join()
    variable.value = 2
    assert len(received) == had


@each_kind
def test_a_mapper_is_called_once_for_a_replay_and_once_for_what_is_sent_again(native):
    calls = []
    number = Var(1, native=native)
    doubled = number.map(lambda update: calls.append(update.new) or update.new * 2).map(lambda new: new + 1)
    received = []
    doubled.observe(received.append, replay="latest")
    assert (received, calls) == ([3], [1])
    doubled.send_latest()
    assert (received, calls) == ([3, 3], [1, 1])


@each_kind
def test_what_is_combined_is_replayed_and_sent_again_also_mapped(native):
    both = combine(Var(1, native=native).new(), Var(5, native=native).new())
    added = both.map(sum)
    received = []
    both.observe(received.append, replay="latest")
    added.observe(received.append, replay="latest")
    both.send_latest()
    added.send_latest()
    # What is mapped was made before the first handler began.
    assert received == [(1, 5), 6, 6, (1, 5), 6]


@each_kind
def test_a_cache_replays_the_author_and_itself_for_what_nobody_sent(native):
    messenger = Messenger(native=native)
    cache = messenger.cache(0)
    authors = []

    def receive(message, author):
        authors.append(author)

    cache.observe(receive, replay="latest", once=True)
    other = Messenger(native=native)
    messenger.send(1, author=other)
    cache.observe(receive, replay="latest", once=True)
    messenger.send(2)
    cache.observe(receive, replay="latest", once=True)
    assert authors == [cache, other, messenger]

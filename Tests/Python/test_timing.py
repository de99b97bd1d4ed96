# SPDX-License-Identifier: MIT
"""Messages that wait, by the clock of an event loop that needs no time."""

import asyncio
import weakref

import pytest

from clock import Clock, run
from support import Thread, collect, each_kind
from swiftobserver import HandlerError, ManualClock, Messenger, Var, ticks


def timed(transform, sent, native=False, until=20):
    """What a transform passes on, and when, of messages that are sent at some time: on an event loop, and on a clock
    that is turned by hand."""
    received = []

    async def program():
        loop = asyncio.get_running_loop()
        messenger = Messenger(native=native)
        transformed = transform(messenger, None)
        transformed.observe(lambda message, author: received.append((loop.time(), message, author)))
        for time, message in sent:
            loop.call_at(time, lambda message=message: messenger.send(message, author="me"))
        await asyncio.sleep(until)

    run(program())
    assert {author for _, _, author in received} <= {"me"}
    assert received == timed_by_hand(transform, sent, native, until)
    return [(time, message) for time, message, _ in received]


def timed_by_hand(transform, sent, native, until):
    clock, messenger, received = ManualClock(), Messenger(native=native), []
    observation = transform(messenger, clock).observe(
        lambda message, author: received.append((clock.time(), message, author))
    )
    for time, message in sent:
        clock.advance(time - clock.time())
        messenger.send(message, author="me")
    clock.advance(until - clock.time())
    observation.stop()
    assert clock.waiting == 0
    return received


@each_kind
@pytest.mark.parametrize(
    "sent, passed",
    [
        ([], []),
        ([(1, "a")], [(1, "a")]),
        ([(1, "a"), (2, "b"), (3, "c")], [(1, "a"), (4, "c")]),
        ([(1, "a"), (2, "b"), (5, "c")], [(1, "a"), (4, "b"), (7, "c")]),
        ([(1, "a"), (5, "b")], [(1, "a"), (5, "b")]),
        ([(1, "a"), (1, None), (5, "b")], [(1, "a"), (4, None), (7, "b")]),
    ],
)
def test_a_throttle_passes_on_the_first_and_then_the_latest(sent, passed, native):
    assert timed(lambda source, loop: source.throttle(3, loop=loop), sent, native) == passed


@each_kind
@pytest.mark.parametrize(
    "sent, passed",
    [
        ([], []),
        ([(1, "a")], [(3, "a")]),
        ([(1, "a"), (2, "b"), (3, "c")], [(5, "c")]),
        ([(1, "a"), (2, None), (5, "c")], [(4, None), (7, "c")]),
    ],
)
def test_a_debounce_passes_on_the_latest_when_none_has_come_for_a_while(sent, passed, native):
    assert timed(lambda source, loop: source.debounce(2, loop=loop), sent, native) == passed


@each_kind
@pytest.mark.parametrize(
    "sent, passed",
    [
        ([], []),
        ([(1, "a")], [(3, "a")]),
        ([(1, "a"), (1, "b"), (2, "c"), (7, None)], [(3, "a"), (3, "b"), (4, "c"), (9, None)]),
    ],
)
def test_a_delay_passes_each_message_on_later(sent, passed, native):
    assert timed(lambda source, loop: source.delay(2, loop=loop), sent, native) == passed


@each_kind
@pytest.mark.parametrize(
    "sent, passed",
    [
        ([(2, 1), (3, 2), (9, 3)], [(2, 1), (3, 2), (6, "late"), (9, 3), (12, "late")]),
        ([], [(3, "late")]),
    ],
)
def test_a_timeout_says_once_that_none_has_come(sent, passed, native):
    received = []

    async def program():
        loop, messenger = asyncio.get_running_loop(), Messenger(native=native)
        transformed = messenger.timeout(3, "late")
        transformed.observe(lambda message, author: received.append((loop.time(), message, author is transformed)))
        for time, message in sent:
            loop.call_at(time, lambda message=message: messenger.send(message, author="me"))
        await asyncio.sleep(20)

    run(program())
    assert received == [(time, message, message == "late") for time, message in passed]


@pytest.mark.parametrize(
    "sent, passed",
    [
        ([(1, "a"), (2, "b"), (9, "c")], [(4, ["a", "b"]), (12, ["c"])]),
        ([(1, "a"), (1, "b"), (2, "c"), (3, "d")], [(2, ["a", "b", "c"]), (6, ["d"])]),
    ],
)
def test_a_buffer_sends_what_has_come(sent, passed):
    assert timed(lambda source, loop: source.buffer(3, 3, loop=loop), sent) == passed


def test_a_buffer_of_so_many_needs_no_loop():
    messenger, received = Messenger(), []
    messenger.buffer(2).observe(lambda messages, author: received.append((messages, author)))
    for number in range(5):
        messenger.send(number, author=f"by {number}")
    assert received == [([0, 1], "by 1"), ([2, 3], "by 3")]
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="count must"):
            messenger.buffer(wrong)
    with pytest.raises(TypeError, match="buffer must have a count or seconds"):
        messenger.buffer()


def test_what_a_handler_sends_waits_its_time_too():
    received = []

    async def program():
        loop, messenger = asyncio.get_running_loop(), Messenger()
        throttled = messenger.throttle(2)

        @throttled.observe
        def handler(number):
            received.append((loop.time(), number))
            if number < 3:
                messenger.send(number + 1)

        messenger.send(0)
        await asyncio.sleep(20)

    run(program())
    assert received == [(0, 0), (2, 1), (4, 2), (6, 3)]


@pytest.mark.parametrize(
    "make", [lambda source, loop: source.throttle(1, loop=loop), lambda source, loop: source.debounce(1, loop=loop)]
)
def test_messages_of_other_threads_are_passed_on_on_the_loop(make):
    received = []

    async def program():
        loop, messenger = asyncio.get_running_loop(), Messenger()
        transformed, done = make(messenger, loop), loop.create_future()

        @transformed.observe
        def handler(message):
            received.append((message, asyncio.get_running_loop() is loop))
            done.set_result(None)

        thread = Thread(lambda: messenger.send("from afar"))
        await done
        thread.join()

    run(program())
    assert received == [("from afar", True)]


@pytest.mark.parametrize("make", [lambda source: source.throttle(1), lambda source: source.debounce(1)])
def test_what_fails_later_is_told_to_the_loop_or_the_failure_handler(make):
    async def program(failures):
        messenger = Messenger()
        transformed = make(messenger)
        if failures is not None:
            transformed.failure_handler = failures.append
        transformed.observe(lambda number: number and 1 / 0)
        messenger.send(0)
        messenger.send(1)
        await asyncio.sleep(5)

    with pytest.raises(HandlerError, match="division by zero"):
        run(program(None))
    failures = []
    run(program(failures))
    assert [type(each.exception) for each in failures] == [ZeroDivisionError]


def test_what_fails_at_once_is_raised_to_the_sender():
    async def program():
        messenger = Messenger()
        throttled = messenger.throttle(1)
        throttled.observe(lambda number: 1 / number)
        with pytest.raises(HandlerError, match="division by zero"):
            messenger.send(0)

    run(program())


@pytest.mark.parametrize("make", [lambda source: source.throttle(1), lambda source: source.debounce(1)])
def test_a_timer_keeps_nothing_alive(make):
    async def program():
        messenger, received = Messenger(), []
        transformed = make(messenger)
        transformed.observe(received.append, weak=True)
        messenger.send(1)
        messenger.send(2)
        gone = weakref.ref(transformed)
        del transformed, received[:]
        collect()
        assert gone() is None
        await asyncio.sleep(5)
        assert received == []
        assert messenger.count == 0

    run(program())


@pytest.mark.parametrize("kind", ["throttle", "debounce"])
def test_once_its_loop_is_closed_each_send_says_so(kind):
    messenger, loop = Messenger(), Clock()
    observation = getattr(messenger, kind)(1, loop=loop).observe(print)
    loop.close()
    for _ in range(2):
        with pytest.raises(HandlerError, match=f"RuntimeError: {kind} made at .* event loop is closed"):
            messenger.send(1)
    observation.stop()
    messenger.send(1)


@pytest.mark.parametrize(
    "seconds, error",
    [
        (0, ValueError),
        (-1, ValueError),
        (float("nan"), ValueError),
        (float("inf"), ValueError),
        ("1", TypeError),
        (True, TypeError),
    ],
)
def test_a_time_is_a_positive_number(seconds, error):
    loop = Clock()
    for transform in (Messenger().throttle, Var(1).debounce):
        with pytest.raises(error, match="seconds must"):
            transform(seconds, loop=loop)
    loop.close()


def test_without_a_loop_there_is_no_time():
    with pytest.raises(RuntimeError, match="no event loop is running: give one as loop="):
        Messenger().throttle(1)
    with pytest.raises(TypeError, match="loop must be an event loop, a ManualClock or None, not int"):
        Messenger().debounce(1, loop=5)


def elsewhere(function, *arguments):
    """Calls a function on another thread; it has returned when this does."""
    Thread(lambda: function(*arguments)).join()


@each_kind
def test_the_loop_takes_what_all_threads_have_sent_in_the_order_in_which_they_sent_it(native):
    async def program(make, received):
        messenger = Messenger(native=native)
        transformed = make(messenger)
        transformed.observe(received.append)
        messenger.send(0)
        for number in range(1, 9, 2):
            elsewhere(messenger.send, number)
            messenger.send(number + 1)
        elsewhere(messenger.send, 9)
        await asyncio.sleep(10)

    calm, few = [], []
    run(program(lambda source: source.debounce(2), calm))
    run(program(lambda source: source.throttle(2), few))
    assert (calm, few) == ([9], [0, 9])


@each_kind
def test_a_debounced_variable_ends_with_its_value_whoever_sets_it_last(native):
    async def program():
        variable, received = Var(0, native=native), []
        debounced = variable.new().debounce(1)
        debounced.observe(received.append)
        elsewhere(variable.set, 1)
        variable.value = 2
        await asyncio.sleep(5)
        variable.value = 3
        elsewhere(variable.set, 4)
        await asyncio.sleep(5)
        assert received == [2, 4]

    run(program())


def test_what_another_thread_has_sent_fails_in_its_own_place():
    """It is taken by a send on the loop, which is not what failed."""

    async def program(failures):
        messenger = Messenger()
        asyncio.get_running_loop().set_exception_handler(lambda loop, what: failures.append(what["exception"]))
        throttled = messenger.throttle(1)
        throttled.observe(lambda number: 1 / number)
        elsewhere(messenger.send, 0)
        messenger.send(1)
        assert [type(each) for each in failures] == [HandlerError]

    run(program([]))


@pytest.mark.parametrize(
    "options, passed",
    [
        ({}, [(0, 1), (3, 3), (6, 4)]),
        ({"latest": False}, [(0, 1), (5, 4)]),
        ({"first": False}, [(3, 3), (8, 4)]),
    ],
)
@each_kind
def test_a_throttle_passes_on_the_first_or_the_latest_or_both(options, passed, native):
    sent = [(0, 1), (1, 2), (2, 3), (5, 4)]
    assert timed(lambda source, loop: source.throttle(3, loop=loop, **options), sent, native) == passed


def test_a_throttle_that_passes_on_nothing_is_refused():
    with pytest.raises(ValueError, match="a throttle must pass on the first message, or the latest one, or both"):
        Messenger().throttle(1, first=False, latest=False, loop=ManualClock())


TIMED = [
    lambda source, loop: source.debounce(2, loop=loop),
    lambda source, loop: source.delay(2, loop=loop),
    lambda source, loop: source.throttle(2, first=False, loop=loop),
    lambda source, loop: source.buffer(9, 2, loop=loop),
]


@each_kind
@pytest.mark.parametrize("make", TIMED)
def test_what_waits_ends_with_the_last_observation_and_nothing_waits_unobserved(make, native):
    clock, messenger, received = ManualClock(), Messenger(native=native), []
    transformed = make(messenger, clock)
    messenger.send(1)
    assert clock.waiting == 0
    first = transformed.observe(received.append)
    second = transformed.observe(received.append)
    messenger.send(2)
    first.stop()
    assert clock.waiting == 1
    second.stop()
    assert clock.waiting == 0
    third = transformed.observe(received.append)
    clock.advance(9)
    assert received == []
    messenger.send(3)
    clock.advance(9)
    assert received in ([3], [[3]])
    third.stop()


@pytest.mark.parametrize("make", TIMED)
def test_on_a_loop_what_waits_ends_with_the_last_observation(make):
    received = []

    async def program():
        messenger = Messenger()
        transformed = make(messenger, None)
        observation = transformed.observe(received.append)
        messenger.send(1)
        elsewhere(observation.stop)
        again = transformed.observe(received.append)
        await asyncio.sleep(9)
        assert received == []
        messenger.send(2)
        await asyncio.sleep(9)
        again.stop()

    run(program())
    assert received in ([2], [[2]])


@each_kind
def test_what_is_due_at_the_same_time_comes_in_the_order_in_which_it_began_to_wait(native):
    clock, received = ManualClock(), []
    messengers = [Messenger(native=native) for _ in range(3)]
    observations = [
        each.delay(2 - number, loop=clock).observe(received.append) for number, each in zip((0, 1, 0.5), messengers)
    ]
    messengers[0].send("at 0")
    clock.advance(0.5)
    messengers[2].send("at 0.5")
    clock.advance(0.5)
    messengers[1].send("at 1")
    clock.advance(1)
    assert received == ["at 0", "at 0.5", "at 1"]
    for each in observations:
        each.stop()


@each_kind
def test_what_one_passes_on_the_next_one_takes_at_that_time(native):
    clock, messenger, other, received = ManualClock(), Messenger(native=native), Messenger(native=native), []
    chain = messenger.delay(1, loop=clock).throttle(2, loop=clock).delay(3, loop=clock)
    for each in (chain, other.timeout(2, "none", loop=clock)):
        each.observe(lambda message: received.append((clock.time(), message)))
    messenger.send("a")
    # Over all that is due at once, with something else due in between.
    clock.advance(10)
    assert received == [(2, "none"), (4, "a")]


def test_what_comes_while_delayed_messages_are_passed_on_puts_none_off():
    def delayed_with_an_answer(source, clock):
        delayed = source.delay(4, loop=clock)
        delayed.observe(lambda message: source.send("answer", author="me") if message == "a" else None)
        return delayed

    assert timed(delayed_with_an_answer, [(0, "a"), (1, "b")]) == [(4, "a"), (5, "b"), (8, "answer")]


@each_kind
def test_each_delayed_message_has_its_place_among_all_that_is_due(native):
    clock, first, second, received = ManualClock(), Messenger(native=native), Messenger(native=native), []
    first.delay(4, loop=clock).observe(received.append)
    second.delay(4, loop=clock).observe(received.append)
    for messenger, text in ((first, "a"), (second, "b"), (first, "c"), (first, "d"), (second, "e")):
        messenger.send(text)
    clock.advance(4)
    assert received == ["a", "b", "c", "d", "e"]


@each_kind
def test_a_throttle_waits_only_with_a_message(native):
    clock, messenger, received = ManualClock(), Messenger(native=native), []
    throttled = messenger.throttle(3, loop=clock)
    throttled.observe(received.append)
    messenger.send(1)
    assert clock.waiting == 0
    messenger.send(2)
    assert clock.waiting == 1
    clock.advance(3)
    assert (received, clock.waiting) == ([1, 2], 0)


@each_kind
@pytest.mark.parametrize("first", [False, True])
def test_a_throttle_that_is_observed_anew_begins_anew(first, native):
    clock, messenger, received = ManualClock(), Messenger(native=native), []
    throttled = messenger.throttle(3, first=first, loop=clock)
    observation = throttled.observe(lambda message: None)
    messenger.send(1)
    messenger.send(2)
    observation.stop()
    clock.advance(2)
    throttled.observe(lambda message: received.append((clock.time(), message)))
    messenger.send(3)
    clock.advance(4)
    assert received == [(2 if first else 5, 3)]


def test_what_a_handler_sends_waits_from_the_time_that_the_clock_shows_it():
    clock, messenger, received = ManualClock(), Messenger(), []

    def handler(number):
        received.append((clock.time(), number))
        if number < 3:
            messenger.send(number + 1)
            # Further, when this is over.
            clock.advance(1)

    with messenger.delay(2, loop=clock).observe(handler):
        messenger.send(0)
        clock.advance(7)
    assert received == [(2, 0), (4, 1), (6, 2), (8, 3)]
    assert clock.time() == 10


def test_a_failure_is_raised_where_the_clock_is_turned_and_keeps_nothing_else_from_its_time():
    clock, received = ManualClock(), []
    one, other = Messenger(), Messenger()
    failing = one.delay(1, loop=clock).observe(lambda number: 1 / number)
    with failing, other.delay(2, loop=clock).observe(received.append):
        one.send(0)
        other.send("still")
        with pytest.raises(HandlerError, match="division by zero"):
            clock.advance(3)
        assert (received, clock.time()) == (["still"], 3)


def test_threads_may_send_while_the_clock_is_turned():
    clock, messenger, received = ManualClock(), Messenger(), []
    with messenger.delay(1, loop=clock).observe(received.append):
        threads = [Thread(lambda: [messenger.send(number) for number in range(200)]) for _ in range(2)]
        for _ in range(50):
            clock.advance(0.5)
        for each in threads:
            each.join()
        clock.advance(2)
    assert sorted(received) == sorted([*range(200)] * 2)


@pytest.mark.parametrize(
    "seconds, error", [(-1, ValueError), (float("nan"), ValueError), (float("inf"), ValueError), ("1", TypeError)]
)
def test_a_clock_is_turned_by_a_number_of_seconds(seconds, error):
    clock = ManualClock()
    with pytest.raises(error, match="seconds must"):
        clock.advance(seconds)
    assert repr(clock) == "<ManualClock at 0, 0 waiting>"


def test_ticks_count_the_intervals_since_they_are_observed():
    clock, received = ManualClock(), []
    every_two = ticks(2, loop=clock)
    clock.advance(3)
    assert clock.waiting == 0
    first = every_two.observe(lambda count: received.append((clock.time(), count)))
    clock.advance(5)
    second = every_two.observe(lambda count: received.append((clock.time(), "too", count)))
    first.stop()
    clock.advance(2)
    second.stop()
    assert clock.waiting == 0
    third = every_two.observe(lambda count: received.append((clock.time(), "again", count)))
    clock.advance(2)
    third.stop()
    assert received == [(5, 1), (7, 2), (9, "too", 3), (12, "again", 1)]
    with pytest.raises(ValueError, match="seconds must be positive"):
        ticks(0, loop=clock)


def test_ticks_of_a_loop_that_is_late_are_sent_as_one():
    received = []

    async def program():
        loop = asyncio.get_running_loop()

        def handler(count):
            received.append((loop.time(), count))
            if count == 2:
                # As if it took three seconds.
                loop._clock.now += 3

        every_second = ticks(1)
        with every_second.observe(handler):
            await asyncio.sleep(6.5)

    run(program())
    assert received == [(1, 1), (2, 2), (5, 5), (6, 6)]

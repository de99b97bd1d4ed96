# SPDX-License-Identifier: MIT
"""Messages that wait, by the clock of an event loop that needs no time."""

import asyncio
import weakref

import pytest

from clock import Clock, run
from support import Thread, collect, each_kind
from swiftobserver import HandlerError, Messenger, Var


def timed(transform, sent, native=False, until=20):
    """What a transform passes on, and when, of messages that are sent at some time."""
    received = []

    async def program():
        loop = asyncio.get_running_loop()
        messenger = Messenger(native=native)
        transformed = transform(messenger)
        transformed.observe(lambda message, author: received.append((loop.time(), message, author)))
        for time, message in sent:
            loop.call_at(time, lambda message=message: messenger.send(message, author="me"))
        await asyncio.sleep(until)

    run(program())
    assert {author for _, _, author in received} <= {"me"}
    return [(time, message) for time, message, _ in received]


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
    assert timed(lambda source: source.throttle(3), sent, native) == passed


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
    assert timed(lambda source: source.debounce(2), sent, native) == passed


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
    assert timed(lambda source: source.delay(2), sent, native) == passed


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
    assert timed(lambda source: source.buffer(3, 3), sent) == passed


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
    with pytest.raises(TypeError, match="loop must be an event loop or None, not int"):
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

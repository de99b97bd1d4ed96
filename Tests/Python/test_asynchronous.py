# SPDX-License-Identifier: MIT
"""Messages for `async for` and `await`, handlers on event loops and other threads: laws 7, 9 and 23."""

import asyncio
import os
import queue
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from support import Thread, await_release, collect, each_kind, join_all, run_python
from swiftobserver import HandlerError, Messenger, Observer, Var

run = asyncio.run


async def others_run():
    """Lets the loop do what it has to do."""
    for _ in range(10):
        await asyncio.sleep(0)


@each_kind
async def test_messages_are_iterated_over_in_their_order(native):
    messenger = Messenger(native=native)
    messages = messenger.messages()
    messenger.send(1)
    asyncio.get_running_loop().call_soon(messenger.send, 2)
    asyncio.get_running_loop().call_soon(messenger.send, 3)
    assert [await messages.__anext__() for _ in range(3)] == [1, 2, 3]


@each_kind
async def test_an_observable_is_iterated_over_until_it_is_left(native):
    messenger = Messenger(native=native)
    received = []

    async def listen():
        async for message in messenger:
            received.append(message)
            if message == 2:
                break

    task = asyncio.create_task(listen())
    await others_run()
    for message in (1, 2, 3):
        messenger.send(message)
    await task
    collect()
    assert (received, messenger.observations) == ([1, 2], ())


async def test_a_weak_iteration_ends_with_the_observable():
    messengers = [Messenger()]
    messages = messengers[0].messages(weak=True)
    messengers[0].send(1)

    def clear():
        messengers.clear()
        await_release()

    asyncio.get_running_loop().call_soon(clear)
    assert [message async for message in messages] == [1]


async def test_a_stopped_iteration_gives_what_has_come_and_ends():
    messenger = Messenger()
    messages = messenger.messages()
    messenger.send(1)
    messages.stop()
    messenger.send(2)
    received = [message async for message in messages]
    await messages.aclose()
    assert (received, messenger.observations) == ([1], ())


async def test_messages_from_other_threads_are_iterated_over():
    messenger = Messenger()
    messages = messenger.messages()
    threads = [Thread(lambda: [messenger.send(number) for number in range(100)]) for _ in range(2)]
    received = [await messages.__anext__() for _ in range(200)]
    join_all(threads)
    assert sorted(received) == sorted([*range(100)] * 2)


async def test_the_oldest_messages_are_dropped_beyond_the_most():
    messenger = Messenger()
    messages = messenger.messages(most=2)
    for number in range(5):
        messenger.send(number)
    messages.stop()
    with pytest.raises(ValueError, match="most"):
        messenger.messages(most=0)
    assert [message async for message in messages] == [3, 4]


@each_kind
async def test_the_next_message_is_awaited(native):
    variable = Var(1, native=native)
    asyncio.get_running_loop().call_soon(variable.set, 2)
    update = await variable.next()
    assert (update, variable.observations) == ((1, 2), ())


async def test_waiting_for_the_next_message_can_be_cancelled():
    messenger = Messenger()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(messenger.next(), 0.01)
    assert messenger.observations == ()


async def test_only_one_waits_for_the_messages_of_one_iterator():
    messenger = Messenger()
    messages = messenger.messages()
    first = asyncio.create_task(messages.__anext__())
    await others_run()
    with pytest.raises(RuntimeError, match="another task"):
        await messages.__anext__()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first


@each_kind
async def test_a_coroutine_function_is_a_handler_on_its_loop(native):
    messenger, log = Messenger(native=native), []

    @messenger.observe
    async def handler(message, author):
        log.append(("begin", message, author))
        await asyncio.sleep(0)
        log.append(("end", message, author))

    messenger.send(1)
    messenger.send(2, author="me")
    assert log == []
    await others_run()
    assert log == [("begin", 1, messenger), ("end", 1, messenger), ("begin", 2, "me"), ("end", 2, "me")]
    log.clear()


def test_a_coroutine_function_needs_a_loop():
    async def handler(message):
        pass

    with pytest.raises(TypeError, match="must not be a coroutine function"):
        Messenger().observe(handler)
    with pytest.raises(TypeError, match="on must be an event loop for a coroutine function"):
        Messenger().observe(handler, on=print)


def test_a_program_without_asyncio_has_no_loop():
    result = run_python(
        """
        import sys
        from swiftobserver import Messenger

        async def handler(message):
            pass

        try:
            Messenger().observe(handler)
        except TypeError as error:
            print(error)
        print("asyncio" in sys.modules)
        """
    )
    assert (result.stdout, result.stderr) == (
        "handler must not be a coroutine function: handler would never be awaited\nFalse\n",
        "",
    )


async def test_nothing_that_waits_for_a_loop_arrives_after_stop():
    messenger, received = Messenger(), []

    async def handler(message):
        received.append(message)
        await asyncio.sleep(0)

    observations = [messenger.observe(handler), messenger.observe(received.append, on=asyncio.get_running_loop())]
    messenger.send(1)
    for observation in observations:
        observation.stop()
    await others_run()
    assert received == []


async def test_a_coroutine_that_is_cancelled_ends_its_observation():
    messenger, received = Messenger(), []

    async def handler(message):
        received.append(message)
        asyncio.current_task().cancel()
        await asyncio.sleep(0)

    observation = messenger.observe(handler)
    messenger.send(1)
    messenger.send(2)
    await others_run()
    assert (received, observation.is_living) == ([1], False)


async def test_a_handler_is_called_on_the_loop_that_is_named():
    messenger, received = Messenger(), []
    loop = asyncio.get_running_loop()
    messenger.observe(lambda message: received.append((message, threading.get_ident())), on=loop)
    await loop.run_in_executor(None, lambda: [messenger.send(number) for number in range(3)])
    await others_run()
    assert received == [(number, threading.get_ident()) for number in range(3)]


def test_a_queue_brings_messages_to_the_thread_that_takes_its_jobs():
    jobs, received = queue.SimpleQueue(), []
    messenger, observer = Messenger(), Observer()
    observer.observe(messenger, lambda message: received.append((message, threading.get_ident())), on=jobs.put)
    Thread(lambda: [messenger.send(number) for number in range(3)]).join()
    assert received == []
    for _ in range(3):
        jobs.get()()
    assert received == [(number, threading.get_ident()) for number in range(3)]


def test_a_pool_of_threads_calls_a_handler_with_one_message_at_a_time_in_order():
    received, inside, most = [], [], []
    messenger = Messenger()

    def handler(number):
        inside.append(number)
        most.append(len(inside))
        received.append(number)
        inside.pop()

    with ThreadPoolExecutor(3) as pool:
        messenger.observe(handler, on=pool.submit)
        for number in range(500):
            messenger.send(number)
    assert received == list(range(500))
    assert set(most) == {1}


def test_stop_and_wait_waits_for_a_handler_elsewhere():
    entered, leave = threading.Event(), threading.Event()
    finished = []
    messenger = Messenger()

    def handler(message):
        entered.set()
        assert leave.wait()
        finished.append(message)

    def leave_when_stopped():
        while observation.is_living:
            os.sched_yield()
        leave.set()

    with ThreadPoolExecutor(1) as pool:
        observation = messenger.observe(handler, on=pool.submit)
        messenger.send(1)
        messenger.send(2)
        assert entered.wait()
        leaving = Thread(leave_when_stopped)
        observation.stop(wait=True)
        assert finished == [1]
        leaving.join()
    assert finished == [1]


def test_waiting_for_a_handler_elsewhere_ends_with_the_time():
    entered, leave = threading.Event(), threading.Event()
    messenger = Messenger()

    def handler(message):
        entered.set()
        assert leave.wait()

    with ThreadPoolExecutor(1) as pool:
        observation = messenger.observe(handler, on=pool.submit)
        messenger.send(1)
        assert entered.wait()
        try:
            with pytest.raises(TimeoutError, match="handler"):
                observation.stop(timeout=0)
        finally:
            leave.set()
        assert observation.stop(wait=True) is False


def test_a_handler_elsewhere_may_stop_and_wait_for_itself():
    received = []
    messenger = Messenger()
    jobs = []

    def handler(message):
        received.append(message)
        observation.stop(wait=True)

    observation = messenger.observe(handler, on=jobs.append)
    messenger.send(1)
    messenger.send(2)
    for job in jobs:
        job()
    assert received == [1]


def test_what_fails_elsewhere_is_told_to_what_runs_the_job():
    jobs, received = [], []
    messenger = Messenger()

    def handler(message):
        received.append(message)
        raise ValueError(message)

    messenger.observe(handler, on=jobs.append)
    messenger.send(1)
    messenger.send(2)
    with pytest.raises(HandlerError, match="2 failures: handler .*ValueError: 1.*ValueError: 2"):
        jobs[0]()
    jobs[1]()
    assert received == [1, 2]


async def test_what_fails_on_a_loop_is_told_to_the_failure_handler_or_the_loop():
    told = []
    messenger = Messenger()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: told.append(context["message"]))

    async def fail(message):
        raise ValueError(message)

    messenger.observe(fail)
    messenger.observe(lambda message: 1 / 0, on=loop)
    messenger.send("reason")
    await others_run()
    messenger.failure_handler = lambda failure: told.append(str(failure))
    messenger.send("other reason")
    await others_run()
    assert sorted(each.rpartition(": ")[2] for each in told) == [
        "division by zero",
        "division by zero",
        "other reason",
        "reason",
    ]
    assert all("of Messenger made at" in each for each in told)


def test_a_loop_that_is_closed_ends_the_observation():
    messenger = Messenger()
    loop = asyncio.new_event_loop()
    observation = messenger.observe(print, on=loop)
    loop.close()
    messenger.send(1)
    assert not observation.is_living


@pytest.mark.parametrize("start", [lambda send: send(), lambda send: Thread(send).join()], ids=["here", "elsewhere"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_loop_that_is_closed_while_a_task_waits_ends_the_iteration(start):
    messenger = Messenger()
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)  # A task is pending at its end.

    async def take():
        await messenger.messages().__anext__()

    task = loop.create_task(take())
    loop.run_until_complete(others_run())
    (observation,) = messenger.observations
    loop.close()
    start(lambda: messenger.send(1))
    assert not observation.is_living
    assert not task.done()


@pytest.mark.parametrize("place", [5, "loop", object()])
def test_a_place_is_a_loop_or_a_function(place):
    messenger = Messenger()
    with pytest.raises(TypeError, match="on must be"):
        messenger.observe(print, on=place)
    assert messenger.observations == ()


async def test_an_iterator_that_is_gone_observes_no_more():
    messenger = Messenger()
    messages = messenger.messages()
    gone = weakref.ref(messages)
    del messages
    collect()
    assert (gone(), messenger.observations) == (None, ())


def test_a_failure_handler_that_fails_does_not_keep_later_messages_from_a_job():
    jobs, received = [], []
    messenger = Messenger()

    def receive(message):
        if message == 1:
            raise ValueError
        received.append(message)

    def give_up(failure):
        raise RuntimeError("reason")

    messenger.failure_handler = give_up
    observation = messenger.observe(receive, on=jobs.append)
    messenger.send(1)
    with pytest.raises(HandlerError, match="failure handler .*give_up .*RuntimeError: reason"):
        jobs.pop()()
    messenger.send(2)
    jobs.pop()()
    assert (received, observation.is_living) == ([2], True)


async def test_a_coroutine_that_ends_with_any_exception_does_not_keep_later_messages_away():
    class Unusual(BaseException):
        pass

    told, received = [], []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context["exception"]))
    messenger = Messenger()

    @messenger.observe
    async def receive(message):
        received.append(message)
        if message == 1:
            raise Unusual
        if message == 2:
            inner = asyncio.ensure_future(asyncio.sleep(0))
            inner.cancel()
            await inner

    for message in range(1, 4):
        messenger.send(message)
        await others_run()
    assert (received, receive.is_living) == ([1, 2, 3], True)
    assert [type(each) for each in told] == [Unusual, asyncio.CancelledError]


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_a_coroutine_that_ends_the_loop_does_not_keep_later_messages_away(end):
    received = []
    messenger = Messenger()
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)  # A task ends with an exception that no code takes.

    async def receive(message):
        received.append(message)
        if message == 1:
            raise end

    async def begin():
        messenger.observe(receive)
        for message in range(1, 4):
            messenger.send(message)

    loop.run_until_complete(begin())
    with pytest.raises(end):
        loop.run_until_complete(others_run())
    assert received == [1]
    loop.run_until_complete(others_run())
    assert received == [1, 2, 3]
    loop.close()


def test_a_message_that_an_executor_refuses_is_not_delivered_later():
    received, jobs = [], queue.Queue(1)
    messenger = Messenger()
    messenger.observe(received.append, on=jobs.put_nowait)
    messenger.send(1)
    with pytest.raises(HandlerError, match="Full"):
        messenger.send(2)
    jobs.get()()
    messenger.send(3)
    jobs.get()()
    assert received == [1, 3]


async def test_what_is_iterated_is_kept():
    variable = Var(0)
    asyncio.get_running_loop().call_soon(setattr, variable, "value", 1)
    async for value in variable.new().map(str):
        break
    assert value == "1"


class Inline:
    """An executor that runs a job on the thread that submits it, and tells of its failures."""

    def submit(self, job):
        job()


PLACES = {
    "a lambda": lambda: lambda job: job(),
    "submit": lambda: Inline().submit,
    "now or later": lambda: lambda job: job() if threading.current_thread() is threading.main_thread() else None,
    "wrapped": lambda: wrapping,
}


def wrapping(job):
    try:
        job()
    except ValueError as error:
        raise LookupError("wrapped") from error


@each_kind
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("kind", [ValueError, SystemExit, KeyboardInterrupt])
def test_what_fails_in_a_job_that_runs_at_once_is_raised_by_the_send(native, place, kind):
    messenger, received = Messenger(native=native), []

    def handler(message):
        raise kind("reason")

    messenger.observe(handler, on=place())
    messenger.observe(received.append)
    if not issubclass(kind, Exception):
        with pytest.raises(kind):
            messenger.send(1)
    else:
        with pytest.raises(HandlerError) as caught:
            messenger.send(1)
        (failure,) = caught.value.failures
        assert "handler" in failure.function
        assert kind in (type(failure.exception), type(failure.exception.__cause__))
    assert received == [1]
    messenger.stop_observing(handler)
    messenger.send(2)


def test_what_an_executor_raises_after_a_job_that_ran_at_once_is_raised():
    messenger, received = Messenger(), []

    def run_and_fail(job):
        job()
        raise OSError("afterwards")

    messenger.observe(received.append, on=run_and_fail)
    with pytest.raises(HandlerError, match="OSError: afterwards"):
        messenger.send(1)
    assert received == [1]


def test_an_interrupt_in_an_executor_is_raised_whoever_has_taken_the_message():
    messenger, received, jobs = Messenger(), [], []

    def put(job):
        jobs.append(job)
        if len(jobs) == 2:
            jobs[0]()
            raise KeyboardInterrupt

    messenger.observe(received.append, on=put)
    messenger.send(1)
    with pytest.raises(KeyboardInterrupt):
        messenger.send(2)
    assert received == [1, 2]


def test_a_job_that_is_refused_when_an_earlier_one_has_taken_its_message_is_no_failure():
    messenger, received, jobs = Messenger(), [], []

    def put(job):
        jobs.append(job)
        if len(jobs) == 2:
            jobs[0]()
            raise queue.Full

    messenger.observe(received.append, on=put)
    messenger.send(1)
    messenger.send(2)
    assert received == [1, 2]


def test_a_failure_handler_gets_what_fails_in_a_job_that_runs_at_once():
    messenger, failures = Messenger(), []
    messenger.failure_handler = failures.append
    messenger.observe(lambda number: 1 / number, on=lambda job: job())
    messenger.send(0)
    assert [type(each.exception) for each in failures] == [ZeroDivisionError]


@each_kind
async def test_stop_and_wait_waits_for_a_coroutine_that_is_suspended(native):
    messenger, log = Messenger(native=native), []
    go_on, begun = asyncio.Event(), asyncio.Event()

    @messenger.observe
    async def handle(message):
        begun.set()
        await go_on.wait()
        log.append("finished")

    messenger.send(1)
    messenger.send(2)
    await begun.wait()
    stopping = threading.Event()

    def stop():
        stopping.set()
        handle.stop(wait=True)
        log.append("stopped")

    with pytest.raises(TimeoutError, match="handle.*is still running after 0.01 seconds"):
        await asyncio.get_running_loop().run_in_executor(None, handle.stop, True, 0.01)
    thread = Thread(stop)
    while not stopping.is_set():
        await asyncio.sleep(0)
    assert log == []
    go_on.set()
    while thread.is_alive():
        await asyncio.sleep(0)
    thread.join()
    assert log == ["finished", "stopped"]


async def test_on_the_thread_of_the_loop_nothing_waits_for_a_coroutine():
    messenger, log = Messenger(), []
    go_on, begun = asyncio.Event(), asyncio.Event()

    @messenger.observe
    async def handle(message):
        begun.set()
        assert handle.stop(wait=True)
        await go_on.wait()
        log.append("finished")

    messenger.send(1)
    messenger.send(2)
    await begun.wait()
    assert not handle.stop(wait=True)
    assert log == []
    go_on.set()
    await others_run()
    assert log == ["finished"]


@pytest.mark.parametrize("end", ["cancelled", "closed"])
@pytest.mark.filterwarnings("ignore")
def test_stop_and_wait_does_not_wait_for_a_loop_that_is_closed(end):
    messenger, loop = Messenger(), asyncio.new_event_loop()
    begun = threading.Event()

    async def handle(message):
        begun.set()
        await asyncio.sleep(10**6)

    observation = messenger.observe(handle, on=loop)
    messenger.send(1)
    loop.call_soon(lambda: begun.is_set())
    while not begun.is_set():
        loop.run_until_complete(asyncio.sleep(0))
    if end == "cancelled":
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    Thread(lambda: observation.stop(wait=True)).join()
    assert not observation.is_living

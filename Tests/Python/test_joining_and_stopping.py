# SPDX-License-Identifier: MIT
"""Who receives a message when observations begin and end around it: laws 6, 7, 9 and 10."""

import functools
import threading

import pytest

from support import Thread, hearing, join_all, run_python
from swiftobserver import Messenger


def test_stopping_twice_is_harmless():
    messenger = Messenger()
    observation = messenger.observe(print)
    assert observation.stop() is True
    assert observation.stop() is False
    assert observation.stop(wait=True) is False


def test_an_observation_ends_with_its_block():
    received = []
    messenger = Messenger()
    with messenger.observe(received.append) as observation:
        messenger.send(1)
        assert observation.is_living
    messenger.send(2)
    assert received == [1]


def test_an_observation_ends_with_its_block_when_the_block_fails():
    messenger = Messenger()
    with pytest.raises(ZeroDivisionError):
        with messenger.observe(print) as observation:
            1 / 0
    assert not observation.is_living


def test_stop_and_wait_returns_when_the_handler_has_returned():
    running, may_return = threading.Event(), threading.Event()
    log = []
    messenger = Messenger()

    def work(message):
        running.set()
        assert may_return.wait()
        log.append("handled")

    observation = messenger.observe(work)
    sender = Thread(lambda: messenger.send("message"))
    assert running.wait()

    def stop():
        # Without the wait this log entry would come first: the handler cannot return before.
        observation.stop(wait=True)
        log.append("stopped")

    stopper = Thread(stop)
    while observation.is_living:
        pass
    may_return.set()
    stopper.join()
    sender.join()
    assert log == ["handled", "stopped"]


def test_stop_without_wait_returns_while_the_handler_is_running():
    running, may_return = threading.Event(), threading.Event()
    messenger = Messenger()

    def work(message):
        running.set()
        assert may_return.wait()

    observation = messenger.observe(work)
    sender = Thread(lambda: messenger.send("message"))
    assert running.wait()
    assert observation.stop()
    assert not observation.is_living
    may_return.set()
    sender.join()


def test_the_decorated_name_is_the_observation():
    received = []
    messenger = Messenger()

    @messenger.observe
    def without(message):
        received.append(("without", message))

    @messenger.observe()
    def with_parentheses(message):
        received.append(("with", message))

    messenger.send(1)
    without.stop()
    messenger.send(2)
    with_parentheses.stop()
    messenger.send(3)
    assert received == [("without", 1), ("with", 1), ("with", 2)]


def test_an_observation_tells_what_it_is():
    def handler(message):
        pass

    messenger = Messenger()
    observation = messenger.observe(handler)
    assert "handler" in repr(observation)
    assert "Messenger made at" in repr(observation)
    assert "test_joining_and_stopping.py:" in repr(observation)
    observation.stop()
    assert "ended" in repr(observation)
    assert "test_joining_and_stopping.py:" in repr(observation)


@pytest.mark.parametrize("place", ["in the send", "on a thread of its own", "while another handler waits"])
def test_an_interrupt_ends_the_waiting_for_a_handler_and_nothing_is_left(place):
    # The interrupt comes while the main thread is about to wait, just before it falls asleep, or later. The handler
    # returns only after that.
    result = run_python(
        """
        import os, signal, sys
        from threading import Event, Thread
        from swiftobserver import Messenger
        # A process in the background ignores it otherwise.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # What waits is imported.
        Messenger().observe(print).stop(wait=True)
        # Threads take turns at every step, so that it is each of these at times.
        sys.setswitchinterval(1e-6)
        place = (lambda job: Thread(target=job).start()) if "thread" in sys.argv[1] else None
        def call(function):
            function()
        def call_in_a_handler(function):
            another = Messenger()
            with another.observe(lambda message: function()):
                another.send(1)
        call_there = call_in_a_handler if "another" in sys.argv[1] else call
        for _ in range(50):
            messenger, inside, begun, go, returned = Messenger(), Event(), Event(), Event(), Event()
            def handler(message):
                inside.set()
                go.wait()
                returned.set()
            def interrupt():
                begun.wait()
                os.kill(os.getpid(), signal.SIGINT)
            observation = messenger.observe(handler, on=place)
            threads = [Thread(target=messenger.send, args=(1,)), Thread(target=interrupt)]
            threads[0].start()
            inside.wait()
            threads[1].start()
            observation.stop()
            def wait():
                begun.set()
                observation.stop(wait=True)
            try:
                call_there(wait)
            except KeyboardInterrupt:
                print("interrupted", returned.is_set())
            go.set()
            for each in threads:
                each.join()
            returned.wait()
            messenger.send(2)
            while observation._handler is not None:
                # The thread that went on waiting lets go of it.
                pass
            assert not messenger._contexts
        """,
        place,
    )
    assert (result.stdout, result.stderr) == ("interrupted False\n" * 50, "")


def test_two_handlers_that_wait_for_each_other_are_told_apart_by_a_timeout():
    one, other, both_run, told = Messenger(), Messenger(), threading.Barrier(2), []

    def waiting_for(name):
        def handler(message):
            both_run.wait()
            try:
                observations[name].stop(wait=True, timeout=0.05)
            except TimeoutError as error:
                told.append(str(error))

        return handler

    observations = {"one": one.observe(waiting_for("other")), "other": other.observe(waiting_for("one"))}
    threads = [Thread(lambda: one.send(1)), Thread(lambda: other.send(1))]
    join_all(threads)
    while one._contexts or other._contexts:
        # The threads that went on waiting let go of them.
        threading.Event().wait(0.001)
    assert told
    assert all("handler" in each and "still running after 0.05 seconds" in each for each in told)


def test_a_timeout_that_is_no_time_is_refused_and_the_observation_goes_on():
    messenger, received = hearing(Messenger())
    observation = messenger.observe(received.append)
    for timeout in (-1, "1", float("nan"), True):
        with pytest.raises(ValueError, match="timeout must be seconds, 0 or more, or None, not"):
            observation.stop(timeout=timeout)
    messenger.send(1)
    assert received == [1, 1]


class Owner:
    def __init__(self, act):
        self.act = act

    def receive(self, message):
        self.act()

    __call__ = receive


def made(act):
    def handler(message):
        act()

    return handler


each_kind_of_handler = pytest.mark.parametrize(
    "kind",
    [
        lambda act: Owner(act).receive,
        lambda act: functools.partial(Owner.receive, Owner(act)),
        lambda act: functools.lru_cache(made(act)),
        Owner,
        made,
    ],
    ids=["method", "partial", "cached", "object", "function"],
)


@pytest.mark.parametrize("weak", [None, False])
@each_kind_of_handler
def test_a_handler_that_waits_for_itself_with_a_timeout_returns_at_once(kind, weak):
    messenger, results = Messenger(), []
    handler = kind(lambda: results.append(observation.stop(wait=True, timeout=1800)))
    owner = getattr(handler, "__self__", None)
    observation = messenger.observe(handler, **({} if weak is None else {"weak": weak}))
    messenger.send(1)
    assert results == [True]
    del owner


@pytest.mark.parametrize("weak", [None, False])
@each_kind_of_handler
def test_a_handler_of_the_same_lines_is_another(kind, weak):
    # One waits for the other, which runs on another thread: that is no waiting for itself.
    entered, leave, told = threading.Event(), threading.Event(), []
    other = Messenger()

    def stay():
        entered.set()
        assert leave.wait()

    def wait():
        try:
            observation.stop(timeout=0)
        except TimeoutError as error:
            told.append(str(error))

    handlers = [kind(wait), kind(stay)]
    options = {} if weak is None else {"weak": weak}
    one = Messenger()
    one.observe(handlers[0], **options)
    observation = other.observe(handlers[1], **options)
    running = Thread(lambda: other.send(1))
    assert entered.wait()
    try:
        one.send(1)
    finally:
        leave.set()
        running.join()
    assert len(told) == 1 and "still running after 0 seconds" in told[0]
    while other._contexts:
        # The thread that went on waiting lets go of it.
        threading.Event().wait(0.001)


def test_who_calls_a_handler_itself_is_not_inside_it():
    entered, leave, told = threading.Event(), threading.Event(), []
    messenger = Messenger()

    def handler(message):
        if message == "by hand":
            try:
                observation.stop(timeout=0)
            except TimeoutError as error:
                told.append(str(error))
        else:
            entered.set()
            assert leave.wait()

    observation = messenger.observe(handler)
    sender = Thread(lambda: messenger.send("sent"))
    assert entered.wait()
    try:
        handler("by hand")
    finally:
        leave.set()
        sender.join()
    assert len(told) == 1
    while messenger._contexts:
        # The thread that went on waiting lets go of it.
        threading.Event().wait(0.001)

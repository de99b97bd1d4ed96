# SPDX-License-Identifier: MIT
"""Observables that are confined to the thread of a loop: elsewhere a send is refused, or handed over."""

import asyncio
from threading import Thread, get_ident

import pytest

from swiftobserver import HandlerError, Messenger, Var, derived, transaction


def elsewhere(function, *arguments, **options):
    """Calls a function on another thread. Returns what it has raised."""
    raised = []

    def call():
        try:
            function(*arguments, **options)
        except Exception as error:
            raised.append(error)

    thread = Thread(target=call)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def is_refused(function, *arguments, **options):
    error = elsewhere(function, *arguments, **options)
    return type(error) is RuntimeError and "confined to another thread" in str(error)


@pytest.mark.parametrize("native", [False, True])
def test_another_threads_send_is_refused_and_nothing_has_happened(native):
    numbers, received = Messenger(native=native), []
    numbers.confine()
    with numbers.observe(received.append):
        assert is_refused(numbers.send, 1)
        assert is_refused(numbers.send, 2, author="me")
        numbers.send(3)
    assert received == [3]


def test_another_thread_can_read_a_confined_variable_and_not_change_it():
    number, received = Var(1, native=True), []
    number.confine()
    with number.observe(received.append):
        assert is_refused(setattr, number, "value", 2)
        assert is_refused(number.update, lambda old: old + 1)
        assert is_refused(number.send_latest)
        assert is_refused(number.batch().__enter__)
        assert elsewhere(lambda: number.value) is None
        number.value = 5
    assert received == [(1, 5)]


@pytest.mark.parametrize("native", [False, True])
def test_what_is_handed_over_arrives_in_order_on_the_thread_of_the_jobs_by_its_author(native):
    numbers, jobs, received = Messenger(native=native), [], []
    numbers.confine(jobs.append)

    def send_all():
        for number in range(100):
            numbers.send(number, author=send_all)

    with numbers.observe(lambda number, author: received.append((number, author, get_ident()))):
        assert elsewhere(send_all) is None
        assert received == []
        for job in jobs:
            job()
    assert received == [(number, send_all, get_ident()) for number in range(100)]


def test_a_variable_is_set_by_the_job():
    number, jobs = Var("a", native=True), []
    number.confine(jobs.append)
    assert elsewhere(number.set, "b") is None
    assert number.value == "a"
    jobs.pop()()
    assert number.value == "b"


def test_the_job_is_no_part_of_a_transaction_in_which_it_runs():
    jobs, numbers, own = [], Var(0, native=True), Var(0)
    numbers.confine(jobs.append)
    elsewhere(lambda: numbers.set(1))
    with pytest.raises(ValueError), transaction():
        own.value = 1
        jobs.pop()()
        assert numbers.value == 1
        raise ValueError
    assert (numbers.value, own.value) == (1, 0)
    elsewhere(lambda: numbers.set(2))
    assert derived(lambda: jobs.pop()()).value is None
    assert numbers.value == 2


def test_the_job_raises_what_a_handler_has_raised():
    numbers, jobs = Messenger(), []
    numbers.confine(jobs.append)
    with numbers.observe(lambda number: 1 / number):
        assert elsewhere(numbers.send, 0) is None
        with pytest.raises(HandlerError):
            jobs.pop()()


def test_an_event_loop_takes_messages_over():
    received = []

    async def receive():
        numbers = Messenger()
        numbers.confine(asyncio.get_running_loop())
        done = asyncio.Event()
        with numbers.observe(lambda number: (received.append((number, get_ident())), done.set())):
            await asyncio.get_running_loop().run_in_executor(None, numbers.send, 1)
            await done.wait()

    asyncio.run(receive())
    assert received == [(1, get_ident())]


def test_what_refuses_jobs_raises_in_the_send():
    def refuse(job):
        raise BufferError("full")

    numbers = Messenger()
    numbers.confine(refuse)
    with numbers.observe(print):
        assert type(elsewhere(numbers.send, 1)) is BufferError


def test_what_cannot_be_confined_says_why():
    with pytest.raises(TypeError, match="native=True"):
        Var(1).confine()
    with pytest.raises(TypeError, match="deferred"):
        Var(1, deferred=True).confine()
    with pytest.raises(TypeError, match="its source"):
        Messenger().map(str).confine()
    with pytest.raises(TypeError, match="on must be"):
        Messenger().confine(on=3)
    numbers = Messenger()
    numbers.confine()
    with pytest.raises(RuntimeError, match="confined already"):
        numbers.confine()


@pytest.mark.parametrize("author", [None, "somebody"])
def test_a_pause_that_ends_elsewhere_has_what_waited_sent_at_home(author):
    jobs, received = [], []
    messenger = Messenger()
    messenger.confine(jobs.append)
    messenger.observe(lambda number: received.append((number, get_ident())))
    pause = messenger.paused()
    pause.begin()
    messenger.send(1, author=author)
    assert elsewhere(messenger.send, 2, author=author) is None
    assert elsewhere(pause.end) is None
    assert received == []
    for job in jobs:
        job()
    messenger.send(3)
    assert sorted(received) == [(number, get_ident()) for number in (1, 2, 3)]


def test_what_is_confined_without_a_way_there_refuses_others_within_a_pause_too():
    messenger, received = Messenger(), []
    messenger.confine()
    messenger.observe(received.append)

    pause = messenger.paused()
    pause.begin()
    assert is_refused(messenger.send, 1)
    messenger.send(2)
    assert is_refused(pause.end)
    assert not messenger.is_paused
    messenger.send(3)
    assert received == [3]


def test_what_is_handed_over_lets_go_of_no_author_that_waits_at_home():
    jobs, received = [], []
    messenger = Messenger()
    messenger.confine(jobs.append)

    def press(number, author):
        received.append((number, author))
        if number == 1:
            raise KeyboardInterrupt

    messenger.observe(press)
    with pytest.raises(KeyboardInterrupt):
        with messenger.paused():
            messenger.send(1)
            messenger.send(2, author="somebody")
    assert elsewhere(messenger.send, 3, author="another") is None
    messenger.send(4)
    assert received == [(1, messenger), (2, "somebody"), (4, messenger)]
    jobs.clear()

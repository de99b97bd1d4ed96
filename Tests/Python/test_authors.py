# SPDX-License-Identifier: MIT
"""Who caused a message: the author goes through everything, and is the very object."""

import threading
import weakref
from contextlib import suppress

import pytest

from support import Thread, await_release, collect, each_kind, interrupt, named
from swiftobserver import Messenger, Observer, Var
from swiftobserver._library import environment as _environment


class Author:
    pass


def listening(heard):
    messenger = Messenger()
    messenger.observe(lambda message, author: heard.append(author))
    return messenger


AUTHORS = [
    None,
    Author(),
    Messenger(),
    Observer(),
    "text",
    5,
    (1, 2),
    Author,
    print,
    b"",
    "a",
    (),
    True,
    1.5,
    2j,
    -5,
    10**30,
    "\ud800",
]


@each_kind
@pytest.mark.parametrize("author", AUTHORS, ids=named)
def test_any_object_may_be_the_author_of_anything_and_arrives_as_the_very_object(author, native):
    messenger, variable, heard = Messenger(native=native), Var(0, native=native), []
    for each in (messenger, messenger.from_(author), variable, variable.new().cache(0), variable.replaying(1)):
        each.observe(lambda message, author: heard.append(author))
    messenger.not_from(author).observe(lambda message: heard.append("from another"))
    messenger.send("message", author=author)
    variable.set(1, author=author)
    variable.update(lambda number: 2, author=author)
    variable.send_latest(author=author)
    with variable.batch():
        variable.set(3, author=author)
    variable.replaying(1).observe(lambda message, author: None, replay=1)
    assert len(heard) == 2 + 4 * 3 and all(each is author for each in heard)
    messenger.send("message")
    assert heard[-2:] == [messenger, "from another"]


@pytest.mark.parametrize("make", [Messenger, lambda: Var(0)], ids=["messenger", "variable"])
@pytest.mark.parametrize("author", [None, "me"])
def test_what_waits_keeps_its_author(make, author):
    observable, heard = make(), []
    send = observable.send if isinstance(observable, Messenger) else observable.set
    observable.observe(lambda message, author: heard.append(author))
    with observable.paused():
        send(1, author=author)
        send(2)
    assert heard == [author, observable]


def test_authors_that_are_large_numbers_are_told_apart():
    heard = []
    messenger = Messenger()

    def handler(message, author):
        heard.append(author)
        if message == "first":
            # Hashed alike.
            for number in range(3):
                messenger.send("next", author=10**30 + number * (2**61 - 1))

    messenger.observe(handler)
    messenger.send("first")
    assert heard == [messenger, *(10**30 + number * (2**61 - 1) for number in range(3))]


def test_an_author_that_is_not_kept_lives_until_its_queued_message_is_delivered():
    heard = []
    messenger = Messenger()

    def handler(message, author):
        heard.append(author)
        if message == 1:
            messenger.send(2, author=Author())
            messenger.send(3, author=["nobody", "keeps", "this"])
            collect()

    messenger.observe(handler)
    messenger.send(1)
    assert heard[0] is messenger
    assert isinstance(heard[1], Author)
    assert heard[2] == ["nobody", "keeps", "this"]


def test_an_author_that_is_not_kept_lives_until_another_thread_has_delivered():
    heard = []
    messenger = Messenger()
    delivering, handed_over = threading.Event(), threading.Event()

    def handler(message, author):
        if message == "first":
            delivering.set()
            assert handed_over.wait()
        heard.append(author)

    messenger.observe(handler)
    sender = Thread(lambda: messenger.send("first"))
    assert delivering.wait()
    messenger.send("second", author=["nobody", "keeps", "this"])
    collect()
    assert heard == []
    handed_over.set()
    sender.join()
    assert heard == [messenger, ["nobody", "keeps", "this"]]


def test_an_author_is_released_when_its_message_has_been_delivered():
    heard = []
    messenger = listening(heard)
    author = Author()
    released = weakref.ref(author)
    messenger.send("message", author=author)
    heard.clear()
    del author
    await_release()
    assert released() is None


def test_an_author_may_send_when_it_is_released():
    heard = []

    class Parting:
        def __del__(self):
            messenger.send("farewell", author="parting")

    messenger = Messenger()
    messenger.observe(lambda message, author: heard.append(message))
    messenger.send("message", author=Parting())
    await_release()
    assert heard == ["message", "farewell"]


def test_the_author_is_a_keyword():
    with pytest.raises(TypeError):
        Messenger().send("message", "author")
    with pytest.raises(TypeError):
        Var(1).set(2, "author")


@pytest.mark.skipif(not _environment.VECTORCALL, reason="an interrupt in a callback of ctypes is lost")
def test_an_interrupt_during_a_send_keeps_no_author_for_ever():
    class Author:
        pass

    messenger = Messenger()
    messenger.observe(lambda message: None)

    def send():
        with suppress(RuntimeError):
            messenger.send(1, author="me")

    for _ in range(200):
        interrupt(send)
    author = Author()
    released = weakref.ref(author)
    messenger.send(1, author=author)
    del author
    await_release()
    assert released() is None


class Named:
    def __init__(self, name):
        self.name = name


@each_kind
def test_what_an_interrupt_leaves_in_line_keeps_its_author_and_no_other(native):
    messenger, another = Messenger(native=native), Messenger(native=native)
    received = []

    @messenger.observe
    def handler(message, author):
        if message == 1:
            # A text cannot be referred to weakly.
            messenger.send(2, author="it is" + " late")
            raise KeyboardInterrupt
        received.append((message, author))

    with pytest.raises(KeyboardInterrupt):
        messenger.send(1)
    other = Named("other")
    released = weakref.ref(other)
    another.send(1, author=other)
    del other
    await_release()
    assert released() is None
    messenger.send(3)
    assert received == [(2, "it is late"), (3, messenger)]


@each_kind
def test_what_an_interrupt_leaves_in_line_is_collected_with_its_observable(native):
    def author_of_what_is_left():
        messenger, author = Messenger(native=native), Named("author")
        # One that keeps the observable.
        author.messenger = messenger

        @messenger.observe
        def handler(message):
            if message == 1:
                messenger.send(2, author=author)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            messenger.send(1)
        return weakref.ref(author)

    released = author_of_what_is_left()
    collect()
    assert released() is None

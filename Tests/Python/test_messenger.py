# SPDX-License-Identifier: MIT
"""Order and re-entrancy: laws 1 to 3 and 5."""

from swiftobserver import Messenger


def test_a_message_arrives():
    received = []
    messenger = Messenger()
    messenger.observe(received.append)
    messenger.send("message")
    assert received == ["message"]


def test_a_send_that_nobody_observes_does_nothing():
    Messenger().send("message")


def test_messages_arrive_in_the_order_sent():
    received = []
    messenger = Messenger()
    messenger.observe(received.append)
    for number in range(100):
        messenger.send(number)
    assert received == list(range(100))


def test_observers_are_offered_each_message_in_the_order_in_which_they_began():
    received = []
    messenger = Messenger()
    for index in range(100):
        messenger.observe(lambda message, index=index: received.append((message, index)))
    messenger.send("a")
    messenger.send("b")
    assert received == [(message, index) for message in "ab" for index in range(100)]


def test_a_send_from_inside_a_handler_is_delivered_after_the_current_message():
    received = []
    messenger = Messenger()

    def answer(message):
        received.append(("first", message))
        if message == "question":
            messenger.send("answer")
            received.append("sent")

    messenger.observe(answer)
    messenger.observe(lambda message: received.append(("second", message)))
    messenger.send("question")
    assert received == [
        ("first", "question"),
        "sent",
        ("second", "question"),
        ("first", "answer"),
        ("second", "answer"),
    ]


def test_the_outermost_send_returns_when_everything_has_been_delivered():
    received = []
    messenger = Messenger()

    def count_down(number):
        received.append(number)
        if number:
            messenger.send(number - 1)

    messenger.observe(count_down)
    messenger.send(20_000)
    assert received == list(range(20_000, -1, -1))


def test_two_observables_that_answer_each_other_deliver_in_turn():
    log = []
    ping, pong = Messenger(), Messenger()

    def on_ping(number):
        log.append(("ping", number))
        pong.send(number)

    def on_pong(number):
        log.append(("pong", number))
        if number:
            ping.send(number - 1)

    ping.observe(on_ping)
    pong.observe(on_pong)
    ping.send(2)
    assert log == [("ping", 2), ("pong", 2), ("ping", 1), ("pong", 1), ("ping", 0), ("pong", 0)]


def test_an_unordered_send_from_inside_a_handler_is_delivered_at_once():
    received = []
    messenger = Messenger()
    assert messenger.ordered
    messenger.ordered = False
    assert not messenger.ordered

    def answer(message):
        if message == "question":
            messenger.send("answer")
        received.append(message)

    messenger.observe(answer)
    messenger.send("question")
    assert received == ["answer", "question"]


def test_a_messenger_can_be_made_ordered_again():
    received = []
    messenger = Messenger()
    messenger.ordered = False
    messenger.ordered = True

    def answer(message):
        if message == "question":
            messenger.send("answer")
        received.append(message)

    messenger.observe(answer)
    messenger.send("question")
    assert received == ["question", "answer"]


def test_a_messenger_says_where_it_was_made():
    messenger = Messenger()
    assert repr(messenger).startswith("<Messenger made at ")
    assert "test_messenger.py:" in repr(messenger)

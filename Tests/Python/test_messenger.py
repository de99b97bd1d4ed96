# SPDX-License-Identifier: MIT
"""Order and re-entrancy: laws 1 to 3 and 5."""

from swiftobserver import Messenger, Var
from swiftobserver._values.local_value import LocalValue


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


def test_a_messenger_says_where_it_was_made():
    messenger = Messenger()
    assert repr(messenger).startswith("<Messenger made at ")
    assert "test_messenger.py:" in repr(messenger)


def test_a_send_makes_no_objects_of_its_own():
    # A function in it that refers to its parameters has Python make a cell of each, every time.
    assert (
        Messenger.send.__code__.co_cellvars
        == Var.set.__code__.co_cellvars
        == LocalValue.exchange.__code__.co_cellvars
        == ()
    )

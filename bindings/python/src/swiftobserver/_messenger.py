# SPDX-License-Identifier: MIT
"""The minimal observable: it sends what it is told to send."""

from __future__ import annotations

from ctypes import addressof
from typing import Any

from . import _native as native
from ._delivery import deliver
from ._observable import Message, Observable
from ._values import encode, in_flight


class Messenger(Observable[Message]):
    """Carries messages of any kind.

    >>> greetings: Messenger[str] = Messenger()
    >>> observation = greetings.observe(print)
    >>> greetings.send("hello")
    hello
    """

    def __init__(self) -> None:
        super().__init__(native.messenger_new(), {})

    def send(self, message: Message, *, author: Any = None) -> None:
        """Sends a message to all that observe.

        What is sent from inside a handler is delivered after the current message, before the outermost
        send returns. If another thread is delivering, that thread delivers this message, too. Handlers
        that fail do not keep the others from receiving; `HandlerError` is raised where the message was
        delivered, when it has been. `author` is who caused the message: this messenger if None.
        """
        value = encode(message)
        address = addressof(value)
        in_flight[address] = message
        try:
            deliver(native.send, self._address, address, author)
        finally:
            del in_flight[address]

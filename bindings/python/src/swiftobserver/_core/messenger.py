# SPDX-License-Identifier: MIT
"""The minimal observable: it sends what it is told to send."""

from __future__ import annotations

from ctypes import addressof

from .._library import declarations as library
from .._library.declarations import WRONG_THREAD
from .._library.environment import FAST
from .._library.ownership import set_attribute
from .._library.typing import MISSING, TYPE_CHECKING, Any, Callable, Optional, Type, TypeVar
from .._values.encoding import encode, in_flight, plain
from .._values.pause import lock, pausing, wait
from .authors import ITSELF, kept
from .failures import amid, are_noted_here, check, conclude, deliver, failures, use_stack
from .observable import Message, Observable, retained
from .within import Stay, Within

if FAST:
    from .._library import vectorcall

if TYPE_CHECKING:
    from .._extras.attributes import Attribute
else:
    from .._library.typing import later

    Attribute = later("swiftobserver._extras.attributes", "Attribute")

Self = TypeVar("Self", bound="Messenger[Any]")


class Messenger(Observable[Message]):
    """Carries messages of any kind.

    >>> greetings: Messenger[str] = Messenger()
    >>> observation = greetings.observe(print)
    >>> greetings.send("hello")
    hello

    With `native`, C code may observe it and send, too, by its `pointer`; messages are then converted to what C
    understands. Otherwise the very objects arrive, and sending is several times faster.
    """

    def __init__(self, *, native: bool = False, name: Optional[str] = None) -> None:
        super().__init__(library.messenger_new(), {}, bool(native), name)

    @classmethod
    def attribute(cls: Type[Self]) -> Attribute[Self]:
        """For the body of a class: each of its objects gets a messenger of its own, when it is first asked for.

        >>> class Dog:
        ...     barked = Messenger[str].attribute()
        >>> dog = Dog()
        >>> with dog.barked.observe(print):
        ...     dog.barked.send("woof")
        woof
        """
        # Lazy, for few programs declare attributes.
        from .._extras.attributes import Attribute

        return Attribute(cls)

    @classmethod
    def adopt(cls: type[Self], pointer: int) -> Self:
        """The messenger of a C program, behind a `swo_observable *`. Adds an owner to it.

        The object is another one each time. Whatever C code sends arrives, as what Python has for it.
        """
        self: Self = cls.__new__(cls)
        Observable.__init__(self, retained(pointer), {}, True)
        return self

    def send(self, message: Message, *, author: Any = ITSELF) -> None:
        """Sends a message to all that observe.

        What is sent from inside a handler is delivered after the current message, before the outermost
        send returns. If another thread is delivering, that thread delivers this message, too. Handlers
        that fail do not keep the others from receiving; `HandlerError` is raised where the message was
        delivered, when it has been. `author` is who caused the message, any object: this messenger
        unless another is given.
        """
        if self._converts:
            return _send_natively(self, message, author)
        if failures and are_noted_here():
            return amid(self.send, message, author=author)  # type: ignore[no-any-return]
        if self._has_callbacks:
            use_stack()
        if author is ITSELF:
            if (self._sender or vectorcall.sender(self))(message) is None:
                if kept or failures:
                    conclude(self)
                return
            status = self._call.status
        else:
            if self._pauses and wait(self, message, author):
                return
            status = vectorcall.send(self, message, author)
        if status or kept or failures:
            conclude(self, status and self._hand_over(status, _sending(self, message, author)))

    def paused(
        self, reducer: Optional[Callable[[Message, Message], Message]] = None, *, initial: Message = MISSING
    ) -> Within:
        """Within, what is sent waits. At the end it is delivered, or with a `reducer` what that makes of it all: see
        `Observable.paused`.
        """
        return pausing(self, reducer, initial)

    @property
    def is_blocked(self) -> bool:
        """Whether what is sent is dropped: within `blocked()`."""
        return super().is_blocked if self._has_pointer else bool(self._blocks)

    def _block(self, stay: Stay) -> None:
        if self._has_pointer:
            super()._block(stay)
            return
        with lock:
            set_attribute(self, "_blocks", (*self._blocks, stay))
            self._withhold()

    def _unblock(self, stay: Stay) -> None:
        if self._has_pointer:
            super()._unblock(stay)
            return
        with lock:
            if len(stay.notes) % 2:
                stay.call(library.observable_unblock, self._address)
            set_attribute(self, "_blocks", tuple(each for each in self._blocks if each is not stay))

    def _withhold(self) -> None:
        # What sends without an author is found there.
        set_attribute(self, "_sender", self._send_later if self._pauses else self._function)
        # Within a pause the library does not block: `wait` drops what is sent, and what was sent before still arrives.
        is_to_block = not self._pauses
        for each in self._blocks:
            if len(each.notes) % 2 != is_to_block:
                each.call(library.observable_block if is_to_block else library.observable_unblock, self._address)

    def _send_later(self, message: Any) -> None:
        if wait(self, message, ITSELF):
            return
        if self._pauses:
            # It is confined to another thread.
            check(self._hand_over(WRONG_THREAD, lambda: self.send(message)), type(self).__name__)
        else:
            # The pause has ended in this very moment.
            self.send(message)


def _sending(messenger: Messenger[Any], message: Any, author: Any) -> Callable[[], None]:
    # A lambda in `send` itself would have Python make a cell of each parameter, for every message.
    return lambda: messenger.send(message, author=author)


def _send_natively(messenger: Messenger[Any], message: Any, author: Any) -> None:
    if messenger._pauses and wait(messenger, message, author):
        return
    messenger._require_initialised()
    if messenger._is_plain:
        message = plain(message)
    value = encode(message)
    address = addressof(value)
    in_flight[address] = message
    try:
        call = messenger._handing_over(library.send, _sending(messenger, message, author))
        deliver(call, messenger, address, author)
    finally:
        del in_flight[address]

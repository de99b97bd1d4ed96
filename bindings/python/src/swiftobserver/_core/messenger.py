# SPDX-License-Identifier: MIT
"""The minimal observable: it sends what it is told to send."""

from __future__ import annotations

from .._library import declarations as library
from .._library.declarations import WRONG_THREAD
from .._library.ownership import set_attribute
from .._library.typing import MISSING, TYPE_CHECKING, Any, Callable, Optional, Type, TypeVar
from .._operators.methods import Observable
from .._values.moments import running
from .._values.pause import lock, wait
from .authors import ITSELF, pending_authors
from .failures import check, pending, raise_pending, use_stack
from .observable import Message, retained
from .parts import AnyObservable
from .sending import again
from .stores import LIBRARY, LocalStore
from .within import Stay, Within

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
        super().__init__(library.messenger_new(), {}, LIBRARY if native else _LOCAL, name)

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
        Observable.__init__(self, retained(pointer), {}, LIBRARY)
        return self

    def send(self, message: Message, *, author: Any = ITSELF) -> None:
        """Sends a message to all that observe.

        What is sent from inside a handler is delivered after the current message, before the outermost
        send returns. If another thread is delivering, that thread delivers this message, too. Handlers
        that fail do not keep the others from receiving; `HandlerError` is raised where the message was
        delivered, when it has been. `author` is who caused the message, any object: this messenger
        unless another is given.
        """
        try:
            sender = self._sender
        except AttributeError:
            self._require_initialised()
            raise
        # Which is there after the first send of very objects.
        if sender is None or author is not ITSELF or pending or running:
            return self._store.send(self, message, author)
        if self._has_callbacks:
            use_stack()
        if sender(message) is None:
            if pending_authors or pending:
                raise_pending(self)
            return
        raise_pending(self, self._hand_over(self._call.status, again(self, message, author)))

    def paused(
        self, reducer: Optional[Callable[[Message, Message], Message]] = None, *, initial: Message = MISSING
    ) -> Within:
        """Within, what is sent waits. At the end it is delivered, or with a `reducer` what that makes of it all: see
        `Observable.paused`.
        """
        return self._store.paused(self, reducer, initial)

    def _send_later(self, message: Any) -> None:
        if wait(self, message, ITSELF):
            return
        if self._pauses:
            # It is confined to another thread.
            check(self._hand_over(WRONG_THREAD, lambda: self.send(message)), type(self).__name__)
        else:
            # The pause has ended in this very moment; or is about to, where a handler of a signal sends amid that.
            with lock:
                self._store.withhold(self)
            self.send(message)


class _LocalMessages(LocalStore):
    """The messages of a messenger."""

    __slots__ = ()

    def is_blocked(self, observable: AnyObservable) -> bool:
        return bool(observable._blocks)

    def block(self, observable: AnyObservable, stay: Stay) -> None:
        with lock:
            set_attribute(observable, "_blocks", (*observable._blocks, stay))
            self.withhold(observable)

    def unblock(self, observable: AnyObservable, stay: Stay) -> None:
        with lock:
            if len(stay.notes) % 2:
                stay.call(library.observable_unblock, observable._address)
            set_attribute(observable, "_blocks", tuple(each for each in observable._blocks if each is not stay))

    def withhold(self, observable: Any) -> None:
        # What sends without an author is found there.
        set_attribute(observable, "_sender", observable._send_later if observable._pauses else observable._function)
        # Within a pause the library does not block: `wait` drops what is sent, and what was sent before still arrives.
        is_to_block = not observable._pauses
        for each in observable._blocks:
            if len(each.notes) % 2 != is_to_block:
                each.call(library.observable_block if is_to_block else library.observable_unblock, observable._address)


_LOCAL = _LocalMessages()

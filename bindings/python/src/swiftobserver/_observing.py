# SPDX-License-Identifier: MIT
"""How an observable is observed: by a handler, by `async for`, or by waiting for the next message."""

from __future__ import annotations

from ._elsewhere import Place
from ._observation import Observation, begin
from ._typing import TYPE_CHECKING, Any, Callable, Coroutine, Generic, Literal, Optional, TypeVar, Union, cast, overload

if TYPE_CHECKING:
    from ._asynchronous import Messages
    from ._observable import Observable

Message = TypeVar("Message")

# How many of the last messages a handler receives first.
Replay = Union[int, Literal["latest", "all"], None]

Handler = Union[Callable[[Message], object], Callable[[Message, Any], object]]

MISSING: Any = object()


class Observing(Generic[Message]):
    """Has handlers, and coroutines that wait, receive the messages."""

    @overload
    def observe(
        self,
        handler: Handler[Message],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Observation: ...
    @overload
    def observe(
        self,
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Callable[[Handler[Message]], Observation]: ...
    def observe(
        self: Any,
        handler: Any = MISSING,
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
    ) -> Any:
        """Begins an observation, which lasts as long as this observable or until it is stopped.

        The handler takes `(message)` or `(message, author)`. Begun inside a handler, the observation
        receives the next message first. As a decorator, with or without parentheses, the name that is
        decorated becomes the observation.

        A bound method is held weakly: the observation ends with the method's object, which it does not keep
        alive. `weak=False` keeps it. Every other handler is kept. With `once` the observation is over when
        the first message comes, before the handler is called.

        `on` is where the handler is called: an event loop, or a function that has jobs run, like the `submit`
        of an executor or the `put` of a queue. It is called with one message at a time, in order, and not
        any more once the observation is stopped. A coroutine function runs on the loop in which it is
        attached unless told otherwise; cancelling it ends the observation. What fails there is told to the
        `failure_handler`, or else to the loop or to whoever runs the job.

        With `replay` the handler first receives what was sent before: a number of the last messages, "latest" or
        "all", as far as they are remembered. What has a `latest_message` remembers that one, what `replaying` makes
        remembers more. The replay has been received when this returns; if C code can reach the observable and a
        message is just being delivered, it comes after that one. A handler that fails then has not begun to observe.

        >>> from swiftobserver import Messenger
        >>> names: Messenger[str] = Messenger()
        >>> @names.observe
        ... def greet(name):
        ...     print("hello,", name)
        >>> names.send("world")
        hello, world
        >>> greet.stop()
        True
        """
        if handler is MISSING:
            return lambda handler: begin(self, None, handler, weak, once, on, replay)
        return begin(self, None, handler, weak, once, on, replay)

    def messages(self, most: Optional[int] = None) -> Messages[Message]:
        """The messages from now on, for `async for`. The oldest are dropped if more than `most` would wait.

        An observable itself serves, too: `async for message in observable`. Needs a running event loop.
        """
        from ._asynchronous import Messages

        return Messages(cast("Observable[Message]", self), most)

    def __aiter__(self) -> Messages[Message]:
        return self.messages()

    def next(self) -> Coroutine[Any, Any, Message]:
        """The next message, to be awaited. Observes from when the waiting begins; cancelling it ends that."""
        from ._asynchronous import next_message

        return next_message(cast("Observable[Message]", self))

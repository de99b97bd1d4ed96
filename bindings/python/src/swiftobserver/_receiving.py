# SPDX-License-Identifier: MIT
"""What the library calls with each message for an observation, where the fast way does not serve.

library --callback--> one of four functions --message--> the handler of the observation
"""

from __future__ import annotations

from . import _structures as structures
from ._authors import author_at
from ._typing import TYPE_CHECKING, Any, Callable
from ._values import message_at

if TYPE_CHECKING:
    from ._observation import Observation


def _receive(observation: Observation, message: int, author: int) -> None:
    try:
        observation._handler(message_at(message))
    except BaseException as error:
        observation._failed(error)


def _receive_with_author(observation: Observation, message: int, author: int) -> None:
    try:
        observation._handler(message_at(message), author_at(author))
    except BaseException as error:
        observation._failed(error)


def _unless_stopped(receive: Callable[[Observation, int, int], None]) -> Callable[[Observation, int, int], None]:
    """For observables whose first failure ends the delivery."""

    def receive_unless_stopped(observation: Observation, message: int, author: int) -> None:
        observable = observation._observable()
        if observable is None or not observable._is_stopped:
            receive(observation, message, author)

    return receive_unless_stopped


# Few callbacks for all observations: which one serves is decided when a handler is attached.
_on_message = structures.HANDLER(_receive)
_on_message_and_author = structures.HANDLER(_receive_with_author)
_on_message_unless_stopped = structures.HANDLER(_unless_stopped(_receive))
_on_message_and_author_unless_stopped = structures.HANDLER(_unless_stopped(_receive_with_author))


def callback(both: bool, stops_at_failure: bool) -> Any:
    """What the library calls, for one kind of handler."""
    if stops_at_failure:
        return _on_message_and_author_unless_stopped if both else _on_message_unless_stopped
    return _on_message_and_author if both else _on_message

# SPDX-License-Identifier: MIT
"""Calls by ctypes, which work everywhere: messages become values of the library on their way, and a callback of ctypes
stands between the library and each handler. What C code can reach is always called so; see vectorcall.py.
"""

from __future__ import annotations

from ctypes import addressof

from .._core.authors import ITSELF, enter
from .._values.encoding import encode as encode
from .._values.encoding import in_flight
from . import declarations as library
from .threads import as_sender
from .typing import Any, Callable

# Whether it is known of each thread that sends.
KNOWS_SENDERS = True
# Whether messages are values that the library can take apart.
HAS_VALUES = True
# There are callbacks alone.
observe = None


def argument(address: int) -> Any:
    """The address is passed on as it is."""
    return None


def send(observable: Any, message: Any, author: Any) -> int:
    """`swo_send`. The handlers of this process are given the very object."""
    value = encode(message)
    address = addressof(value)
    in_flight[address] = message
    try:
        return as_sender(_send, library.send, observable, address, author)  # type: ignore[no-any-return]
    finally:
        del in_flight[address]


def send_later(observable: Any, message: Any, author: Any) -> int:
    """`swo_send_later`."""
    value = encode(message)
    return as_sender(_send, library.send_later, observable, addressof(value), author)  # type: ignore[no-any-return]


def _send(send: Callable[..., int], observable: Any, address: int, author: Any) -> int:
    return send(observable._address, address, None if author is ITSELF else enter(author))

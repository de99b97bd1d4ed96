# SPDX-License-Identifier: MIT
"""Where an observable has what it sends, and so who reaches it. Two kinds, and no other module asks which one it is.

    local     Python's: the very objects go to handlers, and all that has to be remembered is remembered here
    library   the library's: C code reaches it, too; messages are converted, and the library remembers

A variable has a store of its own, which holds its value as well (_values/local_value.py, _values/library_value.py).
"""

from __future__ import annotations

from .._library import ctypes_calls
from .._library import declarations as library
from .._library.environment import VECTORCALL
from .._library.threads import nobody_is_sending
from .._library.typing import Any, Callable, Tuple, TypeVar
from .._operators.pure import IsOld, Told, known_to_library, latest_in_library, no_latest_message, root_of
from .._values.moments import outside
from .._values.pause import Pause, Pausing
from .._values.replay import replaying_from_library, replaying_from_memory
from .authors import ITSELF
from .failures import check, deliver, require_pending
from .parts import AnyObservable
from .sending import leave_in_line, pass_on, send_objects, send_values, take_turn
from .trampolines import Trampoline
from .within import Stay, Within

if VECTORCALL:
    from .._library import vectorcall as local_calls
else:
    local_calls = ctypes_calls  # type: ignore[misc]


One = TypeVar("One")


class Store:
    """The common part of both: they keep nothing of their own, and the library blocks."""

    __slots__ = ()
    # How the library is called: a module with `send`, `send_later`, `observe`, `encode`.
    calls: Any = ctypes_calls
    # Of what is made from such an observable.
    made: Store

    def either(self, local: Callable[[], One], in_library: Callable[[], One]) -> One:
        """Makes what differs with who remembers: Python, or the library."""
        raise NotImplementedError

    # ---- what is sent ----

    def send(self, observable: AnyObservable, message: Any, author: Any) -> None:
        """`Messenger.send`."""
        send_values(observable, message, author)

    def send_latest(self, observable: AnyObservable, author: Any) -> None:
        """`Observable.send_latest`."""
        # What all others see, in a transaction as well.
        message = outside(self._latest_to_send, observable)

        def send(address: int, value: int, author_address: Any) -> int:
            return self._send_latest(observable, message, author, author_address)

        deliver(send, observable, 0, author)

    def _latest_to_send(self, observable: AnyObservable) -> Any:
        return observable.latest_message

    def _send_latest(self, observable: AnyObservable, message: Any, author: Any, author_address: Any) -> int:
        raise NotImplementedError

    def require_pending(self, observable: AnyObservable) -> None:
        """`RuntimeError` if a handler has failed, as the library says, and nothing is pending of that."""

    def may_be_delivering(self) -> bool:
        """Whether another thread may be calling handlers."""
        return True

    def is_late(self) -> bool:
        """Whether an update is on its way to the observers, or waits."""
        return False

    # ---- what is remembered ----

    def latest(self, observable: AnyObservable) -> Any:
        """The latest message. `TypeError` where there is none."""
        raise NotImplementedError

    def knows_latest(self, observable: AnyObservable) -> bool:
        """Whether there is one. No function of the program's is called."""
        return False

    def recall_latest(self, observable: AnyObservable, told: Told) -> Tuple[Any, IsOld]:
        """The latest message, and what is older than that; see _values/replay.py."""
        return observable.latest_message, lambda _: False

    def between(self, observable: AnyObservable, action: Callable[[], None]) -> None:
        """Calls a function between two messages; see `Upstream.between`."""
        action()

    def now(self, observable: AnyObservable) -> Any:
        """Stands for the message that this thread is delivering; None where nothing does."""
        return None

    def replaying(self, observable: AnyObservable, both: bool, count: int, trampoline: Trampoline) -> Trampoline:
        """Begins with so many of the last messages, and goes on as another trampoline does."""
        raise NotImplementedError

    # ---- who reaches it ----

    def pointer(self, observable: AnyObservable) -> int:
        """`Observable.pointer`."""
        raise NotImplementedError

    def require_confinable(self) -> None:
        """`TypeError` for what cannot be confined to a thread, whatever the library says."""

    def keep_order(self, ordered: bool) -> None:
        """Called when the observable begins to keep order, or ends that."""

    def is_released(self) -> bool:
        """Whether nothing but Python has a reference to the observable."""
        return False

    def flush(self, observable: AnyObservable) -> None:
        """Delivers what an interrupt has left, before the end."""

    def end(self) -> None:
        """Called when the observable is about to end. No reference leads to it any more."""

    # ---- withholding ----

    def is_blocked(self, observable: AnyObservable) -> bool:
        """`Observable.is_blocked`."""
        return bool(library.observable_is_blocked(observable._address))

    def block(self, observable: AnyObservable, stay: Stay) -> None:
        """Begins a block."""
        check(stay.call(library.observable_block, observable._address), type(observable).__name__)

    def unblock(self, observable: AnyObservable, stay: Stay) -> None:
        """Ends it."""
        if stay.notes == [library.OK]:
            check(stay.call(library.observable_unblock, observable._address), type(observable).__name__)

    def lacks_block(self, observable: AnyObservable) -> None:
        """Called when a block ends that Python has not begun: C code may have. `RuntimeError` if not."""
        check(library.observable_unblock(observable._address), type(observable).__name__)

    def paused(self, observable: AnyObservable, reducer: Any, initial: Any) -> Within:
        """`paused`, of messengers and variables."""
        raise NotImplementedError

    def before_pause(self, pause: Pause) -> None:
        """Called when a pause is about to begin."""

    def after_pause(self, pause: Pause) -> None:
        """Called when a pause is over, and once more after an interrupt."""

    def withhold(self, observable: AnyObservable) -> None:
        """Called when pauses have begun or ended. The lock of all pauses is held."""

    def send_waiting(self, observable: AnyObservable, message: Any, author: Any) -> None:
        """Sends what has waited in a pause. What fails is pending then."""
        take_turn(observable, message, author)

    def leave_waiting(self, observable: AnyObservable, message: Any, author: Any) -> None:
        """Has what has waited go on waiting, for the next send."""
        leave_in_line(observable, message, author)


class LocalStore(Store):
    """Python's."""

    __slots__ = ()
    calls = local_calls
    send = staticmethod(send_objects if VECTORCALL else send_values)

    def either(self, local: Callable[[], One], in_library: Callable[[], One]) -> One:
        return local()

    def send_made(self, observable: AnyObservable, message: Any, author: Any) -> bool:
        """Sends what the store itself has made. Returns whether a handler has failed."""
        if not VECTORCALL or author is not ITSELF:
            return bool(self.calls.send(observable, message, author) == library.CALLBACK_FAILED)
        sender = observable._sender or self.calls.sender(observable)
        return sender(message) is not None and observable._call.status == library.CALLBACK_FAILED

    def _send_latest(self, observable: AnyObservable, message: Any, author: Any, author_address: Any) -> int:
        observable._upstream.send_again(observable, message, author)
        return library.OK

    def require_pending(self, observable: AnyObservable) -> None:
        require_pending(observable)

    def may_be_delivering(self) -> bool:
        return not nobody_is_sending()

    def latest(self, observable: AnyObservable) -> Any:
        raise TypeError(no_latest_message(observable))

    def replaying(self, observable: AnyObservable, both: bool, count: int, trampoline: Trampoline) -> Trampoline:
        return replaying_from_memory(observable, both, count, trampoline)

    def pointer(self, observable: AnyObservable) -> int:
        raise ValueError("C code cannot reach this observable: make it with native=True")

    def is_released(self) -> bool:
        return True

    def lacks_block(self, observable: AnyObservable) -> None:
        check(library.NOT_FOUND, type(observable).__name__)

    def paused(self, observable: AnyObservable, reducer: Any, initial: Any) -> Within:
        return Pausing(observable, reducer, initial)


def _is_made_here(observable: AnyObservable) -> bool:
    """Whether functions of Python make the latest message: each is called once for it, and not by the library again."""
    return observable._upstream.is_known_here_alone or root_of(observable)[0] is not observable


class LibraryStore(Store):
    """The library's."""

    __slots__ = ()

    def either(self, local: Callable[[], One], in_library: Callable[[], One]) -> One:
        return in_library()

    def _latest_to_send(self, observable: AnyObservable) -> Any:
        if _is_made_here(observable):
            return super()._latest_to_send(observable)
        if not observable._knows_latest():
            raise TypeError(no_latest_message(observable))

    def _send_latest(self, observable: AnyObservable, message: Any, author: Any, author_address: Any) -> int:
        if _is_made_here(observable):
            pass_on(observable, message, author)
            return library.OK
        return library.send_latest(observable._address, author_address)  # type: ignore[no-any-return]

    def latest(self, observable: AnyObservable) -> Any:
        # What C code has made may well have one.
        return latest_in_library(observable)

    def knows_latest(self, observable: AnyObservable) -> bool:
        return known_to_library(observable)

    def replaying(self, observable: AnyObservable, both: bool, count: int, trampoline: Trampoline) -> Trampoline:
        if root_of(observable)[0]._upstream.is_known_here_alone:
            return replaying_from_memory(observable, both, count, trampoline)
        return replaying_from_library(observable, both, count, trampoline)

    def pointer(self, observable: AnyObservable) -> int:
        if not observable._address:
            raise ValueError("this observable is gone")
        return observable._address

    def paused(self, observable: AnyObservable, reducer: Any, initial: Any) -> Within:
        raise TypeError(f"a {type(observable).__name__} that C code can reach cannot be paused: C code may send, too")


# Without a state of their own, so one serves all that have no value.
LOCAL, LIBRARY = LocalStore(), LibraryStore()
LocalStore.made, LibraryStore.made = LOCAL, LIBRARY

# SPDX-License-Identifier: MIT
"""Somebody who observes: keeps its observations, and ends them all when it goes."""

from __future__ import annotations

from . import _native as native
from . import _structures as structures
from ._elsewhere import Place
from ._errors import check
from ._handle import Handle
from ._observable import Message, Observable
from ._observation import Observation, begin
from ._observing import Handler, Replay
from ._typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Tuple, TypeVar, overload
from ._where import caller
from ._within import Lasting

if TYPE_CHECKING:
    from ._combined import CombinedObservation

_MISSING: Any = object()
Second = TypeVar("Second")
Third = TypeVar("Third")


class Observer(Handle, Lasting):
    """Keeps observations of any number of observables alive, and their handlers with them.

    They stop when they are told to, when the `with` block or the life of the observer ends, or when
    their observable dies. The observables do not keep the observer alive: a handler may be a method of
    the object that owns it.

    >>> from swiftobserver import Messenger
    >>> names: Messenger[str] = Messenger()
    >>> with Observer() as observer:
    ...     observation = observer.observe(names, print)
    ...     names.send("Ada")
    Ada
    >>> names.send("Grace")
    """

    _release = staticmethod(native.observer_release)

    def __init__(self) -> None:
        self._spot = caller()
        self._closed = False
        self._own(native.observer_new(), {})

    @overload
    def observe(
        self,
        observable: Observable[Message],
        handler: Handler[Message],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
        keep: bool = False,
    ) -> Observation: ...
    @overload
    def observe(
        self,
        observable: Observable[Message],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
        keep: bool = False,
    ) -> Callable[[Handler[Message]], Observation]: ...
    def observe(
        self,
        observable: Observable[Any],
        handler: Any = _MISSING,
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
        keep: bool = False,
    ) -> Any:
        """Begins an observation, as `Observable.observe` does, that this observer keeps.

        It may observe the same observable any number of times. Without a handler this is a decorator.

        With `keep` the observable lives at least as long as the observation: so transforms can be made for one alone.

        >>> from swiftobserver import Var
        >>> volume, observer = Var(3), Observer()
        >>> observation = observer.observe(volume.new().map(str), lambda text: print(text), keep=True)
        >>> volume.value = 4
        4
        """
        if not isinstance(observable, Observable):
            raise TypeError(f"observable must be an Observable, not {type(observable).__name__}")
        if handler is _MISSING:
            return lambda handler: self._begin(observable, handler, weak, once, on, replay, keep)
        return self._begin(observable, handler, weak, once, on, replay, keep)

    @overload
    def observe_combined(
        self, observables: Tuple[Observable[Message], Observable[Second]], handler: Callable[[Message, Second], object]
    ) -> CombinedObservation: ...
    @overload
    def observe_combined(
        self,
        observables: Tuple[Observable[Message], Observable[Second], Observable[Third]],
        handler: Callable[[Message, Second, Third], object],
    ) -> CombinedObservation: ...
    @overload
    def observe_combined(
        self, observables: Sequence[Observable[Any]], handler: Callable[..., object]
    ) -> CombinedObservation: ...
    def observe_combined(self, observables: Any, handler: Any) -> CombinedObservation:
        """Observes several observables that have a `latest_message`: the handler gets one message of each.

        When one sends, the others are asked. They are held weakly; when one dies, nothing more is received.

        >>> from swiftobserver import Var
        >>> width, height = Var(2), Var(3)
        >>> widths, heights = width.new(), height.new()
        >>> observer = Observer()
        >>> area = observer.observe_combined((widths, heights), lambda width, height: print(width * height))
        >>> width.value = 5
        15
        """
        from ._combined import CombinedObservation

        each = tuple(observables)
        if len(each) < 2:
            raise ValueError("observables must be two or more")
        for one in each:
            if not isinstance(one, Observable):
                raise TypeError(f"observables must be observables, not {type(one).__name__}")
        if self._closed:
            raise ValueError("this observer is closed")
        return CombinedObservation(self, each, handler)

    def stop(self, observable: Optional[Observable[Any]] = None) -> bool:
        """Stops all observations of an observable, or of everything. Returns whether there were any."""
        if observable is not None and not isinstance(observable, Observable):
            raise TypeError(f"observable must be an Observable or None, not {type(observable).__name__}")
        address = None if observable is None else observable._address
        status: int = native.observer_stop(self._address, address)
        if status == structures.NOT_FOUND:
            return False
        check(status, "observer")
        return True

    def is_observing(self, observable: Observable[Any]) -> bool:
        """Whether there is a living observation of `observable`."""
        if not isinstance(observable, Observable):
            raise TypeError(f"observable must be an Observable, not {type(observable).__name__}")
        return bool(native.observer_is_observing(self._address, observable._address))

    @property
    def count(self) -> int:
        """How many observations of this observer are living."""
        return int(native.observer_count(self._address))

    def close(self) -> None:
        """Stops everything for good: this observer does not observe again."""
        # The native observer is released when nothing in Python can name it any more; another
        # thread may be about to use it.
        self._closed = True
        self.stop()

    def _end_of_block(self) -> None:
        self.close()

    def __repr__(self) -> str:
        state = ", closed" if self._closed else ""
        return f"<{type(self).__name__} made at {self._made}{state}>"

    def _begin(
        self,
        observable: Observable[Any],
        handler: Any,
        weak: Optional[bool],
        once: bool,
        on: Optional[Place],
        replay: Replay,
        keep: bool,
    ) -> Observation:
        if self._closed or not self._address:
            raise ValueError("this observer is closed")
        return begin(observable, self, handler, weak, once, on, replay, keep)

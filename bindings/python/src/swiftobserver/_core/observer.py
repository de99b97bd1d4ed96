# SPDX-License-Identifier: MIT
"""An object that observes: keeps its observations, and ends them all when it goes."""

from __future__ import annotations

from weakref import ref

from .._library import declarations as library
from .._library.inspection import caller, name_of, require_arguments
from .._library.ownership import Handle
from .._library.typing import (
    MISSING,
    TYPE_CHECKING,
    Any,
    Callable,
    List,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    overload,
)
from .._operators.methods import Observable
from .._operators.pure import no_latest_message
from .executors import Place
from .failures import check
from .lines import Line
from .observable import Message
from .observation import USUAL, Handler, Observation, Options, Replay, begin
from .within import Lasting

Second = TypeVar("Second")
Third = TypeVar("Third")

if TYPE_CHECKING:
    from typing_extensions import Unpack

    One = Observable[Any]
    Several = Tuple[One, One, One, One, Unpack[Tuple[One, ...]]]


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

    _release = staticmethod(library.observer_release)
    _closed = False

    def __init__(self) -> None:
        self._spot = caller()
        self._closed = False
        self._own(library.observer_new(), {})

    @overload
    def observe(
        self,
        observable: Observable[Message],
        handler: Callable[[Message], object],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
        keep: Optional[bool] = None,
    ) -> Observation: ...
    @overload
    def observe(
        self,
        observable: Observable[Message],
        handler: Callable[[Message, Any], object],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
        keep: Optional[bool] = None,
    ) -> Observation: ...
    @overload
    def observe(
        self,
        observable: Observable[Message],
        handler: Callable[[], object],
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
        keep: Optional[bool] = None,
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
        keep: Optional[bool] = None,
    ) -> Callable[[Handler[Message]], Observation]: ...
    def observe(
        self,
        observable: Observable[Any],
        handler: Any = MISSING,
        *,
        weak: Optional[bool] = None,
        once: bool = False,
        on: Optional[Place] = None,
        replay: Replay = None,
        keep: Optional[bool] = None,
    ) -> Any:
        """Begins an observation, as `Observable.observe` does, that this observer keeps.

        It may observe the same observable any number of times. Without a handler this is a decorator.

        The observation keeps a transform that it observes, and with `keep` any observable; with `keep=False` or
        `weak=True` none.

        >>> from swiftobserver import Var
        >>> volume, observer = Var(3), Observer()
        >>> observation = observer.observe(volume.new().map(str), lambda text: print(text))
        >>> volume.value = 4
        4
        """
        if not isinstance(observable, Observable):
            raise TypeError(f"observable must be an Observable, not {type(observable).__name__}")
        options = Options(weak, once, on, replay, keep)
        if options == USUAL:
            options = USUAL
        if handler is MISSING:
            return lambda handler: self._begin(observable, handler, options)
        return self._begin(observable, handler, options)

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
        self,
        # Not of a sequence: a pair is one, too, to which the handler might not fit.
        observables: Union[Several, List[Observable[Any]]],
        handler: Callable[..., object],
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
        try:
            each = tuple(observables)
        except TypeError:
            raise TypeError(f"observables must be observables, two or more, not {type(observables).__name__}") from None
        if len(each) < 2:
            raise ValueError(f"observables must be two or more, not {len(each)}")
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
        status: int = library.observer_stop(self._address, address)
        if status == library.NOT_FOUND:
            return False
        check(status, "observer")
        return True

    def is_observing(self, observable: Observable[Any]) -> bool:
        """Whether there is a living observation of `observable`."""
        if not isinstance(observable, Observable):
            raise TypeError(f"observable must be an Observable, not {type(observable).__name__}")
        return bool(library.observer_is_observing(self._address, observable._address))

    @property
    def count(self) -> int:
        """How many observations of this observer are living."""
        return int(library.observer_count(self._address))

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

    def _begin(self, observable: Observable[Any], handler: Any, options: Options) -> Observation:
        if not self._address:
            self._require_initialised()
        if self._closed or not self._address:
            raise ValueError("this observer is closed")
        return begin(observable, self, handler, options)


class CombinedObservation(Lasting):
    """Lasts until `stop()`, the end of its `with` block, or the death of its observer or of one observable."""

    def __init__(
        self, observer: Observer, observables: Sequence[Observable[Any]], handler: Callable[..., object]
    ) -> None:
        require_arguments(handler, len(observables), "handler")
        for each in observables:
            # Refused here rather than when the first message comes.
            if not each._knows_latest():
                raise TypeError(no_latest_message(each))
        self._parts: list[Observation] = []
        receive = _receiver([ref(each) for each in observables], self._parts, handler)
        try:
            for index, each in enumerate(observables):
                self._parts.append(begin(each, observer, receive(index), USUAL, self._parts))
        except BaseException:
            self.stop()
            raise
        if not self.is_living:
            # One has ended before the last had begun.
            self.stop()

    def stop(self, wait: bool = False) -> bool:
        """Ends the observation, as `Observation.stop` does."""
        return any([each.stop(wait) for each in self._parts])

    @property
    def is_living(self) -> bool:
        """Whether messages still arrive."""
        return all(each.is_living for each in self._parts)

    def __repr__(self) -> str:
        state = "" if self.is_living else ", ended"
        return f"<CombinedObservation of {len(self._parts)} observables{state}>"


def _receiver(
    references: Sequence[ref[Observable[Any]]], parts: Sequence[Observation], handler: Callable[..., object]
) -> Callable[[int], Any]:
    line = Line(name_of(handler))

    def take(came: Tuple[int, Any]) -> None:
        index, message = came
        messages = []
        for position, reference in enumerate(references):
            observable = reference()
            if observable is None:
                return
            messages.append(message if position == index else observable.latest_message)
        if all([part.is_living for part in parts]):
            handler(*messages)

    def part(index: int) -> Any:
        def receive(message: Any) -> None:
            line.put((index, message), take)

        receive.__qualname__ = name_of(handler)
        # By which a graph knows what belongs together.
        receive.combined = parts  # type: ignore[attr-defined]
        return receive

    return part

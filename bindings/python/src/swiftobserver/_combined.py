# SPDX-License-Identifier: MIT
"""One handler for several buffered observables: when one sends, the latest messages of the others are pulled."""

from __future__ import annotations

from weakref import ref

from ._arity import require_arguments
from ._observable import Observable
from ._observation import Observation, begin
from ._typing import TYPE_CHECKING, Any, Callable, Sequence
from ._where import name_of
from ._within import Lasting

if TYPE_CHECKING:
    from ._observer import Observer


class CombinedObservation(Lasting):
    """Lasts until `stop()`, the end of its `with` block, or the death of its observer or of one observable."""

    def __init__(
        self, observer: Observer, observables: Sequence[Observable[Any]], handler: Callable[..., object]
    ) -> None:
        require_arguments(handler, len(observables), "handler")
        for each in observables:
            # Refused here rather than when the first message comes.
            each.latest_message
        self._references = [ref(each) for each in observables]
        self._parts: list[Observation] = []
        for index, each in enumerate(observables):
            self._parts.append(begin(each, observer, _part(self._references, index, handler)))

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


def _part(references: Sequence[ref[Observable[Any]]], index: int, handler: Callable[..., object]) -> Any:
    def receive(message: Any) -> None:
        messages = []
        for position, reference in enumerate(references):
            observable = reference()
            if observable is None:
                return
            messages.append(message if position == index else observable.latest_message)
        handler(*messages)

    receive.__qualname__ = name_of(handler)
    return receive

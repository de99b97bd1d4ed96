# SPDX-License-Identifier: MIT
"""Sinks of several sources that few programs use: these are loaded when they are first asked for."""

from __future__ import annotations

from collections import deque
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple
from weakref import ref

from .._core.observable import Sending
from .._core.parts import AnyObservable, AnyObservation
from .sinks import Joining, Latest, Sink, require_alike


class Zipping(Joining):
    """Sends the first message of each source, then the second of each, and so on."""

    kind = "zip"

    def __init__(self, *sources: AnyObservable) -> None:
        super().__init__(*sources)
        self._waiting: List[Deque[Any]] = [deque() for _ in sources]

    def _take(self, came: Any) -> None:
        index, message, author = came
        self._waiting[index].append(message)
        if all(self._waiting):
            self._send(tuple(each.popleft() for each in self._waiting), author)


class WithLatest(Joining):
    """Sends what the first source sends, with the latest message of each of the others."""

    kind = "with_latest_from"

    def __init__(self, *sources: AnyObservable) -> None:
        super().__init__(*sources)
        self._latest = Latest(sources)

    def _take(self, came: Any) -> None:
        index, message, author = came
        self._latest.note(index, message)
        all_latest = None if index else self._latest.with_new(index, message)
        if all_latest is not None:
            self._send(all_latest, author)


class Sampling(Joining):
    """Sends the latest message of the first source when the second sends, once."""

    kind = "sample"

    def __init__(self, *sources: AnyObservable) -> None:
        super().__init__(*sources)
        # The message with its author.
        self._latest: Optional[Tuple[Any, Any]] = None

    def _take(self, came: Any) -> None:
        index, message, author = came
        if index == 0:
            self._latest = message, author
        elif self._latest is not None:
            sample, self._latest = self._latest, None
            self._send(*sample)


class Gathering(Sink):
    """Sends lists of so many messages."""

    kind = "buffer"

    def __init__(self, source: AnyObservable, count: int) -> None:
        super().__init__(source)
        self._count = count
        self._gathered: List[Any] = []

    def _receive(self, message: Any, author: Any) -> None:
        self._gathered.append(message)
        if len(self._gathered) == self._count:
            messages, self._gathered = self._gathered, []
            self._pass_on(messages, author)


class Switching(Joining):
    """Sends what those observables send that were chosen for the latest messages of its source."""

    def __init__(self, source: AnyObservable, most: int = 1, chooser: Optional[Callable[[Any], Any]] = None) -> None:
        super().__init__(source)
        self.kind = "switch_to_latest" if chooser is None else "flat_map"
        self._chooser = chooser
        # The latest choices, the oldest first; and with what each that is among them is observed.
        self._choices: Deque[Optional[AnyObservable]] = deque(maxlen=most)
        self._chosen: Dict[int, Tuple[_Chosen, AnyObservation]] = {}

    def sources(self) -> Tuple[AnyObservable, ...]:
        return (*self._sources, *{id(each): each for each in [*self._choices] if each is not None}.values())

    def _take(self, came: Any) -> None:
        _, message, _ = came
        choice = message if self._chooser is None else self._chooser(message)
        if choice is not None and not isinstance(choice, Sending):
            what = "messages" if self._chooser is None else "what chooser returns"
            raise TypeError(f"{what} must be observables or None, not {type(choice).__name__}")
        if choice is not None and id(choice) not in self._chosen:
            require_alike((*self._sources, choice), "switched between")
            if _comes_from(choice, self._observable()):
                raise ValueError(f"what is chosen must not come from the {self.kind} that passes it on")
        # Kept here, until its observation has stopped.
        oldest = self._choices[0] if self._choices else None
        self._choices.append(choice)
        if oldest is not None and not any(oldest is each for each in self._choices):
            # There is none where it could not be observed.
            _, observation = self._chosen.pop(id(oldest), (None, None))
            if observation is not None:
                observation.stop()
        if choice is not None and id(choice) not in self._chosen:
            # Weakly: the part is kept here, and not the other way round.
            part = _Chosen(self)
            self._chosen[id(choice)] = part, choice.observe(part.receive, weak=True)


def _comes_from(observable: AnyObservable, source: Optional[AnyObservable]) -> bool:
    """Whether one observable is made from another, through however many."""
    known, waiting = {id(observable)}, [observable]
    while waiting:
        one = waiting.pop()
        if one is source:
            return True
        new = [each for each in one._upstream.sources() if id(each) not in known]
        known.update(map(id, new))
        waiting += new
    return False


class _Chosen:
    """Receives from an observable that was chosen. The sink keeps it, and not the other way round."""

    __slots__ = ("_sink", "__weakref__")

    def __init__(self, sink: Switching) -> None:
        self._sink = ref(sink)

    def receive(self, message: Any, author: Any) -> None:
        """Passes on what it sends."""
        sink = self._sink()
        if sink is not None:
            sink._send(message, author)


def zipping(*sources: AnyObservable) -> Sink:
    """Made by `zip`."""
    require_alike(sources, "zipped")
    return Zipping(*sources)


def with_latest(*sources: AnyObservable) -> Sink:
    """Made by `with_latest_from`."""
    require_alike(sources, "joined")
    return WithLatest(*sources)


def sampling(*sources: AnyObservable) -> Sink:
    """Made by `sample`."""
    require_alike(sources, "joined")
    return Sampling(*sources)

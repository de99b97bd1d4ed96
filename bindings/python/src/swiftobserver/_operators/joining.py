# SPDX-License-Identifier: MIT
"""Sinks of several sources that few programs use: these are loaded when they are first asked for."""

from __future__ import annotations

from collections import deque
from typing import Any, Deque, List, Optional, Tuple
from weakref import ref

from .._core.observable import Sending
from .._core.parts import AnyObservable
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
    """Sends what that observable sends which its source has sent last."""

    kind = "switch_to_latest"

    def __init__(self, source: AnyObservable) -> None:
        super().__init__(source)
        self._chosen: Optional[AnyObservable] = None
        self._chosen_part: Any = None
        self._observation: Any = None

    def sources(self) -> Tuple[AnyObservable, ...]:
        return self._sources if self._chosen is None else (*self._sources, self._chosen)

    def _take(self, came: Any) -> None:
        _, chosen, _ = came
        if chosen is self._chosen:
            return
        if chosen is not None and not isinstance(chosen, Sending):
            raise TypeError(f"messages must be observables or None, not {type(chosen).__name__}")
        if chosen is not None:
            require_alike((*self._sources, chosen), "switched between")
        before, self._observation, self._chosen = self._observation, None, chosen
        if before is not None:
            before.stop()
        # Weakly: the part is kept here, and another one takes its place.
        self._chosen_part = _Chosen(self)
        if chosen is not None:
            self._observation = chosen.observe(self._chosen_part.receive, weak=True)


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

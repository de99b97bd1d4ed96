# SPDX-License-Identifier: MIT
"""Sinks look at authors, remember, or have several sources: they observe these in Python, and send on.

source --observation, weakly--> sink --> observable that was made from it
   ^                              |
   +--------- kept alive ---------+
"""

from __future__ import annotations

from collections import deque
from ctypes import addressof
from weakref import ref

from .._core.authors import ITSELF, ForeignAuthor
from .._core.lines import Line
from .._core.parts import AnyObservable
from .._core.sending import pass_on, take_turn
from .._library import declarations as library
from .._library.ownership import Contexts
from .._library.typing import MISSING, Any, Callable, Optional, Tuple
from .._values.encoding import encode
from .._values.replay import ALL
from .._values.sameness import same
from .pure import (
    IsOld,
    Moving,
    Told,
    Upstream,
    adding_up,
    made_by_library,
    map_all,
    mapped,
    no_latest_message,
    pairing_with_previous,
    root_of,
)


class Sink(Upstream):
    """Passes on what the sources send."""

    kind = "sink"
    is_kept = True
    # The observable that sends it on.
    _observable: ref[AnyObservable]

    def __init__(self, *sources: AnyObservable) -> None:
        self.address: int = library.messenger_new()
        self.contexts: Contexts = {}
        self._sources = sources

    def sources(self) -> Tuple[AnyObservable, ...]:
        return self._sources

    def begin(self, observable: AnyObservable) -> None:
        self._observable = observable._reference
        self.observations = tuple(source.observe(self._receive, weak=True) for source in self._sources)

    def _receive(self, message: Any, author: Any) -> None:
        self._pass_on(message, author)

    def _pass_on(self, message: Any, author: Any) -> None:
        observable = self._observable()
        if observable is not None:
            pass_on(observable, message, author)


_NAMES = (str, int, float, complex, ForeignAuthor)


class Selecting(Sink):
    """Passes on what some authors have caused."""

    def __init__(self, source: AnyObservable, author: Any, kind: str) -> None:
        super().__init__(source)
        self._author, self.kind = author, kind

    def _receive(self, message: Any, author: Any) -> None:
        if self._is_meant(author) == (self.kind == "from"):
            self._pass_on(message, author)

    def _is_meant(self, author: Any) -> bool:
        # Two that are equal are two all the same, but for names, and for what C code named.
        return author is self._author or (isinstance(author, _NAMES) and same(author, self._author))


class Stepping(Sink):
    """Passes on what a function makes of each message, which has a state."""

    def __init__(self, source: AnyObservable, step: Callable[[Any], Any], kind: str) -> None:
        super().__init__(source)
        self._step, self.kind = step, kind

    def _receive(self, message: Any, author: Any) -> None:
        self._pass_on(self._step(message), author)


class Merging(Sink):
    """Passes on what any of its sources sends."""

    kind = "merge"


class Joining(Sink):
    """Takes in what several sources send, one message at a time, and knows which one sent it."""

    def begin(self, observable: AnyObservable) -> None:
        self._observable = observable._reference
        self._line = Line(self.kind)
        self._parts = [_Part(self, index) for index in range(len(self._sources))]
        self.observations = tuple(
            source.observe(part.receive, weak=True) for source, part in zip(self._sources, self._parts)
        )

    def receive(self, index: int, message: Any, author: Any) -> None:
        """Receives what the source of this index has sent."""
        self._line.put((index, message, author), self._take)

    def _take(self, came: Any) -> None:
        """Takes in what came: the index of the source, the message, and its author."""
        raise NotImplementedError

    def _send(self, message: Any, author: Any) -> None:
        observable = self._observable()
        if observable is not None:
            take_turn(observable, message, author)


# In the place of a message: the source is asked for it.
_ASKED: Any = object()


class Latest:
    """The latest message of each source: asked of those that know it, and remembered of the others."""

    def __init__(self, sources: Tuple[AnyObservable, ...]) -> None:
        self._sources = sources
        self._remembered = [_ASKED if each._knows_latest() else MISSING for each in sources]

    @property
    def is_known(self) -> bool:
        """Whether all sources know theirs."""
        return all(each is _ASKED for each in self._remembered)

    def note(self, index: int, message: Any) -> None:
        """Remembers what a source has sent that does not know it."""
        if self._remembered[index] is not _ASKED:
            self._remembered[index] = message

    def with_new(self, index: int, message: Any) -> Optional[Tuple[Any, ...]]:
        """Those of all, of one of them what it has just sent; None if one has sent nothing yet."""
        found = tuple(
            message if place == index else source.latest_message if known is _ASKED else known
            for place, (source, known) in enumerate(zip(self._sources, self._remembered))
        )
        return None if any(each is MISSING for each in found) else found


class Combining(Joining):
    """Sends one message of each source."""

    kind = "combined"
    is_known_here_alone = True

    def __init__(self, *sources: AnyObservable) -> None:
        super().__init__(*sources)
        self._latest = Latest(sources)

    def knows_latest(self, observable: AnyObservable) -> bool:
        return self._latest.is_known

    def latest(self, observable: AnyObservable) -> Any:
        # A loop, because what is combined of what is combined may be deeper than Python can recurse.
        whole: list[Any] = []
        found: list[Any] = []
        mappers: list[Callable[[Any], Any]] = []
        into, sources = whole, self._known_sources(observable)
        open_ones = []
        while True:
            if len(found) < len(sources):
                root, its_mappers = root_of(sources[len(found)])
                if type(root._upstream) is not Combining:
                    found.append(map_all(root.latest_message, its_mappers))
                    continue
                open_ones.append((sources, found, mappers, into))
                sources, found, mappers, into = root._upstream._known_sources(root), [], its_mappers, found
                continue
            into.append(map_all(tuple(found), mappers))
            if not open_ones:
                return whole[0]
            sources, found, mappers, into = open_ones.pop()

    def _known_sources(self, observable: AnyObservable) -> Tuple[AnyObservable, ...]:
        if not self._latest.is_known:
            raise TypeError(no_latest_message(observable))
        return self._sources

    def receive(self, index: int, message: Any, author: Any) -> None:
        observable = self._observable()
        if observable is None:
            return
        source = self._sources[index]
        came = (index, message, author, source._upstream.delivered(source))
        if observable._ordered:
            self._line.put(came, self._take)
        else:
            self._take(came)

    def delivered(self, observable: AnyObservable) -> Any:
        taken = self._line.taken
        return None if taken is None or taken[3] is None else taken

    def recall_latest(self, observable: AnyObservable, told: Told) -> Tuple[Any, IsOld]:
        recalled = [
            source._upstream.recall_latest(source, self._telling(told, index))
            for index, source in enumerate(self._sources)
        ]

        def is_old(came: Any) -> bool:
            return came is not None and recalled[came[0]][1](came[3])

        return tuple([message for message, _ in recalled]), is_old

    def _telling(self, told: Told, index: int) -> Told:
        """Tells of what has come from one source, and is on its way here."""

        def tell(moving: Moving) -> None:
            all_here = Moving()
            for each in self._line.here():
                all_here.add(each)
            # After those in line, as it was one of them.
            told(all_here)
            for came in all_here.messages():
                if came[0] == index:
                    moving.add(came[3])

        return tell

    def _take(self, came: Any) -> None:
        index, message, author, _ = came
        self._latest.note(index, message)
        all_latest = self._latest.with_new(index, message)
        if all_latest is not None:
            self._send(all_latest, author)

    def between(self, observable: AnyObservable, action: Callable[[], None]) -> None:
        self._line.between(action, self._take)


class _Part:
    """Receives from one of the sources that are joined. The sink keeps it, and not the other way round."""

    __slots__ = ("_sink", "_index", "__weakref__")

    def __init__(self, sink: Joining, index: int) -> None:
        self._sink, self._index = ref(sink), index

    def receive(self, message: Any, author: Any) -> None:
        """Receives with the index of the source."""
        sink = self._sink()
        if sink is not None:
            sink.receive(self._index, message, author)


class WeakSink(Sink):
    """Keeps its source no longer than others do."""

    kind = "weak"

    def begin(self, observable: AnyObservable) -> None:
        super().begin(observable)
        self._references = tuple(each._reference for each in self._sources)
        self._sources = ()

    def sources(self) -> Tuple[AnyObservable, ...]:
        return tuple(source for each in self._references if (source := each()) is not None)


class _Remembering(Sink):
    """Counts what it receives."""

    # The number of the message that it passes on.
    _number: Optional[int] = None

    def begin(self, observable: AnyObservable) -> None:
        self._line = Line(self.kind)
        super().begin(observable)

    def delivered(self, observable: AnyObservable) -> Any:
        return self._number

    def _receive(self, message: Any, author: Any) -> None:
        self._put(message, author)

    def _put(self, message: Any, author: Any) -> None:
        observable = self._observable()
        if observable is not None and not observable._ordered:
            self._take((message, author))
        else:
            self._line.put((message, author), self._take)

    def _take(self, came: Any) -> None:
        observable = self._observable()
        if observable is None or observable.is_blocked:
            return
        message, author = came
        try:
            self._number = self._remember(message, author)
            pass_on(observable, message, ITSELF if author is MISSING else author)
        finally:
            self._number = None

    def between(self, observable: AnyObservable, action: Callable[[], None]) -> None:
        self._line.between(action, self._take)

    def _remember(self, message: Any, author: Any) -> int:
        """Returns its number."""
        raise NotImplementedError


def _up_to(number: int) -> IsOld:
    return lambda delivered: delivered is not None and delivered <= number


class Cache(_Remembering):
    """Remembers the latest message."""

    kind = "cache"

    def __init__(self, source: AnyObservable, initial: Any) -> None:
        super().__init__(source)
        # Its number, and its author, who is missing of the initial one.
        self._latest: Tuple[int, Any, Any] = (0, initial, MISSING)

    def knows_latest(self, observable: AnyObservable) -> bool:
        return True

    def latest(self, observable: AnyObservable) -> Any:
        return self._latest[1]

    def send_again(self, observable: AnyObservable, message: Any, author: Any) -> None:
        # As what the source sends: it is the author's from then on.
        self._put(message, MISSING if author is ITSELF else author)

    def recall(self, observable: AnyObservable, count: int, told: Told) -> Tuple[list[Tuple[Any, Any]], IsOld]:
        number, message, author = self._latest
        return [(message, observable if author is MISSING else author)], _up_to(number)

    def recall_latest(self, observable: AnyObservable, told: Told) -> Tuple[Any, IsOld]:
        number, message, _ = self._latest
        return message, _up_to(number)

    def _remember(self, message: Any, author: Any) -> int:
        number = self._latest[0] + 1
        self._latest = number, message, author
        return number


class Memory(_Remembering):
    """Remembers the last messages."""

    kind = "replay"

    def __init__(self, source: AnyObservable, most: int) -> None:
        super().__init__(source)
        # With their numbers, counted from 1.
        self._memory: deque[Tuple[int, Any, Any]] = deque(maxlen=None if most == ALL else most)
        self._count = 0

    def remembers(self, observable: AnyObservable) -> bool:
        return True

    def recall(self, observable: AnyObservable, count: int, told: Told) -> Tuple[list[Tuple[Any, Any]], IsOld]:
        remembered = list(self._memory)
        recalled = [(message, author) for _, message, author in remembered[-count:]]
        return recalled, _up_to(remembered[-1][0] if remembered else 0)

    def _remember(self, message: Any, author: Any) -> int:
        number = self._count + 1
        self._memory.append((number, message, author))
        self._count = number
        return number


def remembering(source: AnyObservable, most: int) -> Upstream:
    """Made by `replaying`."""
    made: Upstream = source._store.either(
        lambda: Memory(source, most), lambda: made_by_library("replay", source, library.replay, most)
    )
    return made


def with_previous(source: AnyObservable) -> Upstream:
    """Made by `with_previous`. Its state is of messages that were sent, and not of those that are only asked for."""
    return stepping(source, pairing_with_previous(), "with_previous")


def scanning(source: AnyObservable, initial: Any, accumulate: Any) -> Upstream:
    """Made by `scan`."""
    return stepping(source, adding_up(initial, accumulate), "scan")


def stepping(source: AnyObservable, step: Callable[[Any], Any], kind: str) -> Upstream:
    """Applies a function that has a state."""

    def in_python() -> Upstream:
        transform = mapped(source, step, kind)
        transform.mapper = None
        return transform

    # What the library maps has a latest message, for which it would ask.
    made: Upstream = source._store.either(in_python, lambda: Stepping(source, step, kind))
    return made


def caching(source: AnyObservable, initial: Any) -> Upstream:
    """Made by `cache`."""
    made: Upstream = source._store.either(lambda: Cache(source, initial), lambda: _cached_by_library(source, initial))
    return made


def _cached_by_library(source: AnyObservable, initial: Any) -> Upstream:
    value = encode(initial)
    return made_by_library("cache", source, library.cache, addressof(value))


def merging(*sources: AnyObservable) -> Sink:
    """Made by `merge`."""
    require_alike(sources, "merged")
    return Merging(*sources)


def combining(*sources: AnyObservable) -> Sink:
    """Made by `combine`."""
    require_alike(sources, "combined")
    return Combining(*sources)


def require_alike(sources: Tuple[AnyObservable, ...], done: str) -> None:
    if len({each._store.made for each in sources}) > 1:
        raise ValueError(f"others: what was made for C code and what was not cannot be {done}")

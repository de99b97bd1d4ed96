# SPDX-License-Identifier: MIT
"""The history of a program: the last changes of each observable, their causes, rates, and slow handlers."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any, Deque, Dict, List, NamedTuple, Optional

CHANGES = 100
"""How many changes of an observable are kept."""
CAUSES = 50_000
"""How many changes are kept for paths of causes."""
PATH = 32
WINDOW = 2.0
"""Over how many seconds rates are."""


class Change(NamedTuple):
    """A change of an observable."""

    number: int
    of: str
    kind: str
    name: Optional[str]
    old: Optional[str]
    new: Optional[str]
    thread: str
    handler: Optional[str]
    """The name, or the observation, of the handler that it was made in; or who else has made it."""
    is_in_handler: bool
    because: int
    """The number of the change that it was made because of; 0: none is known."""
    began: int


class Calls:
    """How often the handler of an observation was called, and how long that took, in nanoseconds."""

    def __init__(self) -> None:
        self.count: int = 0
        self.total: int = 0
        self.slowest: int = 0

    def add(self, took: int) -> None:
        """Takes a call in."""
        self.count += 1
        self.total += took
        self.slowest = max(self.slowest, took)


class History:
    """Takes events in, and answers from them. Used by one thread at a time."""

    def __init__(self) -> None:
        self.last: Dict[str, Deque[Change]] = defaultdict(lambda: deque(maxlen=CHANGES))
        self.calls: Dict[str, Dict[str, Calls]] = defaultdict(dict)
        self.is_sampled: bool = False
        self.lost: int = 0
        # What has happened since a page looked, by numbers that go up: how often, of which nodes and observations.
        self._moments: Deque[Any] = deque()
        self._number = 0
        self._causes: "OrderedDict[int, Change]" = OrderedDict()

    def add(self, answer: Dict[str, Any]) -> None:
        """Takes an answer of `Program.events()`."""
        nodes: Counter[str] = Counter()
        edges: Counter[str] = Counter()
        self.is_sampled = bool(answer.get("sampled"))
        self.lost += int(answer.get("lost", 0))
        for event in answer["events"]:
            observation = event.get("observation")
            if event.get("call"):
                edges[observation or ""] += 1
                self.calls[event["of"]].setdefault(observation or "", Calls()).add(event.get("took", 0))
                continue
            nodes[event["of"]] += 1
            thread = str(event.get("thread", ""))
            change = Change(
                event.get("number", 0),
                event["of"],
                event.get("kind", ""),
                event.get("name"),
                event.get("old"),
                event.get("new"),
                f"{thread} {event['thread_name']}" if "thread_name" in event else thread,
                event.get("handler") or observation,
                observation is not None,
                event.get("because", 0),
                event.get("began", 0),
            )
            self.last[change.of].append(change)
            self._causes[change.number] = change
        while len(self._causes) > CAUSES:
            self._causes.popitem(last=False)
        self._number += 1
        now = time.monotonic()
        self._moments.append((self._number, now, nodes, edges))
        while self._moments and self._moments[0][1] < now - WINDOW:
            self._moments.popleft()

    def since(self, number: int) -> Dict[str, Any]:
        """Tell what has happened since a page looked, and how much a second there is of each observable."""
        nodes: Counter[str] = Counter()
        edges: Counter[str] = Counter()
        rates: Counter[str] = Counter()
        for moment, _, changed, called in self._moments:
            rates.update(changed)
            if moment > number:
                nodes.update(changed)
                edges.update(called)
        span = WINDOW
        if len(self._moments) > 1:
            span = max(0.1, self._moments[-1][1] - self._moments[0][1])
        return {
            "number": self._number,
            "nodes": nodes,
            "edges": edges,
            "rates": {each: count / span for each, count in rates.items()},
            "sampled": self.is_sampled,
            "lost": self.lost,
        }

    def of(self, observable: str, kinds: Dict[str, str], names: Dict[str, str]) -> List[Dict[str, Any]]:
        """The last changes of an observable, the last one first, each with what it was made because of.

        :param kinds: of observables that are still there: what a language says of them, which the library may not know.
        :param names: of handlers, by observations.
        """

        def told(change: Change) -> Dict[str, Any]:
            handler = names.get(change.handler or "", change.handler)
            return {**change._asdict(), "kind": kinds.get(change.of, change.kind), "handler": handler}

        changes = reversed(self.last.get(observable, ()))
        return [{**told(change), "path": [told(cause) for cause in self._path(change)]} for change in changes]

    def _path(self, change: Change) -> List[Change]:
        path: List[Change] = []
        cause = self._causes.get(change.because)
        while cause is not None and len(path) < PATH:
            path.append(cause)
            cause = self._causes.get(cause.because)
        return path

    def handlers(self, observable: str, names: Dict[str, str]) -> List[Dict[str, Any]]:
        """The handlers of an observable that have been called, the slowest first."""
        called = self.calls.get(observable, {})
        return [
            {
                "name": names.get(observation) or observation,
                "observation": observation,
                "calls": calls.count,
                "mean": calls.total / calls.count,
                "slowest": calls.slowest,
            }
            for observation, calls in sorted(called.items(), key=lambda each: -each[1].slowest)
        ]

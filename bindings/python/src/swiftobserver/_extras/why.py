# SPDX-License-Identifier: MIT
"""Why something has changed, and traces: what the library keeps while it is asked to, with names that Python knows."""

from __future__ import annotations

import json
import os
from ctypes import byref, sizeof
from numbers import Real
from typing import Any, Dict, List, Sequence, Union

from .._core.authors import ForeignAuthor, author_at
from .._core.failures import check
from .._core.observation import Observation
from .._core.parts import AnyObservable
from .._derived import settling
from .._library import declarations as library
from .._library.environment import is_traced
from .._library.inspection import name_of
from .._library.ownership import living_handles
from .graph import _is_observable

_JSON = 1
# What the library finds of calls: how each of its sentences goes on behind the names.
_OF_CALLS = {4: " has been called on ", 5: " has taken "}
# A century, in seconds: longer ones are none that a handler takes.
_LONGEST = 3_155_760_000


class tracing:
    """Keeps why observables change, for `why()`, and writes a trace if there is a `path`, which ui.perfetto.dev shows.

    Until it is left, sends take some hundred nanoseconds more; elsewhere they take nothing for it. There is one at a
    time. Values stand in neither, unless `values` allows it; then numbers and texts of variables with `native` do.

    >>> from swiftobserver import Messenger, Var, tracing, why
    >>> clicks, width = Messenger(name="clicks"), Var(1, name="width")
    >>> drawing = width.observe(lambda update: None)
    >>> def resize(width_now):
    ...     width.value = width_now
    >>> resizing = clicks.observe(resize)
    >>> with tracing():
    ...     clicks.send(2)
    ...     changes = why(width).splitlines()
    >>> for change in changes:
    ...     print(change.split(", on thread")[0])
    variable "width" changed
      because messenger "clicks" changed
    """

    def __init__(self, path: Union[None, str, "os.PathLike[str]"] = None, *, values: bool = False) -> None:
        self._path = path
        self._options = library.TraceOptions(sizeof(library.TraceOptions), values)

    def __enter__(self) -> "tracing":
        if self._path is not None:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                status = library.trace_start(descriptor, byref(self._options))
            finally:
                os.close(descriptor)
            if status == library.CONFLICT:
                raise RuntimeError("there is a trace already")
            if status:
                raise OSError(f"{os.fspath(self._path)} cannot be written")
            settling.traces.are_wanted = True
        check(library.why_start(byref(self._options)))
        return self

    def __exit__(self, *_: object) -> None:
        library.why_stop()
        if self._path is None:
            return
        settling.traces.are_wanted = is_traced()
        if library.trace_stop():
            raise OSError(f"some of the trace could not be written to {os.fspath(self._path)}")


def why(observable: AnyObservable) -> str:
    """Says why an observable has changed last, while `tracing()`: a line for each change, the last one first.

    Of what nothing observes nothing is known, unless it is `native`. What a variable that is not `native` sends while
    its handlers run waits in Python, and begins a new path.
    """
    return _sentences(changes(observable))


def why_called(observation: Observation) -> str:
    """Says why the handler of an observation was called last, as `why()`."""
    if not isinstance(observation, Observation):
        raise TypeError(f"observation must be an Observation, not {type(observation).__name__}")
    answer = library.Value()
    status = library.why_called(observation._number.value, _JSON, byref(answer))
    return _sentences([] if status == library.NOT_FOUND else _read(answer, status))


def changes(observable: AnyObservable) -> List[Dict[str, Any]]:
    """The same as dictionaries, as they stand in JSON."""
    if not _is_observable(observable):
        raise TypeError(f"observable must be an observable, not {type(observable).__name__}")
    answer = library.Value()
    return _read(answer, library.why(observable._address, _JSON, byref(answer)))


def _read(answer: Any, status: int) -> List[Dict[str, Any]]:
    check(status)
    found: List[Dict[str, Any]] = json.loads(answer.data or b"[]")
    library.value_clear(byref(answer))
    known: Dict[str, Any] = {}
    handlers: Dict[int, Any] = {}
    for handle in living_handles():
        if _is_observable(handle) and handle._address:
            known[f"0x{handle._address:x}"] = handle
        for context in list(handle._contexts):
            if isinstance(context, Observation) and context._handler is not None:
                handlers[context._number.value] = context._handler
    for change in found:
        observable = known.get(change["observable"])
        if observable is not None:
            change["kind"] = observable._upstream.kind or observable._kind or change["kind"]
        if "author" in change:
            author = author_at(int(change["author"], 16))
            if not isinstance(author, ForeignAuthor):
                change["author_type"] = type(author).__qualname__
        handler = handlers.get(change.get("observation", 0))
        if handler is not None:
            change["handler"] = name_of(handler)
    return found


def _sentences(found: List[Dict[str, Any]]) -> str:
    if not found:
        return "nothing is known"
    return "\n  because ".join(map(_sentence, found))


def _sentence(change: Dict[str, Any]) -> str:
    old, new = change.get("old"), change.get("new")
    words = [f"{change['kind']} {json.dumps(change['name']) if 'name' in change else change['observable']}"]
    words.append("changed" if new is None else f"sent {new}" if old is None else f"changed from {old} to {new}")
    parts = [" ".join(words)]
    if "author" in change:
        parts.append(
            " ".join(["by author", *([change["author_type"]] if "author_type" in change else []), change["author"]])
        )
    parts.append(f"on thread {change['thread']}")
    if change.get("handler") is not None:
        parts.append(f'in handler "{change["handler"]}"')
    elif "observation" in change:
        parts.append(f"in handler {change['observation']}")
    return ", ".join(parts)


def lint(*observables: AnyObservable, slow: float = 0.1) -> List[str]:
    """Find what looks wrong with some observables, or all there are, a sentence each.

    A handler that observes the same observable twice, a transform that nothing observes; and, while `tracing()`,
    observables whose last change has led back to them through handlers, handlers without an executor that several
    threads have called, and calls of handlers that have taken more than `slow` seconds.
    """
    if not (isinstance(slow, Real) and 0 <= slow < _LONGEST):
        raise ValueError(f"slow must be seconds, 0 or more, not {slow!r:.99}")
    living: List[Any] = list(observables) or [
        each for each in living_handles() if _is_observable(each) and each._address
    ]
    found: List[str] = []
    for each in living:
        if not _is_observable(each):
            raise TypeError(f"observables must be observables, not {type(each).__name__}")
        seen: List[Any] = []
        for context in list(each._contexts):
            handler = getattr(context, "_handler", None)
            if not isinstance(context, Observation) or handler is None:
                continue
            if seen.count(handler) == 1:
                found.append(f"{name_of(handler)} observes {_called(each)} more than once")
            seen.append(handler)
        if tuple(each._upstream.sources()) and each.count == 0:
            found.append(f"nothing observes {_called(each)}, which is made from another observable")
        path = changes(each)
        for index, change in enumerate(path[1:], 1):
            if change["observable"] == path[0]["observable"]:
                by = [one["handler"] for one in path[:index] if one.get("handler")]
                way = f", through {', '.join(by)}" if by else ""
                found.append(f"a change of {_called(each)} leads to another one of it{way}")
                break
    return found + _lint_of_calls(living, slow)


def _lint_of_calls(living: Sequence[Any], slow: float) -> List[str]:
    """Tell what the library has found of calls, with names that Python knows."""
    known = {each._address: each for each in living}
    found: List[str] = []

    def note(_: object, kind: int, address: int, sentence: bytes) -> None:
        between = _OF_CALLS.get(kind)
        if between is None or address not in known:
            return
        observable = known[address]
        before, _separator, rest = sentence.decode().rpartition(between)
        number = int(before.split()[1])
        for context in list(observable._contexts):
            if isinstance(context, Observation) and context._number.value == number and context._executor is None:
                found.append(f"{name_of(context._handler)} of {_called(observable)}{between}{rest}")

    options = library.LintOptions(sizeof(library.LintOptions), round(slow * 1e9))
    check(library.lint(byref(options), library.FINDING(note), None))
    return found


def every_answer() -> List[str]:
    """Why each named observable has changed."""
    living: List[Any] = [each for each in living_handles() if _is_observable(each) and each._address]
    named = [each for each in living if each.name is not None]
    return [f"{_called(each)}: {why(each)}" for each in sorted(named, key=lambda each: str(each.name))]


def _called(observable: Any) -> str:
    kind = observable._upstream.kind or observable._kind or "messenger"
    return f"{kind} {json.dumps(observable.name)}" if observable.name is not None else f"an unnamed {kind}"

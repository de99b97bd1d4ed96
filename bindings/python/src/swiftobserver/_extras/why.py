# SPDX-License-Identifier: MIT
"""Why something has changed, and traces: what the library keeps while it is asked to, with names that Python knows."""

from __future__ import annotations

import json
import os
from ctypes import byref, sizeof
from numbers import Real
from typing import Any, Dict, List, Sequence, Set, Union

from .._core.authors import ForeignAuthor, author_at
from .._core.failures import check
from .._core.observation import Observation
from .._core.parts import AnyObservable
from .._derived import settling
from .._library import declarations as library
from .._library.environment import is_traced
from .._library.inspection import is_of_package, name_of
from .._library.ownership import living_handles
from .graph import _is_observable

_JSON = 1
# What the library finds of calls: how each of its sentences goes on behind the names.
_OF_CALLS = {4: " has been called on ", 5: " has taken "}
# A century, in seconds: longer ones are none that a handler takes.
_LONGEST = 3_155_760_000
# Operators that pass on the last message of their source, later.
_WAITING = {"debounce", "throttle", "buffer"}
_LONGEST_PATH = 64


class tracing:
    """Keeps why observables change, for `why()`, and writes a trace if there is a `path`, which ui.perfetto.dev shows.

    Until it is left, sends take some hundred nanoseconds more; elsewhere they take nothing for it. There is one at a
    time. Values stand in neither, unless `values` allows it; then numbers, texts and what is made of them do, and of
    other objects their type.

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
        if self._options.values:
            # Says what objects are.
            from . import inspecting  # noqa: F401
        for each in _living():
            # From now on the library knows of its changes.
            _last(each)
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

    A derived variable that nothing observes sends nothing, so nothing is known of its changes. What a variable that is
    not `native` sends while its handlers run waits in Python, and begins a new path; so does what `delay` passes on.
    What is set in a `batch()` is known from the end of that.
    """
    return _sentences(changes(observable))


def why_called(observation: Observation) -> str:
    """Says why the handler of an observation was called last, as `why()`."""
    if not isinstance(observation, Observation):
        raise TypeError(f"observation must be an Observation, not {type(observation).__name__}")
    answer = library.Value()
    status = library.why_called(observation._number.value, _JSON, byref(answer))
    return _sentences([] if status == library.NOT_FOUND else _told(_read(answer, status)))


def changes(observable: AnyObservable) -> List[Dict[str, Any]]:
    """The same as dictionaries, as they stand in JSON."""
    if not _is_observable(observable):
        raise TypeError(f"observable must be an observable, not {type(observable).__name__}")
    return _told(_last(observable))


def _last(observable: Any) -> List[Dict[str, Any]]:
    answer = library.Value()
    return _read(answer, library.why(observable._address, _JSON, byref(answer)))


def _read(answer: Any, status: int) -> List[Dict[str, Any]]:
    check(status)
    found: List[Dict[str, Any]] = json.loads(answer.data or b"[]")
    library.value_clear(byref(answer))
    return found


def _living() -> List[Any]:
    return [each for each in living_handles() if _is_observable(each) and each._address]


def _causes(observable: Any) -> List[Any]:
    """Those whose last change before has led to that of another one, where Python has waited or computed meanwhile."""
    found = list(observable._upstream.sources()) if observable._upstream.kind in _WAITING else []
    waiting = list(observable._read())
    while waiting:
        source = waiting.pop()
        # A derived variable that nothing observes sends nothing.
        if source.count == 0 and source._read():
            waiting += source._read()
        else:
            found.append(source)
    return found


def _lead_on(path: List[Dict[str, Any]], known: Dict[str, Any]) -> None:
    """Goes on with a path that has been computed with, or has waited, in Python."""
    while path and path[-1]["observable"] in known and len(path) < _LONGEST_PATH:
        before = path[-1]["number"]
        ways = [_last(each) for each in _causes(known[path[-1]["observable"]])]
        ways = [way for way in ways if way and way[0]["number"] < before]
        if not ways:
            break
        latest: List[Dict[str, Any]] = max(ways, key=lambda way: int(way[0]["number"]))
        path += latest


def _told(found: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """With what Python knows."""
    known: Dict[str, Any] = {}
    handlers: Dict[int, Any] = {}
    for handle in living_handles():
        if _is_observable(handle) and handle._address:
            known[f"0x{handle._address:x}"] = handle
        for context in list(handle._contexts):
            if isinstance(context, Observation) and context._handler is not None:
                handlers[context._number.value] = context._handler
    _lead_on(found, known)
    for change in found:
        observable = known.get(change["observable"])
        if observable is not None:
            change["kind"] = observable._upstream.kind or observable._kind or change["kind"]
        if "author" in change:
            author = author_at(int(change["author"], 16))
            if not isinstance(author, ForeignAuthor):
                change["author_type"] = type(author).__qualname__
        handler = handlers.get(change.get("observation", 0))
        if handler is None:
            continue
        change["handler"] = name_of(handler)
        if is_of_package(handler):
            # What passes messages on in here is no handler of the program's.
            del change["handler"], change["observation"]
    return found


def _sentences(found: List[Dict[str, Any]]) -> str:
    if not found:
        return "nothing is known"
    ways = [{one["observable"] for one in found[number:]} for number in range(len(found))]
    return "\n  because ".join(map(_sentence, found, ways))


def _sentence(change: Dict[str, Any], way: Set[str]) -> str:
    old, new = change.get("old"), change.get("new")
    words = [f"{change['kind']} {json.dumps(change['name']) if 'name' in change else change['observable']}"]
    if change["kind"] == "effect":
        words.append("ran")
    else:
        words.append("changed" if new is None else f"sent {new}" if old is None else f"changed from {old} to {new}")
    parts = [" ".join(words)]
    # An observable on the way passes messages on under its own name, unless the sender has named another.
    if change.get("author", "") not in {"", *way}:
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
    living = list(observables) or _living()
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
    # With any object but None, which has none of the references by which PyPy passes objects.
    check(library.lint(byref(options), library.FINDING(note), note))
    return found


def every_answer() -> List[str]:
    """Why each named observable has changed."""
    named = [each for each in _living() if each.name is not None]
    return [f"{_called(each)}: {why(each)}" for each in sorted(named, key=lambda each: str(each.name))]


def _called(observable: Any) -> str:
    kind = observable._upstream.kind or observable._kind or "messenger"
    return f"{kind} {json.dumps(observable.name)}" if observable.name is not None else f"an unnamed {kind}"

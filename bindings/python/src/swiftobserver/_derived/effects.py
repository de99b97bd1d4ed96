# SPDX-License-Identifier: MIT
"""A function that runs now, and again after each turn in which something that it has read has changed."""

from __future__ import annotations

from _thread import get_ident
from itertools import count
from weakref import ref

from .._core.authors import ITSELF
from .._core.demand import on_demand
from .._core.executors import Place
from .._core.failures import amid, are_pending_here, pending, raise_pending
from .._core.observation import Observation, Options, begin
from .._core.observer import Observer
from .._core.stores import LOCAL
from .._library import declarations as library
from .._library.declarations import CALLBACK_FAILED, OK
from .._library.inspection import name_of
from .._library.ownership import set_attribute
from .._library.typing import MISSING, Any, Callable, Optional, Tuple, overload
from .._operators.methods import Observable
from .._values.moments import Frame, View, affecting, lock, moments, outside, running
from .derived import require_arguments_none, tell_failure
from .errors import ComputingError
from .settling import Reader, begin_observing, end_observing, in_view, relink
from .turns import pass_turns

# How often an effect may cause itself in a row.
_MOST = 100

_numbers = count()

# Those that run until they are stopped.
_living: dict[Any, None] = {}


class _EffectFrame(Frame):
    __slots__ = ()

    def has_set(self) -> None:
        # What it reads from now on is of the moment after that.
        self.view.begin()


class _Effect(Reader):
    """An effect as a node."""

    __slots__ = (
        "title",
        "number",
        "streak",
        "observable",
        "executor",
        "heard",
        "is_owed",
        "clean_up",
        "is_running",
        "has_begun",
    )
    is_effect = True

    def __init__(self, function: Callable[[], Any], name: Optional[str]) -> None:
        super().__init__(function)
        self.title = name or name_of(function)
        self.number = next(_numbers)
        self.streak = 0
        self.observable: Any = None
        # Where it runs, if not in the send.
        self.executor: Any = None
        # How many messages have reached it, there or here.
        self.heard = 0
        # A message that was sent may be on its way, although what it tells of counts as read.
        self.is_owed = False
        self.clean_up: Any = None
        self.is_running = self.has_begun = False

    def name(self) -> str:
        return self.title

    def demand(self) -> None:
        """The observation has begun."""
        begin_observing(self)

    def end_demand(self) -> None:
        """It has ended."""
        end_observing(self)
        sources, self.sources = self.sources, {}
        _living.pop(self, None)
        self.observable = None
        if not self.is_running:
            self._clean_up()
        del sources

    def turn(self) -> bool:
        """Has the function run. Returns whether something has failed."""
        observable = self.observable
        if observable is None or not self.is_observed:
            return False
        self.streak += 1
        if self.streak > _MOST:
            self.rest()
            error = RuntimeError(f"effect {self.title} has caused itself {_MOST} times in a row, and rests")
            tell_failure(error, "effect", self.title, observable)
            return True
        heard = self._count_heard()
        status = observable._store.calls.send(observable, None, ITSELF)
        if self.is_suspect and self._count_heard() == heard:
            # It is blocked, or was; or another thread delivers it, and will this message.
            self.is_owed |= self._changed()
            self.rest()
        return bool(status == CALLBACK_FAILED)

    def _count_heard(self) -> int:
        return self.heard if self.executor is None else int(self.executor.accepted)

    def perform(self) -> None:
        """The handler of the observation."""
        self.heard += 1
        if self.has_begun and not self.is_owed and not self._changed():
            return
        self.is_owed = False
        try:
            affecting(self._run)
        finally:
            # What has changed meanwhile; unless a thread handles turns, which has called this, or goes on with them.
            if (moments.effects or moments.waiting) and pass_turns() and self.observable is not None:
                raise_pending(self.observable, CALLBACK_FAILED)

    def _run(self) -> None:
        self._clean_up()
        view = View()
        frame = _EffectFrame(view, {}, False)
        result = None
        self.is_running = self.has_begun = True
        frame.enter()
        try:
            view.begin()
            result = self.function()
        finally:
            frame.leave()
            view.end()
            self.is_running = False
            assert frame.sources is not None
            self._follow(frame.sources)
            if callable(result):
                self.clean_up = result
                if self.observable is None:
                    self._clean_up()

    def _changed(self) -> bool:
        """Whether something that was read last has changed."""
        if self._has_newer_source():
            return True
        view = View()
        frame = Frame(view, None, True)
        frame.enter()
        try:
            view.begin()
            if self._reads_another(view):
                return True
            with lock:
                if moments.clock == view.moment:
                    self.is_suspect = False
                    return False
        finally:
            frame.leave()
            view.end()
        return self._changed()

    def _has_newer_source(self) -> bool:
        """Whether a source has changed that is not derived: that takes no view."""
        for source, (_, version) in list(self.sources.items()):
            if not source.is_derived and source.stamp != version:
                return True
        return False

    # On their own, as all loops within a block: CPython 3.12 to 3.14 find no handler at the end of one.
    def _reads_another(self, view: View) -> bool:
        for source, (_, version) in list(self.sources.items()):
            present = in_view(source, view)[2] if source.is_derived else source.version_at(view.moment)
            if present != version:
                return True
        return False

    def _suspect_if_changed(self) -> None:
        for source, (_, version) in self.sources.items():
            present = (None if source.is_suspect else source.result[2]) if source.is_derived else source.stamp
            if present != version:
                self.is_suspect = True
                moments.effects.add(self)
                break

    def _follow(self, sources: Any) -> None:
        with lock:
            if not self.is_live:
                return
            former, self.sources = self.sources, sources
            relink(self, former)
            self.is_suspect = False
            self._suspect_if_changed()

    def rest(self) -> None:
        """What there is now counts as read. All of it is settled: what is suspect would tell of no other change."""
        self.streak = 0
        while not self._count_as_read():
            pass

    def _count_as_read(self) -> bool:
        """False if something has been set meanwhile."""
        view = View()
        frame = Frame(view, None, True)
        frame.enter()
        try:
            view.begin()
            sources = self.sources
            present = _present(sources, view)
            with lock:
                # One that has run meanwhile knows better.
                if self.sources is sources:
                    if moments.clock != view.moment:
                        return False
                    self.sources = present
                    self.is_suspect = False
        except BaseException:
            # An interrupt: the next turn looks again.
            with lock:
                moments.effects.add(self)
            raise
        finally:
            frame.leave()
            view.end()
        return True

    def _clean_up(self) -> None:
        clean_up, self.clean_up = self.clean_up, None
        if clean_up is not None:
            outside(clean_up)


def _present(sources: Any, view: View) -> Any:
    """The same with the versions that a view sees."""
    return {
        source: (variable, in_view(source, view)[2] if source.is_derived else source.version_at(view.moment))
        for source, (variable, _) in list(sources.items())
    }


class _Effects(Observable[None]):
    """By which an effect is an observation."""

    _kind = "effect"
    _node: ref[_Effect]

    def __init__(self, node: _Effect, name: Optional[str]) -> None:
        super().__init__(library.messenger_new(), {}, LOCAL, name)
        set_attribute(self, "_node", ref(node))
        on_demand(self, node)

    def _called(self) -> str:
        return "effect"

    def _lose_message(self) -> None:
        node = self._node()
        if node is not None and node.is_suspect:
            node.rest()

    def _read(self) -> Tuple[Any, ...]:
        node = self._node()
        return () if node is None else tuple(variable for variable, _ in list(node.sources.values()))


@overload
def effect(
    function: Callable[[], object],
    *,
    observer: Optional[Observer] = None,
    on: Optional[Place] = None,
    name: Optional[str] = None,
) -> Observation: ...
@overload
def effect(
    *, observer: Optional[Observer] = None, on: Optional[Place] = None, name: Optional[str] = None
) -> Callable[[Callable[[], object]], Observation]: ...
def effect(
    function: Any = MISSING,
    *,
    observer: Optional[Observer] = None,
    on: Optional[Place] = None,
    name: Optional[str] = None,
) -> Any:
    """Runs a function now, and again after each change of something that it has read; at most once a change.

    >>> from swiftobserver import Var, effect
    >>> name = Var("Ada")
    >>> @effect
    ... def greet():
    ...     print("hello,", name.value)
    ...     return lambda: print("bye")
    hello, Ada
    >>> name.value = "Grace"
    bye
    hello, Grace
    >>> greet.stop()
    bye
    True

    If the function returns another one, that is its clean-up: it is called before the next run, and at the end. What is
    returned here is an `Observation`, which lasts until it is stopped, or its `observer` dies; it keeps alive what the
    function has read. `on` is where the function runs: an event loop, or a function that has jobs run, as in
    `Observable.observe`. Within `untracked()` it reads without depending on it.

    If the first run fails, that is raised here, and there is no effect; later it is raised where the change was made.
    What the function sets is handled when it has returned; it does not depend on what it changes by `update()`. One
    that causes itself a hundred times in a row is reported, and rests until something else changes. So does one whose
    run is lost because it is blocked.
    """
    if function is MISSING:
        return lambda function: effect(function, observer=observer, on=on, name=name)
    if not callable(function):
        raise TypeError(f"function must be callable, not {type(function).__name__}")
    require_arguments_none(function)
    if observer is not None and not isinstance(observer, Observer):
        raise TypeError(f"observer must be an Observer, not {type(observer).__name__}")
    if observer is not None and observer._closed:
        raise ValueError("this observer is closed")
    frame = running.get(get_ident())
    if frame is not None and frame.is_computing:
        raise ComputingError("an effect cannot begin in the function of a derived variable")
    node = _Effect(function, name)
    observable = node.observable = _Effects(node, name)
    node.observable = observable

    def run() -> None:
        node.perform()

    run.__qualname__ = name_of(function)
    if observer is None:
        _living[node] = None
    observation = begin(observable, observer, run, Options(on=on, keep=True if observer is not None else None))
    node.executor = observation._executor
    try:
        _run_first(node, observable, on)
    except BaseException:
        observation.stop()
        raise
    return observation


def _run_first(node: _Effect, observable: Any, on: Any) -> None:
    if pending and are_pending_here():
        return amid(_run_first, node, observable, on)  # type: ignore[no-any-return]
    if on is not None:
        outside(observable._store.send, observable, None, ITSELF)
        return
    with lock:
        is_passer = moments.passer is None
        if is_passer:
            # What it sets is handled when it has returned.
            moments.passer = get_ident()
    try:
        outside(node.perform)
    finally:
        if is_passer:
            moments.passer = None
    if is_passer and (moments.waiting or moments.effects):
        has_failed = pass_turns()
        raise_pending(observable, CALLBACK_FAILED if has_failed else OK)

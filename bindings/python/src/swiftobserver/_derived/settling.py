# SPDX-License-Identifier: MIT
"""How a derived variable gets its value: nearest to the sources first, without recursion, and without a lock while a
function runs.

    clean        not suspect, if observed; otherwise looked at since the last commit
    validated    what it read has the versions that it saw: then it is clean again, and was not computed
    computed     its function has run, in a view; what that read is what it depends on from now on
    published    if no later moment was there first; otherwise the result is the view's own
"""

from __future__ import annotations

from _thread import get_ident
from weakref import ref

from .._library import declarations as library
from .._library.environment import is_traced
from .._library.typing import Any, Callable, Dict, Iterator, List, Optional, Tuple
from .._values.moments import Frame, View, lock, moments
from .errors import CycleError, Deeper


class traces:
    """Whether one may be written: only then computations ask the library."""

    are_wanted = is_traced()


# How deep functions wait for one another on the stack.
_DEEPEST = 30


class Failing:
    """An exception that a function has raised, with its first traceback."""

    __slots__ = ("error", "traceback")

    def __init__(self, error: BaseException) -> None:
        self.error = error
        # Without the frame of who called the function, and so without what that knows.
        first = error.__traceback__
        self.traceback = first.tb_next if first is not None and first.tb_next is not None else first

    def again(self) -> BaseException:
        """To be raised once more."""
        return self.error.with_traceback(self.traceback)


# A value, what has failed instead, and the version of both.
Result = Tuple[Any, Optional[Failing], Any]


class Reader:
    """A dependent of variables: a derived variable or an effect."""

    __slots__ = (
        *("function", "runs", "sources", "dependents", "is_observed", "is_live", "is_suspect"),
        *("checked", "since", "result", "me"),
        "__weakref__",
    )
    is_derived = True
    is_effect = False

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function: Any = function
        self.runs = 0
        # What the last run has read: the node of each with the variable, which this keeps alive, and its version.
        self.sources: Dict[Any, Tuple[Any, Any]] = {}
        # Weak, by id: those that are observed, directly or not.
        self.dependents: Dict[int, Any] = {}
        self.is_observed = False
        # Whether this is among the dependents of its sources.
        self.is_live = False
        self.is_suspect = True
        # The moments for which the result holds, from the first to the last that is known. No longer while it is live
        # and not suspect: then it holds now, too.
        self.since = 0
        self.checked = -1
        self.result: Result = (None, None, 0)
        self.me = ref(self)

    def differ(self, old: Any, value: Any) -> bool:
        """Whether two values are two."""
        raise NotImplementedError

    def name(self) -> str:
        """Its name in a sentence."""
        raise NotImplementedError

    def holds(self, moment: int) -> bool:
        """Whether the result is that of a moment."""
        return self.since <= moment and (moment <= self.checked or (self.is_live and not self.is_suspect))

    def known(self, view: View) -> Optional[Result]:
        """The result in a view, if it is known."""
        if view.results and self in view.results:
            return view.results[self][0]  # type: ignore[no-any-return]
        if view.log:
            return None
        # Without the lock: one that is published meanwhile is another, and holds for no moment before it is there.
        result, moment = self.result, view.moment
        if self.since <= moment and (moment <= self.checked or (self.is_live and not self.is_suspect)):
            return result if self.result is result else None
        return None


def in_view(node: Reader, view: View) -> Result:
    """The result of a node in a view."""
    result = node.known(view)
    if result is not None:
        return result
    if view.moment < 0:
        # As in `LocalValue.read_in`.
        view.begin()
    if node in view.under_way:
        raise _cycle(node, view)
    if view.depth >= _DEEPEST:
        raise Deeper(node)
    return _settle(node, view)


def _cycle(node: Reader, view: View) -> CycleError:
    way = list(view.under_way)
    names = [each.name() for each in way[way.index(node) :]]
    names.append(names[0])
    error = CycleError(" -> ".join(names))
    error.names = tuple(names)
    return error


def _settle(target: Reader, view: View) -> Result:
    stack: List[Reader] = [target]
    # How far the sources of each were looked at.
    checks: List[Optional[Check]] = [None]
    under_way = view.under_way
    under_way[target] = None
    # Those that have to run, whatever their sources say.
    forced: Dict[Any, None] = {}
    result = None
    try:
        while True:
            node = stack[-1]
            if result is None and not (forced and node in forced):
                check = _check(node, view, checks[-1])
                if check is _SAME:
                    checks[-1] = None
                    result = node.known(view)
                    continue
                if check is not _CHANGED:
                    checks[-1] = check
                    below = check[0]
                    stack.append(below)
                    checks.append(None)
                    under_way[below] = None
                    continue
            if result is None:
                try:
                    result = compute(node, view)
                except Deeper as deeper:
                    if view.depth:
                        deeper.nodes.append(node)
                        raise
                    # The one that reads comes before what it reads.
                    forced[node] = None
                    _force(deeper.nodes, forced, stack, view)
                    checks += [None] * (len(stack) - len(checks))
                    continue
            stack.pop()
            checks.pop()
            under_way.pop(node, None)
            if not stack:
                return result
            result = stack[-1].known(view)
    finally:
        for each in stack:
            under_way.pop(each, None)


# The next source, the version that was seen of it, those that are left, and the result that the node had.
Check = Tuple[Any, Any, Iterator[Any], Result]

_NO_SOURCE: Any = (None, (None, None))
_CHANGED: Any = object()
_SAME: Any = object()


def _check(node: Reader, view: View, check: Optional[Check]) -> Any:
    """_SAME if nothing that a node has read has changed: then it is clean; _CHANGED if something has; or how far this
    came, where a source has to be settled first."""
    if not node.result[2] or view.log or view.moment < node.since:
        return _CHANGED
    if check is not None:
        source, version, left, was = check
    else:
        # A run makes another dictionary.
        source, version, left, was = None, None, iter(node.sources.items()), node.result
    while True:
        if source is None:
            source, (_, version) = next(left, _NO_SOURCE)
            if source is None:
                break
        if source.is_derived:
            result = source.known(view)
            if result is None:
                if source in view.under_way:
                    return _CHANGED
                # Again from this one on, when that is known.
                return source, version, left, was
            if result[2] != version:
                return _CHANGED
        elif source.stamp != version and source.version_at(view.moment) != version:
            return _CHANGED
        source = None
    with lock:
        if node.result is not was or view.moment < node.since:
            # Another thread was faster.
            return _CHANGED if view.moment < node.since else _SAME
        if node.checked < view.moment:
            node.checked = view.moment
        if not node.is_live:
            return _SAME
        if view.moment == moments.clock:
            node.is_suspect = False
        elif node.is_observed:
            moments.waiting[node] = None
    return _SAME


def compute(node: Reader, view: View) -> Result:
    """Runs the function of a node."""
    sources: Dict[Any, Any] = {}
    frame = Frame(view, sources, True)
    frame.enter()
    view.depth += 1
    node.runs += 1
    value, failure = None, None
    is_traced = traces.are_wanted and library.trace_begin_computation(
        b"derived", node.name().encode("utf-8", "replace")
    )
    try:
        value = node.function()
    except Deeper:
        raise
    except Exception as error:
        failure = Failing(error)
    finally:
        if is_traced:
            library.trace_end_computation()
        view.depth -= 1
        frame.leave()
    try:
        return _publish(node, view, value, failure, sources)
    finally:
        del failure


def _publish(node: Reader, view: View, value: Any, failure: Any, sources: Dict[Any, Any]) -> Result:
    while True:
        old = node.result
        version = old[2]
        if failure is not None or old[1] is not None or not version:
            changed = not version or failure is None or old[1] is None or failure.error is not old[1].error
        else:
            try:
                changed = node.differ(old[0], value)
            except Exception as error:
                failure, changed = Failing(error), True
        kept = old[0] if failure is not None or not changed else value
        result = (kept, failure, version + 1 if changed else version)
        with lock:
            if view.log or view.moment < node.since or view.moment < node.checked:
                # Its version equals none.
                result = (value, failure, object())
                view.results[node] = result, sources
                return result
            if node.result is not old:
                continue
            # For those that look without the lock.
            node.is_suspect, node.checked = True, -1
            node.result = result
            node.since = node.checked = view.moment
            former, node.sources = node.sources, sources
            if node.is_live:
                if former.keys() != sources.keys():
                    relink(node, former)
                if view.moment == moments.clock:
                    node.is_suspect = False
                elif node.is_observed:
                    moments.waiting[node] = None
            return result


def relink(node: Reader, former: Dict[Any, Any]) -> None:
    """A live node has other sources than before. The lock is held."""
    added = [each for each in node.sources if each not in former]
    dropped = [each for each in former if each not in node.sources]
    begun = []
    for source in added:
        if source.is_derived and not source.is_live:
            begun.append(source)
        source.dependents[id(node)] = node.me
    for source in begun:
        _go_live(source)
    for source in dropped:
        source.dependents.pop(id(node), None)
        if source.is_derived:
            end_if_unneeded(source)


def _go_live(first: Reader) -> None:
    waiting = [first]
    begun = []
    while waiting:
        node = waiting.pop()
        if node.is_live:
            continue
        node.is_live = node.is_suspect = True
        begun.append(node)
        for source in node.sources:
            source.dependents[id(node)] = node.me
            if source.is_derived and not source.is_live:
                waiting.append(source)
    # After that: a handler of a signal that sets something amid it may not have found the way to all.
    for node in begun:
        if node.checked == moments.clock:
            node.is_suspect = False


def end_if_unneeded(first: Reader) -> None:
    """Has a node no longer follow its sources, if nothing observes it. The lock is held."""
    waiting = [first]
    while waiting:
        node = waiting.pop()
        if not node.is_live or node.is_observed or node.dependents:
            continue
        if not node.is_suspect:
            node.checked = moments.clock
        node.is_live, node.is_suspect = False, True
        for source in node.sources:
            source.dependents.pop(id(node), None)
            if source.is_derived:
                waiting.append(source)


def begin_observing(node: Reader) -> None:
    """Has a node follow its sources. It is computed if it has to be; an effect is run by who begins it."""
    with lock:
        node.is_observed = True
        _go_live(node)
        if node.is_suspect and not node.is_effect:
            # Nothing below may be suspect where this is clean, and this is not.
            moments.waiting[node] = None


def end_observing(node: Reader) -> None:
    """The reverse."""
    with lock:
        node.is_observed = False
        moments.waiting.pop(node, None)
        moments.effects.discard(node)
        end_if_unneeded(node)


def _force(nodes: List[Any], forced: Any, stack: List[Any], view: View) -> None:
    for each in reversed(nodes):
        if each not in view.under_way:
            forced[each] = None
            stack.append(each)
            view.under_way[each] = None


def release(node: Reader, held: List[Any]) -> None:
    """Lets go of the sources of a node whose variable is gone, and of what a list has; one after the other along a
    chain. So the list is emptied: nothing on the stack keeps what is in it until the stack is back."""
    end_observing(node)
    with lock:
        if node.is_live:
            _leave_sources(node)
    sources, node.sources = node.sources, {}
    others = tuple(held)
    held.clear()
    thread = get_ident()
    line = _dropping.get(thread)
    if line is not None:
        # Further down on the stack it goes on.
        line.append((sources, others))
        return
    line = _dropping[thread] = [(sources, others)]
    del sources, others
    try:
        _let_go(line)
    finally:
        del _dropping[thread]


# On their own, as all loops within a block: CPython 3.12 to 3.14 find no handler at the end of one.
def _leave_sources(node: Reader) -> None:
    for source in node.sources:
        source.dependents.pop(id(node), None)
        if source.is_derived:
            end_if_unneeded(source)
    node.is_live = False


def _let_go(line: List[Any]) -> None:
    while line:
        line.pop()


# By thread, what is about to be let go of.
_dropping: Dict[int, List[Any]] = {}

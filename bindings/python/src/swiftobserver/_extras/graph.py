# SPDX-License-Identifier: MIT
"""Which observables are made from which, and who observes them: to look at, or to draw.

The library tells what it knows. Only Python knows what are variables and sinks, and what handlers are called.
"""

from __future__ import annotations

import shutil
import subprocess
from ctypes import POINTER, byref, c_size_t, c_void_p, cast, sizeof
from html import escape
from typing import Any, NamedTuple, Optional, Sequence, Tuple

from .._core.failures import check
from .._core.observation import Observation
from .._core.parts import AnyObservable
from .._library import declarations as library
from .._library.environment import lasting
from .._library.inspection import name_of
from .._library.ownership import living_handles
from .._operators.pure import Upstream

_HANDLER: int = c_size_t(-1).value

# As the library draws.
_STYLE = (
    '    node [shape=box, style="rounded,filled", fillcolor=white, fontname=Helvetica, fontsize=12];',
    '    edge [color="#555555", arrowsize=0.7];',
)


class Node(NamedTuple):
    """An observable in a graph."""

    kind: str
    """Such as messenger, variable, map, filter, and combined for a combined observation."""
    name: Optional[str]
    """The name that it was given."""


class DerivedNode(Node):
    """A derived variable in a graph."""

    runs: int
    """How often its function has run."""
    runs_in_vain: int
    """How often it has made the same value again."""


class Edge(NamedTuple):
    """An observation in a graph."""

    source: int
    """The index of the observable that is observed."""
    target: Optional[int]
    """The index of the observable that is made from it; None if a handler observes."""
    handler: Optional[str]
    """The name of the handler, if that is known."""


class Graph(NamedTuple):
    """Observables and the observations between them, as they were at one moment. Keeps none of them alive.

    >>> from swiftobserver import Messenger, graph
    >>> numbers = Messenger(name="numbers")
    >>> texts = numbers.map(str)
    >>> observation = texts.observe(print)
    >>> for edge in graph(numbers).edges:
    ...     print(edge)
    Edge(source=0, target=1, handler=None)
    Edge(source=1, target=None, handler='print')
    """

    nodes: Tuple[Node, ...]
    """First come the observables that were asked for."""
    edges: Tuple[Edge, ...]

    @property
    def dot(self) -> str:
        """The graph in the language of Graphviz: `dot -Tsvg` draws it."""
        lines = ["digraph {", "    rankdir=LR;", *_STYLE]
        for index, node in enumerate(self.nodes):
            label = _quoted(node.kind) + ("" if node.name is None else r"\n" + _quoted(node.name))
            if isinstance(node, DerivedNode):
                label += rf"\ncomputed {node.runs} times, {node.runs_in_vain} in vain"
            lines.append(f'    n{index} [label="{label}"];')
        for index, edge in enumerate(self.edges):
            if edge.target is None:
                lines.append(
                    f'    h{index} [shape=ellipse, fillcolor="#eeeeee", label="{_quoted(edge.handler or "handler")}"];'
                )
            lines.append(f"    n{edge.source} -> {f'h{index}' if edge.target is None else f'n{edge.target}'};")
        return "\n".join([*lines, "}", ""])

    def _repr_html_(self) -> str:
        return _drawing(self.dot)


def graph(*observables: AnyObservable) -> Graph:
    """The graph of some observables: these, all that they are made from, and all that observes any of them or is made
    from one that does. Looks at all there are.
    """
    if not observables:
        raise TypeError("observables: there must be at least one")
    for each in observables:
        if not _is_observable(each):
            raise TypeError(f"observables must be observables, not {type(each).__name__}")
    observations = [
        context
        for handle in living_handles()
        for context in list(handle._contexts)
        if isinstance(context, Observation) and context._handler is not None
    ]
    handlers = {each._number.value: each._handler for each in observations}
    connected = _connected(observables, observations)
    seen = _walk([each._address for each in connected])
    # What a sink observes with is a handler for the library.
    sinks = {
        observation._number.value: index
        for index, each in enumerate(connected)
        for observation in each._upstream.observations
    }
    nodes = list(seen.nodes)
    for index, each in enumerate(connected):
        nodes[index] = Node(each._upstream.kind or each._kind or nodes[index].kind, each.name)
        runs = each._runs()
        if runs is not None:
            node = nodes[index] = DerivedNode(*nodes[index])
            node.runs, node.runs_in_vain = runs
    indices = {id(each): index for index, each in enumerate(connected)}
    edges = [
        Edge(indices[id(source)], index, None)
        for index, each in enumerate(connected)
        for source in each._read()
        if id(source) in indices
    ]
    # The nodes of combined observations, which have an observation of each observable.
    combined: dict[int, int] = {}
    for source, target, number in seen.edges:
        made = sinks.get(number) if target is None else target
        handler = handlers.get(number) if made is None else None
        name = None if handler is None else name_of(handler)
        together = getattr(handler, "combined", None)
        if together is None:
            edges.append(Edge(source, made, name))
            continue
        if id(together) not in combined:
            combined[id(together)] = len(nodes)
            nodes.append(Node("combined", None))
            edges.append(Edge(combined[id(together)], None, name))
        edges.append(Edge(source, combined[id(together)], None))
    return Graph(tuple(nodes), tuple(edges))


class _Walk:
    """A graph as the library tells it."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Tuple[int, Optional[int], int]] = []


def _walk(addresses: Sequence[int]) -> _Walk:
    walk = _Walk()
    visitor = library.GraphVisitor(sizeof(library.GraphVisitor), _on_observable, _on_observation)
    pointers = cast((c_void_p * len(addresses))(*addresses), POINTER(c_void_p))
    check(library.graph_walk(pointers, len(addresses), byref(visitor), walk), "observables")
    return walk


def _observable_found(walk: _Walk, index: int, kind: bytes, name: Optional[bytes]) -> None:
    walk.nodes.append(Node(kind.decode(), None if name is None else name.decode()))


def _observation_found(walk: _Walk, source: int, target: int, number: int, name: Optional[bytes]) -> None:
    walk.edges.append((source, None if target == _HANDLER else target, number))


_on_observable = lasting(library.VISIT_OBSERVABLE(_observable_found))
_on_observation = lasting(library.VISIT_OBSERVATION(_observation_found))


def _connected(observables: Sequence[AnyObservable], observations: Sequence[Observation]) -> list[AnyObservable]:
    """Some observables, and all that are made from any, that any is made from, or that are combined with one."""
    living: Any = [each for each in living_handles() if _is_observable(each) and each._address]
    neighbours: dict[int, list[AnyObservable]] = {}
    for each in living:
        for origin in (*each._upstream.sources(), *each._read()):
            neighbours.setdefault(id(each), []).append(origin)
            neighbours.setdefault(id(origin), []).append(each)
    for observation in observations:
        here = observation._observable()
        for part in getattr(observation._handler, "combined", ()):
            there = part._observable()
            if here is not None and there is not None:
                neighbours.setdefault(id(here), []).append(there)
    found = {id(each): each for each in observables}
    waiting = list(found.values())
    while waiting:
        for each in neighbours.get(id(waiting.pop()), ()):
            if id(each) not in found:
                found[id(each)] = each
                waiting.append(each)
    return list(found.values())


def _is_observable(thing: Any) -> bool:
    # Without the class, which has a graph.
    return isinstance(getattr(thing, "_upstream", None), Upstream)


def _drawing(dot: str) -> str:
    """A graph as SVG, if Graphviz is installed and can draw it; else its text."""
    program = shutil.which("dot")
    if program is not None:
        try:
            result = subprocess.run([program, "-Tsvg"], input=dot.encode(), capture_output=True, timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            pass
        else:
            start = result.stdout.find(b"<svg")
            if result.returncode == 0 and start >= 0:
                return result.stdout[start:].decode()
    return f"<pre>{escape(dot)}</pre>"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

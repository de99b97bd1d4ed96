# SPDX-License-Identifier: MIT
"""Objects observe other objects: in order, on any thread, and stopped means stopped.

>>> from swiftobserver import Messenger
>>> names: Messenger[str] = Messenger()
>>> greeting = names.observe(lambda name: print("hello,", name))
>>> names.send("world")
hello, world
>>> greeting.stop()
True
"""

from ._core.authors import ForeignAuthor
from ._core.failures import Failure, HandlerError
from ._core.messenger import Messenger
from ._core.observation import Observation, setter
from ._core.observer import Observer
from ._library.environment import __version__, is_inspected
from ._library.typing import TYPE_CHECKING, Any
from ._operators.methods import Observable
from ._values.encoding import ForeignObject, Update
from ._values.var import Var

if TYPE_CHECKING:
    from ._derived.derived import Derived, DerivedMethod, derived
    from ._derived.effects import effect
    from ._derived.errors import ComputingError, Conflict, CycleError
    from ._derived.transactions import run_transaction, snapshot, transaction, transactional, untracked
    from ._extras.attributes import Attribute
    from ._extras.binding import Binding, bind
    from ._extras.events import Change, Events, evented, events
    from ._extras.graph import Graph, graph
    from ._extras.why import lint, tracing, why, why_called
    from ._operators.clocks import ManualClock
    from ._operators.several import combine, merge, ticks
else:
    from ._library.typing import loaded

    loaded()

# What most programs do without is loaded when it is first asked for.
_LATER = {
    "Attribute": "_extras.attributes",
    "Binding": "_extras.binding",
    "Change": "_extras.events",
    "ComputingError": "_derived.errors",
    "Conflict": "_derived.errors",
    "CycleError": "_derived.errors",
    "Derived": "_derived.derived",
    "DerivedMethod": "_derived.derived",
    "Events": "_extras.events",
    "Graph": "_extras.graph",
    "ManualClock": "_operators.clocks",
    "bind": "_extras.binding",
    "combine": "_operators.several",
    "derived": "_derived.derived",
    "effect": "_derived.effects",
    "evented": "_extras.events",
    "events": "_extras.events",
    "graph": "_extras.graph",
    "lint": "_extras.why",
    "merge": "_operators.several",
    "run_transaction": "_derived.transactions",
    "snapshot": "_derived.transactions",
    "ticks": "_operators.several",
    "tracing": "_extras.why",
    "transaction": "_derived.transactions",
    "transactional": "_derived.transactions",
    "untracked": "_derived.transactions",
    "why": "_extras.why",
    "why_called": "_extras.why",
}

__all__ = [
    "Attribute",
    "Binding",
    "Change",
    "ComputingError",
    "Conflict",
    "CycleError",
    "Derived",
    "DerivedMethod",
    "Events",
    "Failure",
    "ForeignAuthor",
    "ForeignObject",
    "Graph",
    "HandlerError",
    "ManualClock",
    "Messenger",
    "Observable",
    "Observation",
    "Observer",
    "Update",
    "Var",
    "__version__",
    "bind",
    "combine",
    "derived",
    "effect",
    "evented",
    "events",
    "graph",
    "lint",
    "merge",
    "run_transaction",
    "setter",
    "snapshot",
    "ticks",
    "tracing",
    "transaction",
    "transactional",
    "untracked",
    "why",
    "why_called",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    thing = globals()[name] = getattr(import_module(f".{_LATER[name]}", __name__), name)
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if is_inspected():
    from ._extras import inspecting as _inspecting  # noqa: F401

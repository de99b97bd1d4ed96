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

from ._authors import ForeignAuthor
from ._environment import __version__
from ._failures import Failure, HandlerError
from ._messenger import Messenger
from ._observable import Observable
from ._observation import Observation, setter
from ._observer import Observer
from ._typing import TYPE_CHECKING, Any
from ._values import ForeignObject, Update
from ._variable import Var

if TYPE_CHECKING:
    from ._attributes import Attribute
    from ._binding import Binding, bind
    from ._events import Change, Events, evented, events
    from ._graph import Graph, graph
    from ._several import combine, merge
else:
    from ._typing import loaded

    loaded()

# What most programs do without is loaded when it is first asked for.
_LATER = {
    "Attribute": "_attributes",
    "Binding": "_binding",
    "Change": "_events",
    "Events": "_events",
    "Graph": "_graph",
    "bind": "_binding",
    "combine": "_several",
    "evented": "_events",
    "events": "_events",
    "graph": "_graph",
    "merge": "_several",
}

__all__ = [
    "Attribute",
    "Binding",
    "Change",
    "Events",
    "Failure",
    "ForeignAuthor",
    "ForeignObject",
    "Graph",
    "HandlerError",
    "Messenger",
    "Observable",
    "Observation",
    "Observer",
    "Update",
    "Var",
    "__version__",
    "bind",
    "combine",
    "evented",
    "events",
    "graph",
    "merge",
    "setter",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    thing = globals()[name] = getattr(import_module(f".{_LATER[name]}", __name__), name)
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

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
from ._errors import Failure, HandlerError
from ._foreign import ForeignObject
from ._messenger import Messenger
from ._observable import Observable
from ._observation import Observation
from ._observer import Observer
from ._typing import TYPE_CHECKING, Any
from ._update import Update
from ._variable import Var
from ._version import __version__

if TYPE_CHECKING:
    from ._attributes import Attribute
    from ._binding import Binding, bind
    from ._evented import evented
    from ._events import Change, Events, events
    from ._graph import Graph, graph

# What most programs do without is loaded when it is first asked for.
_LATER = {
    "Attribute": "_attributes",
    "Binding": "_binding",
    "Change": "_events",
    "Events": "_events",
    "Graph": "_graph",
    "bind": "_binding",
    "evented": "_evented",
    "events": "_events",
    "graph": "_graph",
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
    "evented",
    "events",
    "graph",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    thing = globals()[name] = getattr(import_module(f".{_LATER[name]}", __name__), name)
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

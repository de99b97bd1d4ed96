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
from ._update import Update
from ._variable import Var
from ._version import __version__

__all__ = [
    "Failure",
    "ForeignAuthor",
    "ForeignObject",
    "HandlerError",
    "Messenger",
    "Observable",
    "Observation",
    "Observer",
    "Update",
    "Var",
    "__version__",
]

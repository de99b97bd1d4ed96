# SPDX-License-Identifier: MIT
"""Python objects that the library holds by pointer, and what keeps them alive meanwhile.

    observable or observer --contexts--> context --> handler, mapper, predicate, held value
           |                                ^
           +--> native object ...pointer....+

The library's pointer is no reference that the garbage collector could miss: a context lives in a plain
dictionary of its owner until the library destroys it. So a handler that refers to its own observable is
an ordinary cycle, collected when nothing else refers to it.
"""

from __future__ import annotations

from . import _structures as structures
from ._typing import Any, Dict

# A dictionary rather than a set, for its order.
Contexts = Dict["Context", None]

# The contexts of owners that are gone while another thread still delivers; empty otherwise.
_left_behind: dict[int, Contexts] = {}


class Context:
    """Something whose address is given to the library together with `destroy`."""

    __slots__ = ("_contexts", "__weakref__")
    _contexts: Contexts

    def _enter(self, contexts: Contexts) -> None:
        """Keeps this alive. Comes before the address is given away."""
        self._contexts = contexts
        contexts[self] = None

    def _leave(self) -> None:
        """Lets go of what this holds, whoever may hold it."""
        raise NotImplementedError

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"cannot copy or pickle an object of type {type(self).__name__}")


def end(context: Context) -> None:
    """Lets go of a context that the library will not use again. On any thread."""
    contexts = context._contexts
    contexts.pop(context, None)
    if _left_behind and not contexts:
        _left_behind.pop(id(contexts), None)
    context._leave()


destroy = structures.DESTROY(end)


def leave_behind(contexts: Contexts) -> None:
    """Keeps the contexts of a dying owner until each has been destroyed."""
    _left_behind[id(contexts)] = contexts
    if structures.pointing is not None:
        # PyPy has cleared what refers weakly to the owner and all that only it keeps, maybe some time ago.
        for context in list(contexts):
            structures.pointing.catch_up(context)


def contexts_left_behind() -> list[Contexts]:
    """Those of owners that are gone, although C code keeps what was theirs."""
    return list(_left_behind.values())


def forget_if_empty(contexts: Contexts) -> None:
    """The counterpart, for when releasing the owner has destroyed them all at once."""
    if not contexts:
        _left_behind.pop(id(contexts), None)

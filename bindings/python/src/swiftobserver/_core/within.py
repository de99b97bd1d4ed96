# SPDX-License-Identifier: MIT
"""A state that begins with a `with` block ends with it, whatever the moment of an interrupt.

Python looks for signals at the first instruction of each function of its own, so an `__exit__` that is one may never
begin. Here C code alone leads into a generator that waits inside its `try`:

    with x:           the generators of `__enter__` and `__exit__` are made, and wait
    the block begins  begin(stay); what is begun when an interrupt comes is ended again
    the block ends    end(stay); once more, if an interrupt comes, for what is left

So what ends looks in the stay for what is still to be done, and does nothing the second time.
"""

from __future__ import annotations

import sys

from .._library.environment import c_function
from .._library.typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, TypeVar

if TYPE_CHECKING:
    from types import TracebackType

Self = TypeVar("Self", bound="Lasting")


class Stay:
    """One stay in a block, by which its end knows what its beginning has done."""

    __slots__ = ("notes",)

    def __init__(self) -> None:
        self.notes: List[Any] = []

    def call(self, function: Callable[[Any], Any], argument: Any) -> Any:
        """Calls a function of C's, and notes the result in the same step: no interrupt comes in between."""
        self.notes.extend(map(function, (argument,)))
        return self.notes[-1]


class _OfABlock(property):
    """A function that a `with` block calls, made when that looks it up in an object."""

    def __call__(self, thing: Any, *arguments: Any) -> Any:
        # As what looks it up in the class does, like ExitStack.
        assert self.fget is not None
        return self.fget(thing)(*arguments)


# PyObject_CallNoArgs in the shape of a method with arguments, which it does not look at.
_ignoring_arguments = c_function("__exit__", "PyObject_CallNoArgs", takes_one=False)


def _going_on(generator: Iterator[None]) -> Callable[..., Any]:
    """Goes on with a generator that waits, whatever the arguments."""
    if _ignoring_arguments is None:
        return lambda *_: next(generator)
    return _ignoring_arguments(generator.__next__)  # type: ignore[no-any-return]


def _staying(within: Within, stay: Stay) -> Iterator[None]:
    """Goes on when the block begins, and when it ends."""
    yield
    # One block, so that no instruction of it is outside.
    try:
        within._begin(stay)
        yield
        within._leave(stay)
    except GeneratorExit:
        # Nothing but the end of the generator.
        raise
    except BaseException:
        within._leave(stay)
        raise
    yield


def _lasting(thing: Lasting) -> Iterator[None]:
    """Goes on when the block ends."""
    try:
        yield
        thing._end_of_block()
    except GeneratorExit:
        raise
    except BaseException:
        thing._end_of_block()
        raise
    yield


class Within:
    """A state that begins with a `with` block and ends with it, whatever happens."""

    __slots__ = ("_begin", "_end", "_lacks", "_begun", "_exits")

    def __init__(
        self,
        begin: Callable[[Any], object],
        end: Callable[[Any], object],
        lacks: Callable[[], object],
        begun: Optional[List[Any]] = None,
    ) -> None:
        self._begin, self._end = begin, end
        # Called when there is nothing to end.
        self._lacks = lacks
        # The stays that have begun without a block, maybe by other objects.
        self._begun: List[Any] = [] if begun is None else begun
        # What ends those of blocks, the latest last.
        self._exits: Dict[Stay, Callable[..., Any]] = {}

    def begin(self) -> None:
        """Does what the beginning of the block does, for programs without a block. Ends with as many calls of `end`."""
        stay = self._new_stay()
        try:
            self._begin(stay)
            self._begun.append(stay)
        except BaseException:
            self._end(stay)
            raise

    def end(self) -> None:
        """Does what the end of the block does. `RuntimeError` if there is nothing to end: then nothing has changed."""
        taken: List[Any] = []
        try:
            self._take_and_end(taken)
        except BaseException:
            if taken:
                self._end(taken[0])
            raise

    def _new_stay(self) -> Any:
        return Stay()

    def _take_and_end(self, taken: List[Any]) -> None:
        if not taken:
            if not self._begun:
                self._lacks()
                return
            # In one step, so that no interrupt leaves it in neither list.
            taken.extend(map(self._begun.pop, (-1,)))
        self._end(taken[0])

    def _enter(self) -> Callable[[], None]:
        stay = self._new_stay()
        generator = _staying(self, stay)
        next(generator)
        self._exits[stay] = _going_on(generator)
        return generator.__next__

    def _leave(self, stay: Stay) -> None:
        self._exits.pop(stay, None)
        self._end(stay)

    def _exit(self) -> Callable[..., Any]:
        if self._exits and _ignoring_arguments is not None:
            return next(reversed(self._exits.values()))
        # PyPy looks for this before it looks for `__enter__`: there the latest at the end of the block counts.
        return lambda *_: self._latest_exit()()

    def _latest_exit(self) -> Callable[..., Any]:
        return next(reversed(self._exits.values())) if self._exits else self._lacks

    if TYPE_CHECKING:

        def __enter__(self) -> None: ...
        def __exit__(
            self,
            kind: Optional[type[BaseException]],
            exception: Optional[BaseException],
            traceback: Optional[TracebackType],
        ) -> None: ...

    else:
        if sys.version_info < (3, 14):
            __enter__ = _OfABlock(_enter)
        else:
            # Before the block begins, this one looks for signals after functions of C's.
            def __enter__(self):
                self._enter()()

        __exit__ = _OfABlock(_exit)


class Lasting:
    """Something that has begun when it is made, and ends with its `with` block at the latest, whatever happens."""

    __slots__ = ()

    def __enter__(self: Self) -> Self:
        return self

    if TYPE_CHECKING:

        def __exit__(
            self,
            kind: Optional[type[BaseException]],
            exception: Optional[BaseException],
            traceback: Optional[TracebackType],
        ) -> None: ...

    else:

        @_OfABlock
        def __exit__(self):
            generator = _lasting(self)
            next(generator)
            return _going_on(generator)

    def _end_of_block(self: Any) -> None:
        self.stop()

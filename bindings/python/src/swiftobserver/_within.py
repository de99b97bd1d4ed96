# SPDX-License-Identifier: MIT
"""What ends with a `with` block: what `contextlib` has for that takes longer to load, and longer to enter."""

from __future__ import annotations

from ._typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar

if TYPE_CHECKING:
    from types import TracebackType

Self = TypeVar("Self", bound="Lasting")


class Within:
    """Something is so within a `with` block, and ends with it, whatever happens."""

    __slots__ = ("_begin", "_end")

    def __init__(self, begin: Callable[[], Any], end: Callable[[], Any]) -> None:
        self._begin = begin
        self._end = end

    def __enter__(self) -> None:
        self._begin()

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        exception: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self._end()


class Lasting:
    """Has begun when it is made, and ends with its `with` block at the latest, whatever happens."""

    __slots__ = ()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        exception: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self._end_of_block()

    def _end_of_block(self: Any) -> None:
        self.stop()

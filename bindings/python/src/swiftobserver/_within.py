# SPDX-License-Identifier: MIT
"""Context managers of two functions: what `contextlib` has takes longer to load, and longer to enter."""

from __future__ import annotations

from ._typing import TYPE_CHECKING, Any, Callable, Optional

if TYPE_CHECKING:
    from types import TracebackType


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

# SPDX-License-Identifier: MIT
"""Knowing whether an observable is observed, by Python code or by C code."""

from __future__ import annotations

from .._library import declarations as library
from .._library.environment import lasting
from .._library.ownership import Context, destroy
from .._library.typing import Any
from .failures import check


class _Demand(Context):
    """By which the library says whether an observable is observed."""

    __slots__ = ("store",)

    def __init__(self, store: Any) -> None:
        self.store: Any = store

    def _leave(self) -> None:
        self.store = None


def _begin(demand: _Demand) -> None:
    if demand.store is not None:
        demand.store.demand()


def _end(demand: _Demand) -> None:
    if demand.store is not None:
        demand.store.end_demand()


_on_begin, _on_end = lasting(library.ON_DEMAND(_begin)), lasting(library.ON_DEMAND(_end))


def on_demand(observable: Any, store: Any) -> None:
    """Calls `store.demand()` when the first observation of an observable begins, and `store.end_demand()` when the last
    one has ended. On any thread, one at a time."""
    demand = _Demand(store)
    demand._enter(observable._contexts)
    check(library.observable_on_demand(observable._address, _on_begin, _on_end, demand, destroy), observable._called())

# SPDX-License-Identifier: MIT
"""Copies of variables, by `copy` and `pickle`: the value and the settings, without anybody who observes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._variable import Var

# What was set after a variable was made.
_SETTINGS = ("_stops_at_failure", "_failure_handler")


def reduced(variable: Var[Any]) -> tuple[Any, ...]:
    """What `Var.__reduce_ex__` returns."""
    state: dict[str, Any] = {
        "value": variable.value,
        "name": variable.name,
        "ordered": variable.ordered,
        "settings": {name: vars(variable)[name] for name in _SETTINGS if name in vars(variable)},
    }
    # What a subclass has added.
    how = (type(variable), variable._has_pointer, variable._is_deferred)
    usual = vars(blank(*how))
    state["others"] = {
        name: value for name, value in vars(variable).items() if name not in usual and name not in _SETTINGS
    }
    return blank, how, state


def blank(kind: Any, is_native: bool, is_deferred: bool) -> Any:
    """A variable that is about to get its state. What `kind` does when it is made is left out."""
    from ._variable import Var

    variable = kind.__new__(kind)
    Var.__init__(variable, None, native=is_native, deferred=is_deferred)
    return variable


def restore(variable: Var[Any], state: dict[str, Any]) -> None:
    """What `Var.__setstate__` does."""
    vars(variable).update(state["others"])
    vars(variable).update(state["settings"])
    variable.name = state["name"]
    variable.ordered = state["ordered"]
    variable.value = state["value"]

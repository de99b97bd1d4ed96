# SPDX-License-Identifier: MIT
"""Shows a variable in a notebook: live, where it has widgets.

variable --> observation --> widget of ipywidgets, which keeps the observation until it is closed
"""

from __future__ import annotations

import sys
from importlib import import_module
from weakref import ref

from .._library.typing import Any, Dict, Optional


def _has_widgets() -> bool:
    """Whether this code runs for a notebook: not in IPython's terminal, nor outside of IPython."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def live(variable: Any) -> Optional[Any]:
    """A widget that shows the value that a variable has. It keeps the variable, and observes it until it is closed.
    None where there are no widgets. The thread that sets the variable tells the widget."""
    if not _has_widgets():
        return None
    try:
        widgets: Any = import_module("ipywidgets")
    except ImportError:
        return None
    shown = widgets.HTML(variable._repr_html_())
    # The widget has the observation, not the other way round: ipywidgets keeps it until it is closed.
    found = ref(shown)

    def show() -> None:
        widget = found()
        if widget is not None:
            widget.value = variable._repr_html_()

    observation = variable.observe(show)
    # A widget that is closed has no way to the notebook any more.
    shown.observe(lambda change: change["new"] is None and observation.stop(), names="comm")
    return shown


def bundle(variable: Any) -> Dict[str, Any]:
    """The forms that a notebook is given: it shows the last form that it knows."""
    forms: Dict[str, Any] = {"text/plain": repr(variable), "text/html": variable._repr_html_()}
    widget = live(variable)
    if widget is not None:
        forms["application/vnd.jupyter.widget-view+json"] = {
            "version_major": 2,
            "version_minor": 0,
            "model_id": widget.model_id,
        }
    return forms

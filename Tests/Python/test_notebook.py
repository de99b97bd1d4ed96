# SPDX-License-Identifier: MIT
"""What a notebook shows of a variable."""

import gc
import sys
import weakref
from types import SimpleNamespace

import pytest

from swiftobserver import Var
from swiftobserver._extras.notebook import live

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def widgets(monkeypatch):
    """As if this were code of a notebook that has widgets."""
    # Not where another Python runs the tests.
    widgets = pytest.importorskip("ipywidgets")
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=None))
    return widgets


def test_a_notebook_shows_the_value_that_a_variable_has(widgets):
    variable = Var(1, name="<count>")
    widget = live(variable)
    assert "<code><b>&lt;count&gt;</b> = 1</code>" in widget.value
    variable.value = 2
    assert "= 2</code>" in widget.value
    widget.close()


def test_what_a_notebook_is_given_is_a_widget(widgets):
    variable = Var(1)
    forms = variable._repr_mimebundle_(include=None, exclude=None)
    assert sorted(forms[VIEW]) == ["model_id", "version_major", "version_minor"]
    assert variable.count == 1
    widgets.Widget.close_all()
    assert variable.count == 0


def test_a_widget_that_is_closed_observes_no_more(widgets):
    variable = Var(1)
    widget = live(variable)
    assert variable.count == 1
    widget.close()
    assert variable.count == 0
    variable.value = 2
    assert ">1</code>" in widget.value


def test_what_is_shown_twice_is_live_twice(widgets):
    variable = Var(1)
    one, other = live(variable), live(variable)
    one.close()
    variable.value = 2
    assert ">2</code>" in other.value
    other.close()
    assert variable.count == 0


def test_what_is_shown_lives_until_the_widget_is_closed(widgets):
    variable = Var(1)
    widget = live(variable)
    observation = variable.observe(lambda: None)
    watched = weakref.ref(variable)
    del variable, observation
    gc.collect()
    assert watched() is not None
    widget.close()
    del widget
    gc.collect()
    assert watched() is None


def test_without_widgets_a_notebook_shows_the_value_of_now(monkeypatch):
    shell = SimpleNamespace(kernel=None)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    variable = Var(1)
    forms = variable._repr_mimebundle_(include=None, exclude=None)
    assert sorted(forms) == ["text/html", "text/plain"]
    assert forms["text/plain"] == repr(variable) and forms["text/html"] == variable._repr_html_()
    assert variable.count == 0


@pytest.mark.parametrize("shell", [None, SimpleNamespace()])
def test_in_a_terminal_nothing_is_live(monkeypatch, shell):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    variable = Var(1)
    assert VIEW not in variable._repr_mimebundle_()
    assert variable.count == 0

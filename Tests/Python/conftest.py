# SPDX-License-Identifier: MIT
"""Where things are, and the check after each test that nothing is left of it."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import configuration, settings

CHECKOUT = Path(__file__).resolve().parents[2]
SOURCE = CHECKOUT / "bindings" / "python" / "src"
BUILT = CHECKOUT / "build" / "embedded" / "libswiftobserver.so.0"

# An installed package is tested with the library that it finds by itself.
if BUILT.exists() and any(Path(each).resolve() == SOURCE for each in sys.path):
    os.environ.setdefault("SWIFTOBSERVER_LIBRARY", str(BUILT))

import not_on_pypy  # noqa: E402
from support import COUNTS_REFERENCES  # noqa: E402
from swiftobserver._core import authors as _authors  # noqa: E402
from swiftobserver._core import failures as _failures  # noqa: E402
from swiftobserver._library import environment as _environment  # noqa: E402
from swiftobserver._library import ownership as _ownership  # noqa: E402
from swiftobserver._library import threads as _threads  # noqa: E402
from swiftobserver._library.declarations import interpreter  # noqa: E402
from swiftobserver._values import encoding as _values  # noqa: E402

way = "fast" if _environment.VECTORCALL else "plain"
print(f"swiftobserver on the {way} way{_environment.OBSTACLE and ': ' + _environment.OBSTACLE}")
configuration.set_hypothesis_home_dir(CHECKOUT / "build" / "hypothesis")
settings.register_profile("reproducible", database=None, derandomize=True, deadline=None)
settings.load_profile("reproducible")
# A shell without job control has what it starts in the background ignore it: a package is built there, too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Skips what cannot be on PyPy."""
    if sys.implementation.name == "pypy":
        for item in items:
            reason = not_on_pypy.reason(item)
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish():
    """What is there before the first test is never garbage: the collection after each test need not look at it."""
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs a test that is a coroutine function, on a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def _there():
    """The observables and observers there are, the contexts of those that are gone, and what the library refers to."""
    # By the references, for a collection may end some amid an iteration.
    living = {each.key for each in _ownership._living.valuerefs() if each() is not None}
    there = {"living": living, "left behind": set(_ownership._left_behind)}
    if interpreter.MOVES_OBJECTS:
        there.update({"kept": set(interpreter._kept_here), "owed": set(interpreter._owed)})
    return there


def _left(before):
    return {kind: found for kind, now in _there().items() if (found := now - before[kind])}


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No test may leave observables, observers, contexts, authors, failures or messages behind."""
    before = _there()
    yield
    if COUNTS_REFERENCES:
        gc.collect()
    else:
        # One for each link of a chain of observables; and they take long.
        rounds = iter(range(20))
        while _left(before) and next(rounds, None) is not None:
            gc.collect()
    assert _left(before) == {}
    assert _authors.pending_authors == {}
    assert _threads.nobody_is_sending()
    assert _failures.pending == []
    assert _values.in_flight == {}
    if COUNTS_REFERENCES:
        gc.freeze()  # what this test has left elsewhere need not be looked through after each test to come

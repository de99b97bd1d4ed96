# SPDX-License-Identifier: MIT
"""Where things are, and the check after each test that nothing is left of it."""

from __future__ import annotations

import gc
import os
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
from swiftobserver import _authors, _context, _delivery, _handle, _progress, _values, _way  # noqa: E402
from swiftobserver._structures import pointing  # noqa: E402

print(f"swiftobserver on the {'fast' if _way.FAST else 'plain'} way{_way.OBSTACLE and ': ' + _way.OBSTACLE}")
configuration.set_hypothesis_home_dir(CHECKOUT / "build" / "hypothesis")
settings.register_profile("reproducible", database=None, derandomize=True, deadline=None)
settings.load_profile("reproducible")


def pytest_collection_modifyitems(items):
    """Skips what cannot be on PyPy."""
    if sys.implementation.name == "pypy":
        for item in items:
            reason = not_on_pypy.reason(item)
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


def _there():
    """The observables and observers there are, the contexts of those that are gone, and what the library refers to."""
    there = {"living": set(_handle._living), "left behind": set(_context._left_behind)}
    if pointing:
        there.update({"kept": set(pointing._kept_here), "owed": set(pointing._owed)})
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
    assert _authors.kept == {}
    assert _progress.nobody_is_sending()
    assert _delivery.failures == []
    assert _values.in_flight == {}

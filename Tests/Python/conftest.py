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

from swiftobserver import _authors, _context, _delivery, _handle, _progress, _values, _way  # noqa: E402

print(f"swiftobserver on the {'fast' if _way.FAST else 'plain'} way{_way.OBSTACLE and ': ' + _way.OBSTACLE}")
configuration.set_hypothesis_home_dir(CHECKOUT / "build" / "hypothesis")
settings.register_profile("reproducible", database=None, derandomize=True, deadline=None)
settings.load_profile("reproducible")


def collect():
    """Releases all that nobody can reach. PyPy takes a round for each link of a chain of objects with `__del__`."""
    for _ in range(1 if sys.implementation.name == "cpython" else 4):
        gc.collect()


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No test may leave observables, observers, contexts, authors, failures or messages behind."""
    collect()
    before, left_before = set(_handle._living), set(_context._left_behind)
    yield
    collect()
    assert set(_handle._living) - before == set()
    assert set(_context._left_behind) - left_before == set()
    assert _authors.kept == {}
    assert _progress.nobody_is_sending()
    assert _delivery.failures == []
    assert _values.in_flight == {}

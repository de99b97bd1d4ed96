# SPDX-License-Identifier: MIT
"""What PyPy is not given is there."""

from pathlib import Path

import pytest

import not_on_pypy


@pytest.mark.parametrize("name", not_on_pypy.REASONS)
def test_a_test_that_is_left_out_exists(name):
    file, _, test = name.partition("::")
    assert f"def {test.partition('[')[0]}(" in Path(__file__).with_name(file).read_text()

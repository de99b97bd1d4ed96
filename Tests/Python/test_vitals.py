# SPDX-License-Identifier: MIT
"""The example that watches the machine prints what it has to; Tests/C/vitals_tests.sh tests it thoroughly."""

import os
import subprocess
import sys

import pytest

from support import CHECKOUT, PACKAGE, library

SUPPORT = CHECKOUT / "Tests" / "TestSupport" / "vitals"


@pytest.mark.parametrize(
    "recording, expected, errors, status",
    [("recording", "expected.txt", None, 0), ("faulty", "faulty-expected.txt", "faulty-errors.txt", 2)],
)
def test_a_recording_prints_what_is_expected(recording, expected, errors, status):
    result = subprocess.run(
        [sys.executable, "-W", "error", "bindings/python/examples/vitals.py"]
        + ["--proc", f"Tests/TestSupport/vitals/{recording}"],
        cwd=CHECKOUT,
        env=dict(os.environ, PYTHONPATH=str(PACKAGE.parent), SWIFTOBSERVER_LIBRARY=str(library())),
        capture_output=True,
        text=True,
    )
    assert result.stderr == ((SUPPORT / errors).read_text() if errors else "")
    assert result.stdout == (SUPPORT / expected).read_text()
    assert result.returncode == status

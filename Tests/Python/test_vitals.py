# SPDX-License-Identifier: MIT
"""The example that watches the machine prints the same as its siblings in C and Swift."""

import os
import re
import subprocess
import sys

import pytest

from support import CHECKOUT, PACKAGE, library

SUPPORT = "Tests/TestSupport/vitals"


def vitals(*arguments):
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE.parent), SWIFTOBSERVER_LIBRARY=str(library()))
    return subprocess.run(
        [sys.executable, "-W", "error", "bindings/python/examples/vitals.py", *arguments],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def recording(folder, *readings):
    """Writes readings, given as the texts of their files, or None for no such file."""
    files = {"stat": "cpu 1 2 3 4\n", "meminfo": "MemTotal: 2 kB\nMemAvailable: 1 kB\n", "loadavg": "0.5 1 1\n"}
    files["net/dev"] = "header\nheader\n  lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
    for number, reading in enumerate(readings, 1):
        for name, text in {**files, **reading}.items():
            path = folder / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(text, bytes):
                path.write_bytes(text)
            elif text == "folder":
                path.mkdir()
            elif text is not None:
                path.write_text(text)
    return str(folder)


def test_a_recording_prints_what_is_expected():
    result = vitals("--proc", f"{SUPPORT}/recording")
    assert result.stderr == ""
    assert result.stdout == (CHECKOUT / SUPPORT / "expected.txt").read_text()
    assert result.returncode == 0


def test_a_faulty_recording_prints_what_is_expected():
    result = vitals("--proc", f"{SUPPORT}/faulty")
    assert result.stdout == (CHECKOUT / SUPPORT / "faulty-expected.txt").read_text()
    assert result.stderr == (CHECKOUT / SUPPORT / "faulty-errors.txt").read_text()
    assert result.returncode == 2


def test_the_machine_itself_can_be_observed():
    result = vitals("--interval", "10", "--seconds", "0.05")
    assert result.stderr == ""
    assert result.returncode == 0
    assert re.match(r"cpu {6}\d+\.\d %\nmemory {3}\d+\.\d %\nload {5}\d+\.\d\d\nnetwork  0\.0 kB/s\n", result.stdout)
    assert [line.split()[0] for line in result.stdout.splitlines()[-5:]] == [
        "source",
        "cpu",
        "memory",
        "load",
        "network",
    ]


def test_help_names_the_options():
    result = vitals("--help")
    assert result.returncode == 0
    assert result.stderr == ""
    for part in ("vitals", "--interval MILLISECONDS", "--seconds SECONDS", "--proc DIR"):
        assert part in result.stdout


@pytest.mark.parametrize(
    "arguments, error",
    [
        (["--interval", "x"], '--interval wants a positive number of milliseconds, not "x"'),
        (["--interval", "0"], '--interval wants a positive number of milliseconds, not "0"'),
        (["--interval", "-5"], '--interval wants a positive number of milliseconds, not "-5"'),
        (["--interval", "1_0"], '--interval wants a positive number of milliseconds, not "1_0"'),
        (["--interval", "٣"], '--interval wants a positive number of milliseconds, not "٣"'),
        (["--interval", "2147483648"], '--interval wants a positive number of milliseconds, not "2147483648"'),
        (["--seconds", ""], '--seconds wants a positive number of seconds, not ""'),
        (["--seconds", "0.0"], '--seconds wants a positive number of seconds, not "0.0"'),
        (["--seconds", "nan"], '--seconds wants a positive number of seconds, not "nan"'),
        (["--seconds", "1e3"], '--seconds wants a positive number of seconds, not "1e3"'),
        (["--interval"], 'a value is missing after "--interval"'),
        (["--x"], 'unknown option "--x"'),
        (["x"], 'unexpected argument "x"'),
    ],
)
def test_a_bad_option_is_refused_in_one_line(arguments, error):
    result = vitals(*arguments)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"vitals: {error}\n")


@pytest.mark.parametrize(
    "name, text, reason",
    [
        ("stat", None, "cannot be read: No such file or directory"),
        ("stat", "folder", "cannot be read: Is a directory"),
        ("stat", "", 'malformed: expected "cpu" and at least four numbers'),
        ("stat", "cpu 1 2 3\n", 'malformed: expected "cpu" and at least four numbers'),
        ("stat", "cpu0 1 2 3 4\n", 'malformed: expected "cpu" and at least four numbers'),
        ("stat", "cpu 1 2 3 4 x\n", 'malformed: expected "cpu" and at least four numbers'),
        ("stat", "cpu 1 2 3 -4\n", 'malformed: expected "cpu" and at least four numbers'),
        ("stat", "cpu 1 2 3 18446744073709551616\n", 'malformed: expected "cpu" and at least four numbers'),
        ("stat", "cpu 18446744073709551615 1 1 1\n", 'malformed: expected "cpu" and at least four numbers'),
        ("stat", "cpu 1 2 3 " + "9" * 10000, 'malformed: expected "cpu" and at least four numbers'),
        ("stat", b"\xff\x00\x80" * 100, 'malformed: expected "cpu" and at least four numbers'),
        ("meminfo", "MemTotal: 5 kB\n", "malformed: expected MemTotal and MemAvailable"),
        ("meminfo", "MemTotal: 5 kB\nMemAvailable:\n", "malformed: expected MemTotal and MemAvailable"),
        ("meminfo", "MemTotal: 5 kB\nMemAvailable: 6 kB\n", "malformed: expected MemTotal and MemAvailable"),
        ("meminfo", "MemTotal: 0 kB\nMemAvailable: 0 kB\n", "malformed: expected MemTotal and MemAvailable"),
        ("loadavg", "", "malformed: expected a load average"),
        ("loadavg", "-1\n", "malformed: expected a load average"),
        ("loadavg", "1e5\n", "malformed: expected a load average"),
        ("net/dev", "", "malformed: expected 16 numbers after each interface"),
        ("net/dev", "header\nheader\neth0: 1 2 3\n", "malformed: expected 16 numbers after each interface"),
        ("net/dev", "header\nheader\neth0\n", "malformed: expected 16 numbers after each interface"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_faulty_file_is_reported_and_the_others_go_on(tmp_path, name, text, reason):
    folder = recording(tmp_path, {name: text}, {})
    result = vitals("--proc", folder)
    assert result.stderr == f"vitals: {folder}/1/{name}: {reason}\n"
    assert result.returncode == 2
    assert result.stdout.count(" -\n") == 1
    # Three of the four sources go on, and none of them has changed at the second reading.
    assert len(result.stdout.splitlines()) == 3 + 1 + 5


def test_leading_zeros_and_trailing_numbers_do_no_harm(tmp_path):
    folder = recording(
        tmp_path,
        {"stat": "cpu " + "0" * 5000 + "1 1 1 1\n"},
        {"stat": "cpu 2 2 2 2 0 0 0 0 0 0 0 0 5\nrest"},
    )
    result = vitals("--proc", folder)
    assert result.stderr == ""
    assert result.stdout.startswith("cpu      75.0 %\n")

# SPDX-License-Identifier: MIT
"""What is run: each program prints a JSON object a line, and is run as a process of its own once a round."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
from typing import NamedTuple

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent


class Program(NamedTuple):
    name: str
    command: list[str]
    # What makes it; a failure leaves the program out.
    build: list[list[str]] = []
    # Tried where `build` fails.
    otherwise: list[list[str]] = []
    # Only every how many rounds it runs, where its figures do not differ.
    every: int = 1
    # Whether to build it can take minutes.
    is_slow_to_build: bool = False


def of_c(name: str, runtime: str, *arguments: str, every: int = 1) -> Program:
    path = f"build/{runtime}/benchmarks/{name}"
    return Program(
        f"C, {name}", [path, *arguments], [["make", "--no-print-directory", path, f"RUNTIME={runtime}"]], every=every
    )


def all_programs(runtime: str, python: pathlib.Path) -> list[Program]:
    scratch = "build/swift-benchmarks"
    swift_build = [
        "swift",
        "build",
        "-c",
        "release",
        "--package-path",
        "Tests/Benchmarks/swift",
        "--scratch-path",
        scratch,
    ]
    swift = {
        "build": [swift_build],
        "otherwise": [["env", "BENCH_WITHOUT_OPENCOMBINE=1", *swift_build]],
        "is_slow_to_build": True,
    }
    script = "Tests/Benchmarks/python/bench.py"
    return [
        of_c("delivery", runtime),
        of_c("variables", runtime),
        of_c("derived", runtime),
        of_c("threads", runtime),
        of_c("handover", runtime),
        of_c("loading", runtime, *libraries(runtime)),
        of_c("beside_c", runtime),
        of_c("growth", runtime),
        of_c("distance", runtime),
        of_c("memory", runtime, every=3),
        of_c("relay", runtime),
        Program("Swift, bench", [f"{scratch}/release/bench"], **swift),
        Program("Swift, allocations", [f"{scratch}/release/allocations"], every=3, **swift),
        Program("Python, times", [str(python), script]),
        Program("Python, growth", [str(python), script, "--growth"]),
        Program("Python, processes", [str(python), script, "--processes"]),
    ]


def libraries(runtime: str) -> list[str]:
    """What is loaded, each with its name: the library as it is installed, and GObject if it is there."""
    built = f"build/{runtime}/libswiftobserver.so"
    stripped = f"build/{runtime}/benchmarks/stripped.so"
    found = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, cwd=ROOT).stdout
    gobject = re.search(r"libgobject-2\.0\.so\.0 .*=> (.*)", found)
    os.makedirs(ROOT / "build" / runtime / "benchmarks", exist_ok=True)
    is_stripped = subprocess.run(["strip", "-o", stripped, built], capture_output=True, cwd=ROOT).returncode == 0
    ours = [stripped if is_stripped else built, "swiftobserver"]
    return [*ours, gobject[1], "libgobject"] if gobject else ours

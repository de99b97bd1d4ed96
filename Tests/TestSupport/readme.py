#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs of a document and compares what they print with what it says they print.

A program is a fenced block after `<!-- executed -->`; the fenced `text` block after it is its output.

Usage: readme.py DOCUMENT LIBRARY-FOLDER
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"<!-- executed -->\n```(\w+)\n(.*?)```\n.*?```text\n(.*?)```", re.DOTALL)

MANIFEST = """// swift-tools-version:6.0
import PackageDescription
let package = Package(
    name: "Program",
    dependencies: [.package(name: "SwiftObserver", path: "{top}")],
    targets: [.executableTarget(
        name: "Program",
        dependencies: [.product(name: "SwiftObserver", package: "SwiftObserver")])],
    swiftLanguageModes: [.v6]
)
"""


def run(command: list[str], **more: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, **more)  # type: ignore[call-overload]
    if done.returncode != 0:
        sys.exit(f"readme: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def run_c(program: str, library: pathlib.Path, folder: pathlib.Path) -> str:
    (folder / "program.c").write_text(program)
    run(
        [
            "cc",
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-I",
            str(TOP / "include"),
            str(folder / "program.c"),
            "-L",
            str(library),
            "-lswiftobserver",
            f"-Wl,-rpath,{library}",
            "-o",
            str(folder / "program"),
        ]
    )
    return run([str(folder / "program")])


def run_python(program: str, library: pathlib.Path, folder: pathlib.Path) -> str:
    environment = os.environ | {
        "PYTHONPATH": str(TOP / "bindings/python/src"),
        "SWIFTOBSERVER_LIBRARY": str(library / "libswiftobserver.so"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return run([sys.executable, "-W", "error", "-c", program], env=environment)


def run_swift(program: str, library: pathlib.Path, folder: pathlib.Path) -> str:
    package = TOP / "build" / "readme"  # kept: building the library again takes a while
    (package / "Sources/Program").mkdir(parents=True, exist_ok=True)
    (package / "Package.swift").write_text(MANIFEST.format(top=TOP))
    (package / "Sources/Program/main.swift").write_text(program)
    built = subprocess.run(["swift", "build", "--package-path", str(package)], capture_output=True, text=True)
    if built.returncode != 0 or "warning:" in built.stdout + built.stderr:
        sys.exit(f"readme: the Swift program does not build without warnings:\n{built.stdout}{built.stderr}")
    return run([str(package / ".build/debug/Program")])


def main(document: str, folder: str) -> None:
    library = pathlib.Path(folder).resolve()
    programs = PROGRAM.findall(pathlib.Path(document).read_text(encoding="utf-8"))
    if not programs:
        sys.exit(f"readme: {document} has no programs")
    runners = {"c": run_c, "python": run_python, "swift": run_swift}
    for language, program, expected in programs:
        with tempfile.TemporaryDirectory() as temporary:
            printed = runners[language](program, library, pathlib.Path(temporary))
        if printed != expected:
            sys.exit(f"readme: the {language} program prints\n{printed}instead of\n{expected}")
        print(f"{document}: the {language} program prints what it should")


if __name__ == "__main__":
    main(*sys.argv[1:])

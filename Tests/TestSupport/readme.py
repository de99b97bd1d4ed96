#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs of a document and compares what they print with what it says they print.

A program is a fenced block after `<!-- executed -->`; the fenced `text` block after it is its output. The manifest of
Swift programs is the block after `<!-- Package.swift -->`.

Usage: readme.py DOCUMENT LIBRARY-FOLDER, or with `installed` in place of the folder: what the system has.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = re.compile(r"<!-- executed -->\n```(\w+)\n(.*?)```\n.*?```text\n(.*?)```", re.DOTALL)

# What Swift programs of the document are built with, as it says: its own manifest, with this checkout for the path.
MANIFEST = re.compile(r"<!-- Package.swift -->\n```swift\n(.*?)```", re.DOTALL)
PATH = '"../swiftobserver"'


# Strict, and with what was built here.
C = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror"]
CXX = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror"]
HEADERS = ["-I", str(TOP / "include"), "-I", str(TOP / "bindings/c/include")]


def run(command: list[str], **more: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, **more)  # type: ignore[call-overload]
    if done.returncode != 0:
        sys.exit(f"readme: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return str(done.stdout)


class Here:
    """The programs with what was built in this checkout."""

    def __init__(self, document: str, library: pathlib.Path) -> None:
        self.document, self.library = document, library

    def c(self, program: str, folder: pathlib.Path) -> str:
        return self.compiled(C, "program.c", program, folder)

    def cpp(self, program: str, folder: pathlib.Path) -> str:
        return self.compiled(CXX, "program.cpp", program, folder)

    def compiled(self, compiler: list[str], name: str, program: str, folder: pathlib.Path) -> str:
        (folder / name).write_text(program)
        linked = ["-L", str(self.library), "-lswiftobserver", f"-Wl,-rpath,{self.library}", "-pthread"]
        run([*compiler, *HEADERS, str(folder / name), *linked, "-o", str(folder / "program")])
        return run([str(folder / "program")])

    def python(self, program: str, folder: pathlib.Path) -> str:
        environment = os.environ | {
            "PYTHONPATH": str(TOP / "bindings/python/src"),
            "SWIFTOBSERVER_LIBRARY": str(self.library / "libswiftobserver.so"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return run([sys.executable, "-W", "error", "-c", program], env=environment)

    def swift(self, program: str, folder: pathlib.Path) -> str:
        package = TOP / "build" / "readme"  # kept: building the library again takes a while
        (package / "Sources/Program").mkdir(parents=True, exist_ok=True)
        (package / "Package.swift").write_text(self.manifest().replace(PATH, f'"{TOP}"'))
        (package / "Sources/Program/main.swift").write_text(program)
        built = subprocess.run(["swift", "build", "--package-path", str(package)], capture_output=True, text=True)
        if built.returncode != 0 or "warning:" in built.stdout + built.stderr:
            sys.exit(f"readme: the Swift program does not build without warnings:\n{built.stdout}{built.stderr}")
        return run([str(package / ".build/debug/Program")])

    def manifest(self) -> str:
        found = MANIFEST.search(self.document)
        if not found or PATH not in found.group(1):
            sys.exit(f"readme: there is no manifest that depends on the package at {PATH}")
        return found.group(1)


class Installed(Here):
    """The programs as their readers type them, with what is installed; shows what is typed."""

    def typed(self, command: str, folder: pathlib.Path) -> str:
        begun = time.monotonic()
        printed = run(["sh", "-c", command], cwd=folder)
        print(f"$ {command}\n{printed}[{time.monotonic() - begun:.1f} s]", flush=True)
        return printed

    def compiled(self, compiler: list[str], name: str, program: str, folder: pathlib.Path) -> str:
        (folder / name).write_text(program)
        flags = " -std=c++17" if name.endswith("pp") else ""
        self.typed(f"{compiler[0]}{flags} {name} $(pkg-config --cflags --libs swiftobserver)", folder)
        return self.typed("./a.out", folder)

    def swift(self, program: str, folder: pathlib.Path) -> str:
        package = folder / "Program"
        (package / "Sources/Program").mkdir(parents=True)
        (folder / "swiftobserver").symlink_to(TOP)  # where the manifest says that it is
        (package / "Package.swift").write_text(self.manifest())
        (package / "Sources/Program/main.swift").write_text(program)
        return self.typed("swift run", package)

    def python(self, program: str, folder: pathlib.Path) -> str:
        (folder / "program.py").write_text(program)
        return self.typed("python3 program.py", folder)


def main(document: str, library: str) -> None:
    text = pathlib.Path(document).read_text(encoding="utf-8")
    programs = PROGRAM.findall(text)
    if not programs:
        sys.exit(f"readme: {document} has no programs")
    reader = Installed(text, TOP) if library == "installed" else Here(text, pathlib.Path(library).resolve())
    needed = {"c": "cc", "cpp": "c++", "swift": "swift", "python": "python3"}
    for language, program, expected in programs:
        if library == "installed" and not shutil.which(needed[language]):
            print(f"{document}: there is no {needed[language]} for the {language} program")
            continue
        with tempfile.TemporaryDirectory() as temporary:
            printed = getattr(reader, language)(program, pathlib.Path(temporary))
        if printed != expected:
            sys.exit(f"readme: the {language} program prints\n{printed}instead of\n{expected}")
        print(f"{document}: the {language} program prints what it should")


if __name__ == "__main__":
    main(*sys.argv[1:])

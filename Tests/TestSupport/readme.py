#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs of a document and compares what they print with what it says they print.

A program is a fenced block after `<!-- executed -->`; the fenced `text` block after it is its output. The manifest of
Swift programs is the block after `<!-- Package.swift -->`.

Usage: readme.py DOCUMENT LIBRARY-FOLDER
       readme.py DOCUMENT installed                   with what the system has
       readme.py DOCUMENT installed LANGUAGE ROOT     with what another root has, by the user of its home/user
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
        if "#include <gio/gio.h>" in program:
            linked += run(["pkg-config", "--cflags", "--libs", "gio-2.0"]).split()
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

    checkout = str(TOP)
    shell = ["sh", "-c"]

    def typed(self, command: str, folder: pathlib.Path) -> str:
        begun = time.monotonic()
        printed = run([*self.shell, command], cwd=folder)
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
        (folder / "swiftobserver").symlink_to(self.checkout)  # where the manifest says that it is
        (package / "Package.swift").write_text(self.manifest())
        (package / "Sources/Program/main.swift").write_text(program)
        return self.typed("swift run", package)

    def python(self, program: str, folder: pathlib.Path) -> str:
        (folder / "program.py").write_text(program)
        return self.typed("python3 program.py", folder)


class Elsewhere(Installed):
    """The same in another root, whose user has a checkout beside the programs."""

    checkout = "/home/user/swiftobserver"

    def __init__(self, document: str, root: pathlib.Path) -> None:
        super().__init__(document, root)
        self.home, self.root = root / "home/user", root

    def typed(self, command: str, folder: pathlib.Path) -> str:
        found = "PATH=/home/user/env/bin:/usr/bin:/bin:/tmp/swift/bin HOME=/home/user LC_ALL=C.UTF-8"
        inside = pathlib.Path("/") / folder.relative_to(self.root)
        user = ["chroot", "--userspec=65534:65534", str(self.root), "env", "-i", *found.split()]
        self.shell = [*user, "sh", "-c", 'cd "$0" && eval "$1"', str(inside)]
        own = self.home / folder.relative_to(self.home).parts[0]
        subprocess.run(["chown", "-R", "65534:65534", str(own)], check=True)
        return super().typed(command, folder)


def main(document: str, library: str, language: str = "", root: str = "/") -> None:
    text = pathlib.Path(document).read_text(encoding="utf-8")
    programs = [program for program in PROGRAM.findall(text) if language in ("", program[0])]
    if not programs:
        sys.exit(f"readme: {document} has no programs")
    reader = Here(text, pathlib.Path(library).resolve())
    if library == "installed":
        reader = Elsewhere(text, pathlib.Path(root).resolve()) if language else Installed(text, TOP)
    needed = {"c": "cc", "cpp": "c++", "swift": "swift", "python": "python3"}
    for language, program, expected in programs:
        if type(reader) is Installed and not shutil.which(needed[language]):
            print(f"{document}: there is no {needed[language]} for the {language} program")
            continue
        with tempfile.TemporaryDirectory(dir=getattr(reader, "home", None)) as temporary:
            printed = getattr(reader, language)(program, pathlib.Path(temporary))
        if printed != expected:
            sys.exit(f"readme: the {language} program prints\n{printed}instead of\n{expected}")
        print(f"{document}: the {language} program prints what it should")


if __name__ == "__main__":
    main(*sys.argv[1:])

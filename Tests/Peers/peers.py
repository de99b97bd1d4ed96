#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks observer libraries what they do, and holds the README's table of promises against their answers.

Each library has a program beside this file, which prints its answers. What is not there is named as not run, and its
column is not compared.

Usage: peers.py check|write README BUILD-FOLDER LIBRARY-FOLDER
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Optional

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
BEGIN, END = "<!-- promises: made by `make promises` -->\n", "<!-- promises end -->"
# What is asked, and what it says in the table.
QUESTIONS = {
    "order": "Observers receive in the order in which they began.",
    "turn": "What a handler sends waits for its turn: all hear 1 before one hears 2.",
    "one order": "Several threads send, and all observers hear one order.",
    "no lock": "While a handler runs, another thread can send to the same signal.",
    "stop": "An observation that is stopped during a delivery hears nothing of it.",
    "join": "One that begins during a delivery hears the next message first.",
    "wait": "Stopping can wait until the handler is not running on another thread.",
    "failure": "A handler that fails keeps no other from hearing, and the sender is told.",
    "end": "An object's observations end with the object.",
    "computed": "A value computed from others is never seen half new, half old.",
}
PYTHON_PEERS = {"psygnal": "psygnal==0.16.1", "blinker": "blinker==1.9.0"}
# Each library by the name of its column.
COLUMNS = {
    "here": "swiftobserver",
    "Boost.Signals2": "boost",
    "Qt": "qt",
    "GObject": "gobject",
    "OpenCombine": "opencombine",
    "psygnal": "psygnal",
    "blinker": "blinker",
}
# pkg-config's name of what a program needs.
NEEDS = {"boost": None, "qt": "Qt6Core", "gobject": "gobject-2.0"}
Answers = dict[str, str]


def run(command: list[str], **more: object) -> Optional[str]:
    done = subprocess.run(command, capture_output=True, text=True, **more)  # type: ignore[call-overload]
    if done.returncode != 0:
        print(f"peers: {' '.join(command[:3])} ... failed: {done.stderr[-2000:]}", file=sys.stderr)
        return None
    return str(done.stdout)


def cpp(name: str, build: pathlib.Path, library: pathlib.Path) -> Optional[str]:
    flags = ["-std=c++17", "-O1", "-fPIC", "-Wall", "-Wextra", "-pthread"]
    if name == "swiftobserver":
        flags += ["-I", str(TOP / "include"), "-I", str(TOP / "bindings/c/include")]
        flags += ["-L", str(library), "-lswiftobserver", f"-Wl,-rpath,{library}"]
    elif NEEDS[name]:
        known = run(["pkg-config", "--cflags", "--libs", NEEDS[name]])
        if known is None:
            return None
        flags += known.split()
    program = build / name
    if run(["c++", str(HERE / f"{name}.cpp"), *flags, "-o", str(program)]) is None:
        return None
    return run([str(program)])


def python(name: str, build: pathlib.Path, library: pathlib.Path) -> Optional[str]:
    interpreter = build / "venv/bin/python"
    if not interpreter.exists():
        run([sys.executable, "-m", "venv", str(build / "venv")])
        run([str(interpreter), "-m", "pip", "install", "--quiet", *PYTHON_PEERS.values()])
    here = {
        "PYTHONPATH": str(TOP / "bindings/python/src"),
        "SWIFTOBSERVER_LIBRARY": str(library / "libswiftobserver.so"),
    }
    return run([str(interpreter), str(HERE / "probe.py"), name], env=os.environ | here)


def swift(build: pathlib.Path) -> Optional[str]:
    if not shutil.which("swift"):
        return None
    package = ["--package-path", str(HERE / "swift"), "--scratch-path", str(build / "swift")]
    if run(["swift", "build", "--quiet", *package]) is None:
        return None
    return run([str(build / "swift/debug/opencombine")])


def answers(text: Optional[str]) -> Optional[Answers]:
    return None if text is None else dict(re.findall(r"^([\w ]+): (.*)$", text, re.MULTILINE))


def ask(build: pathlib.Path, library: pathlib.Path) -> dict[str, Optional[Answers]]:
    build.mkdir(parents=True, exist_ok=True)
    all: dict[str, Optional[Answers]] = {}
    for column, name in COLUMNS.items():
        if name == "opencombine":
            text = swift(build)
        elif name in PYTHON_PEERS:
            text = python(name, build, library)
        else:
            text = cpp(name, build, library)
        all[column] = answers(text)
        print(f"{column}: {'not run' if text is None else ' '.join((text or '').split())}")
    # Python's is no other than C++'s.
    if answers(python("swiftobserver", build, library)) != all["here"]:
        sys.exit("peers: the library answers otherwise in Python than in C++")
    return all


def cell(column: str, all: dict[str, Optional[Answers]], question: str) -> str:
    known = all[column]
    if known is None:
        return "not run"
    said = known[question]
    return {"none": "-", "yes": "**yes**" if column == "here" else "yes"}.get(said, said.split(",")[0])


def rows(all: dict[str, Optional[Answers]]) -> list[list[str]]:
    return [[text, *(cell(column, all, question) for column in COLUMNS)] for question, text in QUESTIONS.items()]


def table(all: dict[str, Optional[Answers]]) -> str:
    names = [
        f"{column} {known['version']}" if known and "version" in known else column for column, known in all.items()
    ]
    lines = [["", *names], ["---"] * (len(names) + 1), *rows(all)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main(what: str, readme: str, build: str, library: str) -> None:
    all = ask(pathlib.Path(build), pathlib.Path(library).resolve())
    path = pathlib.Path(readme)
    before, rest = path.read_text(encoding="utf-8").split(BEGIN, 1)
    stands, after = rest.split(END, 1)
    if what == "write":
        path.write_text(before + BEGIN + table(all) + END + after, encoding="utf-8")
        return
    written = [[each.strip() for each in line.strip("|\n").split("|")] for line in stands.splitlines()][2:]
    wrong = [
        f"{mine[0]} {column}: the README says {its}, the program {said}"
        for mine, theirs in zip(rows(all), written)
        for column, said, its in zip(COLUMNS, mine[1:], theirs[1:])
        if said not in ("not run", its) or mine[0] != theirs[0]
    ]
    if wrong or len(written) != len(QUESTIONS):
        sys.exit("peers: " + "\n".join(wrong or ["the README's table has other rows"]))
    run_here = sum(known is not None for known in all.values())
    print(f"peers: {run_here * len(QUESTIONS)} cells are as {run_here} of {len(COLUMNS)} libraries answer")


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: MIT
"""Programs to look at."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest

IN_PYTHON = Path(__file__).with_name("program.py")


class Running:
    """A program that is told what to do."""

    def __init__(self, command: List[str], address: str, allowed: str) -> None:
        environment = {**os.environ, "SWIFTOBSERVER_INSPECT": address, "SWIFTOBSERVER_INSPECT_ALLOW": allowed}
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.read("ready")

    def tell(self, words: str) -> None:
        """Has it do something, and waits until it has."""
        self.say(words)
        self.read(f"did {words}")

    def say(self, words: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def read(self, line: str) -> List[str]:
        """Waits for a line. Returns those before it."""
        assert self.process.stdout
        before: List[str] = []
        for each in iter(self.process.stdout.readline, ""):
            if each.rstrip("\n") == line:
                return before
            before.append(each.rstrip("\n"))
        raise AssertionError(f"it has not said {line}, but {before}")

    def end(self) -> int:
        assert self.process.stdin
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        return self.process.wait()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    running: List[Running] = []

    commands = {
        "c": lambda: [os.environ["PROGRAM"]],
        "swift": lambda: [os.environ["PROGRAM_IN_SWIFT"]],
        "python": lambda: [sys.executable, str(IN_PYTHON)],
    }

    def begin(language: str = "c", allowed: str = "values,set", address: str = f"unix:{tmp_path}/socket") -> Running:
        running.append(Running(commands[language](), address, allowed))
        return running[-1]

    yield begin
    for each in running:
        if each.process.poll() is None:
            each.end()

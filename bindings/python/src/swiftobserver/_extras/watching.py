# SPDX-License-Identifier: MIT
"""Shows what a broker's devices publish, live, for `relay watch`; a table where the terminal can."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import threading
import unicodedata
from typing import Dict, Tuple

# Of a device, of its state, and of a property.
NAME = re.compile(r"(?!homie/)[a-z0-9-]+(/\$state|/[a-z0-9-]+/[a-z0-9-]+)?")


def filter_of(what: str) -> str:
    """The topic filter that a name stands for: a device's for all that it publishes. What is no name is a filter."""
    if not NAME.fullmatch(what):
        return what
    return f"homie/5/{what}" if "/" in what else f"homie/5/{what}/#"


def columns_of(character: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def width_of(text: str) -> int:
    """How many columns a text takes."""
    return sum(map(columns_of, text))


def cut(text: str, columns: int) -> str:
    """As much of a text as fits, from its beginning."""
    width = 0
    for index, character in enumerate(text):
        width += columns_of(character)
        if width > columns:
            return text[:index]
    return text


class Shown:
    """The screen."""

    def __init__(self, count: int, as_json: bool = False) -> None:
        self.done = threading.Event()
        self._left = count
        self._as_json = as_json
        self._is_table = sys.stdout.isatty() and not as_json
        self._values: Dict[str, str] = {}
        self._state = ""
        self._lock = threading.Lock()
        self._size: Tuple[int, int] = (0, 0)
        if self._is_table and hasattr(signal, "SIGWINCH"):
            # It ends the sleep of the main thread, which then looks.
            signal.signal(signal.SIGWINCH, lambda *_: None)

    def say(self, state: str) -> None:
        """Shows the relay's state, beside what it is about."""
        with self._lock:
            self._state = state
            if self.done.is_set():
                return
            if self._is_table:
                self._draw()
            else:
                print(f"watch: {state}", file=sys.stderr, flush=True)

    def take(self, line: str) -> None:
        """Shows a message."""
        with self._lock:
            if self.done.is_set():
                return
            topic, _, payload = line.partition(" ")
            self._values[topic] = payload
            if self._is_table:
                self._draw()
            elif self._as_json:
                self._print(json.dumps({"topic": topic, "payload": payload}, ensure_ascii=False) + "\n")
            else:
                self._print(line + "\n")
            self._left -= 1
            if self._left == 0:
                self.done.set()

    def await_all(self) -> None:
        # On its own: CPython 3.12 to 3.14 find no handler around an interrupt at the end of a loop beside it.
        # In short sleeps: what comes just before a thread falls asleep does not wake it.
        while not self.done.wait(0.2):
            if self._is_table and shutil.get_terminal_size() != self._size:
                with self._lock:
                    self._draw()

    def end(self) -> None:
        """Leaves the table to what comes next on the terminal."""
        with self._lock:
            if self._is_table:
                self._print("\n")
            self.done.set()

    def _draw(self) -> None:
        self._size = shutil.get_terminal_size()
        # Also where the terminal does not tell its size, of which CPython 3.9 says that it is 0.
        columns, rows = (told or usual for told, usual in zip(self._size, (80, 24)))
        width = min(max((width_of(topic) for topic in self._values), default=0), columns * 2 // 3)
        lines = []
        for topic, payload in sorted(self._values.items()):
            # A long topic differs from others at its end.
            shown = cut(topic[::-1], width)[::-1]
            lines.append(f"{shown}{' ' * (width - width_of(shown))}  {payload}")
        most = max(rows - 2, 1)
        if len(lines) > most:
            lines[most - 1 :] = [f"... and {len(lines) - most + 1} more"]
        # What terminals would take for orders is shown as such.
        printable = ("".join(c if c.isprintable() else "?" for c in line) for line in [self._state, *lines])
        # A line is erased first: after its last column, some terminals would erase that.
        self._print("\033[H" + "\n".join("\033[K" + cut(line, columns) for line in printable) + "\033[J")

    def _print(self, text: str) -> None:
        try:
            print(text, end="", flush=True)
        except OSError:
            # What read this has ended. Python would write what it still has once more at its end, and complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            self.done.set()

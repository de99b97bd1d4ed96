# SPDX-License-Identifier: MIT
"""`python -m swiftobserver.relay watch`: what a broker's devices publish, live; a table where the terminal can."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import threading
from typing import Any, Dict

# Of a device, of its state, and of a property.
NAME = re.compile(r"(?!homie/)[a-z0-9-]+(/\$state|/[a-z0-9-]+/[a-z0-9-]+)?")


def filter_of(what: str) -> str:
    """The topic filter that a name stands for: a device's for all that it publishes. What is no name is a filter."""
    if not NAME.fullmatch(what):
        return what
    return f"homie/5/{what}" if "/" in what else f"homie/5/{what}/#"


def main(make_relay: Any) -> int:
    """Runs until it is interrupted, or `--count` messages have come. `make_relay` is the class, which imports this."""
    parser = argparse.ArgumentParser(prog="python -m swiftobserver.relay")
    commands = parser.add_subparsers(dest="command", required=True)
    watch = commands.add_parser("watch", help="prints what is published, and goes on with what changes")
    watch.add_argument(
        "what",
        nargs="?",
        default="homie/5/#",
        help="a device, device/node/property, device/$state, or a topic filter of MQTT (default: %(default)s); "
        "a topic that looks like a name is one with /# at its end",
    )
    watch.add_argument(
        "--address", default="mqtt://localhost", help="of the broker, or dbus:session (default: %(default)s)"
    )
    watch.add_argument("--user", help="its password is taken from SWIFTOBSERVER_RELAY_PASSWORD")
    watch.add_argument("--ca-file", help="whom to trust, for mqtts")
    watch.add_argument("--certificate-file", help="of this program, where the broker asks for one")
    watch.add_argument("--key-file", help="of that certificate")
    watch.add_argument("--count", type=int, default=0, help="ends after so many messages")
    arguments = parser.parse_args()
    try:
        relay = make_relay(
            arguments.address,
            user=arguments.user,
            password=os.environ.get("SWIFTOBSERVER_RELAY_PASSWORD"),
            ca_file=arguments.ca_file,
            certificate_file=arguments.certificate_file,
            key_file=arguments.key_file,
        )
        messages = relay.watch(filter_of(arguments.what))
    except ValueError as error:
        print(f"watch: {error}", file=sys.stderr)
        return 2
    with relay:
        shown = _Shown(arguments.count)
        relay.state.observe(lambda update: shown.say(update.new))
        shown.say(relay.state.value)
        messages.observe(shown.take)
        try:
            shown.await_all()
        except KeyboardInterrupt:
            pass
    shown.end()
    return 0


class _Shown:
    """What is on the screen."""

    def __init__(self, count: int) -> None:
        self.done = threading.Event()
        self._left = count
        self._is_table = sys.stdout.isatty()
        self._values: Dict[str, str] = {}
        self._state = ""
        self._lock = threading.Lock()
        # What the encoding has not is printed as "?".
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]

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
            else:
                self._print(line + "\n")
            self._left -= 1
            if self._left == 0:
                self.done.set()

    def await_all(self) -> None:
        # On its own: CPython 3.12 to 3.14 find no handler around an interrupt at the end of a loop beside it.
        # In short sleeps: what comes just before a thread falls asleep does not wake it.
        while not self.done.wait(0.5):
            pass

    def end(self) -> None:
        """Leaves the table to what comes next on the terminal."""
        with self._lock:
            if self._is_table:
                self._print("\n")
            self.done.set()

    def _draw(self) -> None:
        # Also where the terminal does not tell its size, of which CPython 3.9 says that it is 0.
        columns, rows = (told or usual for told, usual in zip(shutil.get_terminal_size(), (80, 24)))
        width = min(max((len(topic) for topic in self._values), default=0), columns * 2 // 3)
        # A long topic differs from others at its end.
        lines = [f"{topic[-width:]:<{width}}  {payload}" for topic, payload in sorted(self._values.items())]
        most = max(rows - 2, 1)
        if len(lines) > most:
            lines[most - 1 :] = [f"... and {len(lines) - most + 1} more"]
        # What terminals would take for orders is shown as such.
        shown = ("".join(c if c.isprintable() else "?" for c in line)[:columns] for line in [self._state, *lines])
        # A line is erased first: after its last column, some terminals would erase that.
        self._print("\033[H" + "\n".join("\033[K" + line for line in shown) + "\033[J")

    def _print(self, text: str) -> None:
        try:
            print(text, end="", flush=True)
        except OSError:
            # What read this has ended. Python would write what it still has once more at its end, and complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            self.done.set()

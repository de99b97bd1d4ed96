# SPDX-License-Identifier: MIT
"""`python -m swiftobserver.relay watch`: what a broker's devices publish, live; a table where the terminal can."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from typing import Any, Dict


def main(make_relay: Any) -> int:
    """Runs until it is interrupted, or `--count` messages have come. `make_relay` is the class, which imports this."""
    parser = argparse.ArgumentParser(prog="python -m swiftobserver.relay")
    commands = parser.add_subparsers(dest="command", required=True)
    watch = commands.add_parser("watch", help="prints what is published, and goes on with what changes")
    watch.add_argument("filter", nargs="?", default="homie/5/#", help="a topic filter of MQTT (default: %(default)s)")
    watch.add_argument("--address", default="mqtt://localhost", help="of the broker (default: %(default)s)")
    watch.add_argument("--user", help="its password is taken from SWIFTOBSERVER_RELAY_PASSWORD")
    watch.add_argument("--ca-file", help="whom to trust, for mqtts")
    watch.add_argument("--count", type=int, default=0, help="ends after so many messages")
    arguments = parser.parse_args()
    try:
        relay = make_relay(
            arguments.address,
            user=arguments.user,
            password=os.environ.get("SWIFTOBSERVER_RELAY_PASSWORD"),
            ca_file=arguments.ca_file,
        )
        messages = relay.watch(arguments.filter)
    except ValueError as error:
        print(f"watch: {error}", file=sys.stderr)
        return 2
    with relay:
        shown = _Shown(arguments.count)
        relay.state.observe(lambda update: shown.say(update.new))
        shown.say(relay.state.value)
        messages.observe(shown.take)
        try:
            shown.done.wait()
        except KeyboardInterrupt:
            pass
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

    def say(self, state: str) -> None:
        """Shows the relay's state, beside what it is about."""
        with self._lock:
            self._state = state
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
                print(line, flush=True)
            self._left -= 1
            if self._left == 0:
                self.done.set()

    def _draw(self) -> None:
        columns, rows = os.get_terminal_size()
        width = min(max((len(topic) for topic in self._values), default=0), columns * 2 // 3)
        lines = [f"{topic:<{width}}  {payload}" for topic, payload in sorted(self._values.items())]
        lines = [self._state, *lines[: rows - 2]]
        # What terminals would take for orders is shown as such.
        shown = ("".join(c if c.isprintable() else "?" for c in line)[:columns] for line in lines)
        print("\033[H" + "\n".join(line + "\033[K" for line in shown) + "\033[J", end="", flush=True)

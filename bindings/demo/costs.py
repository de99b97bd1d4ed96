# SPDX-License-Identifier: MIT
"""What the same work costs here and with those peers that happen to be there."""

from __future__ import annotations

import importlib
import pathlib
import subprocess
import time
from typing import Any, Callable

from swiftobserver import Messenger

HANDLERS = 10


def nanoseconds(work: Callable[[], object], count: int) -> float:
    """Of one call: the best of several rounds, in time of the processor."""
    rounds = []
    for _ in range(7):
        begun = time.thread_time_ns()
        for _ in range(count):
            work()
        rounds.append((time.thread_time_ns() - begun) / count)
    return min(rounds)


def row(name: str, send: Callable[[], object], begin_and_end: Callable[[], object]) -> tuple[str, float, float]:
    return name, nanoseconds(send, 5000) / HANDLERS, nanoseconds(begin_and_end, 2000)


def handlers(
    make: Callable[[], Callable[..., None]] = lambda: lambda number: None,
) -> list[Callable[..., None]]:
    """Different ones, and one more to begin and end with."""
    return [make() for _ in range(HANDLERS + 1)]


def bare_loop() -> tuple[str, float, float]:
    *called, extra = handlers()

    def send() -> None:
        for handler in called:
            handler(1)

    def begin_and_end() -> None:
        called.append(extra)
        called.pop()

    return row("a bare loop over functions", send, begin_and_end)


def swiftobserver() -> tuple[str, float, float]:
    messenger: Messenger[int] = Messenger()
    *called, extra = handlers()
    for handler in called:
        messenger.observe(handler)
    return row(
        "SwiftObserver, Python",
        lambda: messenger.send(1),
        lambda: messenger.observe(extra).stop(),
    )


def psygnal() -> tuple[str, float, float]:
    module: Any = importlib.import_module("psygnal")

    class Sender:
        sent = module.Signal(int)

    sender: Any = Sender()
    *called, extra = handlers()
    for handler in called:
        sender.sent.connect(handler)

    def begin_and_end() -> None:
        sender.sent.connect(extra)
        sender.sent.disconnect(extra)

    return row("psygnal", lambda: sender.sent.emit(1), begin_and_end)


def blinker() -> tuple[str, float, float]:
    module: Any = importlib.import_module("blinker")
    signal = module.Signal()
    *called, extra = handlers(lambda: lambda number, **names: None)
    for handler in called:
        signal.connect(handler)

    def begin_and_end() -> None:
        signal.connect(extra)
        signal.disconnect(extra)

    return row("blinker", lambda: signal.send(1), begin_and_end)


def measured_in_c(program: pathlib.Path) -> list[tuple[str, float, float]]:
    if not program.exists():
        return []
    said = subprocess.run([str(program)], stdout=subprocess.PIPE, text=True, check=False).stdout
    return [(name, float(one), float(other)) for name, one, other in (line.split("\t") for line in said.splitlines())]


def measured_in_python() -> list[tuple[str, float, float]]:
    rows = [bare_loop(), swiftobserver()]
    for peer in (psygnal, blinker):
        try:
            rows.append(peer())
        except ImportError:
            continue
    return rows


def print_costs(program: pathlib.Path) -> None:
    print(f"   {'in nanoseconds':<32} {'a message, for each':>20} {'to begin and to end':>20}")
    print(
        f"   {'':<32} {f'of {HANDLERS} handlers':>20} {'an observation':>20}",
        flush=True,
    )
    tables = [measured_in_c(program), measured_in_python()]
    for table in filter(None, tables):
        print("   " + "─" * 74)
        for name, delivering, beginning in table:
            print(f"   {name:<32} {delivering:>20.1f} {beginning:>20.0f}", flush=True)
    if all(len(table) <= 2 for table in tables):
        print("\n   Peers are measured where they are installed: GLib, Boost, libsigc++; psygnal, blinker.")

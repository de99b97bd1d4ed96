#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows in ten seconds what the library does: `make demo`.

Usage: demo.py FOLDER, where in_c.so is, and, if they could be built, in_swift.so and costs. It draws into it, too.
"""

from __future__ import annotations

import ctypes
import io
import pathlib
import sys
import threading
import time
from typing import Any, Callable, Optional

from costs import print_costs
from drawing import drawn
from swiftobserver import Messenger, Var, graph

LIVE = sys.stdout.isatty()
THREADS, PYTHON, HANDLER = 3, 3, 4
SENDER = 1_000_000_000


def bold(text: str) -> str:
    return f"\033[1m{text}\033[0m" if LIVE else text


def title(number: int, sentence: str) -> None:
    print(f"\n{bold(f'{number}. {sentence}')}\n", flush=True)


def pause(seconds: float) -> None:
    """For people. A file does not need it."""
    if LIVE:
        time.sleep(seconds)


# ------------------------------------------------------------------------------------- 1: order


def read_by(in_c: ctypes.CDLL) -> str:
    """The latest messages of the two observers, newest last."""

    def newest(is_last: int) -> str:
        numbers = [in_c.demo_recent(is_last, back) for back in reversed(range(5))]
        return "  ".join(f"{'ABCPH'[number // SENDER]}{number % SENDER}" for number in numbers if number >= 0)

    rest = "\033[K" if LIVE else ""
    return f"   the first observer has just read  {newest(0)}{rest}\n   the last observer has just read   {newest(1)}"


def counts(in_c: ctypes.CDLL) -> str:
    names = [
        "thread A, in C",
        "thread B, in C",
        "thread C, in C",
        "thread P, in Python",
        "handler H, while it is called",
    ]
    received = [in_c.demo_received(sender) for sender in range(5)]
    full = max(1, *received)
    return "\n".join(
        f"   {name:<30} {'█' * max(1, 24 * number // full):<24} {number:>12,}" for name, number in zip(names, received)
    )


def keep_order(in_c: ctypes.CDLL, seconds: float) -> bool:
    title(
        1,
        "Four threads send, and so does a handler. All observers read one order, and nothing is lost.",
    )
    messenger: Messenger[int] = Messenger.adopt(in_c.demo_begin(THREADS))
    end = time.monotonic() + seconds
    sent = 0

    def send_from_python() -> None:
        nonlocal sent
        while time.monotonic() < end:
            messenger.send(PYTHON * SENDER + sent + 1)
            sent += 1

    thread = threading.Thread(target=send_from_python)
    thread.start()
    while thread.is_alive():
        if LIVE:
            print(f"{counts(in_c)}\n{read_by(in_c)}\033[K\033[6A", end="\r", flush=True)
        thread.join(0.1)
    in_c.demo_end(THREADS)
    total = sent + sum(in_c.demo_sent(sender) for sender in (0, 1, 2, HANDLER))
    lost = total - in_c.demo_count(1)
    disorder = in_c.demo_disorder(0) + in_c.demo_disorder(1)
    same = in_c.demo_order(0) == in_c.demo_order(1)
    print(f"{counts(in_c)}\n{read_by(in_c)}\033[K" if LIVE else f"{counts(in_c)}\n{read_by(in_c)}")
    print(f"\n   {total:,} messages sent, {lost} lost, {disorder} out of their sender's order;")
    print(f"   the first and the last observer read {'the same order throughout' if same else 'DIFFERENT orders'}.")
    return lost == 0 and disorder == 0 and same


# -------------------------------------------------------------------------------------- 2: stop


def stop_in_the_middle() -> bool:
    title(
        2,
        "Stop means stop, in the middle of a delivery; and what a handler sends waits for its turn.",
    )
    news: Messenger[str] = Messenger()
    heard: list[str] = []

    def reader(name: str, act: Optional[Callable[[str], object]] = None) -> Any:
        def read(message: str) -> None:
            heard.append(f"{name} {message}")
            print(f"   {name:<4} reads {message!r}", end="", flush=True)
            pause(0.25)
            if act is not None:
                act(message)
            print(flush=True)

        return news.observe(read)

    def ann(message: str) -> None:
        if message == "one":
            print(", and sends 'two' at once", end="")
            news.send("two")

    def bob(message: str) -> None:
        if message == "one":
            print(", and stops Dan, who was to be next but one", end="")
            dans.stop()

    readers = [reader("Ann", ann), reader("Bob", bob), reader("Cat")]
    dans = reader("Dan")
    readers.append(reader("Eve"))
    news.send("one")
    return heard == [f"{name} {message}" for message in ("one", "two") for name in ("Ann", "Bob", "Cat", "Eve")]


# ------------------------------------------------------------------------------------- 3: graph


shown: list[str] = []


def display(text: str) -> None:
    shown.append(text)


def log(degrees: float) -> None:
    pass


def draw_a_graph(folder: pathlib.Path) -> bool:
    title(3, "What is made from what, and who observes it, can be looked at.")
    celsius = Var(20.0, name="celsius")
    values = celsius.new()
    hot, rising = values.filter(lambda degrees: degrees >= 30), values.skip_repeats()
    texts = hot.map(lambda degrees: f"{degrees * 9 / 5 + 32:.0f} °F")
    hot.name, texts.name = "hot", "fahrenheit"
    kept = [texts.observe(display), hot.observe(log), rising.observe(log)]
    for degrees in (25.0, 30.0, 40.0):
        celsius.value = degrees
    picture = graph(texts)
    print(drawn(picture))
    files = [folder / "graph.dot"]
    files[0].write_text(picture.dot, encoding="utf-8")
    html = picture._repr_html_()
    if html.startswith("<svg"):
        files.append(folder / "graph.svg")
        files[1].write_text(html, encoding="utf-8")
    print("\n   The same as a file: " + ", ".join(str(file) for file in files))
    for each in kept:
        each.stop()
    pause(1)
    return shown == ["86 °F", "104 °F"]


# --------------------------------------------------------------------------------- 4: languages


def share_a_variable(in_c: ctypes.CDLL, in_swift: Optional[ctypes.CDLL]) -> bool:
    languages = "C, Python and Swift" if in_swift else "C and Python"
    title(
        4,
        f"{languages} observe one variable, in this one process, in the order in which they began.",
    )
    address = in_c.demo_variable()
    variable: Var[float] = Var.adopt(address)
    heard: list[float] = []

    def hear(update: Any) -> None:
        heard.append(update.new)
        print(f"  Python hears {update.new:g}", end="", flush=True)

    observation = variable.observe(hear)
    setters: list[tuple[str, Callable[[float], object]]] = [
        ("C", lambda number: in_c.demo_set_in_c(address, number)),
        ("Python", lambda number: setattr(variable, "value", number)),
    ]
    if in_swift:
        in_swift.demo_observe_in_swift(address)
        setters.append(("Swift", lambda number: in_swift.demo_set_in_swift(address, number)))
    for number in range(1, 7):
        name, set_value = setters[(number - 1) % len(setters)]
        print(f"   {name:<6} sets {number}:", end="", flush=True)
        set_value(float(number))
        print(flush=True)
        pause(0.3)
    observation.stop()
    if not in_swift:
        print("\n   (Swift would be beside them, but its part could not be built.)")
    return heard == [1, 2, 3, 4, 5, 6]


def loaded(file: pathlib.Path) -> Optional[ctypes.CDLL]:
    if not file.exists():
        return None
    library = ctypes.CDLL(str(file))
    for name, result in (
        ("begin", ctypes.c_void_p),
        ("variable", ctypes.c_void_p),
        ("order", ctypes.c_uint64),
    ):
        if hasattr(library, f"demo_{name}"):
            getattr(library, f"demo_{name}").restype = result
    for name in ("count", "disorder", "recent", "received", "sent"):
        if hasattr(library, f"demo_{name}"):
            getattr(library, f"demo_{name}").restype = ctypes.c_int64
    for language in ("c", "swift"):
        if hasattr(library, f"demo_set_in_{language}"):
            getattr(library, f"demo_set_in_{language}").argtypes = [
                ctypes.c_void_p,
                ctypes.c_double,
            ]
    if hasattr(library, "demo_observe_in_swift"):
        library.demo_observe_in_swift.argtypes = [ctypes.c_void_p]
    return library


def main(folder: pathlib.Path) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may know no boxes
    in_c, in_swift = loaded(folder / "in_c.so"), loaded(folder / "in_swift.so")
    if in_c is None:
        print(f"demo: there is no {folder / 'in_c.so'}; run make demo", file=sys.stderr)
        return 2
    print("SwiftObserver, live: what is shown is counted and compared while it runs.")
    kept = [
        keep_order(in_c, 3 if LIVE else 1),
        stop_in_the_middle(),
        draw_a_graph(folder),
    ]
    kept.append(share_a_variable(in_c, in_swift))
    title(5, "What it costs, here and now.")
    print_costs(folder / "costs")
    if not all(kept):
        print("\nSomething above was not as promised.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

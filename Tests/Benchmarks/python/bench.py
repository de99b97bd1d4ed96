# SPDX-License-Identifier: MIT
"""What an observation costs in Python, beside a plain loop and other libraries in the same run.

    python bench.py [--json FILE]

Those of requirements.txt that are installed take part; swiftobserver has to be importable. A second thread is parked
meanwhile. The contestants take turns; each figure is the median of the turns. Read the ratios: the
nanoseconds drift with the machine. At the end stands which bars are met (bars.py). Takes less than a minute.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import perf_counter_ns

import bars
from contestants import BASELINE, CONTESTANTS, LOADING, Owner

SIZES = (1, 10, 100, 1000)
TURNS = 9
OBSERVATIONS = 10_000
DELIVERIES = 1_000_000
COMPILED = tempfile.TemporaryDirectory()


def handler():
    """A new function each time: blinker knows a function only once."""
    return lambda message: None


def interleaved(measurements):
    """Medians of measurements that take turns, so that a change of pace of the machine meets all of them."""
    results = {name: [] for name in measurements}
    for turn in range(TURNS + 1):
        for name, measure in measurements.items():
            result = measure()
            if turn:
                results[name].append(result)
    return {name: statistics.median(each) for name, each in results.items()}


def timed(operation, times):
    """Nanoseconds for one of `times` operations."""
    repeats = range(times)
    gc.disable()
    start = perf_counter_ns()
    for _ in repeats:
        operation()
    elapsed = perf_counter_ns() - start
    gc.enable()
    return elapsed / times


def delivering(size):
    def measure(contestant):
        for _ in range(size):
            contestant.observe(handler())
        send = contestant.send
        return lambda: timed(lambda: send(1), max(20, 20_000 // size)) / size

    return interleaved({name: measure(make()) for name, make in CONTESTANTS.items() if hasattr(make(), "send")})


def delivering_to_weak_methods(size):
    owners = [Owner() for _ in range(size)]

    def measure(contestant):
        for owner in owners:
            contestant.observe_weakly(owner.handle)
        send = contestant.send
        return lambda: timed(lambda: send(1), max(20, 20_000 // size)) / size

    return interleaved(
        {name: measure(make()) for name, make in CONTESTANTS.items() if hasattr(make(), "observe_weakly")}
    )


def observing(others):
    def measure(contestant):
        for _ in range(others):
            contestant.observe(handler())
        newcomer = handler()
        return lambda: timed(lambda: contestant.observe_and_stop(newcomer), 300)

    return interleaved({name: measure(make()) for name, make in CONTESTANTS.items()})


def setting():
    def measure(contestant):
        contestant.observe(handler())
        numbers = iter(range(1 << 62))
        return lambda: timed(lambda: contestant.set(next(numbers)), 10_000)

    return interleaved({name: measure(make()) for name, make in CONTESTANTS.items() if hasattr(make(), "set")})


def growing():
    """Bytes of resident memory that a million deliveries leave."""
    return {name: in_a_process("--growth-of", name) for name, make in CONTESTANTS.items() if hasattr(make(), "send")}


def growth_here(name):
    contestant = CONTESTANTS[name]()
    for _ in range(100):
        contestant.observe(handler())

    def deliver(count):
        for number in range(count // 100):
            contestant.send(number)

    deliver(DELIVERIES // 10)
    gc.collect()
    before = resident_bytes()
    deliver(DELIVERIES)
    gc.collect()
    return resident_bytes() - before


def resident_bytes():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def bytes_here(name):
    """Bytes of resident memory for each observation: Python's own accounting would not see what C allocates."""
    contestant = CONTESTANTS[name]()
    handlers = [handler() for _ in range(OBSERVATIONS)]
    for _ in range(10):
        contestant.observe(handler())
    gc.collect()
    before = resident_bytes()
    for each in handlers:
        contestant.observe(each)
    return (resident_bytes() - before) / OBSERVATIONS


def in_a_process(*arguments):
    """Runs this script again, for a figure that only a fresh process can give."""
    # Modules are compiled once, as they are where they are installed.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    variables["PYTHONPYCACHEPREFIX"] = COMPILED.name
    command = [sys.executable, __file__, *arguments]
    return float(subprocess.run(command, check=True, capture_output=True, text=True, env=variables).stdout)


def memory():
    return interleaved({name: lambda name=name: in_a_process("--bytes-of", name) for name in CONTESTANTS})


def loading():
    """Milliseconds for an import in a fresh process, as the process counts them."""
    return interleaved({name: lambda name=name: in_a_process("--loading-of", name) for name in CONTESTANTS})


def loading_here(name):
    start = perf_counter_ns()
    __import__(LOADING[name])
    return (perf_counter_ns() - start) / 1e6


def row(figures):
    baseline = figures[BASELINE]
    # Of the loop's own memory so few bytes may be new that no page is.
    cells = [
        f"{figures[name]:.0f}" + (f" ({figures[name] / baseline:.1f}x)" if baseline else "") if name in figures else ""
        for name in CONTESTANTS
    ]
    return "".join(f"{cell:>18}" for cell in cells)


def run():
    parked = threading.Event()
    thread = threading.Thread(target=parked.wait)
    thread.start()
    results = {}
    print(f"Python {platform.python_version()}:".ljust(34) + "".join(f"{name:>18}" for name in CONTESTANTS))
    try:
        for title, measure in {
            **{bars.DELIVERING.format(size): lambda size=size: delivering(size) for size in SIZES},
            bars.WEAK: lambda: delivering_to_weak_methods(100),
            bars.OBSERVING.format(0): lambda: observing(0),
            bars.OBSERVING.format(1000): lambda: observing(1000),
            bars.SETTING: setting,
            bars.MEMORY: memory,
            bars.GROWTH: growing,
            bars.LOADING: loading,
        }.items():
            results[title] = measure()
            print(f"{title:<34}" + row(results[title]), flush=True)
    finally:
        parked.set()
        thread.join()
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, help="where to write the figures")
    parser.add_argument("--bytes-of", choices=CONTESTANTS, help=argparse.SUPPRESS)
    parser.add_argument("--growth-of", choices=CONTESTANTS, help=argparse.SUPPRESS)
    parser.add_argument("--loading-of", choices=LOADING, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.bytes_of:
        print(bytes_here(options.bytes_of))
    elif options.growth_of:
        print(growth_here(options.growth_of))
    elif options.loading_of:
        print(loading_here(options.loading_of))
    else:
        results = run()
        print(bars.judge(results))
        if options.json:
            versions = {"python": platform.python_version(), "machine": platform.machine()}
            options.json.parent.mkdir(parents=True, exist_ok=True)
            options.json.write_text(
                json.dumps({**versions, "baseline": BASELINE, "results": results, "bars": bars.met(results)}, indent=2)
                + "\n"
            )


if __name__ == "__main__":
    main()

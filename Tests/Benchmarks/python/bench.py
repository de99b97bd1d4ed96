# SPDX-License-Identifier: MIT
"""What an observation costs in Python, beside a plain loop and those other libraries that are installed.

    python bench.py               times, of contestants that take turns
    python bench.py --growth      times by how many observers there are
    python bench.py --processes   what only a fresh process can tell: memory, and how long an import takes

Prints a JSON object a line, as the benchmarks in C do. BENCH_SLICE is how many microseconds a repeat takes. A second
thread is parked meanwhile.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import perf_counter_ns

from contestants import BASELINE, CONTESTANTS, LOADING, Owner

SIZES = (1, 10, 100, 1000)
TURNS = 7
OBSERVATIONS = 10_000
DELIVERIES = 1_000_000
SLICE = float(os.environ.get("BENCH_SLICE") or 8000) * 1000


def handler():
    """A new function each time: blinker knows a function only once."""
    return lambda message: None


def report(measure, subject, size, value, unit):
    print(json.dumps({"measure": measure, "subject": subject, "size": size, "value": value, "unit": unit}), flush=True)


def contestants(able):
    """New ones of those that can do something."""
    made = {name: kind() for name, kind in CONTESTANTS.items()}
    return {name: one for name, one in made.items() if hasattr(one, able)}


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


def fitting(operation):
    """How often an operation can be done in a slice."""
    times = 1
    # What happens only once is in one of the two.
    while (each := min(timed(operation, times), timed(operation, times))) * times < SLICE / 4:
        times *= 2
    return max(1, int(SLICE / each))


def report_interleaved(measure, size, operations, divisor=1):
    """Medians of operations that take turns, so that a change of pace of the machine meets all of them."""
    counts = {name: fitting(operation) for name, operation in operations.items()}
    results = {name: [] for name in operations}
    for _ in range(TURNS):
        for name, operation in operations.items():
            results[name].append(timed(operation, counts[name]))
    for name, each in results.items():
        report(measure, name, size, statistics.median(each) / divisor, "ns")


def sending(contestant):
    send = contestant.send
    return lambda: send(1)


def report_delivery(measure, size, names=None):
    scene = {name: one for name, one in contestants("send").items() if names is None or name in names}
    for one in scene.values():
        for _ in range(size):
            one.observe(handler())
    report_interleaved(measure, size, {name: sending(one) for name, one in scene.items()}, size)


def report_delivery_to_weak_methods(size):
    owners = [Owner() for _ in range(size)]
    scene = contestants("observe_weakly")
    for one in scene.values():
        for owner in owners:
            one.observe_weakly(owner.handle)
    operations = {name: sending(one) for name, one in scene.items()}
    report_interleaved("Python, delivery to weak methods", size, operations, size)


def report_observing(measure, others, names=None):
    scene = {name: one for name, one in contestants("observe_and_stop").items() if names is None or name in names}
    newcomer = handler()

    def beginning(one):
        for _ in range(others):
            one.observe(handler())
        return lambda: one.observe_and_stop(newcomer)

    report_interleaved(measure, others, {name: beginning(one) for name, one in scene.items()})


def report_setting():
    def setting(one):
        one.observe(handler())
        numbers = iter(range(1 << 62))
        return lambda: one.set(next(numbers))

    operations = {name: setting(one) for name, one in contestants("set").items()}
    report_interleaved("Python, set a variable with one observer", 1, operations)


def report_times():
    for size in SIZES:
        report_delivery("Python, delivery", size)
    report_delivery_to_weak_methods(100)
    for others in (0, 1000):
        report_observing("Python, observe + stop", others)
    report_setting()


def report_growth():
    ours = ("swiftobserver",)
    for size in (1, 10, 100, 1000, 10_000, 100_000):
        report_delivery("Python, delivery by observers", size, (BASELINE, *ours))
        report_observing("Python, observe + stop by others of the observable", size, ours)


# -------------------------------------------------------------------------------------- processes


def resident_bytes():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def growth_here(name):
    """Bytes of resident memory that a million deliveries leave."""
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


def loading_here(name):
    start = perf_counter_ns()
    __import__(LOADING[name])
    return (perf_counter_ns() - start) / 1e6


HERE = {"bytes": bytes_here, "growth": growth_here, "loading": loading_here}


def report_processes():
    with tempfile.TemporaryDirectory() as compiled:
        # Modules are compiled once, as they are where they are installed.
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        variables["PYTHONPYCACHEPREFIX"] = compiled

        def in_a_process(figure, name):
            command = [sys.executable, __file__, "--here", figure, name]
            return float(subprocess.run(command, check=True, capture_output=True, text=True, env=variables).stdout)

        for name in CONTESTANTS:
            in_a_process("loading", name)
            report("Python, import", name, 1, in_a_process("loading", name), "ms")
        for name in CONTESTANTS:
            report("Python, memory of an observation", name, OBSERVATIONS, in_a_process("bytes", name), "bytes")
        for name in contestants("send"):
            value = in_a_process("growth", name)
            report("Python, memory left by a million deliveries", name, 100, value, "bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--processes", action="store_true")
    parser.add_argument("--here", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        figure, name = options.here
        return print(HERE[figure](name))
    parked = threading.Event()
    thread = threading.Thread(target=parked.wait)
    thread.start()
    try:
        if options.growth:
            report_growth()
        elif options.processes:
            report_processes()
        else:
            report_times()
    finally:
        parked.set()
        thread.join()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Shows how busy the machine is, whenever what is to be shown has changed."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, NoReturn, Optional

from swiftobserver import Observable, Observer, Update, Var

Sample = Any


# ---- what is read. ValueError: it is not what was expected.


def number(word: bytes) -> int:
    if not re.fullmatch(rb"[0-9]+", word):
        raise ValueError
    return fitting(int(word.lstrip(b"0")[:30] or b"0"))


def fitting(number: int) -> int:
    if number >= 2**64:
        raise ValueError
    return number


def words_of(line: bytes) -> list[bytes]:
    return re.findall(rb"[^ \t]+", line)


def read_cpu(text: bytes) -> tuple[int, int]:
    line = text.split(b"\n", 1)[0]
    words = words_of(line)
    if len(words) < 5 or not line.startswith((b"cpu ", b"cpu\t")):
        raise ValueError
    times = [number(word) for word in words[1:]]
    total = fitting(sum(times[:8]))
    return total - sum(times[3:5]), total


def read_memory(text: bytes) -> tuple[int, int]:
    amounts: dict[bytes, int] = {}
    for line in text.split(b"\n"):
        for name in (b"MemTotal:", b"MemAvailable:"):
            if line.startswith(name) and name not in amounts:
                amounts[name] = number(b"".join(words_of(line[len(name) :])[:1]))
    total, available = amounts.get(b"MemTotal:", 0), amounts.get(b"MemAvailable:")
    if total == 0 or available is None or available > total:
        raise ValueError
    return available, total


def read_load(text: bytes) -> float:
    word = b"".join(words_of(text.split(b"\n", 1)[0])[:1])
    if not re.fullmatch(rb"[0-9]+(\.[0-9]+)?", word):
        raise ValueError
    return float(word)


def read_network(text: bytes) -> int:
    lines = text.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if len(lines) < 2:
        raise ValueError
    moved = 0
    for line in lines[2:]:
        name, colon, rest = line.rpartition(b":")
        counts = [number(word) for word in words_of(rest)]
        if not colon or len(counts) != 16:
            raise ValueError
        if name.strip(b" \t") != b"lo":
            moved = fitting(moved + counts[0] + counts[8])
    return moved


# ---- what is shown


def write_cpu(sample: Sample, before: Optional[Sample], interval: int) -> str:
    busy, total = (now - then for now, then in zip(sample, before or (0, 0)))
    return f"{100.0 * busy / total if total > 0 else 0.0:.1f} %"


def write_memory(sample: Sample, before: Optional[Sample], interval: int) -> str:
    available, total = sample
    return f"{100.0 * (total - available) / total:.1f} %"


def write_load(sample: Sample, before: Optional[Sample], interval: int) -> str:
    return f"{sample:.2f}"


def write_network(sample: Sample, before: Optional[Sample], interval: int) -> str:
    moved = 0 if before is None else max(0, sample - before)
    return f"{moved / interval:.1f} kB/s"


# ---- how it gets from one to the other


@dataclass
class Source:
    """variable(sample) -> new -> map to a text -> filter: differs from the text before -> printed"""

    name: str
    file: str
    expected: str
    read: Callable[[bytes], Sample]
    write: Callable[[Sample, Optional[Sample], int], str]
    sample: Var[Sample] = field(default_factory=lambda: Var(None))
    texts: Optional[Observable[str]] = None
    failed: bool = False
    sent: int = 0
    delivered: int = 0
    filtered: int = 0
    last: str = "-"

    def show(self, observer: Observer, interval: int) -> None:
        sample_before: Optional[Sample] = None
        text_before: Optional[str] = None

        def text(sample: Sample) -> str:
            nonlocal sample_before
            before, sample_before = sample_before, sample
            return self.write(sample, before, interval)

        def differs(text: str) -> bool:
            nonlocal text_before
            before, text_before = text_before, text
            self.filtered += text == before
            return text != before

        def count(update: Update[Sample]) -> None:
            self.sent += 1

        def show(text: str) -> None:
            self.delivered += 1
            self.last = text
            print(f"{self.name:<8} {text}")

        observer.observe(self.sample, count)
        self.texts = self.sample.new().map(text).filter(differs)
        observer.observe(self.texts, show)

    def take(self, folder: str) -> None:
        path = f"{folder}/{self.file}"
        try:
            with open(path, "rb") as file:
                text = file.read()
            if b"\0" in text:
                raise ValueError
            self.sample.value = self.read(text)
        except OSError as error:
            self.fail(f"{path}: cannot be read: {os.strerror(error.errno or 0)}")
        except ValueError:
            self.fail(f"{path}: malformed: {self.expected}")

    def fail(self, reason: str) -> None:
        self.failed = True
        print(f"vitals: {reason}", file=sys.stderr)


def readings(folder: str, count: int, interval: int) -> Iterator[str]:
    """The folders to read, each at its time."""
    if os.path.isdir(f"{folder}/1") and not os.path.exists(f"{folder}/stat"):
        number = 1
        while os.path.isdir(f"{folder}/{number}"):
            yield f"{folder}/{number}"
            number += 1
        return
    start = time.monotonic()
    for index in range(count):
        time.sleep(max(0.0, start + index * interval / 1000 - time.monotonic()))
        yield folder


# ---- the command


def refuse(reason: str) -> NoReturn:
    print(f"vitals: {reason}", file=sys.stderr)
    sys.exit(2)


def milliseconds(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,50}", text, re.ASCII) or not 0 < int(text) < 2**31:
        refuse(f'--interval wants a positive number of milliseconds, not "{text}"')
    return int(text)


def seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text, re.ASCII) or not 0 < float(text) < 1e12:
        refuse(f'--seconds wants a positive number of seconds, not "{text}"')
    return float(text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="vitals", description=__doc__, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--interval", metavar="MILLISECONDS", default="250", help="between two readings, default 250")
    parser.add_argument("--seconds", metavar="SECONDS", default="3", help="how long to go on, default 3")
    parser.add_argument("--proc", metavar="DIR", default="/proc", help="the folder to read, default /proc")
    try:
        options, rest = parser.parse_known_args()
    except argparse.ArgumentError as error:
        refuse(f'a value is missing after "{error.argument_name}"')
    if rest:
        refuse(f'unknown option "{rest[0]}"' if rest[0].startswith("-") else f'unexpected argument "{rest[0]}"')
    options.interval = milliseconds(options.interval)
    options.seconds = seconds(options.seconds)
    return options


def main() -> int:
    options = arguments()
    sources = [
        Source("cpu", "stat", 'expected "cpu" and at least four numbers', read_cpu, write_cpu),
        Source("memory", "meminfo", "expected MemTotal and MemAvailable", read_memory, write_memory),
        Source("load", "loadavg", "expected a load average", read_load, write_load),
        Source("network", "net/dev", "expected 16 numbers after each interface", read_network, write_network),
    ]
    count = max(1, math.floor(options.seconds * 1000 / options.interval) + 1)
    with Observer() as observer:
        for source in sources:
            source.show(observer, options.interval)
        for folder in readings(options.proc, count, options.interval):
            for source in sources:
                if not source.failed:
                    source.take(folder)
            sys.stdout.flush()

    print()
    print(f"{'source':<8} {'sent':>6} {'delivered':>10} {'filtered':>9}  last")
    for source in sources:
        print(f"{source.name:<8} {source.sent:6d} {source.delivered:10d} {source.filtered:9d}  {source.last}")
    return 2 if any(source.failed for source in sources) else 0


if __name__ == "__main__":
    sys.exit(main())

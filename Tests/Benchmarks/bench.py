#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures SwiftObserver beside its peers: all languages, in one run, in turn.

Usage: bench.py [--quick] [--only PART ...] [--rounds N] [--minutes N] [--slice MICROSECONDS]
                [--seed N] [--as-is] [--output FOLDER]

Writes results.json, rows.csv, results.md and the plots. Each program runs as a process of its own in each round, since
where its memory lies makes a part of its speed. Each round runs the programs in another order, and all but the first
one run with a library whose objects were linked in another order. What is missing or fails is a line in the results,
and ends nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import time
from typing import Optional

import bars
import machine
from peers import PEERS, requirements
from programs import HERE, ROOT, Program, all_programs
from results import Results, as_csv

NEED = str(ROOT / "Tests/TestSupport/need.sh")


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.output = pathlib.Path(options.output).resolve()
        self.output.mkdir(parents=True, exist_ok=True)
        self.begun = time.monotonic()
        self.rows: list[dict] = []
        self.absent: dict[str, str] = {}
        self.rounds = 0
        self.longest_round = 0.0
        self.shuffle = random.Random(options.seed).shuffle
        self.environment = {
            **os.environ,
            "BENCH_SLICE": str(options.slice),
            "PYTHONPATH": str(ROOT / "bindings/python/src"),
            "SWIFTOBSERVER_LIBRARY": str(ROOT / f"build/{options.runtime}/libswiftobserver.so"),
        }

    def run(self) -> None:
        print(
            "Measures beside the peers that are here or can be installed, "
            f"in {self.options.minutes:g} minutes at most, after it has built the programs.",
            flush=True,
        )
        self.machine = machine.described()
        for name, value in self.machine.items():
            print(f"  {name + ':':<16}{value}")
        self.prepare_peers()
        programs = self.built(self.programs())
        places = {program.name: place for place, program in enumerate(programs)}
        for number in range(1, self.options.rounds + 1):
            if number > 1 and self.elapsed() + self.longest_round > self.options.minutes * 60:
                print(f"  no time for round {number}")
                break
            self.shuffle(programs)
            self.go_round(number, programs)
        # As if they had been run in one order: tables compare with what is said first.
        self.rows.sort(key=lambda row: (row["round"], places[row["program"]]))
        self.write()

    def programs(self) -> list[Program]:
        more = [Program(words.split()[0], words.split()) for words in self.options.add]
        programs = [*all_programs(self.options.runtime, self.python), *more]
        only = self.options.only
        return [one for one in programs if not only or any(part.lower() in one.name.lower() for part in only)]

    def elapsed(self) -> float:
        return time.monotonic() - self.begun

    # -------------------------------------------------------------------------- preparing

    def prepare_peers(self) -> None:
        if self.options.as_is:
            self.python = pathlib.Path(sys.executable)
        else:
            for package in ("g++", "pkg-config", *(peer.debian for peer in PEERS if peer.debian)):
                self.attempt(package, [NEED, package], 300)
            self.python = self.prepared_python()
        self.versions = {}
        for peer in PEERS:
            try:
                found = peer.find(self.python)
                differs = not found.startswith(peer.fixed)
                self.versions[peer.name] = found + (f" (published figures: {peer.fixed})" if differs else "")
            except (OSError, subprocess.SubprocessError, TypeError) as error:
                self.versions[peer.name] = "not installed"
                self.absent.setdefault(peer.name, f"not installed: {reason(error)}")
            print(f"  {peer.name + ':':<16}{self.versions[peer.name]}")

    def prepared_python(self) -> pathlib.Path:
        """A Python of the benchmark's own, with those peers that can be installed."""
        if self.options.python:
            return pathlib.Path(self.options.python)
        folder = ROOT / "build/bench/python"
        if not (folder / "bin/python").exists():
            self.attempt("venv", [NEED, "python3-venv"], 300)
            if not self.attempt("venv", [sys.executable, "-m", "venv", str(folder)], 300):
                return pathlib.Path(sys.executable)
        python = folder / "bin/python"
        wanted = requirements()
        kept = folder / "installed"
        if not kept.exists() or kept.read_text(encoding="utf-8") != "\n".join(wanted):
            # One by one, because what cannot be had for one Python is no reason to have none.
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            each = [self.attempt(line.split(";")[0], [*pip, line], 300) for line in wanted]
            if all(each):
                kept.write_text("\n".join(wanted), encoding="utf-8")
        return python

    def attempt(self, name: str, command: list[str], seconds: float) -> bool:
        """Whether a command succeeded. If not, why is noted."""
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds, cwd=ROOT)
            return True
        except (OSError, subprocess.SubprocessError) as error:
            self.fail(name, f"not installed: {reason(error)}")
            return False

    def fail(self, name: str, why: str) -> None:
        self.absent[name] = why
        print(f"  {name}: {why}")

    def built(self, programs: list[Program]) -> list[Program]:
        done: dict[str, bool] = {}
        ready = []
        for program in programs:
            key = str(program.build)
            if key not in done:
                done[key] = self.build(program)
            if done[key]:
                ready.append(program)
        return ready

    def build(self, program: Program) -> bool:
        if not program.build:
            return True
        if self.options.quick and program.is_slow_to_build and not (ROOT / program.command[0]).exists():
            self.fail(program.name, "not built yet, which takes minutes: make bench")
            return False
        print(f"  building {program.name}", end=" ", flush=True)
        begun = time.monotonic()
        for ways in (program.build, program.otherwise):
            for command in ways:
                try:
                    subprocess.run(command, check=True, capture_output=True, text=True, timeout=900, cwd=ROOT)
                    print(f"{time.monotonic() - begun:.0f} s")
                    if ways is program.otherwise:
                        self.fail("OpenCombine", "not installed: the Swift benchmark builds only without it")
                    return True
                except (OSError, subprocess.SubprocessError) as error:
                    why = reason(error)
        print()
        self.fail(program.name, f"not built: {why}")
        return False

    # -------------------------------------------------------------------------- measuring

    def go_round(self, number: int, programs: list[Program]) -> None:
        begun = time.monotonic()
        self.build_number = self.link(number)
        for program in programs:
            if (number - 1) % program.every == 0 and program.name not in self.absent:
                print(f"  round {number} of {self.options.rounds}: {program.name}", end=" ", flush=True)
                at = time.monotonic()
                self.measure(number, program)
                print(f"{time.monotonic() - at:.1f} s")
        self.rounds = number
        self.longest_round = max(self.longest_round, time.monotonic() - begun)

    def link(self, number: int) -> int:
        """Has the programs of a round load a library that was linked in an order of its own; says which."""
        folder = ROOT / f"build/{self.options.runtime}" if number == 1 else self.linked(number)
        if folder is None:
            folder, number = ROOT / f"build/{self.options.runtime}", 1
        self.environment["LD_LIBRARY_PATH"] = str(folder)
        self.environment["SWIFTOBSERVER_LIBRARY"] = str(folder / "libswiftobserver.so.0")
        return number

    def linked(self, number: int) -> Optional[pathlib.Path]:
        folder = f"build/{self.options.runtime}/link-orders/{number}"
        make = ["make", "--no-print-directory", f"{folder}/libswiftobserver.so.0", f"RUNTIME={self.options.runtime}"]
        return ROOT / folder if self.attempt(f"link order {number}", make, 300) else None

    def measure(self, number: int, program: Program) -> None:
        """What a program has said before it failed counts, and it is not run again."""
        try:
            run = subprocess.run(
                program.command,
                capture_output=True,
                text=True,
                cwd=ROOT,
                env=self.environment,
                timeout=self.options.timeout,
                stdin=subprocess.DEVNULL,
            )
            said, failure = run.stdout, None
            if run.returncode:
                failure = f"exit {run.returncode}: {last_line(run.stderr)}"
        except subprocess.TimeoutExpired as error:
            out = error.stdout or b""
            said = out.decode() if isinstance(out, bytes) else out
            failure = f"not done within {self.options.timeout:g} s"
        except OSError as error:
            said, failure = "", reason(error)
        for line in said.splitlines():
            try:
                self.rows.append(
                    {"round": number, "build": self.build_number, "program": program.name, **json.loads(line)}
                )
            except (ValueError, TypeError):
                failure = failure or f"said what is no figure: {line[:80]}"
        if failure is None and not said.strip():
            failure = "said nothing"
        if failure:
            self.fail(program.name, f"failed: {failure}")

    # ---------------------------------------------------------------------------- writing

    def write(self) -> None:
        results = Results(self.rows)
        content = {
            "when": time.strftime("%Y-%m-%d"),
            "machine": self.machine,
            "peers": self.versions,
            "absent": self.absent,
            "rounds": self.rounds,
            "slice": self.options.slice,
            "seed": self.options.seed,
            "rows": self.rows,
        }
        file = self.output / "results.json"
        file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        (self.output / "rows.csv").write_text(as_csv(self.rows), encoding="utf-8")
        judged = bars.judge(results)
        (self.output / "results.md").write_text(self.markdown(results, judged), encoding="utf-8")
        plots = [str(self.python), str(HERE / "plots.py"), str(file), str(self.output)]
        self.attempt("plots", plots, 300)
        if "plots" in self.absent:
            (self.output / "results.md").write_text(self.markdown(results, judged), encoding="utf-8")
        print("\n".join(judged))
        for name, why in self.absent.items():
            print(f"{name}: {why}")
        print(f"{self.rounds} rounds, {self.elapsed() / 60:.1f} minutes: {self.output}/results.md")

    def markdown(self, results: Results, judged: list[str]) -> str:
        parts = [
            "# What it costs",
            f"Medians of {self.rounds} processes, with the lowest and the highest; in each process a figure is the "
            "median of repeats that take turns with those of the others. A second thread is parked meanwhile. "
            "“times” compares with the first row, within the same process. “unstable”: the highest is more than 1.25 "
            f"times the lowest. Each round has another order of the programs (seed {self.options.seed}), and each but "
            "the first a library linked in another order; the one inside the Swift program stays the same. rows.csv "
            "has each figure of each process.",
            "\n".join(f"- {name}: {value}" for name, value in {**self.machine, **self.versions}.items()),
        ]
        if self.absent:
            parts.append("Not measured:\n\n" + "\n".join(f"- {name}: {why}" for name, why in self.absent.items()))
        if judged:
            parts.append("## Bars\n\n" + "\n".join(f"- {line}" for line in judged))
        parts += [f"## {measure}\n\n{results.table(measure)}" for measure in results.measures]
        return "\n\n".join(parts) + "\n"


def reason(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        return last_line(error.stderr or error.stdout or "") or f"exit {error.returncode}"
    return str(error).splitlines()[0][:200]


def last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()] or lines
    return telling[-1].strip()[:200] if telling else "no word why"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="within two minutes")
    parser.add_argument("--only", nargs="*", default=[], metavar="PART", help="programs with this in their name")
    parser.add_argument("--rounds", type=int, help="how many processes of each program")
    parser.add_argument("--minutes", type=float, help="after which no round begins")
    parser.add_argument("--slice", type=int, help="microseconds of a repeat of a subject")
    parser.add_argument(
        "--seed", type=int, default=random.SystemRandom().randrange(10**6), help="of the order of programs"
    )
    parser.add_argument("--timeout", type=float, default=240, help="seconds that a program may take")
    parser.add_argument("--runtime", default="embedded", choices=("embedded", "static"))
    parser.add_argument("--python", help="a Python with the peers; without it one is made")
    parser.add_argument("--as-is", action="store_true", help="install no peers")
    parser.add_argument("--add", action="append", default=[], metavar="COMMAND", help="one more program")
    parser.add_argument("--output", default=str(ROOT / "build/bench"))
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 5)
    options.minutes = options.minutes or (1.5 if options.quick else 11)
    options.slice = options.slice or (1500 if options.quick else 8000)
    return options


if __name__ == "__main__":
    Bench(arguments()).run()

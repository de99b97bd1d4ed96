# SPDX-License-Identifier: MIT
"""Changes the engine in one place after the other, and looks which test notices.

    Tests/Mutation/mutate.py TESTS TREE [--minutes 30] [--seed 1] [--only TEXT]

One library is built that has all mutants (building.py, mutants.py); the tests of C run with it (running.py). A mutant
is tried with those tests that reach it, until one fails: first the quick ones, those that killed its neighbours before
the others; then where instructions are counted, and the orders of steps; at last the slow ones, and all in the other
ways. It survives if none does. The survivors that are known stand in survivors.md, each with the reason; others are
told of. A mutant that no test reaches is no survivor, but a line for Tests/Coverage/c.sh.

What was found stands in TREE/results, a line each, and counts in the next run: a mutant that was killed as long as its
file is the same, one that lives as long as the tests are the same, too.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import time

import building
import mutants
from running import ALONE, COUNTED, EXPLORED, EXPLORED_BIASED, EXPLORED_FENCED, FEW_IDS, Runner, Test

ROOT = building.ROOT
# Not here: what needs other programs, another process, or looks at memory or files of the library itself.
LEFT_OUT = {"surroundings_tests", "forking_tests", "no_memory_tests", "version_tests"}
# No mutants: hints to the processor and to the scheduler, what decides about them alone, what binds the compiler alone,
# which has done its work when a test runs, and assertions, which are not in a library that is optimized. Nothing that a
# program could see comes of them.
HINTS = re.compile(
    r"(defer \{ )?platform_(back_off|stand_by|pause|yield|prefetch\w*|fence_compiler)\("
    r"|.*\b(standsBack|hasStoodBack|hasCaughtUp)\b"
    r"|assert\("
)
NEIGHBOURS = 6
# The ways that are slow, in their order.
IN_ORDERS = [EXPLORED, EXPLORED_FENCED, EXPLORED_BIASED]
WAYS = [COUNTED, *IN_ORDERS, "", "biased at once", "no membarrier", "no time", FEW_IDS]
SLOW = 0.05
# With one interruption at most, which tells more than as many schedules depth first; and so many seconds of processor.
FEW_ORDERS = ["-q", "-j", "1", "-b", "1", "-l", "1000"]
# Some faults show with more interruptions alone, which depth first meets in one place and two at most in another.
MANY_ORDERS = ["-q", "-j", "1", "-l", "2000"]
TWO_INTERRUPTIONS = ["-q", "-j", "1", "-b", "2", "-l", "3000"]
EXPLORING = 20.0
# Programs of the explorer that have found mutants, beside those that show seeded faults.
TELLING = {
    "deferred variable: send / batch",
    "messenger: send with hooks / send later",
    "unordered messenger in reader slots: release in a handler / release",
}
# Where a core could come to be biased to another thread; the first takes many orders.
MANY_BIASED_ORDERS = ["-q", "-j", "1", "-b", "2", "-l", "200000"]
BIASED_PROGRAMS = {
    "explorer, biased": "messenger that may be biased to another: send / send often",
    "explorer": "variable that may be biased to another: get / send often",
}
TURNS = 3


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("tests", type=pathlib.Path, help="the folder of the programs")
    parser.add_argument("tree", type=pathlib.Path, help="where to build")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="mutants whose names have this")
    parser.add_argument("--fenced", default="", help="programs that run without membarrier(2), too")
    options = parser.parse_args()
    os.nice(19)
    # A mutant may well want all memory there is.
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    found, library = building.build(options.tree)
    found = [one for one in found if not HINTS.match(one.text)]
    hunt = Hunt(found, library, options)
    wanted = [one for one in found if options.only in one.name and hunt.is_open(one)]
    random.Random(options.seed).shuffle(wanted)
    # First all with the quick tests, because most are killed at once; then what lives with the others.
    until = time.monotonic() + options.minutes * 60
    for turn in range(TURNS):
        for one in wanted:
            if time.monotonic() < until and hunt.is_open(one) and hunt.turn_of(one) == turn:
                hunt.attempt(one)
    hunt.report()


class Hunt:
    def __init__(self, found: list[mutants.Mutant], library: pathlib.Path, options: argparse.Namespace) -> None:
        self.found = found
        # Copies: others may build meanwhile.
        copies = options.tree.absolute() / "programs"
        shutil.rmtree(copies, ignore_errors=True)
        copies.mkdir()
        for path in [
            *options.tests.glob("*_tests"),
            options.tests / "no_membarrier.so",
            options.tests.parent / "fuzz/fuzz",
            options.tests.parent / "benchmarks/cost",
        ]:
            shutil.copy2(path, copies)
        programs = sorted(path for path in copies.glob("*_tests") if path.name not in LEFT_OUT)
        commands = {path.name: [str(path)] for path in programs}
        commands["fuzz"] = [str(copies / "fuzz"), "1", "50000"]
        ways = {
            "": {},
            "biased at once": {"SWO_BIASES": "1"},
            "no membarrier": {"LD_PRELOAD": str(copies / "no_membarrier.so")},
            "no time": {"SWO_LATE": "1"},
            EXPLORED: {},
            EXPLORED_FENCED: {"EXPLORE_NO_MEMBARRIER": "1"},
            EXPLORED_BIASED: {"SWO_BIASES": "1"},
            FEW_IDS: {"SWO_FEW_IDS": "8"},
            COUNTED: {},
        }
        self.runner = Runner(library, commands, ways)
        fenced = options.fenced.split()
        names = {program: names_of(command, library) for program, command in commands.items() if command[1:] == []}
        tests = [
            Test(way, program, name)
            for way in ways
            if way not in ALONE
            for program in commands
            if (way in ("", "biased at once") or program in fenced if way != FEW_IDS else program == "ids_tests")
            for name in names.get(program, [""])
        ]
        commands["explorer"] = [str(options.tree / building.EXPLORER), *FEW_ORDERS]
        faults = (ROOT / "Tests/Explore/faults.txt").read_text().splitlines()
        self.telling = TELLING | {line[2:] for line in faults if line[:1] == "?"}
        others = programs_of(options.tree / building.EXPLORER)
        tests += [Test(EXPLORED, "explorer", name) for name in sorted(self.telling | others)]
        commands["explorer at length"] = [str(options.tree / building.EXPLORER), *MANY_ORDERS]
        commands["explorer, interrupted twice"] = [str(options.tree / building.EXPLORER), *TWO_INTERRUPTIONS]
        tests += [
            Test(way, program, name)
            for way, program in (
                (EXPLORED, "explorer, interrupted twice"),
                (EXPLORED, "explorer at length"),
                (EXPLORED_FENCED, "explorer at length"),
            )
            for name in sorted(self.telling)
        ]
        commands["explorer, biased"] = [str(options.tree / building.EXPLORER), *MANY_BIASED_ORDERS]
        tests += [Test(EXPLORED_BIASED, program, name) for program, name in BIASED_PROGRAMS.items()]
        commands["cost"] = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(copies / "cost")]
        limits = (ROOT / "Tests/Benchmarks/cost-limits").read_text().splitlines()
        tests += [Test(COUNTED, "cost", line.split()[0]) for line in limits if line[:1] != "#"]
        state = building.sources_of_library()
        digests = {
            program: building.digest([*state, *program_of(command)]) + "".join(command[1:])
            for program, command in commands.items()
        }
        self.runner.look_around(tests, options.tree / "tests", digests)

        self.digest_of_tests = building.digest([file for file in sorted((ROOT / "Tests/C").glob("*.[ch]"))])
        self.digests = {one.file: building.digest([ROOT / "Sources" / one.file]) for one in found}
        self.log = options.tree / "results"
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        names = {one.name for one in found}
        every = [json.loads(line) for line in lines]
        of_sources = {one["mutant"]: one for one in every if one["mutant"] in names}
        self.results = {name: one for name, one in of_sources.items() if one["source"] == self.digests.get(one["file"])}
        # What killed a mutant before its file changed comes first.
        self.before = {name: one for name, one in of_sources.items() if one["killed by"]}

    def tests_of(self, mutant: mutants.Mutant) -> list[Test]:
        return [test for test, reached in self.runner.reaching.items() if mutant.number in reached]

    def is_open(self, mutant: mutants.Mutant) -> bool:
        result = self.results.get(mutant.name)
        if result is None:
            return bool(self.tests_of(mutant))
        return not result["killed by"] and (result["tests"] != self.digest_of_tests or not result["done"])

    def turn_of(self, mutant: mutants.Mutant) -> int:
        """Whose turn it is: the quick tests, or if those have not killed it the orders of steps, or all others."""
        result = self.results.get(mutant.name)
        return 0 if result is None or result["tests"] != self.digest_of_tests else result.get("turns", 1)

    def attempt(self, mutant: mutants.Mutant) -> None:
        killer, how, begun, turn = "", "", time.monotonic(), self.turn_of(mutant)
        for some in self.order(mutant):
            if self.turn(some) != turn:
                continue
            killer, how = self.runner.fails(some, mutant.number)
            if killer:
                break
        result = {
            "mutant": mutant.name,
            "file": mutant.file,
            "line": mutant.line,
            "killed by": killer,
            "how": how,
            "source": self.digests[mutant.file],
            "tests": self.digest_of_tests,
            "turns": turn + 1,
            "done": bool(killer) or turn + 1 == TURNS,
            "seconds": round(time.monotonic() - begun, 1),
        }
        self.results[mutant.name] = result
        with self.log.open("a") as log:
            print(json.dumps(result, ensure_ascii=False), file=log)

    def turn(self, some: list[Test]) -> int:
        if some[0].way == "" and all(self.runner.costs[test].seconds <= SLOW for test in some):
            return 0
        return 1 if some[0].way in ALONE else 2

    def order(self, mutant: mutants.Mutant) -> list[list[Test]]:
        """The tests that reach a mutant, those together that run in one process."""
        reaching, costs = self.tests_of(mutant), self.runner.costs
        near = sorted(
            (one for one in self.results.values() if one["killed by"] and one["file"] == mutant.file),
            key=lambda one: abs(one["line"] - mutant.line),
        )
        if mutant.name in self.before:
            near.insert(0, self.before[mutant.name])
        killers = list(dict.fromkeys((one["killed by"], one["how"].partition(", ")[2]) for one in near))[:NEIGHBOURS]
        first = [
            test for killer in killers for test in reaching if killer == (f"{test.program}: {test.name}", test.way)
        ]
        groups: dict[object, list[Test]] = {}
        for test in reaching:
            if test not in first:
                alone = test if costs[test].seconds > SLOW or costs[test].leaks or test.way in ALONE else None
                groups.setdefault((test.way, test.program, alone), []).append(test)

        # As many programs of the explorer as there is time for: first those that have killed others, or show a fault.
        known = collections.Counter(one["killed by"] for one in self.results.values())
        known.update(f"explorer: {name}" for name in self.telling)

        def likelihood(test: Test) -> tuple[int, float]:
            return (-known[f"{test.program}: {test.name}"], costs[test].seconds)

        left = EXPLORING
        for test in sorted((test for test in reaching if test.way == EXPLORED), key=likelihood):
            left -= costs[test].seconds
            if left < 0:
                groups.pop((test.way, test.program, test), None)

        def rank(some: list[Test]) -> tuple[int, int, bool, int, float]:
            likely, _ = likelihood(some[0])
            seconds = sum(costs[test].seconds for test in some)
            return (self.turn(some), WAYS.index(some[0].way), some[0].program != "scenario_tests", likely, seconds)

        return [[test] for test in first] + sorted(groups.values(), key=rank)

    def report(self) -> None:
        known = {
            line[4:] for line in (ROOT / "Tests/Mutation/survivors.md").read_text().splitlines() if line[:4] == "    "
        }
        names = {one.name for one in self.found}
        for gone in sorted(known - names):
            print(f"in survivors.md, and no mutant any more: {gone}")
        for name in sorted(known & self.results.keys()):
            if self.results[name]["killed by"]:
                print(f"in survivors.md, and killed by {self.results[name]['killed by']}: {name}")
        reached = [one for one in self.found if self.tests_of(one)]
        tried = [name for name, one in self.results.items() if one["done"]]
        alive = [name for name in tried if not self.results[name]["killed by"]]
        unknown = sorted(name for name in alive if name not in known)
        for name in unknown:
            print(f"alive, and not in survivors.md: {name}")
        print(
            f"mutants: {len(self.found)}, reached by a test: {len(reached)}, tried: {len(tried)}, killed:"
            f" {len(tried) - len(alive)}, alive with a reason: {len(alive) - len(unknown)}, alive: {len(unknown)}"
        )


def program_of(command: list[str]) -> list[pathlib.Path]:
    """The program that a command runs, perhaps in another one."""
    return [path for path in map(pathlib.Path, command) if path.is_file()]


def programs_of(explorer: pathlib.Path) -> set[str]:
    """What the explorer has beside one that sends."""
    said = subprocess.run(
        [explorer, "-j", "1", "-b", "0", "-l", "1"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return {re.split(r" +\d+ schedules", line)[0] for line in said if ": send / " in line}


def names_of(command: list[str], library: pathlib.Path) -> list[str]:
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library)}
    return subprocess.run(
        [*command, "--list"], env=environment, capture_output=True, text=True, check=True
    ).stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())

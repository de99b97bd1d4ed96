# SPDX-License-Identifier: MIT
"""Runs tests with a mutant, and sees which fail.

A test is (way, program, name). The ways are those in which the C tests run anyway: plainly, where everything is biased
at once, without membarrier(2), and where no time ever runs out. Two are others: the explorer, which tries the orders of
threads' steps, and the cases of `make check-cost`, which fail where they take more instructions than without a mutant.
What a test does is noted once, without a mutant: which mutants it reaches, what it costs, whether it leaves memory
behind, and whether it passes, as some do not where no time runs out.
"""

import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

# No clock judges a run, because the machine may be busy: it hangs if all of its threads sleep for so many looks, of
# which there are ten a second, or if it has used so many times the processor that it needs without a mutant.
LOOKS, TIMES, SECONDS = 20, 20, 1.0
# How a process ended: cut off, or as mutants.c says.
HANGS, LEAKS = 124, 70
EXPLORED, EXPLORED_FENCED, COUNTED = "every order", "every order, no membarrier", "counted"
EXPLORED_BIASED, FEW_IDS = "every order, biased at once", "few ids"
# Those in which a test is a process of its own, and keeps its memory to itself.
ALONE = (EXPLORED, EXPLORED_FENCED, EXPLORED_BIASED, COUNTED)
# How often a case is done whose instructions are counted, and what is too much. What one takes that has no other
# threads repeats: there few more are too many, but a few can come of how a mutant is written down.
ROUNDS, TOO_MANY, TOO_MUCH, TOO_MUCH_THAT_REPEATS = 3000, 4, 1.02, 1.003
COLLECTED = re.compile(r"Collected : (\d+)")


@dataclasses.dataclass(frozen=True)
class Test:
    way: str
    program: str
    name: str  # empty: the program as a whole


@dataclasses.dataclass
class Cost:
    seconds: float  # of the processor
    leaks: bool
    most: float = 0.0  # instructions


class Runner:
    def __init__(self, library: pathlib.Path, commands: dict[str, list[str]], ways: dict[str, dict[str, str]]) -> None:
        self.library, self.commands, self.ways = library, commands, ways
        self.reaching: dict[Test, set[int]] = {}
        self.costs: dict[Test, Cost] = {}

    def look_around(self, tests: list[Test], notes: pathlib.Path, of: dict[str, str]) -> None:
        """Runs each test without a mutant, unless the notes have it, of the same library and program."""
        known = {}
        for line in notes.read_text().splitlines() if notes.exists() else []:
            note = json.loads(line)
            known[note["test"]] = note
        with notes.open("a") as file:
            for test in tests:
                key = "\t".join(dataclasses.astuple(test))
                if known.get(key, {}).get("of") != of[test.program]:
                    known[key] = {"test": key, "of": of[test.program], **self._look_at(test)}
                    print(json.dumps(known[key]), file=file, flush=True)
                self.reaching[test] = set(known[key]["reaches"])
                self.costs[test] = Cost(known[key]["seconds"], known[key]["leaks"], known[key].get("most", 0.0))

    def _look_at(self, test: Test) -> dict[str, object]:
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(1 << 14)
            code, said, seconds = self._run([test], 1000, SWO_REACHED=file.name)
            if code != 0 and test.way == "no time":
                return {"reaches": [], "seconds": seconds, "leaks": True}
            if code != 0:
                raise SystemExit(f"{test} fails without a mutant ({code}): {said}")
            reaches = [number for number, there in enumerate(pathlib.Path(file.name).read_bytes()) if there]
        if test.way == COUNTED:
            counts = [_counted(said), _counted(self._run([test], 1000)[1])]
            most = TOO_MUCH * counts[0]
            if _repeats(*counts):
                most = max(counts[0] + TOO_MANY * ROUNDS, TOO_MUCH_THAT_REPEATS * counts[0])
            return {"reaches": reaches, "seconds": seconds, "leaks": True, "most": most}
        if test.way in ALONE:
            return {"reaches": reaches, "seconds": seconds, "leaks": True}
        # Twice, because what other threads do at the end may differ.
        leaks = any(self._run([test], 1000, SWO_LEAKS="1")[0] != 0 for _ in range(2))
        return {"reaches": reaches, "seconds": seconds, "leaks": leaks}

    def fails(self, tests: list[Test], mutant: int) -> tuple[str, str]:
        """Runs tests of one way and program until one fails, and says which, and how."""
        first = tests[0]
        more = {} if any(self.costs[test].leaks for test in tests) else {"SWO_LEAKS": "1"}
        limit = SECONDS + TIMES * sum(self.costs[test].seconds for test in tests)
        code, said, _ = self._run(tests, limit, SWO_MUTANT=str(mutant), **more)
        # Tests that run together may leave what none of them leaves alone, and where no time runs out one may hang or
        # not: then it is no fault of the mutant's.
        if code in (HANGS, LEAKS) and self._run(tests, limit, **more)[0] != 0:
            code, said, _ = self._run(tests, limit, SWO_MUTANT=str(mutant)) if code == LEAKS else (0, "", 0.0)
        # There a test may hang by the luck of its threads; then it does so now and then alone.
        if code == HANGS and first.way == "no time":
            again = [self._run(tests, limit, SWO_MUTANT=str(mutant))[0] for _ in range(2)]
            code = HANGS if again == [HANGS, HANGS] else 0
        if code == 0 and first.way == COUNTED and _counted(said) > self.costs[first].most:
            return f"{first.program}: {first.name}", f"takes more instructions, {first.way}"
        if code == 0:
            return "", ""
        how = {HANGS: "does not end", LEAKS: "loses memory"}.get(code, "fails")
        way = f", {first.way}" if first.way else ""
        return f"{first.program}: {first.name if first.way in ALONE else _failed(said)}", how + way

    def _run(self, tests: list[Test], limit: float, **more: str) -> tuple[int, str, float]:
        way, program = tests[0].way, tests[0].program
        environment = {
            **os.environ,
            "LD_LIBRARY_PATH": str(self.library),
            "SWO_TEST_SCALE": "0.01",
            "CMOCKA_TEST_ABORT": "1",
            # What is used after it was freed, or before it was written, is not what it was.
            "MALLOC_PERTURB_": "165",
            **self.ways[way],
            **more,
        }
        names = [test.name for test in tests if test.name] + [str(ROUNDS)] * (way == COUNTED)
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [*self.commands[program], *names], env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            code, seconds = _ended(process, limit)
            output.seek(0)
            return code, output.read().decode(errors="replace"), seconds


def _ended(process: subprocess.Popen[bytes], limit: float) -> tuple[int, float]:
    """How a process ended, and how much of the processor it used; HANGS if it hung."""
    asleep, pause = 0, 0.002
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                _kill(process.pid)
            return process.returncode, usage.ru_utime + usage.ru_stime
        time.sleep(pause)
        pause = min(0.1, pause * 1.5)
        if pause == 0.1:
            states, used = _look(process.pid)
            # One that looks again from time to time may be seen awake.
            asleep = asleep + 1 if states <= {"S"} else max(0, asleep - 3)
            if asleep >= LOOKS or used > limit:
                _kill(process.pid)
                os.waitpid(process.pid, 0)
                process.returncode = HANGS
                return HANGS, used


def _look(pid: int) -> tuple[set[str], float]:
    """The states of the threads of a process and of its children, and how much of the processor they have used."""
    states, used = set(), 0.0
    try:
        tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        # A child that has just ended.
        return states, used
    for task in tasks:
        try:
            fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
            children = (task / "children").read_text().split()
        except (OSError, IndexError):
            continue
        states.add(fields[0])
        # Its own, and that of the children that have ended.
        used += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        for child in children:
            more, time_of_child = _look(int(child))
            states |= more
            used += time_of_child
    return states, used


def _kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _counted(said: str) -> int:
    """How many instructions callgrind has counted; 0 if it was not there."""
    match = COLLECTED.search(said)
    return int(match[1]) if match else 0


def _repeats(one: int, other: int) -> bool:
    """Whether counts differ by no more than what the length of the environment makes."""
    return abs(one - other) < ROUNDS


def _failed(said: str) -> str:
    """The test that failed, or was running."""
    for pattern in (r"\[  FAILED  \] (.+)$", r"\[ RUN      \] (.+)$"):
        names = re.findall(pattern, said, re.M)
        if names:
            return names[0] if "FAILED" in pattern else names[-1]
    return said.strip().split("\n")[0][:100]

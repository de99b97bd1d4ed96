# SPDX-License-Identifier: MIT
"""Changes the engine in one place after the other, and looks which test notices.

    Tests/Mutation/mutate.py TESTS TREE [--minutes 30] [--seed 1] [--jobs 2]

One library is built that has all mutants (mutants.py); the programs of the C tests, which are there already, run with
it. A mutant is tried with those programs that reach it, the quick ones first, until one fails. It survives if none
does. The survivors that are known stand in survivors.md, each with the reason; others are told of. A mutant that no
program reaches is no survivor, but a line for Tests/C/coverage.sh.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import mutants

ROOT = pathlib.Path(__file__).resolve().parents[2]
MUTATED = [
    "ObserverEngine/Core",
    "ObserverEngine/Observations",
    "ObserverEngine/Lines",
    "ObserverEngine/Delivery",
    "SwiftObserverC/Queues",
]
# Not here: what needs other programs, another process, or looks at memory or files of the library itself.
LEFT_OUT = {"surroundings_tests", "forking_tests", "no_memory_tests", "version_tests"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("tests", type=pathlib.Path, help="the folder of the programs")
    parser.add_argument("tree", type=pathlib.Path, help="where to build")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="mutants whose names have this")
    options = parser.parse_args()

    all_of_them, library = build(options.tree)
    runner = Runner(options.tests, library, options.tree)
    runner.look_around()
    reached = [one for one in all_of_them if runner.programs_of(one)]
    wanted = [one for one in reached if options.only in one.name]
    random.Random(options.seed).shuffle(wanted)
    until = time.monotonic() + options.minutes * 60
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda one: runner.attempt(one, until), wanted):
            if result:
                results.append(result)
                print(json.dumps(result, ensure_ascii=False), file=runner.log, flush=True)
    report(all_of_them, reached, results, options.seed)


def report(all_of_them, reached, results, seed) -> None:
    known = {line.strip() for line in (ROOT / "Tests/Mutation/survivors.md").read_text().splitlines()}
    for gone in sorted(
        one for one in known if one.endswith("]") and one not in {mutant.name for mutant in all_of_them}
    ):
        print(f"in survivors.md, and no mutant any more: {gone}")
    alive = [one for one in results if not one["killed by"]]
    unknown = [one for one in alive if one["mutant"] not in known]
    for one in unknown:
        print(f"alive, and not in survivors.md: {one['mutant']}")
    print(
        f"mutants: {len(all_of_them)}, reached by a test: {len(reached)}, tried: {len(results)} (seed {seed}), killed:"
        f" {len(results) - len(alive)}, alive with a reason: {len(alive) - len(unknown)}, alive: {len(unknown)}"
    )


def build(tree: pathlib.Path) -> tuple[list[mutants.Mutant], pathlib.Path]:
    """The library with all mutants that compile."""
    sources = sorted(file for folder in MUTATED for file in (ROOT / "Sources" / folder).glob("*.swift"))
    found = [one for file in sources for one in mutants.find(str(file.relative_to(ROOT / "Sources")), file.read_text())]
    for number, one in enumerate(found):
        one.number = number
    # What was built from the same sources is there still.
    state = hashlib.sha256(
        "".join(file.read_text() for file in sorted((ROOT / "Sources").rglob("*.swift"))).encode()
    ).hexdigest()
    stamp, library = tree / f"compiled-{state}", tree / "build/embedded"
    if stamp.exists():
        compiled = set(json.loads(stamp.read_text()))
        return [one for one in found if one.number in compiled], library
    # Also of what has another name by now.
    shutil.rmtree(tree / "Sources", ignore_errors=True)
    tree.mkdir(parents=True, exist_ok=True)
    for name in ("Makefile", "Sources", "Tests", "bindings", "include", "pkgconfig"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, dirs_exist_ok=True)
        else:
            shutil.copy2(ROOT / name, tree / name)
    header = tree / "Sources/CPlatform/include/CPlatform.h"
    header.write_text(_with_declaration(header.read_text()))
    (tree / "Sources/CPlatform/mutants.c").write_text(mutants.PLATFORM)
    locks = tree / "Sources/CPlatform/locks.c"
    locks.write_text(locks.read_text().replace("PTHREAD_MUTEX_INITIALIZER", "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP"))
    while True:
        for file in sources:
            name = str(file.relative_to(ROOT / "Sources"))
            text = mutants.apply(file.read_text(), [one for one in found if one.file == name])
            _write(tree / "Sources" / name, _importing(text))
        _write(tree / "Sources/ObserverEngine/Mutants.swift", mutants.support(found))
        made = subprocess.run(
            [
                "make",
                "--no-print-directory",
                "RUNTIME=embedded",
                "LDFLAGS=-Wl,--wrap=pthread_mutex_lock,--wrap=pthread_mutex_unlock",
                "CPPFLAGS=-D_GNU_SOURCE",
                "build/embedded/libswiftobserver.so",
            ],
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode == 0:
            stamp.write_text(json.dumps([one.number for one in found]))
            return found, library
        places = re.findall(r"^(\S*Sources/\S+\.swift):(\d+):\d+: error", made.stderr + made.stdout, re.M)
        there = {(one.file, one.line) for one in found}
        wrong = {_culprit(name.split("Sources/")[1], int(line) - 1, there) for name, line in places}
        kept = [one for one in found if (one.file, one.line) not in wrong]
        if len(kept) == len(found):
            sys.exit(f"the mutants do not compile:\n{made.stderr}{made.stdout}")
        print(f"left out, because they do not compile: {len(found) - len(kept)}", flush=True)
        found = kept


def _culprit(file: str, line: int, there: set[tuple[str, int]]) -> tuple[str, int]:
    """The line of mutants that an error is about: it may be told of at the end of a function, for what it returns."""
    return next(((file, line - back) for back in range(6) if (file, line - back) in there), (file, line))


def _importing(text: str) -> str:
    """With what mutants need, on a line that is there already, so that the others keep their numbers."""
    return text.replace("// SPDX-License-Identifier: MIT\n", "import CPlatform\n", 1)


def _with_declaration(header: str) -> str:
    body, end = header.rsplit("#endif", 1)
    return body + mutants.HEADER + "\n#endif" + end if "platform_is_mutant" not in header else header


def _write(path: pathlib.Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class Runner:
    def __init__(self, tests: pathlib.Path, library: pathlib.Path, tree: pathlib.Path) -> None:
        self.library = library
        self.log = (tree / "results").open("w")
        names = sorted(path for path in tests.glob("*_tests") if path.name not in LEFT_OUT)
        self.commands = {path.name: [str(path)] for path in names}
        fuzz = tests.parent / "fuzz/fuzz"
        if fuzz.exists():
            self.commands["fuzz"] = [str(fuzz), "1", "50000"]
        self.reaching: dict[str, set[int]] = {}
        self.takes: dict[str, float] = {}

    def run(self, name: str, seconds: float, **more: str) -> tuple[int, str]:
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.library), "SWO_TEST_SCALE": "0.01", **more}
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                ["nice", *self.commands[name]], env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                code = 124
            if code != 0:
                _end(process)
            output.seek(0)
            return code, output.read().decode(errors="replace")

    def look_around(self) -> None:
        """Runs all programs without a mutant: they pass, and it is noted what they reach."""
        for name in self.commands:
            with tempfile.NamedTemporaryFile("r") as file:
                begun = time.monotonic()
                code, said = self.run(name, 600, SWO_REACHED=file.name)
                if code != 0:
                    sys.exit(f"{name} fails without a mutant: {said}")
                self.takes[name] = time.monotonic() - begun
                self.reaching[name] = {int(line) for line in file}
        self.order = sorted(self.commands, key=lambda name: self.takes[name])

    def programs_of(self, mutant: mutants.Mutant) -> list[str]:
        return [name for name in self.order if mutant.number in self.reaching[name]]

    def attempt(self, mutant: mutants.Mutant, until: float) -> dict[str, str] | None:
        if time.monotonic() > until:
            return None
        killer = ""
        for name in self.programs_of(mutant):
            # One that does not end is killed, too: so long no test takes.
            code, said = self.run(name, 15 + 10 * self.takes[name], SWO_MUTANT=str(mutant.number))
            if code != 0:
                killer = f"{name}: {_failed(said)}{' (does not end)' if code == 124 else ''}"
                break
        return {"mutant": mutant.name, "line": str(mutant.line + 1), "killed by": killer}


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, 9)
    except ProcessLookupError:
        pass
    process.wait()


def _failed(said: str) -> str:
    """The test that failed, or was running."""
    for pattern in (r"\[  FAILED  \] (\w+)$", r"\[ RUN      \] (\w+)$"):
        names = re.findall(pattern, said, re.M)
        if names:
            return names[0] if "FAILED" in pattern else names[-1]
    return said.strip().split("\n")[0][:100]


if __name__ == "__main__":
    main()

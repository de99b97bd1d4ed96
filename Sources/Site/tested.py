# SPDX-License-Identifier: MIT
"""The page that tells how the library is tested: figures that runs have left, and what is not tested."""

from __future__ import annotations

import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parents[2]


def read(path: str) -> str:
    file = TOP / path
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def between(text: str, begin: str, end: str) -> str:
    return text.split(begin, 1)[1].split(end, 1)[0].strip() if begin in text and end in text else ""


def count(pattern: str, *globs: str) -> int:
    files = {file for glob in globs for file in TOP.glob(glob)}
    return sum(len(re.findall(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)) for file in files)


def tests() -> str:
    rows = [
        (
            "scenarios that C, Python and Swift act out",
            count(r"^[A-Z].*\([0-9 ]+\)$", "Tests/Scenarios/*.txt"),
        ),
        ("Swift: tests", count(r"@Test\b", "Tests/*Tests/**/*.swift")),
        (
            "C and C++: test programs",
            len([*TOP.glob("Tests/C/**/*_tests.c"), *TOP.glob("Tests/C/**/*_tests.cpp")]),
        ),
        (
            "Python: test functions",
            count(r"^ *(?:async )?def test_", "Tests/Python/*.py"),
        ),
        (
            "faults that the explorer of schedules has to find",
            count(r"^= ", "Tests/Explore/faults.txt"),
        ),
        (
            "faults that random programs have to find",
            count(r"^= ", "Tests/Fuzz/**/faults.txt"),
        ),
        (
            "ways to break a relay that its tests have to notice",
            count(r"^= ", "Tests/C/relay/broken.txt"),
        ),
    ]
    return table(("what", "how many"), rows)


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def logs() -> str:
    """The last lines of the parts of `make test` and `make test-more`, as they were last run here on a terminal."""
    rows = []
    for log in sorted((TOP / "build/logs").glob("*.log")):
        lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
        told = [line for line in lines if re.search(r"\d+ (?:passed|tests|schedules|operations)", line)]
        if told:
            rows.append((log.stem, told[-1].strip().replace("|", "\\|")))
    return "The last runs on this machine told:\n\n" + table(("part", "last words"), rows) if rows else ""


def new_users() -> str:
    """What new users typed in clean roots, and how long they waited, when that was last run here."""
    rows = []
    for transcript in sorted((TOP / "build/new-users").glob("*.txt")):
        text = transcript.read_text(encoding="utf-8", errors="replace")
        typed = re.findall(r"^\$ (.*?)$.*?^\[([\d.]+) s\]$", text, re.MULTILINE | re.DOTALL)
        told = "; ".join(f"`{command}` {seconds} s" for command, seconds in typed).replace("|", "\\|")
        rows.append((transcript.stem, told))
    if not rows:
        return ""
    said = "Users of C, C++, apt, pip and Swift begin in a clean Debian each (`make test-new-users`):"
    return f"{said}\n\n{table(('where', 'what is typed, and how long it takes'), rows)}"


def coverage() -> str:
    floors = re.findall(r"^(\w+ \w+) ([\d.]+)$", read("Tests/Coverage/floor"), re.MULTILINE)
    return table(("all suites together run at least", "percent"), floors)


def mutants() -> str:
    told = re.search(
        r"^Of \d+ mutants[^.]*\.[^.]*\.",
        read("Tests/Mutation/survivors.md"),
        re.MULTILINE,
    )
    return " ".join(told[0].split()) if told else "not tried"


def relays() -> str:
    runs = re.findall(r"^\| .* \| (\d+) \| (\d+) \|$", read("Tests/C/relay/faults.md"), re.MULTILINE)
    total, failed = sum(int(one) for one, _ in runs), sum(int(one) for _, one in runs)
    return f"{len(runs)} faults of relays, {total} runs of them all, {failed} failures (`make torture-relays`)."


NOT_TESTED = """- macOS, iOS and Windows: the library was never built there. musl: neither.
- Processors other than x86-64 but under qemu, which has a stronger memory model than they.
- Schedules of more than three operations at a time, but by chance; weaker orders of memory than stores that come late.
- Programs that run for weeks: a soak takes half an hour.
- Interpreters other than CPython 3.9 to 3.14 and PyPy; sub-interpreters before 3.12 are refused.
- Brokers other than mosquitto; networks other than this machine's, with faults that tests put in.
- By people: no user outside of the project is known.
"""


def tested() -> str:
    matrix = between(read("CONTRIBUTING.md"), "<!-- matrix -->", "<!-- end of the matrix -->")
    promises = between(
        read("README.md"),
        "<!-- promises: made by `make promises` -->",
        "<!-- promises end -->",
    )
    laws = read("Tests/Scenarios/laws.md")
    laws = laws[laws.index("| law |") :] if "| law |" in laws else ""
    laws = "\n".join("| " + " | ".join(line.strip("|").split("|")[:3]) + " |" for line in laws.splitlines() if line)
    return f"""# How it is tested

Each promise is a test. All figures on this page were counted when it was made, or left by runs that stand beside them.

{tests()}

{logs()}

{new_users()}

## What keeps the tests honest

- *Coverage* (`make coverage` fails below this):

{coverage()}

- *Mutants* (`make test-mutants` changes the engine until a test fails): {mutants()}
- *Every schedule* (`make explore`): the shipped library runs in all orders of its threads' steps that differ,
  for every pair of operations, and stores may come late.
- *A model* (`make test-fuzz`): random programs of calls are compared with a sequential model of the laws.
- *Models* (`make check-model`): the protocols of a send and of derived variables in Promela, all their states; each
  step that is left out is an error.
- *Long runs* (`make threaded`, `make reading`): 10^9 messages, each counted; 10^9 reads of derived variables by two
  threads and by four, each compared with what it has to be, inside the functions, too.
- *Limits of cost* (`make check-cost`): no operation takes more instructions or allocations than before.
- *Relays*: {relays()}

## Compilers, systems, processors

{matrix}

## What others answer to the same questions

{promises}

## Which tests show a law

{laws}

## What is not tested

{NOT_TESTED}"""

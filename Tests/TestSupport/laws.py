# SPDX-License-Identifier: MIT
"""Holds the manual page and the article that state the laws against their one wording, in Sources/laws.md.

Each begins a law with these words, and may add paragraphs of its own.

Tests/Scenarios/laws.md says which scenarios show a law, in which languages, and which tests name it beside them.
`laws.py table` writes it. What stands there has to be so; a test that came meanwhile may be missing.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = "Tests/Scenarios/laws.md"
MANUAL, ARTICLE = "bindings/c/man/swiftobserver.7", "Sources/SwiftObserver/SwiftObserver.docc/OrderAndThreads.md"


def plain(text: str) -> str:
    """The words, without marks and with single spaces."""
    return " ".join(re.sub(r"[*`]|\\&", "", text).split())


def of_markdown(path: str) -> dict[int, str]:
    paragraphs = re.findall(r"^(\d+)\. (.*(?:\n .*)*)", (ROOT / path).read_text(), re.MULTILINE)
    return {int(number): plain(text) for number, text in paragraphs}


def of_manual(path: str) -> dict[int, str]:
    items = re.findall(r"^\.It (\d+)\n((?:(?!\.(?:It|El|Pp)\b).*\n)*)", (ROOT / path).read_text(), re.MULTILINE)
    return {int(number): plain(text) for number, text in items}


def scenarios() -> list[tuple[str, list[int], set[str]]]:
    """The file of each, its laws, and the languages that cannot show it."""
    found = []
    for path in sorted((ROOT / "Tests/Scenarios").glob("*.txt")):
        not_in: set[str] = set()
        for line in path.read_text().splitlines():
            if line.startswith("not in "):
                not_in.add(line.split()[2].rstrip(":"))
            elif line.startswith("    not in "):
                found[-1][2].add(line.split()[2].rstrip(":"))
            elif numbers := re.fullmatch(r"[A-Z].*\(([0-9 ]+)\)", line):
                found.append((path.name, [int(each) for each in numbers[1].split()], set(not_in)))
    return found


def named(text: str) -> set[int]:
    """The laws that a test names: `law 7`, `laws 7 to 10`, `laws 1, 3 and 4`; `(arguments: vocabularies(under: 7))`."""
    found: set[int] = set(map(int, re.findall(r"vocabularies\(under: (\d+)\)", text)))
    for numbers in re.findall(r"\b[Ll]aws? (\d+(?:(?:, | and | to )\d+)*)", text):
        found |= set(map(int, re.findall(r"\d+", numbers)))
        for first, last in re.findall(r"(\d+) to (\d+)", numbers):
            found |= set(range(int(first), int(last) + 1))
    return found


def table(laws: dict[int, str]) -> str:
    acted, tests = scenarios(), {}
    for path in sorted((ROOT / "Tests").rglob("*")):
        if path.suffix in (".c", ".cpp", ".hpp", ".py", ".swift") and path != pathlib.Path(__file__).resolve():
            for law in named(path.read_text(encoding="utf-8")):
                tests.setdefault(law, []).append(str(path.relative_to(ROOT / "Tests")))
    lines = [
        "<!-- SPDX-License-Identifier: MIT -->",
        "# Which tests show a law",
        "",
        "How many scenarios show each law of [laws.md](../../Sources/laws.md), in how many languages, and what tests",
        "name it beside that, because no scenario can show it or because a language has more to say. Written by",
        "`Tests/TestSupport/laws.py table`, and held against the tests by `make check-architecture`.",
        "",
        "| law | scenarios | in C, Python, Swift | tests that name it |",
        "|---|---|---|---|",
    ]
    for law in laws:
        shown = [one for one in acted if law in one[1]]
        files = [f"`{file}` {sum(one[0] == file for one in shown)}" for file in sorted({one[0] for one in shown})]
        counts = [sum(language not in one[2] for one in shown) for language in ("C", "Python", "Swift")]
        also = ", ".join(f"`{file}`" for file in tests.get(law, []))
        lines.append(f"| {law} | {', '.join(files)} | {', '.join(map(str, counts))} | {also} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    laws = of_markdown("Sources/laws.md")
    wrong = (
        [] if list(laws) == list(range(1, len(laws) + 1)) else ["Sources/laws.md: the laws are not numbered 1, 2, 3"]
    )
    if sys.argv[1:] == ["table"]:
        (ROOT / TABLE).write_text(table(laws))
    for written, found in zip((ROOT / TABLE).read_text().splitlines(), table(laws).splitlines()):
        if lost := set(re.findall(r"`[^`]*`", written)) - set(re.findall(r"`[^`]*`", found)):
            wrong.append(
                f"{TABLE}: {written[:6]} is not shown by {', '.join(sorted(lost))}: Tests/TestSupport/laws.py table"
            )
        if re.fullmatch(r"\| \d+ \|  \| 0, 0, 0 \|  \|", found):
            wrong.append(f"no test shows law{found[1:4]}")
    for path, said in ((MANUAL, of_manual(MANUAL)), (ARTICLE, of_markdown(ARTICLE))):
        if list(said) != list(laws):
            wrong.append(f"{path} has the laws {list(said)}")
        wrong += [
            f"{path}, law {number}, says: {said[number]}\n    and has to begin with: {text}"
            for number, text in laws.items()
            if number in said and said[number] != text
        ]
    print("\n".join(wrong) if wrong else f"laws: {len(laws)}, in the same words everywhere")
    return bool(wrong)


sys.exit(main())

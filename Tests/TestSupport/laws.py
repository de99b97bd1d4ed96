# SPDX-License-Identifier: MIT
"""Holds the manual page and the article that state the laws against their one wording, in Sources/laws.md.

Each begins a law with these words, and may add paragraphs of its own."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
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


def main() -> int:
    laws = of_markdown("Sources/laws.md")
    wrong = (
        [] if list(laws) == list(range(1, len(laws) + 1)) else ["Sources/laws.md: the laws are not numbered 1, 2, 3"]
    )
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

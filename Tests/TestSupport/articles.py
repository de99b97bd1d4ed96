#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the articles of DocC: the Swift snippets of one, joined, are a program, which prints what the article says.

A snippet is a fenced `swift` block; a fenced `text` block is what the program prints next. What is not to be run stands
after `<!-- not run -->`. The first snippet imports what the program needs; an article whose snippets are no program is
compared word for word by a Swift test, which calls `codeThatIsNotRun(of:by:)` for it.

Usage: articles.py PACKAGE-FOLDER ARTICLE...
"""

from __future__ import annotations

import difflib
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(<!-- not run -->\n)?^```(swift|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MANIFEST = """// swift-tools-version:6.0
import PackageDescription

let package = Package(
    name: "Articles", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "SwiftObserver", path: "{top}")],
    targets: [
{targets}
    ])
"""
TARGET = """        .executableTarget(name: "{name}", dependencies: [{products}]),
"""


class Article:
    def __init__(self, path: str) -> None:
        self.path = path
        # Several modules have an article of the same name.
        self.name = "_".join(pathlib.Path(path).with_suffix("").parts[-2:]).replace(".docc", "")
        self.program = self.printed = ""
        self.snippets = 0
        for is_not_run, language, text in BLOCK.findall(pathlib.Path(path).read_text(encoding="utf-8")):
            if language == "text":
                self.printed += text
            elif not is_not_run:
                self.program += text + "\n"
                self.snippets += 1
        self.products = sorted(
            set(re.findall(r"^import (SwiftObserver\w*|SteinsKit|MiniRex|Receiver)$", self.program, re.MULTILINE))
        )

    def write(self, package: pathlib.Path) -> str:
        folder = package / "Sources" / self.name
        folder.mkdir(parents=True, exist_ok=True)
        main = folder / "main.swift"
        if not main.exists() or main.read_text(encoding="utf-8") != self.program:
            main.write_text(self.program, encoding="utf-8")
        products = ", ".join(f'.product(name: "{one}", package: "SwiftObserver")' for one in self.products)
        return TARGET.format(name=self.name, products=products)

    def failure(self, package: pathlib.Path) -> str:
        program = [TOP / "Tests/TestSupport/watchdog.sh", "5", package / ".build/debug" / self.name]
        run = subprocess.run(program, capture_output=True, text=True)
        if run.returncode != 0:
            return f"{self.path}: its program fails: {run.stderr}"
        told, prints = self.printed.splitlines(), run.stdout.splitlines()
        different = difflib.unified_diff(told, prints, self.path, "what its program prints", lineterm="", n=1)
        return "\n".join(different)


def main(folder: str, paths: list[str]) -> int:
    package = pathlib.Path(folder).resolve()
    all = [article for article in map(Article, paths) if article.snippets]
    articles = [article for article in all if article.products]
    comparing = [
        text
        for test in (TOP / "Tests").glob("*Tests/**/*.swift")
        if "codeThatIsNotRun" in (text := test.read_text(encoding="utf-8"))
    ]
    for article in all:
        if not article.products and not any(pathlib.Path(article.path).stem in text for text in comparing):
            sys.exit(f"articles: the program of {article.path} imports nothing")
    targets = "".join(article.write(package) for article in articles)
    (package / "Package.swift").write_text(MANIFEST.format(top=TOP, targets=targets.rstrip()), encoding="utf-8")
    built = subprocess.run(["swift", "build", "--package-path", package], capture_output=True, text=True)
    said = built.stdout + built.stderr
    if built.returncode != 0 or "warning:" in said:
        told = [line for line in said.splitlines() if re.search(r"(error|warning):", line)]
        print(
            "articles: they do not build without warnings:",
            *(told or said.splitlines()[-20:]),
            sep="\n",
            file=sys.stderr,
        )
        return 1
    failures = list(filter(None, (article.failure(package) for article in articles)))
    print(*failures, sep="\n", end="" if not failures else "\n", file=sys.stderr)
    count = sum(article.snippets for article in articles)
    print(f"articles: {len(articles) - len(failures)} of {len(articles)} run as they are, {count} snippets")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

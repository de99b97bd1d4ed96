#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts together what Sphinx makes the site of: the documents of the checkout, with links that hold there.

A link to a document leads to its page, one into a catalogue of DocC to the page that DocC makes of it, any other one to
a copy of the file. What only the checkout has, such as folders, is named without a link.

Usage: site.py FOLDER
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import sys

from tested import tested

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
PAGES = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "Sources/laws.md",
    "Tests/Benchmarks/README.md",
    "Tests/Benchmarks/limits.md",
    "bindings/README.md",
    "bindings/operators.md",
    "bindings/relays.md",
    "bindings/inspect.md",
    "bindings/c/README.md",
    "bindings/c/coming-from.md",
    "bindings/python/README.md",
    "bindings/python/coming-from.md",
]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
IMAGE = re.compile(r'(<img src=")([^"]+)(")')


class Documents:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    def page(self, path: str) -> None:
        text = (TOP / path).read_text(encoding="utf-8")
        text = LINK.sub(lambda found: self.link(path, *found.groups()), text)
        text = IMAGE.sub(lambda found: found[1] + self.copied(path, found[2]) + found[3], text)
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def link(self, page: str, mark: str, text: str, target: str) -> str:
        whole = f"{mark}[{text}]({target})"
        if re.match(r"\w+:|#", target):
            return whole
        path, _, place = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if file in PAGES:
            return whole
        if found := re.fullmatch(r"Sources/(\w+)/\w+\.docc/(\w+)\.md", file):
            address = f"swift/documentation/{found[1].lower()}/"
            if found[1] != found[2]:
                address += found[2].lower() + "/"
        elif mark:  # Sphinx finds a picture where the document says that it is
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(TOP / file, self.folder / file)
            return whole
        elif (TOP / file).is_file():
            return self.anchor(text, self.copied(page, path))
        else:
            return text
        return self.anchor(text, os.path.relpath(address, os.path.dirname(page) or ".") + "/")

    @staticmethod
    def anchor(text: str, address: str) -> str:
        code = re.sub(r"`([^`]*)`", r"<code>\1</code>", text)
        return f'<a href="{address}">{code}</a>'

    def copied(self, page: str, path: str) -> str:
        """Where a file stands on the site, seen from a page."""
        file = os.path.normpath(os.path.join(os.path.dirname(page), path))
        target = self.folder / "extra/files" / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TOP / file, target)
        return os.path.relpath(f"files/{file}", os.path.dirname(page) or ".")


def coming_from() -> str:
    """What the catalogues of DocC have for those who come from elsewhere."""
    links = []
    for article in sorted(TOP.glob("Sources/*/*.docc/ComingFrom*.md")):
        title = article.read_text(encoding="utf-8").splitlines()[0].removeprefix("# Coming From ").removeprefix("# ")
        title = title.removeprefix("Coming from ").removeprefix("the Published ")
        module = article.parent.stem.lower()
        links.append(f'<a href="swift/documentation/{module}/{article.stem.lower()}/">{title}</a>')
    return ", ".join(links)


def main(folder: str) -> None:
    source = pathlib.Path(folder)
    documents = Documents(source)
    for path in PAGES:
        documents.page(path)
    for name in ("conf.py", "references.md", "python.md"):
        shutil.copyfile(HERE / name, source / name)
    index = (HERE / "index.md").read_text(encoding="utf-8")
    (source / "index.md").write_text(index.replace("<!-- coming from, in Swift -->", coming_from()), encoding="utf-8")
    shutil.copyfile(TOP / "include/swiftobserver.h", source / "swiftobserver.h")
    raw = TOP / "build/bench/results.json"
    has_raw = raw.exists()
    if has_raw:
        (source / "extra/files").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(raw, source / "extra/files/results.json")
        page = source / "Tests/Benchmarks/README.md"
        page.write_text(
            page.read_text(encoding="utf-8")
            + '\nThe <a href="../../files/results.json">raw rows</a> of the last `make bench` that was run here.\n',
            encoding="utf-8",
        )
    (source / "tested.md").write_text(tested(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])

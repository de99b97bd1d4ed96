#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each status that a function of the library returns is named in its document, or in the one to which that refers.

Usage: returns.py HEADER... -- SWIFT_FILE...

What a function returns is read in the Swift layer: the statuses in its body, and in those of the functions of the layer
that it calls. What a document names are its statuses, and those of the functions that it mentions ("as swo_send()").
"""

from __future__ import annotations

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bindings/c/man"))
import declarations  # noqa: E402

STATUS = re.compile(r"\bSWO_(?:INVALID_ARGUMENT|INVALID_TEXT|[A-Z]+_[A-Z]+|[A-Z]+)\b")
FUNCTION = re.compile(r"^( *)(?:[\w@() ]+ )?func (\w+)\b(?:[^\n]*\{[^\n]*\}$|.*?^\1\}$)", re.MULTILINE | re.DOTALL)
EXPORTED = re.compile(r'@_cdecl\("(swo_\w+)"\)')
NOT_RETURNED = {
    # It checks what the mapper has made: the send fails.
    "swo_map": {"SWO_WRONG_KIND", "SWO_INVALID_TEXT"},
    # What it publishes has no texts.
    "swo_relay_publish": {"SWO_INVALID_TEXT"},
}


def statuses_of(header: str) -> set[str]:
    return set(re.findall(r"#define (SWO_[A-Z_]+) \(\(swo_status\)-", header))


class Layer:
    def __init__(self, sources: list[str], known: set[str]) -> None:
        self.known = known
        self.bodies: dict[str, list[str]] = {}
        for source in sources:
            for found in FUNCTION.finditer(source):
                self.bodies.setdefault(found[2], []).append(found[0])

    def returned(self, name: str, seen: set[str] | None = None) -> set[str]:
        seen = set() if seen is None else seen
        bodies = self.bodies.get(name, [])
        # One name for several functions says nothing.
        if name in seen or len(bodies) != 1:
            return set()
        seen.add(name)
        head, _, body = bodies[0].partition("{")
        if "-> swo_status" not in head:
            return set()
        found = {each for each in STATUS.findall(body) if each in self.known}
        for called in re.findall(r"\b(\w+)\(", body):
            found |= self.returned(called, seen)
        return found - NOT_RETURNED.get(name, set())


def documented(documents: dict[str, str], operators: set[str], name: str, seen: set[str]) -> set[str]:
    if name in seen:
        return set()
    seen.add(name)
    document = documents.get(name, "")
    found = set(STATUS.findall(document))
    mentioned = set(re.findall(r"\b(swo_\w+)\(", document))
    if name in operators:
        mentioned.add("swo_map")
    for each in mentioned:
        found |= documented(documents, operators, each, seen)
    return found


def main(*arguments: str) -> int:
    middle = arguments.index("--")
    headers = [pathlib.Path(each) for each in arguments[:middle]]
    sources = [pathlib.Path(each).read_text(encoding="utf-8") for each in arguments[middle + 1 :]]
    documents: dict[str, str] = {}
    for header in headers:
        for document, code in declarations.items(header.read_text(encoding="utf-8")):
            if found := declarations.FUNCTION.match(code):
                documents[found[1]] = document
    known = statuses_of(headers[0].read_text(encoding="utf-8"))
    operators = {each.name for each in declarations.functions(headers) if each.takes}
    layer = Layer(sources, known)
    exported = [name for source in sources for name in EXPORTED.findall(source)]
    missing = 0
    for name in exported:
        if name not in documents:
            continue
        silent = layer.returned(name) - documented(documents, operators, name, set())
        if silent:
            print(f"{name}() returns {', '.join(sorted(silent))}, which its document does not name")
            missing += 1
    print(f"returns: {len(exported)} functions, {missing} with a status that no document names")
    return 1 if missing or not exported else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

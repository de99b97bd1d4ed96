#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What headers declare: for the man pages, and for the tests, which call every operator by its declaration.

Usage: declarations.py HEADER... writes `EVERY_OPERATOR(X)`, a line for each function that makes an observable of another:

    X(take, A_SOURCE, A_NUMBER)

is `swo_take`, with what it takes between the source and the result. Who includes it says what each word stands for.
"""

from __future__ import annotations

import pathlib
import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

FUNCTION = re.compile(r"^SWO_API .*?\b(swo_[a-z0-9_]+)\(", re.MULTILINE)
NOISE = re.compile(r"\b(?:SWO_API|SWO_NODISCARD|SWO_NULLABLE|SWO_NONNULL)\b ?")
WHOLE = re.compile(r"(.*?)(\w+)\((.*)\);", re.DOTALL)


class Parameter(NamedTuple):
    type: str
    name: str


class Function(NamedTuple):
    returns: str
    name: str
    parameters: list[Parameter]

    @property
    def takes(self) -> list[str] | None:
        """What an operator takes, a word each. None if this is no operator: it makes no observable of another, or takes
        what has no word, such as a clock."""
        types = [each.type for each in self.parameters]
        if types[-1:] != ["swo_observable * *"] or types[0] not in SOURCES:
            return None
        first, *rest = self.parameters[:-1]
        if first.name == "sources":
            return ["SOURCES"]
        words = [
            WORDS[each] if each in WORDS else WORDS.get(each.type)
            for each in rest
            if each.type not in CONTEXT
        ]
        if first.type != "swo_observable *" or None in words:
            return None
        return ["A_SOURCE", *(each for each in words if each)]


SOURCES = {"swo_observable *", "swo_observable * const *"}
# Goes with its function.
CONTEXT = {"void *", "swo_destroy"}
WORDS = {
    "swo_mapper": "A_MAPPER",
    "swo_predicate": "A_PREDICATE",
    "size_t": "A_NUMBER",
    "const swo_value *": "A_VALUE",
    "const void *": "AN_AUTHOR",
    # That of a cache may be NULL, or an update.
    Parameter("const swo_value *", "initial"): "AN_INITIAL",
}


def plain(text: str) -> str:
    """A type without what it says of null, with one space between two words."""
    return " ".join(NOISE.sub("", text).replace("*", " * ").split())


def parameters(taken: str) -> list[Parameter]:
    words = (
        [plain(each).split() for each in taken.split(",")] if taken != "void" else []
    )
    return [Parameter(" ".join(each[:-1]), each[-1]) for each in words]


def functions(headers: Iterable[pathlib.Path]) -> Iterator[Function]:
    for header in headers:
        for _, code in items(header.read_text(encoding="utf-8")):
            if code.startswith("SWO_API") and (whole := WHOLE.fullmatch(code)):
                returns, name, taken = whole.groups()
                yield Function(plain(returns), name, parameters(taken))


def items(section: str) -> Iterator[tuple[str, str]]:
    """Each declaration with the document above it, or with none."""
    lines = iter(section.split("\n"))
    document = ""
    repeated: set[str] = set()
    for line in lines:
        if line.startswith("/**"):
            comment = [line[3:]]
            while not comment[-1].endswith("*/"):
                comment.append(next(lines))
            document = "\n".join(comment)[:-2]
        elif line.startswith("#undef SWO_"):
            repeated.add(line.split()[1])
        elif line.startswith("#define SWO_") and line.split()[1] not in repeated:
            code = [line]
            while code[-1].endswith("\\"):
                code.append(next(lines))
            yield document, "\n".join(code)
            document = ""
        elif line.startswith(("SWO_API", "typedef", "struct", "static inline")):
            code = [line]
            while not is_whole("\n".join(code)):
                code.append(next(lines))
            yield document, "\n".join(code)
            document = ""


def is_whole(code: str) -> bool:
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL).rstrip()
    return code.count("{") == code.count("}") and code.endswith((";", "}"))


def main(*headers: str) -> None:
    operators = [each for each in functions(map(pathlib.Path, headers)) if each.takes]
    lines = [
        f"    X({', '.join([each.name.removeprefix('swo_'), *each.takes])})"
        for each in operators
    ]
    print("/* Written by bindings/c/man/declarations.py. */")
    print(" \\\n".join(["#define EVERY_OPERATOR(X)", *lines]))


if __name__ == "__main__":
    main(*sys.argv[1:])

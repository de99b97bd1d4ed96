#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the man pages of section 3 from headers: an overview of each, and a page for each of its sections.
An adapter, which declares no function of the library, has all in one page.

Usage: generate.py VERSION FOLDER HEADER...

Each function also gets a page of its own that leads to the one it is described in, so that `man swo_send`
finds it. What the headers say is said once, there. An adapter's page has only what has a document.
"""

from __future__ import annotations

import pathlib
import re
import sys
import textwrap
from collections.abc import Iterable

from declarations import FUNCTION, NOISE, items

SECTION = re.compile(r"^/\* -+ (.+?) \*/$", re.MULTILINE)
# When the shape of the pages last changed.
DATE = "November 28, 2026"
NAME = re.compile(
    r"(?:\(\*(\w+)\)\(|\b(swo_\w+)\(|^(?:typedef )?struct (\w+) \{|(\w+);|#define (\w+))"
)

# A struct of fields, and a field, whose document stands above it or behind it.
STRUCT = re.compile(r"((?:typedef )?struct (\w+) \{)\n([^{}]*)(\}.*)", re.DOTALL)
FIELD = re.compile(
    r"\s*(?:/\*\*(?!<)(?P<above>.*?)\*/)?\s*(?P<code>[^;]+;)(?:[ \t]*/\*\*<(?P<behind>.*?)\*/)?",
    re.DOTALL,
)
FILE = re.compile(r"/\*\* @file (\S+)\n(.*?)\*/", re.DOTALL)


def main(version: str, folder: str, *headers: str) -> None:
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    # Those whose functions have pages come first: the others refer to these.
    described: dict[str, list[str]] = {}
    overviews: dict[str, list[str]] = {}
    for header in sorted(headers, key=has_functions, reverse=True):
        if has_functions(header):
            overviews[header] = sectioned_pages(header, described, target, version)
        else:
            overviews[header] = [one_page(header, described, target, version)]
    first = overviews.pop(headers[0])
    for header, pages in overviews.items():
        if len(pages) > 1:
            overview(header, pages, target, version)
    beside = [pages[0] for pages in overviews.values()]
    overview(headers[0], first + beside, target, version)


def has_functions(header: str) -> bool:
    """Whether it declares functions of the library. Such a header has sections."""
    return FUNCTION.search(read(header)) is not None


def read(header: str) -> str:
    return pathlib.Path(header).read_text(encoding="utf-8")


def about(header: str) -> tuple[str, str, str]:
    """The name of a header in programs, and what its first comment says of it: in a line, and the rest."""
    found = FILE.search(read(header))
    assert found, f"{header} does not begin with what it is"
    summary, rest = (unstar(found[2]) + "\n").split("\n", 1)
    return found[1], summary, rest


def page_of(header: str) -> str:
    return about(header)[0].replace("/", "_").removesuffix(".h")


def overview(header: str, pages: list[str], target: pathlib.Path, version: str) -> None:
    name, summary, rest = about(header)
    page = page_of(header)
    body = [
        f".In {name}",
        ".Pp",
        "Compile with",
        # What relays is a library of its own.
        f".Ql pkg-config --cflags --libs swiftobserver{'-relay' if name.endswith('/relay.h') else ''} .",
        ".Sh DESCRIPTION",
        *prose(rest),
    ]
    also = [(each, 3) for each in {*pages, "swiftobserver"} - {page}]
    write(target, page, [page], summary, body, [*also, ("swiftobserver", 7)], version)


def sectioned_pages(
    header: str, described: dict[str, list[str]], target: pathlib.Path, version: str
) -> list[str]:
    """Writes a page for each section, and adds its functions to those that are described. The overview's name, and
    theirs."""
    name, base = about(header)[0], page_of(header)
    text = read(header).split('extern "C" {', 1)[1].rsplit("#ifdef __cplusplus", 1)[0]
    parts = SECTION.split(text)
    pages = [base]
    for title, section in zip(parts[1::2], parts[2::2]):
        page = base + "_" + re.sub(r"\W+", "_", title)
        names = FUNCTION.findall(section)
        body = [
            f".In {name}",
            ".Bd -literal",
            *synopsis(items(section)),
            ".Ed",
            ".Sh DESCRIPTION",
            *descriptions(items(section)),
        ]
        also = [(each, 3) for each in {"swiftobserver", base}] + [("swiftobserver", 7)]
        write(
            target,
            page,
            [page, *names],
            f"SwiftObserver in C: {title}",
            body,
            also,
            version,
        )
        lead(target, names, page)
        described[page] = names
        pages.append(page)
    return pages


def one_page(
    header: str, described: dict[str, list[str]], target: pathlib.Path, version: str
) -> str:
    """Writes the page of a header that has no sections, which names the pages of what it uses. Its name."""
    text, page = read(header), page_of(header)
    name, summary, rest = about(header)
    documented = [
        (document, code)
        for document, code in items(text[FILE.search(text).end() :])
        if document
    ]
    names = [name_of(code) for _, code in documented]
    body = [
        f".In {name}",
        ".Bd -literal",
        *synopsis(documented),
        ".Ed",
        ".Sh DESCRIPTION",
        *prose(f"{summary}\n{rest}"),
        *descriptions(documented),
    ]
    also = [("swiftobserver", 3), ("swiftobserver", 7)]
    for other, functions in described.items():
        if any(re.search(rf"\b{function}\b", text) for function in functions):
            also.append((other, 3))
    write(target, page, [page, *names], summary, body, also, version)
    lead(target, names, page)
    return page


def lead(target: pathlib.Path, names: list[str], page: str) -> None:
    for name in names:
        (target / f"{name}.3").write_text(f".so man3/{page}.3\n", encoding="utf-8")


def write(
    target: pathlib.Path,
    page: str,
    names: list[str],
    about: str,
    body: list[str],
    also: list[tuple[str, int]],
    version: str,
) -> None:
    lines = [
        '.\\" SPDX-License-Identifier: MIT',
        f".Dd {DATE}",
        f".Dt {page.upper()} 3",
        f".Os SwiftObserver {version}",
    ]
    lines += [".Sh NAME", *(f".Nm {name} ," for name in names[:-1]), f".Nm {names[-1]}"]
    lines += [
        f".Nd {escape(about.rstrip('.:')[:1].lower() + about.rstrip('.:')[1:] if ' in C: ' not in about else about)}"
    ]
    lines += [".Sh SYNOPSIS", *body, ".Sh SEE ALSO"]
    also.sort(key=lambda one: (one[1], one[0]))
    lines += [f".Xr {name} {section} ," for name, section in also[:-1]] + [
        ".Xr {} {}".format(*also[-1])
    ]
    (target / f"{page}.3").write_text("\n".join(lines) + "\n", encoding="utf-8")


def unstar(comment: str) -> str:
    """The text of a comment without its margin of stars."""
    lines = comment.strip("\n").split("\n")
    return "\n".join(re.sub(r"^ \*  ?|^ \*$|^ ", "", line) for line in lines).strip()


def escape(text: str) -> str:
    text = (
        text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("`", "")
        .replace("\\e(bu", "\\(bu")
    )
    return "\\&" + text if text[:1] in ".'" else text


def sentences(text: str) -> list[str]:
    """A line for each sentence, as mdoc wants it."""
    return [
        escape(line)
        for line in re.sub(r"([.!?][)\"]?) (?=\S)", r"\1\n", text).split("\n")
    ]


def synopsis(declarations: Iterable[tuple[str, str]]) -> list[str]:
    """The declarations without their documents. Of a macro with parameters only these."""
    lines: list[str] = []
    for _, declaration in declarations:
        code = NOISE.sub("", declaration)
        if macro := re.match(r"#define (\w+\([^)]*\))", code):
            code = macro[1]
        elif code.startswith("#define"):
            code = re.sub(r"\s*\\\n\s*", " ", code)
        if struct := STRUCT.fullmatch(code):
            own = [
                " ".join(field["code"].split()) for field in FIELD.finditer(struct[3])
            ]
            code = "\n".join([struct[1], *(f"    {each}" for each in own), struct[4]])
        if code.startswith("static inline"):
            code = code[len("static inline ") :].split(" {", 1)[0] + ";"
        if (
            code.startswith("swo_")
            or "(*" not in code
            and "{" not in code
            and not code.startswith("#")
        ):
            code = textwrap.fill(
                " ".join(code.split()),
                96,
                subsequent_indent=" " * 8,
                break_on_hyphens=False,
            )
        code = re.sub(
            r"^( *)/\*\*(.*?)\*/",
            lambda match: match[1] + "/*" + match[2] + "*/",
            code,
            flags=re.MULTILINE | re.DOTALL,
        )
        lines += [escape(line).replace("/**<", "/*") for line in code.split("\n")] + [
            ""
        ]
    return lines[:-1]


def descriptions(declarations: Iterable[tuple[str, str]]) -> list[str]:
    lines: list[str] = []
    for document, code in declarations:
        if document:
            lines += [".Ss " + name_of(code), *prose(unstar(document)), *fields(code)]
    return lines


def fields(code: str) -> list[str]:
    """What each field of a struct is."""
    lines: list[str] = []
    struct = STRUCT.fullmatch(NOISE.sub("", code))
    for field in FIELD.finditer(struct[3]) if struct else ():
        name = re.search(r"\(\*(\w+)\)|(\w+);$", field["code"])
        if name and (document := field["above"] or field["behind"]):
            text = unstar(re.sub(r"\n {4}", "\n", document))
            said = prose(text if text.endswith(".") else text + ".")
            lines += [".Pp", f".Fa {name[1] or name[2]} :", *said]
    return lines


def name_of(code: str) -> str:
    name = NAME.search(code)
    assert name, code
    return next(group for group in name.groups() if group)


def prose(text: str) -> list[str]:
    """Paragraphs, examples that are indented, lists, parameters and results."""
    lines: list[str] = []
    for paragraph in re.split(r"\n(?=[ ]*\n)|\n(?=@|- )", text.strip("\n")):
        paragraph = paragraph.strip("\n")
        if not paragraph.strip():
            continue
        if paragraph.lstrip("\n ") and re.match(r"\s*\n?    ", paragraph):
            code = textwrap.dedent(paragraph.lstrip("\n")).rstrip().split("\n")
            joined = lines[-1:] == [".Ed"] and lines.pop() is not None
            lines += [
                *([""] if joined else [".Bd -literal -offset indent"]),
                *map(escape, code),
                ".Ed",
            ]
            continue
        words = re.sub(r"\*(\w+)\*", r"\1", " ".join(paragraph.split()))
        if match := re.match(r"@param (\w+) (.*)", words):
            lines += [".Pp", f".Fa {match[1]} :", *sentences(match[2])]
        elif words.startswith("@return "):
            lines += [".Pp", "Returns", *sentences(words[len("@return ") :])]
        elif words.startswith("- "):
            lines += [".Pp", *sentences("\\(bu " + words[2:])]
        else:
            lines += [".Pp", *sentences(words)]
    return lines[1:] if lines[:1] == [".Pp"] else lines


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: MIT
"""Builds the library that has all mutants, in a copy of the sources."""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

import mutants

ROOT = pathlib.Path(__file__).resolve().parents[2]
MUTATED = [
    "ObserverEngine/Core",
    "ObserverEngine/Observations",
    "ObserverEngine/Queues",
    "ObserverEngine/Slots",
    "ObserverEngine/State",
    "ObserverEngine/Support",
    "ObserverEngine/Lifecycle",
    "ObserverEngine/Derived",
    "SwiftObserverC/Queues",
]
LIBRARY, EXPLORER = "build/embedded", "build/explore/explorer"
WRAPPED = [
    "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait", "pthread_cond_timedwait",
    "malloc", "realloc", "strdup", "posix_memalign", "free",
]  # fmt: skip
# What the copy has otherwise.
REPLACED = {
    "CPlatform/include/CPlatform.h": [
        (r"typedef struct platform_lock \{", r"bool platform_is_mutant(int32_t);\n\g<0>"),
        (r"typedef struct platform_lock \{", r"bool platform_biases_at_once(void);\n\g<0>"),
        (r"typedef struct platform_lock \{", r"uint64_t platform_bits_of_ids(void);\n\g<0>"),
        (r"typedef struct platform_lock \{", r"void platform_note_spares(int);\n\g<0>"),
        (r"static inline void platform_latch_leave", r"void platform_latch_check(const platform_latch *);\n\g<0>"),
        (r"platform_latch_leave\(platform_latch \*latch\) \{", r"\g<0> platform_latch_check(latch);"),
    ],
    "CPlatform/locks.c": [
        (r"\A", "#define _GNU_SOURCE\n"),
        (r"PTHREAD_MUTEX_INITIALIZER", "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP"),
    ],
    "CPlatform/monitors.c": [(r"PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;", "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;")],
    # What the main thread has for computing ends with it, as that of others does.
    "CPlatform/computing.c": [(r"static void leave\(void\) \{", r"\g<0> finish(NULL);")],
    "ObserverEngine/Core/Bias.swift": [
        (r"let first: (\w+) = 32\b", r"var first: \1 { platform_biases_at_once() ? 1 : 32 }"),
        (r"let (again|rounds): (\w+) = (4096|128)\b", r"var \1: \2 { platform_biases_at_once() ? 3 : \3 }"),
    ],
    # Those that are not used at present are not lost.
    "ObserverEngine/Derived/Region.swift": [
        (r"spares = spare.pointee.spare", r"\g<0>; platform_note_spares(-1)"),
        (r"spares = one\n", "spares = one; platform_note_spares(1)\n"),
    ],
    "ObserverEngine/Slots/SlotMap.swift": [
        (r"let placeBits: UInt64 = 26\b", "var placeBits: UInt64 { platform_bits_of_ids() }"),
    ],
}  # fmt: skip


def digest(files: list[pathlib.Path]) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def sources_of_library() -> list[pathlib.Path]:
    files = [file for file in sorted((ROOT / "Sources").rglob("*")) if file.suffix in (".swift", ".c", ".h")]
    return files + [ROOT / "Tests/Mutation" / name for name in ("mutants.c", "mutants.py", "building.py")]


def build(tree: pathlib.Path) -> tuple[list[mutants.Mutant], pathlib.Path]:
    """The library with all mutants that compile."""
    sources = sorted(file for folder in MUTATED for file in (ROOT / "Sources" / folder).glob("*.swift"))
    found = [one for file in sources for one in mutants.find(str(file.relative_to(ROOT / "Sources")), file.read_text())]
    names = [one.name for one in found]
    if twice := {name for name in names if names.count(name) > 1}:
        sys.exit(f"two functions have one name, so their mutants have, too: {', '.join(sorted(twice))}")
    for number, one in enumerate(found):
        one.number = number
    # What did not compile before will not now, if mutants are written as they were.
    memory = tree / f"not-compiled-{digest([ROOT / 'Tests/Mutation/mutants.py'])}"
    impossible = set(json.loads(memory.read_text())) if memory.exists() else set()
    every = len(found)
    found = [one for one in found if one.name not in impossible]
    stamp, library = tree / "compiled", tree / LIBRARY
    state = digest(sources_of_library())
    if stamp.exists() and stamp.read_text() == state:
        return found, library
    _copy(tree)
    while True:
        for file in sources:
            name = str(file.relative_to(ROOT / "Sources"))
            text = mutants.apply(_replaced(name, file.read_text()), [one for one in found if one.file == name])
            _write(tree / "Sources" / name, _importing(text))
        _write(tree / "Sources/ObserverEngine/Mutants.swift", mutants.support(found))
        said = _make(tree)
        if not said:
            # A tenth at most is arithmetic with pointers and the like; more, and mutants are written down wrongly.
            if len(found) < 0.9 * every:
                sys.exit(f"of {every} mutants {every - len(found)} do not compile: such as {min(impossible)}")
            memory.write_text(json.dumps(sorted(impossible)))
            stamp.write_text(state)
            return found, library
        places = re.findall(r"^(\S*Sources/\S+\.swift):(\d+):\d+: error", said, re.M)
        there = {(one.file, one.line) for one in found}
        wrong = {_culprit(name.split("Sources/")[1], int(line) - 1, there) for name, line in places}
        on_wrong = [one for one in found if (one.file, one.line) in wrong]
        # What does arithmetic may do it with pointers: only if there is none on a line, its others go, too.
        sums = {(one.file, one.line) for one in on_wrong if _adds(one)}
        left_out = {one.name for one in on_wrong if _adds(one) or (one.file, one.line) not in sums}
        if not left_out:
            sys.exit(f"the mutants do not compile:\n{said}")
        print(f"left out, because they do not compile: {len(left_out)}", flush=True)
        impossible |= left_out
        found = [one for one in found if one.name not in left_out]


def _adds(one: mutants.Mutant) -> bool:
    return one.kind == "operator" and one.place.split("`")[1] in ("+", "-", "+=", "-=")


def _copy(tree: pathlib.Path) -> None:
    # Also of what has another name by now.
    shutil.rmtree(tree / "Sources", ignore_errors=True)
    tree.mkdir(parents=True, exist_ok=True)
    for name in ("Makefile", "Sources", "Tests", "bindings", "include", "pkgconfig"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, dirs_exist_ok=True)
        else:
            shutil.copy2(ROOT / name, tree / name)
    for name in (name for name in REPLACED if name.startswith("CPlatform")):
        _write(tree / "Sources" / name, _replaced(name, (ROOT / "Sources" / name).read_text()))
    shutil.copy2(ROOT / "Tests/Mutation/mutants.c", tree / "Sources/CPlatform/mutants.c")


def _replaced(name: str, text: str) -> str:
    """The text with what it has otherwise, in as many lines."""
    for pattern, replacement in REPLACED.get(name, []):
        text, count = re.subn(pattern, replacement, text)
        if count == 0:
            sys.exit(f"{name} has no longer what mutants need: {pattern}")
    return text


def _make(tree: pathlib.Path) -> str:
    """Builds the library and the explorer, and returns what the compilers say if they do not."""
    wrapped = "".join(f",--wrap={name}" for name in WRAPPED)
    library = ["RUNTIME=embedded", f"LDFLAGS=-Wl{wrapped}", f"{LIBRARY}/libswiftobserver.so"]
    for what in (library, ["explorer"]):
        made = subprocess.run(
            ["make", "--no-print-directory", *what], cwd=tree, capture_output=True, text=True, check=False
        )
        if made.returncode != 0:
            return made.stderr + made.stdout
    return ""


def _culprit(file: str, line: int, there: set[tuple[str, int]]) -> tuple[str, int]:
    """The line of mutants that an error is about: it may be told of at the end of a function, for what it returns."""
    return next(((file, line - back) for back in range(6) if (file, line - back) in there), (file, line))


def _importing(text: str) -> str:
    """With what mutants need, on a line that is there already, so that the others keep their numbers."""
    return text.replace("// SPDX-License-Identifier: MIT\n", "import CPlatform\n", 1)


def _write(path: pathlib.Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)

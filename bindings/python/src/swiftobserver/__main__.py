# SPDX-License-Identifier: MIT
"""`python -m swiftobserver`: which library is in use, and whether it works."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Sequence

from . import Messenger, Observer, Update, Var, __version__
from ._library import declarations as library
from ._library.environment import OBSTACLE, VECTORCALL


class _Location(ctypes.Structure):
    _fields_ = [
        ("file", ctypes.c_char_p),
        ("start", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    ]


def library_path() -> str:
    """The file that the library was loaded from."""
    location = _Location()
    dladdr = ctypes.CDLL(None).dladdr
    dladdr.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    if dladdr(ctypes.cast(library.LIBRARY.swo_version, ctypes.c_void_p), ctypes.addressof(location)):
        return bytes(location.file).decode(sys.getfilesystemencoding(), "surrogateescape")
    return str(library.LIBRARY._name)


def works() -> bool:
    """Whether messages of each kind arrive, in order, until the observation is stopped."""
    sent = [None, True, -1, 0.5, "text", b"bytes", Update(1, 2), object()]
    received: list[object] = []
    messenger: Messenger[object] = Messenger()
    with messenger.observe(received.append):
        for message in sent:
            messenger.send(message)
    messenger.send("too late")

    variable = Var(1)
    updates: list[object] = []
    with Observer() as observer:
        observer.observe(variable, updates.append)
        variable.value = 2
    return received == sent and updates == [Update(1, 2)]


USAGE = """usage: python -m swiftobserver [--help | --version]
       python -m swiftobserver why SCRIPT [ARGUMENT ...]
       python -m swiftobserver lint SCRIPT [ARGUMENT ...]
       python -m swiftobserver trace FILE SCRIPT [ARGUMENT ...]"""

HELP = """
Says which library is in use, and whether it works. The exit status is 0 if it does.

why    runs a program, and says why each named observable has changed last
lint   runs a program, and says what looks wrong with its observables; the exit status is 1 if anything does
trace  runs a program, and writes a trace into FILE, which ui.perfetto.dev shows"""


def run(command: str, arguments: Sequence[str]) -> int:
    """Runs a program for `why`, `lint` or `trace`."""
    # Lazy: most of those who ask which library there is do not need it.
    import runpy

    from ._extras.why import every_answer, lint, tracing

    path, script = (arguments[0], arguments[1:]) if command == "trace" else (None, arguments)
    sys.argv = list(script)
    sys.path[0] = os.path.dirname(os.path.abspath(script[0]))
    found: Sequence[str] = []
    with tracing(path, values=True):
        ended = 0
        kept = None
        try:
            kept = runpy.run_path(script[0], run_name="__main__")
        except SystemExit as end:
            ended = end.code if isinstance(end.code, int) else int(end.code is not None)
        if command != "trace":
            found = every_answer() if command == "why" else lint()
        del kept
    for one in found:
        print(one)
    return ended or int(command == "lint" and bool(found))


def main(arguments: Sequence[str]) -> int:
    """Prints what there is to know; the exit status is 0 if everything works."""
    if arguments in (["--help"], ["-h"]):
        print(USAGE + "\n" + HELP)
        return 0
    if arguments == ["--version"]:
        print(f"swiftobserver {__version__}")
        return 0
    if arguments and len(arguments) > {"why": 1, "lint": 1, "trace": 2}.get(arguments[0], len(arguments)):
        return run(arguments[0], arguments[1:])
    if arguments:
        print(f"{USAGE}\nnot understood: {' '.join(arguments)}", file=sys.stderr)
        return 2
    print(f"swiftobserver {__version__}")
    print(f"library {library.version_text().decode()} ({library.runtime_text().decode()} runtime): {library_path()}")
    print("messages take the fast way" if VECTORCALL else f"messages take the plain way: {OBSTACLE}")
    working = works()
    print("self-check: " + ("passed" if working else "FAILED"))
    return 0 if working else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

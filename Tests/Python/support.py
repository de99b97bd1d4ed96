# SPDX-License-Identifier: MIT
"""Small helpers: other interpreters, C compilers, threads whose failures are seen, when objects are released."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import swiftobserver
from swiftobserver.__main__ import library_path
from swiftobserver._library import ownership

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.append(str(CHECKOUT / "bindings" / "c" / "man"))
from declarations import functions as declared  # noqa: E402, F401
from declarations import parameters as parameters_of  # noqa: E402, F401

INCLUDE = CHECKOUT / "include"
HEADER = INCLUDE / "swiftobserver.h"
# The one for people, and what there is for the runtimes of languages.
HEADERS = [HEADER, *sorted((INCLUDE / "swiftobserver").glob("runtime.h"))]
PACKAGE = Path(swiftobserver.__file__).parent
# Whether an object is released at once when nothing refers to it, cycles apart.
COUNTS_REFERENCES = sys.implementation.name == "cpython"
each_kind = pytest.mark.parametrize("native", [False, True], ids=["local", "native"])


def named(value):
    """What a test that is made for `value` is called: the same in every run, so without addresses."""
    return re.sub(" at 0x[0-9a-f]+", "", ascii(value))


def collect():
    """Releases all that is out of reach. PyPy takes a round for each link of a chain of objects with `__del__`."""
    for _ in range(1 if COUNTS_REFERENCES else 4):
        gc.collect()


def await_release():
    """Comes before a look whether something is released: on CPython it has to be already, PyPy must collect first."""
    if not COUNTS_REFERENCES:
        collect()


def library() -> Path:
    """The shared library that these tests run with."""
    return Path(library_path()).resolve()


def run_python(code, *arguments, environment=None, check=False):
    """Runs code in an interpreter of its own, with the same package and library, warnings as errors."""
    variables = dict(os.environ, PYTHONPATH=str(PACKAGE.parent), SWIFTOBSERVER_LIBRARY=str(library()))
    for name, value in (environment or {}).items():
        if value is None:
            variables.pop(name, None)
        else:
            variables[name] = value
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code), *arguments],
        env=variables,
        capture_output=True,
        text=True,
        check=check,
    )


def compile_c(source, target, *flags):
    """Compiles a C file that may use the header."""
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, f"-I{INCLUDE}", "-o", str(target), str(source), *flags], check=True)


def compile_library(source, target, *flags):
    """Compiles C source to a shared library."""
    path = target.with_suffix(".c")
    path.write_text(textwrap.dedent(source))
    compile_c(path, target, "-shared", "-fPIC", *flags)
    return target


def hearing(observable):
    """An observable, and the list of what comes from it from now on."""
    received = []
    observable.observe(received.append)
    return observable, received


def fail(message):
    """A handler."""
    raise ValueError(message)


class Thread(threading.Thread):
    """A thread that raises in join what was raised in it."""

    def __init__(self, function):
        super().__init__(daemon=True)
        self._function = function
        self._error = None
        self.start()

    def run(self):
        try:
            self._function()
        except BaseException as error:
            self._error = error

    def join(self, timeout=None):
        super().join(timeout)
        if self._error is not None:
            raise self._error


def join_all(threads):
    for each in threads:
        each.join()


def finalise(handle):
    """As the garbage collector does: no weak reference leads to it any more, and others may still use it."""
    ownership._living.pop(handle._address)
    handle.__del__()


class Instructions:
    """For `sys.settrace`: calls `trace` before each instruction of the package."""

    package = str(Path(swiftobserver.__file__).parent)

    def __call__(self, frame, event, argument):
        if not frame.f_code.co_filename.startswith(self.package):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self.trace


def skip_where_lines_are_counted():
    """For signals that come at any moment: inside the tracer of `coverage` they leave its lock taken."""
    if sys.gettrace() is not None:
        pytest.skip("a signal inside the tracer of coverage leaves its lock taken")


def interrupt(action):
    """Repeats it until Ctrl-C comes. Once: a second one, while the first is being noted, would have nowhere to go."""
    skip_where_lines_are_counted()
    is_armed = True

    def raise_once(*_):
        nonlocal is_armed
        if is_armed:
            is_armed = False
            raise KeyboardInterrupt

    # A function of its own: CPython 3.13 looks for no handler around the jump at the end of a loop.
    def repeat():
        while is_armed:
            action()

    before = signal.signal(signal.SIGALRM, raise_once)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0005)
        repeat()
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGALRM, before)

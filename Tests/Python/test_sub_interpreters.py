# SPDX-License-Identifier: MIT
"""Where a process has sub-interpreters, the library lets go of no interpreter lock that its thread does not hold."""

import sys

import pytest

from support import run_python

pytestmark = pytest.mark.skipif(sys.implementation.name != "cpython", reason="PyPy has no sub-interpreters")

BEGINNING = """
    import ctypes
    from swiftobserver import _library
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="older ones cannot tell")
def test_a_thread_without_the_interpreter_lock_is_known_beside_sub_interpreters():
    said = run_python(
        BEGINNING
        + """
    another = interpreters.create()
    address = _library._lock.is_held
    # The first lets go of the interpreter lock, the second does not.
    print([kind(ctypes.c_int)(address)() != 0 for kind in (ctypes.CFUNCTYPE, ctypes.PYFUNCTYPE)])
    # CPython 3.14 warns of those that are left at the end.
    interpreters.destroy(another)
    """,
        check=True,
    )
    assert said.stdout == "[False, True]\n"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="newer ones can tell")
def test_a_sub_interpreter_that_cannot_tell_names_no_lock():
    said = run_python(
        BEGINNING
        + """
    print(hasattr(_library, "_lock"), flush=True)
    here = interpreters.create()
    interpreters.run_string(here, "from swiftobserver import _library; assert not hasattr(_library, '_lock')")
    print("done")
    """,
        check=True,
    )
    assert said.stdout == "True\ndone\n"

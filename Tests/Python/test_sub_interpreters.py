# SPDX-License-Identifier: MIT
"""Sub-interpreters: in older Pythons the import is refused, in newer ones they send to handlers of their own, and the
library lets go of no interpreter lock that its thread does not hold."""

import sys

import pytest

from support import run_python

pytestmark = pytest.mark.skipif(sys.implementation.name != "cpython", reason="PyPy has no sub-interpreters")

BEGINNING = """
    import ctypes
    from swiftobserver._library import declarations as _library
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


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="newer ones are called from C in each interpreter")
@pytest.mark.parametrize("way", ["fast", "plain"])
@pytest.mark.parametrize("module", ["swiftobserver", "swiftobserver.relay", "swiftobserver._values.encoding"])
def test_in_a_sub_interpreter_of_an_older_python_the_import_is_refused(way, module):
    said = run_python(
        BEGINNING
        + f"""
    here = interpreters.create()
    interpreters.run_string(here, '''if True:
        try:
            import {module}
        except ImportError as error:
            print(error.name, error, flush=True)
    ''')
    interpreters.destroy(here)
    from swiftobserver import Messenger
    messenger = Messenger()
    messenger.observe(print)
    messenger.send("the main interpreter sends")
    """,
        environment={"SWIFTOBSERVER_WAY": way},
        check=True,
    )
    refusal, sent = said.stdout.splitlines()
    assert refusal.startswith("swiftobserver swiftobserver: this is a sub-interpreter, in which CPython cannot be")
    assert "WSGIApplicationGroup %{GLOBAL}" in refusal
    assert sent == "the main interpreter sends"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="older ones refuse")
@pytest.mark.parametrize("own_lock", [False, True] if sys.version_info >= (3, 13) else [False])
def test_a_sub_interpreter_sends_to_its_own_handlers(own_lock):
    said = run_python(
        BEGINNING
        + f"""
    import sys
    if sys.version_info >= (3, 13):
        here = interpreters.create("isolated" if {own_lock} else "legacy")
    else:
        here = interpreters.create(isolated={own_lock})
    interpreters.run_string(here, '''if True:
        from swiftobserver import Messenger
        messenger = Messenger()
        messenger.observe(lambda message: print(message, flush=True))
        messenger.send("received")
        del messenger
    ''')
    interpreters.destroy(here)
    """,
        check=True,
    )
    assert said.stdout == "received\n"

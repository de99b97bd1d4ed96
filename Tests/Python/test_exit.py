# SPDX-License-Identifier: MIT
"""The end of the interpreter, and fork: quiet, whatever is still observed."""

import pytest

from support import run_python

BEGINNING = """
import atexit, gc, os, sys, threading
from swiftobserver import Messenger, Observer, Var

class Thing:
    def __del__(self):
        pass

messenger, variable, observer = Messenger(), Var(Thing()), Observer()
mapped = messenger.map(lambda message: [message])
received = []
messenger.observe(received.append)
variable.observe(received.append)
observer.observe(mapped, received.append)
mapped.filter(bool).observe(received.append)
"""

ENDINGS = {
    "nothing more": "",
    "messages kept": "messenger.send(Thing()); variable.value = Thing()",
    "a cycle": "messenger._self = messenger; messenger.observe(lambda message: messenger); variable.value = variable",
    "an exit inside a handler": "messenger.observe(lambda message: sys.exit(0)); messenger.send(1)",
    "a thread that has sent": "thread = threading.Thread(target=messenger.send, args=(1,)); thread.start()",
    "a daemon that waits in a handler": """
entered = threading.Event()
def wait(message):
    entered.set()
    threading.Event().wait()
messenger.observe(wait)
threading.Thread(target=messenger.send, args=(1,), daemon=True).start()
entered.wait()
messenger.send(2)
""",
    "a daemon that sends for ever": """
sent = threading.Event()
def send():
    while True:
        messenger.send(Thing())
        sent.set()
threading.Thread(target=send, daemon=True).start()
sent.wait()
""",
    "objects in another module": "sys.modules['keeper'] = messenger; sys.keeper = [variable, observer]",
    "the package taken out of sys.modules": """
for name in [name for name in sys.modules if name.startswith('swiftobserver')]:
    del sys.modules[name]
gc.collect()
""",
    "observing at exit": "atexit.register(lambda: messenger.observe(print))",
    "a send from a destructor": """
class Parting:
    def __del__(self, send=messenger.send):
        send('farewell')
sys.parting = Parting()
""",
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
def test_the_interpreter_ends_in_silence(ending):
    result = run_python(BEGINNING + ending)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_no_handler_is_called_once_the_interpreter_is_ending():
    result = run_python(
        """
        import atexit

        @atexit.register
        def too_late():
            messenger.send("too late")
            print("at exit:", observation.is_living)

        from swiftobserver import Messenger
        messenger = Messenger()
        observation = messenger.observe(print)
        messenger.send("in time")
        """
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "in time\nat exit: False\n", "")


def test_what_c_code_keeps_is_stopped_at_exit_too():
    result = run_python(
        """
        import atexit

        @atexit.register
        def too_late():
            set_to(3)
            print("at exit:", observation.is_living)

        from ctypes import addressof
        from swiftobserver import Var
        from swiftobserver._library import declarations as library
        from swiftobserver._values.encoding import encode

        def set_to(number):
            value = encode(number)
            library.variable_set(pointer, addressof(value), None)

        variable = Var(1, native=True)
        pointer = library.observable_retain(variable.pointer)
        observation = variable.observe(print)
        del variable
        set_to(2)
        """
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "Update(old=1, new=2)\nat exit: False\n", "")


def test_a_program_may_fork_inside_a_handler():
    result = run_python(
        BEGINNING
        + """
def handler(message):
    if message == "fork":
        child = os.fork()
        messenger.send("child" if child == 0 else "parent", author=Thing())
        if child:
            pid, status = os.waitpid(child, 0)
            assert status == 0

messenger.observe(handler)
messenger.send("fork")
assert received.count("child") + received.count("parent") == 1
"""
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_what_still_sends_when_the_interpreter_goes_crashes_nothing():
    result = run_python(
        """
        import sys
        from swiftobserver import Messenger, Var
        class Owner:
            def __init__(self):
                self.messenger, self.variable, self.me = Messenger(), Var(0), self
                self.messenger.observe(print)
                self.messenger.map(str).observe(print)
            def __del__(self):
                self.messenger.send(1)
                self.variable.value += 1
        owner = Owner()
        owner.messenger.send(0)
        sys.kept = owner
        del owner
        """,
        environment={"MALLOC_PERTURB_": "85", "PYTHONMALLOC": "malloc_debug"},
    )
    assert (result.returncode, result.stdout) == (0, "0\n0\n")


def test_threads_that_make_observables_while_the_interpreter_goes_fail_nothing():
    result = run_python(
        """
        import sys, threading
        from swiftobserver import Messenger
        sys.setswitchinterval(1e-6)
        kept, started = [Messenger() for _ in range(3000)], threading.Barrier(4)
        def work():
            [Messenger() for _ in range(50)]
            started.wait()
            while True:
                [Messenger() for _ in range(50)]
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        started.wait()
        """
    )
    assert (result.returncode, result.stderr) == (0, "")

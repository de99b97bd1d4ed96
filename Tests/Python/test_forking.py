# SPDX-License-Identifier: MIT
"""What a child process may do with what it has inherited, whatever other threads were doing when it was made."""

import pytest

from support import run_python

BEGINNING = """
import gc, os, sys, threading
from swiftobserver import Messenger, Var, bind, events

def in_child(work):
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    pid, status = os.waitpid(child, 0)
    return os.WEXITSTATUS(status)

class Elsewhere:
    "Another thread that holds something until it is told to go on."
    def __init__(self, hold):
        self.held, self.leave = threading.Event(), threading.Event()
        def run():
            with hold:
                self.held.set()
                self.leave.wait()
        self.thread = threading.Thread(target=run)
        self.thread.start()
        assert self.held.wait()

    def end(self):
        self.leave.set()
        self.thread.join()

received = []
"""


def succeeds(program):
    # CPython 3.12 warns of every fork of a process with threads.
    result = run_python("import warnings; warnings.simplefilter('ignore', DeprecationWarning)\n" + BEGINNING + program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_the_child_has_everything_as_it_was_and_the_parent_does_not_notice():
    succeeds(
        """
messenger, variable = Messenger(), Var(1)
observation = messenger.observe(received.append)
variable.new().observe(received.append, weak=True)
gc.collect()
doubled = variable.new().map(lambda number: number * 2)
doubled.observe(received.append)
recent = messenger.replaying(1)
messenger.send("before")

def work():
    messenger.send("in the child")
    variable.value = 5
    assert received == ["before", "in the child", 10], received
    recent.observe(received.append, replay="all")
    assert received[-1] == "in the child"
    assert observation.stop()

assert in_child(work) == 0
assert received == ["before"] and observation.is_living and variable.value == 1
messenger.send("after")
assert received == ["before", "after"]
"""
    )


@pytest.mark.parametrize(
    "hold",
    [
        "variable._store.lock",
        "__import__('swiftobserver._values.pause', fromlist=['lock']).lock",
        "__import__('swiftobserver._extras.attributes', fromlist=['lock']).lock",
        "__import__('swiftobserver._core.authors', fromlist=['_lock'])._lock",
        "binding._copies._taking",
        "elsewhere._executor._lock",
        "elsewhere._executor._running",
    ],
)
def test_a_lock_that_another_thread_held_is_free_in_the_child(hold):
    succeeds(
        f"""
variable, other, jobs = Var(1), Var(1), []
binding = bind(variable, other, both=True)
elsewhere = variable.observe(received.append, on=jobs.append)
thread = Elsewhere({hold})

class Dog:
    age = Var.attribute(1)

def work():
    with variable.paused(), variable.batch():
        variable.set(2, author="me")
        variable.update(lambda number: number + 1)
    assert (variable.value, other.value) == (3, 3), (variable.value, other.value)
    jobs.pop()()
    assert received == [(1, 3)], received
    assert elsewhere.stop(wait=True)
    assert Dog().age.value == 1

assert in_child(work) == 0
thread.end()
"""
    )


def test_a_thread_that_forks_inside_a_lock_of_its_own_goes_on_in_the_child():
    succeeds(
        """
variable = Var(1)
lock = variable._store.lock

def work():
    variable.value = 2
    assert variable.value == 2

with lock:
    status = in_child(work)
assert status == 0
variable.value = 3
"""
    )


def test_a_process_may_fork_while_a_binding_copies():
    succeeds(
        """
one, other = Var(1), Var(1)
binding = bind(one, other, both=True)

@other.observe
def fork(update):
    if update.new == 2:
        child = os.fork()
        if child == 0:
            received.append("child")
            return
        pid, status = os.waitpid(child, 0)
        assert status == 0

one.value = 2
one.value = 3
assert other.value == 3
sys.stdout.flush()
os._exit(0) if received else None
"""
    )


def test_a_process_may_fork_in_a_replay():
    succeeds(
        """
source = Messenger()
recent = source.replaying(1)
source.send(1)
forked = []

def fork_and_send(message):
    received.append(message)
    if not forked:
        forked.append(in_child(lambda: source.send(3)))
        source.send(2)

observation = recent.observe(fork_and_send, replay=1)
assert (forked, received) == ([0], [1, 2]), (forked, received)

def work():
    source.send(3)
    assert received == [1, 2, 3], received

assert in_child(work) == 0
"""
    )


def test_what_waits_for_a_thread_is_not_delivered_in_the_child():
    succeeds(
        """
messenger, jobs = Messenger(), []
messenger.observe(received.append, on=jobs.append)
messenger.send("the parent's")

def work():
    messenger.send("the child's")
    for job in jobs:
        job()
    assert received == ["the child's"], received

assert in_child(work) == 0
for job in jobs:
    job()
assert received == ["the parent's"]
"""
    )


def test_an_observable_to_which_another_thread_was_sending_is_silent_in_the_child_and_no_other_is():
    succeeds(
        """
busy, idle = Messenger(), Messenger()
entered, leave = threading.Event(), threading.Event()

@busy.observe
def wait(message):
    if message == "wait":
        entered.set()
        leave.wait()

busy.observe(received.append)
idle.observe(received.append)
thread = threading.Thread(target=busy.send, args=("wait",))
thread.start()
assert entered.wait()

def work():
    busy.send("lost")
    idle.send("arrives")
    assert received == ["arrives"], received

assert in_child(work) == 0
busy.send("arrives here")
leave.set()
thread.join()
assert received == ["wait", "arrives here"], received
"""
    )


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_variables_go_to_processes_and_come_back(method, tmp_path):
    (tmp_path / "work_of_processes.py").write_text("def add(variable):\n    variable.value += 1\n    return variable\n")
    succeeds(
        f"""
import multiprocessing
sys.path.insert(0, {str(tmp_path)!r})
from work_of_processes import add

if __name__ == "__main__":
    variable = Var(1, name="counter")
    variable.observe(received.append)
    with multiprocessing.get_context({method!r}).Pool(1) as pool:
        twin = pool.apply(add, (variable,))
        pool.close()
        pool.join()
    assert (variable.value, twin.value, twin.name, received) == (1, 2, "counter", [])
"""
    )


def test_the_child_of_a_multiprocessing_program_uses_what_it_has_inherited():
    succeeds(
        """
import multiprocessing
messenger = Messenger()
context = multiprocessing.get_context("fork")
receiver, sender = context.Pipe(False)
messenger.observe(sender.send)
process = context.Process(target=messenger.send, args=("from the child",))
process.start()
assert receiver.poll(None) and receiver.recv() == "from the child"
process.join()
assert process.exitcode == 0
"""
    )

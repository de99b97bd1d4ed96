# SPDX-License-Identifier: MIT
"""What is meant to end the program, like KeyboardInterrupt, ends a delivery early, and what waits stays in line."""

import ast
import dis
import re
import signal
import sys
from pathlib import Path
from threading import get_ident
from types import CodeType

import pytest

import swiftobserver
from support import Thread, each_kind, interrupt, skip_where_lines_are_counted
from swiftobserver import Messenger, Observer, Update, Var
from swiftobserver._library.threads import RLock

WAYS = ["itself", "mapped", "filtered", "passed on", "by a messenger", "set", "paused", "unordered"]


@each_kind
@pytest.mark.parametrize("way", WAYS)
def test_what_is_meant_to_end_the_program_ends_the_delivery_and_nothing_is_lost(way, native):
    """Ctrl-C in a handler, before others and before 1000 messages that wait: those arrive before what is sent next."""
    if way == "paused" and native:
        pytest.skip("what C code can reach is not paused")
    source = Var(-1, native=native) if way == "set" else Messenger(native=native)
    send = source.set if way == "set" else source.send
    source.ordered = way != "unordered"
    other = Messenger()
    ends = {
        "mapped": lambda: source.map(lambda number: number),
        "filtered": lambda: source.filter(lambda number: True).new(),
        "passed on": lambda: source.cache().from_(source),
        "by a messenger": lambda: other,
    }
    end, received = ends.get(way, lambda: source)(), []

    def number_of(message):
        return message.new if isinstance(message, Update) else message

    def press(message):
        received.append(number_of(message))
        if number_of(message) == 0 and way not in ("paused", "unordered"):
            for number in range(1, 1000):
                send(number)
        if number_of(message) == 5:
            signal.raise_signal(signal.SIGINT)

    if way == "by a messenger":
        source.observe(other.send)
    end.observe(press)
    end.observe(lambda message: received.append(-number_of(message)))
    with pytest.raises(KeyboardInterrupt):
        if way == "paused":
            with source.paused():
                for number in range(1000):
                    send(number)
        else:
            send(0)
            if way == "unordered":
                for number in range(1, 1000):
                    send(number)
    in_order = [each for number in range(1000) for each in (number, -number)]
    assert received == in_order[:12]
    send(2000)
    assert received == (in_order[:12] if way == "unordered" else in_order) + [2000, -2000]


@each_kind
def test_what_ends_the_program_loses_nothing_that_other_threads_or_handlers_have_sent(native):
    outer, inner, elsewhere = (Messenger(native=native) for _ in range(3))
    number, received = Var(0, native=native), []

    def begin(message):
        if message == "end":
            outer.send("of this thread")
            Thread(lambda: (outer.send("of another thread"), elsewhere.send("to another observable"))).join()
            number.value = 1

    def end(update):
        if update.new == 1:
            inner.send("before")
            number.value = 2
            raise SystemExit

    outer.observe(begin)
    number.observe(end)
    for each in outer, inner, elsewhere, number:
        each.observe(received.append)
    with pytest.raises(SystemExit):
        outer.send("end")
    assert received == ["to another observable", "before", Update(0, 1), "end"]
    assert number.value == 2
    del received[:]
    outer.send("next")
    number.value = 3
    assert received == ["of this thread", "of another thread", "next", Update(1, 2), Update(2, 3)]


def test_another_thread_goes_on_with_a_delivery_that_was_interrupted():
    messenger, received = Messenger(), []

    def press(message):
        received.append((get_ident() == here, message))
        if message == 1:
            messenger.send(2)
            raise KeyboardInterrupt

    here = get_ident()
    messenger.observe(press)
    with pytest.raises(KeyboardInterrupt):
        messenger.send(1)
    Thread(lambda: messenger.send(3)).join()
    assert received == [(True, 1), (False, 2), (False, 3)]


def test_an_endless_delivery_ends_at_each_interrupt_and_goes_on_where_it_was():
    numbers, received = Messenger(), []

    def count(number):
        received.append(number)
        numbers.send(number + 1)
        if number % 100 == 99:
            raise KeyboardInterrupt

    observation = numbers.observe(count)
    for last in 99, 199:
        with pytest.raises(KeyboardInterrupt):
            numbers.send(0)
        assert received.pop() == last
    observation.stop()
    numbers.send(0)


def test_an_interrupt_while_values_are_compared_changes_nothing():
    class Pressing:
        def __eq__(self, other):
            raise KeyboardInterrupt

    for variable in Var(Pressing()), Var(Pressing(), equals=lambda old, new: old == new):
        old = variable.value
        with variable.observe(pytest.fail), pytest.raises(KeyboardInterrupt):
            variable.value = Pressing()
        assert variable.value is old


def test_an_interrupt_in_a_replay_ends_it():
    memory = Messenger().replaying(1000)
    source, received = memory._origins().__next__(), []
    for number in range(1000):
        source.send(number)

    def press(message):
        received.append(message)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.observe(press, replay="all")
    assert (received, memory.count) == ([0], 0)


def test_who_catches_what_ends_the_program_goes_on():
    outer, inner, received = Messenger(), Messenger(), []

    def handler(message):
        received.append(message)
        try:
            inner.send(message)
        except SystemExit:
            received.append("caught")

    def leave(message):
        raise SystemExit

    inner.observe(leave)
    outer.observe(handler)
    outer.observe(received.append)
    outer.send(1)
    assert received == [1, "caught", 1]


@pytest.mark.skipif(sys.version_info < (3, 10), reason="it takes interrupts between a block's end and `__exit__`")
def test_an_interrupt_leaves_no_lock_taken():
    """Which the next thread would wait for without end. CPython 3.14 also interrupts right after a lock was taken."""
    lock = RLock()

    def take_twice():
        with lock:
            with lock:
                pass

    for _ in range(300):
        interrupt(take_twice)
        assert not lock._is_owned()


def test_every_lock_of_the_package_is_one_that_no_interrupt_leaves_taken():
    for path in Path(swiftobserver.__file__).parent.rglob("*.py"):
        if path.name != "threads.py":
            assert not re.search(r"(_thread|threading) import .*\bRLock|threading\.RLock", path.read_text()), path.name


@pytest.mark.skipif(sys.version_info < (3, 12), reason="it has handlers around every instruction")
def test_an_interrupt_at_the_end_of_a_loop_meets_what_is_around_it():
    """There CPython 3.12 to 3.14 take interrupts and have no handlers: such a loop is a function of its own."""

    def guards(tree):
        for each in ast.walk(tree):
            caught = [ast.unparse(one.type) if one.type else "BaseException" for one in getattr(each, "handlers", ())]
            if (
                isinstance(each, ast.With)
                or getattr(each, "finalbody", ())
                or re.search("BaseE|Interrupt", str(caught))
            ):
                yield range(each.body[0].lineno, each.body[-1].end_lineno + 1)

    def bare_ends(code):
        handled = [range(each.start, each.end) for each in dis.Bytecode(code).exception_entries]
        for each in dis.get_instructions(code):
            if (
                each.opname == "JUMP_BACKWARD"
                and not any(each.offset in one for one in handled)
                and any(each.argval in one for one in handled)
            ):
                yield each.positions.lineno
        for each in code.co_consts:
            # What is in a comprehension or a generator has no handlers but its own.
            if isinstance(each, CodeType) and not each.co_name.startswith("<"):
                yield from bare_ends(each)

    for path in Path(swiftobserver.__file__).parent.rglob("*.py"):
        text = path.read_text()
        lines = [line for each in guards(ast.parse(text)) for line in each]
        assert not [line for line in bare_ends(compile(text, path.name, "exec")) if line in lines], path.name


@pytest.mark.parametrize("make", [Messenger, lambda: Var(1), lambda: Var(1, native=True), Observer])
def test_what_an_interrupt_leaves_half_made_is_dropped_without_a_word(make):
    # What a finaliser raises is printed, and is an error here.
    skip_where_lines_are_counted()
    is_made, lines = False, 0

    def trace(frame, event, argument):
        nonlocal left
        if frame.f_code.co_name not in ("__init__", "_own", "_hold"):
            return None
        if event == "line":
            left -= 1
            if left < 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    while not is_made:
        left = lines
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            make()
            is_made = True
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(before)
        lines += 1
    assert lines > 5


@pytest.mark.parametrize("between", ["a send that is dropped", "a pause without a message"])
def test_what_an_interrupt_leaves_keeps_its_author_until_it_is_delivered(between):
    messenger, received = Messenger(), []

    def press(number, author):
        received.append((number, author))
        if number == 1:
            raise KeyboardInterrupt

    messenger.observe(press)
    with pytest.raises(KeyboardInterrupt):
        with messenger.paused():
            messenger.send(1)
            messenger.send(2, author="somebody")
    if between == "a send that is dropped":
        with messenger.blocked():
            messenger.send(3, author="another")
    else:
        with messenger.paused():
            pass
    messenger.send(4)
    assert received == [(1, messenger), (2, "somebody"), (4, messenger)]

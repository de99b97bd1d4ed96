# SPDX-License-Identifier: MIT
"""The fast way and the plain one: which is taken, and what the fast one has to get right by itself."""

import sys
import weakref

import pytest

from support import COUNTS_REFERENCES, await_release, collect, fail, hearing, run_python
from swiftobserver import HandlerError, Messenger, Var
from swiftobserver._library import environment as _environment

fast_only = pytest.mark.skipif(not _environment.VECTORCALL, reason=f"plain way: {_environment.OBSTACLE}")


def test_the_plain_way_can_be_asked_for():
    code = "from swiftobserver._library import environment; print(environment.VECTORCALL, environment.OBSTACLE)"
    result = run_python(code, environment={"SWIFTOBSERVER_WAY": "plain"})
    assert (result.stdout, result.stderr) == ("False SWIFTOBSERVER_WAY=plain\n", "")


def test_a_way_that_does_not_exist_is_the_plain_one():
    code = "from swiftobserver._library import environment; print(environment.VECTORCALL, environment.OBSTACLE)"
    result = run_python(code, environment={"SWIFTOBSERVER_WAY": "scenic"})
    assert result.stdout == 'False SWIFTOBSERVER_WAY is neither "fast" nor "plain"\n'


def test_the_fast_way_is_taken_where_python_is_what_it_needs():
    code = "from swiftobserver._library import environment; print(environment.VECTORCALL)"
    expected = sys.implementation.name == "cpython" and sys.version_info >= (3, 11) and "t" not in sys.abiflags
    assert run_python(code, environment={"SWIFTOBSERVER_WAY": None}).stdout == f"{expected}\n"


def test_sending_takes_the_arguments_that_it_says():
    received = []
    messenger = Messenger()
    messenger.observe(lambda message, author: received.append((message, author)))
    messenger.send(1)
    messenger.send(message=2)
    messenger.send(3, author="me")
    messenger.send(message=4, author="you")
    messenger.send(5, author=None)
    assert received == [(1, messenger), (2, messenger), (3, "me"), (4, "you"), (5, None)]
    received.clear()
    for arguments, named in [((), {}), ((1, 2), {}), ((1,), {"writer": 2}), (range(20), {}), ((1,), {"message": 1})]:
        with pytest.raises(TypeError):
            messenger.send(*arguments, **named)
    assert received == []


def test_a_subclass_may_send_in_its_own_way():
    class Shouting(Messenger):
        def send(self, message, **options):
            super().send(message.upper(), **options)

    messenger, received = hearing(Shouting())
    messenger.send("hello")
    assert received == ["HELLO"]


def test_a_bound_send_keeps_its_messenger_alive():
    messenger, received = hearing(Messenger())
    send = messenger.send
    del messenger
    collect()
    send(1)
    assert received == [1]


def test_a_failure_is_seen_through_a_debugger():
    traced = []

    def trace(frame, event, argument):
        traced.append(event)
        return trace

    messenger = Messenger()

    def handler(message):
        raise ValueError(message)

    messenger.observe(handler)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with pytest.raises(HandlerError, match="ValueError: reason"):
            messenger.send("reason")
    finally:
        sys.settrace(before)
    assert "exception" in traced


def test_a_failure_tells_its_lines_and_no_others():
    messenger = Messenger()

    def handler(message):
        raise ValueError(message)

    messenger.observe(handler)
    with pytest.raises(HandlerError) as caught:
        messenger.send("reason")
    (exception,) = caught.value.exceptions
    lines = []
    trace = exception.__traceback__
    while trace:
        lines.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert lines[-1] == "handler"
    assert exception.__context__ is None


@fast_only
def test_a_failure_has_nothing_of_the_library_in_its_trace():
    messenger = Messenger()
    messenger.observe(lambda message: 1 / 0)
    with pytest.raises(HandlerError) as caught:
        messenger.send("reason")
    assert caught.value.exceptions[0].__traceback__.tb_next is None


def test_failures_of_a_send_inside_a_handler_are_told_apart_from_those_outside():
    inner, outer = Messenger(), Messenger()
    caught = []

    def forward(message):
        try:
            inner.send("inner")
        except HandlerError as error:
            caught.append([str(each) for each in error.exceptions])

    outer.observe(fail)
    inner.map(lambda message: message).observe(fail, weak=True)
    mapped = inner.map(lambda message: message)
    mapped.observe(fail)
    await_release()
    outer.observe(forward)
    outer.observe(fail)
    with pytest.raises(HandlerError) as error:
        outer.send("outer")
    assert [str(each) for each in error.value.exceptions] == ["outer", "outer"]
    assert caught == [["inner"]]


def test_a_handler_that_recurses_without_end_fails_as_others_do():
    messenger = Messenger()
    other = Messenger()
    messenger.observe(other.send)

    @other.observe
    def handler(message):
        handler_of(message)

    def handler_of(message):
        return handler_of(message)

    with pytest.raises(HandlerError, match="RecursionError"):
        messenger.send(1)
    with pytest.raises(HandlerError, match="RecursionError"):
        messenger.send(1)


def test_a_chain_of_messengers_beyond_the_limit_of_recursion_is_no_crash():
    result = run_python(
        """
        from swiftobserver import HandlerError, Messenger
        messengers = [Messenger() for _ in range(20_000)]
        for one, other in zip(messengers, messengers[1:]):
            one.observe(other.send)
        try:
            messengers[0].send(1)
        except (HandlerError, RecursionError):
            pass
        received = []
        messengers[-1].observe(received.append)
        messengers[-1].send(2)
        print(received)
        """
    )
    assert (result.returncode, result.stdout) == (0, "[2]\n")


def test_a_million_deliveries_leave_memory_as_it_was():
    messenger, variable = Messenger(), Var(0)
    for _ in range(100):
        messenger.observe(lambda message: [message])
        variable.observe(lambda update: [update])

    def deliver(count):
        for number in range(count):
            messenger.send(number)
            variable.value = number

    # A compiler at run time takes some itself, and later: it has seen all of it before.
    deliver(100 if COUNTS_REFERENCES else 5_000)
    collect()
    before = resident()
    deliver(5_000)
    collect()
    assert resident() - before < (500_000 if COUNTS_REFERENCES else 5_000_000)


def resident():
    with open("/proc/self/statm") as statistics:
        return int(statistics.read().split()[1]) * 4096


def test_a_cycle_through_a_variable_and_its_value_is_collected():
    class Owner:
        pass

    owner = Owner()
    owner.variable = Var(owner)
    owner.variable.observe(lambda update, owner=owner: None)
    owner.variable.value = [owner]
    released = weakref.ref(owner)
    del owner
    collect()
    assert released() is None


@pytest.mark.parametrize("make", [Messenger, lambda: Var(1), lambda: Messenger().map(str), lambda: Var(1).new()])
def test_only_what_was_made_for_c_has_a_pointer(make):
    with pytest.raises(ValueError, match="native=True"):
        make().pointer


@pytest.mark.parametrize("make", [lambda: Messenger(native=True), lambda: Var(1, native=True)])
def test_what_is_made_from_what_was_made_for_c_has_a_pointer_too(make):
    observable = make()
    mapped = observable.map(str)
    assert len({observable.pointer, mapped.pointer, mapped.filter(bool).pointer, mapped.new().pointer}) >= 2


def test_what_c_made_is_adopted():
    messenger, variable = Messenger(native=True), Var(1, native=True)
    adopted, received = hearing(Messenger.adopt(messenger.pointer))
    adopted.send(1)
    messenger.send("two")
    assert received == [1, "two"]
    same = Var.adopt(variable.pointer)
    same.observe(received.append)
    same.value = 5
    assert variable.value == 5
    assert received[-1] == (1, 5)
    del messenger, variable
    collect()
    adopted.send(3)
    assert (received[-1], same.value) == (3, 5)


def test_what_is_no_observable_of_c_is_not_adopted():
    for pointer in (0, -1, None, "text", 1.0, True):
        with pytest.raises(TypeError, match="pointer"):
            Messenger.adopt(pointer)
    messenger = Messenger(native=True)
    with pytest.raises(TypeError, match="pointer"):
        Var.adopt(messenger.pointer)

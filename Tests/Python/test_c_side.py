# SPDX-License-Identifier: MIT
"""C and Python observe the same observables, send to each other, and keep each other's objects."""

import copy
import ctypes
import pickle
import sys
from collections import Counter
from pathlib import Path

import pytest

from support import await_release, collect, compile_c, hearing, library
from swiftobserver import ForeignAuthor, ForeignObject, HandlerError, Messenger, Observer, Update, Var


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    target = tmp_path_factory.mktemp("in_c") / "in_c.so"
    linking = [f"-L{library().parent}", f"-l:{library().name}", "-lpthread"]
    compile_c(Path(__file__).with_name("in_c.c"), target, "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", *linking)
    side = ctypes.CDLL(str(target))
    pointer = ctypes.c_void_p
    for name, result, arguments in [
        ("begin", ctypes.c_uint64, [pointer]),
        ("what_was_heard", ctypes.c_char_p, []),
        ("by_whom", pointer, []),
        ("send_object", ctypes.c_int32, [pointer, ctypes.POINTER(ctypes.c_int), pointer]),
        ("send_int64", ctypes.c_int32, [pointer, ctypes.c_int64]),
        ("send_each_kind", ctypes.c_int32, [pointer]),
        ("still_retained", ctypes.c_int, []),
        ("send_from_two_threads", None, [pointer, ctypes.c_int64]),
        ("refusing_map", pointer, [pointer]),
        ("drop", None, [pointer]),
        ("keep", pointer, [pointer]),
    ]:
        function = getattr(side, name)
        function.restype, function.argtypes = result, arguments
    return side


@pytest.mark.parametrize(
    "message, heard",
    [
        (None, "null;"),
        (True, "bool 1;"),
        (-5, "int64 -5;"),
        (0.5, "double 0.5;"),
        ("täxt", "text täxt;"),
        (b"\0\xff", "2 bytes;"),
        (Update(1, "two"), "int64 1;text two;"),
    ],
)
def test_a_c_observer_understands_what_python_sends(in_c, message, heard):
    messenger = Messenger(native=True)
    assert in_c.begin(messenger.pointer)
    messenger.send(message)
    assert in_c.what_was_heard().decode() == heard


def test_what_lives_in_python_alone_has_no_pointer_and_says_how_to_get_one():
    for observable in (Messenger(), Var(1), Messenger().map(str)):
        with pytest.raises(ValueError, match="make it with native=True"):
            observable.pointer  # noqa: B018


def test_a_c_observer_is_given_any_other_object_by_its_address(in_c):
    messenger, message = Messenger(native=True), (1, 2)
    assert in_c.begin(messenger.pointer)
    messenger.send(message)
    assert in_c.what_was_heard().decode() == f"object {id(message):#x};"


def test_a_c_observer_understands_the_updates_of_a_variable_and_what_is_mapped(in_c):
    variable = Var(1, native=True)
    texts = variable.new().map(lambda number: "number " + str(number))
    assert in_c.begin(variable.pointer)
    variable.value = 2
    assert in_c.what_was_heard() == b"int64 1;int64 2;"
    assert in_c.begin(texts.pointer)
    variable.value = 3
    assert b"text number 3;" in in_c.what_was_heard()


def test_a_c_observer_is_given_the_author(in_c):
    messenger, other, author = Messenger(native=True), Messenger(native=True), object()
    assert in_c.begin(messenger.pointer)
    messenger.send(1)
    assert in_c.by_whom() == messenger.pointer
    messenger.send(1, author=author)
    assert in_c.by_whom() == id(author)
    messenger.send(1, author=other)
    assert in_c.by_whom() == other.pointer
    messenger.send(1, author=ForeignAuthor(4711))
    assert in_c.by_whom() == 4711


def test_python_understands_what_c_sends(in_c):
    messenger, received = hearing(Messenger(native=True))
    assert in_c.send_each_kind(messenger.pointer) == 0
    assert received[:2] == [(1, Update(1, "two")), ()]
    assert received[2:] == [None, True, -5, 0.5, "täxt", "", b"\0\xff", Update(1, "two")]
    assert [type(each) for each in received[2:5]] == [type(None), bool, int]


def test_python_keeps_and_passes_on_the_objects_of_c(in_c):
    other, variable = Messenger(native=True), Var(None, native=True)
    messenger, received = hearing(Messenger(native=True))
    numbers = [ctypes.c_int(number) for number in (5, 6, -7)]
    for number in numbers:
        assert in_c.send_object(messenger.pointer, number, None) == 0
    five, six, minus_seven = received
    assert isinstance(five, ForeignObject)
    assert five.address == ctypes.addressof(numbers[0])
    assert repr(five) == f"<ForeignObject at {five.address:#x}>"
    assert five == six
    assert five != minus_seven
    assert five != 5
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot copy or pickle an object of type ForeignObject"):
            copied(five)
    with pytest.raises(TypeError, match="unhashable"):
        hash(five)
    assert in_c.still_retained() == 3

    assert in_c.begin(other.pointer)
    other.send(six)
    assert in_c.what_was_heard().decode() == f"object {six.address:#x};"
    updates = []
    variable.observe(updates.append)
    variable.value = five
    variable.value = six
    variable.value = minus_seven
    assert [update.new.address for update in updates] == [five.address, minus_seven.address]
    assert variable.value == minus_seven

    received.clear()
    updates.clear()
    del five, six, minus_seven, variable
    collect()
    assert in_c.still_retained() == 0


def test_an_author_of_c_is_known_by_its_address(in_c):
    heard = []
    messenger = Messenger(native=True)
    messenger.observe(lambda message, author: heard.append(author))
    number = ctypes.c_int(1)
    in_c.send_object(messenger.pointer, number, 4711)
    in_c.send_object(messenger.pointer, number, None)
    in_c.send_object(messenger.pointer, number, messenger.pointer)
    assert heard[0] == ForeignAuthor(4711)
    assert heard[1] is messenger
    assert heard[2] is messenger
    heard.clear()


def test_threads_of_c_call_python_handlers(in_c):
    received, mapped = [], []
    messenger, observer, variable = Messenger(native=True), Observer(), Var(None, native=True)
    messenger.observe(received.append)
    tens = messenger.map(lambda number: [number])
    observer.observe(tens, mapped.append)
    tens.observe(variable.set)
    in_c.send_from_two_threads(messenger.pointer, 500)
    assert Counter(received) == Counter({number: 2 for number in range(500)})
    assert mapped == [[number] for number in received]
    assert variable.value == mapped[-1]


def test_what_python_queues_is_delivered_by_a_thread_of_c_with_its_author(in_c):
    class Author:
        pass

    heard = []
    messenger, author = Messenger(native=True), Author()

    def handler(message, author):
        heard.append((message, author))
        if message == 0 and len(heard) == 1:
            messenger.send("by an author who is kept", author=handler.author)
            messenger.send(["by nobody in particular"])

    handler.author = author
    messenger.observe(handler)
    in_c.send_int64(messenger.pointer, 0)
    assert heard == [(0, messenger), ("by an author who is kept", author), (["by nobody in particular"], messenger)]
    assert heard[1][1] is author
    heard.clear()


def test_a_failure_that_no_python_code_can_catch_is_reported_as_unraisable(in_c):
    received, reported = [], []
    messenger = Messenger(native=True)

    @messenger.observe
    def handler(number):
        raise ValueError(number)

    messenger.observe(received.append)
    hook, sys.unraisablehook = sys.unraisablehook, lambda report: reported.append(report.exc_value)
    try:
        assert in_c.send_int64(messenger.pointer, 5) == 0
    finally:
        sys.unraisablehook = hook
    assert received == [5]
    (error,) = reported
    assert isinstance(error, HandlerError)
    assert "handler test_a_failure_that_no_python_code_can_catch" in error.message
    assert [str(each) for each in error.exceptions] == ["5"]


def test_a_mapper_of_c_that_fails_is_reported_to_the_python_sender(in_c):
    messenger = Messenger(native=True)
    refusing = in_c.refusing_map(messenger.pointer)
    with pytest.raises(RuntimeError, match="callback"):
        messenger.send(1)
    in_c.drop(refusing)
    messenger.send(2)


def test_a_python_handler_serves_on_while_c_keeps_the_observable(in_c):
    released = []

    class Handler:
        def __init__(self):
            self.received = []

        def __call__(self, message, author):
            received.append((message, type(author)))

        def __del__(self):
            released.append(True)

    received = []
    messenger = Messenger(native=True)
    address = in_c.keep(messenger.pointer)
    messenger.observe(Handler())
    del messenger
    collect()
    assert not released
    assert in_c.send_int64(address, 1) == 0
    assert received == [(1, ForeignAuthor)]
    in_c.drop(address)
    await_release()
    assert released

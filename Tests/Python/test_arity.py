# SPDX-License-Identifier: MIT
"""What handlers are called with is decided when they are attached, and refused there if nothing fits."""

import functools
import inspect
from unittest.mock import Mock

import pytest

from support import each_kind, hearing
from swiftobserver import Messenger, Observer, Var
from swiftobserver._inspection import _demand, _demand_of_any, _demand_of_plain


def called_with(handler):
    messenger = Messenger()
    messenger.observe(handler)
    messenger.send("message", author="author")


class Methods:
    def message(self, message):
        return (message,)

    def both(self, message, author):
        return message, author

    def __call__(self, message, who):
        return message, who

    @classmethod
    def of_class(cls, message, author):
        return message, author

    @staticmethod
    def of_nothing(message):
        return (message,)

    def everything(*all):
        return all[1:]


def recording(function):
    """The function, its signature kept, and what it returned."""
    results = []

    @functools.wraps(function)
    def recorder(*arguments):
        results.append(function(*arguments))

    return recorder, results


@pytest.mark.parametrize(
    "function",
    [
        lambda message: (message,),
        lambda message, index=5: (message,) if index == 5 else "the default was overwritten",
        lambda *messages: messages,
        lambda message, *others: (message, *others),
        lambda message, *, keyword=1: (message,),
        lambda message=None: (message,),
        Methods().message,
        Methods.of_nothing,
        Methods().everything,
        functools.partial(lambda first, message: (message,), "first"),
    ],
)
def test_a_handler_of_one_gets_the_message(function):
    recorder, results = recording(function)
    called_with(recorder)
    assert results == [("message",)]
    called_with(function)


@pytest.mark.parametrize(
    "function",
    [
        lambda message, author: (message, author),
        lambda message, who: (message, who),
        lambda message, author=None: (message, author),
        lambda message, author, index=5: (message, author),
        lambda message, author, *others: (message, author),
        Methods().both,
        Methods(),
        Methods.of_class,
        functools.partial(lambda first, message, author: (message, author), "first"),
    ],
)
def test_a_handler_of_two_gets_the_author_too(function):
    recorder, results = recording(function)
    called_with(recorder)
    assert results == [("message", "author")]
    called_with(function)


@pytest.mark.parametrize(
    "handler",
    [
        lambda one, two, three: None,
        lambda message, *, keyword: None,
        functools.partial(lambda *, keyword: None),
        functools.partial(lambda message: None, 1, 2),
        functools.partial(lambda message: None, other=1),
        functools.partial(Methods(), 1, 2, 3),
    ],
)
def test_a_handler_that_cannot_take_a_message_is_refused_by_name(handler):
    messenger, observer = Messenger(), Observer()
    for attach in (messenger.observe, messenger.observe(), lambda each: observer.observe(messenger, each)):
        with pytest.raises(TypeError, match="handler must take"):
            attach(handler)


@pytest.mark.parametrize("handler", [None, 5, "text", [], object()])
def test_what_cannot_be_called_is_refused_by_name(handler):
    with pytest.raises(TypeError, match=f"handler must be callable, not {type(handler).__name__}"):
        Messenger().observe(handler)


def test_a_coroutine_function_is_refused():
    async def handler(message):
        pass

    class Handler:
        async def __call__(self, message):
            pass

    for each in (handler, Handler()):
        with pytest.raises(TypeError, match="handler must not be a coroutine function"):
            Messenger().observe(each)


def test_functions_written_in_c_serve_as_handlers():
    seen = set()
    messenger, received = hearing(Messenger())
    messenger.observe(seen.add)
    messenger.observe(dict)
    messenger.send(())
    assert received == [()]
    assert seen == {()}


def test_mocks_serve_as_handlers():
    mock = Mock()
    called_with(mock)
    mock.assert_called_once_with("message")


@pytest.mark.parametrize(
    "function",
    [
        lambda: 0,
        lambda a: 0,
        lambda a, b: 0,
        lambda a, b=1: 0,
        lambda a=1, b=2: 0,
        lambda a, b, c=3: 0,
        lambda a, *, b: 0,
        lambda a, *, b=1: 0,
        lambda a, /, author: 0,
        lambda **a: 0,
        Methods().message,
        Methods().both,
        Methods.of_class,
    ],
)
def test_the_short_way_for_plain_functions_finds_what_the_signature_says(function):
    assert _demand_of_plain(function) == _demand_of_any(function)


def test_the_short_way_leaves_the_rest_to_the_signature():
    @functools.wraps(lambda message: None)
    def wrapped(*arguments):
        pass

    def signed(*arguments):
        pass

    signed.__signature__ = inspect.Signature()
    for function in (
        wrapped,
        signed,
        lambda message, *others: None,
        print,
        Methods(),
        Methods,
        functools.partial(print),
        Methods().everything,
    ):
        assert _demand_of_plain(function) is None


@pytest.mark.parametrize("make", [lambda: [].append, lambda: functools.partial(print, 1), Methods, lambda: str])
def test_what_inspect_says_of_a_callable_is_asked_once(make, monkeypatch):
    messenger = Messenger()
    messenger.observe(make()).stop()
    monkeypatch.delattr(inspect, "signature")
    messenger.observe(make()).stop()


@pytest.mark.parametrize(
    "make",
    [
        lambda results: functools.partial(lambda prefix, message: results.append((prefix, message)), 1),
        lambda results: functools.partial(lambda prefix, message, author: results.append((message, author)), 1),
        lambda results: functools.partial(lambda message, author: results.append((message, author))),
        lambda results: functools.partial(lambda *everything: results.append(everything), 1),
    ],
)
def test_a_partial_is_called_as_its_function_is(make):
    results = []
    partial = make(results)
    assert _demand(partial, "handler") == _demand_of_any(partial)
    messenger = Messenger()
    messenger.observe(partial)
    messenger.send("message", author="author")
    assert results[0] in [(1, "message"), ("message", "author")]


def test_a_partial_of_what_does_not_tell_is_called_with_the_message():
    seen = {}
    messenger = Messenger()
    messenger.observe(functools.partial(dict.update, seen))
    messenger.observe(functools.partial(functools.partial(seen.__setitem__, "key")))
    messenger.send({1: 2})
    assert seen == {1: 2, "key": {1: 2}}


class Counter:
    count = 0

    def increase(self):
        self.count += 1


@each_kind
@pytest.mark.parametrize("options", [{}, {"once": True}, {"replay": "latest"}, {"on": lambda job: job()}])
def test_a_handler_without_parameters_is_called_with_nothing(options, native):
    variable, calls, counter = Var(1, native=native), [], Counter()
    variable.observe(lambda: calls.append(1), **options)
    variable.observe([1].clear, **options)
    variable.observe(functools.partial(lambda message: calls.append(message), 1), **options)
    variable.observe(counter.increase, **options)
    variable.value = 2
    replayed = options.get("replay") is not None
    assert (calls, counter.count) == ([1, 1] * (1 + replayed), 1 + replayed)


def test_a_handler_for_two_values_of_an_update_is_refused_with_a_hint():
    with pytest.raises(TypeError, match="handler must take one update, with its .old and .new: .* takes two values"):
        Var(1).observe(lambda old, new: None)


def test_a_generator_function_is_refused():
    def generate(message):
        yield message

    async def generate_later(message):
        yield message

    for function in (generate, generate_later):
        with pytest.raises(TypeError, match="generator function: .*generate.* would never run"):
            Messenger().observe(function)
    with pytest.raises(TypeError, match="mapper must not be a generator function"):
        Messenger().map(generate)

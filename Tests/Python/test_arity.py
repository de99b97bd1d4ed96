# SPDX-License-Identifier: MIT
"""What handlers are called with is decided when they are attached, and refused there if nothing fits."""

import asyncio
import functools
import inspect
from unittest import mock
from unittest.mock import AsyncMock, MagicMock, Mock, create_autospec

import pytest

from support import each_kind, hearing
from swiftobserver import Messenger, Observer, Var
from swiftobserver._library.inspection import _demand, _demand_of_any, _demand_of_plain


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
        lambda message, author=None: (message, author),
        lambda message, author, index=5: (message, author),
        lambda message, author, *others: (message, author),
        Methods().both,
        Methods.of_class,
        functools.partial(lambda first, message, author: (message, author), "first"),
    ],
)
def test_a_handler_of_two_gets_the_author_too(function):
    recorder, results = recording(function)
    called_with(recorder)
    assert results == [("message", "author")]
    called_with(function)


def test_the_second_of_two_is_the_author_whatever_it_is_called():
    results = []
    called_with(lambda message, who: results.append((message, who)))
    handler = Methods()
    handler.message = results.append
    called_with(handler)
    assert results == [("message", "author")]


def injecting(*others, last=False, **keywords):
    """A decorator that gives a function more than it is given."""

    def decorate(function):
        @functools.wraps(function)
        def inner(*arguments, **options):
            each = (*arguments, *others) if last else (*others, *arguments)
            return function(*each, **options, **keywords)

        return inner

    return decorate


class Decorated:
    def __init__(self):
        self.results = []

    @injecting("database")
    def first(self, message):
        raise AssertionError("the first argument of a method is no database")

    @injecting("last", last=True)
    def last(self, message, database):
        self.results.append((message, database))

    @injecting("last", last=True)
    def with_author(self, message, author, database):
        self.results.append((message, author, database))

    @functools.singledispatchmethod
    def dispatched(self, message):
        self.results.append(("any", message))

    @dispatched.register
    def _(self, message: str):
        self.results.append(("str", message))

    @functools.singledispatchmethod
    def dispatched_with_author(self, message, author):
        self.results.append((message, author))

    @mock.patch("os.getcwd", return_value="/somewhere")
    def patched(self, message, getcwd):
        self.results.append((message, getcwd()))

    bound = functools.partialmethod(lambda self, prefix, message: self.results.append((prefix, message)), "prefix")


def test_a_decorated_method_is_called_with_one_argument_if_it_can_be():
    thing = Decorated()
    for handler in (thing.last, thing.with_author, thing.dispatched, thing.dispatched_with_author, thing.patched):
        called_with(handler)
    called_with(thing.bound)
    assert thing.results == [
        ("message", "last"),
        ("message", "author", "last"),
        ("str", "message"),
        ("message", "author"),
        ("message", "/somewhere"),
        ("prefix", "message"),
    ]


@pytest.mark.parametrize(
    "decorate, function, expected",
    [
        (injecting("database"), lambda database, message: (database, message), ("database", "message")),
        (injecting("database"), lambda database, message, author: (message, author), ("message", "author")),
        (injecting("database", last=True), lambda message, database: (message, database), ("message", "database")),
        (injecting(database=1), lambda message, database: (message, database), ("message", 1)),
        (injecting(database=1), lambda message, *, database: (message, database), ("message", 1)),
        (injecting(), lambda message: (message,), ("message",)),
        (injecting(), lambda message, author: (message, author), ("message", "author")),
        (injecting(), lambda: (), ()),
        (functools.lru_cache, lambda message, who: (message, who), ("message", "author")),
        (functools.singledispatch, lambda message: (message,), ("message",)),
        (functools.singledispatch, lambda message, author: (message, author), ("message", "author")),
        (mock.patch("os.getcwd", return_value=1), lambda message, getcwd: (message, getcwd()), ("message", 1)),
        (mock.patch("os.getcwd", lambda: 1), lambda message, author: (message, author), ("message", "author")),
    ],
)
def test_what_a_decorator_adds_is_not_asked_of_the_sender(decorate, function, expected):
    results = []

    @functools.wraps(function)
    def recorder(*arguments, **options):
        results.append(function(*arguments, **options))

    decorated = decorate(recorder)
    called_with(decorated)
    called_with(functools.partial(decorated))
    assert results == [expected, expected] or (decorate is functools.lru_cache and results == [expected])


def test_a_decorated_function_serves_wherever_a_function_does():
    by_ten = injecting(10)(lambda factor, number: number * factor)
    is_large = injecting(5)(lambda limit, number: number > limit)
    clamp = injecting(7)(lambda most, number: min(most, number))
    alike = injecting(1)(lambda distance, one, other: abs(one - other) <= distance)
    numbers, received = Messenger(), []
    numbers.filter(is_large).map(by_ten).observe(received.append)
    numbers.send(3)
    numbers.send(6)
    level = Var(0, equals=alike, validator=clamp)
    level.value = 1
    level.value = 9
    level.update(injecting(2)(lambda step, number: number - step))
    assert (received, level.value) == ([60], 5)


def test_a_decorated_handler_for_two_values_of_an_update_is_refused_with_a_hint():
    with pytest.raises(TypeError, match="takes two values"):
        Var(1).observe(injecting()(lambda old, new: None))


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


class Screen:
    def show(self, message): ...

    def show_both(self, message, author): ...

    async def show_later(self, message): ...

    @classmethod
    def of_class(cls, message, author): ...

    @staticmethod
    def of_nothing(message): ...

    def __call__(self, message): ...


def of_one(message): ...


def of_two(message, author): ...


def of_none(): ...


async def later(message): ...


ONE, TWO, NONE = mock.call("message"), mock.call("message", "author"), mock.call()


@pytest.mark.parametrize(
    "make, call",
    [
        (Mock, ONE),
        (MagicMock, ONE),
        (lambda: Mock(spec=of_one), ONE),
        (lambda: Mock(spec=of_two), TWO),
        (lambda: Mock(spec=of_none), NONE),
        (lambda: MagicMock(spec=of_one), ONE),
        (lambda: MagicMock(spec_set=of_two), TWO),
        (lambda: Mock(spec=Screen), ONE),
        (lambda: Mock(spec=Screen()), ONE),
        (lambda: Mock(spec=Screen()).show, ONE),
        (lambda: Mock(spec=print), ONE),
        (lambda: Mock(wraps=of_one), ONE),
        (lambda: Mock(wraps=of_two), TWO),
        (lambda: Mock(side_effect=of_two), TWO),
        (lambda: Mock(return_value=5).method, ONE),
        (lambda: create_autospec(of_one), ONE),
        (lambda: create_autospec(of_two), TWO),
        (lambda: create_autospec(of_none), NONE),
        (lambda: create_autospec(lambda message, who: None), TWO),
        (lambda: create_autospec(Screen, instance=True), ONE),
        (lambda: create_autospec(Screen, instance=True).show, ONE),
        (lambda: create_autospec(Screen, instance=True).show_both, TWO),
        (lambda: create_autospec(Screen).of_class, TWO),
        (lambda: create_autospec(Screen).of_nothing, ONE),
    ],
)
def test_a_mock_is_called_as_what_it_stands_for(make, call):
    handler = make()
    called_with(handler)
    assert handler.call_args_list == [call]


def test_a_method_that_is_patched_is_called_as_it_was():
    screen = Screen()
    with mock.patch.object(Screen, "show") as show, mock.patch.object(Screen, "show_both", autospec=True) as both:
        called_with(screen.show)
        called_with(screen.show_both)
    show.assert_called_once_with("message")
    both.assert_called_once_with(screen, "message", "author")


def test_mocks_serve_wherever_functions_do():
    mapper, predicate = Mock(spec=of_one, return_value=2), create_autospec(of_one, return_value=True)
    equals, validator = Mock(spec=lambda one, other: 0, return_value=False), create_autospec(of_one, return_value=5)
    numbers, received = Messenger(), []
    numbers.filter(predicate).map(mapper).observe(received.append)
    numbers.failure_handler = Mock(spec=of_one)
    numbers.send(1)
    level = Var(0, equals=equals, validator=validator)
    level.value = 7
    assert (received, level.value) == ([2], 5)
    assert [each.call_count for each in (mapper, predicate, validator)] == [1, 1, 2]


MOCKS_OF_COROUTINES = [
    AsyncMock,
    lambda: create_autospec(later),
    lambda: create_autospec(Screen, instance=True).show_later,
    lambda: Mock(spec=Screen()).show_later,
]


@pytest.mark.parametrize("make", MOCKS_OF_COROUTINES)
async def test_a_mock_of_a_coroutine_function_is_awaited(make):
    handler, messenger = make(), Messenger()
    messenger.observe(handler)
    messenger.send("message")
    while not handler.await_count:
        await asyncio.sleep(0)
    assert handler.await_args_list == [ONE]


@pytest.mark.parametrize("make", MOCKS_OF_COROUTINES)
def test_a_mock_of_a_coroutine_function_is_refused_where_no_loop_runs(make):
    with pytest.raises(TypeError, match="coroutine function"):
        Messenger().observe(make())


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

    class Generating:
        def __call__(self, message):
            yield message

    for function in (generate, generate_later, functools.partial(generate), Generating()):
        with pytest.raises(TypeError, match="generator function: .* would never run"):
            Messenger().observe(function)
    with pytest.raises(TypeError, match="mapper must not be a generator function"):
        Messenger().map(generate)

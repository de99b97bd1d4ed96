# SPDX-License-Identifier: MIT
"""One wrong argument, one sentence: which it is, what it was, what it should look like, before anything begins."""

import asyncio
import inspect
import sys

import pytest

import swiftobserver
from support import run_python
from swiftobserver import (
    ForeignAuthor,
    HandlerError,
    Messenger,
    Observer,
    Update,
    Var,
    bind,
    combine,
    effect,
    evented,
    events,
    graph,
    lint,
    merge,
    setter,
    testing,
)


class Label:
    text = ""

    @property
    def width(self):
        return 5


class Tight:
    __slots__ = ("text",)


async def later(message):
    pass


def in_loop(function):
    async def run():
        return function()

    return lambda: asyncio.run(run())


def local():
    return Messenger()


def variable():
    return Var(1)


def native():
    return Var(1, native=True)


LARGE = 10**400
MANY = 2**64

# What is called, the kind of error, and what its sentence says: the parameter first.
ROWS = [
    (lambda: Messenger(name=5), TypeError, "name must be a str or None, not int"),
    (lambda: Messenger(name="a\0b"), ValueError, "name must not contain a zero character"),
    (lambda: Messenger(name="\ud800"), ValueError, "name must not contain half a pair of surrogates: '.ud800'"),
    (lambda: Var(1, name=5), TypeError, "name must be a str or None, not int"),
    (lambda: Messenger.adopt("x"), TypeError, "pointer must be the address of a swo_observable, not 'x'"),
    (lambda: Messenger.adopt(0), TypeError, "pointer must be the address of a swo_observable, not 0"),
    (lambda: Messenger.adopt(True), TypeError, "pointer must be the address of a swo_observable, not True"),
    (
        lambda: Messenger.adopt(MANY + 8),
        TypeError,
        "pointer must be the address of a swo_observable, not 18446744073709551624",
    ),
    (lambda: Var.adopt(-8), TypeError, "pointer must be the address of a swo_observable, not -8"),
    (lambda: Var(1, equals=5), TypeError, "equals must be callable, not int"),
    (lambda: Var(1, equals=lambda one: 0), TypeError, "equals must take 2 messages: .*<lambda> does not"),
    (lambda: Var(1, validator=5), TypeError, "validator must be callable, not int"),
    (lambda: Var(1, validator=lambda: 0), TypeError, "validator must take one argument: .*<lambda> does not"),
    (lambda: Var(1, native=True, equals=max), TypeError, "equals must not be given with native or deferred"),
    (lambda: Var(1, deferred=True, validator=max), TypeError, "validator must not be given with native or deferred"),
    (lambda: variable().update(5), TypeError, "function must be callable, not int"),
    (lambda: variable().update(lambda: 5), TypeError, "function must take one argument: .*<lambda> does not"),
    (lambda: variable().update(later), TypeError, "function must not be a coroutine function: later would never"),
    (
        lambda: Messenger(native=True).send(1, author=ForeignAuthor(-5)),
        TypeError,
        "author must be a ForeignAuthor with",
    ),
    (
        lambda: native().set(2, author=ForeignAuthor("x")),
        TypeError,
        "author must be a ForeignAuthor with .*address='x'",
    ),
    (lambda: native().set(2, author=ForeignAuthor(2**70)), TypeError, "author must be a ForeignAuthor with an address"),
    (lambda: local().observe(5), TypeError, "handler must be callable, not int"),
    (
        lambda: local().observe(lambda a, b, c: 0),
        TypeError,
        r"handler must take \(message\), \(message, author\) or noth",
    ),
    (
        lambda: local().observe(later),
        TypeError,
        "handler must not be a coroutine function: later would never be awaited",
    ),
    (lambda: local().observe(print, on=5), TypeError, "on must be an event loop or a function that runs jobs, not int"),
    (lambda: local().observe(print, on=lambda: 0), TypeError, "on must take one argument: .*<lambda> does not"),
    (
        lambda: local().observe(print, on=lambda job, other: 0),
        TypeError,
        "on must take one argument: .*<lambda> does no",
    ),
    (lambda: local().observe(print, on=later), TypeError, "on must not be a coroutine function: later would never be"),
    (
        lambda: local().observe(later, on=print),
        TypeError,
        "on must be an event loop for a coroutine function like later",
    ),
    (
        lambda: local().observe(print, weak=True),
        TypeError,
        "weak: only a bound method .*: handler is a builtin_function",
    ),
    (
        lambda: local().observe(print, replay="last"),
        ValueError,
        'replay must be a number .*"latest" or "all", not \'last\'',
    ),
    (lambda: local().observe(print, replay=1.5), TypeError, 'replay must be a number .*"latest" or "all", not 1.5'),
    (lambda: local().observe(print, replay=True), TypeError, 'replay must be a number .*"latest" or "all", not True'),
    (lambda: local().observe(print, replay=-1), ValueError, "replay must not be negative: -1"),
    (lambda: local().stop_observing(5), TypeError, "handler must be callable, not int"),
    (in_loop(lambda: local().messages(0)), ValueError, "most must be a positive int or None, not 0"),
    (in_loop(lambda: local().messages("x")), ValueError, "most must be a positive int or None, not 'x'"),
    (
        in_loop(lambda: local().messages(2**70)),
        ValueError,
        "most must be a positive int or None, not 11805916207174113",
    ),
    (lambda: local().map(5), TypeError, "mapper must be callable, not int"),
    (lambda: local().map(lambda one, other: 0), TypeError, "mapper must take one argument: .*<lambda> does not"),
    (lambda: local().filter(None), TypeError, "predicate must be callable, not NoneType"),
    (lambda: local().filter(lambda: 0), TypeError, "predicate must take one argument: .*<lambda> does not"),
    (lambda: local().take("x"), TypeError, "count must be an int, not str"),
    (lambda: local().take(True), TypeError, "count must be an int, not bool"),
    (lambda: local().skip(-1), ValueError, "count must not be negative: -1"),
    (
        lambda: local().replaying("last"),
        ValueError,
        'count must be a number of messages, "latest" or "all", not \'last',
    ),
    (lambda: local().replaying(2.5), TypeError, 'count must be a number of messages, "latest" or "all", not 2.5'),
    (lambda: local().merge(5), TypeError, "others must be observables, not int"),
    (lambda: local().merge(native()), ValueError, "others: what was made for C code and what was not cannot be merged"),
    (lambda: merge(local()), ValueError, "observables must be two or more, not 1"),
    (lambda: merge(local(), 5), TypeError, "observables must be observables, not int"),
    (lambda: combine(variable()), ValueError, "observables must be two or more, not 1"),
    (lambda: combine(variable(), 5), TypeError, "observables must be observables, not int"),
    (in_loop(lambda: local().throttle("x")), TypeError, "seconds must be a number, not str"),
    (in_loop(lambda: local().throttle(0)), ValueError, "seconds must be positive and finite: 0"),
    (in_loop(lambda: local().throttle(LARGE)), ValueError, "seconds must be positive and finite: 1000"),
    (in_loop(lambda: local().debounce(LARGE)), ValueError, "seconds must be positive and finite: 1000"),
    (in_loop(lambda: local().debounce(float("nan"))), ValueError, "seconds must be positive and finite: nan"),
    (in_loop(lambda: local().debounce(True)), TypeError, "seconds must be a number, not bool"),
    (
        in_loop(lambda: local().debounce(1, loop=5)),
        TypeError,
        "loop must be an event loop, a ManualClock or None, not int",
    ),
    (lambda: local().throttle(1), RuntimeError, "no event loop is running: give one as loop="),
    (lambda: setattr(local(), "failure_handler", 5), TypeError, "failure_handler must be callable, not int"),
    (
        lambda: setattr(local(), "failure_handler", lambda: 0),
        TypeError,
        "failure_handler must take one argument: .*<lam",
    ),
    (lambda: setattr(local(), "budget", "x"), TypeError, "budget must be an int, not str"),
    (lambda: setattr(local(), "budget", -1), ValueError, "budget must not be negative: -1"),
    (
        lambda: setattr(local(), "budget", MANY),
        ValueError,
        "budget must be at most .*, or 0 for no end: 18446744073709551",
    ),
    (lambda: setattr(variable(), "budget", MANY + 5), ValueError, "budget must be at most .*: 18446744073709551621"),
    (lambda: setattr(local(), "name", 5), TypeError, "name must be a str or None, not int"),
    (lambda: setattr(local(), "nmae", 5), AttributeError, "Messenger has no attribute 'nmae': is it 'name'?"),
    (lambda: variable().confine(), TypeError, "a variable that is to be confined must be made with native=True"),
    (lambda: native().confine(5), TypeError, "on must be an event loop or a function that runs jobs, not int"),
    (lambda: native().confine(lambda: 0), TypeError, "on must take one argument: .*<lambda> does not"),
    (lambda: local().paused(5), TypeError, "reducer must be callable, not int"),
    (lambda: local().paused(lambda one: 0), TypeError, "reducer must take 2 messages: .*<lambda> does not"),
    (lambda: local().paused(initial=5), TypeError, "initial must not be given without a reducer"),
    (lambda: variable().paused(lambda one, other: 0, initial=3), TypeError, "initial must be an Update .*, not int"),
    (
        lambda: local().observe(print).stop(wait=True, timeout="x"),
        ValueError,
        "timeout must be seconds, 0 or more, .*'x'",
    ),
    (
        lambda: local().observe(print).stop(timeout=-1),
        ValueError,
        "timeout must be seconds, 0 or more, or None, not -1",
    ),
    (
        lambda: local().observe(print).stop(timeout=float("nan")),
        ValueError,
        "timeout must be seconds, 0 or more, .*nan",
    ),
    (
        lambda: local().observe(print).stop(timeout=LARGE),
        ValueError,
        "timeout must be seconds, 0 or more, or None, not 1",
    ),
    (lambda: local().scan(0, 5), TypeError, "accumulate must be callable, not int"),
    (lambda: local().scan(0, lambda one: 0), TypeError, "accumulate must take 2 messages: .*<lambda> does not"),
    (lambda: local().first(5), TypeError, "predicate must be callable, not int"),
    (lambda: local().take_while(lambda: 0), TypeError, "predicate must take one argument: .*<lambda> does not"),
    (lambda: local().skip_while(5), TypeError, "predicate must be callable, not int"),
    (lambda: local().sample(5), TypeError, "sampler must be an observable, not int"),
    (lambda: local().flat_map(0, print), ValueError, "most must be 1 or more"),
    (lambda: local().flat_map("1", print), TypeError, "most must be an int, not str"),
    (lambda: local().flat_map(1, 5), TypeError, "chooser must be callable, not int"),
    (lambda: local().map(5, retry=1), TypeError, "mapper must be callable, not int"),
    (lambda: local().map(print, retry=-1), ValueError, "retry must not be negative: -1"),
    (lambda: local().map(print, retry=True), TypeError, "retry must be an int, not bool"),
    (lambda: local().map(print, catching=5), TypeError, "catching must be callable, not int"),
    (lambda: local().map(print, catching=lambda: 5), TypeError, "catching must take one argument: .*<lambda> does not"),
    (lambda: local().handle_events(5), TypeError, "see must be callable, not int"),
    (lambda: local().print(5), TypeError, "prefix must be a str, not int"),
    (
        lambda: swiftobserver.ticks(0, loop=swiftobserver.ManualClock()),
        ValueError,
        "seconds must be positive and finite",
    ),
    (lambda: swiftobserver.ManualClock().advance(-1), ValueError, "seconds must be 0 or more, and finite: -1"),
    (lambda: local().zip(5), TypeError, "others must be observables, not int"),
    (lambda: lint(slow="x"), ValueError, "slow must be seconds, 0 or more, not 'x'"),
    (lambda: lint(slow=-1), ValueError, "slow must be seconds, 0 or more, not -1"),
    (lambda: Observer().observe(5, print), TypeError, "observable must be an Observable, not int"),
    (lambda: Observer().observe(local(), 5), TypeError, "handler must be callable, not int"),
    (lambda: effect(print, observer=5), TypeError, "observer must be an Observer, not int"),
    (lambda: Observer().observe_combined(5, print), TypeError, "observables must be observables, two or more, not int"),
    (lambda: Observer().observe_combined((variable(),), print), ValueError, "observables must be two or more, not 1"),
    (
        lambda: Observer().observe_combined((variable(), 5), print),
        TypeError,
        "observables must be observables, not int",
    ),
    (lambda: Observer().observe_combined((Var(1), Var(2)), 5), TypeError, "handler must be callable, not int"),
    (lambda: Observer().observe_combined((Var(1), Var(2)), id), TypeError, "handler must take 2 messages: id does not"),
    (lambda: Observer().stop(5), TypeError, "observable must be an Observable or None, not int"),
    (lambda: Observer().is_observing(5), TypeError, "observable must be an Observable, not int"),
    (lambda: bind(5, variable()), TypeError, "source must be an Observable, not int"),
    (lambda: bind(variable(), 5), TypeError, "target must be a Var, not int"),
    (lambda: bind(Var(1), Var(2), convert=5), TypeError, "convert must be callable, not int"),
    (
        lambda: bind(Var(1), Var(2), convert=str, back=lambda: 0),
        TypeError,
        "back must take one argument: .*<lambda> does",
    ),
    (lambda: bind(local(), Var(2), both=True), TypeError, "source must be a Var .*, not Messenger"),
    (lambda: events(5), TypeError, "objects of type int send nothing"),
    (lambda: evented(5), TypeError, "evented is for classes, not for int"),
    (lambda: graph(), TypeError, "observables: there must be at least one"),
    (lambda: graph(5), TypeError, "observables must be observables, not int"),
    (lambda: setter(Label(), 3), TypeError, "name must be a str, that of an attribute, not int"),
    (lambda: setter(None, "text"), TypeError, "target must be an object with an attribute, not None"),
    (lambda: setter(Label(), "width"), AttributeError, "name must be .* can be set, not 'width': it has no setter"),
    (lambda: setter(Tight(), "txet"), AttributeError, "name must be that of .*Tight, not 'txet': is it 'text'?"),
    (lambda: setter([], "x"), AttributeError, "name must be that of an attribute of a list, not 'x'"),
    (lambda: testing.assert_sent(5), TypeError, "observable must be an Observable, not int"),
    (
        lambda: testing.assert_sent(local(), timeout="x"),
        ValueError,
        "timeout must be seconds, 0 or more, or None, not 'x'",
    ),
    (lambda: swiftobserver.why_called(5), TypeError, "observation must be an Observation, not int"),
    (lambda: testing.assert_sent(local(), timeout=LARGE), ValueError, "timeout must be seconds, 0 or more, .*not 1000"),
    (lambda: testing.assert_not_sent(local(), timeout=-5), ValueError, "timeout must be seconds, 0 or more, .*not -5"),
]


@pytest.mark.parametrize(
    "call, error, sentence", ROWS, ids=[f"{number} {row[2][:30]}" for number, row in enumerate(ROWS)]
)
def test_a_wrong_argument_is_named_with_what_it_was_and_what_it_should_look_like(call, error, sentence):
    with pytest.raises(error, match=f"^{sentence}"):
        call()


def test_every_parameter_of_all_that_is_public_stands_in_the_table_or_takes_anything():
    takes_anything = {
        "self",
        "cls",
        "args",
        "kwargs",
        "message",
        "author",
        "value",
        "default",
        "selected",
        "owner",
        "kind",
    }
    takes_anything |= {
        "native",
        "deferred",
        "weak",
        "once",
        "keep",
        "both",
        "wait",
        "ordered",
        "raises",
        "stops",
        "first",
        "latest",
    }
    takes_anything |= {"messages", "options", "handler", "function", "arguments", "exception", "traceback", "settable"}
    # Looked at in a test of their own, or only by type checkers.
    elsewhere = {"initial", "address", "protocol", "excs", "failures", "message_or_exceptions", "item"}
    named = " ".join(row[2] for row in ROWS)
    missing = set()
    for name in swiftobserver.__all__:
        thing = getattr(swiftobserver, name)
        functions = [thing] if inspect.isfunction(thing) else []
        if inspect.isclass(thing) and thing.__name__ in ("Messenger", "Var", "Observable", "Observer", "Observation"):
            functions += [
                each for key, each in inspect.getmembers(thing, callable) if key[0] != "_" or key == "__init__"
            ]
        for function in functions:
            try:
                parameters = inspect.signature(function).parameters
            except ValueError:
                continue
            for parameter in parameters:
                if parameter not in takes_anything | elsewhere and parameter + " must" not in named:
                    missing.add((name, function.__name__, parameter))
    # Of the base of all observables, which programs do not make.
    assert {each for each in missing if each[1] != "__init__" or each[0] != "Observable"} == set()


def test_a_replay_longer_than_any_memory_is_all():
    recent, received = Messenger().replaying(2**70), []
    recent.observe(received.append, replay=2**70)
    assert received == []


def test_what_waits_for_ever_may_say_so():
    messenger = Messenger()
    assert messenger.observe(print).stop(wait=True, timeout=float("inf"))
    with testing.assert_sent(messenger, timeout=float("inf")):
        messenger.send(1)


def test_a_setter_sets_what_is_not_there_yet():
    label, title = Label(), Var("")
    title.new().observe(setter(label, "new_one"))
    title.value = "news"
    assert label.new_one == "news"


def test_a_variable_that_holds_itself_tells_its_value():
    variable = Var(None, name="itself")
    variable.value = [variable]
    assert repr(variable).startswith("<Var 'itself' [<Var ...>], made at ")
    assert "[...]" in variable._repr_html_()
    one, other = Var(None), Var(None)
    one.value, other.value = other, one
    assert repr(one).count("<Var") == 3
    assert repr(one).count("<Var") == 3
    variable.value = one.value = None


def test_a_send_that_raises_the_first_failure_says_what_else_failed():
    messenger = Messenger()
    messenger.raises_first = True
    messenger.observe(lambda number: {}[number])
    messenger.observe(lambda number: 1 / number)
    messenger.observe(lambda number: [][5])
    for _ in range(2):
        with pytest.raises(KeyError) as caught:
            messenger.send(0)
        if sys.version_info >= (3, 11):
            (note,) = caught.value.__notes__
        else:
            note = str(caught.value.__cause__)
        assert "ZeroDivisionError: division by zero" in note and "IndexError" in note


def test_a_send_that_raises_the_first_failure_has_one_note_of_what_is_raised_again():
    messenger, error = Messenger(), KeyError("again")
    messenger.raises_first = True

    def fail(number):
        raise error

    messenger.observe(fail)
    messenger.observe(lambda number: 1 / number)
    for _ in range(3):
        with pytest.raises(KeyError):
            messenger.send(0)
    assert len(getattr(error, "__notes__", [])) <= 1
    error.__traceback__ = error.__cause__ = None


def test_a_send_that_raises_the_first_failure_raises_what_ends_the_program_before_it():
    messenger = Messenger()
    messenger.raises_first = True

    def leave(number):
        raise SystemExit(number)

    messenger.observe(lambda number: 1 / number)
    messenger.observe(leave)
    with pytest.raises(SystemExit) as caught:
        messenger.send(0)
    assert isinstance(caught.value.__cause__, HandlerError)
    caught.value.__cause__ = None


@pytest.mark.parametrize(
    "arguments, status, out, err",
    [
        (["--help"], 0, "usage: python -m swiftobserver", ""),
        (["-h"], 0, "usage: python -m swiftobserver", ""),
        (["--version"], 0, f"swiftobserver {swiftobserver.__version__}\n", ""),
        ([], 0, "self-check: passed", ""),
        (["--nonsense"], 2, "", "not understood: --nonsense"),
        (["--help", "me"], 2, "", "not understood: --help me"),
        (["watch"], 2, "", "usage: python -m swiftobserver"),
    ],
)
def test_the_arguments_of_the_program_are_looked_at(arguments, status, out, err):
    code = f"import runpy, sys; sys.argv[1:] = {arguments!r}; runpy.run_module('swiftobserver', run_name='__main__')"
    said = run_python(code)
    assert (said.returncode, out in said.stdout, err in said.stderr) == (status, True, True)
    assert bool(said.stderr) == bool(err)


def test_an_update_is_asked_of_a_reducer_of_a_variable():
    variable = Var(0)
    with variable.paused(lambda one, other: Update(one.old, other.new), initial=Update(7, 7)):
        variable.value = 1
    with pytest.raises(TypeError, match="reducer must return an Update for a variable, not int"):
        with variable.paused(lambda one, other: 5, initial=Update(7, 7)):
            variable.value = 2

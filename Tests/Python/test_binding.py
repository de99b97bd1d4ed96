# SPDX-License-Identifier: MIT
"""Variables that follow others, in one direction and in both, by laws 1, 7, 13, 16 and 22."""

import copy
import threading
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as some

from support import Thread, collect, each_kind, hearing, join_all
from swiftobserver import HandlerError, Messenger, Var, bind


@each_kind
def test_a_variable_follows_another_from_now_on(native):
    source = Var(1, native=native)
    target, received = hearing(Var(0, native=native))
    binding = bind(source, target)
    source.value = 2
    source.value = 3
    assert received == [(0, 1), (1, 2), (2, 3)]
    target.value = 9
    assert (source.value, target.value) == (3, 9)
    source.value = 4
    assert target.value == 4
    assert binding.stop()
    assert not binding.stop()
    source.value = 5
    assert target.value == 4


@each_kind
def test_each_of_two_variables_follows_the_other_without_an_echo(native):
    one, other = Var(1, native=native), Var(2, native=native)
    received = []
    one.observe(lambda update, author: received.append(("one", *update, author)))
    other.observe(lambda update, author: received.append(("other", *update, author)))
    with bind(one, other, both=True) as binding:
        one.set(3, author="me")
        other.set(4, author="you")
    other.value = 5
    assert received == [
        ("other", 2, 1, binding),
        ("one", 1, 3, "me"),
        ("other", 1, 3, binding),
        ("other", 3, 4, "you"),
        ("one", 3, 4, binding),
        ("other", 4, 5, other),
    ]


@each_kind
def test_values_are_converted_there_and_not_back_again(native):
    exact, rounded = Var(1.25, native=native), Var(0, native=native)
    bind(exact, rounded, convert=round, back=float)
    assert (exact.value, rounded.value) == (1.25, 1)
    exact.value = 7.75
    assert (exact.value, rounded.value) == (7.75, 8)
    rounded.value = 3
    assert (exact.value, rounded.value) == (3.0, 3)


@each_kind
def test_a_variable_follows_any_observable(native):
    messenger, variable = Messenger(native=native), Var(0, native=native)
    doubled = messenger.map(lambda number: number * 2)
    bind(doubled, variable)
    assert variable.value == 0
    messenger.send(4)
    assert variable.value == 8
    cached = Var("first", native=native).new()
    text = Var("", native=native)
    bind(cached, text, convert=str.upper)
    assert text.value == "FIRST"


@each_kind
def test_a_ring_of_bindings_comes_to_rest(native):
    ring = [Var(number, native=native) for number in range(4)]
    bindings = [bind(each, ring[index - 1], both=True) for index, each in enumerate(ring)]
    ring[2].value = 7
    assert [each.value for each in ring] == [7] * 4
    assert all(each.is_living for each in bindings)


@each_kind
@pytest.mark.parametrize("dying", [0, 1])
def test_it_ends_with_either_side_and_keeps_neither(native, dying):
    sides = [Var(1, native=native), Var(2, native=native)]
    gone = [weakref.ref(each) for each in sides]
    binding = bind(*sides, both=True)
    assert "Binding of <Var" in repr(binding)
    del sides[dying]
    collect()
    assert gone[dying]() is None
    assert not binding.is_living
    assert sides[0].observations == ()
    sides[0].value = 9
    assert repr(binding) == "<Binding, ended>"


def test_dropping_the_binding_changes_nothing():
    source, target = Var(1), Var(0)
    bind(source, target)
    collect()
    source.value = 5
    assert target.value == 5


@each_kind
@pytest.mark.parametrize("reason", [ZeroDivisionError, SystemExit])
def test_a_conversion_that_fails_keeps_no_other_copy_from_being_made(native, reason):
    one, other = Var(0, native=native), Var(0, native=native)

    def convert(value):
        if value == 1:
            other.value = 2
            raise reason
        return value

    binding = bind(one, other, convert=convert, back=int, both=True)
    with pytest.raises((HandlerError, SystemExit)):
        one.value = 1
    assert (one.value, other.value, binding.is_living) == (2, 2, True)


@each_kind
def test_a_conversion_that_fails_is_raised_to_the_setter(native):
    source, target = Var(1, native=native), Var(0.0, native=native)
    bind(source, target, convert=lambda number: 1 / number)
    with pytest.raises(HandlerError, match="Binding.*ZeroDivisionError"):
        source.value = 0
    source.value = 4
    assert target.value == 0.25


def test_a_conversion_that_fails_at_first_leaves_nothing_bound():
    source, target = Var(0), Var(0.0)
    with pytest.raises(ZeroDivisionError):
        bind(source, target, convert=lambda number: 1 / number)
    assert (source.observations, target.observations) == ((), ())


@pytest.mark.parametrize(
    "arguments, options, error",
    [
        ((5, Var(1)), {}, "source must be an Observable, not int"),
        ((Var(1), Messenger()), {}, "target must be a Var, not Messenger"),
        ((Messenger(), Var(1)), {"both": True}, "source must be a Var"),
        ((Var(1), Var(1)), {"convert": 5}, "convert must be callable"),
        ((Var(1), Var(1)), {"convert": lambda: 1}, "convert must take one argument"),
        ((Var(1), Var(1)), {"convert": str, "back": lambda one, two: 1}, "back must take one argument"),
        ((Var(1), Var(1)), {"back": str}, "together"),
        ((Var(1), Var(1)), {"convert": str, "both": True}, "together"),
        ((Var(1), Var(1)), {"convert": str, "back": str, "both": False}, "back must not"),
    ],
)
def test_wrong_arguments_are_refused(arguments, options, error):
    with pytest.raises(TypeError, match=error):
        bind(*arguments, **options)


def test_a_variable_does_not_follow_itself():
    variable = Var(1)
    with pytest.raises(ValueError, match="target must not be the source"):
        bind(variable, variable)


def test_a_binding_is_not_copied():
    one, other = Var(1), Var(2)
    with pytest.raises(TypeError, match="cannot copy or pickle an object of type Binding"):
        copy.copy(bind(one, other))


steps = some.lists(some.tuples(some.sampled_from(["one", "other", "stop", "bind", "inside"]), some.integers(0, 3)))


@given(steps, some.booleans())
def test_whatever_is_set_both_agree_while_they_are_bound(program, native):
    variables = {"one": Var(0, native=native), "other": Var(1, native=native)}
    expected = {"one": 0, "other": 1}
    binding, inside = None, []

    def follow(update):
        if inside:
            variables["other"].value = inside.pop()

    variables["one"].observe(follow)
    for name, number in program:
        if name == "bind" and binding is None:
            binding = bind(variables["one"], variables["other"], both=True)
            expected["other"] = expected["one"]
        elif name == "stop" and binding is not None:
            binding.stop()
            binding = None
        elif name == "inside":
            inside[:] = [number]
            variables["one"].value = expected["one"] + 10
            expected["one"] += 10
            expected["other"] = number
            if binding is not None:
                # The handler came first: it set what the binding then found and passed on.
                assert variables["one"].value == variables["other"].value
                expected = {each: variables[each].value for each in variables}
        elif name in variables:
            variables[name].value = number
            expected = {each: number if binding else expected[each] for each in expected}
            expected[name] = number
        assert {each: variables[each].value for each in variables} == expected
        inside.clear()


@each_kind
def test_variables_that_are_set_on_several_threads_agree_in_the_end(native):
    for _ in range(20):
        one, other = Var(0, native=native), Var(0, native=native)
        bind(one, other, both=True)
        ready = threading.Barrier(2)

        def work(variable, numbers):
            ready.wait()
            for number in numbers:
                variable.value = number

        threads = [Thread(lambda: work(one, range(1, 200))), Thread(lambda: work(other, range(1000, 1200)))]
        join_all(threads)
        assert one.value == other.value


@each_kind
def test_what_a_validator_makes_of_a_copy_comes_back(native):
    """Each follows the other, also where one limits."""
    one, limited = Var(1, native=native), Var(0, validator=lambda number: min(number, 10))
    binding = bind(one, limited, both=True)
    one.value = 50
    assert (one.value, limited.value) == (10, 10)
    limited.value = 70
    assert (one.value, limited.value) == (10, 10)
    binding.stop()
    one.value = 50
    bind(one, limited, both=True)
    assert (one.value, limited.value) == (10, 10)
    one.value = 30
    bind(limited, one, both=True)
    assert (one.value, limited.value) == (10, 10)


def test_validators_that_agree_on_nothing_come_to_rest():
    small, large = Var(0, validator=lambda number: min(number, 10)), Var(20, validator=lambda number: max(number, 20))
    bind(large, small, both=True)
    large.value = 30
    assert (small.value, large.value) == (10, 20)
    small.value = 5
    assert (small.value, large.value) == (10, 20)


def test_a_rounded_copy_stays_what_it_was_made_from():
    exact, rounded = Var(0.0), Var(0, validator=lambda number: min(number, 10))
    bind(exact, rounded, convert=round, back=float)
    exact.value = 7.75
    assert (exact.value, rounded.value) == (7.75, 8)
    exact.value = 99.5
    assert (exact.value, rounded.value) == (10.0, 10)

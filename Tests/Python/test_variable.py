# SPDX-License-Identifier: MIT
"""Variables hold a value and send when it changes: laws 15 to 18 and 20."""

import copy
import signal
import sys
from contextlib import suppress

import pytest

from support import Thread, each_kind, hearing, skip_where_lines_are_counted
from swiftobserver import ComputingError, HandlerError, Messenger, Update, Var, derived, snapshot


def test_a_change_sends_the_old_and_the_new_value():
    variable, received = hearing(Var(1))
    variable.value = 2
    variable.set(3)
    assert received == [Update(1, 2), Update(2, 3)]
    assert [type(each) for each in received] == [Update, Update]
    assert received[0].old == 1
    assert received[0].new == 2


@pytest.mark.parametrize("one, equal", [("a", "a"), ((1, [2]), (1, [2])), (10**30, 10**30)])
def test_an_equal_value_is_no_change(one, equal):
    variable, received = hearing(Var(one))
    variable.value = equal
    assert received == []


@pytest.mark.parametrize("one, other", [(1, True), (1, 1.0), (0, False), (0, None), ("a", b"a")])
def test_a_value_of_another_type_is_a_change(one, other):
    variable, received = hearing(Var(one))
    variable.value = other
    assert received == [(one, other)]
    assert type(received[0].new) is type(other)


def test_an_equal_object_does_not_replace_the_one_that_is_held():
    class Sample:
        def __init__(self, number, note):
            self.number, self.note = number, note

        def __eq__(self, other):
            return self.number == other.number

    variable, received = hearing(Var(Sample(1, "first")))
    variable.value = Sample(1, "second")
    assert received == []
    variable.value = Sample(2, "third")
    assert received[0].new.note == "third"


@each_kind
def test_what_an_update_function_raises_is_raised_and_nothing_has_changed(native):
    variable, received = hearing(Var([1], native=native))
    with pytest.raises(ZeroDivisionError):
        variable.update(lambda value: 1 / 0)
    assert variable.value == [1]
    assert received == []


def test_an_update_function_may_set_the_variable_and_is_called_again():
    variable = Var(1)
    seen = []

    def function(number):
        seen.append(number)
        if number == 1:
            variable.value = 10
        return number + 1

    assert variable.update(function) == 11
    assert seen == [1, 10]


@pytest.mark.parametrize("native", [False, True])
def test_a_failing_equality_counts_as_a_change_and_is_raised(native):
    class Moody:
        def __eq__(self, other):
            raise ArithmeticError("incomparable")

    one, other = Moody(), Moody()
    variable, received = hearing(Var(one, native=native))
    with pytest.raises(HandlerError, match="equality .*Moody.*incomparable") as caught:
        variable.value = other
    assert variable.value is other
    assert [update.new for update in received] == [other]
    assert isinstance(caught.value.exceptions[0], ArithmeticError)


def test_the_identical_object_is_no_change_whatever_its_equality_says():
    class Never:
        def __eq__(self, other):
            return False

    never = Never()
    variable, received = hearing(Var(never))
    variable.value = never
    assert received == []


@pytest.mark.parametrize("wrong", [None, 5, lambda: 1, lambda one, other: 1])
def test_an_update_function_that_cannot_take_a_value_is_refused_by_name(wrong):
    with pytest.raises(TypeError, match="function must"):
        Var(1).update(wrong)


def test_a_variable_tells_its_value():
    assert repr(Var([1, 2])).startswith("<Var [1, 2], made at ")


def test_a_variable_in_a_message_is_the_very_variable():
    variable = Var(1)
    messenger, received = hearing(Messenger())
    messenger.send(variable)
    assert received[0] is variable


def test_a_deferred_variable_holds_any_object_and_is_mapped_and_copied():
    thing, other = object(), object()
    variable = Var(thing, deferred=True)
    contents, received = hearing(variable.new())
    variable.value = other
    assert received == [other]
    again = copy.copy(variable)
    assert again.value is other

    @again.observe
    def set_again(update):
        again.value = None
        seen.append(again.value)

    seen = []
    again.value = thing
    assert seen == [thing, None]


def test_a_deferred_variable_cannot_be_updated():
    with pytest.raises(TypeError):
        Var(1, deferred=True).update(lambda number: number + 1)


def test_what_fails_in_a_deferred_assignment_is_raised_where_it_was_delivered():
    level = Var(0, deferred=True)

    @level.observe
    def fail_later(update):
        if update.new == 1:
            level.value = 2
        else:
            raise ValueError(update.new)

    with pytest.raises(HandlerError) as caught:
        level.value = 1
    assert [str(each) for each in caught.value.exceptions] == ["2"]
    assert level.value == 2


class LockAtWhoseRelease:
    """Stands in for a lock: the nth time that it is let go of, something else happens before anything else can."""

    def __init__(self, lock, release, happen):
        self._lock, self._remaining, self._happen = lock, release, happen
        self._depth = 0

    def __enter__(self):
        self._lock.acquire()
        self._depth += 1

    def __exit__(self, *_):
        self._depth -= 1
        is_free = self._depth == 0
        self._lock.release()
        self._remaining -= is_free
        if is_free and self._remaining == 0:
            self._happen()


@pytest.mark.parametrize("release", range(1, 6))
def test_what_another_thread_sets_as_a_batch_ends_is_told(release):
    variable, told = Var(0), [0]
    variable.observe(lambda update: told.append(update.new))

    def add_a_hundred():
        Thread(lambda: variable.update(lambda value: value + 100)).join()

    batch = variable.batch()
    batch.__enter__()
    variable.value = 1
    variable._store.lock = LockAtWhoseRelease(variable._store.lock, release, add_a_hundred)
    batch.__exit__(None, None, None)
    variable._store.lock = variable._store.lock._lock
    assert told[-1] == variable.value
    variable.value = -1
    assert told[-1] == -1


@pytest.mark.parametrize(
    "change",
    [
        lambda variable: variable.update(lambda value: value + 1),
        lambda variable: variable.set(variable.value + 1000, author="me"),
        lambda variable: setattr(variable, "value", variable.value + 1000),
    ],
)
@pytest.mark.parametrize("is_read", [False, True], ids=["alone", "read"])
@pytest.mark.skipif(sys.version_info < (3, 11), reason="handlers of signals run between any two instructions")
def test_a_handler_of_a_signal_that_sets_the_same_variable_keeps_the_order(change, is_read):
    skip_where_lines_are_counted()
    variable, updates = hearing(Var(0))
    double = derived(lambda: 2 * variable.value)
    if is_read:
        assert double.value == 0
    interruptions = iter(range(300))
    interrupted = []

    def interrupt(*_):
        if next(interruptions, None) is None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            interrupted.append(True)
        variable.update(lambda value: value + 1)

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.0003)
    try:
        while not interrupted:
            change(variable)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert [one.new for one in updates[:-1]] == [other.old for other in updates[1:]]
    assert updates[-1].new == variable.value
    assert double.value == 2 * variable.value


@pytest.mark.skipif(sys.version_info < (3, 11), reason="handlers of signals run between any two instructions")
def test_what_a_handler_of_a_signal_sets_amid_a_set_leaves_nothing_computed_of_the_old_value():
    skip_where_lines_are_counted()
    variable, other = Var(0), Var(0)
    total = derived(lambda: variable.value + other.value)
    told = []
    total.observe(lambda update: told.append(update.new))
    interruptions, interrupted = iter(range(1000)), []

    def interrupt(*_):
        if next(interruptions, None) is None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            interrupted.append(True)
        # It may come in the function.
        with suppress(ComputingError):
            other.value += 1

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.0003)
    try:
        while not interrupted:
            variable.value += 1
            with snapshot():
                assert total.value == variable.value + other.value
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert told[-1] == variable.value + other.value


class Array:
    """Compares like an array of numpy's: each element, and no truth comes of it."""

    def __init__(self, *numbers):
        self.numbers = numbers

    def __array__(self):
        raise AssertionError("nothing needs the array")

    def __eq__(self, other):
        return Array(*[one == each for one, each in zip(self.numbers, other.numbers)])

    def __bool__(self):
        raise ValueError("the truth value of an array is ambiguous")


@pytest.mark.parametrize("native", [False, True])
def test_arrays_are_told_apart_by_identity(native):
    first, second = Array(1, 2), Array(1, 2)
    variable, updates = hearing(Var(first, native=native))
    variable.value = first
    variable.value = second
    variable.update(lambda value: value)
    assert [(update.old, update.new) for update in updates] == [(first, second)] or updates[0][0] is first
    assert len(updates) == 1 and updates[0].new is second


def test_equals_decides_what_is_no_change():
    variable, updates = Var(Array(1, 2), equals=lambda one, other: one.numbers == other.numbers), []
    variable.observe(lambda update: updates.append(update.new.numbers))
    variable.value = Array(1, 2)
    variable.set(Array(1, 3), author="me")
    variable.update(lambda value: Array(1, 3))
    assert updates == [(1, 3)]


@pytest.mark.parametrize("fails", [False, True])
def test_what_equals_sets_is_no_change_for_the_one_who_asked_for_the_same(fails):
    asked = []

    def equals(old, new):
        asked.append((old, new))
        if len(asked) == 1:
            variable.value = new
            assert not fails, "not comparable"
        return old == new

    variable, received = hearing(Var(0, equals=equals))
    try:
        variable.value = 1
    except HandlerError as error:
        assert fails and "not comparable" in str(error)
    else:
        assert not fails
    assert (received, asked) == ([(0, 1)], [(0, 1), (0, 1)])


def test_values_that_cannot_be_compared_at_first_are_compared_again():
    class Shy:
        asked = 0

        def __eq__(self, other):
            Shy.asked += 1
            if Shy.asked == 1:
                raise ValueError
            return True

        __hash__ = None

    variable, received = hearing(Var(Shy()))
    variable.value = Shy()
    assert (received, Shy.asked) == ([], 2)


def test_equals_that_fails_says_no_and_the_setter_is_told():
    def fail(one, other):
        raise ValueError("reason")

    failures = []
    variable, updates = hearing(Var(1, equals=fail))
    with pytest.raises(HandlerError, match="equality .*fail of Var .*ValueError: reason"):
        variable.value = 2
    assert updates == [Update(1, 2)]
    variable.failure_handler = failures.append
    variable.value = 3
    assert [each.role for each in failures] == ["equality"]
    assert updates[1:] == [Update(2, 3)]


def test_a_failure_handler_is_told_of_values_that_cannot_be_compared():
    class Incomparable:
        def __eq__(self, other):
            raise ValueError("reason")

    variable, failures, updates = Var(Incomparable()), [], []
    variable.failure_handler = failures.append
    variable.observe(updates.append)
    variable.value = Incomparable()
    assert ([each.role for each in failures], len(updates)) == (["equality"], 1)


def test_a_validator_decides_what_is_held_or_that_nothing_changes():
    def positive(value):
        if value < 0:
            raise ValueError("negative")
        return min(value, 100)

    variable, updates = hearing(Var(500, validator=positive))
    assert variable.value == 100
    for change in (
        lambda: setattr(variable, "value", -1),
        lambda: variable.set(-1, author="me"),
        lambda: variable.update(lambda value: -1),
    ):
        with pytest.raises(ValueError, match="negative"):
            change()
    assert (variable.value, updates) == (100, [])
    variable.value = 300
    assert variable.update(lambda value: 7) == 7
    assert updates == [Update(100, 7)]
    with pytest.raises(ValueError, match="negative"):
        Var(-1, validator=positive)


@pytest.mark.parametrize("kind", [{"native": True}, {"deferred": True}])
@pytest.mark.parametrize("rule", [{"equals": lambda one, other: True}, {"validator": lambda value: value}])
def test_what_c_code_can_set_has_no_rules(kind, rule):
    with pytest.raises(TypeError, match=f"{next(iter(rule))} must not be given with native"):
        Var(1, **kind, **rule)


@pytest.mark.parametrize("native", [False, True])
def test_a_nan_that_is_set_again_is_no_change(native):
    nan = float("nan")
    variable, updates = hearing(Var(nan, native=native))
    variable.value = nan
    variable.value = 1.0
    variable.value = nan
    variable.value = nan
    assert len(updates) == 2

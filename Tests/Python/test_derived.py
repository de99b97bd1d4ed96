# SPDX-License-Identifier: MIT
"""Derived variables: values of functions over other variables, as of one moment, on every thread: laws 26 to 32, 35."""

import asyncio
import copy
import pickle
import threading
import traceback
import weakref
from contextlib import suppress
from functools import partial

import pytest

from support import Thread, await_release, collect, join_all
from swiftobserver import (
    ComputingError,
    CycleError,
    Derived,
    HandlerError,
    Update,
    Var,
    combine,
    derived,
    effect,
    evented,
    graph,
    snapshot,
    transaction,
    untracked,
)

CHAIN = 100_000


class Counted:
    """A derived variable, and how often its function has run."""

    def __init__(self, function, **options):
        self.runs = 0

        def counting():
            self.runs += 1
            return function()

        self.derived = derived(counting, **options)

    @property
    def value(self):
        return self.derived.value


def test_it_has_the_value_of_its_function():
    width, height = Var(2), Var(3)
    area = derived(lambda: width.value * height.value)
    assert area.value == 6
    width.value = 5
    assert area.value == 15


def test_it_does_not_run_before_it_is_read():
    assert Counted(lambda: 1).runs == 0


def test_it_runs_once_for_any_number_of_reads():
    source = Var(1)
    double = Counted(lambda: source.value * 2)
    assert [double.value, double.value] == [2, 2]
    assert double.runs == 1


def test_what_is_not_observed_does_not_run_for_a_set():
    source = Var(1)
    double = Counted(lambda: source.value * 2)
    double.value
    source.value = 2
    source.value = 3
    assert double.runs == 1
    assert double.value == 6
    assert double.runs == 2


def test_another_variable_that_changes_has_it_not_run():
    source, other = Var(1), Var(1)
    double, reader = Counted(lambda: source.value * 2), derived(lambda: other.value)
    double.value, reader.value
    other.value = 2
    assert (double.value, double.runs, reader.value) == (2, 1, 2)


def test_an_observer_gets_one_update_for_a_diamond():
    source = Var(1)
    left, right = derived(lambda: source.value + 1), derived(lambda: source.value * 10)
    both = Counted(lambda: (left.value, right.value))
    received = []
    both.derived.observe(received.append)
    source.value = 2
    assert received == [Update((2, 10), (3, 20))]
    assert both.runs == 2


def test_an_equal_value_is_no_update_and_nothing_behind_it_runs():
    source = Var(1)
    is_even = derived(lambda: source.value % 2 == 0)
    text = Counted(lambda: str(is_even.value))
    received = []
    text.derived.observe(received.append)
    source.value = 3
    assert (received, text.runs) == ([], 1)


def test_it_depends_on_what_the_last_run_has_read():
    which, one, other = Var(True), Var(1), Var(2)
    chosen = Counted(lambda: one.value if which.value else other.value)
    received = []
    chosen.derived.observe(received.append)
    which.value = False
    one.value = 5
    assert (received, chosen.runs) == ([Update(1, 2)], 2)
    other.value = 3
    assert received == [Update(1, 2), Update(2, 3)]


def test_what_a_handler_sets_at_the_end_of_a_pause_is_told_of_what_is_derived():
    source, told = Var(1), []
    tenfold = derived(lambda: source.value * 10)
    tenfold.observe(told.append)
    seen = []
    running = effect(lambda: seen.append((source.value, tenfold.value)))
    source.observe(lambda update: source.set(3) if update.new == 2 else None)
    for ordered in (True, False):
        source.value, source.ordered = 1, ordered
        with source.paused():
            source.value = 2
        assert told[-1] == Update(20, 30)
        assert seen[-1] == (3, 30)
    running.stop()


def test_untracked_outside_of_functions_is_as_if_it_was_not_there():
    source = Var(1)
    twice, block = derived(lambda: source.value * 2), untracked()
    with block, block:
        assert twice.value == 2
    with untracked(), transaction():
        source.value = 2
        assert twice.value == 4
    with snapshot(), untracked():
        assert twice.value == 4
    with pytest.raises(KeyError), block:
        raise KeyError
    with block:
        run_inside = derived(lambda: read_untracked(block, source))
        assert run_inside.value == 2
    source.value = 3
    assert run_inside.value == 2


def read_untracked(block, variable):
    with block:
        return variable.value


def test_what_is_read_untracked_does_not_have_it_run():
    source, other = Var(1), Var(10)

    def function():
        with untracked():
            added = other.value
        return source.value + added

    total = derived(function)
    received = []
    total.observe(received.append)
    other.value = 20
    assert received == []
    source.value = 2
    assert received == [Update(11, 22)]


def test_equals_decides_what_a_change_is():
    source = Var(1)
    near = derived(lambda: source.value, equals=lambda old, new: abs(old - new) < 3)
    received = []
    near.observe(received.append)
    source.value = 2
    source.value = 5
    assert received == [Update(1, 5)]


def test_a_value_that_is_no_number_equals_itself():
    source = Var(1)
    nothing = derived(lambda: float("nan") if source.value else 0)
    received = []
    nothing.observe(received.append)
    source.value = 2
    assert received == []


def test_it_cannot_be_set():
    double = derived(lambda: 2)
    with pytest.raises(AttributeError, match="cannot be set: its function makes its value"):
        double.value = 3


def test_its_function_cannot_set_anything():
    source, other = Var(1), Var(1)

    def function():
        other.value = source.value + 1

    with pytest.raises(ComputingError, match="cannot be set in the function of a derived variable"):
        derived(function).value
    with pytest.raises(ComputingError):
        derived(lambda: other.update(lambda old: old + 1)).value
    assert other.value == 1


def test_its_function_cannot_begin_a_transaction():
    def function():
        with transaction():
            pass

    with pytest.raises(ComputingError, match="a transaction cannot begin"):
        derived(function).value


def test_the_failure_of_its_function_is_the_value_with_its_first_traceback():
    source = Var(0)
    inverse = Counted(lambda: 1 / source.value)
    errors = []
    for _ in range(3):
        with pytest.raises(ZeroDivisionError) as caught:
            inverse.value
        errors.append(caught.value)
    assert len(set(map(id, errors))) == 1 == inverse.runs
    assert traceback.extract_tb(errors[0].__traceback__)[-1].name == "<lambda>"
    source.value = 2
    assert inverse.value == 0.5


def test_a_traceback_does_not_grow_by_reads():
    source = Var(0)
    inverse = derived(lambda: 1 / source.value)
    lengths = set()
    for _ in range(5):
        with pytest.raises(ZeroDivisionError) as caught:
            inverse.value
        lengths.add(len(traceback.extract_tb(caught.value.__traceback__)))
    assert len(lengths) == 1


def test_what_reads_a_failure_fails_unless_it_handles_it():
    source = Var(0)
    inverse = derived(lambda: 1 / source.value)

    def handling():
        try:
            return inverse.value
        except ZeroDivisionError:
            return None

    plus, handled = derived(lambda: inverse.value + 1), derived(handling)
    with pytest.raises(ZeroDivisionError):
        plus.value
    assert handled.value is None
    source.value = 1
    assert (plus.value, handled.value) == (2, 1)


def test_the_setter_hears_once_of_an_observed_failure_and_the_next_update_leads_from_the_last_value():
    source = Var(1)
    inverse = derived(lambda: 1 / source.value, name="inverse")
    received = []
    inverse.observe(received.append)
    with pytest.raises(HandlerError, match="ZeroDivisionError"):
        source.value = 0
    assert received == []
    source.value = 2
    assert received == [Update(1, 0.5)]


def test_one_that_needs_its_own_value_fails_with_the_names_on_the_way():
    one = derived(lambda: other.value, name="one")
    other = derived(lambda: one.value, name="other")
    with pytest.raises(CycleError, match="one -> other -> one") as caught:
        one.value
    assert caught.value.names == ("one", "other", "one")
    own = derived(lambda: own.value, name="own")
    with pytest.raises(CycleError) as caught:
        own.value
    assert caught.value.names == ("own", "own")


def test_a_cycle_of_a_thousand_is_found():
    members = [derived(lambda index=index: members[(index + 1) % 1000].value, name=str(index)) for index in range(1000)]
    with pytest.raises(CycleError) as caught:
        members[0].value
    assert caught.value.names == (*map(str, range(1000)), "0")


def test_a_cycle_that_ends_heals():
    closed = Var(True)
    one = derived(lambda: other.value)
    other = derived(lambda: one.value if closed.value else 1)
    with pytest.raises(CycleError):
        one.value
    closed.value = False
    assert (one.value, other.value) == (1, 1)


def test_a_cycle_that_closes_later_heals_for_all_on_the_way():
    closed = Var(False)
    one = derived(lambda: other.value)
    other = derived(lambda: third.value)
    third = derived(lambda: one.value if closed.value else 1)
    assert one.value == 1
    closed.value = True
    with pytest.raises(CycleError):
        third.value
    closed.value = False
    assert (one.value, other.value, third.value) == (1, 1, 1)


def test_a_cycle_that_is_observed_heals():
    closed = Var(False)
    one = derived(lambda: other.value)
    other = derived(lambda: third.value)
    third = derived(lambda: one.value if closed.value else 1)
    received = []
    one.observe(received.append)
    with pytest.raises(HandlerError):
        closed.value = True
    closed.value = False
    assert (one.value, other.value, third.value) == (1, 1, 1)
    assert received == []


def test_two_threads_that_begin_at_two_ends_of_a_cycle_both_hear_of_it():
    one = derived(lambda: other.value)
    other = derived(lambda: one.value)
    heard = []

    def read(which):
        with pytest.raises(CycleError):
            which.value
        heard.append(which)

    join_all([Thread(partial(read, one)), Thread(partial(read, other))])
    assert len(heard) == 2


def test_a_chain_is_made_read_set_observed_and_released():
    source = last = Var(1)
    for _ in range(CHAIN):
        last = following(last)
    assert last.value == CHAIN + 1
    source.value = 2
    assert last.value == CHAIN + 2
    received = []
    last.observe(received.append)
    source.value = 3
    assert received == [Update(CHAIN + 2, CHAIN + 3)]
    gone = weakref.ref(last)
    del last
    await_release()
    assert gone() is None


def following(before):
    return derived(lambda: before.value + 1)


def test_it_keeps_what_it_reads_and_nothing_keeps_it():
    source = Var(1)
    alive = weakref.ref(source)
    double = doubled(alive)
    assert double.value == 2
    del source
    collect()
    assert double.value == 2
    gone = weakref.ref(double)
    kept = alive()
    double.observe(lambda update: None)
    del double
    await_release()
    assert gone() is None
    kept.value = 2


def doubled(reference):
    def function():
        return reference().value * 2

    return derived(function)


def test_one_that_was_read_and_dropped_leaves_nothing_with_its_source():
    source = Var(1)
    for _ in range(10):
        dropped = doubled(weakref.ref(source))
        dropped.observe(lambda update: None)
        dropped.value
    del dropped
    await_release()
    assert len(source._store.node.dependents) == 0


def test_it_is_observed_with_replay():
    source = Var(1)
    double = derived(lambda: source.value * 2)
    received = []
    double.observe(received.append, replay="latest")
    source.value = 2
    assert received == [Update(2, 2), Update(2, 4)]


def test_a_stopped_observation_has_it_run_no_more():
    source = Var(1)
    double = Counted(lambda: source.value * 2)
    observation = double.derived.observe(lambda update: None)
    observation.stop()
    source.value = 2
    assert double.runs == 1
    assert double.value == 4


def test_it_is_mapped_and_combined():
    source = Var(1)
    double = derived(lambda: source.value * 2)
    texts, both = [], []
    double.new().map(str).observe(texts.append)
    combine(double.new(), source.new()).observe(both.append)
    source.value = 2
    assert texts == ["4"]
    assert both[-1] == (4, 2)


async def test_it_is_awaited():
    source = Var(1)
    double = derived(lambda: source.value * 2)

    async def first():
        async for update in double:
            return update

    waiting = asyncio.ensure_future(first())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    source.value = 2
    assert await waiting == Update(2, 4)


def test_it_is_drawn_with_what_it_reads_and_how_often_it_was_computed():
    source = Var(1, name="source")
    is_odd = derived(lambda: source.value % 2, name="is odd")
    text = derived(lambda: str(is_odd.value), name="text")
    with text.observe(print):
        source.value = 3
        drawn = graph(text)
    names = [each.name for each in drawn.nodes]
    edges = {(names[each.source], names[each.target]) for each in drawn.edges if each.target is not None}
    assert edges == {("source", "is odd"), ("is odd", "text")}
    node = drawn.nodes[names.index("is odd")]
    assert (node.kind, node.runs, node.runs_in_vain) == ("derived", 2, 1)
    assert r"is odd\ncomputed 2 times, 1 in vain" in drawn.dot


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps], ids=["copied", "copied deeply", "pickled"])
def test_it_cannot_be_copied(make):
    with pytest.raises(TypeError, match="make another one with its function"):
        make(derived(lambda: 1))


async def coroutine():
    pass


@pytest.mark.parametrize(
    "function, sentence",
    [
        (3, "function must be callable, not int"),
        (Var(1), "must be one that reads variables, not a Var"),
        (lambda one, two: 1, "function must take no arguments"),
        (coroutine, "must not be a coroutine function"),
    ],
    ids=["no function", "a variable", "arguments", "a coroutine function"],
)
def test_what_is_no_function_without_arguments_is_refused(function, sentence):
    with pytest.raises(TypeError, match=sentence):
        derived(function)


def test_it_is_neither_paused_nor_confined():
    double = derived(lambda: 1)
    with pytest.raises(TypeError, match="cannot be paused"):
        double.paused()
    with pytest.raises(TypeError, match="cannot be confined"):
        double.confine()


@pytest.mark.parametrize("kind", ["native", "deferred"])
def test_a_variable_that_c_code_reaches_is_read_like_any(kind):
    told = []
    reached, factor = Var(1, **{kind: True}), Var(10)
    product = derived(lambda: reached.value * factor.value)
    assert product.value == 10
    kept = [
        effect(lambda: told.append(("effect", reached.value, product.value))),
        reached.observe(lambda update: told.append(("reached", *update))),
        product.observe(lambda update: told.append(("product", *update))),
    ]
    reached.value = 2
    factor.value = 20
    assert told == [
        ("effect", 1, 10),
        *[("reached", 1, 2), ("product", 10, 20), ("effect", 2, 20)],
        *[("product", 20, 40), ("effect", 2, 40)],
    ]
    with reached.batch():
        reached.value = 3
        assert product.value == 60
    with reached.blocked():
        reached.value = 4
        assert product.value == 80
    assert told[-2:] == [("product", 60, 80), ("effect", 4, 80)]
    with snapshot():
        assert (reached.value, product.value) == (4, 80)
    for each in kept:
        each.stop()


def test_what_another_thread_sets_by_c_code_is_a_change():
    reached, told = Var(1, native=True), []
    # It knows nothing of the other, as C code.
    other = Var.adopt(reached.pointer)
    double = derived(lambda: reached.value * 2)
    with double.observe(lambda update: told.append(update.new)):
        for number in (5, 6):
            Thread(lambda: setattr(other, "value", number)).join()
    assert told == [10, 12]
    assert double.value == 12


def test_what_a_handler_sets_of_a_variable_that_c_code_reaches_it_sees():
    told = []
    reached = Var(1, native=True)
    double = derived(lambda: reached.value * 2)

    def react(update):
        if update.new == 2:
            reached.value = 3
            told.append(("reacting", double.value))
        told.append(("reached", *update))

    with reached.observe(react), double.observe(lambda update: told.append(("double", *update))):
        with effect(lambda: told.append(("effect", double.value))):
            reached.value = 2
    assert told == [
        ("effect", 2),
        *[("reacting", 6), ("reached", 1, 2), ("reached", 2, 3), ("double", 2, 6), ("effect", 6)],
    ]


def test_threads_set_variables_that_c_code_reaches():
    first, second, local = Var(0, native=True), Var(0, native=True), Var(0)
    total = derived(lambda: first.value + second.value + local.value)
    updates, seen = [], []
    kept = [total.observe(updates.append)]
    kept.append(effect(lambda: seen.append((first.value, second.value, local.value, total.value))))

    def work(number):
        for round in range(300):
            variable = (first, second, local)[(round + number) % 3]
            if round % 2:
                variable.value = round * number % 50
            else:
                variable.update(lambda value: value + 1)

    join_all([Thread(partial(work, number)) for number in range(1, 4)])
    last = first.value, second.value, local.value
    assert seen[-1] == (*last, sum(last))
    assert all(sum(each[:3]) == each[3] for each in seen)
    assert all(update.old == before.new for before, update in zip(updates, updates[1:]))
    assert total.value == updates[-1].new == sum(last)
    for each in kept:
        each.stop()


def test_nothing_keeps_a_variable_that_c_code_reaches_because_functions_read_it():
    reached = [Var(1, native=True)]
    gone = weakref.ref(reached[0])
    assert derived(lambda: reached[0].value * 2).value == 2
    reached.clear()
    await_release()
    assert gone() is None


class Rectangle:
    def __init__(self):
        self.width, self.height = Var(2), Var(3)

    @derived
    def area(self):
        """How large it is."""
        return self.width.value * self.height.value

    @derived(equals=lambda old, new: old // 10 == new // 10)
    def tens(self):
        return self.area.value


def test_each_object_has_its_own_by_a_method():
    one, other = Rectangle(), Rectangle()
    one.width.value = 5
    assert (one.area.value, other.area.value) == (15, 6)
    assert one.area is one.area
    assert isinstance(one.area, Derived)
    assert one.area.name == "Rectangle.area"
    assert Rectangle.area.__doc__ == "How large it is."
    with pytest.raises(AttributeError, match=r"Rectangle\.area cannot be set"):
        one.area = 3


def test_a_method_does_not_keep_its_object():
    one = Rectangle()
    received = []
    one.area.observe(received.append)
    one.width.value = 3
    assert received == [Update(6, 9)]
    gone = weakref.ref(one)
    del one
    collect()
    assert gone() is None


def test_an_evented_class_has_derived_variables():
    @evented
    class Dog:
        age: int
        factor = Var.attribute(7)

        @derived
        def human_age(self):
            return self.age * self.factor.value

    dog = Dog(2)
    assert dog.human_age.value == 14
    dog.factor.value = 6
    assert dog.human_age.value == 12


def test_a_function_sees_one_moment_from_its_first_read_to_its_last():
    one, other = Var(0), Var(0)
    is_reading, has_set = threading.Event(), threading.Event()

    def function():
        first = one.value
        is_reading.set()
        has_set.wait()
        return first, other.value

    both = derived(function)
    results = []
    reader = Thread(lambda: results.append(both.value))
    is_reading.wait()
    one.value = 1
    # Which no function has read before.
    other.value = 1
    has_set.set()
    reader.join()
    assert results == [(0, 0)]
    assert both.value == (1, 1)


def test_a_function_sees_no_mixture_inside_whatever_threads_set():
    one, other = Var(0), Var(0)
    mixtures = []

    def function():
        if one.value + other.value:
            mixtures.append((one.value, other.value))
        return one.value + other.value

    total = derived(function)
    after = derived(lambda: total.value + 1)
    received = []
    derived(lambda: one.value).observe(received.append)
    await_release()
    observed = derived(lambda: one.value)
    observed.observe(received.append)

    def write(step):
        for number in range(1, 300):
            with transaction():
                one.value, other.value = number * step, -number * step

    def read():
        for _ in range(300):
            if total.value or after.value != 1:
                mixtures.append("read")
            with snapshot():
                if one.value + other.value:
                    mixtures.append("snapshot")

    join_all([Thread(partial(write, 1)), Thread(partial(write, 3)), Thread(read), Thread(read)])
    assert mixtures == []
    assert all(before.new == after.old for before, after in zip(received, received[1:]))
    assert received[-1].new == one.value == observed.value


def test_a_function_that_needs_the_setters_lock_does_not_hang():
    lock = threading.Lock()
    source = Var(0)

    def function():
        with lock:
            return source.value

    value = derived(function)
    is_computing = threading.Event()

    def read():
        is_computing.set()
        value.value

    with lock:
        reader = Thread(read)
        is_computing.wait()
        source.value = 1
    reader.join()
    assert value.value == 1


def test_readers_do_not_wait_for_a_function_that_does_not_return():
    source = Var(0)
    is_inside, may_go = threading.Event(), threading.Event()
    blocked = []

    def function():
        if threading.current_thread() is not threading.main_thread():
            is_inside.set()
            may_go.wait()
        return source.value

    value = derived(function)
    reader = Thread(lambda: blocked.append(value.value))
    is_inside.wait()
    source.value = 1
    assert value.value == 1
    may_go.set()
    reader.join()
    assert blocked == [0]


def test_nobody_hears_of_it_before_the_update_that_another_thread_is_still_delivering():
    source, other, heard = Var(0), Var(0), []
    sum_of_both, unrelated = derived(lambda: source.value + other.value), derived(lambda: other.value)
    is_inside, may_go = threading.Event(), threading.Event()

    @source.observe
    def hear(update):
        if update.new == 1:
            is_inside.set()
            may_go.wait()
        heard.append(("source", update.new))

    sum_of_both.observe(lambda update: heard.append(("sum", update.new)))
    unrelated.observe(lambda update: heard.append(("unrelated", update.new)))
    effects = []
    running = effect(lambda: effects.append((source.value, list(heard))))
    setter = Thread(lambda: source.set(1))
    is_inside.wait()
    source.value = 2
    other.value = 10
    # What has nothing in common with it does not wait.
    assert heard == [("unrelated", 10)]
    assert sum_of_both.value == 12
    may_go.set()
    setter.join()
    assert heard == [("unrelated", 10), ("source", 1), ("source", 2), ("sum", 12)]
    assert effects == [(0, []), (2, heard)]
    running.stop()


def test_nobody_hears_of_it_early_if_it_began_amid_the_delivery_of_what_it_reads():
    source, heard, kept = Var(0), [], []

    @source.observe
    def begin_once(update):
        heard.append(("source", update.new))
        if update.new == 1:
            kept.append(derived(lambda: source.value * 10))
            kept[0].observe(lambda update: heard.append(("tenfold", update.new)))
            source.value = 2

    source.observe(lambda update: heard.append(("second", update.new)))
    source.value = 1
    assert heard == [("source", 1), ("second", 1), ("source", 2), ("second", 2), ("tenfold", 20)]


def test_one_that_began_amid_a_delivery_on_another_thread_is_told_when_that_is_over():
    source, other, heard = Var(0), Var(0), []
    is_inside, may_go = threading.Event(), threading.Event()

    @source.observe
    def wait(update):
        is_inside.set()
        may_go.wait()

    setter = Thread(lambda: source.set(1))
    is_inside.wait()
    sum_of_both = derived(lambda: source.value + other.value)
    sum_of_both.observe(lambda update: heard.append(update.new))
    other.value = 10
    assert heard == []
    may_go.set()
    setter.join()
    assert heard == [11]


def test_one_that_reads_nothing_runs_once():
    source, constant = Var(1), Counted(lambda: 1)
    derived(lambda: source.value).value
    assert constant.value == 1
    source.value = 2
    assert (constant.value, constant.runs) == (1, 1)


@pytest.mark.parametrize("how", ["set", "transaction", "replay", "again"])
def test_turns_that_a_handler_causes_come_after_the_updates_that_are_on_their_way(how):
    """Who observes the variable, too, hears of no later moment first (law 32); effects come after updates (34)."""
    told = []
    variable = Var(1)
    tenfold = derived(lambda: variable.value * 10)

    def react(update):
        told.append(("first", *update))
        if update.new == 1:
            variable.value = 2

    def begin():
        return variable.observe(react, replay="latest" if how == "replay" else None)

    kept = [] if how == "replay" else [begin()]
    kept.append(variable.observe(lambda update: told.append(("second", *update))))
    kept.append(tenfold.observe(lambda update: told.append(("tenfold", *update))))
    kept.append(effect(lambda: told.append(("effect", tenfold.value))))
    told.clear()
    if how == "replay":
        kept.append(begin())
    elif how == "again":
        variable.send_latest()
    else:
        variable.value = 0
        told.clear()
        if how == "set":
            variable.value = 1
        else:
            with transaction():
                variable.value = 1
    of_variable = [each for each in told if each[0] in ("first", "second")]
    assert told[: len(of_variable)] == of_variable
    assert ("second", 1, 2) in of_variable
    old = 0 if how in ("set", "transaction") else 10
    assert told[len(of_variable) :] == [("tenfold", old, 20), ("effect", 20)]
    for each in kept:
        each.stop()


@pytest.mark.parametrize("how", ["replay", "again"])
def test_effects_of_what_is_set_amid_a_derived_variable_s_message_come_after_its_updates(how):
    told = []
    variable = Var(1)
    tenfold = derived(lambda: variable.value * 10)

    def react(update):
        told.append(("tenfold", *update))
        if variable.value == 1:
            variable.value = 2

    kept = [effect(lambda: told.append(("effect", variable.value)))]
    kept.append(tenfold.observe(react, replay="latest" if how == "replay" else None))
    if how == "again":
        tenfold.send_latest()
    assert told == [("effect", 1), ("tenfold", 10, 10), ("tenfold", 10, 20), ("effect", 2)]
    for each in kept:
        each.stop()


class Comparing:
    """Calls something in its n-th comparison."""

    calls: dict = {}

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        Comparing.calls = {number - 1: call for number, call in Comparing.calls.items()}
        Comparing.calls.pop(0, int)()
        return self.number == other.number

    def __hash__(self):
        return self.number


@pytest.mark.parametrize("comparison", range(1, 8))
@pytest.mark.parametrize("sets", [0, 1, 2, 3])
def test_an_equality_may_set_and_begin_to_observe_amid_a_set(sets, comparison):
    """Whichever it is, those that observe hear of what comes: nothing that a set has marked stays so."""
    told, begun = [], []
    variable = Var(Comparing(0))
    same = derived(lambda: variable.value)
    kept = [same.observe(lambda update: told.append(update.new.number))]
    Comparing.calls = {
        sets: lambda: variable.set(Comparing(2)),
        sets + comparison: lambda: kept.append(same.observe(begun.append, replay="latest")),
    }
    # What a comparison of a derived variable sets fails.
    with suppress(HandlerError):
        variable.value = Comparing(1)
    Comparing.calls = {}
    variable.value = Comparing(3)
    assert told[-1] == 3
    assert len(kept) == 1 or begun[-1].new.number == 3
    for each in kept:
        each.stop()

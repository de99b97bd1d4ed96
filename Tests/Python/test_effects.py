# SPDX-License-Identifier: MIT
"""Effects: functions that run now, and again after each turn in which what they have read has changed: law 34."""

import asyncio
import weakref

import pytest

from support import Thread, await_release
from swiftobserver import (
    ComputingError,
    HandlerError,
    Messenger,
    Observer,
    Update,
    Var,
    derived,
    effect,
    graph,
    transaction,
    untracked,
)


def test_it_runs_now_and_after_each_change():
    source, seen = Var(1), []
    observation = effect(lambda: seen.append(source.value))
    source.value = 2
    observation.stop()
    source.value = 3
    assert seen == [1, 2]
    assert not observation.is_living


def test_it_runs_once_a_turn_after_the_updates():
    one, other, seen = Var(1), Var(2), []
    total = derived(lambda: one.value + other.value)
    with effect(lambda: seen.append((one.value, total.value))), total.observe(lambda update: seen.append(update.new)):
        with transaction():
            one.value, other.value = 10, 20
    assert seen == [(1, 3), 30, (10, 30)]


def test_it_does_not_run_where_what_it_reads_stays_the_same():
    source, seen = Var(1), []
    is_odd = derived(lambda: source.value % 2 == 1)
    with effect(lambda: seen.append(is_odd.value)):
        source.value = 3
        source.value = 4
    assert seen == [True, False]


def test_its_clean_up_runs_before_the_next_run_and_at_the_end():
    source, seen = Var(1), []

    @effect
    def observation():
        value = source.value
        return lambda: seen.append(value)

    assert seen == []
    source.value = 2
    assert seen == [1]
    observation.stop()
    assert seen == [1, 2]


def test_what_a_clean_up_reads_it_does_not_depend_on():
    source, other, runs = Var(1), Var(1), []

    def function():
        runs.append(source.value)
        return lambda: other.value

    with effect(function):
        source.value = 2
        other.value = 2
    assert runs == [1, 2]


def test_there_is_none_if_its_first_run_fails():
    source, runs = Var(0), []

    def function():
        runs.append(1 / source.value)

    with pytest.raises(ZeroDivisionError):
        effect(function)
    source.value = 1
    assert runs == []


def test_a_later_failure_is_told_and_it_stays():
    source, seen = Var(1), []
    with effect(lambda: seen.append(1 / source.value)):
        with pytest.raises(HandlerError, match="division by zero"):
            source.value = 0
        source.value = 2
    assert seen == [1, 0.5]


def test_it_ends_with_its_observer():
    source, seen, observer = Var(1), [], Observer()
    observation = effect(lambda: seen.append(source.value), observer=observer)
    source.value = 2
    assert observer.count == 1
    del observer
    await_release()
    source.value = 3
    assert (seen, observation.is_living) == ([1, 2], False)


def test_what_it_sets_is_handled_when_it_has_returned():
    source, target, seen = Var(1), Var(0), []
    both = derived(lambda: (source.value, target.value))

    def function():
        target.value = source.value * 2
        seen.append("returned")

    with both.observe(lambda update: seen.append(update.new)), effect(function):
        source.value = 2
    assert seen == ["returned", (1, 2), (2, 2), "returned", (2, 4)]


def test_one_that_sets_what_it_reads_runs_until_it_rests():
    source, seen = Var(0), []

    def function():
        seen.append(source.value)
        if source.value < 5:
            source.value = source.value + 1

    with effect(function):
        assert seen == [0, 1, 2, 3, 4, 5]
        source.value = 4
    assert seen[6:] == [4, 5]


def test_one_that_causes_itself_without_end_is_told_by_name_and_rests():
    source, on = Var(0), Var(False)

    def endless():
        if on.value:
            source.value = source.value + 1

    with effect(endless, name="endless"):
        with pytest.raises(HandlerError, match="endless has caused itself 100 times in a row, and rests"):
            on.value = True
        assert source.value == 100
        with pytest.raises(HandlerError, match="rests"):
            source.value = 0
        on.value = False
        source.value = 7
        assert source.value == 7


def test_one_that_rests_is_told_of_each_change_behind_what_it_has_read():
    """What is derived is not settled when it begins to rest."""
    source, other, seen, is_on = Var(0), Var(0), [], []
    both = derived(lambda: source.value + other.value)

    def endless():
        now = source.value
        seen.append(both.value)
        if is_on:
            source.value = now + 1

    with effect(endless):
        is_on.append(True)
        with pytest.raises(HandlerError, match="rests"):
            source.value = 1
        is_on.clear()
        seen.clear()
        other.value = 1000
        assert seen == [source.value + 1000]


def test_one_that_was_blocked_runs_after_the_next_change():
    """What changes meanwhile is lost to it, as each message is to an observation that is blocked."""
    source, other, seen = Var(0), Var(0), []
    both = derived(lambda: source.value + other.value)
    observation = effect(lambda: seen.append((source.value, both.value)))
    with observation.blocked():
        source.value = 1
        source.value = 2
    assert seen == [(0, 0)]
    other.value = 10
    source.value = 3
    assert seen == [(0, 0), (2, 12), (3, 13)]
    observation.stop()


def test_one_that_was_blocked_while_nothing_changed_for_it_does_not_run():
    number, runs = Var(1), []
    is_even = derived(lambda: number.value % 2 == 0)
    observation = effect(lambda: runs.append(is_even.value))
    with observation.blocked():
        number.value = 3
    number.value = 5
    assert runs == [False]
    number.value = 6
    assert runs == [False, True]
    observation.stop()


def test_one_that_is_blocked_when_its_job_runs_runs_after_the_next_change():
    source, other, seen, jobs = Var(0), Var(0), [], []
    both = derived(lambda: source.value + other.value)

    def run_jobs():
        while jobs:
            jobs.pop(0)()

    with effect(lambda: seen.append((source.value, both.value)), on=jobs.append) as observation:
        run_jobs()
        for number in (1, 2, 3):
            source.value = number
            with observation.blocked():
                run_jobs()
        assert (seen, jobs) == ([(0, 0)], [])
        other.value = 10
        run_jobs()
        source.value = 4
        run_jobs()
        assert seen == [(0, 0), (3, 13), (4, 14)]


def set_by_itself(variable):
    variable.value = 2


def set_by_another_thread(variable):
    Thread(lambda: set_by_itself(variable)).join()


@pytest.mark.parametrize("place", ["here", "by jobs"])
@pytest.mark.parametrize("is_derived", [False, True], ids=["variable", "derived"])
@pytest.mark.parametrize("set_amid", [set_by_itself, set_by_another_thread])
def test_what_changes_amid_its_run_has_it_run_again(set_amid, is_derived, place):
    variable, seen, jobs = Var(0), [], []
    source = derived(lambda: variable.value) if is_derived else variable

    def function():
        seen.append(source.value)
        if seen[-1] == 1:
            set_amid(variable)

    with effect(function, on=None if place == "here" else jobs.append):
        while jobs:
            jobs.pop(0)()
        variable.value = 1
        while jobs:
            jobs.pop(0)()
        assert seen == [0, 1, 2]


def test_two_that_push_one_another_by_jobs_rest():
    one, other, jobs, failures = Var(0), Var(0), [], []

    def push(source, target):
        target.value = source.value + 1

    def run_jobs():
        for _ in range(1000):
            if jobs:
                try:
                    jobs.pop(0)()
                except HandlerError as error:
                    failures.append(error)

    with effect(lambda: push(one, other), on=jobs.append):
        run_jobs()
        with effect(lambda: push(other, one), on=jobs.append):
            run_jobs()
            assert jobs == [] and "rests" in str(failures[0]) and "of effect made at" in str(failures[0])


@pytest.mark.parametrize("place", ["here", "by jobs"])
def test_what_it_sets_is_handled_when_it_has_returned_wherever_it_runs(place):
    source, copy, seen, jobs = Var(0), Var(0), [], []
    doubled = derived(lambda: copy.value * 2)

    def function():
        copy.value = source.value
        seen.append("returns")

    with doubled.observe(seen.append), effect(function, on=None if place == "here" else jobs.append):
        while jobs:
            jobs.pop(0)()
        source.value = 1
        while jobs:
            jobs.pop(0)()
    assert seen == ["returns", "returns", Update(0, 2)]


def test_those_of_one_turn_run_in_the_order_in_which_they_were_begun():
    source, seen = Var(1), []
    with effect(lambda: seen.append(("a", source.value))), effect(lambda: seen.append(("b", source.value))):
        source.value = 2
    assert seen == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]


def test_what_it_reads_untracked_does_not_have_it_run():
    source, other, seen = Var(1), Var(1), []

    def function():
        with untracked():
            seen.append((other.value, source.value))
        source.value

    with effect(function):
        other.value = 2
        source.value = 2
    assert seen == [(1, 1), (2, 2)]


def test_it_keeps_what_it_reads_until_it_is_stopped():
    source = Var(1)
    gone = weakref.ref(source)
    observation = effect(reading(source))
    del source
    await_release()
    assert gone() is not None
    observation.stop()
    await_release()
    assert gone() is None


def reading(source):
    return lambda: source.value and None


async def test_it_runs_on_a_loop():
    source, seen = Var(1), []
    ran = asyncio.Event()

    def function():
        seen.append(source.value)
        ran.set()

    with effect(function, on=asyncio.get_running_loop()):
        assert seen == []
        await ran.wait()
        ran.clear()
        source.value = 2
        await ran.wait()
    assert seen == [1, 2]


def test_it_cannot_begin_in_a_function():
    with pytest.raises(ComputingError, match="an effect cannot begin"):
        derived(lambda: effect(lambda: None)).value


def test_it_is_drawn_with_what_it_reads():
    source = Var(1, name="source")
    with effect(lambda: source.value and None, name="shown"):
        drawn = graph(source)
    assert [(each.kind, each.name) for each in drawn.nodes] == [("variable", "source"), ("effect", "shown")]
    assert (0, 1) in [(each.source, each.target) for each in drawn.edges]


def test_it_takes_a_function_without_arguments():
    with pytest.raises(TypeError, match="function must take no arguments"):
        effect(lambda message: None)
    with pytest.raises(TypeError, match="function must be callable"):
        effect(3)


@pytest.mark.parametrize("way", ["messenger", "native messenger", "native variable", "variable", "replay", "latest"])
def test_it_does_not_depend_on_what_handlers_read_that_it_calls(way):
    source, other, told, runs = Var(1), Var(1), [], []
    native = way.startswith("native")
    variable = Var(0, native=native)
    messenger = Messenger(native=native)
    cached = messenger.cache(0)

    def read(message):
        told.append(other.value)

    kept = [each.observe(read) for each in (variable, messenger, cached)]

    def run():
        runs.append(source.value)
        if way == "replay":
            kept.append(variable.observe(read, replay=1))
        elif way == "latest":
            variable.send_latest()
            cached.send_latest()
        elif way.endswith("messenger"):
            messenger.send(1)
        else:
            variable.value = source.value

    with effect(run):
        assert told
        other.value = 2
        assert runs == [1]
        source.value = 2
        assert runs == [1, 2]
    for each in kept:
        each.stop()


def test_what_handlers_set_that_a_derived_variable_calls_is_an_error():
    source, target, messenger = Var(1), Var(0), Messenger()

    def react(message):
        target.value = message

    def function():
        messenger.send(source.value)
        return source.value

    with messenger.observe(react), pytest.raises(HandlerError) as caught:
        derived(function).value
    assert isinstance(caught.value.__cause__ or caught.value.exceptions[0], ComputingError)
    assert target.value == 0


def test_what_it_sets_that_c_code_reaches_it_sees():
    source, reached, seen = Var(1), Var(0, native=True), []

    def run():
        reached.value = source.value * 10
        seen.append(reached.value)

    with effect(run):
        source.value = 2
    assert seen == [10, 20]


@pytest.mark.parametrize("native", [False, True])
def test_what_it_updates_it_does_not_depend_on(native):
    source, count, old = Var(1), Var(0, native=native), []
    with effect(lambda: (source.value, count.update(lambda before: old.append(before) or before + 1))):
        source.value = 2
        count.value = 10
        source.value = 3
    assert (old, count.value) == ([0, 1, 10], 11)

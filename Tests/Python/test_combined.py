# SPDX-License-Identifier: MIT
"""Observing two and more at once: laws 20 and 21."""

import threading
import weakref
from functools import partial

import pytest

from support import Thread, collect, each_kind, finalise, join_all
from swiftobserver import HandlerError, Messenger, Observer, Var, combine, merge


@each_kind
def test_a_combined_observation_ends_with_its_block(native):
    one, other, observer = Var(1, native=native), Var(2, native=native), Observer()
    with observer.observe_combined((one, other.new()), lambda *messages: None) as observation:
        assert observation.is_living
    assert "ended" in repr(observation)
    assert not observation.stop()


def test_only_what_has_a_latest_message_can_be_combined():
    observer, variable, messenger = Observer(), Var(1), Messenger()
    news = variable.new()
    for each in (messenger, messenger.map(str), news.filter(bool), news.with_previous(), news.take(1)):
        with pytest.raises(TypeError, match="no latest message"):
            observer.observe_combined((variable, each), lambda one, other: None)
        with pytest.raises(TypeError, match="no latest message"):
            each.latest_message
    assert observer.count == 0
    assert (variable.latest_message, news.latest_message, news.unwrap(5).latest_message) == ((1, 1), 1, 1)


def test_wrong_arguments_are_refused_and_nothing_is_observed():
    observer, variable = Observer(), Var(1)
    for handler in (lambda one: None, lambda one, two, three: None, partial(lambda one: None, 1, 2)):
        with pytest.raises(TypeError, match="must take 2 messages"):
            observer.observe_combined((variable, variable), handler)
    with pytest.raises(TypeError, match="callable"):
        observer.observe_combined((variable, variable), 5)
    with pytest.raises(ValueError, match="two or more"):
        observer.observe_combined((variable,), print)
    with pytest.raises(TypeError, match="observables"):
        observer.observe_combined((variable, 5), print)
    assert observer.count == 0
    observer.close()
    with pytest.raises(ValueError, match="closed"):
        observer.observe_combined((variable, variable), print)


def test_the_same_may_be_combined_with_itself():
    received = []
    variable, observer = Var(1), Observer()
    observer.observe_combined((variable, variable), lambda one, other: received.append((one, other)))
    variable.value = 2
    assert received == [((1, 2), (2, 2)), ((2, 2), (1, 2))]


def test_a_combined_handler_that_fails_is_named():
    one, other, observer = Var(1), Var(2), Observer()

    def fail(first, second):
        raise ValueError("reason")

    observer.observe_combined((one, other), fail)
    with pytest.raises(HandlerError, match="handler .*fail of Var .*ValueError: reason"):
        one.value = 5


@each_kind
def test_what_several_send_is_one_observable(native):
    received, news = [], []
    one, other, third = (Var(number, native=native) for number in (1, 2, 3))
    combined = combine(one.new(), other.new(), third.new().map(str))
    combined.map(lambda each: each[0]).observe(lambda message, author: news.append((message, author)))
    observation = combined.observe(received.append)
    assert combined.latest_message == (1, 2, "3")
    collect()
    other.set(20, author="me")
    third.value = 30
    assert received == [(1, 20, "3"), (1, 20, "30")]
    assert news == [(1, "me"), (1, third)]
    with combined.observe(received.append, replay="latest"):
        assert received.pop() == (1, 20, "30")
    merge(one.new(), other.new()).observe(received.append)
    collect()
    observation.stop()
    one.value = 10
    assert received[2:] == [10]
    del combined
    collect()
    assert third.count == 1


@pytest.mark.parametrize("function", [merge, combine])
def test_two_or_more_are_merged_or_combined(function):
    variable = Var(1)
    for wrong in ((), (variable,)):
        with pytest.raises(ValueError, match="observables must be two or more"):
            function(*wrong)
    for wrong in ((variable, 5), (None, variable)):
        with pytest.raises(TypeError, match="observables must be observables, not (int|NoneType)"):
            function(*wrong)
    with pytest.raises(ValueError, match="what was made for C code and what was not cannot be (merged|combined)"):
        function(variable, Var(1, native=True))
    assert variable.count == 0


def test_a_mapper_of_another_part_that_fails_is_told():
    one, other = Var(1), Var(2)
    combine(one, other.new().map(lambda number: 2 // number)).observe(print)
    with pytest.raises(HandlerError):
        other.value = 0
    with pytest.raises(HandlerError, match="ZeroDivisionError"):
        one.value = 5


def slow_where(name, begun, go_on):
    """A mapper that takes its time on one thread."""

    def mapper(number):
        if threading.current_thread().name == name:
            begun.set()
            go_on.wait()
        return number

    return mapper


@each_kind
@pytest.mark.parametrize("how", ["combine", "observe_combined"])
def test_the_last_message_of_what_several_threads_set_is_how_it_is(native, how):
    begun, go_on = threading.Event(), threading.Event()
    width, height, received = Var(0, native=native), Var(0, native=native), []
    sides = width.new(), height.new().map(slow_where("slow", begun, go_on))
    if how == "combine":
        kept = combine(*sides)
        kept.observe(received.append)
    else:
        kept = Observer()
        kept.observe_combined(sides, lambda *pair: received.append(pair))
    thread = threading.Thread(target=width.set, args=(1,), name="slow")
    thread.start()
    begun.wait()
    height.value = 5
    go_on.set()
    thread.join()
    assert received[-1] == (1, 5)


@each_kind
@pytest.mark.parametrize("how", ["combine", "observe_combined"])
def test_what_several_threads_set_at_random_ends_with_how_it_is(native, how):
    for _ in range(30):
        sides, received = [Var(0, native=native) for _ in range(3)], []
        news = [each.new() for each in sides]
        if how == "combine":
            kept = combine(*news)
            kept.observe(received.append)
        else:
            kept = Observer()
            kept.observe_combined(news, lambda *three: received.append(three))

        def set_all(side):
            for number in range(1, 20):
                side.value = number

        join_all([Thread(partial(set_all, side)) for side in sides])
        assert received[-1] == (19, 19, 19)


def test_a_combined_handler_is_called_once_at_a_time():
    width, height = Var(0), Var(0)
    inside = []

    def handler(*sides):
        assert not inside
        inside.append(sides)
        for _ in range(50):
            inside[:] = [sides]
        inside.clear()

    observer = Observer()
    observer.observe_combined((width, height), handler)
    join_all([Thread(lambda side=side: [side.set(number) for number in range(300)]) for side in (width, height)])


@each_kind
@pytest.mark.parametrize("end", ["dies", "is stopped", "is stopped inside a handler"])
def test_when_one_of_several_ends_nothing_of_a_combined_observation_is_left(native, end):
    class Handler:
        def __call__(self, width, height): ...

    width, height, observer, handler = Var(1, native=native), Var(2, native=native), Observer(), Handler()
    kept = weakref.ref(handler)
    combined = observer.observe_combined((width, height), handler)
    del handler
    if end == "dies":
        del width
    elif end == "is stopped":
        assert observer.stop(width)
    else:
        stopping = width.observe(lambda: observer.stop(width), once=True)
        width.value = 5
        assert not stopping.is_living
    collect()
    assert (combined.is_living, observer.count, observer.is_observing(height), kept()) == (False, 0, False, None)
    assert (height.count, height.observations) == (0, ())


@each_kind
def test_what_cannot_be_combined_leaves_no_part_behind(native):
    width, gone, observer = Var(1, native=native), Var(2), Observer()
    # It has a latest message, and cannot be observed.
    finalise(gone)
    with pytest.raises(ValueError):
        observer.observe_combined((width, gone), print)
    assert (observer.count, width.count) == (0, 0)


def test_several_that_fail_in_what_one_thread_takes_over_are_all_told():
    width, height, fails = Var(0), Var(0), []

    def handler(*sides):
        if sides == (1, 0):
            height.value = 1
        raise ValueError(sides)

    observer = Observer()
    observer.observe_combined((width.new(), height.new()), handler)
    with pytest.raises(HandlerError) as error:
        width.value = 1
    fails = [str(each) for each in error.value.exceptions]
    assert len(fails) == 1 and "(1, 0)" in fails[0] and "(1, 1)" in fails[0]

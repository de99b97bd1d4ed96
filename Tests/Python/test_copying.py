# SPDX-License-Identifier: MIT
"""Copies of variables have the value and the settings, and no observers. Everything else is not copied."""

import copy
import pickle

import pytest

from support import Thread, each_kind, fail, hearing
from swiftobserver import Messenger, Observer, Update, Var, bind

each_way = pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, *(lambda each, p=p: pickle.loads(pickle.dumps(each, p)) for p in (2, 5))],
    ids=["copy", "deepcopy", "pickle 2", "pickle 5"],
)


class Limited(Var[int]):
    """With another way to be made, and things of its own."""

    def __init__(self, value, limit):
        super().__init__(value)
        self.limit = limit
        self._hidden = "too"


def told(failure):
    """A function that pickle finds."""


@each_kind
@each_way
def test_a_copy_has_the_value_and_the_settings_and_no_observers(duplicate, native):
    received = []
    variable = Var(1, native=native, name="number")
    variable.ordered = False
    variable.budget = 10
    variable.stops_at_failure = True
    variable.failure_handler = told
    variable.observe(received.append)
    twin = duplicate(variable)
    assert type(twin) is Var
    assert (twin.value, twin.name, twin.ordered, twin.stops_at_failure) == (1, "number", False, True)
    assert twin.budget == 10
    assert twin.failure_handler is told
    assert twin.observations == ()
    twin.value = 2
    assert (variable.value, received) == (1, [])
    twin.observe(received.append)
    twin.value = 3
    assert received == [Update(2, 3)]
    if native:
        assert twin.pointer != variable.pointer


@each_way
def test_a_copy_of_a_subclass_is_of_it_and_has_its_attributes(duplicate):
    twin = duplicate(Limited(5, limit=9))
    assert type(twin) is Limited
    assert (twin.value, twin.limit, twin._hidden) == (5, 9, "too")


def test_only_a_deep_copy_copies_the_value():
    variable = Var([1])
    assert copy.copy(variable).value is variable.value
    assert copy.deepcopy(variable).value is not variable.value


@pytest.mark.parametrize("value", [None, True, 2**70, 0.5, "text", b"bytes", (1, [2]), {"a": Update(1, 2)}])
@each_kind
def test_values_of_all_kinds_come_through(value, native):
    assert pickle.loads(pickle.dumps(Var(value, native=native))).value == value


@each_way
def test_a_variable_whose_value_knows_it_is_copied(duplicate):
    variable = Var(None)
    variable.value = [variable]
    twin = duplicate(variable)
    expected = variable if duplicate is copy.copy else twin
    assert twin.value[0] is expected
    variable.value = twin.value = None


def test_a_variable_without_a_state_to_be_had_is_told():
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError), match="lambda|local"):
        pickle.dumps(Var(lambda: None))


@each_kind
@pytest.mark.parametrize(
    "make, kind",
    [
        (lambda native: Messenger(native=native), "Messenger"),
        (lambda native: Observer(), "Observer"),
        (lambda native: Var(1, native=native).map(lambda update: update), "Observable"),
        (lambda native: Var(1, native=native).cache(), "Observable"),
        (lambda native: Messenger(native=native).observe(print), "Observation"),
        (lambda native: bind(Var(1, native=native), Var(2, native=native)), "Binding"),
    ],
)
def test_what_belongs_to_this_process_is_not_copied(make, kind, native):
    thing = make(native)
    for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=f"cannot copy or pickle an object of type {kind}"):
            duplicate(thing)


def test_what_refers_to_a_messenger_is_told_why_it_is_not_pickled():
    with pytest.raises(TypeError, match="cannot copy or pickle an object of type Messenger"):
        pickle.dumps({"somewhere": [Messenger()]})


@each_way
@pytest.mark.parametrize("kind", ["paused", "blocked", "batch"])
def test_a_copy_shares_no_pause_no_block_and_no_batch(duplicate, kind):
    variable, told = hearing(Var(0))
    block = getattr(variable, kind)()
    with block:
        variable.value = 1
        twin = duplicate(variable)
        _, heard = hearing(twin)
        assert not (twin.is_paused or twin.is_blocked)
        twin.set(2, author="somebody")
        assert (heard, told) == ([Update(1, 2)], [])
    assert told == ([] if kind == "blocked" else [Update(0, 1)])
    twin.value = 3
    assert heard == [Update(1, 2), Update(2, 3)]


@each_way
def test_a_copy_of_what_is_confined_is_confined_to_no_thread(duplicate):
    jobs = []
    variable = Var(1, native=True)
    variable.confine(jobs.append)
    twin = duplicate(variable)
    Thread(lambda: twin.set(2)).join()
    assert (twin.value, jobs) == (2, [])


def test_a_copy_that_is_made_while_its_original_delivers_is_not_stopped():
    copies, received = [], []
    variable = Var(0)
    variable.stops_at_failure = True
    variable.observe(fail)
    variable.failure_handler = lambda failure: copies.append(copy.copy(variable))
    variable.value = 1
    (twin,) = copies
    twin.failure_handler = None
    twin.observe(received.append)
    twin.value = 2
    assert received == [Update(1, 2)]

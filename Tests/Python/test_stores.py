# SPDX-License-Identifier: MIT
"""Random programs of operators, with calls in handlers, do the same where C code can reach them and where it cannot,
and to a derived variable that has the value of another one what they do to that."""

import gc
import random

import pytest

from swiftobserver import Derived, Messenger, Observable, Update, Var, combine, derived
from swiftobserver._operators.pure import root_of

OPERATORS = {
    "map": lambda program, one, other, n: one.map(lambda message: program.called("map") or number_in(message) + n),
    "filter": lambda program, one, other, n: one.filter(lambda message: number_in(message) % 3 != n),
    "new": lambda program, one, other, n: one.new(),
    "unwrap": lambda program, one, other, n: one.unwrap(n),
    "select": lambda program, one, other, n: one.select(n),
    "cache": lambda program, one, other, n: one.cache(n),
    "replaying": lambda program, one, other, n: one.replaying(n + 1),
    "merge": lambda program, one, other, n: one.merge(other),
    "weak": lambda program, one, other, n: one.weak(),
    "from": lambda program, one, other, n: one.from_(other),
    "combine": lambda program, one, other, n: combine(one, other),
    "zip": lambda program, one, other, n: one.zip(other),
    "with latest": lambda program, one, other, n: one.with_latest_from(other),
    "sample": lambda program, one, other, n: one.sample(other),
    "scan": lambda program, one, other, n: one.scan(n, lambda sum, message: (sum + number_in(message)) % 9),
    "take": lambda program, one, other, n: one.take(n),
    "skip": lambda program, one, other, n: one.skip(n),
    "skip repeats": lambda program, one, other, n: one.skip_repeats(),
    "unique": lambda program, one, other, n: one.unique_values(),
    "pairwise": lambda program, one, other, n: one.pairwise(),
    "with previous": lambda program, one, other, n: one.with_previous(),
    "flat map": lambda program, one, other, n: one.flat_map(1 + n % 3, program.chosen),
    "switch": lambda program, one, other, n: one.map(program.chosen).switch_to_latest(),
}
MAPPED = "map", "new", "unwrap", "select"
MOST_CALLS = 120


def number_in(message):
    if isinstance(message, Update):
        return number_in(message.new)
    if isinstance(message, tuple):
        return sum(map(number_in, message)) % 7
    return message if isinstance(message, int) else 0


class Program:
    """Writes down what happens."""

    def __init__(self, seed, native):
        self.random, self.log = random.Random(seed), []
        self.calls = self.depth = self.handlers = 0
        kinds = [Messenger, lambda native: Var(0, native=native), lambda native: Var(3, native=native)]
        self.observables = [self.random.choice(kinds)(native=native) for _ in range(3)]
        self.observations, self.entered = [], []

    def run(self):
        # When cycles are collected depends on what else there is.
        gc.disable()
        try:
            return self.run_without_collections()
        finally:
            gc.enable()

    def run_without_collections(self):
        while self.calls < MOST_CALLS:
            self.call()
        for within in self.entered:
            self.attempt(lambda within=within: within.__exit__(None, None, None), "exit")
        for observation in self.observations:
            observation.stop()
        return self.log

    def called(self, *what):
        self.log.append(what)

    def chosen(self, message):
        place = number_in(message) % 6
        self.called("choose", place)
        return self.observables[place] if place < min(5, len(self.observables)) else None

    def shown(self, message):
        if isinstance(message, Update):
            return "update", self.shown(message.old), self.shown(message.new)
        if isinstance(message, tuple):
            return tuple(map(self.shown, message))
        if isinstance(message, Observable):
            return next((place for place, each in enumerate(self.observables) if each is message), "another one")
        return message

    def attempt(self, call, *what):
        try:
            result = call()
        except Exception as error:
            return self.called(*what, type(error).__name__)
        self.called(*what, self.shown(result) if isinstance(result, (int, tuple, Update)) else "")
        return result

    def handler(self):
        tag, self.handlers = self.handlers, self.handlers + 1
        fails = self.random.random() < 0.03

        def handle(message, author):
            self.called("handle", tag, self.shown(message), self.shown(author))
            if self.depth < 3:
                self.depth += 1
                for _ in range(self.random.choice([0, 0, 0, 1, 1, 2])):
                    self.call()
                self.depth -= 1
            if fails:
                raise ValueError(tag)

        return handle

    def call(self):
        self.calls += 1
        if self.calls > MOST_CALLS:
            return
        one, other = (self.random.choice(self.observables) for _ in range(2))
        n, kind = self.random.randrange(5), self.random.random()
        name = self.shown(one)
        if kind < 0.3:
            if isinstance(one, (Var, Derived)):
                self.set(one, name, n)
            elif isinstance(one, Messenger):
                self.attempt(lambda: one.send(n), "send", name, n)
            else:
                self.attempt(one.send_latest, "send latest", name)
        elif kind < 0.5:
            self.observe(one, name, n)
        elif kind < 0.6 and self.observations:
            place = self.random.randrange(len(self.observations))
            self.attempt(self.observations[place].stop, "stop", place)
        elif kind < 0.85:
            self.make(one, other, n % 4)
        elif kind < 0.9:
            self.attempt(lambda: one.latest_message, "latest", name)
        elif kind < 0.94:
            within = one.batch() if n % 2 == 0 and self.may_batch(one) else one.blocked()
            self.entered.append(within)
            self.attempt(within.__enter__, "enter", name)
        elif self.entered:
            within = self.entered.pop(self.random.randrange(len(self.entered)))
            self.attempt(lambda: within.__exit__(None, None, None), "exit")
        else:
            self.called("count", name, one.count)

    def set(self, one, name, n):
        self.attempt(lambda: one.set(n), "set", name, n)

    def observe(self, one, name, n):
        replay = [None, None, None, 2, "latest"][n]
        # In a handler a replay comes at once here, and after the message in hand there. And what is mapped from a cache
        # has that wait here, and not there.
        if self.depth or (one._upstream.kind in MAPPED and not isinstance(root_of(one)[0], (Var, Derived))):
            replay = None
        once = self.random.random() < 0.15
        observation = self.attempt(
            lambda: one.observe(self.handler(), replay=replay, once=once), "observe", name, replay
        )
        if observation is not None:
            self.observations.append(observation)

    def may_batch(self, one):
        return isinstance(one, Var)

    def make(self, one, other, n):
        operator = self.random.choice(sorted(OPERATORS))
        made = self.attempt(lambda: OPERATORS[operator](self, one, other, n), operator, self.shown(one))
        if made is None:
            return
        if len(self.observables) < 14:
            self.observables.append(made)
        else:
            self.observables[self.random.randrange(3, 14)] = made


@pytest.mark.parametrize("first", range(0, 200, 20))
@pytest.mark.filterwarnings("ignore")
def test_random_programs_do_the_same_on_both_stores(first):
    for seed in range(first, first + 20):
        local, native = Program(seed, False).run(), Program(seed, True).run()
        assert local == native, seed


class ProgramOfDerived(Program):
    """Variables, or derived variables that have their values."""

    def __init__(self, seed, is_derived):
        super().__init__(seed, False)
        self.variables = [Var(0), Var(3)]
        made = [derived(lambda variable=each: variable.value) for each in self.variables]
        self.observables = [*(made if is_derived else self.variables), Messenger()]

    def set(self, one, name, n):
        variable = self.variables[self.observables.index(one)]
        # Turns that come in a handler may be handled together (law 28).
        if self.depth == 0:
            self.attempt(lambda: variable.set(n), "set", name, n)

    def may_batch(self, one):
        return False


@pytest.mark.parametrize("first", range(0, 200, 20))
@pytest.mark.filterwarnings("ignore")
def test_random_programs_do_to_a_derived_variable_what_they_do_to_a_variable(first):
    for seed in range(first, first + 20):
        plain, made = ProgramOfDerived(seed, False).run(), ProgramOfDerived(seed, True).run()
        assert plain == made, seed

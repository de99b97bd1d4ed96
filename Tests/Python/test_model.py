# SPDX-License-Identifier: MIT
"""Random programs of observing, stopping and sending, in handlers too, against a model of laws 1 to 3, 6, 7, 9."""

from collections import deque

from hypothesis import settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from swiftobserver import Messenger

# What a handler does when it is called for the n-th time: at most a few things, so that programs end.
actions = some.lists(
    some.one_of(
        some.just(("send",)),
        some.tuples(some.just("observe"), some.deferred(lambda: scripts)),
        some.tuples(some.just("stop"), some.integers(0, 9)),
    ),
    max_size=2,
)
scripts = some.lists(actions, max_size=2)


class Model:
    """A messenger as the laws describe it."""

    def __init__(self):
        self.observers = []
        self.queue = deque()
        self.delivering = False

    def observe(self, name, handler):
        self.observers.append((name, handler))

    def stop(self, name):
        living = self.is_living(name)
        self.observers = [each for each in self.observers if each[0] != name]
        return living

    def is_living(self, name):
        return any(each == name for each, _ in self.observers)

    def send(self, message):
        self.queue.append(message)
        if self.delivering:
            return
        self.delivering = True
        while self.queue:
            message = self.queue.popleft()
            for name, handler in list(self.observers):
                if self.is_living(name):
                    handler(message)
        self.delivering = False


class Library:
    """The messenger, with the face of the model."""

    def __init__(self):
        self.messenger = Messenger()
        self.send = self.messenger.send
        self.observations = {}

    def observe(self, name, handler):
        self.observations[name] = self.messenger.observe(handler)

    def stop(self, name):
        return self.observations[name].stop()

    def is_living(self, name):
        return self.observations[name].is_living


class Program:
    """Runs the same scripts with either, and writes down what happens."""

    def __init__(self, messenger):
        self.messenger = messenger
        self.log = []
        self.names = 0
        self.messages = 0

    def observe(self, script):
        name, self.names = self.names, self.names + 1
        remaining = deque(script)

        def handler(message):
            self.log.append((name, message))
            if remaining:
                for action in remaining.popleft():
                    self.perform(*action)

        self.messenger.observe(name, handler)

    def perform(self, kind, argument=None):
        if kind == "send":
            self.send()
        elif kind == "observe":
            self.observe(argument)
        elif self.names:
            self.log.append(self.messenger.stop(argument % self.names))

    def send(self):
        message, self.messages = self.messages, self.messages + 1
        self.messenger.send(message)


class Messengers(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.programs = Program(Model()), Program(Library())

    @rule(script=scripts)
    def observe(self, script):
        for program in self.programs:
            program.observe(script)

    @rule(index=some.integers(0, 9))
    def stop(self, index):
        for program in self.programs:
            program.perform("stop", index)

    @rule()
    def send(self):
        for program in self.programs:
            program.send()

    @invariant()
    def the_library_did_what_the_laws_say(self):
        expected, actual = self.programs
        assert actual.log == expected.log
        assert [actual.messenger.is_living(name) for name in range(actual.names)] == [
            expected.messenger.is_living(name) for name in range(expected.names)
        ]


TestMessengersKeepTheLaws = Messengers.TestCase
TestMessengersKeepTheLaws.settings = settings(max_examples=150, stateful_step_count=20)

# SPDX-License-Identifier: MIT
"""Random steps with variables, transforms, observers, batches, against a plain model of laws 2, 7 to 10, 15 to 18."""

from hypothesis import settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from swiftobserver import Observer, Update, Var

# What is observed of a variable, and what the model makes of an update there.
KINDS = {
    "itself": (lambda variable: variable, lambda update: [update]),
    "new": (lambda variable: variable.new(), lambda update: [update.new]),
    "tens": (lambda variable: variable.new().map(lambda value: value * 10), lambda update: [update.new * 10]),
    "even": (
        lambda variable: variable.new().filter(lambda value: value % 2 == 0),
        lambda update: [update.new] if update.new % 2 == 0 else [],
    ),
}
kinds = some.sampled_from(sorted(KINDS))
pair = some.integers(0, 1)
values = some.integers(-1, 3)


class Modelled:
    """A variable of the library's with what is made from it, beside the same as the laws describe it."""

    def __init__(self, native):
        self.variable, self.value = Var(0, native=native), 0
        self.observables = {kind: make(self.variable) for kind, (make, _) in KINDS.items()}
        # What each observable has offered to whom, since the order between a variable and its transforms is no law.
        self.received, self.expected = ({kind: [] for kind in KINDS} for _ in range(2))
        # The observations that live, by name: of which observable, by which observer.
        self.living = {}

    def change(self, value):
        old, self.value = self.value, value
        if old != self.value:
            for name, (kind, _) in self.living.items():
                self.expected[kind] += [(name, each) for each in KINDS[kind][1](Update(old, self.value))]


class Contract(RuleBasedStateMachine):
    native = False

    def __init__(self):
        super().__init__()
        self.modelled = [Modelled(self.native) for _ in range(2)]
        self.observers = [Observer() for _ in range(2)]
        self.handles = []

    @initialize()
    def observe_all(self):
        for variable in range(2):
            for kind in KINDS:
                for observer in None, 0, 0:
                    self.observe(variable, observer, kind)

    @rule(variable=pair, observer=some.none() | pair, kind=kinds)
    def observe(self, variable, observer, kind):
        modelled, name = self.modelled[variable], len(self.handles)
        received, observable = modelled.received[kind], modelled.observables[kind]

        def handler(message):
            received.append((name, message))

        if observer is None:
            self.handles.append(observable.observe(handler))
        else:
            self.handles.append(self.observers[observer].observe(observable, handler))
        modelled.living[name] = kind, observer

    @rule(index=some.integers(0, 99))
    def stop(self, index):
        if self.handles:
            name = index % len(self.handles)
            was_living = [each.living.pop(name, None) for each in self.modelled]
            assert self.handles[name].stop() == any(was_living)

    @rule(variable=pair, observer=pair, kind=kinds)
    def stop_observing(self, variable, observer, kind):
        modelled = self.modelled[variable]
        stopped = [name for name, of in modelled.living.items() if of == (kind, observer)]
        for name in stopped:
            del modelled.living[name]
        assert self.observers[observer].stop(modelled.observables[kind]) == bool(stopped)

    @rule(observer=pair)
    def end_observer(self, observer):
        self.observers[observer].close()
        self.observers[observer] = Observer()
        for each in self.modelled:
            each.living = {name: of for name, of in each.living.items() if of[1] != observer}

    @rule(variable=pair, value=values)
    def set(self, variable, value):
        self.modelled[variable].change(value)
        self.modelled[variable].variable.value = value

    @rule(variable=pair, addend=values)
    def update(self, variable, addend):
        self.modelled[variable].change(self.modelled[variable].value + addend)
        self.modelled[variable].variable.update(lambda value: value + addend)

    @rule(variable=pair, changes=some.lists(values, min_size=1, max_size=3))
    def change_in_batches(self, variable, changes):
        modelled = self.modelled[variable]
        modelled.change(changes[-1])
        with modelled.variable.batch():
            for value in changes:
                with modelled.variable.batch():
                    modelled.variable.value = value

    @invariant()
    def the_library_did_what_the_laws_say(self):
        for each in self.modelled:
            assert each.received == each.expected
            assert each.variable.value == each.value
        living = {name for each in self.modelled for name in each.living}
        assert [handle.is_living for handle in self.handles] == [name in living for name in range(len(self.handles))]


class NativeContract(Contract):
    """The same where C code can take part."""

    native = True


TestVariablesKeepTheLaws = Contract.TestCase
TestNativeVariablesKeepTheLaws = NativeContract.TestCase
TestVariablesKeepTheLaws.settings = settings(max_examples=40, stateful_step_count=25)
TestNativeVariablesKeepTheLaws.settings = TestVariablesKeepTheLaws.settings

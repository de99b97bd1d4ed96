# SPDX-License-Identifier: MIT
"""Where two features meet: all pairs, in both orders, with variables and messengers, local and native, against a model
of what has to arrive. What cannot be says why, and is refused with these words."""

import asyncio
import copy
import pickle

import pytest

from clock import run
from swiftobserver import Messenger, Update, Var, combine

SUBJECTS = {
    "variable": lambda **how: Var(0, **how),
    "native variable": lambda **how: Var(0, **{"native": True, **how}),
    "messenger": Messenger,
    "native messenger": lambda **how: Messenger(**{"native": True, **how}),
}
BLOCKS = ["batch", "blocked", "paused"]
# How many of all do, and how many cannot.
MET = {"met": 684, "refused": 340}
WAYS_TO_OBSERVE = ["replay", "once", "executor", "coroutine"]
KINDS = ["deferred", "native", "unordered"]
COPIES = {"copy": copy.copy, "pickle": lambda thing: pickle.loads(pickle.dumps(thing))}
TRANSFORMS = ["debounce", "throttle", "combine", "cache"]
FEATURES = [*BLOCKS, *WAYS_TO_OBSERVE, *KINDS, *COPIES, *TRANSFORMS]


def refusals(subject, pair):
    """Why two features cannot meet, in the words of the package; empty where they can."""
    is_variable, is_native = "variable" in subject, "native" in subject or {"native", "deferred"} & set(pair)
    reasons = []
    # A variable has a latest message, and what is made from it, but for what waits; a cache of anything has, and a
    # combination of what has.
    has_latest = is_variable
    for each in pair:
        if each in TRANSFORMS:
            has_latest = each == "cache" or (each == "combine" and has_latest)
    if "replay" in pair and not has_latest:
        reasons.append("has no latest message")
    if "batch" in pair and not is_variable:
        reasons.append("has no attribute 'batch'")
    if "deferred" in pair and not is_variable:
        reasons.append("unexpected keyword argument 'deferred'")
    if set(COPIES) & set(pair) and not is_variable:
        reasons.append("cannot copy or pickle an object of type Messenger")
    if "paused" in pair and is_native:
        reasons.append("that C code can reach cannot be paused")
    if {"executor", "coroutine"} <= set(pair):
        reasons.append("on must be an event loop for a coroutine function")
    return reasons


class Model:
    """What is sent, and what has to arrive."""

    def __init__(self, is_variable, pair):
        self.is_variable, self.pair = is_variable, pair
        self.value, self.latest, self.is_deferred = 0, None, "deferred" in pair
        self.batches, self.first, self.blocks, self.pauses = 0, None, 0, []
        self.stages = [Stage(each) for each in pair if each in TRANSFORMS]
        self.is_observed, self.received = False, []

    def send(self, number):
        if not self.is_variable:
            self.tell(number)
            return
        old, self.value = self.value, number
        if self.batches:
            self.first = old if self.first is None else self.first
        elif old != number:
            self.tell((old, number))

    def tell(self, message):
        if not self.blocks:
            self.pass_on(message)

    def pass_on(self, message):
        if self.pauses:
            self.pauses[-1].append(message)
        else:
            self.deliver(message)

    def deliver(self, message, stages=None):
        stages = self.stages if stages is None else stages
        if stages:
            # What nothing observes does not wait. A transform that is made of it observes it.
            if stages[0].kind in ("debounce", "throttle") and not stages[1:] and not self.is_observed:
                return
            for each in stages[0].receive(message):
                self.deliver(each, stages[1:])
        elif self.is_observed and not ("once" in self.pair and self.received):
            self.received.append(message)

    def observe(self):
        self.is_observed = True
        if "replay" in self.pair:
            latest = (self.value, self.value)
            for stage in self.stages:
                latest = stage.latest(latest)
            self.received.append(latest)

    def time_passes(self):
        for index, stage in enumerate(self.stages):
            for each in stage.flush():
                self.deliver(each, self.stages[index + 1 :])

    def begin(self, kind):
        if kind == "batch":
            self.batches += 1
        elif kind == "blocked":
            self.blocks += 1
        else:
            self.pauses.append([])

    def end(self, kind):
        if kind == "batch":
            self.batches -= 1
            if not self.batches and self.first is not None:
                first, self.first = self.first, None
                self.tell((first, self.value))
        elif kind == "blocked":
            self.blocks -= 1
        else:
            # Through a block: it was sent before.
            for message in self.pauses.pop():
                self.pass_on(message)


class Stage:
    """A transform."""

    def __init__(self, kind):
        self.kind, self.waiting, self.is_quiet, self.remembered = kind, [], True, None

    def receive(self, message):
        if self.kind == "combine":
            return [("combined", news(message))]
        if self.kind == "cache":
            self.remembered = message
            return [message]
        if self.kind == "throttle" and self.is_quiet:
            self.is_quiet = False
            return [message]
        self.waiting = [message]
        return []

    def latest(self, latest):
        return self.remembered if self.kind == "cache" else ("combined", news(latest))

    def flush(self):
        waiting, self.waiting = self.waiting, []
        return waiting


def news(message):
    """What `new()` makes of it."""
    return message[1] if isinstance(message, tuple) and message[0] != "combined" else message


def transformed(observable, kind, kept):
    if kind == "combine":
        other = Var(0, native=observable._store.either(lambda: False, lambda: True))
        kept.append(other)
        return combine(observable.new(), other.new())
    if kind == "cache":
        return observable.cache()
    return getattr(observable, kind)(1)


def plain(message):
    """A message as the model has it."""
    if isinstance(message, Update):
        return tuple(message)
    if isinstance(message, tuple):
        of_the_subject, of_the_other = message
        assert of_the_other == 0
        return "combined", plain(of_the_subject)
    return message


def send(subject, number):
    if isinstance(subject, Var):
        subject.value = number
    else:
        subject.send(number)


async def meet(subject, pair):
    """Sends before, within and after what the two features do. Returns what arrived, and what had to."""
    real = SUBJECTS[subject](**{kind: True for kind in ("deferred", "native") if kind in pair})
    model, kept, received, jobs = Model("variable" in subject, pair), [], [], []
    if "unordered" in pair:
        real.ordered = False
    observed = real
    for each in pair:
        if each in TRANSFORMS:
            observed = transformed(observed, each, kept)
            kept.append(observed)
    numbers = iter(range(1, 100))

    def send_both():
        number = next(numbers)
        send(real, number)
        model.send(number)

    async def receive_later(message):
        received.append(message)

    send_both()
    options = {"once": {"once": True}, "replay": {"replay": 1}, "executor": {"on": jobs.append}}
    given = {key: value for each in pair for key, value in options.get(each, {}).items()}
    observed.observe(receive_later if "coroutine" in pair else received.append, **given)
    model.observe()
    entered, twins = [], []
    for each in pair:
        send_both()
        if each in BLOCKS:
            block = getattr(real, each)()
            block.__enter__()
            entered.append((each, block))
            model.begin(each)
        elif each in COPIES:
            twins.append(COPIES[each](twins[-1] if twins else real))
    send_both()
    check_twins(twins, model.value)
    for kind, block in reversed(entered):
        send_both()
        block.__exit__(None, None, None)
        model.end(kind)
        send_both()
    await asyncio.sleep(100)
    model.time_passes()
    for job in jobs:
        job()
    return [plain(each) for each in received], model.received


async def to_the_end(program):
    """What has begun before something is refused still ends."""
    try:
        await program
    finally:
        await asyncio.sleep(100)


def check_twins(twins, value):
    """A copy has the value of when it was made, and shares nothing."""
    for twin in twins:
        heard = []
        assert twin.value < value
        assert not (twin.is_blocked or twin.is_paused or twin.observations)
        twin.observe(heard.append)
        twin.value = 1000
        twin.set(1001, author="somebody")
        assert [message.new for message in heard] == [1000, 1001]


met = {"met": 0, "refused": 0}


@pytest.mark.parametrize("second", FEATURES)
@pytest.mark.parametrize("first", FEATURES)
@pytest.mark.parametrize("subject", SUBJECTS)
def test_two_features_meet(subject, first, second):
    reasons = refusals(subject, (first, second))
    if not reasons:
        arrived, expected = run(meet(subject, (first, second)))
        assert arrived == expected
        met["met"] += 1
    else:
        with pytest.raises((TypeError, AttributeError), match="|".join(reasons)):
            run(to_the_end(meet(subject, (first, second))))
        met["refused"] += 1


def test_how_many_pairs_have_met(capsys):
    with capsys.disabled():
        print(f"\n{met['met']} pairs of features met, {met['refused']} were refused in words that say why")
    if sum(met.values()) == len(SUBJECTS) * len(FEATURES) ** 2:
        assert met == MET

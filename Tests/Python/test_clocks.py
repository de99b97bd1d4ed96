# SPDX-License-Identifier: MIT
"""Random programs of transforms that wait for time do the same on a `ManualClock` as the library's on a clock of C."""

import random
from ctypes import POINTER, byref, c_int32, c_int64, c_size_t, c_void_p

import pytest

from support import await_release
from swiftobserver import ManualClock, Messenger
from swiftobserver._library import declarations as library
from swiftobserver._values.encoding import encode

SECOND = 10**9
_FUNCTIONS = {
    "clock_new": (c_void_p,),
    "clock_release": (None, c_void_p),
    "clock_now": (c_int64, c_void_p),
    "clock_advance": (c_int32, c_void_p, c_int64),
    "debounce": (c_int32, c_void_p, c_int64, c_void_p, POINTER(c_void_p)),
    "throttle": (c_int32, c_void_p, c_int64, c_int32, c_void_p, POINTER(c_void_p)),
    "delay": (c_int32, c_void_p, c_int64, c_void_p, POINTER(c_void_p)),
    "timeout": (c_int32, c_void_p, c_int64, c_void_p, c_void_p, POINTER(c_void_p)),
    "buffer": (c_int32, c_void_p, c_size_t, c_int64, c_void_p, POINTER(c_void_p)),
    "merge": (c_int32, POINTER(c_void_p), c_size_t, POINTER(c_void_p)),
}


def in_c(name):
    function = getattr(library.LIBRARY, "swo_" + name)
    function.restype, *function.argtypes = _FUNCTIONS[name]
    return function


def plain(message):
    """What belongs together is a list in Python, and a tuple when it comes from C."""
    return [plain(each) for each in message] if isinstance(message, (list, tuple)) else message


class Python:
    """As Python has them."""

    def __init__(self):
        self.clock, self.messenger = ManualClock(), Messenger()

    def make(self, kind, source, other, seconds, n):
        transforms = {
            "debounce": lambda: source.debounce(seconds, loop=self.clock),
            "throttle": lambda: source.throttle(seconds, first=n != 2, latest=n != 1, loop=self.clock),
            "delay": lambda: source.delay(seconds, loop=self.clock),
            "timeout": lambda: source.timeout(seconds, -n, loop=self.clock),
            "buffer": lambda: source.buffer(n + 1, seconds, loop=self.clock),
            "merge": lambda: source.merge(other),
        }
        return transforms[kind]()

    def now(self):
        return round(self.clock.time() * 1000)

    def advance(self, seconds):
        self.clock.advance(seconds)

    def end(self):
        await_release()
        assert self.clock.waiting == 0


class InC:
    """As C has them."""

    def __init__(self):
        self.clock, self.messenger = c_void_p(in_c("clock_new")()), Messenger(native=True)

    def make(self, kind, source, other, seconds, n):
        out, interval = c_void_p(), round(seconds * SECOND)
        both = (c_void_p * 2)(source.pointer, other.pointer)
        arguments = {
            "debounce": (source.pointer, interval, self.clock),
            "throttle": (source.pointer, interval, n, self.clock),
            "delay": (source.pointer, interval, self.clock),
            "timeout": (source.pointer, interval, byref(encode(-n)), self.clock),
            "buffer": (source.pointer, n + 1, interval, self.clock),
            "merge": (both, 2),
        }
        assert in_c(kind)(*arguments[kind], byref(out)) == library.OK
        made = Messenger.adopt(out.value)
        library.observable_release(out)
        return made

    def now(self):
        return round(in_c("clock_now")(self.clock) * 1000 / SECOND)

    def advance(self, seconds):
        assert in_c("clock_advance")(self.clock, round(seconds * SECOND)) == library.OK

    def end(self):
        in_c("clock_release")(self.clock)


class Program:
    """Writes down what happens."""

    def __init__(self, seed, world):
        self.random, self.world = random.Random(seed), world
        self.log, self.observations, self.depth, self.answers = [], [], 0, 0
        self.made = [world.messenger]
        for place in range(self.random.randrange(1, 5)):
            kind = self.random.choice(["debounce", "throttle", "delay", "timeout", "buffer", "merge"])
            source, other = self.made[self.random.choice([0, place])], self.made[self.random.randrange(place + 1)]
            # So that hardly ever two are due at the same time: then the order is that of who observed first.
            seconds = self.random.randrange(1, 6) + 11**place / 1000
            n = self.random.randrange(3)
            self.made.append(world.make(kind, source, other, seconds, n))

    def run(self):
        self.observe(self.made[-1])
        for _ in range(30):
            self.act()
        for each in self.observations:
            each.stop()
        self.made = None
        self.world.end()
        return self.log

    def act(self):
        kind, n = self.random.random(), self.random.randrange(100)
        if kind < 0.5:
            self.log.append(("send", n))
            self.world.messenger.send(n)
        elif kind < 0.8 and self.depth == 0:
            self.log.append(("advance", n % 6))
            self.world.advance(n % 6)
        elif kind < 0.93:
            self.observe(self.made[n % len(self.made)])
        elif self.observations:
            self.log.append(("stop", self.observations[n % len(self.observations)].stop()))

    def observe(self, observable):
        number = len(self.log)

        def handle(message):
            self.log.append((number, plain(message), self.world.now()))
            if self.depth < 3 and self.answers < 15 and self.random.random() < 0.3:
                self.depth += 1
                self.answers += 1
                self.act()
                self.depth -= 1

        self.log.append(("observe", number))
        self.observations.append(observable.observe(handle))


@pytest.mark.parametrize("first", range(0, 400, 40))
def test_random_programs_do_the_same_on_both_clocks(first):
    for seed in range(first, first + 40):
        assert Program(seed, Python()).run() == Program(seed, InC()).run(), seed

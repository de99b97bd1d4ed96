# SPDX-License-Identifier: MIT
"""The libraries that the benchmark compares, each with the same few methods. Imported when they are used."""

from __future__ import annotations


class PlainLoop:
    """What one would write without a library."""

    def __init__(self):
        self.callbacks = []
        self.value = None

    def observe(self, handler):
        self.callbacks.append(handler)

    def observe_and_stop(self, handler):
        self.callbacks.append(handler)
        self.callbacks.remove(handler)

    def send(self, message):
        for callback in self.callbacks:
            callback(message)

    def set(self, value):
        if value != self.value:
            update, self.value = (self.value, value), value
            for callback in self.callbacks:
                callback(update)


class SwiftObserver:
    def __init__(self):
        from swiftobserver import Messenger, Var

        self.messenger = Messenger()
        self.variable = Var(None)
        self.send = self.messenger.send

    def set(self, value):
        self.variable.value = value

    def observe(self, handler):
        self.messenger.observe(handler)
        if not hasattr(self, "observing"):
            self.observing = self.variable.observe(handler)

    def observe_and_stop(self, handler):
        self.messenger.observe(handler).stop()


class Psygnal:
    def __init__(self):
        from psygnal import SignalInstance

        self.instance = SignalInstance((object,))
        self.send = self.instance.emit
        self.observe = self.instance.connect

    def observe_and_stop(self, handler):
        self.instance.connect(handler)
        self.instance.disconnect(handler)


class Blinker:
    def __init__(self):
        from blinker import Signal

        self.instance = Signal()
        self.send = self.instance.send

    def observe(self, handler):
        self.instance.connect(handler, weak=False)

    def observe_and_stop(self, handler):
        self.instance.connect(handler, weak=False)
        self.instance.disconnect(handler)


class Traitlets:
    def __init__(self):
        from traitlets import Any, HasTraits

        class Owner(HasTraits):
            value = Any()

        self.instance = Owner()

    def set(self, value):
        self.instance.value = value

    def observe(self, handler):
        self.instance.observe(handler, "value")

    def observe_and_stop(self, handler):
        self.instance.observe(handler, "value")
        self.instance.unobserve(handler, "value")


BASELINE = "plain loop"
CONTESTANTS = {
    BASELINE: PlainLoop,
    "swiftobserver": SwiftObserver,
    "psygnal": Psygnal,
    "blinker": Blinker,
    "traitlets": Traitlets,
}

# What each imports; ctypes is what any binding without a compiler needs.
LOADING = {BASELINE: "ctypes", "swiftobserver": "swiftobserver", "psygnal": "psygnal", "blinker": "blinker"}

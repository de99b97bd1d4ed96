# SPDX-License-Identifier: MIT
"""The libraries that the benchmark compares, each with the same few methods. Imported when they are used."""

from __future__ import annotations

from importlib.util import find_spec


class PlainLoop:
    """What one would write without a library."""

    def __init__(self):
        self.callbacks = []
        self.value = None

    def observe(self, handler):
        self.callbacks.append(handler)

    # It keeps the object of a method, which is more than it ought to.
    observe_weakly = observe

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


class Owner:
    """Whose method is a handler."""

    def handle(self, message):
        pass


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

    def observe_weakly(self, method):
        self.messenger.observe(method)

    def observe_and_stop(self, handler):
        self.messenger.observe(handler).stop()


class Psygnal:
    def __init__(self):
        from psygnal import SignalInstance

        self.instance = SignalInstance((object,))
        self.send = self.instance.emit
        self.observe = self.observe_weakly = self.instance.connect

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

    def observe_weakly(self, method):
        self.instance.connect(method)

    def observe_and_stop(self, handler):
        self.instance.connect(handler, weak=False)
        self.instance.disconnect(handler)


class Reactivex:
    def __init__(self):
        from reactivex import Subject

        self.instance = Subject()
        self.send = self.instance.on_next
        self.observe = self.instance.subscribe

    def observe_and_stop(self, handler):
        self.instance.subscribe(handler).dispose()


class Traitlets:
    def __init__(self):
        from traitlets import Any, HasTraits

        class Observed(HasTraits):
            value = Any()

        self.instance = Observed()

    def set(self, value):
        self.instance.value = value

    def observe(self, handler):
        self.instance.observe(handler, "value")

    def observe_and_stop(self, handler):
        self.instance.observe(handler, "value")
        self.instance.unobserve(handler, "value")


class PyDispatcher:
    def __init__(self):
        from pydispatch import dispatcher

        self.connect, self.disconnect, sent = dispatcher.connect, dispatcher.disconnect, dispatcher.send
        self.sender = object()
        self.send = lambda message: sent("message", self.sender, message=message)

    def observe(self, handler):
        self.connect(handler, "message", self.sender, weak=False)

    def observe_weakly(self, method):
        self.connect(method, "message", self.sender)

    def observe_and_stop(self, handler):
        self.connect(handler, "message", self.sender, weak=False)
        self.disconnect(handler, "message", self.sender, weak=False)


# What each imports; ctypes is what any binding without a compiler needs.
LOADING = {
    "plain loop": "ctypes",
    "swiftobserver": "swiftobserver",
    "psygnal": "psygnal",
    "blinker": "blinker",
    "reactivex": "reactivex",
    "traitlets": "traitlets",
    "PyDispatcher": "pydispatch",
}
BASELINE = "plain loop"
CONTESTANTS = {
    name: kind
    for name, kind in {
        BASELINE: PlainLoop,
        "swiftobserver": SwiftObserver,
        "psygnal": Psygnal,
        "blinker": Blinker,
        "reactivex": Reactivex,
        "traitlets": Traitlets,
        "PyDispatcher": PyDispatcher,
    }.items()
    # Some of them are not there for every Python.
    if find_spec(LOADING[name])
}

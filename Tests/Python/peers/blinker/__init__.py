# SPDX-License-Identifier: MIT
"""What `blinker` offers, on SwiftObserver: an example, over which blinker's own tests pass, and Flask's.

A signal is a messenger that sends calls. Each receiver observes it, and takes the calls of the senders that it is
connected to. Calls nest, and the first receiver that raises ends one: so the messenger is unordered, and stops at
failures.
"""

from __future__ import annotations

import sys
import weakref
from collections import defaultdict
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from inspect import iscoroutinefunction, ismethod

from swiftobserver import Messenger

from ._utilities import Symbol

ANY = Symbol("ANY")


def _id(thing):
    """What stands for a receiver or a sender."""
    if ismethod(thing):
        return id(thing.__func__), id(thing.__self__)
    return thing if isinstance(thing, (str, int)) else id(thing)


def _fitting(receiver, is_coroutine, wrapper):
    if iscoroutinefunction(receiver) == is_coroutine:
        return receiver
    if wrapper is None:
        raise RuntimeError(f"Cannot send to a {'non-' if is_coroutine else ''}coroutine function.")
    return wrapper(receiver)


class Signal:
    """Calls receivers."""

    receiver_connected = cached_property(lambda self: Signal())
    receiver_disconnected = cached_property(lambda self: Signal())

    def __init__(self, doc=None):
        if doc:
            self.__doc__ = doc
        self._calls = Messenger()
        self._calls.ordered = False
        self._calls.stops_at_failure = self._calls.raises_first = True
        self._observations, self._weak_senders = {}, {}
        # By their ids: receivers, or weak references to them; who is connected to whom, both ways.
        self.receivers, self._by_receiver, self._by_sender = {}, defaultdict(set), defaultdict(set)

    def muted(self):
        return self._calls.blocked()

    def connect(self, receiver, sender=ANY, weak=True):
        key, sender_key = _id(receiver), _id(sender)
        self._observe(key, receiver, weak)
        self._by_sender[sender_key].add(key)
        self._by_receiver[key].add(sender_key)
        with suppress(TypeError):
            self._weak_senders[sender_key] = weakref.ref(sender, lambda _: self._forget_sender(sender_key))
        self._tell("receiver_connected", receiver=receiver, sender=sender, weak=weak)
        return receiver

    def connect_via(self, sender, weak=False):
        return partial(self.connect, sender=sender, weak=weak)

    @contextmanager
    def connected_to(self, receiver, sender=ANY):
        self.connect(receiver, sender, weak=False)
        try:
            yield
        finally:
            self.disconnect(receiver)

    def disconnect(self, receiver, sender=ANY):
        key, sender_key = _id(receiver), _id(sender)
        if sender is ANY:
            self._forget_receiver(key)
        else:
            self._by_sender[sender_key].discard(key)
            self._by_receiver[key].discard(sender_key)
        self._tell("receiver_disconnected", receiver=receiver, sender=sender)

    def send(self, sender=None, /, *, _async_wrapper=None, **keywords):
        results = []

        def call(receiver):
            results.append((receiver, _fitting(receiver, False, _async_wrapper)(sender, **keywords)))

        self._calls.send((sender, call))
        return results

    async def send_async(self, sender=None, /, *, _sync_wrapper=None, **keywords):
        receivers = [(each, _fitting(each, True, _sync_wrapper)) for each in self.receivers_for(sender)]
        return [(receiver, await function(sender, **keywords)) for receiver, function in receivers]

    def has_receivers_for(self, sender):
        return any(self._by_sender.get(_id(each)) for each in (ANY, sender))

    def receivers_for(self, sender):
        receivers = []
        self._calls.send((sender, receivers.append))
        return iter(receivers)

    def _observe(self, key, receiver, weak):
        if weak:
            make = weakref.WeakMethod if ismethod(receiver) else weakref.ref
            receiver = make(receiver, lambda _: sys.is_finalizing() or self._forget_receiver(key))
        self.receivers[key] = receiver
        if key not in self._observations:
            self._observations[key] = self._calls.observe(lambda call: self._take(key, *call))

    def _take(self, key, sender, call):
        receiver = self.receivers.get(key)
        if isinstance(receiver, weakref.ref):
            receiver = receiver()
        if receiver is not None and not self._by_receiver[key].isdisjoint((_id(sender), _id(ANY))):
            call(receiver)

    def _tell(self, name, **keywords):
        if name in vars(self):
            vars(self)[name].send(self, **keywords)

    def _forget_receiver(self, key):
        self.receivers.pop(key, None)
        self._by_receiver.pop(key, None)
        for keys in self._by_sender.values():
            keys.discard(key)
        if key in self._observations:
            self._observations.pop(key).stop()

    def _forget_sender(self, sender_key):
        self._weak_senders.pop(sender_key, None)
        for key in self._by_sender.pop(sender_key, ()):
            self._by_receiver[key].discard(sender_key)

    def _cleanup_bookkeeping(self):
        for keys in (self._by_sender, self._by_receiver):
            for each in [key for key in keys if not keys[key]]:
                del keys[each]


class NamedSignal(Signal):
    """A signal with a name."""

    def __init__(self, name, doc=None):
        super().__init__(doc)
        self.name = name

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}; {self.name!r}>"


class Namespace(dict):
    """Signals by their names."""

    def signal(self, name, doc=None):
        return self[name] if name in self else self.setdefault(name, NamedSignal(name, doc))


default_namespace = Namespace()
signal = default_namespace.signal

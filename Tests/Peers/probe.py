# SPDX-License-Identifier: MIT
"""What an observer library for Python does: the questions of probe.hpp. A peer lends them its words."""

from __future__ import annotations

import gc
import sys
import threading
from importlib.metadata import version
from typing import Any, Callable

LIMIT = 3.0  # seconds for what may never happen, as a call that waits for a lock returns


class OfSwiftObserver:
    def __init__(self) -> None:
        import swiftobserver

        self.signal = swiftobserver.Messenger[int]()

    def connect(self, handler: Callable[[int], object]) -> Any:
        return self.signal.observe(handler)

    def send(self, number: int) -> None:
        self.signal.send(number)

    def stop(self, connection: Any) -> None:
        connection.stop(wait=True)


class OfPsygnal:
    def __init__(self) -> None:
        from psygnal import SignalInstance

        self.signal = SignalInstance((int,))

    def connect(self, handler: Callable[[int], object]) -> Any:
        return self.signal.connect(handler)

    def send(self, number: int) -> None:
        self.signal.emit(number)

    def stop(self, connection: Any) -> None:
        self.signal.disconnect(connection)


class OfBlinker:
    def __init__(self) -> None:
        from blinker import Signal

        self.signal = Signal()
        self.kept: list[Any] = []

    def connect(self, handler: Callable[[int], object]) -> Any:
        if hasattr(handler, "__self__"):
            return self.signal.connect(handler)

        def receiver(_sender: object, number: int) -> None:
            handler(number)

        self.kept.append(receiver)
        return self.signal.connect(receiver)

    def send(self, number: int) -> None:
        self.signal.send(self, number=number)

    def stop(self, connection: Any) -> None:
        self.signal.disconnect(connection)


def answer(question: str, is_yes: bool, instead: str = "") -> None:
    print(f"{question}: {'yes' if is_yes else 'no'}{f', {instead}' if instead else ''}", flush=True)


def order(peer: Any) -> None:
    called: list[int] = []

    def handler(number: int) -> Callable[[int], object]:
        return lambda _: called.append(number)

    connections = [peer.connect(handler(each)) for each in range(100)]
    for each in range(0, 100, 3):
        peer.stop(connections[each])
        peer.connect(handler(100 + each))
    peer.send(1)
    answer("order", len(called) == 100 and called == sorted(called))


def turn(peer: Any) -> None:
    heard: list[str] = []

    def one(number: int) -> None:
        heard.append(f"a{number}")
        if number == 1:
            peer.send(2)

    peer.connect(one)
    peer.connect(lambda number: heard.append(f"b{number}"))
    peer.send(1)
    answer("turn", heard == ["a1", "b1", "a2", "b2"], "at once" if heard == ["a1", "a2", "b2", "b1"] else "")


def stopping(peer: Any) -> None:
    heard: list[str] = []
    connections: list[Any] = []

    def stop_the_other(name: str, other: int) -> Callable[[int], None]:
        def handler(_number: int) -> None:
            heard.append(name)
            peer.stop(connections[other])

        return handler

    # Each stops the other, for who is first is not known everywhere.
    connections.append(peer.connect(stop_the_other("a", 1)))
    connections.append(peer.connect(stop_the_other("b", 0)))
    peer.send(1)
    answer("stop", len(heard) == 1)


def joining(peer: Any) -> None:
    heard: list[int] = []

    def joined(number: int) -> None:
        heard.append(number)

    def one(number: int) -> None:
        if number == 1:
            peer.connect(joined)

    peer.connect(one)
    peer.send(1)
    peer.send(2)
    answer("join", heard == [2])


def threads(make: Callable[[], Any]) -> None:
    peer = make()
    first: list[int] = []
    last: list[int] = []
    entered, sent = threading.Event(), threading.Event()
    returned = []

    def handler(heard: list[int]) -> Callable[[int], None]:
        def hear(number: int) -> None:
            heard.append(number)
            if number == 1 and not entered.is_set():  # who is called first is not known everywhere
                entered.set()
                returned.append(sent.wait(LIMIT))

        return hear

    def send() -> None:
        entered.wait()
        peer.send(2)
        sent.set()

    peer.connect(handler(first))
    peer.connect(handler(last))
    thread = threading.Thread(target=send)
    thread.start()
    peer.send(1)
    thread.join()
    answer("one order", first == last and len(first) == 2)
    answer("no lock", returned == [True])


def waiting(peer: Any) -> None:
    entered, stopped = threading.Event(), threading.Event()
    stopped_inside = []

    def one(_number: int) -> None:
        entered.set()
        stopped_inside.append(stopped.wait(LIMIT))

    connection = peer.connect(one)
    thread = threading.Thread(target=peer.send, args=(1,))
    thread.start()
    entered.wait()
    peer.stop(connection)
    stopped.set()
    thread.join()
    answer("wait", stopped_inside == [False])


def failing(peer: Any) -> None:
    heard: list[str] = []

    def fail(number: int) -> None:
        heard.append("failed")
        raise ValueError(number)

    # Two that fail: whichever is called first, another one comes after it.
    peer.connect(fail)
    peer.connect(lambda number: fail(number))
    try:
        peer.send(1)
    except Exception:
        heard.append("told")
    answer("failure", heard == ["failed", "failed", "told"])


def ending(peer: Any) -> None:
    heard: list[str] = []

    class Listener:
        def hear(self, *_: object, **__: object) -> None:
            heard.append("alive")

    listener = Listener()
    peer.connect(listener.hear)
    peer.send(1)
    del listener
    gc.collect()
    peer.send(2)
    answer("end", heard == ["alive"])


def computed() -> None:
    from swiftobserver import Var, derived

    one = Var(1)
    ten = derived(lambda: 10 * one.value)
    both = derived(lambda: one.value + ten.value)
    values: list[int] = []
    both.new().observe(values.append)
    one.value = 2
    one.value = 3
    answer("computed", values == [22, 33])


PEERS = {"swiftobserver": OfSwiftObserver, "psygnal": OfPsygnal, "blinker": OfBlinker}


def main(name: str) -> None:
    make = PEERS[name]
    if name != "swiftobserver":
        print(f"version: {version(name)}")
    for question in (order, turn, stopping, joining):
        question(make())
    threads(make)
    for question in (waiting, ending, failing):
        question(make())
    if name == "swiftobserver":
        computed()
    else:
        print("computed: none")


if __name__ == "__main__":
    main(sys.argv[1])

# SPDX-License-Identifier: MIT
"""Three machines and an overview of them, in programs of their own that meet at a broker: what `make demo-relay` shows.

The broker is killed and started again, and one machine is killed: the overview says what is lost, and has the last
values of all as soon as they are there again. Debian's package mosquitto has the broker; it listens on the loopback.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from typing import Any, Callable

from swiftobserver import Observable, Var
from swiftobserver.relay import Relay

MACHINES = ("attic", "cellar", "kitchen")


def machine(address: str, name: str) -> None:
    """Publishes the load of the machine that it is, until standard input ends; a line there is the next load."""
    with Relay(address, device=name, first_retry=0.05, last_retry=0.2) as relay:
        load = Var(0.0)
        relay.publish("cpu/load", load)
        for line in sys.stdin:
            load.value = float(line)


class Broker:
    """A mosquitto on a free port."""

    def __init__(self, folder: str) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            self.port = unused.getsockname()[1]
        self.address = f"mqtt://127.0.0.1:{self.port}"
        self._file = os.path.join(folder, "broker.conf")
        with open(self._file, "w") as file:
            file.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
            if os.geteuid() == 0:
                file.write("user root\n")
        self.start()

    def start(self) -> None:
        command = shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if command is None:
            sys.exit("demo: there is no mosquitto: apt-get install mosquitto")
        self._process = subprocess.Popen(
            [command, "-c", self._file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def until(variable: Observable[Any], is_it: Callable[[Any], object]) -> None:
    """Waits for a value."""
    found = threading.Event()
    with variable.observe(lambda update: is_it(update.new) and found.set(), replay=1):
        found.wait()


class Overview:
    """What is known of all machines."""

    def __init__(self, address: str) -> None:
        self.relay = Relay(address, first_retry=0.05, last_retry=0.2)
        self.loads = {name: self.relay.mirror(f"{name}/cpu/load", float) for name in MACHINES}
        self.states = {name: self.relay.mirror(f"{name}/$state", str) for name in MACHINES}

    def show(self, what: str) -> None:
        print(f"\n{what}")
        for name in MACHINES:
            print(f"  {name:<8} {self.states[name].value or '?':<13} load {self.loads[name].value}")


def show(address: str, broker: Broker) -> None:
    """The demo itself."""
    machines = {
        name: subprocess.Popen([sys.executable, __file__, address, name], stdin=subprocess.PIPE, text=True)
        for name in MACHINES
    }

    def tell(name: str, load: float) -> None:
        pipe = machines[name].stdin
        assert pipe is not None
        pipe.write(f"{load}\n")
        pipe.flush()

    overview = Overview(address)
    try:
        for place, name in enumerate(MACHINES, 1):
            tell(name, place / 4)
            until(overview.loads[name], lambda load, wanted=place / 4: load == wanted)
            until(overview.states[name], lambda state: state == "ready")
        overview.show(f"three machines at {address}, each a program of its own:")

        broker.kill()
        until(overview.relay.state, lambda state: state.startswith("lost"))
        print("\nthe broker is killed, and the overview knows:\n  " + overview.relay.state.value)
        tell("attic", 3.5)
        broker.start()
        until(overview.loads["attic"], lambda load: load == 3.5)
        for place, name in enumerate(MACHINES[1:], 2):
            until(overview.loads[name], lambda load, wanted=place / 4: load == wanted)
            until(overview.states[name], lambda state: state == "ready")
        until(overview.states["attic"], lambda state: state == "ready")
        overview.show(
            "it is back and has forgotten everything; the machines have not, nor what the attic set meanwhile:"
        )

        machines["cellar"].kill()
        until(overview.states["cellar"], lambda state: state == "lost")
        overview.show("the cellar is killed; its last value stays, and who is lost is said:")
    finally:
        for process in machines.values():
            process.kill()
            process.communicate()
        overview.relay.close()


def main() -> None:
    if len(sys.argv) == 3:
        machine(*sys.argv[1:])
        return
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(folder)
        try:
            show(broker.address, broker)
        finally:
            broker.kill()


if __name__ == "__main__":
    main()

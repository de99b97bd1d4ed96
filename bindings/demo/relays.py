# SPDX-License-Identifier: MIT
"""Three machines in three languages, and an overview of them, that meet at a broker: what `make demo-relay` shows.

    relays.py [PROGRAM...]      with the machines machine-in-c and machine-in-swift, as far as they are there

The broker is killed and started again, and one machine is killed: the overview says who is lost, and has the last
values of all as soon as they are there again. Debian's package mosquitto has the broker; it listens on the loopback.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Callable

from swiftobserver import Observable
from swiftobserver.relay import Relay

LANGUAGES = {"attic": "C", "cellar": "Python", "kitchen": "Swift"}
IN_PYTHON = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "machine", "machine.py")]


class Broker:
    """A mosquitto on a free port."""

    def __init__(self, folder: str) -> None:
        self.port = free_port()
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
        while is_free(self.port):
            if self._process.poll() is not None:
                sys.exit(f"demo: mosquitto ended at once, with {self._process.returncode}")
            time.sleep(0.01)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def is_free(port: int) -> bool:
    """Whether none listens there."""
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) != 0


def free_port() -> int:
    """None of those that the kernel gives to connections, which could take it while the broker is dead."""
    return next(port for port in iter(lambda: random.randrange(10000, 30000), None) if is_free(port))


class Machine:
    """A program that publishes the load that stands in a file."""

    def __init__(self, name: str, address: str, folder: str, programs: tuple[str, ...]) -> None:
        self._file = os.path.join(folder, name)
        self.set_load(0)
        self.language = LANGUAGES[name]
        command = [program for program in programs if program.endswith("machine-in-" + self.language.lower())]
        if not command:
            if self.language != "Python":
                print(f"there is no machine in {self.language} here, so the {name} has one in Python")
            self.language, command = "Python", IN_PYTHON
        self.process = subprocess.Popen([*command, address, name, self._file, "50"])

    def set_load(self, load: float) -> None:
        with open(self._file + ".new", "w") as file:
            file.write(f"{load} 0.00 0.00 1/100 1000\n")
        os.replace(self._file + ".new", self._file)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class Overview:
    """What is known of all machines."""

    def __init__(self, address: str, machines: dict[str, Machine]) -> None:
        self.relay = Relay(address)
        self._machines = machines
        self.loads = {name: self.relay.mirror(f"{name}/cpu/load", float) for name in machines}
        self.alarms = {name: self.relay.mirror(f"{name}/cpu/alarm", bool) for name in machines}
        self.states = {name: self.relay.mirror(f"{name}/$state", str) for name in machines}

    def show(self, what: str) -> None:
        print(f"\n{what}")
        for name, machine in self._machines.items():
            alarm = " ALARM" if self.alarms[name].value else ""
            state = self.states[name].value or "?"
            print(f"  {name:<8} in {machine.language:<7} {state:<13} load {self.loads[name].value}{alarm}")

    def await_value(self, variable: Observable[Any], is_it: Callable[[Any], object]) -> None:
        """Waits for a value, as long as all machines are alive."""
        found = threading.Event()
        with variable.observe(lambda update: is_it(update.new) and found.set(), replay=1):
            while not found.wait(1):
                for name, machine in self._machines.items():
                    if machine.process.poll() not in (None, -9):
                        sys.exit(f"demo: the {name}'s program ended, with {machine.process.returncode}")

    def await_all(self, loads: dict[str, float]) -> None:
        for name, wanted in loads.items():
            self.await_value(self.loads[name], lambda load, wanted=wanted: load == wanted)
            self.await_value(self.alarms[name], lambda alarm, wanted=wanted: alarm == (wanted > 2))
            self.await_value(self.states[name], lambda state: state == "ready")


def show(broker: Broker, machines: dict[str, Machine]) -> None:
    """The demo itself."""
    loads = {"attic": 0.25, "cellar": 0.5, "kitchen": 0.75}
    overview = Overview(broker.address, machines)
    with overview.relay:
        for name, load in loads.items():
            machines[name].set_load(load)
        overview.await_all(loads)
        overview.show(f"three machines at {broker.address}, each a program of its own:")

        broker.kill()
        overview.await_value(overview.relay.state, lambda state: state.startswith("lost"))
        print("\nthe broker is killed, and the overview knows:\n  " + overview.relay.state.value)
        loads["attic"] = 3.5
        machines["attic"].set_load(3.5)
        broker.start()
        # First it learns what the broker has forgotten.
        overview.await_value(overview.relay.state, lambda state: state.startswith("ready"))
        overview.await_all(loads)
        overview.show("it is back and has forgotten everything; the machines have not, nor the attic's load meanwhile:")

        machines["cellar"].end()
        overview.await_value(overview.states["cellar"], lambda state: state == "lost")
        overview.show("the cellar's program is killed; its last value stays, and who is lost is said:")


def main(*programs: str) -> None:
    sys.stdout.reconfigure(line_buffering=True)
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(folder)
        machines: dict[str, Machine] = {}
        try:
            for name in LANGUAGES:
                machines[name] = Machine(name, broker.address, folder, programs)
            show(broker, machines)
        finally:
            for machine in machines.values():
                machine.end()
            broker.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: MIT
"""Tells other programs and machines the load of this one, and whether that is too much.

    python3 machine.py mqtt://localhost attic

Two more arguments are the file with the load, and after how many milliseconds it is read again.
"""

import signal
import sys

from swiftobserver import Var
from swiftobserver.relay import Relay


def load_in(path: str) -> float:
    with open(path) as file:
        return float(file.read().split()[0])


def main(address: str, device: str, file: str = "/proc/loadavg", milliseconds: str = "1000") -> None:
    # Before the relay has threads, which shall not get these.
    ends = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    with Relay(address, device=device) as relay:
        load = Var(load_in(file))
        relay.publish("cpu/load", load)
        relay.publish("cpu/alarm", load.new().map(lambda load: load > 2))
        while signal.sigtimedwait(ends, int(milliseconds) / 1000) is None:
            load.value = load_in(file)


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit("usage: machine.py ADDRESS DEVICE [FILE [MILLISECONDS]]")
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"machine: {error}")

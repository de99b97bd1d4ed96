# SPDX-License-Identifier: MIT
"""A live page in the browser: what a running program observes, what happens in it, and why.

A program shows itself if it is started with an address, in C, C++, Swift or Python alike, unchanged:

    SWIFTOBSERVER_INSPECT=unix:/run/user/1000/pump ./pump
    python -m swiftobserver.inspect unix:/run/user/1000/pump

The second command prints the address of the page, with a token, and serves it to this machine alone. Only programs of
the same user reach the program. Values are shown, and variables set, where it was started with
SWIFTOBSERVER_INSPECT_ALLOW=values,set: a set runs handlers on a thread of the library's.
"""

from .history import Change, History
from .program import Lost, Program
from .server import Server

__all__ = ["Change", "History", "Lost", "Program", "Server"]

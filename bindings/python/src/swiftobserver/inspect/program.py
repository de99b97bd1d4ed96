# SPDX-License-Identifier: MIT
"""A program that is inspected, at the other end of its socket."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import struct
import threading
from typing import Any, Dict

_LOOK = 0.2
"""How often it is looked whether a program is stopped that does not answer, in seconds."""
_PATIENCE = 20.0


class Lost(Exception):
    """The program cannot be reached, or has ended."""


def address_of(process: int) -> str:
    """Where a running program can be inspected. `Lost` if it was not started so."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            environment = dict(entry.partition(b"=")[::2] for entry in file.read().split(b"\0"))
    except OSError as error:
        raise Lost(f"process {process} cannot be looked at: {error.strerror}") from None
    address = environment.get(b"SWIFTOBSERVER_INSPECT")
    if not address:
        raise Lost(f"process {process} was not started with SWIFTOBSERVER_INSPECT=unix:PATH")
    return os.fsdecode(address).replace("%p", str(process))


class Program:
    """Asks a program, one question after the other, from any thread."""

    def __init__(self, address: str) -> None:
        """Connects to `unix:PATH`, or to the process that has a number."""
        self.address: str = address_of(int(address)) if re.fullmatch(r"[0-9]+", address) else address
        scheme, _, path = self.address.partition(":")
        if scheme != "unix" or not path:
            raise Lost(f"an address is unix:PATH, or the number of a process, not {self.address!r}")
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_PATIENCE)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise Lost(f"there is no program at {self.address}: {error.strerror or error}") from None
        credentials = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        self.process: int = struct.unpack("3i", credentials)[0]
        self.is_stopped: bool = False
        """Whether all its threads are stopped, so that it answers later."""
        self._rest = b""

    def graph(self) -> Dict[str, Any]:
        """The graph of the program now: `nodes`, and `edges` between them."""
        return self._ask("graph")

    def events(self) -> Dict[str, Any]:
        """Tell what has happened since the last call, or begin to keep it."""
        return self._ask("events")

    def set(self, observable: str, text: str) -> str:
        """Sets a variable. Returns what the problem is, or nothing."""
        if not re.fullmatch(r"[0-9a-f]{1,16}", observable) or re.search(r"[\n\0]", text):
            return "a text is one line"
        return str(self._ask(f"set {observable} {text}").get("problem", ""))

    def stop_at(self, observable: str) -> str:
        """Has it stop where an observable changes next, as at a breakpoint; "0": nowhere. Returns as `set` does."""
        if not re.fullmatch(r"[0-9a-f]{1,16}", observable):
            return "there is no such observable"
        return str(self._ask(f"stop {observable}").get("problem", ""))

    def go_on(self) -> str:
        """Lets it go on where it has stopped. Returns what the problem is, or nothing."""
        try:
            os.kill(self.process, signal.SIGCONT)
        except OSError as error:
            return str(error.strerror)
        return "a debugger holds it" if _state(self.process) == "t" else ""

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()

    def _ask(self, question: str) -> Dict[str, Any]:
        try:
            with self._lock:
                self._socket.sendall(question.encode() + b"\n")
                answer = self._line()
            answered: Dict[str, Any] = json.loads(answer.decode("utf-8", "replace"))
        except (OSError, ValueError):
            raise Lost("the program has ended, or answers no more") from None
        return answered

    def _line(self) -> bytes:
        parts, waited = [self._rest], 0.0
        while b"\n" not in parts[-1]:
            if select.select([self._socket], [], [], _LOOK)[0]:
                more = self._socket.recv(1 << 20)
                if not more:
                    raise OSError
                parts.append(more)
                waited = 0.0
            elif _state(self.process) in ("T", "t"):
                self.is_stopped = True
            elif waited > _PATIENCE:
                raise OSError
            else:
                waited += _LOOK
        self.is_stopped = False
        line, _, self._rest = b"".join(parts).partition(b"\n")
        return line


def _state(process: int) -> str:
    """The state of a process, as the kernel has it: "T" is stopped, "t" by a debugger. Nothing: it is not there."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return ""

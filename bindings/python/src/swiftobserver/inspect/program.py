# SPDX-License-Identifier: MIT
"""A program that is inspected, at the other end of its socket."""

from __future__ import annotations

import json
import os
import re
import socket
import threading
from typing import Any, Dict


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
        self._socket.settimeout(20)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise Lost(f"there is no program at {self.address}: {error.strerror or error}") from None
        self._answers = self._socket.makefile("rb")

    def graph(self) -> Dict[str, Any]:
        """What the program observes now: `nodes`, and `edges` between them."""
        return self._ask("graph")

    def events(self) -> Dict[str, Any]:
        """What has happened since the last call, or begins to be kept."""
        return self._ask("events")

    def set(self, observable: str, text: str) -> str:
        """Sets a variable. Returns what the problem is, or nothing."""
        if not re.fullmatch(r"[0-9a-f]{1,16}", observable) or re.search(r"[\n\0]", text):
            return "a text is one line"
        return str(self._ask(f"set {observable} {text}").get("problem", ""))

    def close(self) -> None:
        """Ends the connection."""
        self._answers.close()
        self._socket.close()

    def _ask(self, question: str) -> Dict[str, Any]:
        try:
            with self._lock:
                self._socket.sendall(question.encode() + b"\n")
                answer = self._answers.readline()
            answered: Dict[str, Any] = json.loads(answer.decode("utf-8", "replace"))
        except (OSError, ValueError):
            raise Lost("the program has ended, or answers no more") from None
        return answered

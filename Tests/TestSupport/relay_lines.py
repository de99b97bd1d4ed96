#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the lines of relays in documents, as they stand there, but with a broker in memory: then the mirror has a value.

Usage: relay_lines.py DOCUMENT...
"""

from __future__ import annotations

import pathlib
import re
import sys
import threading
from typing import Any

from swiftobserver import Var
from swiftobserver.relay import Relay

# Those in Python: of Swift they begin with a word, of C with a function.
LINE = re.compile(r"`((?:\w+ = )?(?:Relay\(|kitchen\.|hall\.)[^`]*\))`")


def main(document: str) -> None:
    lines = LINE.findall(pathlib.Path(document).read_text(encoding="utf-8"))
    if len(lines) < 4:
        sys.exit(f"{document}: there are only these lines of relays: {lines}")
    there: dict[str, Any] = {"Relay": Relay, "Var": Var}
    for line in lines:
        exec(line.replace("mqtt://localhost", "memory:readme"), there)
    has_come = threading.Event()
    there["temperature"].observe(lambda update: update.new == 20.5 and has_come.set(), replay=1)
    if not has_come.wait(600):
        sys.exit(f"{document}: nothing crosses")
    print(f"{document}: its lines of relays run: {there['temperature'].value}")
    for relay in ("hall", "kitchen"):
        there[relay].close()


if __name__ == "__main__":
    for each in sys.argv[1:]:
        main(each)

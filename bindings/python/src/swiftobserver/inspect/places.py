# SPDX-License-Identifier: MIT
"""Where a function of a running program is written: asked of `addr2line`, where that is installed and the program has
what it needs.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from typing import Dict, Iterable, Optional, Tuple


class Places:
    """The lines of functions of one process, each looked up once."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._known: Dict[int, Optional[str]] = {}

    def of(self, function: int) -> Optional[str]:
        """The file and line of the function at an address; None: they are not known."""
        if function not in self._known:
            try:
                self._known[function] = self._look_up(function)
            except (OSError, ValueError, struct.error, subprocess.SubprocessError):
                self._known[function] = None
        return self._known[function]

    def _look_up(self, function: int) -> Optional[str]:
        program = shutil.which("addr2line")
        mapped = self._mapped(function)
        if program is None or mapped is None:
            return None
        file, offset = mapped
        found = subprocess.run(
            [program, "-e", file, f"{_address(file, offset):#x}"], capture_output=True, timeout=10, check=True
        )
        place = found.stdout.decode("utf-8", "replace").split(" (discriminator")[0].strip()
        return None if place.startswith("??") or place.endswith(":?") or place.endswith(":0") else place

    def _mapped(self, function: int) -> Optional[Tuple[str, int]]:
        """The file in which an address lies, and how far in it."""
        with open(f"/proc/{self._process}/maps", encoding="utf-8", errors="surrogateescape") as maps:
            return _found_in(maps, function)


def _found_in(maps: Iterable[str], function: int) -> Optional[Tuple[str, int]]:
    for line in maps:
        span, _, offset, _, _, *path = line.split(None, 5)
        begin, _, end = span.partition("-")
        if int(begin, 16) <= function < int(end, 16):
            file = path[0].rstrip("\n") if path else ""
            return (file, function - int(begin, 16) + int(offset, 16)) if file.startswith("/") else None
    return None


def _address(file: str, offset: int) -> int:
    """The places of an ELF file that have been read, as that file numbers them."""
    with open(file, "rb") as elf:
        header = elf.read(64)
        if header[:5] != b"\x7fELF\x02":
            raise ValueError("not an ELF file of 64 bits")
        order = "<" if header[5] == 1 else ">"
        (table,) = struct.unpack_from(order + "Q", header, 32)
        size, count = struct.unpack_from(order + "HH", header, 54)
        elf.seek(table)
        segments = elf.read(size * count)
    for number in range(count):
        kind, _, start, address, _, length = struct.unpack_from(order + "IIQQQQ", segments, number * size)
        if kind == 1 and start <= offset < start + length:
            return int(address + offset - start)
    raise ValueError("no segment has it")

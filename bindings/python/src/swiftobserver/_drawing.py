# SPDX-License-Identifier: MIT
"""How notebooks show graphs and variables."""

from __future__ import annotations

import shutil
import subprocess
from html import escape
from typing import Any


def drawing(dot: str) -> str:
    """A graph as SVG, if Graphviz is installed and can draw it; else its text."""
    program = shutil.which("dot")
    if program is not None:
        try:
            result = subprocess.run([program, "-Tsvg"], input=dot.encode(), capture_output=True, timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            pass
        else:
            start = result.stdout.find(b"<svg")
            if result.returncode == 0 and start >= 0:
                return result.stdout[start:].decode()
    return f"<pre>{escape(dot)}</pre>"


def row_of(variable: Any) -> str:
    """A variable as one line: what it is called, its value, and how many observe it."""
    name = f"<b>{escape(variable.name)}</b> = " if variable.name is not None else ""
    kind = escape(type(variable).__name__)
    observed = "1 observation" if variable.count == 1 else f"{variable.count} observations"
    return f"<code>{name}{escape(repr(variable.value))}</code> <small>{kind}, {observed}</small>"

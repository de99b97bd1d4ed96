# SPDX-License-Identifier: MIT
"""What the machine is on which was measured."""

from __future__ import annotations

import os
import pathlib
import platform
import subprocess
from typing import Callable


def described() -> dict[str, str]:
    """What can be found out; what cannot says so."""
    return {name: told(find) for name, find in FACTS.items()}


def told(find: Callable[[], str]) -> str:
    try:
        return find().strip() or "unknown"
    except (OSError, subprocess.SubprocessError, LookupError, StopIteration, ValueError):
        return "unknown"


def first_line(*command: str) -> str:
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    return next(line for line in run.stdout.splitlines() if line.strip())


def processor() -> str:
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next(line.split(":", 1)[1] for line in lines if line.startswith(("model name", "Model", "CPU part")))


def caches() -> str:
    folders = sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"))
    each = [
        (folder / "level").read_text().strip()
        + (folder / "type").read_text()[:1].lower()
        + " "
        + (folder / "size").read_text().strip()
        for folder in folders
    ]
    return ", ".join("L" + one.replace("u ", " ") for one in each)


def memory() -> str:
    kilobytes = int(first_line("grep", "MemTotal", "/proc/meminfo").split()[1])
    return f"{kilobytes / 2**20:.0f} GiB"


FACTS = {
    "processor": processor,
    "cores": lambda: str(len(os.sched_getaffinity(0))),
    "caches": caches,
    "memory": memory,
    "governor": lambda: pathlib.Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").read_text(),
    "virtual": lambda: subprocess.run(["systemd-detect-virt"], capture_output=True, text=True, timeout=60).stdout,
    "kernel": platform.release,
    "system": lambda: platform.freedesktop_os_release()["PRETTY_NAME"],
    "C library": lambda: " ".join(platform.libc_ver()),
    "C compiler": lambda: first_line("cc", "--version"),
    "C++ compiler": lambda: first_line("c++", "--version"),
    "Swift": lambda: first_line("swift", "--version"),
    "load before": lambda: " ".join(f"{load:.1f}" for load in os.getloadavg()),
}

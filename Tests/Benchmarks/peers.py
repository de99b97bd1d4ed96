# SPDX-License-Identifier: MIT
"""What the benchmark compares with, at which versions, and how a version is found out."""

from __future__ import annotations

import pathlib
import re
import subprocess
from typing import Callable, NamedTuple, Optional

HERE = pathlib.Path(__file__).parent
REQUIREMENTS = [HERE / "python" / "requirements.txt", HERE / "requirements-plots.txt"]
SWIFT_PACKAGE = HERE / "swift" / "Package.swift"


class Peer(NamedTuple):
    name: str
    # The version of the published figures.
    fixed: str
    # What Debian calls it; none where another client installs it.
    debian: Optional[str]
    # The version that is here; raises where there is none.
    find: Callable[[pathlib.Path], str]


def said_by(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def pkg_config(name: str) -> Callable[[pathlib.Path], str]:
    return lambda _: said_by("pkg-config", "--modversion", name)


def boost(_: pathlib.Path) -> str:
    header = pathlib.Path("/usr/include/boost/version.hpp").read_text(encoding="utf-8")
    return re.search(r'BOOST_LIB_VERSION "([^"]+)"', header)[1].replace("_", ".")


def in_python(name: str) -> Callable[[pathlib.Path], str]:
    return lambda python: said_by(str(python), "-c", f"import importlib.metadata as m; print(m.version({name!r}))")


def of_the_toolchain(_: pathlib.Path) -> str:
    return re.search(r"Swift version (\S+)", said_by("swift", "--version"))[1]


def requirements() -> list[str]:
    """What is installed from PyPI, without comments."""
    lines = [line for file in REQUIREMENTS for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def opencombine(_: pathlib.Path) -> str:
    return re.search(r'OpenCombine", exact: "([^"]+)"', SWIFT_PACKAGE.read_text(encoding="utf-8"))[1]


PEERS = [
    Peer("GLib", "2.74", "libglib2.0-dev", pkg_config("gobject-2.0")),
    Peer("Boost.Signals2", "1.74", "libboost-dev", boost),
    Peer("libsigc++", "3.4", "libsigc++-3.0-dev", pkg_config("sigc++-3.0")),
    Peer("Qt", "6.4", "qt6-base-dev", pkg_config("Qt6Core")),
    Peer("libmosquitto", "2.0", "libmosquitto-dev", pkg_config("libmosquitto")),
    Peer("OpenCombine", "0.14", None, opencombine),
    Peer("NotificationCenter, AsyncStream, Observation", "6.3", None, of_the_toolchain),
    *(
        Peer(match[1], match[2], None, in_python(match[1]))
        for match in (re.match(r"(\w+)==([^;\s]+)", line) for line in requirements())
        if match[1] != "matplotlib"
    ),
]

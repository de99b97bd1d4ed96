# SPDX-License-Identifier: MIT
"""Puts the shared library into the wheel, where there is one to put in.

SWIFTOBSERVER_BUNDLE names the library, or says `none`. Without it, a checkout gives what `make lib` has built, or
builds it where there is a Swift compiler. Where the system has the library, or with `none`, the wheel is pure Python,
and finds a library when it is imported. Where there is none at all, the installation ends with the ways out.
The library of relays goes along where it lies beside the other one.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Dict, Optional

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "SWIFTOBSERVER_BUNDLE"
SONAME = "libswiftobserver.so.0"
RELAY_SONAME = "libswiftobserver-relay.so.0"
WAYS_OUT = f"""
swiftobserver: there is no library to install, and no Swift compiler to build it with. Do one of these, and try again:
  - install a Swift compiler and make: 'apt-get install swiftlang make' in Debian 13, or a toolchain of swift.org;
  - install a wheel for this platform instead, which brings the library (`make wheel` builds some);
  - install the library: Debian's libswiftobserver0, or `make install` of the project;
  - set {VARIABLE} to the path of a {SONAME}, or to none for Python code alone, without a library.
"""
NOT_FOR_MUSL = f"""
swiftobserver: this Python runs on musl, as in Alpine. For musl there is no wheel: the library is built for the GNU C
library alone. Do one of these, and try again:
  - take a system with the GNU C library, such as Debian (python:3-slim, not python:3-alpine), and a wheel for it;
  - set {VARIABLE} to none for Python code alone, without a library.
"""
# What the header of an ELF file says, and how Python's platforms call it.
MACHINES = {3: "i686", 40: "armv7l", 62: "x86_64", 183: "aarch64", 243: "riscv64"}


class Bundling(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls before it builds a wheel."""

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        """Makes the wheel one for this platform, if there is a library."""
        # An editable installation copies nothing.
        library = None if version == "editable" else _library(Path(self.root))
        if library is None:
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform(library)}"
        for file, name in ((library, SONAME), (library.with_name(RELAY_SONAME).resolve(), RELAY_SONAME)):
            if file.exists():
                self.app.display_info(f"swiftobserver: the wheel has {file}")
                build_data["force_include"][str(file)] = f"swiftobserver/{name}"


def _library(package: Path) -> Optional[Path]:
    named = os.environ.get(VARIABLE)
    if named == "none":
        return None
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f"{VARIABLE} must be the path of a library, or none: there is no file {named}")
        return Path(named).resolve()
    if _is_musl():
        sys.exit(NOT_FOR_MUSL)
    checkout = package.parent.parent
    if (checkout / "include" / "swiftobserver.h").is_file():
        if shutil.which("swiftc") and shutil.which("make"):
            return _made(checkout)
        built = checkout / "build" / "embedded" / SONAME
        if built.exists():
            return built.resolve()
    try:
        ctypes.CDLL(SONAME)
    except OSError:
        sys.exit(WAYS_OUT)
    return None


def _is_musl() -> bool:
    return "musl" in str(sysconfig.get_config_var("SOABI"))


def _platform(library: Path) -> str:
    """That of the library, which may have been built for another machine."""
    with library.open("rb") as file:
        header = file.read(20)
    machine = MACHINES.get(int.from_bytes(header[18:20], "little"))
    if header[:4] == b"\x7fELF" and machine:
        return f"linux_{machine}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _made(checkout: Path) -> Path:
    result = subprocess.run(
        ["make", "--no-print-directory", "bundled-libraries"],
        cwd=checkout,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if result.returncode != 0:
        said = result.stdout.decode(errors="replace").strip()
        raise RuntimeError(f"the library cannot be built ({VARIABLE}=none installs without it):\n{said}")
    return checkout / "build" / "embedded" / "stripped" / "relays" / SONAME

# SPDX-License-Identifier: MIT
"""What an installation says where it cannot bring the library."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

PACKAGE = Path(__file__).parents[2] / "bindings" / "python"


@pytest.fixture
def build_hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The one of the package, on musl."""
    pytest.importorskip("hatchling")
    specification = importlib.util.spec_from_file_location("hatch_build_on_musl", PACKAGE / "hatch_build.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    asked = sysconfig.get_config_var
    told = {"SOABI": "cpython-312-x86_64-linux-musl"}
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: told.get(name) or asked(name))
    monkeypatch.delenv(module.VARIABLE, raising=False)
    return module


def test_on_musl_an_installation_ends_with_the_ways_out(build_hook: ModuleType) -> None:
    with pytest.raises(SystemExit) as ended:
        build_hook._library(PACKAGE)
    assert "this Python runs on musl" in str(ended.value)
    assert "SWIFTOBSERVER_BUNDLE to none" in str(ended.value)


def test_on_musl_the_python_code_alone_can_be_installed(
    build_hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(build_hook.VARIABLE, "none")
    assert build_hook._library(PACKAGE) is None

# SPDX-License-Identifier: MIT
"""Which library is loaded, and what is said when none is."""

import re
import shutil

import pytest

import swiftobserver
from support import HEADER, PACKAGE, compile_library, library, run_python

SONAME = "libswiftobserver.so.0"
IMPORT = "import swiftobserver; from swiftobserver.__main__ import library_path; print(library_path())"


def header_version():
    parts = re.findall(r"#define SWO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", HEADER.read_text())
    return tuple(map(int, parts))


def stub(folder, number, name=SONAME):
    return compile_library(f"int swo_version(void) {{ return {number}; }}", folder / name)


def loaded(bundle, variable, **environment):
    """What the package in a folder loads, where SWIFTOBSERVER_LIBRARY says something or nothing."""
    environment = {"PYTHONPATH": str(bundle), "SWIFTOBSERVER_LIBRARY": variable, **environment}
    return run_python(IMPORT, environment=environment, check=True).stdout.strip()


def refusal(path):
    """What is said of a library that does not serve."""
    result = run_python("import swiftobserver", environment={"SWIFTOBSERVER_LIBRARY": str(path)})
    assert result.returncode == 1
    return result.stderr.splitlines()[-1]


@pytest.fixture
def bundle(tmp_path):
    """A copy of the package in a folder of its own, beside which a library can be put."""
    shutil.copytree(
        PACKAGE, tmp_path / "bundle" / "swiftobserver", ignore=shutil.ignore_patterns("__pycache__", "*.so*")
    )
    return tmp_path / "bundle"


def test_the_package_has_the_version_of_the_header():
    assert swiftobserver.__version__ == "{}.{}.{}".format(*header_version())


def test_the_variable_comes_first(bundle):
    stub(bundle / "swiftobserver", 90000)
    assert loaded(bundle, str(library())) == str(library())


@pytest.mark.parametrize("variable", [None, ""])
def test_the_bundled_library_comes_second_and_an_empty_variable_is_none(bundle, variable):
    shutil.copy(library(), bundle / "swiftobserver" / SONAME)
    assert loaded(bundle, variable) == str(bundle / "swiftobserver" / SONAME)


def test_the_system_library_comes_third(bundle, tmp_path):
    shutil.copy(library(), tmp_path / SONAME)
    assert loaded(bundle, None, LD_LIBRARY_PATH=str(tmp_path)) == str(tmp_path / SONAME)


def test_a_missing_library_names_each_path_and_the_reason(bundle, tmp_path):
    broken = tmp_path / "broken.so"
    broken.write_text("no library")
    (bundle / "swiftobserver" / SONAME).write_text("no library either, but long enough for a header to be expected" * 9)
    (tmp_path / SONAME).write_text("nor this")
    environment = {"PYTHONPATH": str(bundle), "SWIFTOBSERVER_LIBRARY": str(broken), "LD_LIBRARY_PATH": str(tmp_path)}
    result = run_python("import swiftobserver", environment=environment)
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert lines[-5] == "ImportError: swiftobserver: the library was not found; tried"
    assert lines[-4] == f"  {broken}: file too short"
    assert lines[-3] == f"  {bundle / 'swiftobserver' / SONAME}: invalid ELF header"
    assert lines[-2].startswith(f"  {SONAME}: ")
    assert len(lines[-2]) > len(f"  {SONAME}: ")
    assert lines[-1] == (
        "libswiftobserver.so.0 comes with the wheels for a platform and with Debian's libswiftobserver0; "
        "`make lib` builds it, and SWIFTOBSERVER_LIBRARY may name it."
    )


def test_a_missing_library_of_relays_names_each_path_and_the_reason(tmp_path):
    broken = tmp_path / "broken.so"
    broken.write_text("no library")
    environment = {"SWIFTOBSERVER_RELAY_LIBRARY": str(broken)}
    result = run_python("import swiftobserver\nimport swiftobserver.relay", environment=environment)
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert lines[-3] == "ImportError: swiftobserver: the library of relays was not found; tried"
    assert lines[-2] == f"  {broken}: file too short"
    assert lines[-1].startswith("libswiftobserver-relay.so.0 comes with")


def test_a_library_without_relays_is_refused():
    result = run_python("import swiftobserver.relay", environment={"SWIFTOBSERVER_RELAY_LIBRARY": str(library())})
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(f"ImportError: swiftobserver: {library()} does not serve this")


def test_a_variable_that_does_not_load_is_reported_when_another_library_is_used(bundle):
    shutil.copy(library(), bundle / "swiftobserver" / SONAME)
    environment = {"PYTHONPATH": str(bundle), "SWIFTOBSERVER_LIBRARY": "/does/not/exist"}
    result = run_python("import warnings; warnings.simplefilter('default'); " + IMPORT, environment=environment)
    assert result.stdout.strip() == str(bundle / "swiftobserver" / SONAME)
    assert "RuntimeWarning: SWIFTOBSERVER_LIBRARY does not load" in result.stderr
    assert "/does/not/exist: cannot open shared object file" in result.stderr


@pytest.mark.parametrize("change", [(0, 1, 0), (1, 0, 0)])
def test_a_library_of_another_version_is_refused(tmp_path, change):
    major, minor, patch = (own + more for own, more in zip(header_version(), change))
    path = stub(tmp_path, major * 10000 + minor * 100 + patch)
    assert refusal(path) == (
        f"ImportError: swiftobserver: {path} is version {major}.{minor}.{patch}, "
        f"which does not serve this package, {swiftobserver.__version__}"
    )


def test_a_library_of_another_patch_version_serves_as_far_as_it_has_the_functions(tmp_path):
    major, minor, patch = header_version()
    path = stub(tmp_path, major * 10000 + minor * 100 + patch + 1)
    assert refusal(path) == f"ImportError: swiftobserver: {path} has no function swo_version_text"


def test_a_library_that_is_another_one_is_refused(tmp_path):
    path = compile_library("int other(void) { return 0; }", tmp_path / SONAME)
    assert refusal(path) == f"ImportError: swiftobserver: {path} is not SwiftObserver: it has no function swo_version"


def test_the_error_can_be_handled_by_name_and_path(tmp_path):
    path = stub(tmp_path, 90000)
    code = """
    try:
        import swiftobserver
    except ImportError as error:
        print(error.name, error.path)
    """
    result = run_python(code, environment={"SWIFTOBSERVER_LIBRARY": str(path)}, check=True)
    assert result.stdout.strip() == f"swiftobserver {path}"


def test_the_package_runs_as_a_program():
    code = "import runpy; runpy.run_module('swiftobserver', run_name='__main__', alter_sys=True)"
    result = run_python(code)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == f"swiftobserver {swiftobserver.__version__}"
    assert re.fullmatch(rf"library \S+ \((embedded|static) runtime\): {re.escape(str(library()))}", lines[1])
    assert lines[2].startswith("messages take the ")
    assert lines[3] == "self-check: passed"

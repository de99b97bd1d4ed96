# SPDX-License-Identifier: MIT
"""The examples in the documents and in the docstrings do what they say."""

import doctest
import importlib
import os
import pkgutil
import re

import pytest

import swiftobserver
from support import CHECKOUT, run_python
from swiftobserver._library import environment as _environment

BINDING = CHECKOUT / "bindings" / "python"
MODULES = ["swiftobserver"] + [
    module.name
    for module in pkgutil.walk_packages(swiftobserver.__path__, "swiftobserver.")
    # Elsewhere it cannot be imported.
    if module.name != "swiftobserver._library.vectorcall" or _environment.VECTORCALL
]
HELLO = (BINDING / "examples" / "hello.py").read_text()
README = (BINDING / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```\n+(?:```text\n(.*?)```)?", README, flags=re.DOTALL)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_a_module_are_true(name):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        # Where the library alone is installed or built, there are no relays; the tests of relays insist.
        if name != "swiftobserver.relay" or os.environ.get("SWO_TEST_RELAYS"):
            raise
        pytest.skip(str(error))
    results = doctest.testmod(module, raise_on_error=False)
    assert results.failed == 0


def test_the_important_classes_have_examples():
    finder = doctest.DocTestFinder(recurse=False)
    for name in ("Messenger", "Var", "Observer", "Observation", "Update"):
        (test,) = finder.find(getattr(swiftobserver, name), name)
        assert test.examples, name


def test_everything_public_is_documented():
    for name in swiftobserver.__all__:
        if name == "__version__":
            continue
        kind = getattr(swiftobserver, name)
        assert kind.__doc__, name
        for member, value in vars(kind).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{member}"


def test_the_first_program_of_the_readme_is_the_example():
    example = HELLO.split('"""\n\n', 1)[1]
    assert BLOCKS[0][0] == example


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_programs_of_the_readme_print_what_it_says(number, tmp_path):
    program, output = BLOCKS[number]
    if "\ndef test_" in program:
        path = tmp_path / "test_of_the_readme.py"
        path.write_text(program)
        result = run_python(f"import pytest; pytest.main(['-p', 'pytest_swiftobserver', {str(path)!r}])")
        assert f" {program.count('def test_')} passed in " in result.stdout, result.stdout
        assert output == ""
        return
    result = run_python(program)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == output


def test_the_spreadsheet_computes_what_it_has_to_and_no_more():
    result = run_python((BINDING / "examples" / "spreadsheet.py").read_text())
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (CHECKOUT / "Tests" / "TestSupport" / "spreadsheet.txt").read_text()


def test_signatures_show_no_addresses():
    import inspect

    import swiftobserver

    def signatures(thing):
        for name in dir(thing):
            member = getattr(thing, name)
            if not name.startswith("_") and inspect.isroutine(member):
                try:
                    yield f"{name}{inspect.signature(member)}"
                except ValueError:
                    # Of a class that is made in C.
                    continue
            elif inspect.isclass(member) and member.__module__.startswith("swiftobserver"):
                yield from signatures(member)

    found = list(signatures(swiftobserver))
    assert len(found) > 60
    assert [each for each in found if "<object" in each or " at 0x" in each] == []
    assert any("author: 'Any' = <itself>" in each for each in found)

# SPDX-License-Identifier: MIT
"""What an import of the package loads, and that it stands in for `typing` well enough."""

import typing

import pytest

import swiftobserver
from support import run_python
from swiftobserver import Messenger, Observable, Update, Var

SLOW = {
    *("asyncio", "contextlib", "dataclasses", "enum", "functools", "html", "inspect", "re", "shutil", "subprocess"),
    *("threading", "typing", "warnings"),
}


def test_importing_the_package_loads_nothing_slow():
    result = run_python(
        """
        import sys
        kept = ("builtins", "sys", "io", "os", "os.path", "abc", "codecs")
        for name in list(sys.modules):
            if name not in kept and not name.startswith(("_", "encodings")):
                sys.modules.pop(name, None)
        # PyPy's own takes some, and that of CPython 3.14 for the first struct.
        import ctypes
        type("Struct", (ctypes.Structure,), {"_fields_": [("word", ctypes.c_void_p)]})
        before = set(sys.modules)
        import swiftobserver
        print(*set(sys.modules) - before)
        """,
        environment={"PYTHONWARNINGS": None},
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert set(result.stdout.split()) & SLOW == set()


def test_using_what_everybody_uses_loads_nothing_slow_either():
    result = run_python(
        """
        import sys
        from swiftobserver import Messenger, Observer, Var
        before = set(sys.modules)
        received, observer = [], Observer()
        messenger, variable = Messenger(name="messenger"), Var(1)
        doubled = messenger.filter(lambda number: number > 0).map(lambda number: number * 2)
        values = variable.new()

        def receive(message, author):
            received.append(message)

        observer.observe(doubled, receive)
        values.observe(lambda value: received.append(value))
        with messenger.blocked(), variable.batch():
            messenger.send(1)
            variable.value = 2
        messenger.send(2, author=observer)
        assert received == [2, 4], received
        print(*set(sys.modules) - before)
        """
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert set(result.stdout.split()) & SLOW == set()


@pytest.mark.parametrize("name", swiftobserver.__all__)
def test_every_name_is_there_and_what_is_loaded_later_is_kept(name):
    thing = getattr(swiftobserver, name)
    assert vars(swiftobserver)[name] is thing


def test_generic_classes_are_subscripted_and_derived_from():
    T = typing.TypeVar("T")

    class Mine(Messenger[T], typing.Generic[T]):
        pass

    class Plain(Var[int]):
        pass

    assert type(Messenger[str]()) is Messenger
    assert type(Mine[int]()) is Mine
    assert Plain(3).value == 3
    assert isinstance(Mine(), Observable)
    assert typing.get_origin(Var[int]) is Var
    assert typing.get_args(Observable[Update[int]]) == (Update[int],)
    assert Update[int](1, 2) == Update(1, 2)


def test_annotations_of_a_program_are_understood():
    class Program:
        volume: Var[int]
        names: typing.Optional[Messenger[str]]

    assert typing.get_type_hints(Program) == {"volume": Var[int], "names": typing.Optional[Messenger[str]]}


def test_named_tuples_are_named_tuples():
    update = Update(old=1, new=2)
    assert (update.old, update.new) == tuple(update) == (1, 2)
    assert repr(update) == "Update(old=1, new=2)"
    assert update._replace(new=3) == (1, 3)
    assert Update._fields == ("old", "new")
    assert Update.__module__ == "swiftobserver._values.encoding"
    assert type(update).__doc__.startswith("The value of a variable before and after")
    with pytest.raises(AttributeError):
        update.old = 5

# SPDX-License-Identifier: MIT
"""The annotations of all that is public can be read when the program runs, whatever was loaded first."""

import sys

import pytest

from support import run_python

READING = """
import inspect, importlib, sys, types
{first}
import swiftobserver
{second}
import typing
if "asyncio" in "{first}":
    import asyncio

def hints(thing):
    found = dict(typing.get_type_hints(thing))
    for name, hint in found.items():
        parts = [hint]
        while parts:
            part = parts.pop()
            assert not isinstance(part, (str, typing.ForwardRef)), (thing, name, hint)
            assert "swiftobserver._library.typing" not in repr(part) or "Within" in repr(part), (thing, name, hint)
            parts += part if isinstance(part, list) else typing.get_args(part) if "Literal" not in repr(part) else ()
    return found

read = 0
for module in ("swiftobserver", "swiftobserver.testing"):
    module = importlib.import_module(module)
    for name in module.__all__:
        thing = getattr(module, name)
        if not isinstance(thing, (type, types.FunctionType)):
            continue
        if isinstance(thing, types.FunctionType):
            read += len(hints(thing)) > 0
            continue
        for each in (member for kind in thing.__mro__ for member in vars(kind).values()):
            for function in (each, *(getattr(each, part, None) for part in ("__func__", "fget", "fset"))):
                if isinstance(function, types.FunctionType) and function.__module__.startswith("swiftobserver"):
                    read += len(hints(function)) > 0
update = hints(swiftobserver.Var.update)
(content,) = {{*typing.get_args(update["function"])[0], typing.get_args(update["function"])[1], update["return"]}}
assert update["author"] is typing.Any
assert isinstance(content, typing.TypeVar) and content.__name__ == "Content", content
assert hints(swiftobserver.Observer.observe_combined)["return"].__name__ == "CombinedObservation"
assert hints(swiftobserver.Observation.stop) == {{
    "wait": bool, "timeout": typing.Optional[float], "return": bool
}}
print(read)
"""


@pytest.mark.parametrize(
    "first, second",
    [("", ""), ("import typing", ""), ("import asyncio", ""), ("", "import asyncio")],
    ids=["after", "typing before", "asyncio before", "asyncio between"],
)
@pytest.mark.skipif(sys.version_info < (3, 11), reason="older ones look for no text within `type[...]`")
def test_the_annotations_of_all_that_is_public_are_found(first, second):
    said = run_python(READING.format(first=first, second=second), check=True)
    assert int(said.stdout) > 100


def test_nothing_is_loaded_for_annotations_that_are_not_read():
    said = run_python(
        "import sys, swiftobserver; print([each for each in ('typing', 'asyncio') if each in sys.modules])"
    )
    if sys.implementation.name == "cpython":
        assert said.stdout == "[]\n"


def test_what_is_read_again_and_again_leaves_nothing():
    said = run_python(
        """
        from swiftobserver import Var
        from swiftobserver._library import typing as _typing
        v = Var(1)
        before = len(_typing._makers)
        for _ in range(10):
            v.name, v.value, Var[int], v.new()
        import typing
        for _ in range(10):
            typing.get_type_hints(Var.update)
        print(len(_typing._makers) - before)
        """,
        check=True,
    )
    assert said.stdout == "0\n"

# SPDX-License-Identifier: MIT
"""A type checker proves the types: of the package, of its examples, and of programs that use it, wrong ones too."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from support import CHECKOUT, PACKAGE

PROGRAM = """
from typing import Generic, List, Optional, TypeVar
from pytest_swiftobserver import AssertNotSent, AssertSent
from swiftobserver.testing import assert_sent
from swiftobserver import (
    HandlerError, Messenger, Observable, Observation, Observer, Update, Var, bind, derived, effect, evented, events,
    graph, run_transaction, transactional
)

numbers: Messenger[int] = Messenger()
volume = Var(3)

def handle(number: int) -> None: ...
def handle_both(number: int, author: object) -> None: ...
def handle_text(text: str) -> None: ...

reveal_type(volume)  # Var[int]
reveal_type(volume.value)  # int
reveal_type(volume.update(lambda number: number + 1))  # int
reveal_type(volume.new())  # Observable[int]
reveal_type(volume.map(lambda update: update.new / update.old))  # Observable[float]
reveal_type(numbers.new())  # Observable[int]
reveal_type(numbers.map(str))  # Observable[str]
reveal_type(numbers.filter(bool))  # Observable[int]
reveal_type(numbers.unwrap())  # Observable[int]
reveal_type(numbers.select(1))  # Observable[int]
reveal_type(numbers.take(1).skip(1).skip_repeats().unique_values())  # Observable[int]
reveal_type(numbers.with_previous())  # Observable[tuple[int | None, int]]
reveal_type(numbers.pairwise())  # Observable[tuple[int, int]]
reveal_type(numbers.scan("", lambda text, number: text * number))  # Observable[str]
reveal_type(numbers.first(bool).take_while(bool).skip_while(bool).sample(volume))  # Observable[int]
reveal_type(numbers.buffer(2))  # Observable[list[int]]
reveal_type(numbers.zip(numbers.map(str)))  # Observable[tuple[int, str]]
reveal_type(numbers.with_latest_from(numbers.map(str)))  # Observable[tuple[int, str]]
reveal_type(numbers.from_("me").not_from("you"))  # Observable[int]
reveal_type(numbers.merge(numbers.map(str)))  # Observable[int | str]
area = derived(lambda: volume.value * 2.5)
reveal_type(area)  # Derived[float]
reveal_type(area.value)  # float
reveal_type(area.new())  # Observable[float]
reveal_type(effect(lambda: None))  # Observation
reveal_type(run_transaction(lambda: 3))  # int

class Sized:
    @derived
    def size(self) -> int:
        return volume.value
    @derived(equals=lambda old, new: old == new)
    def text(self) -> str:
        return ""

reveal_type(Sized().size)  # Derived[int]
reveal_type(Sized().text.value)  # str

@transactional
def move(amount: int) -> str:
    return ""

reveal_type(move(3))  # str
reveal_type(numbers.observe(handle))  # Observation
reveal_type(numbers.observe(handle_both))  # Observation
reveal_type(numbers.observe(lambda number: print(number)))  # Observation
reveal_type(numbers.observe(lambda number, author: print(number, author)))  # Observation
reveal_type(Observer().observe(numbers, handle))  # Observation
reveal_type(Observer().observe(volume, lambda update: print(update.old)))  # Observation
volume.observe(lambda update: print(update.new + 1))

@numbers.observe
def first(number: int) -> None: ...
reveal_type(first)  # Observation

@numbers.observe()
def second(number: int, author: object) -> None: ...
reveal_type(second)  # Observation

@Observer().observe(volume)
def third(update: Update[int]) -> None: ...
reveal_type(third)  # Observation

with Observer() as observer, numbers.observe(handle) as observation:
    reveal_type(observer)  # Observer
    reveal_type(observation)  # Observation

with assert_sent(numbers, 1) as expectation:
    reveal_type(expectation.messages)  # tuple[int, ...]

def test_fixtures(assert_sent: AssertSent, assert_not_sent: AssertNotSent) -> None:
    with assert_sent(volume, timeout=1) as updates, assert_not_sent(numbers) as none:
        reveal_type(updates.messages)  # tuple[tuple[int, int, fallback=Update[int]], ...]
        reveal_type(none.messages)  # tuple[int, ...]

try:
    numbers.send(1, author="author")
except HandlerError as error:
    reveal_type(error.failures[0].function)  # str

class Dog:
    barked = Messenger[str].attribute()
    age = Var.attribute(1)

Content = TypeVar("Content")
class Percent(Var[int]): ...
class Clamped(Var[Content]): ...
class Loud(Messenger[str]): ...

class Player:
    title = Var[Optional[str]].attribute(None)
    tags = Var[List[str]].attribute([])
    volume = Percent.attribute(5)
    level = Clamped[float].attribute(0.5)
    rang = Loud.attribute()

Player().title.value = "Rex"
reveal_type(Player().title)  # Var[str | None]
reveal_type(Player().tags.value)  # list[str]
reveal_type(Player().volume)  # Percent
reveal_type(Player().level)  # Clamped[float]
reveal_type(Player().rang)  # Loud
percent: Percent = Player().volume

def show_anything(anything: Observable[object]) -> None: ...
def show_update(update: Update[object]) -> None: ...
def show_number(update: Update[float]) -> None: ...
show_anything(Messenger[str]())
show_anything(volume)
show_anything(volume.new().map(str))
more: Observable[float] = numbers
volume.observe(show_update)
volume.observe(show_number)
Var(True).observe(show_number)

class Named(Messenger[str]):
    def __init__(self) -> None:
        super().__init__()
        self.label = "mine"
reveal_type(Named().label)  # str
numbers.failure_handler = print
volume.name = "volume"
volume.ordered, numbers.budget, numbers.raises_first = False, 5, True

def take_two(one: Update[int], other: Update[int]) -> None: ...
def take_texts(one: str, other: str) -> None: ...
observer = Observer()
observer.observe_combined((volume, volume), take_two)
observer.observe_combined((volume, volume, volume), lambda one, two, three: None)
observer.observe_combined((volume, volume, volume, volume), lambda one, two, three, four: None)
observer.observe_combined([volume, volume], lambda one, two: None)

reveal_type(Dog.age)  # Attribute[Var[int]]
reveal_type(Dog().age)  # Var[int]
reveal_type(Dog().age.value)  # int
reveal_type(Dog().barked)  # Messenger[str]

@evented
class Point:
    x: int
    y: int = 0

@evented(order=True)
class Ordered:
    x: int

reveal_type(Point(1, y=2).x)  # int
reveal_type(Ordered(1).x)  # int
reveal_type(events(Point(1)))  # Events
reveal_type(events(Dog()).map(lambda change: change.name))  # Observable[str]
reveal_type(bind(volume, Dog().age, both=True))  # Binding
reveal_type(bind(volume, Var(""), convert=str, back=int))  # Binding
reveal_type(bind(numbers, volume))  # Binding
reveal_type(bind(numbers, Var(""), convert=str))  # Binding
reveal_type(numbers.replaying(3))  # Observable[int]
reveal_type(numbers.cache())  # Observable[int | None]
reveal_type(numbers.cache(0))  # Observable[int]
reveal_type(numbers.throttle(0.5).debounce(1))  # Observable[int]
reveal_type(numbers.observe(handle, replay="latest"))  # Observation
reveal_type(graph(numbers, volume).dot)  # str
reveal_type(volume.latest_message.new)  # int
with numbers.paused(), numbers.blocked(), volume.batch(), volume.paused(lambda one, other: Update(one.old, other.new)):
    pass
with numbers.paused(lambda one, other: one + other, initial=0):
    pass

numbers.observe(lambda: print("changed"))
numbers.stop_observing(handle)
numbers.paused().begin()
Var(1, equals=lambda one, other: one > other, validator=lambda value: value + 1)

Percent.attribute("x")  # wrong
Var[Optional[str]].attribute(5)  # wrong
volume.vlaue = 4  # wrong
numbers.nmae = "x"  # wrong
Percent(5).vlaue = 4  # wrong
volume.new().budgte = 5  # wrong
observer.nmae = 5  # wrong
observer.observe_combined((volume, volume), lambda one: None)  # wrong
observer.observe_combined((volume, volume, volume), take_two)  # wrong
observer.observe_combined((volume, volume), take_texts)  # wrong
anything: Messenger[object] = Messenger[str]()  # wrong
variable: Var[object] = volume  # wrong
narrower: Observable[bool] = numbers  # wrong
volume.observe(lambda update: print(update.missing))  # wrong
Observer().observe(volume, lambda update: print(update.new + "text"))  # wrong
volume.observe(lambda update, author: print(update.missing))  # wrong
Var(1, validator=lambda value: "text")  # wrong
Dog().age = 5  # wrong
Dog().barked.send(5)  # wrong
Point("x")  # wrong
bind(volume, Var(""))  # wrong
bind(numbers, Var(""))  # wrong
bind(volume, Var(""), convert=str, back=len, both=5)  # wrong
numbers.replaying("latest")  # wrong
numbers.observe(handle, replay="last")  # wrong
numbers.throttle("soon")  # wrong
numbers.paused(lambda one, other: "text")  # wrong
numbers.send("text")  # wrong
numbers.send(1, "author")  # wrong
numbers.observe(handle_text)  # wrong
numbers.map(str).observe(handle)  # wrong
volume.observe(handle)  # wrong
volume.value = "text"  # wrong
volume.set(None)  # wrong
volume.new().send(5)  # wrong
volume.new().observe(handle_text)  # wrong
Observer().observe(numbers, handle_text)  # wrong
Observer().observe(5, handle)  # wrong
assert_sent(5)  # wrong
"""


def mypy(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir=/dev/null", *map(str, arguments)],
        cwd=CHECKOUT / "bindings" / "python" / "src",
        capture_output=True,
        text=True,
    )


BINDING = CHECKOUT / "bindings" / "python"
TYPED = {
    "the package": ["-p", "swiftobserver"],
    "its examples": sorted((BINDING / "examples").glob("*.py")),
    "its fixtures": ["-m", "pytest_swiftobserver"],
    "how it is built": [BINDING / "hatch_build.py"],
}


@pytest.mark.parametrize("what", TYPED.values(), ids=TYPED)
def test_everything_is_typed_strictly(what):
    result = mypy(*what)
    assert (result.stdout, result.stderr) == ("", "")


def test_pyright_knows_the_type_of_everything_public(tmp_path):
    # Pyright verifies what is installed in the environment that comes first in PATH.
    venv.create(tmp_path / "environment", symlinks=True)
    (site_packages,) = (tmp_path / "environment" / "lib").glob("python3*/site-packages")
    shutil.copytree(PACKAGE, site_packages / "swiftobserver")
    pyright = Path(sys.executable).with_name("basedpyright")
    result = subprocess.run(
        [pyright, "--verifytypes", "swiftobserver", "--ignoreexternal"],
        cwd=tmp_path,
        env=dict(os.environ, PATH=f"{tmp_path / 'environment' / 'bin'}:{os.environ['PATH']}", PYTHONPATH=""),
        capture_output=True,
        text=True,
    )
    assert "Type completeness score: 100%" in result.stdout, result.stdout + result.stderr
    assert re.findall(r"without docstring: [1-9]\d*", result.stdout) == []
    assert result.returncode == 0


def test_pyright_finds_the_same_wrong_lines_and_no_others(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(PACKAGE.parent)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    pyright = Path(sys.executable).with_name("basedpyright")
    result = subprocess.run([pyright, "--outputjson"], cwd=tmp_path, capture_output=True, text=True)
    found = {
        each["range"]["start"]["line"] + 1
        for each in json.loads(result.stdout)["generalDiagnostics"]
        if each["severity"] == "error"
    }
    expected = {number for number, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("  # wrong")}
    lines = PROGRAM.splitlines()
    # It makes a variable of numbers and texts of it.
    assert [lines[number - 1] for number in sorted(found ^ expected)] == [
        'Var(1, validator=lambda value: "text")  # wrong'
    ]


def test_programs_get_the_types_that_they_expect(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    found = {}
    for line in mypy(program).stdout.splitlines():
        number, kind, text = re.fullmatch(r".*?program\.py:(\d+): (\w+): (.*)", line).groups()
        if kind == "error":
            found[int(number)] = "wrong"
        elif text.startswith("Revealed type is"):
            found[int(number)] = re.sub(r"\w+\.(?=\w)|\?|\"", "", text[len("Revealed type is ") :])
    expected = {number: line.split("  # ")[1] for number, line in enumerate(PROGRAM.splitlines(), 1) if "  # " in line}
    assert found == expected

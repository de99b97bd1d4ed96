# SPDX-License-Identifier: MIT
"""Questions about a program: which line called it, what a function is called, and what it takes.

A function is inspected once, when it is handed over, and refused there if it does not fit.
"""

from __future__ import annotations

import sys
from sys import _getframe, maxsize
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from weakref import WeakKeyDictionary

from .typing import Any, Iterable, List, NamedTuple, Optional, Tuple

_FOLDERS = ("_core", "_values", "_operators", "_library", "_derived", "_extras")
_PACKAGE = __name__.partition(".")[0]
_PACKAGES = frozenset((_PACKAGE, *(f"{_PACKAGE}.{each}" for each in _FOLDERS)))


class Place(NamedTuple):
    """A line of a program."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


# A line before it is looked up: some code, and how far it has got.
Spot = Tuple[CodeType, int]


def caller(above: int = 2) -> Spot:
    """Where the nearest code outside this package is at the moment, so many frames above or more."""
    try:
        frame = _getframe(above)
    except ValueError:
        # Called from C, with no other frame of Python's.
        frame = _getframe(1)
    try:
        while frame.f_globals["__package__"] in _PACKAGES and frame.f_back:
            frame = frame.f_back
    except KeyError:
        # Code that belongs to no package at all.
        pass
    return frame.f_code, frame.f_lasti


def place_of(spot: Spot) -> Place:
    """The line of a spot."""
    # Most programs never ask.
    from dis import findlinestarts

    code, instruction = spot
    number = code.co_firstlineno
    for start, line in findlinestarts(code):
        if start > instruction:
            break
        number = line or number
    return Place(code.co_filename, number)


def hint(name: str, names: Iterable[str]) -> str:
    """The end of a sentence about a name that does not exist: which one may be meant."""
    # Most programs make no mistake.
    from difflib import get_close_matches

    near = get_close_matches(name, [each for each in names if each[:1] != "_"], 1)
    return f": is it {near[0]!r}?" if near else ""


def name_of(function: object) -> str:
    """The name of a function in a message."""
    name = getattr(function, "__qualname__", None)
    return name if isinstance(name, str) else f"{type(function).__qualname__} object"


def is_of_package(function: object) -> bool:
    """Whether this package has written a function."""
    module = getattr(function, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] == _PACKAGE


# As in `inspect`, which takes longer to load than this whole package, and is seldom needed.
_VARIABLE, _GENERATOR, _COROUTINE, _ASYNCHRONOUS_GENERATOR = 0x04, 0x20, 0x80, 0x200
_UNUSUAL = _VARIABLE | _GENERATOR | _COROUTINE | _ASYNCHRONOUS_GENERATOR

# How many arguments are required and accepted, the name of the second, whether keywords are required, and
# whether a call only makes a coroutine.
_Demand = Tuple[int, float, Optional[str], bool, bool]

# Of a function that no call suits.
_TOO_MUCH: _Demand = (maxsize, 0, None, False, False)


def is_coroutine_function(handler: Any) -> bool:
    """Whether a call of a handler only makes a coroutine."""
    demand = _demand(handler, "handler", True)
    return demand is not None and demand[-1]


def argument_count(handler: Any, may_be_coroutine: bool = False) -> int:
    """With what to call a handler: 1 is (message), 2 is (message, author), 0 is nothing.

    A second parameter gets the author if it is required or if its name is `author`; so the idiom
    `lambda message, index=index: ...` keeps its default. Behind a decorator that takes any arguments only the name
    says so, for it may give some itself.
    """
    if type(handler) is FunctionType:
        code = handler.__code__
        if code.co_argcount == 1 and not (code.co_flags & _UNUSUAL or code.co_kwonlyargcount):
            return 1
    demand = _demand(handler, "handler", may_be_coroutine)
    if demand is None:
        return 1
    required, accepted, second, keywords, _ = demand
    if keywords or required > 2:
        raise TypeError(f"handler must take (message), (message, author) or nothing: {name_of(handler)} does not")
    if required == 2 and second == "new":
        raise TypeError(f"handler must take one update, with its .old and .new: {name_of(handler)} takes two values")
    return 2 if required == 2 or second == "author" else 1 if accepted else 0


def require_one_argument(function: Any, parameter: str) -> None:
    """`TypeError` unless a function can be called with one argument."""
    demand = _demand(function, parameter)
    if demand is None:
        return
    required, accepted, _, keywords, _ = demand
    if keywords or required > 1 or accepted < 1:
        raise TypeError(f"{parameter} must take one argument: {name_of(function)} does not")


def require_executor(execute: Any, on: Any) -> None:
    """`TypeError` unless something, behind `on`, can be called with a job."""
    if not callable(execute):
        raise TypeError(f"on must be an event loop or a function that runs jobs, not {type(on).__name__}")
    require_one_argument(execute, "on")


def require_arguments(function: Any, count: int, parameter: str) -> None:
    """`TypeError` unless a function can be called with so many arguments."""
    if not callable(function):
        raise TypeError(f"{parameter} must be callable, not {type(function).__name__}")
    try:
        signature = _signature(function)
        if signature is not None and _stood_for(function, signature) is None:
            signature.bind(*range(count))
    except TypeError:
        number = "one argument" if count == 1 else f"{count} messages"
        raise TypeError(f"{parameter} must take {number}: {name_of(function)} does not") from None


def _demand(function: Any, parameter: str, may_be_coroutine: bool = False) -> Optional[_Demand]:
    """None for what does not tell, as some functions written in C."""
    if not callable(function):
        raise TypeError(f"{parameter} must be callable, not {type(function).__name__}")
    demand = _demand_of_plain(function) or _demand_of_other(function)
    if _flags(function) & (_GENERATOR | _ASYNCHRONOUS_GENERATOR):
        raise TypeError(f"{parameter} must not be a generator function: {name_of(function)} would never run")
    if demand is not None and demand[-1] and not may_be_coroutine:
        raise TypeError(f"{parameter} must not be a coroutine function: {name_of(function)} would never be awaited")
    return demand


def _flags(function: Any) -> int:
    """The kind of code that a call runs, also behind a method, a partial or an object."""
    while type(function) is MethodType or type(function).__name__ == "partial":
        function = function.__func__ if type(function) is MethodType else function.func
    if type(function) is not FunctionType and not isinstance(function, type):
        function = getattr(type(function), "__call__", None)
    # A mock may say that it has one, which is a mock.
    code = getattr(function, "__code__", None)
    return code.co_flags if type(code) is CodeType else 0


def _demand_of_plain(function: Any) -> Optional[_Demand]:
    # What inspect.signature would say of ordinary functions and methods, at a small part of its cost.
    bound = type(function) is MethodType
    plain = function.__func__ if bound else function
    if type(plain) is not FunctionType:
        return None
    code = plain.__code__
    skipped = 1 if bound else 0
    accepted = code.co_argcount - skipped
    if code.co_flags & _VARIABLE or accepted < 0:
        # It may stand for another function, and bear its signature.
        return None
    return (
        max(0, accepted - len(plain.__defaults__ or ())),
        accepted,
        code.co_varnames[skipped + 1] if accepted > 1 else None,
        code.co_kwonlyargcount > len(plain.__kwdefaults__ or ()),
        bool(code.co_flags & _COROUTINE),
    )


# What was found out by `inspect`, which takes long: of functions written in C, by what they say of themselves, and of
# classes.
_known_texts: dict[str, Optional[_Demand]] = {}
_known_classes: WeakKeyDictionary[type, Optional[_Demand]] = WeakKeyDictionary()


def _demand_of_other(function: Any) -> Optional[_Demand]:
    if type(function) is BuiltinFunctionType:
        text = getattr(function, "__text_signature__", None)
        if text is None:
            return None
        if text not in _known_texts:
            _known_texts[text] = _demand_of_any(function)
        return _known_texts[text]
    if type(function) is type:
        if function not in _known_classes:
            _known_classes[function] = _demand_of_any(function)
        return _known_classes[function]
    if type(function).__name__ == "partial" and not function.keywords and not hasattr(function, "__signature__"):
        return _demand_of_partial(function)
    if _is_mock(function):
        return _demand_of_any(function)
    call: Any = getattr(type(function), "__call__", None)
    if type(call) is FunctionType and not hasattr(function, "__signature__") and not hasattr(function, "__wrapped__"):
        return _demand_of_plain(MethodType(call, function)) or _demand_of_any(function)
    return _demand_of_any(function)


def _demand_of_partial(function: Any) -> Optional[_Demand]:
    given = len(function.args)
    inner: Any = function.func
    code = inner.__code__ if type(inner) is FunctionType else None
    demand = _demand_of_plain(inner) or _demand_of_other(inner)
    if demand is None:
        return None
    if given and code is None and demand[1] != float("inf"):
        # What the second parameter is called then, only `inspect` knows.
        return _demand_of_any(function)
    required, accepted, second, keywords, is_coroutine = demand
    if accepted < given:
        return _demand_of_any(function)
    if given and accepted != float("inf"):
        second = code.co_varnames[given + 1] if code is not None and code.co_argcount > given + 1 else None
    return max(0, required - given), accepted - given, second, keywords, is_coroutine


def _signature(function: Any) -> Any:
    """The arguments of a function; where it does not tell, as some written in C, what it is said to stand for, or
    None. `TypeError` for what no call suits."""
    import inspect

    if _is_mock(function):
        # The class says so of one that refuses all else.
        strict = vars(type(function)).get("__signature__")
        return inspect.signature(_anything) if strict is None else strict
    try:
        return inspect.signature(function, follow_wrapped=False)
    except ValueError:
        pass
    try:
        return inspect.signature(function)
    except ValueError:
        if type(function).__name__ == "partial" and _signature(function.func) is not None:
            raise TypeError("this partial has arguments that its function does not take") from None
        return None


def _stood_for(function: Any, own: Any) -> Any:
    """The signature of what a function stands for that takes any number of arguments, as decorators and mocks do; else
    None. It may add some of its own, before or after those that it is given."""
    import inspect

    if not any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in own.parameters.values()):
        return None
    try:
        if _is_mock(function):
            called = next((each for each in (function._mock_wraps, function.side_effect) if callable(each)), None)
            return function._spec_signature if called is None else inspect.signature(called)
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    return None if signature == own else signature


def _anything(*arguments: Any, **keywords: Any) -> Any:
    """Takes what a mock takes."""


def _is_mock(function: Any) -> bool:
    mock = sys.modules.get("unittest.mock")
    return mock is not None and isinstance(function, mock.NonCallableMock)


def _makes_coroutines(function: Any) -> bool:
    import inspect

    if _is_mock(function):
        return hasattr(type(function), "assert_awaited")
    # What asyncio, or a mock, has marked.
    mark = getattr(sys.modules.get("asyncio.coroutines"), "_is_coroutine", None)
    return (
        inspect.iscoroutinefunction(function)
        or inspect.iscoroutinefunction(getattr(type(function), "__call__", None))
        or (mark is not None and getattr(function, "_is_coroutine", None) is mark)
    )


def _demand_of_any(function: Any) -> Optional[_Demand]:
    try:
        signature = _signature(function)
    except TypeError:
        return _TOO_MUCH
    if signature is None:
        return None
    required, accepted, second, keywords, names = _taken(signature)
    behind = _stood_for(function, signature)
    if behind is not None:
        _, taken_behind, _, _, names = _taken(behind)
        if not taken_behind and not required:
            accepted = 0
        # Only the name says that it wants the author.
        second = "author" if "author" in names[1:] else None
        if names == ["old", "new"]:
            required, second = 2, "new"
    return required, accepted, second, keywords, _makes_coroutines(function)


def _taken(signature: Any) -> Tuple[int, float, Optional[str], bool, List[str]]:
    """How many arguments are required and accepted, the name of the second, whether keywords are required, and the
    names of all."""
    from inspect import Parameter

    parameters = list(signature.parameters.values())
    positional = [
        each for each in parameters if each.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    names = [each.name for each in positional]
    return (
        len([each for each in positional if each.default is Parameter.empty]),
        float("inf") if any(each.kind is Parameter.VAR_POSITIONAL for each in parameters) else len(positional),
        names[1] if len(names) > 1 else None,
        any(each.kind is Parameter.KEYWORD_ONLY and each.default is Parameter.empty for each in parameters),
        names,
    )

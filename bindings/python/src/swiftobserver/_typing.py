# SPDX-License-Identifier: MIT
"""What `typing` has, without what that costs: it takes longer to load than this whole package.

When the package runs, it ignores its own annotations. Its generic classes can still be subscripted, and be bases of
other generic classes.
"""

from __future__ import annotations

# Type checkers take it for true, whatever stands here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any as Any
    from typing import Callable as Callable
    from typing import ClassVar as ClassVar
    from typing import ContextManager as ContextManager
    from typing import Coroutine as Coroutine
    from typing import Deque as Deque
    from typing import Dict as Dict
    from typing import Generic as Generic
    from typing import Hashable as Hashable
    from typing import Iterable as Iterable
    from typing import Iterator as Iterator
    from typing import List as List
    from typing import Literal as Literal
    from typing import NamedTuple as NamedTuple
    from typing import NoReturn as NoReturn
    from typing import Optional as Optional
    from typing import Sequence as Sequence
    from typing import Tuple as Tuple
    from typing import TypeVar as TypeVar
    from typing import Union as Union
    from typing import cast as cast
    from typing import overload as overload
else:
    from collections import namedtuple
    from types import GenericAlias

    class _Anything:
        """A type that no code looks at."""

        def __getitem__(self, item):
            return self

        def __call__(self, *arguments, **options):
            return self

    Any = Callable = ClassVar = ContextManager = Coroutine = Deque = Dict = Hashable = Iterable = Iterator = List = (
        _Anything()
    )
    Literal = NoReturn = Optional = Sequence = Tuple = TypeVar = Union = Any

    class Generic:
        """A class that can be subscripted."""

        __slots__ = ()

        def __class_getitem__(cls, item):
            return GenericAlias(cls, item)

    class _Naming(type):
        def __new__(meta, name, bases, namespace):
            if not bases:
                return super().__new__(meta, name, bases, namespace)
            fields = namespace["__annotations__"]
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            made = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            for key, value in namespace.items():
                setattr(made, key, value)
            if Generic in bases:
                made.__class_getitem__ = classmethod(GenericAlias)
            return made

    class NamedTuple(metaclass=_Naming):
        """Its subclasses are what `collections.namedtuple` makes of their annotations."""

    def cast(kind, thing):
        """The thing itself."""
        return thing

    def overload(function):
        """The function itself, which the last one of its name replaces."""
        return function


class Placeholder:
    """What a parameter is if no argument was given, under a name that reads well in a signature."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<{self._name}>"


MISSING: Any = Placeholder("not given")

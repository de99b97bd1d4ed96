# SPDX-License-Identifier: MIT
"""The names of `typing`, without their cost: it takes longer to load than this whole package.

When the package runs, it ignores its own annotations, which `typing.get_type_hints` finds all the same. Its generic
classes can still be subscripted, and be bases of other generic classes.
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
    from typing import Type as Type
    from typing import TypeVar as TypeVar
    from typing import Union as Union
    from typing import cast as cast
    from typing import overload as overload
else:
    import sys
    from collections import namedtuple
    from types import GenericAlias

    # What is subscripted while the package is loaded, to be made when it is asked for: by number, which stands in the
    # expression for it. Made at once it would take longer than all else.
    _makers = []
    _is_loading = True

    def loaded():
        """The package is."""
        global _is_loading
        _is_loading = False

    class _Later(str):
        """A name of a type, as an expression. `typing.get_type_hints` takes a text for one, and finds
        the type itself."""

        def __getitem__(self, item):
            if isinstance(item, (int, slice)):
                # The text is read.
                return super().__getitem__(item)
            return _made_later(lambda: eval(self)[_at_once(item)])

    def _made_later(make):
        if not _is_loading and "typing" in sys.modules:
            return make()
        _makers.append(make)
        return _Later(f"__import__({__name__!r}, fromlist=['_made'])._made({len(_makers) - 1})")

    def _made(number):
        # The same each time, for a type variable is no other.
        made = _makers[number]()
        _makers[number] = lambda: made
        return made

    def _at_once(item):
        # Python 3.9 and 3.10 look for no text everywhere.
        if isinstance(item, (tuple, list)):
            return type(item)(map(_at_once, item))
        return eval(item) if isinstance(item, _Later) and not _is_loading and "typing" in sys.modules else item

    def later(module, name):
        """A name that only annotations have, from a module that is not loaded for that."""
        return _Later(f"__import__('importlib').import_module({module!r}).{name}")

    def TypeVar(name, **options):
        """A type variable."""
        return _made_later(lambda: __import__("typing").TypeVar(name, **options))

    Any, Callable, ClassVar, ContextManager, Coroutine, Deque, Dict, Hashable, Iterable, Iterator, List = (
        later("typing", name)
        for name in (
            *("Any", "Callable", "ClassVar", "ContextManager", "Coroutine", "Deque", "Dict", "Hashable", "Iterable"),
            *("Iterator", "List"),
        )
    )
    Literal, NoReturn, Optional, Sequence, Tuple, Type, Union = (
        later("typing", name) for name in ("Literal", "NoReturn", "Optional", "Sequence", "Tuple", "Type", "Union")
    )
    TracebackType = later("types", "TracebackType")

    class Generic:
        """A class that can be subscripted."""

        __slots__ = ()

        def __class_getitem__(cls, item):
            return GenericAlias(cls, _at_once(item))

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
                made.__class_getitem__ = classmethod(Generic.__class_getitem__.__func__)
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
    """Stands for an argument that was not given, under a name that reads well in a signature."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<{self._name}>"


MISSING: Any = Placeholder("not given")

# SPDX-License-Identifier: MIT
"""Variables that follow others.

    a.value = 1 --update--> binding --author: the binding--> b.set(1)
    b's own update comes back to the binding, which knows its author and leaves it at that

In both directions the binding copies present values, one at a time. Whatever several threads set meanwhile, the last
copy makes both sides agree. Where a validator holds something else than was copied, that is copied back, once.
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple, TypeVar, overload
from weakref import ref

from .._core.lines import Line
from .._core.observation import Observation
from .._core.within import Lasting
from .._library.inspection import require_one_argument
from .._operators.methods import Observable
from .._values.encoding import Update
from .._values.var import Var

First = TypeVar("First")
Second = TypeVar("Second")


class Binding(Lasting):
    """Lasts until `stop()`, the end of its `with` block, or the death of either side. It keeps neither alive.

    Dropping this object changes nothing. It is the author of what it sets.
    """

    def __init__(
        self,
        source: Observable[Any],
        target: Var[Any],
        convert: Optional[Callable[[Any], Any]],
        back: Optional[Callable[[Any], Any]],
        both: bool,
    ) -> None:
        self._observations: list[Observation] = []
        self._source, self._target = ref(source, self._end), ref(target, self._end)
        self._convert, self._back, self._is_both = convert, back, both
        # The copies to make: forth or back, and whether as an answer to what a validator has made of a copy.
        self._copies = Line("Binding")
        try:
            self._observations.append(source.observe(self._forth if both else self._follow, weak=False))
            if both:
                self._observations.append(target.observe(self._back_again, weak=False))
            self._begin(source, target)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> bool:
        """Ends the binding. Returns whether it was living; stopping again is harmless."""
        return any([each.stop() for each in self._observations])

    @property
    def is_living(self) -> bool:
        """Whether changes still pass."""
        return all(each.is_living for each in self._observations)

    def __repr__(self) -> str:
        source, target = self._source(), self._target()
        if source is None or target is None or not self.is_living:
            return "<Binding, ended>"
        return f"<Binding of {target!r} to {source!r}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("cannot copy or pickle an object of type Binding")

    def _begin(self, source: Observable[Any], target: Var[Any]) -> None:
        try:
            message = source.latest_message
        except TypeError:
            # Nothing to begin with.
            return
        value = _converted(message, self._convert)
        target.set(value, author=self)
        if self._is_both and target._has_replaced(value):
            self._copies.put((False, True), self._copy_one)

    def _end(self, _: Any) -> None:
        self.stop()

    def _follow(self, message: Any) -> None:
        target = self._target()
        if target is not None:
            target.set(_converted(message, self._convert), author=self)

    def _forth(self, update: Any, author: Any) -> None:
        self._copy(True, author)

    def _back_again(self, update: Any, author: Any) -> None:
        self._copy(False, author)

    def _copy(self, forth: bool, author: Any) -> None:
        if author is not self:
            self._copies.put((forth, False), self._copy_one)

    def _copy_one(self, copy: Tuple[bool, bool]) -> None:
        forth, is_answer = copy
        source, target = self._source(), self._target()
        if not isinstance(source, Var) or target is None or not self.is_living:
            return
        if forth:
            value, to = _converted(source.value, self._convert), target
        else:
            value, to = _converted(target.value, self._back), source
        to.set(value, author=self)
        if not is_answer and to._has_replaced(value):
            self._copies.put((not forth, True), self._copy_one)


def _converted(message: Any, convert: Optional[Callable[[Any], Any]]) -> Any:
    value = message.new if type(message) is Update else message
    return value if convert is None else convert(value)


@overload
def bind(source: Var[First], target: Var[First], *, both: bool = False) -> Binding: ...
@overload
def bind(source: Var[First], target: Var[Second], *, convert: Callable[[First], Second]) -> Binding: ...
@overload
def bind(
    source: Var[First],
    target: Var[Second],
    *,
    convert: Callable[[First], Second],
    back: Callable[[Second], First],
    both: bool = True,
) -> Binding: ...
@overload
def bind(source: Observable[First], target: Var[First]) -> Binding: ...
@overload
def bind(source: Observable[First], target: Var[Second], *, convert: Callable[[First], Second]) -> Binding: ...
def bind(
    source: Any,
    target: Any,
    *,
    convert: Optional[Callable[[Any], Any]] = None,
    back: Optional[Callable[[Any], Any]] = None,
    both: Optional[bool] = None,
) -> Binding:
    """Lets a variable follow another, or any observable: now, if there is a value, and whenever it changes.

    With `both` each follows the other; `source` has its way at first. `convert` makes values for `target`, and `back`
    values for `source`: then each follows the other, too. What a validator makes of a copy comes back.

    >>> from swiftobserver import Var, bind
    >>> celsius, text = Var(20), Var("")
    >>> binding = bind(celsius, text, convert=str, back=int)
    >>> text.value
    '20'
    >>> text.value = "25"
    >>> celsius.value
    25
    """
    if not isinstance(source, Observable):
        raise TypeError(f"source must be an Observable, not {type(source).__name__}")
    if not isinstance(target, Var):
        raise TypeError(f"target must be a Var, not {type(target).__name__}")
    if source is target:
        raise ValueError("target must not be the source")
    for function, parameter in ((convert, "convert"), (back, "back")):
        if function is not None:
            require_one_argument(function, parameter)
    in_both_directions = back is not None if both is None else bool(both)
    if in_both_directions:
        if not isinstance(source, Var):
            raise TypeError(f"source must be a Var if each is to follow the other, not {type(source).__name__}")
        if (convert is None) != (back is None):
            raise TypeError("convert and back must be given together if each is to follow the other")
    elif back is not None:
        raise TypeError("back must not be given if source does not follow target")
    return Binding(source, target, convert, back, in_both_directions)

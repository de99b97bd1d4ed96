# SPDX-License-Identifier: MIT
"""Observables made from others: `map`, `filter` and `new`."""

from __future__ import annotations

from ctypes import addressof, byref, c_void_p, memmove, sizeof
from weakref import ref

from . import _native as native
from . import _structures as structures
from ._arity import require_one_argument
from ._context import Context, Contexts, destroy
from ._delivery import dropped, failed
from ._errors import check
from ._observable import Observable
from ._structures import Value
from ._typing import Any, Callable, Iterator, Optional
from ._update import Update
from ._values import encode, message_at, reference
from ._where import caller, name_of, place_of


class Transform(Observable[Any]):
    """An observable that gets its messages from another one, which it keeps alive."""

    def __init__(self, source: Observable[Any], address: int, contexts: Contexts) -> None:
        super().__init__(address, contexts, source._has_pointer)
        self._source = source
        # What makes the latest message from that of the source, where that can be.
        self._mapper: Optional[Callable[[Any], Any]] = None

    @property
    def latest_message(self) -> Any:
        """The latest message of the source, mapped. Raises `TypeError` where there is none."""
        return super().latest_message if self._mapper is None else self._mapper(self._source.latest_message)

    def _origins(self) -> Iterator[Observable[Any]]:
        yield self._source
        yield from self._source._origins()


class _Step(Context):
    """A function that a transform applies."""

    __slots__ = ("_function", "_role", "_source", "_is_native", "_spot", "_result")

    def __init__(self, function: Any, role: str, source: Observable[Any]) -> None:
        self._function = function
        self._role = role
        self._source = ref(source)
        self._is_native = source._native
        self._spot = caller()
        self._result: Any = None

    def _leave(self) -> None:
        self._function = self._result = None

    def _failed(self, exception: BaseException) -> None:
        if self._function is None:
            # On PyPy: its transform is gone, and the library does not know yet.
            dropped()
            return
        failed(exception, self._role, name_of(self._function), self._source, place_of(self._spot))


def mapped(source: Observable[Any], mapper: Any) -> Transform:
    """The transform behind `Observable.map`."""
    transform = _applying(mapper, "mapper", source, native.map, _on_map)
    transform._mapper = mapper
    return transform


def filtered(source: Observable[Any], predicate: Any) -> Transform:
    """The transform behind `Observable.filter`."""
    return _applying(predicate, "predicate", source, native.filter, _on_filter)


def only_new(source: Observable[Any]) -> Transform:
    """The transform behind `Observable.new`."""
    if not source._native:
        transform = mapped(source, _new_of)
        # As where the library makes it.
        transform._kind = "new"
        return transform
    address = c_void_p()
    check(native.new(source._address, byref(address)), type(source).__name__)
    assert address.value
    transform = Transform(source, address.value, {})
    transform._mapper = _new_of
    return transform


def _new_of(message: Any) -> Any:
    return message.new if type(message) is Update else message


def _applying(function: Any, role: str, source: Observable[Any], make: Callable[..., int], callback: Any) -> Transform:
    require_one_argument(function, role)
    step = _Step(function, role, source)
    contexts: Contexts = {}
    step._enter(contexts)
    address = c_void_p()
    check(make(source._address, callback, step, destroy, byref(address)), type(source).__name__)
    assert address.value
    return Transform(source, address.value, contexts)


def _map(step: _Step, message: int, out: int) -> int:
    try:
        result = step._function(message_at(message))
        value = encode(result) if step._is_native else reference(result)
    except BaseException as error:
        step._failed(error)
        return structures.CALLBACK_FAILED
    # What `out` points at is borrowed until the next call.
    step._result = (value, result)
    memmove(out, addressof(value), sizeof(Value))
    return structures.OK


def _accept(step: _Step, message: int) -> bool:
    try:
        return bool(step._function(message_at(message)))
    except BaseException as error:
        step._failed(error)
        return False


_on_map = structures.MAPPER(_map)
_on_filter = structures.PREDICATE(_accept)

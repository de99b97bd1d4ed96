# SPDX-License-Identifier: MIT
"""A variable that has the value of a function over other variables.

    width ---+
             +--> function --> area --> its observers
    height --+

It keeps what its function has read alive; nothing that it has read keeps it.
"""

from __future__ import annotations

from _thread import get_ident
from reprlib import recursive_repr
from weakref import ref

from .._core.authors import ITSELF
from .._core.demand import on_demand
from .._core.failures import amid, are_pending_here, failed, pending, raise_pending
from .._core.lines import Turn, take_turn_between
from .._core.stores import LocalStore
from .._library import declarations as library
from .._library.declarations import CALLBACK_FAILED
from .._library.inspection import name_of, require_arguments
from .._library.threads import as_sender
from .._library.typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Generic,
    List,
    NoReturn,
    Optional,
    Tuple,
    TypeVar,
    overload,
)
from .._operators.methods import Observable
from .._operators.pure import IsOld, Moving, Told
from .._values.encoding import Update, new_update
from .._values.moments import Frame, View, deliver, frame_here, lock, moments, outside, running
from .._values.sameness import same
from .errors import CycleError
from .settling import Reader, Result, begin_observing, end_observing, in_view, release
from .turns import pass_turns, settle_all

Content = TypeVar("Content")
Content_co = TypeVar("Content_co", covariant=True)
Owner = TypeVar("Owner")


class DerivedValue(LocalStore, Reader):
    """The value of a derived variable, and how it gets it."""

    __slots__ = (
        *("equals", "variable", "runs_in_vain"),
        *("sent", "line", "delivered", "told"),
    )

    def __init__(self, function: Callable[[], Any], equals: Optional[Callable[[Any, Any], object]]) -> None:
        Reader.__init__(self, function)
        self.equals = equals
        self.variable: Any = None
        # The result that was told last, the updates that wait, and the one that is on its way.
        self.sent: Optional[Result] = None
        self.line: Tuple[Tuple[Update[Any], Any], ...] = ()
        self.delivered: Any = None
        # The failure that was told last.
        self.told: Optional[BaseException] = None
        self.runs_in_vain = 0

    # ---- as a node ----

    def differ(self, old: Any, value: Any) -> bool:
        if self.equals is not None:
            changed = old is not value and not self.equals(old, value)
        else:
            changed = not same(old, value)
        if not changed:
            self.runs_in_vain += 1
        return changed

    def name(self) -> str:
        variable = self.variable()
        return (None if variable is None else variable.name) or name_of(self.function)

    def tell(self) -> bool:
        """Sends an update if the value is another than the one sent last. Returns whether something has failed."""
        variable = self.variable()
        with lock:
            if variable is None or not self.is_observed:
                return False
            sent, result = self.sent, self.result
            value, failure, version = result
            if failure is not None or sent is None or sent[2] == version:
                update = None
            else:
                update = new_update(Update, (sent[0], value))
                # Two versions that follow one another were found to differ.
                is_new = version == sent[2] + 1
        if failure is not None:
            if failure.error is self.told:
                return False
            self.told = failure.error
            tell_failure(failure.error, "function", name_of(self.function), variable)
            return True
        self.told = None
        if update is None:
            return False
        if not is_new and self._is_same(update[0], value):
            self.sent = result
            return False
        with lock:
            self.sent, self.line = result, (*self.line, (update, ITSELF))
        return self._send_line(variable)

    def _send_line(self, variable: Any) -> bool:
        has_failed = False
        while self.line:
            with lock:
                if self.delivered is not None or not self.line:
                    return has_failed
                update, author = self.line[0]
                # First this, so that a handler of a signal that sends the latest message does not deliver it.
                self.delivered = update
                self.line = self.line[1:]
            try:
                has_failed |= self.send_made(variable, update, author)
            finally:
                self.delivered = None
        return has_failed

    def _is_same(self, old: Any, value: Any) -> bool:
        try:
            return not self.differ(old, value)
        except Exception:
            return False

    # ---- the value ----

    def read(self, variable: Any) -> Any:
        """The present value, or that of the moment that the caller is in."""
        frame = frame_here()
        if frame is not None:
            return self.read_in(variable, frame)
        result = self.result
        if not (self.holds(moments.clock) and self.result is result):
            if not variable._address:
                variable._require_initialised()
            result = self._settle_now()
        if result[1] is not None:
            raise result[1].again()
        return result[0]

    def _settle_now(self) -> Result:
        view = View()
        frame = Frame(view, None, True)
        frame.enter()
        try:
            view.begin()
            return in_view(self, view)
        finally:
            frame.leave()
            view.end()

    def read_in(self, variable: Any, frame: Frame) -> Any:
        """The value in a function, which depends on it from now on."""
        view = frame.view
        try:
            value, failure, version = self.known(view) or in_view(self, view)
        except CycleError:
            # It depends on this all the same. No version that this gets equals an object of its own.
            if frame.sources is not None:
                frame.sources.setdefault(self, (variable, object()))
            raise
        if frame.sources is not None and self not in frame.sources:
            frame.sources[self] = variable, version
        if view.reads is not None and not frame.is_computing and frame.sources is not None:
            self._note_leaves(view)
        if failure is not None:
            raise failure.again()
        return value

    def _note_leaves(self, view: View) -> None:
        """Has a transaction depend on the variables that this was computed from."""
        with lock:
            self._note_leaves_locked(view)

    def _note_leaves_locked(self, view: View) -> None:
        # On its own, as all loops within a block: CPython 3.12 to 3.14 find no handler at the end of one.
        assert view.reads is not None
        waiting: List[Any] = [self]
        seen = {self}
        while waiting:
            node = waiting.pop()
            own = view.results.get(node)
            for source, (variable, version) in (node.sources if own is None else own[1]).items():
                if source.is_derived:
                    if source not in seen:
                        seen.add(source)
                        waiting.append(source)
                elif not (view.log and source in view.log):
                    view.reads.setdefault(source, (variable, version))

    # ---- observation ----

    def demand(self) -> None:
        """The first observation has begun."""
        begin_observing(self)
        outside(settle_all, [self])
        with lock:
            self.sent = self.result
            # Until here nothing was told.
            failure = self.result[1]
            self.told = None if failure is None else failure.error
        if moments.waiting:
            pass_turns()

    def end_demand(self) -> None:
        """The last one has ended."""
        end_observing(self)
        self.sent = None

    def knows_latest(self, variable: Any) -> bool:
        return True

    def recall_latest(self, variable: Any, told: Told) -> Tuple[Any, IsOld]:
        moving = Moving()
        if self.sent is None:
            self.read(variable)
        with lock:
            value, failure, _ = self.sent or self.result
            moving.add(self.now(variable))
            told(moving)
        if failure is not None:
            raise failure.again()
        return Update(value, value), moving

    def between(self, variable: Any, action: Callable[[], None]) -> None:
        if deliver(self._replay, variable, action):
            self.require_pending(variable)

    def _replay(self, variable: Any, action: Callable[[], None]) -> bool:
        take_turn_between(self, lock, action)
        return self._send_line(variable)

    def now(self, variable: Any) -> Any:
        delivered = self.delivered
        return None if type(delivered) is Turn else delivered

    def send_latest(self, variable: Any, author: Any) -> None:
        if pending and are_pending_here():
            return amid(self.send_latest, variable, author)  # type: ignore[no-any-return]
        value = outside(self.read, variable)
        with lock:
            while True:
                sent = self.sent
                if sent is not None and sent[1] is None:
                    # What observers know: the update to another one comes later.
                    value = sent[0]
                update = new_update(Update, (value, value))
                # Else a handler of a signal has had it told of another one amid that.
                if self.sent is sent:
                    self.line = (*self.line, (update, author))
                    break
        has_failed = outside(deliver, self._send_line, variable)
        raise_pending(variable, CALLBACK_FAILED if has_failed else library.OK)

    def end(self) -> None:
        held = [self.function, self.equals]
        self.function, self.equals = _gone, None
        release(self, held)

    def require_confinable(self) -> None:
        raise TypeError("a derived variable cannot be confined: it is computed on the thread that reads or sets")

    def paused(self, observable: Any, reducer: Any, initial: Any) -> Any:
        raise TypeError("a derived variable cannot be paused: what it is derived from can, or a transaction sets it")


def _gone() -> NoReturn:
    raise ValueError("this derived variable is gone: Python has finalised it")


def tell_failure(error: BaseException, role: str, function: str, observable: Any) -> None:
    """Has those hear of a failure who hear of those of handlers."""
    as_sender(failed, error, role, function, observable._reference, observable._made)


class Derived(Observable[Update[Content_co]]):
    """A variable that has the value of a function, made by `derived`."""

    _kind = "derived"
    _store: DerivedValue

    def __init__(
        self,
        function: Callable[[], Content_co],
        *,
        equals: Optional[Callable[[Content_co, Content_co], object]] = None,
        name: Optional[str] = None,
    ) -> None:
        _require_function(function)
        if equals is not None:
            require_arguments(equals, 2, "equals")
        store = DerivedValue(function, equals)
        super().__init__(library.messenger_new(), {}, store, name)
        store.variable = self._reference
        on_demand(self, store)

    @property
    def value(self) -> Content_co:
        """The value of the function at this moment. It runs only if something that it has read has changed.

        What the function has raised is raised here, until something that it has read changes.
        """
        if running:
            frame = running.get(get_ident())
            if frame is not None:
                return self._store.read_in(self, frame)  # type: ignore[no-any-return]
        return self._store.read(self)  # type: ignore[no-any-return]

    @property
    def latest_message(self) -> Update[Content_co]:
        """An update from the present value to itself."""
        value = self.value
        return Update(value, value)

    if not TYPE_CHECKING:

        def __setattr__(self, name, value):
            if name == "value":
                raise AttributeError(
                    f"{self._title()} cannot be set: its function makes its value; set what that reads"
                )
            super().__setattr__(name, value)

    def _read(self) -> Tuple[Any, ...]:
        return tuple(variable for variable, _ in list(self._store.sources.values()))

    def _runs(self) -> Tuple[int, int]:
        return self._store.runs, self._store.runs_in_vain

    @recursive_repr("<Derived ...>")
    def __repr__(self) -> str:
        called = self.name
        name = f" {called!r}" if called is not None else ""
        _, failure, version = self._store.result
        if not version:
            state = "not computed yet"
        else:
            state = repr(self._store.result[0]) if failure is None else f"failed with {failure.error!r}"
        return f"<{type(self).__name__}{name} {state}, made at {self._made}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("cannot copy or pickle a derived variable: make another one with its function")


def _require_function(function: Any) -> None:
    if isinstance(function, Observable):
        raise TypeError(f"function must be one that reads variables, not a {type(function).__name__}")
    if not callable(function):
        raise TypeError(f"function must be callable, not {type(function).__name__}")
    from .._library.inspection import is_coroutine_function

    try:
        is_coroutine = is_coroutine_function(function)
    except TypeError:
        is_coroutine = False
    if is_coroutine:
        raise TypeError(f"function must not be a coroutine function: {name_of(function)} would never be awaited")
    require_arguments_none(function)


def require_arguments_none(function: Any) -> None:
    """`TypeError` unless a function can be called without arguments."""
    try:
        require_arguments(function, 0, "function")
    except TypeError:
        raise TypeError(f"function must take no arguments: {name_of(function)} does") from None


class DerivedMethod(Generic[Content_co]):
    """Stands in a class: `@derived` on a method. Each object has a derived variable of its own, made when it is first
    asked for; its function does not keep the object alive."""

    def __init__(self, method: Callable[[Any], Content_co], equals: Any, name: Optional[str]) -> None:
        self._method, self._equals, self._given, self._name = method, equals, name, ""
        self.__doc__ = getattr(method, "__doc__", None)

    def __set_name__(self, owner: type, name: str) -> None:
        # Lazy, for few programs declare attributes.
        from .._extras.attributes import copy_with_values

        self._name = name
        self._title = self._given or f"{owner.__qualname__}.{name}"
        copy_with_values(owner)

    @overload
    def __get__(self, owner: None, kind: Optional[type]) -> DerivedMethod[Content_co]: ...
    @overload
    def __get__(self, owner: object, kind: Optional[type]) -> Derived[Content_co]: ...
    def __get__(self, owner: Optional[object], kind: Optional[type]) -> Any:
        if owner is None:
            return self
        from .._extras.attributes import own_of

        own = own_of(owner)
        made = own.made.get(self._name)
        if made is None:
            # Another thread may have been faster.
            made = own.made.setdefault(self._name, self._make(owner))
        return made

    def __set__(self, owner: object, value: Any) -> NoReturn:
        raise AttributeError(f"{self._title} cannot be set: its method makes its value")

    def _make(self, owner: object) -> Derived[Content_co]:
        method, reference = self._method, ref(owner)

        def function() -> Any:
            present = reference()
            if present is None:
                raise ReferenceError(f"the object of {method.__qualname__} is gone")
            return method(present)

        function.__qualname__ = method.__qualname__
        return Derived(function, equals=self._equals, name=self._title)


if TYPE_CHECKING:
    from typing import Protocol

    class _Maker(Protocol):
        """`derived(equals=...)`."""

        @overload
        def __call__(self, function: Callable[[], Content], /) -> Derived[Content]: ...
        @overload
        def __call__(self, function: Callable[[Any], Content], /) -> DerivedMethod[Content]: ...


@overload
def derived(
    function: Callable[[], Content],
    *,
    equals: Optional[Callable[[Content, Content], object]] = None,
    name: Optional[str] = None,
) -> Derived[Content]: ...
@overload
def derived(
    function: Callable[[Any], Content],
    *,
    equals: Optional[Callable[[Content, Content], object]] = None,
    name: Optional[str] = None,
) -> DerivedMethod[Content]: ...
@overload
def derived(*, equals: Optional[Callable[[Any, Any], object]] = None, name: Optional[str] = None) -> _Maker: ...
def derived(
    function: Any = None, *, equals: Optional[Callable[[Any, Any], object]] = None, name: Optional[str] = None
) -> Any:
    """Makes a variable that has the value of a function over other variables: those that it reads when it runs.

    >>> from swiftobserver import Var, derived
    >>> width, height = Var(2), Var(3)
    >>> area = derived(lambda: width.value * height.value)
    >>> area.value
    6
    >>> observation = area.observe(print)
    >>> width.value = 5
    Update(old=6, new=15)

    It is observed, mapped, combined, awaited and drawn as any variable; setting it raises `AttributeError`. It keeps
    alive what it has read, and nothing that it has read keeps it.

    The function sees all that it reads as of one moment, whatever other threads set meanwhile. While it is not observed
    it runs when the value is read and something that it has read has changed; while it is observed, once after each
    change, before the outermost set returns. It runs on the thread that reads or sets, maybe on two at once or once
    more; it takes no arguments, and must not set anything, which raises `ComputingError`. What it raises is raised
    where the value is read, until something that it has read changes; one that needs its own value raises `CycleError`.

    Values that are the same, as for `Var`, are no change; if `equals(old, new)` is given, it decides instead.

    On a method, as a decorator, it gives each object a derived variable of its own, which does not keep the object
    alive:

    >>> class Rectangle:
    ...     width, height = Var.attribute(2), Var.attribute(3)
    ...     @derived
    ...     def area(self) -> int:
    ...         return self.width.value * self.height.value
    >>> rectangle = Rectangle()
    >>> rectangle.area.value
    6
    """
    if function is None:
        return lambda function: derived(function, equals=equals, name=name)
    if _is_method(function):
        return DerivedMethod(function, equals, name)
    return Derived(function, equals=equals, name=name)


def _is_method(function: Any) -> bool:
    """Whether a function takes the object of a class."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__self__"):
        return False
    return bool(code.co_argcount - len(function.__defaults__ or ()) == 1)

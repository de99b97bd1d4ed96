# SPDX-License-Identifier: MIT
"""The upstream of observables, from which they are made. Here those that the library maps and filters for.

    source <--kept alive-- upstream <-- observable, made by an operator (_operators/methods.py)
                              |
                              +--> function that is applied, and its state

The state of an operator needs no lock: calls never overlap.
"""

from __future__ import annotations

from ctypes import addressof, byref, c_void_p, memmove, sizeof
from weakref import ref

from .._core.failures import add_briefly, check, dropped, failed
from .._core.parts import AnyObservable, AnyObservation
from .._core.sending import pass_on
from .._library import declarations as library
from .._library.declarations import Value
from .._library.environment import lasting
from .._library.inspection import caller, name_of, place_of, require_arguments, require_one_argument
from .._library.ownership import Context, Contexts, destroy
from .._library.typing import Any, Callable, List, Optional, Tuple
from .._values.encoding import Update, decode, message_at
from .._values.sameness import Key, same

Predicate = Callable[[Any], bool]

_NOTHING: Any = object()


class Moving:
    """Messages that were on their way when something was recalled: what they tell is in that already."""

    __slots__ = ("_messages",)

    def __init__(self) -> None:
        # By id.
        self._messages: dict[int, Any] = {}

    def add(self, message: Any) -> None:
        """One that is there."""
        if message is not None:
            self._messages[id(message)] = message

    def messages(self) -> List[Any]:
        """All that are there."""
        return list(self._messages.values())

    def __call__(self, message: Any) -> bool:
        if message is None or id(message) in self._messages:
            return message is not None
        # They come in order: after a new one comes no old one.
        self._messages.clear()
        return False


# Called in the moment in which something is recalled; and whether what stands for a message is older than that.
Told = Callable[[Moving], None]
IsOld = Callable[[Any], bool]


class Upstream:
    """Where an observable has its messages from. This one: from nothing but those who send to it."""

    # What to call the observable in a graph, where the library does not know.
    kind: Optional[str] = None
    # Whether an observation keeps the observable, which the program may have made for that observation alone.
    is_kept = False
    # Whether the library does not know the latest message, even where C code can reach the observable.
    is_known_here_alone = False
    # Those with which Python observes the sources.
    observations: Tuple[AnyObservation, ...] = ()

    def sources(self) -> Tuple[AnyObservable, ...]:
        """The observables that the observable is made from, directly."""
        return ()

    def begin(self, observable: AnyObservable) -> None:
        """Called with the observable that has just been made."""

    def latest(self, observable: AnyObservable) -> Any:
        """The latest message. `TypeError` where there is none."""
        return observable._store.latest(observable)

    def knows_latest(self, observable: AnyObservable) -> bool:
        """Whether there is one. No function of the program's is called."""
        return observable._store.knows_latest(observable)  # type: ignore[no-any-return]

    def delivered(self, observable: AnyObservable) -> Any:
        """Stands for the message that this thread is delivering, in a chain of those made one from another; None
        where nothing does."""
        return observable._store.now(observable)

    def remembers(self, observable: AnyObservable) -> bool:
        """Whether messages can be replayed. No function of the program's is called."""
        return self.knows_latest(observable)

    def recall(self, observable: AnyObservable, count: int, told: Told) -> Tuple[List[Tuple[Any, Any]], IsOld]:
        """The last messages with their authors, and what is older than that; see _values/replay.py."""
        message, is_old = self.recall_latest(observable, told)
        return [(message, observable)], is_old

    def recall_latest(self, observable: AnyObservable, told: Told) -> Tuple[Any, IsOld]:
        """The same for the latest message."""
        return observable._store.recall_latest(observable, told)  # type: ignore[no-any-return]

    def send_again(self, observable: AnyObservable, message: Any, author: Any) -> None:
        """Sends the latest message to all that observe."""
        pass_on(observable, message, author)

    def between(self, observable: AnyObservable, action: Callable[[], None]) -> None:
        """Calls a function between two messages, or amid one that is being delivered: what is sent meanwhile follows
        it, as what a handler sends follows the message in hand (law 3)."""
        observable._store.between(observable, action)


# Without a state of its own, so one serves all.
NOTHING_UPSTREAM = Upstream()


def known_to_library(observable: AnyObservable) -> bool:
    """Whether the library knows the latest message."""
    value = Value()
    status = library.latest(observable._address, addressof(value))
    library.value_clear(addressof(value))
    return bool(status != library.WRONG_KIND)


def latest_in_library(observable: AnyObservable) -> Any:
    """The latest message as the library knows it. `TypeError` where there is none."""
    value = Value()
    status = library.latest(observable._address, addressof(value))
    if status == library.WRONG_KIND:
        raise TypeError(no_latest_message(observable))
    check(status, type(observable).__name__)
    try:
        return decode(value)
    finally:
        library.value_clear(addressof(value))


def no_latest_message(observable: AnyObservable) -> str:
    """The sentence about an observable that remembers nothing."""
    return f"{type(observable).__name__} has no latest message: variables and caches have, and what is mapped from them"


class Transform(Upstream):
    """A transform of the library's: it applies a function to each message of one source, or does so itself."""

    is_kept = True

    def __init__(self, kind: str, source: AnyObservable, address: int, contexts: Contexts) -> None:
        self.kind = kind
        self._source = source
        self.address, self.contexts = address, contexts
        # What makes the latest message from that of the source, where that can be.
        self.mapper: Optional[Callable[[Any], Any]] = None

    def sources(self) -> Tuple[AnyObservable, ...]:
        return (self._source,)

    def latest(self, observable: AnyObservable) -> Any:
        root, mappers = root_of(observable)
        if root is observable:
            return super().latest(observable)
        return map_all(root.latest_message, mappers)

    def knows_latest(self, observable: AnyObservable) -> bool:
        root, _ = root_of(observable)
        if root is observable:
            return super().knows_latest(observable)
        return root._knows_latest()

    def delivered(self, observable: AnyObservable) -> Any:
        root, _ = root_of(observable)
        return None if root is observable else root._upstream.delivered(root)

    def recall_latest(self, observable: AnyObservable, told: Told) -> Tuple[Any, IsOld]:
        root, mappers = root_of(observable)
        if root is observable:
            return super().recall_latest(observable, told)
        message, is_old = root._upstream.recall_latest(root, told)
        return map_all(message, mappers), is_old


def root_of(observable: AnyObservable) -> Tuple[AnyObservable, List[Callable[[Any], Any]]]:
    """The observable from which this one is mapped in the end, and the mappers, the last one first."""
    # A loop, because a chain may be longer than Python can recurse.
    mappers = []
    while type(upstream := observable._upstream) is Transform and upstream.mapper is not None:
        mappers.append(upstream.mapper)
        observable = upstream._source
    return observable, mappers


def map_all(message: Any, mappers: List[Callable[[Any], Any]]) -> Any:
    for mapper in reversed(mappers):
        message = mapper(message)
    return message


class _Step(Context):
    """A function that a transform applies."""

    __slots__ = ("_function", "_role", "_source", "_encode", "_spot", "_result")

    def __init__(self, function: Any, role: str, source: AnyObservable) -> None:
        self._function = function
        self._role = role
        self._source = ref(source)
        self._encode = source._store.calls.encode
        self._spot = caller()
        self._result: Any = None

    def _leave(self) -> None:
        self._function = self._result = None

    def _failed(self, exception: BaseException) -> None:
        if self._function is None:
            # On PyPy: its transform is gone, and the library does not know yet.
            dropped()
            return
        try:
            failed(exception, self._role, name_of(self._function), self._source, place_of(self._spot))
        except RecursionError:
            add_briefly(self._source, self._role, exception)


def mapped(source: AnyObservable, mapper: Any, kind: str = "map") -> Transform:
    """Applies a mapper, for `map`."""
    transform = _applying(kind, mapper, "mapper", source, library.map, _on_map)
    transform.mapper = mapper
    return transform


def filtered(source: AnyObservable, predicate: Any, kind: str = "filter") -> Transform:
    """Applies a predicate, for `filter`."""
    return _applying(kind, predicate, "predicate", source, library.filter, _on_filter)


def trying(mapper: Any, retry: int, catching: Optional[Callable[[Exception], Any]]) -> Callable[[Any], Any]:
    """A mapper that is called again where it fails, and whose last failure becomes a message."""
    require_one_argument(mapper, "mapper")
    counted(retry, "retry")
    if catching is not None:
        require_one_argument(catching, "catching")

    def map_trying(message: Any) -> Any:
        for _ in range(retry):
            try:
                return mapper(message)
            except Exception:
                # Once more.
                continue
        try:
            return mapper(message)
        except Exception as error:
            if catching is None:
                raise
            return catching(error)

    map_trying.__qualname__ = name_of(mapper)
    return map_trying


def seeing(source: AnyObservable, see: Any) -> Transform:
    """Passes on what a function has seen, for `handle_events` and `print`."""
    require_one_argument(see, "see")

    def look(message: Any) -> bool:
        see(message)
        return True

    look.__qualname__ = name_of(see)
    return filtered(source, look, "handle_events")


def only_new(source: AnyObservable) -> Transform:
    """Passes on new values, for `new`."""
    if not source._store.calls.HAS_VALUES:
        return mapped(source, _new_of, "new")
    transform = made_by_library("new", source, library.new_values)
    transform.mapper = _new_of
    return transform


def made_by_library(kind: str, source: AnyObservable, make: Callable[..., int], *arguments: Any) -> Transform:
    """A transform of the library's without a function of Python's."""
    address = c_void_p()
    check(make(source._address, *arguments, byref(address)), type(source).__name__)
    assert address.value
    return Transform(kind, source, address.value, {})


def _new_of(message: Any) -> Any:
    return message.new if type(message) is Update else message


def _applying(
    kind: str, function: Any, role: str, source: AnyObservable, make: Callable[..., int], callback: Any
) -> Transform:
    require_one_argument(function, role)
    step = _Step(function, role, source)
    contexts: Contexts = {}
    step._enter(contexts)
    source._goes_through_callbacks()
    address = c_void_p()
    check(make(source._address, callback, step, destroy, byref(address)), type(source).__name__)
    assert address.value
    return Transform(kind, source, address.value, contexts)


def _map(step: _Step, message: int, out: int) -> int:
    try:
        result = step._function(message_at(message))
        value = step._encode(result)
    except BaseException as error:
        step._failed(error)
        return library.CALLBACK_FAILED
    # What `out` points at is borrowed until the next call.
    step._result = (value, result)
    memmove(out, addressof(value), sizeof(Value))
    return library.OK


def _accept(step: _Step, message: int) -> bool:
    try:
        return bool(step._function(message_at(message)))
    except BaseException as error:
        step._failed(error)
        return False


_on_map = lasting(library.MAPPER(_map))
_on_filter = lasting(library.PREDICATE(_accept))


def is_not_none(message: Any) -> bool:
    """Of `unwrap`."""
    return message is not None


def replacing_none(default: Any) -> Callable[[Any], Any]:
    """Of `unwrap` with a default."""
    return lambda message: default if message is None else message


def equals(selected: Any) -> Predicate:
    """Of `select`."""
    return lambda message: same(message, selected)


def counted(count: int, parameter: str = "count") -> int:
    """A number of messages, or `TypeError` or `ValueError`."""
    if type(count) is not int:
        raise TypeError(f"{parameter} must be an int, not {type(count).__name__}")
    if count < 0:
        raise ValueError(f"{parameter} must not be negative: {count}")
    return count


def is_among_the_first(count: int) -> Predicate:
    """Of `take`."""
    remaining = counted(count)

    def take(message: Any) -> bool:
        nonlocal remaining
        if remaining == 0:
            return False
        remaining -= 1
        return True

    return take


def is_beyond_the_first(count: int) -> Predicate:
    """Of `skip`."""
    take = is_among_the_first(count)
    return lambda message: not take(message)


def is_no_repeat() -> Predicate:
    """Of `skip_repeats`."""
    previous = _NOTHING

    def skip_repeats(message: Any) -> bool:
        nonlocal previous
        before, previous = previous, message
        return before is _NOTHING or not same(before, message)

    return skip_repeats


def is_unique() -> Predicate:
    """Of `unique_values`."""
    seen: set[Key] = set()

    def unique_values(message: Any) -> bool:
        one = Key(message)
        if one in seen:
            return False
        seen.add(one)
        return True

    return unique_values


def pairing_with_previous() -> Callable[[Any], Tuple[Any, Any]]:
    """Of `with_previous`."""
    previous: Any = None

    def with_previous(message: Any) -> Tuple[Any, Any]:
        nonlocal previous
        before, previous = previous, message
        return before, message

    return with_previous


def adding_up(initial: Any, accumulate: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """Of `scan`."""
    require_arguments(accumulate, 2, "accumulate")
    value = initial

    def scan(message: Any) -> Any:
        nonlocal value
        value = accumulate(value, message)
        return value

    scan.__qualname__ = name_of(accumulate)
    return scan


def is_before_another(predicate: Callable[[Any], object]) -> Predicate:
    """Of `take_while`."""
    require_one_argument(predicate, "predicate")
    is_over = False

    def take_while(message: Any) -> bool:
        nonlocal is_over
        is_over = is_over or not predicate(message)
        return not is_over

    take_while.__qualname__ = name_of(predicate)
    return take_while


def is_from_another_on(predicate: Callable[[Any], object]) -> Predicate:
    """Of `skip_while`."""
    take_while = is_before_another(predicate)

    def skip_while(message: Any) -> bool:
        return not take_while(message)

    skip_while.__qualname__ = name_of(predicate)
    return skip_while


def is_the_first(predicate: Callable[[Any], object]) -> Predicate:
    """Of `first`."""
    require_one_argument(predicate, "predicate")
    is_found = False

    def first(message: Any) -> bool:
        nonlocal is_found
        if is_found or not predicate(message):
            return False
        is_found = True
        return True

    first.__qualname__ = name_of(predicate)
    return first

# SPDX-License-Identifier: MIT
"""A value that the library holds, so that C code can read and set it, too.

    variable --contexts--> box --> object that may refer to the variable
        |                   ^
        +--> the library's variable +... counted here, not by Python

If the library owned the object itself, the garbage collector would never collect a variable whose value refers back to
it.
"""

from __future__ import annotations

from ctypes import addressof, byref, c_void_p, memmove, sizeof
from operator import methodcaller

from .._core.authors import ITSELF, forget, pending_authors
from .._core.failures import check, deliver, raise_pending
from .._core.observation import Options, begin
from .._core.stores import LibraryStore
from .._core.within import Stay
from .._library import declarations as library
from .._library.declarations import CALLBACK_FAILED, OK, ObjectType, Value
from .._library.environment import lasting
from .._library.ownership import Context, Contexts, end
from .._library.threads import batches
from .._library.typing import Any, Callable, List, cast
from .encoding import decode, decoders, encode, equal, is_reference, plain
from .moments import deliver as deliver_turns
from .moments import delivering, frame_here, lock, outside, require_settable, running
from .sameness import same


class LibraryValue(LibraryStore):
    """The value of a variable, or of a deferred one."""

    __slots__ = ("_is_deferred", "_assignments", "_address", "_follower", "_batches")

    def __init__(self, is_deferred: bool = False, address: int = 0) -> None:
        self._is_deferred = is_deferred
        # Of the variable, until that ends.
        self._address = address
        # Of a deferred one, an entry for each assignment that may wait for its turn.
        self._assignments: List[None] = []
        # A variable of Python's with the same value, by which functions read it, once one does.
        self._follower: Any = None
        # Those that are in progress.
        self._batches: List[Stay] = []

    def make(self, content: Any, contexts: Contexts) -> int:
        """The address of a new variable."""
        new = library.deferred_variable_new if self._is_deferred else library.variable_new
        address = c_void_p()
        held = hold(content, contexts)
        try:
            check(new(addressof(held), byref(address)), "value")
        finally:
            let_go(held)
        assert address.value
        self._address = address.value
        return address.value

    # ---- the value ----

    @property
    def held(self) -> Any:
        """The present value."""
        return value_at(self._address, "Var")

    def read(self, variable: Any) -> Any:
        """The same, for who has the variable."""
        return value_at(variable._address, type(variable).__name__)

    def join(self, variable: Any) -> Any:
        """Refuses to take part in what a transaction changes."""
        raise TypeError(
            f"{variable._title()} cannot be set in a transaction, for C code reads and sets it at any moment"
        )

    def exchange(self, variable: Any, value: Any, author: Any) -> None:
        """Sets the value, and sends an update if it changes."""
        if running:
            require_settable(self, variable, value, author)
        if variable._is_plain:
            value = plain(value)
        # The library would take each nan for another. Where assignments take their turn, only the last one tells.
        if _is_nan(value) and not self._assignments and _is_nan(self.read(variable)):
            return
        held = hold(value, variable._contexts)
        if self._is_deferred:
            self._assignments.append(None)
        try:
            call = variable._handing_over(
                library.variable_set, lambda: outside(lambda: variable.set(value, author=author))
            )
            deliver(call, variable, addressof(held), author)
        finally:
            if self._is_deferred:
                self._assignments.pop()
            let_go(held)
        if self._follower is not None:
            self._follow_own(variable)

    def update(self, variable: Any, function: Callable[[Any], Any], author: Any) -> Any:
        """`Var.update`."""
        if running:
            require_settable(self, variable, None, author)
        updating = _Updating(function, variable._contexts, variable._is_plain)
        try:
            deliver(updating.run, variable, 0, author)
        except RuntimeError:
            if updating.exception is None and not updating.changes_nothing:
                raise
        except BaseException:
            if updating.exception is None:
                raise
        finally:
            updating.let_go()
        if updating.exception is not None:
            try:
                raise updating.exception
            finally:
                # The exception knows this frame, which must not know it.
                del updating
        if self._follower is not None:
            self._follow_own(variable)
        return updating.result

    def has_replaced(self, variable: Any, value: Any) -> bool:
        """Whether a validator has made another value of one that was set."""
        return False

    # ---- functions that read ----

    def read_in(self, variable: Any, frame: Any) -> Any:
        """The value in a function. C code may set this one at any moment, so that is what its follower has."""
        if self._follower is None:
            outside(self._begin_to_follow, variable)
        return self._follower._store.read_in(variable, frame)

    def _begin_to_follow(self, variable: Any) -> None:
        reference, follower = variable._reference, variable._local()

        def come_later(update: Any) -> None:
            followed = reference()
            # Before it follows it has not been read.
            if followed is not None and self._follower is follower:
                # A replay comes when the update has been offered to all: so do effects (law 34).
                begin(followed, None, take_turn, Options(once=True, replay=1))

        def take_turn(update: Any) -> None:
            followed = reference()
            # Else another update is on its way, and the turn comes with that.
            if followed is not None and same(update.new, self.read(followed)):
                outside(self._follow, followed)

        observation = begin(variable, None, come_later)
        with lock:
            is_first = self._follower is None
            if is_first:
                self._follower = follower
        if is_first:
            self._catch_up(variable)
        else:
            observation.stop()

    def _follow(self, variable: Any) -> None:
        if deliver_turns(self._catch_up, variable):
            raise_pending(variable, CALLBACK_FAILED)

    def _follow_own(self, variable: Any) -> None:
        """What this thread has set it sees (law 27); the turn comes with the update, if there is one."""
        if variable.is_blocked or self._batches:
            outside(self._follow, variable)
        else:
            outside(delivering, self._catch_up, variable)
        frame = frame_here()
        if frame is not None:
            frame.has_set()

    def _catch_up(self, variable: Any) -> None:
        while self._address:
            value = self._follower.update(lambda _: self.read(variable))
            # Unless it has changed once more, and the update was there first.
            if same(value, self.read(variable)):
                break

    # ---- copies ----

    def options(self) -> dict[str, Any]:
        """With what a variable of this kind is made."""
        return {"native": True, "deferred": self._is_deferred}

    def rules(self) -> Any:
        """The part that a copy has of this, beside the value."""
        return None

    def restore(self, variable: Any, value: Any, rules: Any) -> None:
        """Gives a copy its value and its rules."""
        variable.value = value

    # ---- batches ----

    def begin_batch(self, variable: Any, stay: Stay) -> None:
        """Begins to keep updates back."""
        # The author of the last change is named when the batch ends, and kept until then.
        self._batches.append(stay)
        batches.append(stay)
        check(stay.call(library.variable_begin_batch, variable._address), type(variable).__name__)

    def end_batch(self, variable: Any, stay: Stay) -> None:
        """Sends one for all."""
        try:
            if stay.notes == [OK]:
                end = _without_author(lambda address: stay.call(library.variable_end_batch, address))
                deliver(end, variable, 0, ITSELF)
        finally:
            _remove(stay, batches)
            _remove(stay, self._batches)
            if pending_authors:
                forget()

    def lacks_batch(self, variable: Any) -> None:
        """Called when a batch ends that has not begun, unless C code has begun it."""
        deliver(_without_author(library.variable_end_batch), variable, 0, ITSELF)

    def end(self) -> None:
        self._address = 0
        for each in self._batches:
            _remove(each, batches)


def value_at(address: int, parameter: str) -> Any:
    """The present value of a variable. `TypeError` if it is none."""
    value = Value()
    check(library.variable_get(address, addressof(value)), parameter)
    try:
        return decode(value)
    finally:
        if value.owned:
            library.value_clear(addressof(value))


def _is_nan(content: Any) -> bool:
    return type(content) is float and content != content


def _without_author(call: Callable[[int], int]) -> Callable[..., int]:
    return lambda address, value, author: call(address)


def _remove(thing: Any, things: List[Any]) -> None:
    if thing in things:
        things.remove(thing)


class _Updating:
    """One call of `Var.update`."""

    __slots__ = (
        *("function", "contexts", "is_plain", "result", "exception", "changes_nothing", "held"),
        "__weakref__",
    )

    def __init__(self, function: Callable[[Any], Any], contexts: Contexts, is_plain: bool) -> None:
        self.function = function
        self.contexts = contexts
        self.is_plain = is_plain
        self.result: Any = None
        self.exception: BaseException | None = None
        self.changes_nothing = False
        self.held: Value | None = None

    def run(self, variable: int, value: int, author: int | None) -> int:
        """`swo_variable_update` in the shape of `swo_variable_set`."""
        return cast(int, library.variable_update(variable, _on_update, self, author))

    def let_go(self) -> None:
        """Lets go of the last result. What `out` points at is borrowed until the next call, or the end."""
        held, self.held = self.held, None
        if held is not None:
            let_go(held)


def _update(updating: _Updating, old: int, out: int) -> int:
    updating.let_go()
    try:
        before = decode(Value.from_address(old))
        result = updating.function(before)
        if updating.is_plain:
            result = plain(result)
        updating.changes_nothing = _is_nan(before) and _is_nan(result)
        held = updating.held = hold(result, updating.contexts)
    except BaseException as error:
        updating.exception = error
        return library.CALLBACK_FAILED
    updating.result = result
    if updating.changes_nothing:
        return library.CALLBACK_FAILED
    memmove(out, addressof(held), sizeof(Value))
    return library.OK


_on_update = lasting(library.UPDATER(_update))


class _CountedBox(Context):
    """An object, and how many references to it the library has."""

    __slots__ = ("content", "uses", "use")

    def __init__(self, content: Any) -> None:
        self.content = content
        # A list, because its append and pop are atomic.
        self.uses: list[None] = []
        self.use = self.uses.append

    def _leave(self) -> None:
        self.content = None


def hold(content: Any, contexts: Contexts) -> Value:
    """A value for a variable with these contexts. End it with `let_go`."""
    value = encode(content, False)
    if is_reference(value):
        box = _CountedBox(content)
        box._enter(contexts)
        box.use(None)
        value.box = value.context = box
        value.type = _type_address
    return value


def let_go(value: Value) -> None:
    """Leaves a value to the library, or frees it if the library has not retained it."""
    box = getattr(value, "box", None)
    if box is not None:
        _release(box)


def _content(value: Value) -> Any:
    return value.context.content


# Without Python code, as a KeyboardInterrupt at its first instruction would leave a use uncounted.
_retain = methodcaller("use", None)


def _release(box: _CountedBox) -> None:
    box.uses.pop()
    if not box.uses:
        end(box)


def _equal(one: _CountedBox, other: _CountedBox) -> bool:
    return equal(one.content, other.content)


_type = lasting(
    ObjectType(sizeof(ObjectType), library.RETAIN(_retain), library.RELEASE(_release), library.EQUAL(_equal))
)
_type_address = addressof(_type)
decoders[_type_address] = _content

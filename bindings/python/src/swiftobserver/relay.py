# SPDX-License-Identifier: MIT
"""Observables beyond this process: over MQTT, between programs and machines, and over D-Bus on one.

    relay = Relay("mqtt://localhost", device="kitchen")
    relay.publish("climate/temperature", Var(20.5))

    light = relay.mirror("hall/ceiling/light", bool)
    light.observe(print)
    light.value = True                     # asks the program that has the light

A relay connects to a broker that exists, like mosquitto, and connects again whenever the connection is lost. A mirror
is an ordinary variable or messenger, whose handlers run on a thread of the relay's. Of a variable the latest value
counts; once both sides are connected and it is quiet, each mirror has the last one. What a relay keeps, and how topics
and values look on the way, is told in `swiftobserver/relay.h`. It takes libswiftobserver-relay.so.0, which the wheels
for glibc 2.34 and Debian's libswiftobserver-relay0 have, and for MQTT libmosquitto.so.1, of Debian's libmosquitto1, for
D-Bus libsystemd.so.0.

`python -m swiftobserver.relay watch` shows what devices publish, live; with `kitchen`, what that device does. `get`,
`set` and `remove` read a value, ask for another one, and take a device away for good.
"""

from __future__ import annotations

import atexit
import os
import re
import sys
import warnings
from ctypes import (
    CDLL,
    POINTER,
    Structure,
    addressof,
    byref,
    c_bool,
    c_char_p,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
)
from typing import Any, NamedTuple, Optional, Sequence, Union
from weakref import WeakSet

from ._core.failures import check
from ._core.messenger import Messenger
from ._extras.bridging import Bridge
from ._library import declarations as library
from ._library.environment import reason_of, refuse
from ._operators.methods import Observable
from ._values.var import Var

__all__ = ["Counts", "Relay"]

SONAME = "libswiftobserver-relay.so.0"
VARIABLE = "SWIFTOBSERVER_RELAY_LIBRARY"
# A name as `publish` takes it.
_PUBLISHED = re.compile(r"[a-z0-9-]{1,128}/[a-z0-9-]{1,128}")
KINDS = {bool: library.KIND_BOOL, int: library.KIND_INT64, float: library.KIND_DOUBLE, str: library.KIND_TEXT}


class _Options(Structure):
    _fields_ = [
        ("size", c_size_t),
        *((name, c_char_p) for name in ("address", "device", "title", "user", "password")),
        *((name, c_char_p) for name in ("ca_file", "certificate_file", "key_file")),
        ("largest_payload", c_size_t),
        *((name, c_uint32) for name in ("first_retry", "last_retry", "keep_alive")),
        ("discovery", c_char_p),
        *((name, c_uint32) for name in ("request_timeout", "stale_after")),
    ]


class _Property(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("settable", c_bool),
        *((name, c_char_p) for name in ("title", "unit", "format")),
    ]


class _Counts(Structure):
    _fields_ = [
        ("size", c_size_t),
        *((name, c_uint64) for name in ("sent", "received", "dropped", "lost", "connections")),
    ]


_FUNCTIONS: dict[str, Any] = {
    "new": (c_int32, c_void_p, POINTER(c_void_p)),
    "options_problem": (c_char_p, c_void_p),
    "release": (None, c_void_p),
    "state": (c_void_p, c_void_p),
    "is_ready": (c_bool, c_void_p),
    "count": (c_int32, c_void_p, c_void_p),
    "publish": (c_int32, c_void_p, c_char_p, c_void_p, c_int32, c_bool),
    "publish_with": (c_int32, c_void_p, c_char_p, c_void_p, c_int32, c_void_p),
    "alert": (c_int32, c_void_p, c_char_p, c_char_p),
    "sleep": (c_int32, c_void_p, c_bool),
    "withdraw": (c_int32, c_void_p, c_char_p),
    "remove": (c_int32, c_void_p, c_char_p),
    "mirror": (c_int32, c_void_p, c_char_p, c_int32, POINTER(c_void_p)),
    "mirror_messenger": (c_int32, c_void_p, c_char_p, c_int32, POINTER(c_void_p)),
    "is_pending": (c_bool, c_void_p, c_char_p),
    "unconfirmed": (c_int32, c_void_p, c_char_p, POINTER(c_uint64)),
    "forget": (c_int32, c_void_p, c_char_p),
    "watch": (c_int32, c_void_p, c_char_p, POINTER(c_void_p)),
}


def _load() -> Any:
    """The functions, with the interpreter lock let go while they run: they may wait for handlers."""
    named = os.environ.get(VARIABLE)
    beside = os.path.join(os.path.dirname(os.path.realpath(library.LIBRARY._name)), SONAME)
    failures = []
    for path in [named] if named else [beside, SONAME]:
        try:
            loaded = CDLL(path)
        except OSError as error:
            failures.append(f"{path}: {reason_of(error, path)}")
            continue
        for name, (result, *parameters) in _FUNCTIONS.items():
            try:
                function = getattr(loaded, "swo_relay_" + name)
            except AttributeError:
                refuse(f"{path} does not serve this package: it has no function swo_relay_{name}", path)
            function.restype, function.argtypes = result, parameters
        return loaded
    refuse(
        "\n  ".join(["the library of relays was not found; tried", *failures])
        + f"\n{SONAME} comes with the wheels for glibc 2.34 and with Debian's libswiftobserver-relay0; "
        + f"`make relay` builds it, and {VARIABLE} may name it."
    )


_LIBRARY = _load()


class Counts(NamedTuple):
    """How many messages went which way since a relay was made."""

    sent: int
    received: int
    #: Not let through: no value of the type, too large, refused, sent without a connection.
    dropped: int
    #: Sent by others, and dropped by the broker.
    lost: int
    #: How often the broker let the relay in.
    connections: int


def _text(text: Any, parameter: str) -> Optional[bytes]:
    if text is None:
        return None
    if not isinstance(text, (str, os.PathLike)):
        raise TypeError(f"{parameter} must be a str, not {type(text).__name__}")
    # Not by the error that UTF-8 makes of such a text: it has all of it, and this may be a password.
    if isinstance(text, str) and any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{parameter} must be text that UTF-8 can hold")
    encoded = text.encode() if isinstance(text, str) else os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError(f"{parameter} must not have a zero in it")
    return encoded


def _number(number: Any, parameter: str, least: int, most: int) -> int:
    try:
        whole = number.__index__()
    except AttributeError:
        raise TypeError(f"{parameter} must be an int, not {number!r}") from None
    if not least <= whole <= most:
        raise ValueError(f"{parameter} must be {least} to {most}, not {number!r}")
    return int(whole)


def _milliseconds(seconds: Any, parameter: str) -> int:
    try:
        number = float(seconds)
    except (TypeError, ValueError):
        raise TypeError(f"{parameter} must be a number of seconds, not {seconds!r}") from None
    if not 0 < number <= 2147483:
        raise ValueError(f"{parameter} must be more than 0 and at most 2147483 seconds, not {seconds!r}")
    return max(1, int(number * 1000))


def _kind(type_: Any) -> int:
    for each, kind in KINDS.items():
        if isinstance(type_, type) and issubclass(type_, each):
            return kind
    raise TypeError(f"type must be bool, int, float or str, or a subclass, not {type_!r}")


class Relay:
    """A connection to a broker, and what goes over it. It ends with its `with` block, `close()`, or the program.

    `address` is `mqtt://host:port`, or `mqtts://host:port` encrypted; `dbus:session`, `dbus:system`, or `dbus:` and
    the address of a bus; or `memory:name`: a broker inside this process, for tests. `device` names this program in
    what it publishes: small letters, digits and hyphens. Times are in seconds.
    What a mirror is set to has `request_timeout` to be answered by its owner. A mirror becomes None once it has been
    unconfirmed for `stale_after`.
    Home Assistant is told of the device where it looks for some: `discovery`, "homeassistant" ordinarily.
    """

    # What `__del__` finds where there was no more.
    _pointer: Optional[int] = None

    def __init__(
        self,
        address: str,
        device: Optional[str] = None,
        *,
        title: Optional[str] = None,
        user: Optional[str] = None,
        password: Optional[str] = None,
        ca_file: Union[str, os.PathLike[str], None] = None,
        certificate_file: Union[str, os.PathLike[str], None] = None,
        key_file: Union[str, os.PathLike[str], None] = None,
        largest_payload: int = 65536,
        first_retry: float = 1,
        last_retry: float = 60,
        keep_alive: int = 10,
        discovery: Optional[str] = None,
        request_timeout: float = 10,
        stale_after: Optional[float] = None,
    ) -> None:
        # What it publishes and mirrors.
        self._names: dict[str, None] = {}
        self._bridges: dict[str, Bridge] = {}
        options = _Options(sizeof(_Options))
        texts = {
            "address": address,
            "device": device,
            "title": title,
            "user": user,
            "password": password,
            "ca_file": ca_file,
            "certificate_file": certificate_file,
            "key_file": key_file,
            "discovery": discovery,
        }
        for name, text in texts.items():
            setattr(options, name, _text(text, name))
        options.largest_payload = _number(largest_payload, "largest_payload", 1, 1 << 28)
        options.first_retry = _milliseconds(first_retry, "first_retry")
        options.last_retry = _milliseconds(last_retry, "last_retry")
        options.keep_alive = _number(keep_alive, "keep_alive", 5, 65535)
        options.request_timeout = _milliseconds(request_timeout, "request_timeout")
        options.stale_after = 0 if stale_after is None else _milliseconds(stale_after, "stale_after")
        problem = _LIBRARY.swo_relay_options_problem(addressof(options))
        if problem is not None:
            sentence = problem.decode()
            given = {"device": device, "title": title, "discovery": discovery}.get(sentence.split()[0])
            # An address is not shown: it may have a password in it.
            raise ValueError(sentence if given is None else f"{sentence}, not {given!r}")
        pointer = c_void_p()
        status = _LIBRARY.swo_relay_new(addressof(options), byref(pointer))
        check(status)
        self._pointer = pointer.value
        self._process = os.getpid()
        self._device = device
        self._state: Var[str] = Var.adopt(_LIBRARY.swo_relay_state(self._pointer))
        _open.add(self)

    def close(self) -> None:
        """Sends what waits, says that the device is disconnected, and ends. Mirrors change no more."""
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            while self._bridges:
                self._bridges.popitem()[1].stop()
            _LIBRARY.swo_relay_release(pointer)

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._pointer is not None and self._names and self._process == os.getpid():
            named = ", ".join(self._names)
            warnings.warn(
                f"nothing keeps {self!r}, so it ends, and with it what it publishes and mirrors: {named}; "
                "keep the relay as long as that is to last, and close it",
                ResourceWarning,
                source=self,
                stacklevel=2,
            )
        self.close()

    def __repr__(self) -> str:
        return f"<Relay {self._state.value}>" if self._pointer is not None else "<Relay closed>"

    @property
    def state(self) -> Var[str]:
        """ "connecting", "ready", "lost: ..." with the reason, or "closed"; "ready: ..." says what did not cross."""
        return self._state

    @property
    def is_ready(self) -> bool:
        """Whether what is retained of all mirrors has come in, also of those made last, and all published is sent."""
        return self._pointer is not None and bool(_LIBRARY.swo_relay_is_ready(self._pointer))

    @property
    def counts(self) -> Counts:
        """How many messages went which way."""
        counts = _Counts(sizeof(_Counts))
        check(_LIBRARY.swo_relay_count(self._living(), addressof(counts)))
        return Counts(counts.sent, counts.received, counts.dropped, counts.lost, counts.connections)

    def publish(
        self,
        name: str,
        observable: Observable[Any],
        type: Optional[Any] = None,
        *,
        settable: bool = False,
        title: Optional[str] = None,
        unit: Optional[str] = None,
        format: Union[str, Sequence[str], None] = None,
    ) -> None:
        """Lets others observe something as `node/property` of the device.

        A variable, or what else has a `latest_message`, has a value, which the broker retains; any other sends events.
        `type` is that of the values: bool, int, float or str; without it, that of the present value. What is almost
        one, an enum, a scalar of numpy, a Decimal, a subclass, crosses as the one that it is. With `settable`, others
        may set it, which is then a `Var`; what its validator refuses is told to `threading.excepthook`, and they get
        back what it holds. It is kept until it is withdrawn, or the relay is closed.

        Others are told of a `title`, of a number's `unit`, and of the `format`: "0:100" or "0:100:5" of numbers, the
        texts that there are of texts, as in ("low", "high"), what people call false and true of booleans. What the
        format does not allow does not cross, in either direction.
        """
        if not isinstance(observable, Observable):
            raise TypeError(f"observable must be an Observable, not {observable!r}")
        if settable and not isinstance(observable, Var):
            raise TypeError(f"observable must be a Var if it is settable, not {observable!r}")
        bridge = observable._store.either(lambda: Bridge(observable, settable), lambda: None)
        native = observable if bridge is None else bridge.native
        if type is None:
            value = native.value if isinstance(native, Var) else _latest(native)
            if value is None:
                raise TypeError("type must be given: there is no present value to take it from")
            type = value.__class__
        about = _Property(sizeof(_Property), bool(settable))
        if format is not None and not isinstance(format, str):
            format = ",".join(format)
        about.title, about.unit, about.format = _text(title, "title"), _text(unit, "unit"), _text(format, "format")
        status = _LIBRARY.swo_relay_publish_with(
            self._living(), _text(name, "name"), native.pointer, _kind(type), addressof(about)
        )
        if (
            status == library.INVALID_ARGUMENT
            and format is not None
            and self._device is not None
            and _PUBLISHED.fullmatch(name)
        ):
            allowed = (
                'min:max or min:max:step, as in "0:100:5"' if type in (int, float) else "different texts, none empty"
            )
            raise ValueError(f"format must be {'two texts' if type is bool else allowed}, not {format!r}")
        if status == library.INVALID_ARGUMENT and _PUBLISHED.fullmatch(str(name)):
            raise ValueError(f"a relay without a device cannot publish {name!r}: Relay(..., device=...)")
        if status == library.INVALID_ARGUMENT:
            raise ValueError(f"name must be node/property, of small letters, digits and hyphens, not {name!r}")
        if status == library.NOT_FOUND:
            raise ValueError(f"something is published as {name!r} already")
        check(status)
        self._names[name] = None
        if bridge is not None:
            bridge.native.name = f"{self._device}/{name}"
            bridge.begin()
            self._bridges[name] = bridge

    def withdraw(self, name: str) -> None:
        """Ends what is published under a name. `KeyError` if nothing is."""
        self._end(_LIBRARY.swo_relay_withdraw, name)
        bridge = self._bridges.pop(name, None)
        if bridge is not None:
            bridge.stop()

    def alert(self, name: str, text: Optional[str]) -> None:
        """Raises an alert of the device, which people are to know of, as `$alert/name`; None takes it back."""
        status = _LIBRARY.swo_relay_alert(self._living(), _text(name, "name"), _text(text, "text"))
        if status == library.INVALID_ARGUMENT and self._device is None:
            raise ValueError("a relay without a device has no alerts: Relay(..., device=...)")
        if status == library.INVALID_ARGUMENT and text == "":
            raise ValueError("text must not be empty; None takes an alert back")
        if status == library.INVALID_ARGUMENT:
            raise ValueError(f"name must be made of small letters, digits and hyphens, not {name!r}")
        check(status)

    def sleep(self, sleeping: bool = True) -> None:
        """Says that the device sleeps, and so answers late, or that it does no more."""
        status = _LIBRARY.swo_relay_sleep(self._living(), bool(sleeping))
        if status == library.INVALID_ARGUMENT:
            raise ValueError("a relay without a device cannot sleep: Relay(..., device=...)")
        check(status)

    def remove(self, device: str) -> None:
        """Takes another device away for good: all that the broker retains of it. One that lives publishes it again."""
        status = _LIBRARY.swo_relay_remove(self._living(), _text(device, "device"))
        if status == library.INVALID_ARGUMENT:
            raise ValueError(f"device must be the name of another device, not {device!r}")
        check(status)

    def mirror(self, name: str, type: Any) -> Var[Any]:
        """A variable that holds what `device/node/property` holds, and None as long as that is not known.

        Setting it asks the owner, which decides: what it then has replaces what was set. Until then the request is
        pending. If it cannot be set, the broker refuses it, the owner is gone (one that says "init" is coming back) or
        does not answer in time, or there is no connection, the mirror becomes what it was, and the state says why.
        `device/$state` tells whether a device is "ready", "disconnected" or "lost".
        """
        variable: Var[Any] = self._mirrored(_LIBRARY.swo_relay_mirror, Var, name, type)
        return variable

    def mirror_messenger(self, name: str, type: Any) -> Messenger[Any]:
        """A messenger that sends what a messenger of another program sends."""
        messenger: Messenger[Any] = self._mirrored(_LIBRARY.swo_relay_mirror_messenger, Messenger, name, type)
        return messenger

    def is_pending(self, name: str) -> bool:
        """Whether what a mirror was set to waits for its owner to decide."""
        return bool(_LIBRARY.swo_relay_is_pending(self._living(), _text(name, "name")))

    def unconfirmed(self, name: str) -> Optional[float]:
        """For how many seconds nothing has said that the owner of a mirror has its value; None: the owner has it.

        It is unconfirmed while the device is "lost" or "disconnected", while this relay has no connection, and until it
        has received what is retained. `KeyError` if there is no such mirror.
        """
        milliseconds = c_uint64()
        status = _LIBRARY.swo_relay_unconfirmed(self._living(), _text(name, "name"), byref(milliseconds))
        if status == library.NOT_FOUND:
            raise KeyError(name)
        check(status)
        return milliseconds.value / 1000 if milliseconds.value else None

    def forget(self, name: str) -> None:
        """Ends a mirror. `KeyError` if there is none."""
        self._end(_LIBRARY.swo_relay_forget, name)

    def watch(self, filter: str) -> Messenger[str]:
        """A messenger that sends all messages of some topics while it is observed, each as "topic payload"."""
        pointer = c_void_p()
        status = _LIBRARY.swo_relay_watch(self._living(), _text(filter, "filter"), byref(pointer))
        if status == library.INVALID_ARGUMENT:
            raise ValueError(
                f"filter must be one of MQTT, where + stands for one level and # at the end for all, not {filter!r}"
            )
        check(status)
        messenger: Messenger[str] = _adopted(Messenger, pointer)
        return messenger

    def _mirrored(self, function: Any, kind: Any, name: str, type: Any) -> Any:
        pointer = c_void_p()
        status = function(self._living(), _text(name, "name"), _kind(type), byref(pointer))
        if status == library.INVALID_ARGUMENT:
            raise ValueError(f"name must be device/node/property, of small letters, digits and hyphens, not {name!r}")
        if status == library.WRONG_KIND:
            raise TypeError(f"{name!r} is mirrored as something else")
        check(status)
        self._names[name] = None
        return _adopted(kind, pointer)

    def _end(self, function: Any, name: str) -> None:
        status = function(self._living(), _text(name, "name"))
        if status == library.NOT_FOUND:
            raise KeyError(name)
        check(status)
        self._names.pop(name, None)

    def _living(self) -> int:
        if self._pointer is None:
            raise ValueError("this relay is closed")
        if self._process != os.getpid():
            raise ValueError("this relay is the parent process's, which has its connection: make one here")
        return self._pointer


def _latest(observable: Observable[Any]) -> Any:
    return observable.latest_message if observable._knows_latest() else None


def _adopted(kind: Any, pointer: c_void_p) -> Any:
    try:
        mirror = kind.adopt(pointer.value)
        # What is set or sent goes to other programs.
        mirror._is_plain = True
        return mirror
    finally:
        library.observable_release(pointer)


_open: WeakSet[Relay] = WeakSet()


@atexit.register
def _close_all() -> None:
    """Before the interpreter ends, which handlers on other threads need."""
    for relay in list(_open):
        relay.close()


if __name__ == "__main__":
    from ._extras.commands import main

    sys.exit(main(Relay))

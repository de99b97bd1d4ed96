# SPDX-License-Identifier: MIT
"""`python -m swiftobserver.relay`: watch, get, set, remove.

They exit with 0: done; 1: there is no such thing, or it was refused; 2: used wrongly; 3: no broker was reached in time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import threading
import time
from typing import Any, Callable, Dict, Optional

from .watching import NAME, Shown, filter_of

DONE, NO, MISUSED, UNREACHED = range(4)
DEVICE, PROPERTY = re.compile(r"[a-z0-9-]+"), re.compile(r"[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+")
TYPES: Dict[Any, Any] = {"boolean": bool, "integer": int, "float": float}
# A description may be large.
LARGEST = 1 << 24


def main(make_relay: Any) -> int:
    """Runs the command that is asked for. `make_relay` is the class, which imports this."""
    arguments = _parsed()
    connection = {
        "user": arguments.user,
        "password": os.environ.get("SWIFTOBSERVER_RELAY_PASSWORD"),
        "ca_file": arguments.ca_file,
        "certificate_file": arguments.certificate_file,
        "key_file": arguments.key_file,
        "largest_payload": LARGEST,
        "first_retry": 0.2,
    }
    # What the encoding has not is printed as "?".
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        with make_relay(arguments.address, **connection) as relay:
            return int(arguments.run(relay, arguments))
    except ValueError as error:
        print(f"{arguments.command}: {error}", file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:
        return DONE if arguments.command == "watch" else NO


def _parsed() -> Any:
    parser = argparse.ArgumentParser(
        prog="python -m swiftobserver.relay",
        epilog="Exits with 0: done; 1: there is no such thing, or it was refused; 2: used wrongly; 3: no broker.",
    )
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, run: Callable[..., int], help: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=help)
        made.set_defaults(run=run)
        made.add_argument(
            "--address", default="mqtt://localhost", help="of the broker, or dbus:session (default: %(default)s)"
        )
        made.add_argument("--user", help="its password is taken from SWIFTOBSERVER_RELAY_PASSWORD")
        made.add_argument("--ca-file", help="whom to trust, for mqtts")
        made.add_argument("--certificate-file", help="of this program, where the broker asks for one")
        made.add_argument("--key-file", help="of that certificate")
        return made

    def with_timeout(made: argparse.ArgumentParser) -> None:
        made.add_argument("--timeout", type=float, default=10, help="in seconds (default: %(default)s)")

    watch = command("watch", _watch, "prints what is published, and goes on with what changes")
    watch.add_argument(
        "what",
        nargs="?",
        default="homie/5/#",
        help="a device, device/node/property, device/$state, or a topic filter of MQTT (default: %(default)s); "
        "a topic that looks like a name is one with /# at its end",
    )
    watch.add_argument("--count", type=int, default=0, help="ends after so many messages")
    watch.add_argument("--json", action="store_true", help="prints each message as an object in a line")
    get = command("get", _get, "prints a value, or all values of a device")
    get.add_argument("what", help="device/node/property, device/$state, or a device")
    get.add_argument("--json", action="store_true", help="prints an object: names and values")
    with_timeout(get)
    put = command("set", _set, "asks the owner of a value for another one, and waits until it has decided")
    put.add_argument("what", help="device/node/property")
    put.add_argument("value", help="as Homie writes it: true, 21.5, any text")
    put.add_argument("--json", action="store_true", help="prints an object: the name and the value that it then has")
    with_timeout(put)
    remove = command("remove", _remove, "takes a device away for good: all that the broker retains of it")
    remove.add_argument("what", help="a device")
    remove.add_argument("--json", action="store_true", help="prints an object: how many topics were taken away")
    with_timeout(remove)
    return parser.parse_args()


# ---- what they share ----


class _Told(Exception):
    """Ends a command: a sentence, and what it exits with."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def _telling(command: Callable[[Any, Any], int]) -> Callable[[Any, Any], int]:
    def run(relay: Any, arguments: Any) -> int:
        try:
            return command(relay, arguments)
        except _Told as told:
            print(f"{arguments.command}: {told}", file=sys.stderr)
            return told.status

    return run


class _Deadline:
    """Waits for conditions, all of them together so long."""

    def __init__(self, relay: Any, seconds: float) -> None:
        self._relay, self._until = relay, time.monotonic() + seconds

    def until(self, is_it: Callable[[], Any]) -> bool:
        while not is_it():
            if time.monotonic() > self._until:
                return False
            time.sleep(0.01)
        return True

    def ready(self) -> None:
        """Until all that is retained of the mirrors has come."""
        if not self.until(lambda: self._relay.is_ready):
            raise _Told(UNREACHED, self._relay.state.value)


def _described(device: str, description: Optional[str]) -> Dict[str, Dict[str, Any]]:
    """The description of a device's properties, by their names."""
    try:
        nodes = json.loads(description or "{}").get("nodes", {})
        return {
            f"{device}/{node}/{name}": dict(about)
            for node, of_node in nodes.items()
            for name, about in of_node.get("properties", {}).items()
        }
    except (ValueError, AttributeError, TypeError):
        return {}


def _value(text: str, about: Dict[str, Any]) -> Any:
    """The value in JSON of a payload."""
    try:
        return json.loads(text) if about.get("datatype") in TYPES else text
    except ValueError:
        return text


def _print_values(arguments: Any, values: Dict[str, str], about: Dict[str, Dict[str, Any]]) -> None:
    if arguments.json:
        print(
            json.dumps({name: _value(text, about.get(name, {})) for name, text in values.items()}, ensure_ascii=False)
        )
    elif DEVICE.fullmatch(arguments.what):
        for name, text in values.items():
            print(name, text)
    else:
        for text in values.values():
            print(text)


# ---- the commands ----


def _watch(relay: Any, arguments: Any) -> int:
    messages = relay.watch(filter_of(arguments.what))
    shown = Shown(arguments.count, arguments.json)
    relay.state.observe(lambda update: shown.say(update.new))
    shown.say(relay.state.value)
    messages.observe(shown.take)
    try:
        shown.await_all()
    except KeyboardInterrupt:
        pass
    shown.end()
    return DONE


@_telling
def _get(relay: Any, arguments: Any) -> int:
    what, deadline = arguments.what, _Deadline(relay, arguments.timeout)
    if not NAME.fullmatch(what):
        raise ValueError(f"what must be device/node/property, device/$state or a device, not {what!r}")
    device = what.split("/")[0]
    description, state = relay.mirror(f"{device}/$description", str), relay.mirror(f"{device}/$state", str)
    if PROPERTY.fullmatch(what):
        relay.mirror(what, str)
    deadline.ready()
    about = _described(device, description.value)
    names = [what] if "/" in what else [f"{device}/$state", *sorted(about)]
    mirrors = {name: state if name.endswith("/$state") else relay.mirror(name, str) for name in names}
    # The values have been delivered when it is ready: to confirm one is a moment earlier.
    deadline.ready()
    # What was mirrored only now has come when it is confirmed; of what is lost, nothing confirms it.
    is_there = state.value in ("ready", "init", "sleeping")
    deadline.until(lambda: not is_there or all(relay.unconfirmed(name) is None for name in names))
    if not is_there:
        deadline.until(lambda: all(mirror.value is not None for mirror in mirrors.values()))
    values = {name: mirror.value for name, mirror in mirrors.items() if mirror.value is not None}
    if not values:
        raise _Told(NO, f"{what} has no value" if about or state.value else f"there is no device {device}")
    _print_values(arguments, values, about)
    return DONE


@_telling
def _set(relay: Any, arguments: Any) -> int:
    what, deadline = arguments.what, _Deadline(relay, arguments.timeout)
    if not PROPERTY.fullmatch(what):
        raise ValueError(f"what must be device/node/property, not {what!r}")
    device = what.split("/")[0]
    description = relay.mirror(f"{device}/$description", str)
    state = relay.mirror(f"{device}/$state", str)
    deadline.ready()
    # Until then it may describe more than it did.
    deadline.until(lambda: state.value != "init")
    about = _described(device, description.value).get(what)
    if about is None:
        raise _Told(NO, f"there is no {what}")
    if not about.get("settable"):
        raise _Told(NO, f"{what} cannot be set")
    kind = TYPES.get(about.get("datatype"), str)
    try:
        value = {"true": True, "false": False}[arguments.value] if kind is bool else kind(arguments.value)
    except (KeyError, ValueError):
        raise ValueError(f"value must be of the datatype {about['datatype']}, not {arguments.value!r}") from None
    mirror = relay.mirror(what, kind)
    if not deadline.until(lambda: relay.unconfirmed(what) is None):
        raise _Told(NO, f"the owner of {what} is not there")
    before = relay.counts.dropped
    mirror.value = value
    if not deadline.until(lambda: not relay.is_pending(what)):
        raise _Told(NO, f"the owner of {what} has not answered")
    # It is decided a moment before that is delivered, which is before the relay is ready for another mirror.
    relay.mirror(f"{device}/$name", str)
    deadline.ready()
    if relay.counts.dropped > before:
        raise _Told(NO, relay.state.value.partition(": ")[2] or f"{what} was not set")
    now = mirror.value
    if arguments.json:
        print(json.dumps({what: now}, ensure_ascii=False))
    if now != value:
        raise _Told(NO, f"the owner made it {now!r}")
    return DONE


@_telling
def _remove(relay: Any, arguments: Any) -> int:
    device, deadline = arguments.what, _Deadline(relay, arguments.timeout)
    if not DEVICE.fullmatch(device):
        raise ValueError(f"what must be a device, of small letters, digits and hyphens, not {device!r}")
    if arguments.address.startswith("dbus:"):
        raise ValueError("a bus retains nothing that could be removed")
    retained: Dict[str, str] = {}
    changed = threading.Event()

    def note(line: str) -> None:
        topic, _, payload = line.partition(" ")
        if payload or topic in retained:
            retained[topic] = payload
        changed.set()

    messages, state = relay.watch(f"homie/5/{device}/#"), relay.mirror(f"{device}/$state", str)
    messages.observe(note)
    deadline.ready()
    # This comes after all that is retained.
    last = relay.watch(f"homie/5/{device}/$state")
    has_come = threading.Event()
    last.observe(lambda line: has_come.set())
    if not deadline.until(lambda: has_come.is_set() or (state.value is None and not retained)):
        deadline.until(lambda: retained)
    if state.value is None and not retained:
        raise _Told(NO, f"there is no device {device}")
    if state.value in ("ready", "init"):
        raise _Told(NO, f"{device} is {state.value}: its program would publish all of it again")
    relay.remove(device)
    if not deadline.until(lambda: not any(retained.values())):
        raise _Told(NO, relay.state.value)
    if arguments.json:
        print(json.dumps({"device": device, "removed": len(retained)}))
    else:
        print(f"{device}: {len(retained)} topics taken away")
    return DONE

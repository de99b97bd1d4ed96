# SPDX-License-Identifier: MIT
"""Relays: in memory, over a bus, and the command that watches, with a real broker and a bus."""

from __future__ import annotations

import contextlib
import decimal
import enum
import fcntl
import fractions
import gc
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import weakref
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from support import Thread, run_python
from swiftobserver import Messenger, Observable, Var, derived, effect, graph

try:
    import numpy
except ImportError:
    numpy = None

try:
    from swiftobserver.relay import Relay
except ImportError as error:
    # Where the library alone is installed or built, there are no relays; the tests of relays insist.
    if os.environ.get("SWO_TEST_RELAYS"):
        raise
    pytest.skip(str(error), allow_module_level=True)

MEMORY = "memory:python"
WATCH = [sys.executable, "-m", "swiftobserver.relay", "watch"]
PATH = os.environ.get("PATH", "") + os.pathsep + "/usr/sbin"


def watch(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command, run to its end."""
    command = [*WATCH, *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def until(variable: Observable[Any], is_it: Callable[[Any], object]) -> None:
    """Waits until a variable's value is as it has to be."""
    found = threading.Event()
    with variable.observe(lambda update: is_it(update.new) and found.set(), replay=1):
        found.wait()


def ready(*relays: Relay) -> None:
    for relay in relays:
        until(relay.state, lambda state: state.startswith("ready"))


@pytest.mark.parametrize("native", [False, True])
def test_a_mirror_holds_what_a_variable_holds_and_sets_it_wherever_it_lives(native: bool) -> None:
    with Relay(MEMORY, device="anywhere") as owner, Relay(MEMORY) as other:
        level = Var(1, native=native)
        owner.publish("light/level", level, settable=True)
        mirror = other.mirror("anywhere/light/level", int)
        until(mirror, lambda value: value == 1)
        ready(owner, other)
        level.value = 2
        until(mirror, lambda value: value == 2)
        mirror.value = 3
        until(level, lambda value: value == 3)
        until(mirror, lambda value: value == 3)
        assert owner.counts.connections == 1
        assert owner.is_ready
        owner.withdraw("light/level")
        until(mirror, lambda value: value is None)
        assert level.count == 0
        owner.publish("light/level", level)
        until(mirror, lambda value: value == 3)
    assert level.count == 0


def test_functions_read_mirrors_and_a_derived_variable_is_published() -> None:
    with Relay(MEMORY, device="source") as owner, Relay(MEMORY, device="sink") as other:
        level, factor = Var(1), Var(10)
        owner.publish("light/level", level)
        mirror = other.mirror("source/light/level", int)
        product = derived(lambda: (mirror.value or 0) * factor.value)
        seen: list[Any] = []
        showing = effect(lambda: seen.append(mirror.value))
        other.publish("light/product", product)
        back = owner.mirror("sink/light/product", int)
        until(back, lambda value: value == 10)
        ready(owner, other)
        level.value = 2
        until(back, lambda value: value == 20)
        factor.value = 100
        until(back, lambda value: value == 200)
        assert seen[-2:] == [1, 2]
        showing.stop()


def test_what_a_validator_makes_of_a_value_is_published_and_what_it_refuses_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def at_most_nine(value: int) -> int:
        if value < 0:
            raise ValueError("negative")
        return min(value, 9)

    failures = []
    failed = threading.Event()

    def fail(told: Any) -> None:
        failures.append(str(told.exc_value))
        failed.set()

    monkeypatch.setattr(threading, "excepthook", fail)
    with Relay(MEMORY, device="valid") as owner, Relay(MEMORY) as other:
        level = Var(1, validator=at_most_nine)
        owner.publish("light/level", level, settable=True)
        mirror = other.mirror("valid/light/level", int)
        until(mirror, lambda value: value == 1)
        ready(owner, other)
        mirror.value = 20
        until(mirror, lambda value: value == 9)
        mirror.value = -1
        failed.wait()
        until(mirror, lambda value: value == 9)
        assert level.value == 9
    assert failures == ["negative"]


def test_what_transforms_make_in_python_is_published() -> None:
    with Relay(MEMORY, device="made") as owner, Relay(MEMORY) as other:
        warmth = Var(20.5)
        owner.publish("room/alarm", warmth.new().map(lambda value: value > 30))
        owner.publish("room/words", warmth.new().map(lambda value: f"{value:.1f} C").filter(len), str)
        alarm = other.mirror("made/room/alarm", bool)
        words = other.mirror_messenger("made/room/words", str)
        heard: list[str] = []
        words.observe(heard.append)
        until(alarm, lambda value: value is False)
        ready(owner, other)
        warmth.value = 35
        until(alarm, lambda value: value is True)
        while not heard:
            warmth.value += 1
        assert heard[0].endswith(" C")


def test_a_relay_that_is_dropped_keeps_nothing_that_it_published() -> None:
    level = Var(1)
    reference = weakref.ref(level)
    relay = Relay(MEMORY, device="dropped")
    relay.publish("light/level", level, settable=True)
    del level
    gc.collect()
    assert reference() is not None
    relay.close()
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize("value", [True, False, -5, 2.5, 0.1, "gr\u00fc\u00df", "", "a\0b", "\n"])
def test_values_arrive_as_they_are(value: Any) -> None:
    with Relay(MEMORY, device="values") as owner, Relay(MEMORY) as other:
        owner.publish("a/b", Var(value))
        mirror = other.mirror("values/a/b", type(value))
        until(mirror, lambda found: found is not None)
        assert mirror.value == value and type(mirror.value) is type(value)


def test_an_integer_is_a_value_of_a_float_and_what_is_no_value_is_reported() -> None:
    with Relay(MEMORY, device="floats") as owner, Relay(MEMORY) as other:
        warmth: Var[Any] = Var(20.5)
        owner.publish("a/b", warmth)
        mirror = other.mirror("floats/a/b", float)
        until(mirror, lambda value: value == 20.5)
        ready(owner)
        warmth.value = 21
        until(mirror, lambda value: value == 21.0)
        warmth.value = object()
        until(owner.state, lambda state: "dropped a value that cannot be relayed" in state)
        assert mirror.value == 21.0
        assert owner.counts.dropped == 1


def test_events_arrive_in_order() -> None:
    with Relay(MEMORY, device="bell") as owner, Relay(MEMORY) as other:
        rings: Messenger[str] = Messenger()
        owner.publish("door/rings", rings, str)
        received = []
        done = threading.Event()

        def note(ring: str) -> None:
            received.append(ring)
            if ring == "99":
                done.set()

        mirror = other.mirror_messenger("bell/door/rings", str)
        mirror.observe(note)
        ready(owner, other)
        # Ready is said of what was mirrored before: the first ring that arrives shows that the rest will.
        while not received:
            rings.send("first")
        for number in range(100):
            rings.send(str(number))
        done.wait()
        assert [ring for ring in received if ring != "first"] == [str(number) for number in range(100)]


def test_devices_can_be_watched() -> None:
    with Relay(MEMORY) as watcher:
        lines = []
        seen = threading.Event()

        def note(line: str) -> None:
            lines.append(line)
            if line == "homie/5/watched/$state disconnected":
                seen.set()

        state = watcher.mirror("watched/$state", str)
        watcher.watch("homie/5/+/$state").observe(note)
        with Relay(MEMORY, device="watched"):
            until(state, lambda value: value == "ready")
        seen.wait()


def test_wrong_uses_are_told() -> None:
    addresses = ("localhost", "mqtt://user:secret@host", "mqtt://host:0", "dbus:", "dbus:bus", "dbus:unix:path=/a b")
    for address in addresses:
        with pytest.raises(ValueError) as caught:
            Relay(address)
        assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match="device"):
        Relay(MEMORY, device="The Kitchen")
    with pytest.raises(ValueError, match="discovery"):
        Relay(MEMORY, device="wrong", discovery="home/+")
    with pytest.raises(TypeError, match="address must be a str"):
        Relay(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="zero"):
        Relay("mqtt://a\0b")
    with Relay(MEMORY, device="wrong") as relay:
        with pytest.raises(TypeError, match="must be a Var if it is settable"):
            relay.publish("a/b", Messenger(), int, settable=True)
        with pytest.raises(TypeError, match="observable must be"):
            relay.publish("a/b", 5)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="type must be bool, int, float or str"):
            relay.publish("a/b", Var(b"x"))
        with pytest.raises(TypeError, match="type must be given"):
            relay.publish("a/b", Messenger())
        with pytest.raises(ValueError, match="node/property"):
            relay.publish("b", Var(1))
        relay.publish("a/b", Var(1, native=True))
        with pytest.raises(ValueError, match="already"):
            relay.publish("a/b", Var(1, native=True))
        relay.withdraw("a/b")
        with pytest.raises(KeyError):
            relay.withdraw("a/b")
        with pytest.raises(ValueError, match="device/node/property"):
            relay.mirror("a/b", int)
        with pytest.raises(TypeError, match="type must be"):
            relay.mirror("a/b/c", list)
        relay.mirror("a/b/c", int)
        with pytest.raises(TypeError, match="mirrored as something else"):
            relay.mirror("a/b/c", str)
        relay.forget("a/b/c")
        with pytest.raises(KeyError):
            relay.forget("a/b/c")
        with pytest.raises(ValueError, match="filter"):
            relay.watch("a#")
    with pytest.raises(ValueError, match="closed"):
        relay.mirror("a/b/c", int)
    assert repr(relay) == "<Relay closed>"


def test_a_program_that_ends_says_so_and_does_not_hang() -> None:
    program = (
        "from swiftobserver import Var\nfrom swiftobserver.relay import Relay\n"
        "relay = Relay('memory:x', device='ending')\nlevel = Var(1, native=True)\n"
        "relay.publish('a/b', level)\nmirror = relay.mirror('ending/a/b', int)\nmirror.observe(print)\n"
        "import atexit\natexit.register(lambda: print('ended'))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "ended" in ended.stdout and not ended.stderr


def tool(name: str) -> str:
    """Where a program is that only some tests take."""
    path = shutil.which(name, path=PATH)
    if path is None:
        if os.environ.get("SWO_TEST_RELAYS"):
            raise RuntimeError(f"{name} is missing")
        pytest.skip(f"{name} is not installed")
    return path


@contextlib.contextmanager
def broker_with(folder: Path, *configuration: str) -> Iterator[str]:
    """Where a real one is, for as long as it lives: host and port."""
    mosquitto = tool("mosquitto")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    file = folder / "broker.conf"
    # It drops nothing of what a recorder has not read yet.
    always = [f"listener {port} 127.0.0.1", "user root", "max_queued_messages 0"]
    file.write_text("\n".join([*always, *configuration, ""]))
    process = subprocess.Popen([mosquitto, "-c", str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """The address of one that lets everyone in."""
    with broker_with(tmp_path, "allow_anonymous true") as place:
        yield f"mqtt://{place}"


CERTIFICATES = """
for authority in ca other; do
    openssl req -x509 -newkey rsa:2048 -nodes -keyout $authority.key -out $authority.pem -subj /CN=$authority -days 2
done
for name in broker client; do
    openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj /CN=127.0.0.1 \\
        -addext subjectAltName=IP:127.0.0.1
    openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \\
        -copy_extensions copy -out $name.pem
done
"""


def test_certificates_let_in_on_both_sides(tmp_path: Path) -> None:
    tool("openssl")
    made = subprocess.run(["sh", "-ec", CERTIFICATES], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert made.returncode == 0, made.stdout
    certificate, key = tmp_path / "client.pem", tmp_path / "client.key"
    configuration = [f"certfile {tmp_path}/broker.pem", f"keyfile {tmp_path}/broker.key", f"cafile {tmp_path}/ca.pem"]
    with broker_with(tmp_path, *configuration, "require_certificate true", "allow_anonymous true") as place:
        address = f"mqtts://{place}"

        def relay(authority: str, certificate: Any, key: Any, device: Any = None) -> Relay:
            return Relay(
                address,
                device,
                ca_file=tmp_path / authority,
                certificate_file=certificate,
                key_file=key,
                first_retry=0.01,
                last_retry=0.05,
            )

        with relay("ca.pem", certificate, key, "attic") as welcome:
            welcome.publish("cpu/load", Var(0.5))
            ready(welcome)
            files = ["--ca-file", tmp_path / "ca.pem", "--certificate-file", certificate, "--key-file", key]
            seen = watch("attic/cpu/load", "--address", address, *files, "--count", 1)
            assert seen.stdout == "homie/5/attic/cpu/load 0.5\n"
            for refused in (
                relay("ca.pem", None, None),
                relay("ca.pem", tmp_path / "no-file.pem", key),
                relay("other.pem", certificate, key),
            ):
                with refused:
                    until(refused.state, lambda state: state.startswith("lost"))
                    assert refused.counts.connections == 0
            assert welcome.is_ready


def test_credentials_stand_in_no_repr_state_graph_log_or_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    user, right, wrong = "user-of-the-attic", "correct-horse", "battery-staple"
    passwords = tmp_path / "passwords"
    subprocess.run([tool("mosquitto_passwd"), "-b", "-c", str(passwords), user, right], capture_output=True, check=True)
    caplog.set_level(0)
    shown: list[str] = []

    def show(*things: Any) -> None:
        for each in things:
            shown.extend((repr(each), str(each), repr(getattr(each, "__dict__", None))))

    with broker_with(tmp_path, "allow_anonymous false", f"password_file {passwords}") as place:
        address = f"mqtt://{place}"

        def relay(password: str) -> Relay:
            relay = Relay(address, "attic", user=user, password=password, first_retry=0.01, last_retry=0.05)
            relay.state.observe(show)
            return relay

        with relay(wrong) as refused:
            until(refused.state, lambda state: "Not authorized" in state)
            show(refused, refused.state)
        with relay(right) as welcome:
            level: Var[Any] = Var(1)
            welcome.publish("light/level", level)
            mirror = welcome.mirror("attic/light/level", int)
            welcome.watch("#").observe(show)
            until(mirror, lambda value: value == 1)
            ready(welcome)
            level.value = object()
            until(welcome.state, lambda state: "dropped" in state)
            drawn = graph(welcome.state, refused.state, level, mirror)
            show(welcome, welcome.state, welcome.counts, level, mirror, drawn, drawn.dot)
            show(welcome.state.graph_dot, gc.get_referents(welcome))
        environment = os.environ | {"SWIFTOBSERVER_RELAY_PASSWORD": right}
        seen = watch("attic/$state", "--address", address, "--user", user, "--count", 1, env=environment)
        assert "homie/5/attic/$state disconnected" in seen.stdout
        show(seen.stdout, seen.stderr)
    # What is no text is refused without being told.
    for password in (right + "\0", right + "\udc80", right.encode()):
        for address in (MEMORY, f"mqtt://{user}:{right}@127.0.0.1"):
            with pytest.raises((TypeError, ValueError)) as caught:
                Relay(address, user=user, password=password)  # type: ignore[arg-type]
            show(caught.value, caught.value.__cause__, caught.value.__context__)
    show(*capfd.readouterr(), caplog.text)
    assert "lost" in "".join(shown)
    for secret in (user, right, wrong):
        assert [each for each in shown if secret in each] == []


def told_home_assistant(broker: str, messages: Messenger[str]) -> tuple[list[Any], threading.Event]:
    """What is retained for it, as it changes; the empty text is None."""
    told: list[Any] = []
    changed = threading.Event()

    def note(line: str) -> None:
        topic, _, payload = line.partition(" ")
        assert topic == "homeassistant/device/kitchen/config"
        told.append(json.loads(payload) if payload else None)
        changed.set()

    messages.observe(note)
    return told, changed


def test_home_assistant_is_told_of_a_device(broker: str) -> None:
    with Relay(broker) as watcher:
        told, changed = told_home_assistant(broker, watcher.watch("homeassistant/#"))

        def await_entities(*names: str) -> Any:
            while not told or not told[-1] or {key for key in told[-1]["cmps"]} != set(names):
                changed.wait()
                changed.clear()
            return told[-1]

        with Relay(broker, device="kitchen", title='The "Kitchen"', discovery="homeassistant") as relay:
            relay.publish("climate/temperature", Var(20.5))
            relay.publish("climate/target", Var(21.0), settable=True)
            relay.publish("climate/alarm", Var(False))
            relay.publish("light/level", Var(3), settable=True)
            relay.publish("light/on", Var(True), settable=True)
            relay.publish("light/scene", Var("day"), settable=True)
            relay.publish("door/rings", Messenger(), str)
            names = ["climate_temperature", "climate_target", "climate_alarm", "light_level", "light_on", "light_scene"]
            device = await_entities(*names, "door_rings")
            assert device["dev"] == {"ids": "kitchen", "name": 'The "Kitchen"'}
            assert device["o"]["name"] == "SwiftObserver"
            (availability,) = device["availability"]
            assert availability["topic"] == "homie/5/kitchen/$state"
            assert (availability["payload_available"], availability["payload_not_available"]) == ("ready", "lost")
            entities = device["cmps"]
            platforms = {name: entity["p"] for name, entity in entities.items()}
            assert platforms == {
                "climate_temperature": "sensor",
                "climate_target": "number",
                "climate_alarm": "binary_sensor",
                "light_level": "number",
                "light_on": "switch",
                "light_scene": "text",
                "door_rings": "event",
            }
            assert len({entity["unique_id"] for entity in entities.values()}) == 7
            light = entities["light_on"]
            assert light["state_topic"] == "homie/5/kitchen/light/on"
            assert light["command_topic"] == "homie/5/kitchen/light/on/set"
            assert (light["payload_on"], light["payload_off"]) == ("true", "false")
            assert "command_topic" not in entities["climate_temperature"]
            # An entity is taken away by its platform alone, the device by nothing.
            relay.withdraw("light/on")
            while "unique_id" in await_entities(*names, "door_rings")["cmps"]["light_on"]:
                changed.wait()
                changed.clear()
            assert told[-1]["cmps"]["light_on"] == {"p": "switch"}
            for name in ("temperature", "target", "alarm"):
                relay.withdraw("climate/" + name)
            for name in ("light/level", "light/scene", "door/rings"):
                relay.withdraw(name)
            while told[-1] is not None:
                changed.wait()
                changed.clear()


def test_home_assistant_keeps_a_device_that_ends_and_comes_again_and_is_told_nothing_unasked(broker: str) -> None:
    with Relay(broker) as watcher:
        told, _ = told_home_assistant(broker, watcher.watch("homeassistant/#"))
        state = watcher.mirror("kitchen/$state", str)
        level = watcher.mirror("kitchen/light/level", int)
        for number in (1, 2):
            with Relay(broker, device="kitchen", discovery="homeassistant") as relay:
                ready(relay)
                relay.publish("light/level", Var(number))
                until(level, lambda value, number=number: value == number)
            until(state, lambda value: value == "disconnected")
        with Relay(broker, device="kitchen") as relay:
            relay.publish("light/level", Var(3))
            relay.publish("light/more", Var(3))
            until(level, lambda value: value == 3)
        until(state, lambda value: value == "disconnected")
        assert None not in told
        assert [list(each["cmps"]) for each in told] == [["light_level"]] * len(told) and told


def test_watch_prints_what_another_program_publishes(broker: str) -> None:
    with Relay(broker, device="machine", first_retry=0.01, last_retry=0.05) as relay:
        relay.publish("cpu/load", Var(0.5, native=True))
        ready(relay)
        seen = watch("homie/5/machine/+/+", "--address", broker, "--count", 1)
        assert seen.stdout == "homie/5/machine/cpu/load 0.5\n"
        assert seen.returncode == 0
        assert "watch: ready" in seen.stderr or "watch: connecting" in seen.stderr


@pytest.mark.parametrize("name, shown", [("machine/cpu/load", "0.5"), ("machine/$state", "ready")])
def test_watch_takes_a_name_for_its_topic(broker: str, name: str, shown: str) -> None:
    with Relay(broker, device="machine") as relay:
        relay.publish("cpu/load", Var(0.5))
        ready(relay)
        seen = watch(name, "--address", broker, "--count", 1)
        assert seen.stdout == f"homie/5/{name} {shown}\n"


@pytest.mark.parametrize(
    "what, filter",
    [
        ("kitchen", "homie/5/kitchen/#"),
        ("kitchen/$state", "homie/5/kitchen/$state"),
        ("kitchen/climate/temperature", "homie/5/kitchen/climate/temperature"),
        *((each, each) for each in ("#", "homie/5/#", "homie/5/kitchen", "+/5/kitchen", "a/b", "a/b/c/d", "a/b/c/#")),
        *((each, each) for each in ("Kitchen", "kitchen/$description", "/a/b", "a//b", "")),
    ],
)
def test_what_is_no_name_is_a_filter(what: str, filter: str) -> None:
    from swiftobserver._extras.watching import filter_of

    assert filter_of(what) == filter


class Terminal:
    """One in which `watch` runs, and what it shows."""

    def __init__(self, rows: int, columns: int, *arguments: str) -> None:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [*WATCH, *arguments],
            stdout=slave,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            # Whatever runs the tests may ignore it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
        )
        os.close(slave)
        self._seen = b""

    def await_screen(self, is_it: Callable[[list[str]], object]) -> list[str]:
        """The lines, once they are as they have to be. Each screen begins at the upper left."""
        while True:
            *_, screen = self._seen.decode().split("\033[H")
            lines, end, _ = screen.partition("\033[J")
            found = [line.rstrip("\r") for line in lines.replace("\033[K", "").split("\n")]
            if end and is_it(found):
                return found
            self._seen += os.read(self._master, 65536)

    def interrupt(self) -> str:
        """What it says at its end."""
        self.process.send_signal(signal.SIGINT)
        said = self.process.communicate()[1]
        assert self.process.returncode == 0
        os.close(self._master)
        return str(said)


# A terminal of no size is one that does not tell it.
@pytest.mark.parametrize("rows, columns", [(24, 80), (0, 0)])
def test_watch_shows_a_table_that_updates_in_place_where_there_is_a_terminal(
    broker: str, rows: int, columns: int
) -> None:
    with Relay(broker, device="machine") as relay:
        load, name = Var(0.5), Var("the\033[2Jattic")
        relay.publish("cpu/load", load)
        relay.publish("name/it", name)
        ready(relay)
        terminal = Terminal(rows, columns, "machine", "--address", broker)
        terminal.await_screen(lambda lines: "homie/5/machine/cpu/load      0.5" in lines)
        load.value = 1.5
        screen = terminal.await_screen(
            lambda lines: {"ready", "homie/5/machine/cpu/load      1.5"} < set(lines) and len(lines) == 5
        )
        assert screen[0] == "ready"
        assert screen[1].startswith("homie/5/machine/$description  {") and len(screen[1]) == 80
        assert screen[2:] == [
            "homie/5/machine/$state        ready",
            "homie/5/machine/cpu/load      1.5",
            "homie/5/machine/name/it       the?[2Jattic",
        ]
        assert terminal.interrupt() == ""


def test_watch_says_how_much_a_small_terminal_does_not_show(broker: str) -> None:
    with Relay(broker, device="machine") as relay:
        for number in range(9):
            relay.publish(f"cpu/load-{number}", Var(number))
        ready(relay)
        terminal = Terminal(5, 30, "homie/5/machine/cpu/+", "--address", broker)
        screen = terminal.await_screen(lambda lines: lines[0] == "ready" and "... and 7 more" in lines)
        assert screen == ["ready", "5/machine/cpu/load-0  0", "5/machine/cpu/load-1  1", "... and 7 more"]
        assert terminal.interrupt() == ""


def packets(connection: socket.socket) -> Iterator[tuple[int, bytes]]:
    """What a client sends, until it ends: the kind of a packet of MQTT with its flags, and the rest of it."""
    with connection.makefile("rb") as stream:
        while first := stream.read(1):
            length, shift = 0, 0
            while (byte := stream.read(1)[0]) & 128:
                length, shift = length | (byte & 127) << shift, shift + 7
            yield first[0], stream.read(length | byte << shift)


def test_who_says_goodbye_is_heard_whatever_still_comes_in() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    seen: list[tuple[int, bytes]] = []

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            for kind, body in packets(connection):
                seen.append((kind, body))
                number = body[:2]
                if kind == 0x10:
                    connection.sendall(b"\x20\x03\0\0\0")
                elif kind == 0x82:
                    connection.sendall(b"\x90\x04" + number + b"\0\1")
                elif kind & 0xF6 == 0x32:
                    after_topic = 2 + int.from_bytes(number, "big")
                    connection.sendall(
                        b"\x40\x02"
                        + body[after_topic : after_topic + 2]
                        # More than a relay reads at once.
                        + b"\x30\x06\0\1a\0hi" * (1000 if body.endswith(b"disconnected") else 0)
                    )

    broker = Thread(serve)
    relay = Relay(f"mqtt://127.0.0.1:{listener.getsockname()[1]}", device="attic")
    ready(relay)
    relay.close()
    # A connection that is reset may lose what was sent on it last.
    broker.join()
    listener.close()
    assert seen[-1][0] == 0xE0


def test_watch_ends_when_what_reads_it_has_ended(broker: str) -> None:
    with Relay(broker, device="machine") as relay:
        load = Var(0)
        relay.publish("cpu/load", load)
        ready(relay)
        command = [*WATCH, "machine/cpu/load", "--address", broker]
        # As users run it: what could not be written stays in Python's buffer.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        ) as watching:
            assert watching.stdout and watching.stderr
            assert watching.stdout.readline() == "homie/5/machine/cpu/load 0\n"
            watching.stdout.close()
            load.value = 1
            said = watching.stderr.read()
        assert "Traceback" not in said and "BrokenPipe" not in said
        assert watching.returncode == 0


def test_watch_prints_what_an_encoding_has_not(broker: str) -> None:
    with Relay(broker, device="machine") as relay:
        relay.publish("name/it", Var("gr\u00fc\u00df"))
        ready(relay)
        seen = subprocess.run(
            [*WATCH, "machine/name/it", "--address", broker, "--count", "1"],
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
        )
        assert seen.stdout == b"homie/5/machine/name/it gr??\n"


def test_a_relay_that_is_left_open_ends_with_the_program() -> None:
    result = run_python(
        """
        import atexit
        from swiftobserver import Var

        atexit.register(lambda: print(mirror.value, relay.is_ready))  # After the relay is closed.
        from swiftobserver.relay import Relay

        relay = Relay("memory:left", device="machine")
        level = Var(5)
        relay.publish("light/level", level)
        mirror = relay.mirror("machine/light/level", int)
        while mirror.value != 5:
            pass
        """
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "5 False\n", "")


@pytest.fixture
def bus(tmp_path: Any) -> Iterator[str]:
    """The address of a D-Bus of the test's own."""
    options = ["--session", "--nofork", "--nopidfile", "--print-address", f"--address=unix:dir={tmp_path}"]
    command = [tool("dbus-daemon"), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout
        yield "dbus:" + process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_device_on_a_bus_is_mirrored_set_watched_and_lost(bus: str) -> None:
    program = (
        "import sys\nfrom swiftobserver import Var\nfrom swiftobserver.relay import Relay\n"
        "relay = Relay(sys.argv[1], device='machine')\nload = Var(0.5, native=True)\n"
        "relay.publish('cpu/load', load, settable=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, bus]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as machine, Relay(bus, first_retry=0.01) as relay:
        load, state = relay.mirror("machine/cpu/load", float), relay.mirror("machine/$state", str)
        until(load, lambda value: value == 0.5)
        ready(relay)
        load.value = 0.75
        seen = watch("homie/5/+/+/load", "--address", bus, "--count", 1)
        assert seen.stdout in ("homie/5/machine/cpu/load 0.5\n", "homie/5/machine/cpu/load 0.75\n")
        until(state, lambda value: value == "ready")
        machine.kill()
        until(state, lambda value: value == "lost")
        until(load, lambda value: value is None)


def test_watch_tells_what_is_wrong() -> None:
    for wrong, what in (["--address", "host"], "address"), (["a#"], "filter"):
        said = watch(*wrong)
        assert said.returncode == 2 and said.stderr.startswith(f"watch: {what}")


def test_every_function_of_the_header_is_bound() -> None:
    from support import INCLUDE
    from swiftobserver import relay

    header = (INCLUDE / "swiftobserver" / "relay.h").read_text()
    declared = set(re.findall(r"^SWO_API .*?\bswo_relay_(\w+)\(", header, re.MULTILINE))
    # Python counts its own references.
    assert set(relay._FUNCTIONS) == declared - {"retain"}
    for structure, name in ((relay._Options, "swo_relay_options"), (relay._Counts, "swo_relay_counts")):
        body = re.search(rf"typedef struct {name} \{{(.*?)\n\}}", header, re.DOTALL)
        assert body
        without_comments = re.sub(r"/\*.*?\*/", "", body[1], flags=re.DOTALL)
        assert [name for name, _ in structure._fields_] == re.findall(r"(\w+);", without_comments)


class Mode(str, enum.Enum):
    HEAT = "heat"
    COOL = "cool"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Weight(enum.Enum):
    LIGHT = 0.5


class Number(int):
    """Of a program's own."""


ALMOST: list[tuple[type, Any, list[tuple[Any, Any]]]] = [
    (float, 1.0, [(decimal.Decimal("20.5"), 20.5), (fractions.Fraction(1, 4), 0.25), (Weight.LIGHT, 0.5), (21, 21.0)]),
    (int, 0, [(Level.HIGH, 2), (Number(7), 7)]),
    (str, "", [(Mode.HEAT, "heat"), (Mode.COOL, "cool")]),
]
if numpy is not None:
    ALMOST += [
        (float, 1.0, [(numpy.float64(2.5), 2.5), (numpy.float32(3.5), 3.5), (numpy.int64(4), 4.0)]),
        (int, 0, [(numpy.int64(5), 5), (numpy.uint8(6), 6)]),
        (str, "", [(numpy.str_("abc"), "abc")]),
        (bool, False, [(numpy.bool_(True), True), (numpy.bool_(False), False)]),
    ]


@pytest.mark.parametrize("kind, first, values", ALMOST, ids=lambda each: getattr(each, "__name__", None))
def test_what_is_a_number_or_a_text_crosses_as_one(kind: type, first: Any, values: list[tuple[Any, Any]]) -> None:
    with Relay(MEMORY, device="almost") as owner, Relay(MEMORY) as other:
        variable, events = Var(first), Messenger[Any]()
        owner.publish("a/value", variable, kind, settable=True)
        owner.publish("a/event", events, kind)
        mirror, heard = other.mirror("almost/a/value", kind), other.mirror_messenger("almost/a/event", kind)
        ready(owner, other)
        until(mirror, lambda value: value == first)
        received: list[Any] = []
        arrived = threading.Semaphore(0)
        heard.observe(lambda event: (received.append(event), arrived.release()))
        for value, expected in values:
            variable.value = value
            until(mirror, lambda held: held == expected)
            assert type(mirror.value) is kind
            events.send(value)
            arrived.acquire()
            assert variable.value is value
        assert received == [expected for _, expected in values] and {type(each) for each in received} == {kind}
        for value, expected in values:
            mirror.value = first
            until(variable, lambda held: held == first)
            mirror.value = value
            until(variable, lambda held: held == expected)
            assert type(variable.value) is kind
            mirror.update(lambda held: value)
        assert owner.counts.dropped == other.counts.dropped == 0


def test_the_type_of_what_is_almost_a_number_is_that_number() -> None:
    with Relay(MEMORY, device="typed") as owner:
        for number, value in enumerate([Mode.HEAT, Level.LOW, Number(1), decimal.Decimal(1), Weight.LIGHT]):
            owner.publish(f"b/p{number}", Var(value))
        owner.publish("b/mode", Var(Mode.HEAT), Mode)
        owner.publish("b/level", Var(Level.LOW), Level)
        for wrong in (list, None.__class__, "int", 5):
            with pytest.raises(TypeError, match="type must be bool, int, float or str, or a subclass, not"):
                owner.publish("b/wrong", Var(1), wrong)
        with pytest.raises(TypeError, match="type must be"):
            owner.publish("b/none", Var(None))

# SPDX-License-Identifier: MIT
"""`python -m swiftobserver.relay`: get, set, remove, and what a terminal shows; sentences of one parameter each."""

from __future__ import annotations

import argparse
import fcntl
import gc
import json
import os
import signal
import struct
import subprocess
import sys
import termios
import warnings
from typing import Any

import pytest

from swiftobserver import Var
from swiftobserver._extras import commands

test_relay = pytest.importorskip("test_relay")
from test_relay import MEMORY, WATCH, Relay, Terminal, broker, ready, until  # noqa: E402, F401

COMMAND = WATCH[:-1]


def run(*arguments: str) -> tuple[int, str, str]:
    """What a command exits with, prints, and says."""
    done = subprocess.run([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


def test_get_prints_a_value_or_those_of_a_device(broker: str) -> None:  # noqa: F811
    at = ("--address", broker)
    with Relay(broker, "kitchen", first_retry=0.01, last_retry=0.05) as relay:
        relay.publish("climate/temperature", Var(20.5))
        relay.publish("light/on", Var(True))
        relay.publish("note/text", Var("日本 と"))
        ready(relay)
        assert run("get", "kitchen/climate/temperature", *at) == (0, "20.5\n", "")
        assert run("get", "kitchen/$state", *at) == (0, "ready\n", "")
        assert run("get", "kitchen", *at)[1].splitlines() == [
            "kitchen/$state ready",
            "kitchen/climate/temperature 20.5",
            "kitchen/light/on true",
            "kitchen/note/text 日本 と",
        ]
        status, printed, said = run("get", "kitchen", "--json", *at)
        assert (status, said) == (0, "")
        assert json.loads(printed) == {
            "kitchen/$state": "ready",
            "kitchen/climate/temperature": 20.5,
            "kitchen/light/on": True,
            "kitchen/note/text": "日本 と",
        }
        assert run("get", "kitchen/light/off", *at) == (1, "", "get: kitchen/light/off has no value\n")
    # Of who has left there is the last value.
    assert run("get", "kitchen/light/on", "--json", *at) == (0, '{"kitchen/light/on": true}\n', "")
    assert run("get", "attic", *at) == (1, "", "get: there is no device attic\n")
    status, _, said = run("get", "Attic", *at)
    assert (status, said) == (
        2,
        "get: what must be device/node/property, device/$state or a device, not 'Attic'\n",
    )


def test_set_knows_what_there_is_on_a_connection_that_was_ready_before(
    broker: str,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Relay(broker, "kitchen", first_retry=0.01, last_retry=0.05) as owner, Relay(broker) as other:
        on = Var(True)
        owner.publish("light/on", on, settable=True)
        ready(owner)
        # Before it asks for anything: a fast connection, and a slow program.
        ready(other)

        def set_to_false(what: str) -> int:
            # The hour is over only where something waits that never comes.
            return commands._set(
                other,
                argparse.Namespace(command="set", what=what, value="false", json=False, timeout=3600, address=broker),
            )

        assert set_to_false("kitchen/light/on") == 0
        assert on.value is False
        assert set_to_false("attic/light/on") == commands.NO
        assert "there is no attic/light/on" in capsys.readouterr().err


def test_a_broker_that_is_not_there_is_a_status_of_its_own() -> None:
    status, printed, said = run("get", "kitchen", "--address", "mqtt://127.0.0.1:1", "--timeout", "0.5")
    assert (status, printed) == (3, "")
    assert "the broker at 127.0.0.1:1: Connection refused" in said
    status, _, said = run("get", "kitchen", "--address", "mqtt://somebody:secret@host")
    assert status == 2 and said.startswith("get: address must not name a user") and "secret" not in said


def test_set_asks_the_owner_and_says_what_it_decided(broker: str) -> None:  # noqa: F811
    at = ("--address", broker)

    def at_most_thirty(value: float) -> float:
        return min(value, 30)

    with Relay(broker, "kitchen", first_retry=0.01, last_retry=0.05) as relay:
        warmth, on = Var(20.5, validator=at_most_thirty), Var(True)
        relay.publish("climate/temperature", warmth, settable=True)
        relay.publish("light/on", on, settable=True)
        relay.publish("light/lifetime", Var(1))
        ready(relay)
        assert run("set", "kitchen/climate/temperature", "21.5", *at) == (0, "", "")
        assert warmth.value == 21.5
        assert run("set", "kitchen/light/on", "false", "--json", *at) == (0, '{"kitchen/light/on": false}\n', "")
        assert on.value is False
        assert run("set", "kitchen/climate/temperature", "99", *at) == (1, "", "set: the owner made it 30.0\n")
        assert run("set", "kitchen/light/lifetime", "2", *at) == (1, "", "set: kitchen/light/lifetime cannot be set\n")
        assert run("set", "kitchen/light/off", "2", *at) == (1, "", "set: there is no kitchen/light/off\n")
        status, _, said = run("set", "kitchen/light/on", "yes", *at)
        assert (status, said) == (2, "set: value must be of the datatype boolean, not 'yes'\n")
    status, _, said = run("set", "kitchen/light/on", "true", "--timeout", "0.5", *at)
    assert (status, said) == (1, "set: the owner of kitchen/light/on is not there\n")


def test_remove_takes_a_device_away_that_has_left(broker: str) -> None:  # noqa: F811
    at = ("--address", broker)
    with Relay(broker, "kitchen", first_retry=0.01, last_retry=0.05) as relay:
        relay.publish("light/on", Var(True))
        ready(relay)
        status, _, said = run("remove", "kitchen", *at)
        assert status == 1 and said.startswith("remove: kitchen is ready")
    assert run("remove", "kitchen", "--json", *at) == (0, '{"device": "kitchen", "removed": 3}\n', "")
    assert run("remove", "kitchen", "--timeout", "0.5", *at) == (1, "", "remove: there is no device kitchen\n")


def test_watch_prints_objects_in_lines(broker: str) -> None:  # noqa: F811
    with Relay(broker, "kitchen", first_retry=0.01, last_retry=0.05) as relay:
        relay.publish("note/text", Var('a "b"'))
        ready(relay)
        status, printed, _ = run("watch", "kitchen/note/text", "--json", "--count", "1", "--address", broker)
        assert status == 0
        assert json.loads(printed) == {"topic": "homie/5/kitchen/note/text", "payload": 'a "b"'}


@pytest.mark.parametrize(
    "text, width", [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("🍕", 2), ("👩\u200d🍳", 4), ("ｱ", 1), ("", 0)]
)
def test_a_text_has_its_columns(text: str, width: int) -> None:
    from swiftobserver._extras.watching import cut, width_of

    assert width_of(text) == width
    for columns in range(9):
        assert width_of(cut(text, columns)) <= columns
        assert text.startswith(cut(text, columns))
    assert cut(text, width) == text


def test_watch_keeps_its_table_with_wide_characters_and_when_the_window_changes(broker: str) -> None:  # noqa: F811
    with Relay(broker, "kitchen", first_retry=0.01, last_retry=0.05) as relay:
        for number in range(9):
            relay.publish(f"n/p{number}", Var("漢字かな交じり文 " * 6))
        ready(relay)
        terminal = Terminal(8, 40, "homie/5/kitchen/n/+", "--address", broker)
        screen = terminal.await_screen(lambda lines: lines[0] == "ready" and "... and 4 more" in lines)
        assert screen[1] == "homie/5/kitchen/n/p0  漢字かな交じり文 "
        fcntl.ioctl(terminal._master, termios.TIOCSWINSZ, struct.pack("HHHH", 5, 30, 0, 0))
        os.kill(terminal.process.pid, signal.SIGWINCH)
        # Nothing is published meanwhile.
        screen = terminal.await_screen(lambda lines: "... and 7 more" in lines)
        assert screen == ["ready", "homie/5/kitchen/n/p0  漢字かな", "homie/5/kitchen/n/p1  漢字かな", "... and 7 more"]
        assert terminal.interrupt() == ""


# ---- sentences ----

ADDRESS = (
    "address must be mqtt://host:port, mqtts://host:port, dbus:session, dbus:system, dbus: and the address of a bus, "
    "or memory:name"
)


@pytest.mark.parametrize(
    "given, sentence",
    [
        ({"address": "MQTT://broker"}, ADDRESS),
        ({"address": "broker:1883"}, ADDRESS),
        ({"address": ""}, ADDRESS),
        ({"address": "mqtt://broker:0"}, ADDRESS),
        (
            {"address": "mqtt://user:password@broker"},
            "address must not name a user: user and password are given on their own, and shown nowhere",
        ),
        (
            {"device": "Kitchen"},
            "device must be made of small letters, digits and hyphens, at most 128 of them, not 'Kitchen'",
        ),
        (
            {"discovery": "home+"},
            "discovery must be the beginning of a topic, as homeassistant is, and there are none over D-Bus, "
            "not 'home+'",
        ),
        ({"keep_alive": 1}, "keep_alive must be 5 to 65535, not 1"),
        ({"largest_payload": -1}, "largest_payload must be 1 to 268435456, not -1"),
        ({"largest_payload": 0}, "largest_payload must be 1 to 268435456, not 0"),
        ({"first_retry": -1}, "first_retry must be more than 0 and at most 2147483 seconds, not -1"),
        ({"first_retry": 0}, "first_retry must be more than 0 and at most 2147483 seconds, not 0"),
        ({"last_retry": float("nan")}, "last_retry must be more than 0 and at most 2147483 seconds, not nan"),
        ({"request_timeout": 1e9}, "request_timeout must be more than 0 and at most 2147483 seconds, not 1000000000.0"),
        ({"stale_after": -1}, "stale_after must be more than 0 and at most 2147483 seconds, not -1"),
    ],
)
def test_what_is_wrong_with_a_parameter_is_said_of_that_one_alone(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        Relay(**{"address": MEMORY, **given})
    assert str(caught.value) == sentence


def test_a_child_process_is_told_that_the_relay_is_its_parents() -> None:
    with Relay(MEMORY, "parent") as relay:
        read, write = os.pipe()
        if os.fork() == 0:
            for call in (
                lambda: relay.publish("a/b", Var(1)),
                lambda: relay.counts,
                lambda: relay.mirror("a/b/c", int),
            ):
                try:
                    call()
                except ValueError as error:
                    os.write(write, f"{error}\n".encode())
            os._exit(0)
        os.wait()
        sentence = "this relay is the parent process's, which has its connection: make one here\n"
        assert os.read(read, 4096).decode() == sentence * 3
        os.close(read)
        os.close(write)


def test_a_relay_that_nothing_keeps_warns_of_what_ends_with_it() -> None:
    with pytest.warns(
        ResourceWarning, match="nothing keeps <Relay .*what it publishes and mirrors: climate/temperature"
    ):
        Relay(MEMORY, "dropped").publish("climate/temperature", Var(20.5))
        gc.collect()
    with pytest.warns(ResourceWarning, match="mirrors: dropped/climate/temperature"):
        Relay(MEMORY).mirror("dropped/climate/temperature", float)
        gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Relay(MEMORY)
        closed = Relay(MEMORY, "closed")
        closed.publish("a/b", Var(1))
        closed.close()
        del closed
        gc.collect()


def test_the_lines_of_the_readmes_run_as_they_stand() -> None:
    lines = os.path.join(os.path.dirname(__file__), "../TestSupport/relay_lines.py")
    top = os.path.join(os.path.dirname(__file__), "../..")
    for document in ("bindings/relays.md", "bindings/python/README.md"):
        done = subprocess.run(
            [sys.executable, "-W", "error", lines, os.path.join(top, document)], stdout=subprocess.PIPE, text=True
        )
        assert done.returncode == 0 and done.stdout.endswith("its lines of relays run: 20.5\n")

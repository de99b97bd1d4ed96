# SPDX-License-Identifier: MIT
"""The example of an ACL for mosquitto, and somebody who is let in and means harm."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest

from swiftobserver import Messenger, Var

test_relay = pytest.importorskip("test_relay")
from test_relay import Relay, broker_with, ready, tool, until  # noqa: E402

ACL = Path(__file__).parents[2] / "bindings/mqtt/devices.acl"
USERS = ("kitchen", "attic", "hall", "homeassistant", "janitor", "+", "#")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[str]:
    """A broker that knows the users, whose passwords are their names."""
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    for user in USERS:
        subprocess.run([tool("mosquitto_passwd"), "-b", str(passwords), user, user], capture_output=True, check=True)
    configuration = ["allow_anonymous false", f"password_file {passwords}", f"acl_file {ACL}"]
    with broker_with(tmp_path, *configuration) as made:
        yield made


def relay(place: str, user: str, device: Any = None, **more: Any) -> Relay:
    return Relay(f"mqtt://{place}", device, user=user, password=user, first_retry=0.01, last_retry=0.05, **more)


def attempt(place: str, user: str, topic: str, message: str, *options: str) -> str:
    """What the broker says of a message."""
    port = place.rpartition(":")[2]
    command = [tool("mosquitto_pub"), "-V", "5", "-p", port, "-q", "1", "-u", user, "-P", user, "-t", topic, *options]
    done = subprocess.run([*command, "-m", message], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


FORGED = [
    ("$state", "lost"),
    ("$state", ""),
    ("$description", '{"homie":"5.0","version":1,"nodes":{}}'),
    ("$description", ""),
    ("climate/temperature", "99"),
    ("climate/temperature", ""),
    ("climate/temperature/$target", "99"),
    ("climate/temperature/set", "99"),
    ("climate/new", "1"),
    ("door/bell", "ding"),
    ("$alert/fire", "now"),
]


@pytest.mark.parametrize("user", ["attic", "+", "#"])
def test_who_has_another_device_changes_nothing_of_this_one(place: str, user: str) -> None:
    temperature, bell = Var(20.5), Messenger[str]()
    with relay(place, "kitchen", "kitchen", discovery="homeassistant") as owner, relay(place, "hall") as reader:
        owner.publish("climate/temperature", temperature, settable=True)
        owner.publish("door/bell", bell, str)
        mirror = reader.mirror("kitchen/climate/temperature", float)
        state = reader.mirror("kitchen/$state", str)
        heard: list[str] = []
        rings = reader.mirror_messenger("kitchen/door/bell", str)
        rings.observe(heard.append)
        values: list[Any] = []
        mirror.observe(lambda update: values.append(update.new))
        until(mirror, lambda now: now == 20.5)
        ready(owner, reader)
        for topic, message in FORGED:
            for options in ([], ["-r"]):
                said = attempt(place, user, f"homie/5/kitchen/{topic}", message, *options)
                assert "Not authorized" in said, (topic, message)
        assert "Not authorized" in attempt(place, user, "homeassistant/device/kitchen/config", "{}", "-r")
        # A will is published when its program has gone.
        will = ["--will-topic", "homie/5/kitchen/$state", "--will-payload", "lost", "--will-retain"]
        attempt(place, user, "homie/5/kitchen/climate/temperature", "99", *will)
        # In the device's name, without its password.
        port = place.rpartition(":")[2]
        stolen = subprocess.run(
            [
                tool("mosquitto_pub"),
                "-p",
                port,
                "-u",
                "kitchen",
                "-P",
                user,
                "-t",
                "homie/5/kitchen/$state",
                "-m",
                "lost",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert stolen.returncode != 0
        # What the owner sends after all that comes after it.
        temperature.value = 21.0
        bell.send("end")
        until(mirror, lambda now: now == 21.0)
        while heard != ["end"]:
            assert set(heard) <= {"end"}
        assert temperature.value == 21.0 and state.value == "ready"
        assert [value for value in values if value is not None] == [20.5, 21.0]


def test_who_may_ask_asks_and_no_more(place: str) -> None:
    temperature = Var(20.5)
    with relay(place, "kitchen", "kitchen") as owner, relay(place, "hall") as asks, relay(place, "attic") as may_not:
        owner.publish("climate/temperature", temperature, settable=True)
        mirror = asks.mirror("kitchen/climate/temperature", float)
        vain = may_not.mirror("kitchen/climate/temperature", float)
        until(mirror, lambda now: now == 20.5)
        until(vain, lambda now: now == 20.5)
        ready(owner, asks, may_not)
        mirror.value = 22.0
        until(temperature, lambda now: now == 22.0)
        until(vain, lambda now: now == 22.0)
        vain.value = 30.0
        # Mosquitto 2.0.11 closes the connection after its answer. The kernel throws the answer away if something that
        # it has not read has come meanwhile: then the relay knows how much was lost, but not why.
        until(may_not.state, lambda state: "Not authorized" in state or "1 dropped" in state)
        until(vain, lambda now: now == 22.0)
        assert temperature.value == 22.0
        for topic, message in FORGED:
            if not topic.endswith("/set"):
                assert "Not authorized" in attempt(place, "hall", f"homie/5/kitchen/{topic}", message, "-r")


def test_a_device_of_another_name_is_told_that_nothing_of_it_is_taken(place: str) -> None:
    with relay(place, "attic", "kitchen") as impostor:
        impostor.publish("climate/temperature", Var(99.0))
        until(impostor.state, lambda state: "dropped" in state and "Not authorized" in state)


def test_the_janitor_takes_away_what_a_device_has_left(place: str) -> None:
    with relay(place, "kitchen", "kitchen") as owner:
        owner.publish("climate/temperature", Var(20.5))
        ready(owner)
    with relay(place, "attic") as reader, relay(place, "janitor") as janitor:
        mirror = reader.mirror("kitchen/climate/temperature", float)
        until(mirror, lambda now: now == 20.5)
        reader.remove("kitchen")
        until(reader.state, lambda state: "Not authorized" in state)
        assert mirror.value == 20.5
        janitor.remove("kitchen")
        until(mirror, lambda now: now is None)

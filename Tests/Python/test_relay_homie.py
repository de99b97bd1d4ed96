# SPDX-License-Identifier: MIT
"""What the convention Homie 5 asks of devices, as another program sees it: the table is in Tests/C/relay/homie.md."""

from __future__ import annotations

import json
import subprocess
from typing import Any, Iterator, NamedTuple

import pytest

from swiftobserver import Messenger, Var

test_relay = pytest.importorskip("test_relay")
from test_relay import Relay, broker, ready, tool, until  # noqa: E402, F401


class Message(NamedTuple):
    topic: str
    retained: str
    quality: str
    payload: str


class Recorder:
    """A plain client that writes down all that is sent, in order."""

    def __init__(self, address: str) -> None:
        port = address.rpartition(":")[2]
        with Relay(address, first_retry=0.01, last_retry=0.05) as broker_is_there:
            ready(broker_is_there)
        self._process = subprocess.Popen(
            [tool("mosquitto_sub"), "-V", "5", "-p", port, "-t", "homie/5/#", "-t", "begun", "-q", "2"]
            + ["-F", "%t|%r|%q|%p"],
            stdout=subprocess.PIPE,
            text=True,
        )
        publish = [tool("mosquitto_pub"), "-p", port, "-r", "-t", "begun", "-m", "now"]
        subprocess.run(publish, check=True)
        assert self.next().topic == "begun"

    def next(self) -> Message:
        assert self._process.stdout is not None
        return Message(*self._process.stdout.readline().rstrip("\n").split("|", 3))

    def until(self, topic: str, payload: str) -> list[Message]:
        """What comes, up to a message."""
        messages = []
        while not messages or (messages[-1].topic, messages[-1].payload) != (topic, payload):
            messages.append(self.next())
        return messages

    def until_ready_with(self, topic: str) -> list[Message]:
        """What comes between two times that the device is ready, of which the second has a topic. A relay that connects
        before it publishes is ready without it."""
        while True:
            messages = self.until(STATE, "ready")
            if topic in [message.topic for message in messages]:
                return messages

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def recorder(broker: str) -> Iterator[Recorder]:  # noqa: F811
    made = Recorder(broker)
    yield made
    made.end()


STATE, DESCRIPTION = "homie/5/kitchen/$state", "homie/5/kitchen/$description"


def test_a_device_is_ready_after_all_its_values_are_sent_and_again_after_those_of_what_is_added(
    broker: str,  # noqa: F811
    recorder: Recorder,
) -> None:
    with Relay(broker, "kitchen") as relay:
        relay.publish("climate/temperature", Var(20.5), settable=True)
        first = [each.topic for each in recorder.until_ready_with("homie/5/kitchen/climate/temperature")]
        assert first.index(DESCRIPTION) < first.index("homie/5/kitchen/climate/temperature")
        for number in range(5):
            relay.publish(f"more/p{number}", Var(number))
            added = recorder.until(STATE, "ready")
            assert [message.payload for message in added if message.topic == STATE] == ["init", "ready"]
            assert f"homie/5/kitchen/more/p{number}" in [message.topic for message in added]
        # Three hundred of them take several messages to subscribe.
        many = [Var(number) for number in range(300)]
        for number, variable in enumerate(many):
            relay.publish(f"many/p{number}", variable, settable=True)
        seen: set[str] = set()
        while len([topic for topic in seen if "/many/" in topic]) < len(many):
            seen |= {message.topic for message in recorder.until(STATE, "ready")}
    assert [message.payload for message in recorder.until(STATE, "disconnected")][-1] == "disconnected"


def test_versions_of_the_description_only_go_up_also_after_another_start(
    broker: str,  # noqa: F811
    recorder: Recorder,
) -> None:
    versions: list[int] = []

    def note(messages: list[Message]) -> None:
        described = [json.loads(message.payload) for message in messages if message.topic == DESCRIPTION]
        versions.extend(each["version"] for each in described)

    for number in range(3):
        with Relay(broker, "kitchen") as relay:
            relay.publish("light/on", Var(True))
            note(recorder.until(STATE, "ready"))
            relay.publish(f"light/level-{number}", Var(1))
            note(recorder.until(STATE, "ready"))
            relay.withdraw(f"light/level-{number}")
            note(recorder.until(STATE, "ready"))
        note(recorder.until(STATE, "disconnected"))
    assert versions == sorted(set(versions)) and len(versions) >= 9
    # A clock that was ahead when the program ran before.
    ahead = 2**52
    old = json.dumps({"homie": "5.0", "version": ahead, "name": "kitchen", "nodes": {}})
    port = broker.rpartition(":")[2]
    subprocess.run([tool("mosquitto_pub"), "-p", port, "-r", "-t", DESCRIPTION, "-m", old], check=True)
    recorder.until(DESCRIPTION, old)
    with Relay(broker, "kitchen") as relay:
        relay.publish("light/on", Var(True))
        while not versions or versions[-1] <= ahead:
            note(recorder.until(STATE, "ready"))


@pytest.mark.parametrize(
    "value, text",
    [(1e20, "1e20"), (-1.5e300, "-1.5e300"), (0.1, "0.1"), (1e-7, "1e-07"), (5e-324, "4.94065645841247e-324")],
)
def test_a_float_has_digits_a_minus_a_point_and_an_e_alone(
    broker: str,  # noqa: F811
    recorder: Recorder,
    value: float,
    text: str,
) -> None:
    with Relay(broker, "kitchen") as relay, Relay(broker) as other:
        relay.publish("a/b", Var(value))
        mirror = other.mirror("kitchen/a/b", float)
        until(mirror, lambda now: now == value)
        topic = "homie/5/kitchen/a/b"
        # An empty one takes away what a program before has left there.
        payloads = [each.payload for each in recorder.until_ready_with(topic) if each.topic == topic and each.payload]
        assert payloads[0] == text


@pytest.mark.parametrize("text", ["%f" % 1e100, "0." + "3" * 500, "1e+20", "-" + "9" * 300, "1E5"])
def test_a_float_is_read_however_long_it_is(broker: str, text: str) -> None:  # noqa: F811
    port = broker.rpartition(":")[2]
    with Relay(broker, first_retry=0.01, last_retry=0.05) as relay:
        mirror = relay.mirror("other/a/b", float)
        ready(relay)
        subprocess.run([tool("mosquitto_pub"), "-p", port, "-r", "-t", "homie/5/other/a/b", "-m", text], check=True)
        until(mirror, lambda now: now == float(text))


def test_events_are_not_retained_and_sent_reliably_as_the_header_says(
    broker: str,  # noqa: F811
    recorder: Recorder,
) -> None:
    with Relay(broker, "kitchen") as relay:
        bell: Messenger[str] = Messenger()
        relay.publish("door/bell", bell, str)
        recorder.until(STATE, "ready")
        ready(relay)
        bell.send("ding")
        event = recorder.until("homie/5/kitchen/door/bell", "ding")[-1]
        assert (event.retained, event.quality) == ("0", "1")


def test_a_device_can_be_taken_away_for_good(broker: str, recorder: Recorder) -> None:  # noqa: F811
    with Relay(broker, "kitchen") as relay:
        relay.publish("light/on", Var(True))
        relay.publish("climate/temperature", Var(20.5))
        ready(relay)
        with pytest.raises(ValueError, match="device must be the name of another device, not 'kitchen'"):
            relay.remove("kitchen")
    with Relay(broker) as other:
        mirror = other.mirror("kitchen/light/on", bool)
        state: Var[Any] = other.mirror("kitchen/$state", str)
        until(mirror, lambda now: now is True)
        other.remove("kitchen")
        until(mirror, lambda now: now is None)
        until(state, lambda now: now is None)
    port = broker.rpartition(":")[2]
    left = subprocess.run(
        [tool("mosquitto_sub"), "-p", port, "-t", "homie/5/#", "-t", "begun", "-C", "1", "-v"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert left.stdout == "begun now\n"


def test_units_ranges_choices_titles_alerts_and_sleep_are_told(broker: str, recorder: Recorder) -> None:  # noqa: F811
    with Relay(broker, "kitchen") as relay, Relay(broker) as other:
        warmth, mode = Var(20.5), Var("eco")
        relay.publish("climate/warmth", warmth, settable=True, unit="°C", format="5:30:0.5", title="Warmth")
        relay.publish("climate/mode", mode, settable=True, format=("off", "eco", "comfort"))
        relay.publish("climate/on", Var(True), format="off,on")
        relay.alert("battery", "low")
        messages = recorder.until_ready_with("homie/5/kitchen/climate/on")
        while not any(message.topic.endswith("$alert/battery") for message in messages):
            messages.append(recorder.next())
        described = [json.loads(message.payload) for message in messages if message.topic == DESCRIPTION][-1]
        properties = described["nodes"]["climate"]["properties"]
        assert properties["warmth"] == {
            "name": "Warmth",
            "datatype": "float",
            "settable": True,
            "retained": True,
            "unit": "°C",
            "format": "5:30:0.5",
        }
        assert (properties["mode"]["datatype"], properties["mode"]["format"]) == ("enum", "off,eco,comfort")
        assert (properties["on"]["datatype"], properties["on"]["format"]) == ("boolean", "off,on")
        mirror: Var[Any] = other.mirror("kitchen/climate/mode", str)
        until(mirror, lambda now: now == "eco")
        ready(other)
        mirror.value = "warm"
        until(mirror, lambda now: now == "eco")
        mirror.value = "off"
        until(mode, lambda now: now == "off")
        relay.sleep()
        recorder.until(STATE, "sleeping")
        relay.alert("battery", None)
        recorder.until("homie/5/kitchen/$alert/battery", "")
        for name, format, sentence in (
            ("a/b", "5", "format must be min:max or min:max:step, as in \"0:100:5\", not '5'"),
            ("a/b", "9:1", "format must be min:max or min:max:step, as in \"0:100:5\", not '9:1'"),
        ):
            with pytest.raises(ValueError) as caught:
                relay.publish(name, Var(1), format=format)
            assert str(caught.value) == sentence
        with pytest.raises(ValueError, match="format must be different texts, none empty, not 'a,,b'"):
            relay.publish("a/b", Var("a"), format="a,,b")
        with pytest.raises(ValueError, match="name must be made of small letters, digits and hyphens, not 'B'"):
            relay.alert("B", "low")
        with pytest.raises(ValueError, match="a relay without a device has no alerts"):
            other.alert("battery", "low")

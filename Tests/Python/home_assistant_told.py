# SPDX-License-Identifier: MIT
"""Prints what Home Assistant is told of a device that has one of each kind: an object of topics and payloads."""

from __future__ import annotations

import json
import threading

from swiftobserver import Messenger, Var
from swiftobserver.relay import Relay

VARIABLES = {
    "climate/target": (20.5, {"settable": True, "unit": "°C", "format": "5:30:0.5", "title": "Warmth"}),
    "climate/temperature": (20.5, {"unit": "°C"}),
    "count/any": (5, {"settable": True}),
    "count/some": (5.5, {"settable": True, "format": ":9"}),
    "door/open": (False, {}),
    "heating/mode": ("eco", {"settable": True, "format": ("off", "eco")}),
    "heating/now": ("off", {"format": ("off", "on")}),
    "light/level": (5, {"settable": True, "unit": "%", "format": "0:100:5"}),
    "light/on": (True, {"settable": True, "format": "off,on"}),
    "note/seen": ("a", {}),
    "note/text": ("a", {"settable": True}),
}

told: dict[str, str] = {}
is_complete = threading.Event()


def note(line: str) -> None:
    topic, _, payload = line.partition(" ")
    told[topic] = payload
    if len(json.loads(payload)["cmps"]) == len(VARIABLES) + 1:
        is_complete.set()


with Relay("memory:home", "kitchen", title="Kitchen", discovery="homeassistant") as relay, Relay("memory:home") as home:
    home.watch("homeassistant/#").observe(note)
    bell: Messenger[str] = Messenger()
    relay.publish("door/bell", bell, str)
    for name, (value, about) in VARIABLES.items():
        relay.publish(name, Var(value), **about)  # type: ignore[arg-type]
    is_complete.wait()
print(json.dumps(told))

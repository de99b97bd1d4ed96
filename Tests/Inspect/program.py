# SPDX-License-Identifier: MIT
"""The same as program.c, as far as the tests of both need it."""

from __future__ import annotations

import sys
from typing import Any

from swiftobserver import Messenger, Update, Var, derived

clicks: Messenger[int] = Messenger(name="clicks")
width = Var(1, name="width")
height = Var(3, name="height")
title = Var("<b>bold</b>", name="title")
things: Var[Any] = Var([1, 2], name="things")


@derived
def area() -> int:
    return width.value * height.value


@derived
def is_large() -> bool:
    return bool(area.value > 1000)


area.name, is_large.name = "area", "is large"


def resize(count: int) -> None:
    width.value = count


def draw(update: Update[int]) -> None:
    print("width", update.new, flush=True)


def hear(update: Any) -> None:
    """Nothing more."""


kept = [
    clicks.observe(resize),
    width.observe(draw),
    area.observe(hear),
    is_large.observe(hear),
    title.observe(hear),
    things.observe(hear),
]
print("ready", flush=True)
count = 100
for line in sys.stdin:
    if line == "click\n":
        clicks.send(count)
        count += 1
    if line == "relay\n":
        # Lazy: programs without relays have no need of their library.
        from swiftobserver.relay import Relay

        shed = Relay("memory:garden", device="shed")
        shed.publish("size/width", width)
        shed.publish("size/title", title)
        kept.append(shed.mirror("house/door/open", bool))  # type: ignore[arg-type]
    if line == "object\n":
        things.value = object()
    print(f"did {line}", end="", flush=True)

# SPDX-License-Identifier: MIT
"""A garden that waters itself, to be looked at: `make demo-inspect`."""

from __future__ import annotations

import itertools
import math
import time

from swiftobserver import Messenger, Update, Var, derived, effect

hours: Messenger[int] = Messenger(name="hours")
moisture = Var(40, name="moisture")
temperature = Var(18, name="temperature")
threshold = Var(35, name="threshold")
pump = Var(False, name="pump")
log: Messenger[str] = Messenger(name="log")


@derived
def thirst() -> float:
    return threshold.value + temperature.value / 4 - moisture.value


@derived
def needs_water() -> bool:
    return thirst.value > (-8 if pump.value else 0)


thirst.name, needs_water.name = "thirst", "needs water"


def heat(hour: int) -> None:
    temperature.value = round(18 + 9 * math.sin(hour / 4))


def dry_or_water(hour: int) -> None:
    moisture.value += 4 if pump.value else -1 - temperature.value // 12


def draw(update: Update[int]) -> None:
    """Would draw a gauge."""


def tell(update: Update[bool]) -> None:
    log.send("the pump runs" if update.new else "the pump rests")


@effect
def control() -> None:
    pump.value = needs_water.value


warnings = log.filter(lambda line: "runs" in line)
kept = [
    hours.observe(heat),
    hours.observe(dry_or_water),
    moisture.observe(draw),
    temperature.observe(draw),
    pump.observe(tell),
    log.observe(str),
    warnings.observe(str),
]
for hour in itertools.count():
    hours.send(hour)
    time.sleep(0.5)

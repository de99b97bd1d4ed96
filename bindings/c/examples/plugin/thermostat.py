# SPDX-License-Identifier: MIT
"""A thermostat, as a plug-in of the C program beside it: it heats when it is cold, until it is warm."""

from __future__ import annotations

from swiftobserver import Observer, Update, Var

COLD, WARM = 19, 21


class Thermostat:
    """Switches the heating, unless it has been switched by hand: then not before the temperature is pleasant."""

    def __init__(self, temperature: Var[float | None], heating: Var[bool]) -> None:
        self.heating = heating
        self.is_overruled = False
        # Ends its observations when the thermostat goes.
        self.observer = Observer()
        self.observer.observe(temperature, self.decide)
        self.observer.observe(heating, self.notice)

    def decide(self, update: Update[float | None]) -> None:
        """On a new temperature."""
        degrees = update.new
        if degrees is None:
            return
        if COLD <= degrees <= WARM:
            self.is_overruled = False
        elif not self.is_overruled:
            self.heating.set(degrees < COLD, author=self)

    def notice(self, update: Update[bool], author: object) -> None:
        """On a switch, by any author."""
        self.is_overruled = author is not self


def plug_in(temperature: Var[float | None], heating: Var[bool]) -> Thermostat:
    """Is called once. What it returns is kept until the program ends."""
    return Thermostat(temperature, heating)

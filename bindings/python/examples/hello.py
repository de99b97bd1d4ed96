# SPDX-License-Identifier: MIT
"""The first program: one observes, one sends."""

from swiftobserver import Messenger, Var

names: Messenger[str] = Messenger()


@names.observe
def greet(name: str) -> None:
    print(f"hello, {name}")


names.send("world")

volume = Var(3)

with volume.observe(lambda update: print(f"volume: {update.old} -> {update.new}")):
    volume.value = 4

volume.value = 5

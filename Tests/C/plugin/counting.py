# SPDX-License-Identifier: MIT
"""Adds to a number on two threads, and notes what it has seen of it, in order."""

import builtins
import threading


def plug_in(number, seen, rounds):
    count = rounds.value

    def add():
        for _ in range(count):
            number.update(lambda old: old + 1)

    before = None

    def notice(update):
        nonlocal before
        if before is not None and update.old != before:
            raise ValueError(f"{update} comes after {before}")
        before = update.new
        seen.value = update.new

    number.observe(notice)
    threads = [threading.Thread(target=add) for _ in range(2)]
    for thread in threads:
        thread.start()
    builtins.adding = threads
    return number

# SPDX-License-Identifier: MIT
"""Waits for the threads of counting.py, whose last sends may still be delivering."""

import builtins


def plug_in():
    for thread in builtins.adding:
        thread.join()
    del builtins.adding

# SPDX-License-Identifier: MIT
"""Symbols: one object for each name, also where it is copied or pickled."""


class Symbol:
    """The only object of its name."""

    _all = {}

    def __new__(cls, name):
        return cls._all.setdefault(name, super().__new__(cls))

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def __getnewargs__(self):
        return (self.name,)

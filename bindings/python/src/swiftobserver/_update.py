# SPDX-License-Identifier: MIT
"""The message of a variable."""

from __future__ import annotations

from ._typing import Generic, NamedTuple, TypeVar

Content = TypeVar("Content")


class Update(NamedTuple, Generic[Content]):
    """The value of a variable before and after a change.

    >>> Update(1, 2).new
    2
    """

    old: Content
    new: Content

# SPDX-License-Identifier: MIT
"""The message of a variable."""

from __future__ import annotations

import sys
from collections import namedtuple
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

Content = TypeVar("Content")

if TYPE_CHECKING or sys.version_info >= (3, 11):

    class Update(NamedTuple, Generic[Content]):
        """The value of a variable before and after a change.

        >>> Update(1, 2).new
        2
        """

        old: Content
        new: Content

else:

    class Update(namedtuple("Update", "old new")):
        """The value of a variable before and after a change.

        >>> Update(1, 2).new
        2
        """

        __slots__ = ()

        # A named tuple cannot be generic before Python 3.11, and only type checkers care.
        def __class_getitem__(cls, item: Any) -> Any:
            return cls

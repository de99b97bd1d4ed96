# SPDX-License-Identifier: MIT
"""What transforms do with one message after the other. Their state needs no lock: calls never overlap."""

from __future__ import annotations

from ._typing import Any, Callable, Hashable, Tuple

Predicate = Callable[[Any], bool]

_NOTHING: Any = object()


def is_not_none(message: Any) -> bool:
    """Of `unwrap`."""
    return message is not None


def replacing_none(default: Any) -> Callable[[Any], Any]:
    """Of `unwrap` with a default."""
    return lambda message: default if message is None else message


def equals(selected: Any) -> Predicate:
    """Of `select`."""
    return lambda message: bool(message == selected)


def counted(count: int, parameter: str = "count") -> int:
    """A number of messages, or `TypeError` or `ValueError`."""
    if type(count) is not int:
        raise TypeError(f"{parameter} must be an int, not {type(count).__name__}")
    if count < 0:
        raise ValueError(f"{parameter} must not be negative: {count}")
    return count


def is_among_the_first(count: int) -> Predicate:
    """Of `take`."""
    remaining = counted(count)

    def take(message: Any) -> bool:
        nonlocal remaining
        if remaining == 0:
            return False
        remaining -= 1
        return True

    return take


def is_beyond_the_first(count: int) -> Predicate:
    """Of `skip`."""
    take = is_among_the_first(count)
    return lambda message: not take(message)


def is_no_repeat() -> Predicate:
    """Of `skip_repeats`."""
    previous = _NOTHING

    def skip_repeats(message: Any) -> bool:
        nonlocal previous
        before, previous = previous, message
        return before is _NOTHING or not (before is message or before == message)

    return skip_repeats


def is_unique() -> Predicate:
    """Of `unique_values`."""
    seen: set[Hashable] = set()

    def unique_values(message: Any) -> bool:
        if message in seen:
            return False
        seen.add(message)
        return True

    return unique_values


def pairing_with_previous() -> Callable[[Any], Tuple[Any, Any]]:
    """Of `with_previous`."""
    previous: Any = None

    def with_previous(message: Any) -> Tuple[Any, Any]:
        nonlocal previous
        before, previous = previous, message
        return before, message

    return with_previous

# SPDX-License-Identifier: MIT
"""The fixtures that pytest has where swiftobserver is installed: `assert_sent` and `assert_not_sent`.

    def test_a_louder_volume_is_sent(assert_sent):
        with assert_sent(player.volume.new(), 11):
            player.turn_up()

Beside the package, not in it: pytest imports this in every run, and is to import no more than this. The package, which
needs its library, and whose lines somebody may want to count, is imported by who asks for a fixture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pytest

if TYPE_CHECKING:
    from swiftobserver import Observable
    from swiftobserver.testing import Expectation

Message = TypeVar("Message")


class AssertSent(Protocol):
    """The type of the fixture `assert_sent`."""

    def __call__(
        self, observable: Observable[Message], *messages: Any, timeout: float | None = None
    ) -> Expectation[Message]:
        """`swiftobserver.testing.assert_sent`"""


class AssertNotSent(Protocol):
    """The type of the fixture `assert_not_sent`."""

    def __call__(self, observable: Observable[Message], *, timeout: float | None = None) -> Expectation[Message]:
        """`swiftobserver.testing.assert_not_sent`"""


@pytest.fixture(name="assert_sent")
def _assert_sent() -> AssertSent:
    """Within its block an observable sends exactly the messages that are given: `swiftobserver.testing.assert_sent`."""
    from swiftobserver.testing import assert_sent

    return assert_sent


@pytest.fixture(name="assert_not_sent")
def _assert_not_sent() -> AssertNotSent:
    """Within its block an observable sends nothing: `swiftobserver.testing.assert_not_sent`."""
    from swiftobserver.testing import assert_not_sent

    return assert_not_sent

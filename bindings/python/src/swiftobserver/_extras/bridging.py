# SPDX-License-Identifier: MIT
"""Takes what lives in Python alone to where C code can reach it."""

from __future__ import annotations

import threading
from typing import Any

from .._core.messenger import Messenger
from .._library.threads import RLock
from .._operators.methods import Observable
from .._values.encoding import Update, plain
from .._values.var import Var


class Bridge:
    """Has an observable of C's send what one of Python's sends, until it is stopped.

    observable --observation--> bridge --> native
    """

    def __init__(self, observable: Observable[Any], is_settable: bool) -> None:
        self._observable, self._is_variable = observable, isinstance(observable, Var)
        self._lock = RLock()
        self.native: Observable[Any]
        try:
            self.native = Var(plain(_content(observable.latest_message)), native=True)
        except TypeError:
            self.native = Messenger(native=True)
        self._is_settable = is_settable

    def begin(self) -> None:
        """Begins to pass on, from now on and what is there now."""
        replay = 1 if isinstance(self.native, Var) else None
        self._observations = [self._observable.observe(self._pass_on, weak=False, replay=replay)]
        if self._is_settable:
            self._observations.append(self.native.observe(self._ask, weak=False))

    def stop(self) -> None:
        """Ends that."""
        for observation in self._observations:
            observation.stop()

    def _pass_on(self, message: Any) -> None:
        if not isinstance(self.native, Var):
            self.native.send(plain(message))  # type: ignore[attr-defined]
        elif self._is_variable:
            self._settle()
        else:
            self.native.set(plain(_content(message)), author=self)

    def _settle(self) -> None:
        # Read and set as one step, so that the last one to come here brings the last value.
        with self._lock:
            self.native.set(plain(self._observable.value), author=self)  # type: ignore[attr-defined]

    def _ask(self, update: Update[Any], author: Any) -> None:
        if author is self:
            return
        try:
            self._observable.set(update.new, author=author)  # type: ignore[attr-defined]
        except Exception as error:
            # The one who asked is another program.
            threading.excepthook(threading.ExceptHookArgs((type(error), error, None, threading.current_thread())))
        # A validator may have made another value of it, or refused it.
        self._settle()


def _content(message: Any) -> Any:
    return message.new if isinstance(message, Update) else message

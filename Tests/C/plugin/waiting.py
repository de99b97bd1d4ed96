# SPDX-License-Identifier: MIT
"""Asks, and waits for an answer, which cannot come on this thread."""

import threading


def plug_in(question, answer):
    is_answered = threading.Event()
    answer.observe(lambda update: is_answered.set())
    question.value = 1
    if not is_answered.wait(60):
        raise TimeoutError("nobody answers")

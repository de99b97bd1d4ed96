# SPDX-License-Identifier: MIT
"""The tests that PyPy is not given, and why; beside those for the main Python alone, of which the Makefile knows."""

from __future__ import annotations

import re

_STACK = (
    "its stack ends by bytes, of which a call takes as many as its compiler likes; where a callback of ctypes cannot "
    "begin for want of stack, the error is printed and can reach no code"
)
_ONE_LINK = "a collection releases one link of a chain"

# By the beginning of a test's name, with parameters where only some of them do not apply.
REASONS = {
    "test_attributes.py::test_an_object_without_room_for_observables_is_told_how_to_make_some[Unreferable]": (
        "every object of a class written in Python can be referred to weakly"
    ),
    "test_c_side.py::test_a_c_observer_is_given_any_other_object_by_its_address": (
        "objects move: C code is given a number that stands for the object, and passes it back"
    ),
    "test_errors.py::test_a_failure_where_the_stack_ends_reaches_the_sender": _STACK,
    "test_errors.py::test_wherever_the_stack_ends_nothing_counts_as_sending_afterwards": _STACK,
    "test_errors.py::test_whatever_was_seen_to_before_a_failure_where_the_stack_ends_is_told": _STACK,
    "test_errors.py::test_a_failure_at_the_end_of_a_long_chain_reaches_the_first_sender": _STACK,
    "test_errors.py::test_a_failure_at_the_end_of_a_long_chain_of_variables_reaches_the_setter": _STACK,
    "test_handlers.py::test_a_method_whose_object_cannot_be_referred_to_weakly_is_held_strongly": (
        "every object of a class written in Python can be referred to weakly"
    ),
    "test_handlers.py::test_only_a_method_can_be_held_weakly[append": (
        "methods of built-in objects are bound methods like others; that a list cannot be referred to weakly is told"
    ),
    "test_transforms.py::test_the_latest_message_of_a_long_chain_takes_no_stack": _ONE_LINK,
    "test_derived.py::test_a_chain_is_made_read_set_observed_and_released": _ONE_LINK,
    "test_transforms.py::test_a_long_chain_is_released_without_recursion": _ONE_LINK,
    "test_library.py::test_only_the_functions_that_wait_let_go_of_the_interpreter_lock": (
        "ctypes has no way to call a function with the interpreter lock held"
    ),
}


def reason(item):
    """Why a test is left out; empty if it is not."""
    name = re.sub("^.*/", "", item.nodeid)
    return next((why for beginning, why in REASONS.items() if name.startswith(beginning)), "")

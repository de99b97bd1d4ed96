# SPDX-License-Identifier: MIT
"""The C headers for ctypes: structs, callback types and functions. Tests compare them with what a C compiler says.

A function has the name of the header without the prefix `swo_`. To bind another one, add a line to `_FUNCTIONS`.

Python calls the functions with the interpreter lock held: taking it again for every handler would cost more than the
handler; with a busy second thread, a switch interval each time. That cannot block, as the library holds no lock while
it calls anything. Only `stop_and_wait` waits, and lets go of the interpreter lock; so does a send that has delivered
for other threads for long, when it offers them the rest. It follows that a Python sender must not call a C handler that
waits for a Python thread.
"""

from __future__ import annotations

import sys
from ctypes import (
    POINTER,
    Structure,
    Union,
    addressof,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint64,
    c_void_p,
)

from .environment import __version__, load, refuse
from .typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.implementation.name == "cpython":
    from . import cpython as _interpreter
else:
    from . import pypy as _interpreter

# What differs between the two.
interpreter = _interpreter
CFUNCTYPE, PyDLL, py_object = interpreter.CFUNCTYPE, interpreter.PyDLL, interpreter.py_object

KIND_NULL, KIND_BOOL, KIND_INT64, KIND_DOUBLE, KIND_TEXT, KIND_BYTES, KIND_OBJECT, KIND_UPDATE, KIND_LIST = range(9)

OK = 0
INVALID_ARGUMENT = -1
WRONG_KIND = -2
NOT_FOUND = -3
INVALID_TEXT = -4
NO_MEMORY = -5
CALLBACK_FAILED = -6
WRONG_THREAD = -7
CONFLICT = -9
REFUSED = -11
NO_RESOURCES = -12
DECLINED = -13

# Contexts are Python objects, and the library hands them back as such: no table, no key. A context
# is kept alive until the library destroys it (_library/ownership.py), so the pointer never dangles.
HANDLER = CFUNCTYPE(None, py_object, c_void_p, c_void_p)
DESTROY = CFUNCTYPE(None, py_object)
ON_DEMAND = CFUNCTYPE(None, py_object)
MAPPER = CFUNCTYPE(c_int32, py_object, c_void_p, c_void_p)
PREDICATE = CFUNCTYPE(c_bool, py_object, c_void_p)
UPDATER = CFUNCTYPE(c_int32, py_object, c_void_p, c_void_p)
RETAIN = CFUNCTYPE(None, py_object)
RELEASE = CFUNCTYPE(None, py_object)
EQUAL = CFUNCTYPE(c_bool, py_object, py_object)
VISIT_OBSERVABLE = CFUNCTYPE(None, py_object, c_size_t, c_char_p, c_char_p)
VISIT_OBSERVATION = CFUNCTYPE(None, py_object, c_size_t, c_size_t, c_uint64, c_char_p)
FINDING = CFUNCTYPE(None, py_object, c_int32, c_void_p, c_char_p)


class ObjectType(Structure):
    """How the library handles objects of one language."""

    _fields_ = [("size", c_size_t), ("retain", RETAIN), ("release", RELEASE), ("equal", EQUAL)]


class Answers(Structure):
    """How the library calls functions, and what becomes of messages and answers. Pointers to functions and objects."""

    _fields_ = [
        ("size", c_size_t),
        *((name, c_void_p) for name in ("type", "call", "convert", "release", "take", "failed")),
        *((name, c_void_p) for name in ("resolve", "absent")),
    ]


class Call(Structure):
    """How `swo_call_send` sends."""

    _fields_ = [
        ("size", c_size_t),
        *((name, c_void_p) for name in ("observable", "type", "success", "failure", "progress")),
        ("status", c_int32),
    ]


class TraceOptions(Structure):
    """Options of answers and traces."""

    _fields_ = [("size", c_size_t), ("values", c_bool)]


class LintOptions(Structure):
    """How a lint judges."""

    _fields_ = [("size", c_size_t), ("slow", c_int64)]


class RuntimeLock(Structure):
    """How the library lets go of the interpreter lock, and takes it again."""

    _fields_ = [("size", c_size_t), *((name, c_void_p) for name in ("is_held", "release", "acquire"))]


class _Bytes(Structure):
    # A c_char_p keeps the bytes that it is given alive.
    _fields_ = [("data", c_char_p), ("size", c_size_t)]


class _Object(Structure):
    _fields_ = [("pointer", c_void_p), ("type", c_void_p)]


class _Variant(Union):
    # Other views: `start` of `data`, as an address; `reference` and `context` of `pointer`, as Python objects.
    _anonymous_ = ("bytes", "object")
    _fields_ = [
        ("boolean", c_bool),
        ("int64", c_int64),
        ("float64", c_double),
        ("bytes", _Bytes),
        ("object", _Object),
        ("update", c_void_p),
        ("start", c_void_p),
        ("reference", py_object),
        ("context", py_object),
    ]


class Value(Structure):
    """A value as the library sees it."""

    _anonymous_ = ("variant",)
    _fields_ = [("kind", c_int32), ("owned", c_int32), ("variant", _Variant)]


interpreter.complete(Value)


class ValuePair(Structure):
    """The update of a variable."""

    _fields_ = [("old_value", Value), ("new_value", Value)]


class ObserveOptions(Structure):
    """All that an observation can be told. Python needs no executor and no hooks."""

    _fields_ = [
        ("size", c_size_t),
        ("observer", c_void_p),
        ("executor", c_void_p),
        ("hooks", c_void_p),
        ("replay", c_size_t),
        ("once", c_bool),
        ("keeps_observable", c_bool),
        ("begins_on_executor", c_bool),
        ("name", c_char_p),
    ]


class GraphVisitor(Structure):
    """Functions that are called for each observable and each observation of a graph."""

    _fields_ = [("size", c_size_t), ("observable", VISIT_OBSERVABLE), ("observation", VISIT_OBSERVATION)]


LIBRARY = load(__version__)

_status, _address, _number = c_int32, c_void_p, c_uint64
_out_address, _out_number = POINTER(c_void_p), POINTER(c_uint64)

# Result and parameters of what Python calls. Tests say why it does without the others.
_FUNCTIONS: dict[str, Any] = {
    "version": (c_int32,),
    "version_text": (c_char_p,),
    "runtime_text": (c_char_p,),
    "status_text": (c_char_p, _status),
    "value_equal": (_status, _address, _address, POINTER(c_bool)),
    "value_copy": (_status, _address, _address),
    "value_clear": (None, _address),
    "messenger_new": (_address,),
    "observable_retain": (_address, _address),
    "observable_release": (None, _address),
    "send": (_status, _address, _address, _address),
    "send_later": (_status, _address, _address, _address),
    "observable_interrupt": (None, _address),
    "observable_set_budget": (_status, _address, c_size_t),
    "observable_set_ordered": (_status, _address, c_bool),
    "observable_confine": (_status, _address, _address),
    "variable_new": (_status, _address, _out_address),
    "deferred_variable_new": (_status, _address, _out_address),
    "variable_get": (_status, _address, _address),
    "variable_set": (_status, _address, _address, _address),
    "variable_update": (_status, _address, UPDATER, py_object, _address),
    "variable_begin_batch": (_status, _address),
    "variable_end_batch": (_status, _address),
    "observer_new": (_address,),
    "observer_release": (None, _address),
    "observer_stop": (_status, _address, _address),
    "observer_is_observing": (c_bool, _address, _address),
    "observer_count": (c_size_t, _address),
    "observe": (_status, _address, _address, HANDLER, py_object, DESTROY, _out_number),
    "observe_with": (_status, _address, _address, HANDLER, py_object, DESTROY, _out_number),
    "observe_answering": (
        *(_status, _address, _address, _address, py_object, py_object),
        *(py_object, DESTROY, _out_number),
    ),
    "call_send": (_address, _address, py_object),
    "stop": (_status, _number),
    "stop_and_wait": (_status, _number),
    "is_living": (c_bool, _number),
    "is_called_here": (c_bool, _number),
    "block": (_status, _number),
    "unblock": (_status, _number),
    "is_blocked": (c_bool, _number),
    "observable_block": (_status, _address),
    "observable_unblock": (_status, _address),
    "observable_is_blocked": (c_bool, _address),
    "observable_count": (c_size_t, _address),
    "observable_on_demand": (_status, _address, ON_DEMAND, ON_DEMAND, py_object, DESTROY),
    "observable_set_name": (_status, _address, c_char_p),
    "observable_name": (_status, _address, _address),
    "map": (_status, _address, MAPPER, py_object, DESTROY, _out_address),
    "filter": (_status, _address, PREDICATE, py_object, DESTROY, _out_address),
    "new_values": (_status, _address, _out_address),
    "cache": (_status, _address, _address, _out_address),
    "replay": (_status, _address, c_size_t, _out_address),
    "latest": (_status, _address, _address),
    "send_latest": (_status, _address, _address),
    "graph_walk": (_status, _out_address, c_size_t, _address, py_object),
    "why_start": (_status, _address),
    "why_stop": (None,),
    "why": (_status, _address, c_int32, _address),
    "why_called": (_status, _number, c_int32, _address),
    "lint": (_status, _address, FINDING, py_object),
    "trace_start": (_status, c_int, _address),
    "trace_stop": (_status,),
    "trace_begin_computation": (c_bool, c_char_p, c_char_p),
    "trace_end_computation": (None,),
    "set_runtime_lock": (_status, _address),
    "set_inspection": (_status, _address),
}
_LETTING_GO = {"stop_and_wait", "set_inspection"}


def _bind() -> dict[str, Any]:
    holding = PyDLL(LIBRARY._name, handle=LIBRARY._handle)
    functions = {}
    for name, (result, *parameters) in _FUNCTIONS.items():
        try:
            function = getattr(LIBRARY if name in _LETTING_GO else holding, "swo_" + name)
        except AttributeError:
            refuse(f"{LIBRARY._name} has no function swo_{name}", LIBRARY._name)
        function.restype, function.argtypes = result, parameters
        functions[name] = function
    return functions


FUNCTIONS = _bind()
globals().update(FUNCTIONS)

# How the library lets go of the interpreter lock, if it can.
_lock = interpreter.runtime_lock(RuntimeLock)
if _lock is not None:
    FUNCTIONS["set_runtime_lock"](addressof(_lock))

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A function of the library."""

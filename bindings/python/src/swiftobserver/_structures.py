# SPDX-License-Identifier: MIT
"""The structs and callback types of the C header. A test compares them with what a C compiler says."""

from __future__ import annotations

import sys
from ctypes import (
    Structure,
    Union,
    c_bool,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint64,
    c_void_p,
)

from ._typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.implementation.name == "cpython":
    from ctypes import CFUNCTYPE as CFUNCTYPE
    from ctypes import PyDLL as PyDLL
    from ctypes import py_object as py_object

    # What takes the place of the pointers to objects that ctypes has on CPython only.
    pointing: Any = None
else:
    from . import _pointing as pointing
    from ._pointing import CFUNCTYPE as CFUNCTYPE
    from ._pointing import PyDLL as PyDLL
    from ._pointing import py_object as py_object

KIND_NULL, KIND_BOOL, KIND_INT64, KIND_DOUBLE, KIND_TEXT, KIND_BYTES, KIND_OBJECT, KIND_UPDATE = range(8)

OK = 0
INVALID_ARGUMENT = -1
WRONG_KIND = -2
NOT_FOUND = -3
INVALID_TEXT = -4
NO_MEMORY = -5
CALLBACK_FAILED = -6

# Contexts are Python objects, and the library hands them back as such: no table, no key. A context
# is kept alive until the library destroys it (_context.py), so the pointer never dangles.
HANDLER = CFUNCTYPE(None, py_object, c_void_p, c_void_p)
COMBINED_HANDLER = CFUNCTYPE(None, py_object, c_void_p, c_size_t, c_void_p)
DESTROY = CFUNCTYPE(None, py_object)
MAPPER = CFUNCTYPE(c_int32, py_object, c_void_p, c_void_p)
PREDICATE = CFUNCTYPE(c_bool, py_object, c_void_p)
UPDATER = CFUNCTYPE(c_int32, py_object, c_void_p, c_void_p)
RETAIN = CFUNCTYPE(None, py_object)
RELEASE = CFUNCTYPE(None, py_object)
EQUAL = CFUNCTYPE(c_bool, py_object, py_object)
VISIT_OBSERVABLE = CFUNCTYPE(None, py_object, c_size_t, c_char_p, c_char_p)
VISIT_OBSERVATION = CFUNCTYPE(None, py_object, c_size_t, c_size_t, c_uint64, c_char_p)


class ObjectType(Structure):
    """How the library handles objects of one language."""

    _fields_ = [("size", c_size_t), ("retain", RETAIN), ("release", RELEASE), ("equal", EQUAL)]


class Answers(Structure):
    """What becomes of messages and answers. Pointers to functions, and to the type of the objects."""

    _fields_ = [("size", c_size_t)] + [(name, c_void_p) for name in ("type", "convert", "release", "take", "failed")]


class Method(Structure):
    """How the library calls a method whose object it does not keep."""

    _fields_ = [("size", c_size_t)] + [(name, c_void_p) for name in ("resolve", "absent", "call")]


class Call(Structure):
    """How `swo_call_send` sends."""

    _fields_ = [
        ("size", c_size_t),
        *((name, c_void_p) for name in ("observable", "type", "success", "failure", "progress")),
        ("status", c_int32),
    ]


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


if pointing is not None:
    setattr(Value, "reference", pointing.Reference())
    setattr(Value, "context", pointing.ReferenceElsewhere())


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
        ("name", c_char_p),
        ("begins_on_executor", c_bool),
    ]


class GraphVisitor(Structure):
    """What is called for each observable and each observation of a graph."""

    _fields_ = [("size", c_size_t), ("observable", VISIT_OBSERVABLE), ("observation", VISIT_OBSERVATION)]

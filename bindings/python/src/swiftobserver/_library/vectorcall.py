# SPDX-License-Identifier: MIT
"""Calls by vectorcall: the library calls Python's functions itself.

    messenger.send(x) --> swo_call_send --> PyObject_Vectorcall(handler, x)

Neither ctypes nor a line of Python is between a sender and the library, nor between the library and a handler. Only
observables that C code cannot reach are called so: who sends to them holds the interpreter lock. Failures come out
through `_on_failed`.
"""

from __future__ import annotations

import ctypes
from _thread import get_ident
from ctypes import (
    PYFUNCTYPE,
    addressof,
    byref,
    c_char,
    c_int32,
    c_uint64,
    c_void_p,
    cast,
    py_object,
    pythonapi,
    sizeof,
)

from .._core.authors import ITSELF, enter
from .._core.parts import AnyObservation
from .._values.encoding import decoders, referent
from . import declarations as library
from .declarations import EQUAL, KIND_OBJECT, RELEASE, RETAIN, Answers, Call, ObjectType, Value
from .environment import c_function, lasting
from .ownership import destroy
from .threads import calls, sending
from .typing import Any


def _address_of(function: Any) -> int:
    address = cast(function, c_void_p).value
    assert address
    return address


# Who sends is counted, and not which thread that is.
KNOWS_SENDERS = False
# Messages are objects of Python's, which the library cannot take apart.
HAS_VALUES = False


def encode(message: Any) -> Value:
    """A value that refers to any object at all."""
    value = Value()
    value.kind = KIND_OBJECT
    value.reference = message
    value.type = type_address
    return value


def argument(address: int) -> Any:
    """A pointer as ctypes passes it on without looking at it."""
    return byref(c_char.from_address(address))


def _untyped(name: str) -> Any:
    # Callers give arguments that need no conversion: that halves what a call costs.
    function = ctypes.PyDLL(library.LIBRARY._name, handle=library.LIBRARY._handle)[name]
    function.restype = c_int32
    return function


_send = _untyped("swo_send")
_send_later = _untyped("swo_send_later")
_observe_answering = _untyped("swo_observe_answering")

# The plain type takes the interpreter lock before it counts; here it is held already.
type = lasting(
    ObjectType(
        sizeof(ObjectType),
        cast(pythonapi.Py_IncRef, RETAIN),
        cast(pythonapi.Py_DecRef, RELEASE),
        EQUAL(),
    )
)
type_address = addressof(type)
decoders[type_address] = referent

_restore = ctypes.PyDLL(None).PyErr_Restore
_restore.restype, _restore.argtypes = None, (c_void_p, c_void_p, c_void_p)


def _failed(observation: AnyObservation, taken: int) -> None:
    try:
        # Raised where it can be caught, so that it becomes what Python code sees of it.
        _restore(*(c_void_p * 3).from_address(taken))
    except BaseException as error:
        if error.__traceback__ is not None:
            error.__traceback__ = error.__traceback__.tb_next
        try:
            observation._failed(error)
        except RecursionError:
            # The sender learns of it from the library, and says so: see `raise_pending`.
            pass


_on_failed = lasting(PYFUNCTYPE(None, py_object, c_void_p)(_failed))
_answers = lasting(
    Answers(
        size=sizeof(Answers),
        type=type_address,
        call=_address_of(pythonapi.PyObject_Vectorcall),
        release=_address_of(pythonapi.Py_DecRef),
        take=_address_of(pythonapi.PyErr_Fetch),
        failed=_address_of(_on_failed),
        resolve=_address_of(pythonapi.PyObject_CallNoArgs),
        absent=id(None),
    )
)
# Made once: ctypes passes them on as they are.
_answers_argument = byref(_answers)
_destroy_argument = argument(_address_of(destroy))


def observe(observable: Any, observer: Any, observation: AnyObservation, number: c_uint64) -> int:
    """Begins with a function."""
    return _observe(observable, observer, observation._handler, None, observation, number)


def observe_method(observable: Any, observer: Any, observation: AnyObservation, number: c_uint64) -> int:
    """Begins with a method, whose object the library looks up each time."""
    handler = observation._handler
    return _observe(observable, observer, handler.function, py_object(handler.reference), observation, number)


def _observe(
    observable: Any, observer: Any, function: Any, reference: Any, observation: AnyObservation, number: c_uint64
) -> int:
    status: int = _observe_answering(
        observable._argument,
        None if observer is None else c_void_p(observer._address),
        _answers_argument,
        py_object(function),
        reference,
        py_object(observation),
        _destroy_argument,
        byref(number),
    )
    return status


_new_function = c_function("send", library.call_send, takes_one=True)


def sender(observable: Any) -> Any:
    """Makes the function of the library's that sends one message of an observable's own.

    It returns None, or else False, and the status stands in the call. Before the observable
    ends, it is taken out of the call.
    """
    call = Call(sizeof(Call), observable._address, type_address, id(None), id(False), addressof(calls))
    observable._call = observable._life.call = call
    observable._sender = observable._function = sender = _new_function(call)
    return sender


def send(observable: Any, message: Any, author: Any, function: Any = _send) -> int:
    """`swo_send`, with the very object and an author."""
    thread = get_ident()
    sends = sending.count(thread)
    try:
        sending.append(thread)
        value = _spare.pop() if _spare else _another()
        value[0].pointer = id(message)
        status: int = function(observable._argument, value[1], None if author is ITSELF else c_void_p(enter(author)))
        _spare.append(value)
        sending.remove(thread)
        return status
    except BaseException:
        # Not in a function: where the stack ends there is no room for a frame.
        while sending.count(thread) > sends:
            sending.remove(thread)
        raise


def send_later(observable: Any, message: Any, author: Any) -> int:
    """`swo_send_later`, likewise."""
    return send(observable, message, author, _send_later)


# Values that sends fill in, as such and as arguments of a call. What an interrupt takes away, Python frees.
_spare: list[tuple[Value, Any]] = []


def _another() -> tuple[Value, Any]:
    value = Value()
    value.kind = KIND_OBJECT
    value.type = type_address
    return value, byref(value)

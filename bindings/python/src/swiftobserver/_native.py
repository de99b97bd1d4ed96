# SPDX-License-Identifier: MIT
"""Every function of the C header, bound with its types, under its name there without the prefix `swo_`.

The functions are called with the interpreter lock held, because taking it anew for every handler would
cost more than the handler: with a busy second thread, a switch interval each time. That cannot block,
as the library holds no lock while it calls anything. Only `stop_and_wait` waits, and lets go of the
interpreter lock. What follows: a C handler that waits for a Python thread must not be called by a
Python sender.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char_p, c_int, c_int32, c_size_t, c_uint64, c_void_p

from ._loader import load, refuse
from ._structures import COMBINED_HANDLER, DESTROY, HANDLER, MAPPER, PREDICATE, UPDATER, PyDLL, py_object
from ._typing import Any, Callable
from ._version import __version__

LIBRARY = load(__version__)
FUNCTIONS: dict[str, Any] = {}

_holding = PyDLL(LIBRARY._name, handle=LIBRARY._handle)


def _bind(name: str, result: Any, *arguments: Any, library: ctypes.CDLL = _holding) -> Callable[..., Any]:
    try:
        function = getattr(library, name)
    except AttributeError:
        refuse(f"{LIBRARY._name} has no function {name}", LIBRARY._name)
    function.restype = result
    function.argtypes = arguments
    FUNCTIONS[name] = function
    return function  # type: ignore[no-any-return]


version = _bind("swo_version", c_int32)
version_text = _bind("swo_version_text", c_char_p)
runtime_text = _bind("swo_runtime_text", c_char_p)
status_text = _bind("swo_status_text", c_char_p, c_int32)

value_check = _bind("swo_value_check", c_int32, c_void_p)
value_equal = _bind("swo_value_equal", c_int32, c_void_p, c_void_p, POINTER(c_bool))
value_copy = _bind("swo_value_copy", c_int32, c_void_p, c_void_p)
value_clear = _bind("swo_value_clear", None, c_void_p)

messenger_new = _bind("swo_messenger_new", c_void_p)
observable_retain = _bind("swo_observable_retain", c_void_p, c_void_p)
observable_release = _bind("swo_observable_release", None, c_void_p)
send = _bind("swo_send", c_int32, c_void_p, c_void_p, c_void_p)
observable_set_ordered = _bind("swo_observable_set_ordered", c_int32, c_void_p, c_bool)

variable_new = _bind("swo_variable_new", c_int32, c_void_p, POINTER(c_void_p))
deferred_variable_new = _bind("swo_deferred_variable_new", c_int32, c_void_p, POINTER(c_void_p))
variable_get = _bind("swo_variable_get", c_int32, c_void_p, c_void_p)
variable_set = _bind("swo_variable_set", c_int32, c_void_p, c_void_p, c_void_p)
variable_update = _bind("swo_variable_update", c_int32, c_void_p, UPDATER, py_object, c_void_p)

observer_new = _bind("swo_observer_new", c_void_p)
observer_retain = _bind("swo_observer_retain", c_void_p, c_void_p)
observer_release = _bind("swo_observer_release", None, c_void_p)
observer_stop = _bind("swo_observer_stop", c_int32, c_void_p, c_void_p)
observer_is_observing = _bind("swo_observer_is_observing", c_bool, c_void_p, c_void_p)

observe = _bind("swo_observe", c_int32, c_void_p, c_void_p, HANDLER, py_object, DESTROY, POINTER(c_uint64))
observe_answering = _bind(
    "swo_observe_answering",
    *(c_int32, c_void_p, c_void_p, c_void_p, py_object, py_object, DESTROY, c_void_p, POINTER(c_uint64)),
)
observe_method = _bind(
    "swo_observe_method",
    *(c_int32, c_void_p, c_void_p, c_void_p, py_object, py_object, py_object, DESTROY, c_void_p, POINTER(c_uint64)),
)
call_send = _bind("swo_call_send", c_void_p, c_void_p, py_object)
stop = _bind("swo_stop", c_int32, c_uint64)
stop_and_wait = _bind("swo_stop_and_wait", c_int32, c_uint64, library=LIBRARY)
is_living = _bind("swo_is_living", c_bool, c_uint64)

map = _bind("swo_map", c_int32, c_void_p, MAPPER, py_object, DESTROY, POINTER(c_void_p))
filter = _bind("swo_filter", c_int32, c_void_p, PREDICATE, py_object, DESTROY, POINTER(c_void_p))
new = _bind("swo_new", c_int32, c_void_p, POINTER(c_void_p))


job_run = _bind("swo_job_run", None, c_void_p)
job_drop = _bind("swo_job_drop", None, c_void_p)
observe_on = _bind(
    "swo_observe_on", c_int32, c_void_p, c_void_p, c_void_p, HANDLER, py_object, DESTROY, POINTER(c_uint64)
)
queue_new = _bind("swo_queue_new", c_int32, c_size_t, c_int32, POINTER(c_void_p))
queue_retain = _bind("swo_queue_retain", c_void_p, c_void_p)
queue_release = _bind("swo_queue_release", None, c_void_p)
queue_fd = _bind("swo_queue_fd", c_int, c_void_p)
queue_executor = _bind("swo_queue_executor", c_int32, c_void_p, c_void_p)
queue_drain = _bind("swo_queue_drain", c_int32, c_void_p, c_size_t, POINTER(c_size_t))

unwrap = _bind("swo_unwrap", c_int32, c_void_p, POINTER(c_void_p))
with_previous = _bind("swo_with_previous", c_int32, c_void_p, POINTER(c_void_p))
skip_repeats = _bind("swo_skip_repeats", c_int32, c_void_p, POINTER(c_void_p))
unique_values = _bind("swo_unique_values", c_int32, c_void_p, POINTER(c_void_p))
weak = _bind("swo_weak", c_int32, c_void_p, POINTER(c_void_p))
unwrap_or = _bind("swo_unwrap_or", c_int32, c_void_p, c_void_p, POINTER(c_void_p))
select = _bind("swo_select", c_int32, c_void_p, c_void_p, POINTER(c_void_p))
from_ = _bind("swo_from", c_int32, c_void_p, c_void_p, POINTER(c_void_p))
not_from = _bind("swo_not_from", c_int32, c_void_p, c_void_p, POINTER(c_void_p))
take = _bind("swo_take", c_int32, c_void_p, c_size_t, POINTER(c_void_p))
skip = _bind("swo_skip", c_int32, c_void_p, c_size_t, POINTER(c_void_p))
merge = _bind("swo_merge", c_int32, POINTER(c_void_p), c_size_t, POINTER(c_void_p))
transform_set_source = _bind("swo_transform_set_source", c_int32, c_void_p, c_void_p)

latest = _bind("swo_latest", c_int32, c_void_p, c_void_p)
send_latest = _bind("swo_send_latest", c_int32, c_void_p, c_void_p)
cache = _bind("swo_cache", c_int32, c_void_p, c_void_p, POINTER(c_void_p))
replay = _bind("swo_replay", c_int32, c_void_p, c_size_t, POINTER(c_void_p))
observe_combined = _bind(
    "swo_observe_combined",
    *(c_int32, POINTER(c_void_p), c_size_t, c_void_p, COMBINED_HANDLER, py_object, DESTROY, POINTER(c_uint64)),
)

observe_with = _bind("swo_observe_with", c_int32, c_void_p, c_void_p, HANDLER, py_object, DESTROY, POINTER(c_uint64))

observable_on_demand = _bind("swo_observable_on_demand", c_int32, c_void_p, DESTROY, DESTROY, py_object, DESTROY)
observable_set_hooks = _bind("swo_observable_set_hooks", c_int32, c_void_p, c_void_p)
observable_is_ordered = _bind("swo_observable_is_ordered", c_bool, c_void_p)
observable_count = _bind("swo_observable_count", c_size_t, c_void_p)
observer_count = _bind("swo_observer_count", c_size_t, c_void_p)
observable_block = _bind("swo_observable_block", c_int32, c_void_p)
observable_unblock = _bind("swo_observable_unblock", c_int32, c_void_p)
observable_is_blocked = _bind("swo_observable_is_blocked", c_bool, c_void_p)
block = _bind("swo_block", c_int32, c_uint64)
unblock = _bind("swo_unblock", c_int32, c_uint64)
is_blocked = _bind("swo_is_blocked", c_bool, c_uint64)
variable_begin_batch = _bind("swo_variable_begin_batch", c_int32, c_void_p)
variable_end_batch = _bind("swo_variable_end_batch", c_int32, c_void_p)

observable_set_name = _bind("swo_observable_set_name", c_int32, c_void_p, c_char_p)
observable_name = _bind("swo_observable_name", c_int32, c_void_p, c_void_p)
graph_walk = _bind("swo_graph_walk", c_int32, POINTER(c_void_p), c_size_t, c_void_p, py_object)
graph_dot = _bind("swo_graph_dot", c_int32, POINTER(c_void_p), c_size_t, c_void_p)

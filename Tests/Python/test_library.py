# SPDX-License-Identifier: MIT
"""The C headers against the binding: every function with its types, every struct with its layout."""

import ctypes
import re
import subprocess

import pytest

from support import HEADERS, INCLUDE, PACKAGE, compile_c, declared, parameters_of
from swiftobserver._library import declarations as library
from swiftobserver._library.declarations import interpreter

POINTER_OR_TYPE = {
    "void": None,
    "bool": ctypes.c_bool,
    "int32_t": ctypes.c_int32,
    "size_t": ctypes.c_size_t,
    "swo_status": ctypes.c_int32,
    "swo_observation": ctypes.c_uint64,
    "const char *": ctypes.c_char_p,
    "swo_handler": library.HANDLER,
    "swo_destroy": library.DESTROY,
    "swo_mapper": library.MAPPER,
    "swo_predicate": library.PREDICATE,
    "swo_updater": library.UPDATER,
    "swo_on_demand": library.ON_DEMAND,
    "const swo_answers *": ctypes.c_void_p,
    "const swo_runtime_lock *": ctypes.c_void_p,
    "const swo_inspection *": ctypes.c_void_p,
    "const swo_caller *": ctypes.c_void_p,
    "const swo_hooks *": ctypes.c_void_p,
    "int": ctypes.c_int,
    "size_t *": ctypes.POINTER(ctypes.c_size_t),
    "const swo_observe_options *": ctypes.c_void_p,
    "const swo_graph_visitor *": ctypes.c_void_p,
    "const swo_trace_options *": ctypes.c_void_p,
    "const swo_lint_options *": ctypes.c_void_p,
    "swo_finding": library.FINDING,
    "swo_job *": ctypes.c_void_p,
    "swo_queue *": ctypes.c_void_p,
    "swo_queue * *": ctypes.POINTER(ctypes.c_void_p),
    "swo_executor *": ctypes.c_void_p,
    "const swo_executor *": ctypes.c_void_p,
    "bool *": ctypes.POINTER(ctypes.c_bool),
    "swo_observation *": ctypes.POINTER(ctypes.c_uint64),
    "swo_observable * *": ctypes.POINTER(ctypes.c_void_p),
    "swo_observable * const *": ctypes.POINTER(ctypes.c_void_p),
    # Contexts are Python objects.
    "void *": library.py_object,
    # Pointers that pass through, and values, which are given by address.
    "const void *": ctypes.c_void_p,
    "swo_observable *": ctypes.c_void_p,
    "const swo_observable *": ctypes.c_void_p,
    "swo_observer *": ctypes.c_void_p,
    "swo_value *": ctypes.c_void_p,
    "const swo_value *": ctypes.c_void_p,
}

STRUCTURES = {
    "swo_answers": library.Answers,
    "swo_call": library.Call,
    "swo_runtime_lock": library.RuntimeLock,
    "swo_observe_options": library.ObserveOptions,
    "swo_graph_visitor": library.GraphVisitor,
    "swo_trace_options": library.TraceOptions,
    "swo_lint_options": library.LintOptions,
}


HEADER_TEXT = "".join(re.sub(r"/\*.*?\*/", " ", each.read_text(), flags=re.DOTALL) for each in HEADERS)
FUNCTIONS = {each.name: each for each in declared(HEADERS)}
CALLBACKS = {
    name: (result, [each.type for each in parameters_of(taken)])
    for result, name, taken in re.findall(r"typedef (\w+) \(\*(swo_\w+)\)\(([^;]*?)\);", HEADER_TEXT)
}


def test_the_header_was_understood():
    assert len(FUNCTIONS) == HEADER_TEXT.count("\nSWO_API ")
    assert len(FUNCTIONS) > 20
    assert set(CALLBACKS) >= {"swo_handler", "swo_destroy", "swo_mapper", "swo_predicate", "swo_updater"}


def test_the_binding_has_each_function_of_the_headers_or_there_is_a_reason_why_not():
    bound = {"swo_" + name for name in library.FUNCTIONS}
    # Python makes operators of filters and mappers, which know its equality and any object.
    operators = {each.name for each in FUNCTIONS.values() if each.takes}
    assert bound | operators | set(UNUSED) == set(FUNCTIONS)
    assert set(UNUSED) & (bound | operators) == set()


@pytest.mark.parametrize("name", library.FUNCTIONS)
def test_a_function_is_bound_with_its_types_and_under_its_name(name):
    result, _, parameters = FUNCTIONS["swo_" + name]
    function = getattr(library, name)
    expected = ctypes.c_void_p if result.endswith("*") and "char" not in result else POINTER_OR_TYPE[result]
    assert function.restype is expected
    assert list(function.argtypes) == [POINTER_OR_TYPE[each.type] for each in parameters]


@pytest.mark.parametrize("name", sorted(set(CALLBACKS) & set(POINTER_OR_TYPE)))
def test_a_callback_has_its_types(name):
    result, parameters = CALLBACKS[name]
    bound = POINTER_OR_TYPE[name]
    assert bound._restype_ is POINTER_OR_TYPE[result]
    expected = [POINTER_OR_TYPE[each] for each in parameters]
    # On PyPy, callbacks are given numbers, and find the objects themselves.
    assert list(bound._argtypes_) == [
        ctypes.c_void_p if interpreter.MOVES_OBJECTS and each is library.py_object else each for each in expected
    ]


def test_only_the_functions_that_wait_let_go_of_the_interpreter_lock():
    letting_go = {
        name for name, function in library.FUNCTIONS.items() if not function._flags_ & ctypes._FUNCFLAG_PYTHONAPI
    }
    assert letting_go == {"stop_and_wait", "set_inspection"}


def test_structs_constants_and_sizes_are_those_of_a_c_compiler(tmp_path):
    expected = {
        "sizeof(swo_value)": ctypes.sizeof(library.Value),
        "sizeof(swo_update)": ctypes.sizeof(library.ValuePair),
        **{
            f"offsetof({struct}, {name})": getattr(structure, name).offset
            for struct, structure in STRUCTURES.items()
            for name, _ in structure._fields_
        },
        **{f"sizeof({struct})": ctypes.sizeof(structure) for struct, structure in STRUCTURES.items()},
        "offsetof(swo_caller, call)": 2 * ctypes.sizeof(ctypes.c_void_p),
        "sizeof(swo_object_type)": ctypes.sizeof(library.ObjectType),
        "offsetof(swo_value, kind)": library.Value.kind.offset,
        "offsetof(swo_value, owned)": library.Value.owned.offset,
        "offsetof(swo_value, as.boolean)": library.Value.boolean.offset,
        "offsetof(swo_value, as.int64)": library.Value.int64.offset,
        "offsetof(swo_value, as.float64)": library.Value.float64.offset,
        "offsetof(swo_value, as.bytes.data)": library.Value.data.offset,
        "offsetof(swo_value, as.bytes.data) ": library.Value.start.offset,
        "offsetof(swo_value, as.bytes.size)": library.Value.size.offset,
        "offsetof(swo_value, as.object.pointer)": library.Value.pointer.offset,
        "offsetof(swo_value, as.object.type)": library.Value.type.offset,
        "offsetof(swo_value, as.update)": library.Value.update.offset,
        "offsetof(swo_update, old_value)": library.ValuePair.old_value.offset,
        "offsetof(swo_update, new_value)": library.ValuePair.new_value.offset,
        "offsetof(swo_object_type, size)": library.ObjectType.size.offset,
        "offsetof(swo_object_type, retain)": library.ObjectType.retain.offset,
        "offsetof(swo_object_type, release)": library.ObjectType.release.offset,
        "offsetof(swo_object_type, equal)": library.ObjectType.equal.offset,
    }
    if not interpreter.MOVES_OBJECTS:
        expected["offsetof(swo_value, as.object.pointer) "] = library.Value.reference.offset
    constants = re.findall(r"#define SWO_(KIND_\w+|OK|INVALID_\w+|WRONG_KIND|NO\w+|CALLBACK_\w+) ", HEADER_TEXT)
    assert len([each for each in constants if each.startswith("KIND_")]) == 9
    for name in set(constants) - {"NODISCARD", "NONNULL"}:
        expected[f"SWO_{name}"] = getattr(library, name)

    source = tmp_path / "layout.c"
    includes = "".join(f"#include <{each.relative_to(INCLUDE)}>\n" for each in HEADERS)
    lines = "".join(f'    printf("%ld\\n", (long)({each}));\n' for each in expected)
    source.write_text(f"#include <stdio.h>\n{includes}int main(void) {{\n{lines}    return 0;\n}}\n")
    program = tmp_path / "layout"
    compile_c(source, program)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert dict(zip(expected, map(int, printed.split()))) == expected


def test_every_status_has_a_sentence():
    sentences = {library.status_text(status).decode() for status in range(-7, 1)}
    assert len(sentences) == 8


# What programs in Python have other means for.
UNUSED = {
    "swo_value_check": "every function that takes a value does that",
    "swo_observer_retain": "observers are counted by Python",
    "swo_observer_stop_and_wait": "observations of Python wait one by one, so that a signal or a timeout can end it",
    "swo_observe_on": "jobs are made by Python, and `on=` takes whatever runs them",
    "swo_job_run": "as above",
    "swo_job_drop": "as above",
    "swo_queue_new": "`on=` takes any queue of Python's",
    "swo_queue_retain": "as above",
    "swo_queue_release": "as above",
    "swo_queue_fd": "as above",
    "swo_queue_executor": "as above",
    "swo_queue_drain": "as above",
    "swo_transform_set_source": "transforms of Python have one source for ever",
    "swo_observe_combined": "made of several observations, whose failures name the handler",
    "swo_observable_is_ordered": "Python remembers what it asked for",
    "swo_observable_refused": "an executor of Python that refuses raises in the send",
    "swo_observable_fail": "handlers of Python fail by raising",
    "swo_graph_dot": "Python knows more names than the library, and writes them",
    "swo_derived_new": "Python has functions over variables of its own, over values that it holds",
    "swo_derived_failure": "Python has functions over variables of its own, over values that it holds",
    "swo_untracked": "Python has functions over variables of its own, over values that it holds",
    "swo_snapshot": "Python has functions over variables of its own, over values that it holds",
    "swo_transaction_begin": "Python has functions over variables of its own, over values that it holds",
    "swo_transaction_commit": "Python has functions over variables of its own, over values that it holds",
    "swo_transaction_abort": "Python has functions over variables of its own, over values that it holds",
    "swo_transaction_depth": "Python has functions over variables of its own, over values that it holds",
    "swo_effect": "Python has functions over variables of its own, over values that it holds",
    **{
        f"swo_{each}": "what combines several, or waits for time, Python makes of its own observables and loops"
        for each in (
            "combine zip with_latest_from sample scan switch_to_latest flat_map debounce throttle delay timeout buffer"
            " ticks clock_new clock_retain clock_release clock_set_default clock_now clock_waiting clock_advance"
            " clock_with_timer clock_run clock_end queue_clock bind"
        ).split()
    },
    "swo_changed": "it does nothing",
    "swo_observable_set_hooks": "each callback of Python's takes the interpreter lock itself",
}


def test_every_function_that_is_bound_is_called():
    modules = (path for path in PACKAGE.rglob("*.py") if path.name != "declarations.py")
    source = "".join(module.read_text() for module in modules)
    pattern = r'\b(library|LIBRARY)\.(swo_)?{0}\b|"swo_{0}"'
    called = {name for name in library.FUNCTIONS if re.search(pattern.format(name), source)}
    assert called == set(library.FUNCTIONS)

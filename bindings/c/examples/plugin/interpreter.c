/* SPDX-License-Identifier: MIT */
/* See interpreter.h. Python.h comes first: it says which of the system's functions can be seen. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "interpreter.h"

#include <dlfcn.h>
#include <stdatomic.h>

static PyThreadState *main_thread;
static PyObject *kept; /* a list of what the scripts have returned */
static atomic_bool has_failed;

/* What a handler raises can only be reported where C code has called it. Python does so itself; we note that. */
static PyObject *note_failure(PyObject *unused, PyObject *report) {
    (void)unused;
    has_failed = true;
    return PyObject_CallOneArg(PySys_GetObject("__unraisablehook__"), report);
}

static bool note_failures(void) {
    static PyMethodDef definition = {"note_failure", note_failure, METH_O, NULL};
    PyObject *function = PyCFunction_New(&definition, NULL);
    bool is_set = function != NULL && PySys_SetObject("unraisablehook", function) == 0;
    Py_XDECREF(function);
    return is_set;
}

/* Two copies of the library in a process would not know each other's observables: Python is to take ours. */
static bool name_library(void) {
    Dl_info library;
    return dladdr(swo_version_text(), &library) != 0 && setenv("SWIFTOBSERVER_LIBRARY", library.dli_fname, true) == 0;
}

static bool start(void) {
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    config.buffered_stdio = false; /* what Python prints stays between what C prints */
    PyStatus status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) {
        fprintf(stderr, "plugin: Python cannot be started: %s\n", status.err_msg == NULL ? "" : status.err_msg);
        return false;
    }
    return true;
}

bool interpreter_begin(void) {
    if (!name_library()) {
        fprintf(stderr, "plugin: the library cannot be found, although this program runs with it\n");
        return false;
    }
    if (!start()) return false;
    kept = PyList_New(0);
    bool is_ready = kept != NULL && note_failures();
    if (!is_ready) PyErr_PrintEx(false);
    main_thread = PyEval_SaveThread();
    if (!is_ready) interpreter_end();
    return is_ready;
}

/* ---- loading. NULL and an exception: it went wrong. ---- */

static PyObject *function_of(const char *script) {
    PyObject *runpy = PyImport_ImportModule("runpy"), *names = NULL, *function = NULL;
    if (runpy != NULL) names = PyObject_CallMethod(runpy, "run_path", "s", script);
    if (names != NULL) {
        function = PyDict_GetItemString(names, "plug_in");
        if (function == NULL) PyErr_Format(PyExc_AttributeError, "%s has no function plug_in", script);
    }
    Py_XINCREF(function);
    Py_XDECREF(names);
    Py_XDECREF(runpy);
    return function;
}

static PyObject *adopt(swo_observable *const variables[], size_t count) {
    PyObject *module = PyImport_ImportModule("swiftobserver"), *type = NULL, *adopted = NULL;
    if (module != NULL) type = PyObject_GetAttrString(module, "Var");
    if (type != NULL) adopted = PyTuple_New((Py_ssize_t)count);
    for (size_t one = 0; one < count && adopted != NULL; one++) {
        PyObject *variable = PyObject_CallMethod(type, "adopt", "N", PyLong_FromVoidPtr(variables[one]));
        if (variable == NULL)
            Py_CLEAR(adopted);
        else
            PyTuple_SET_ITEM(adopted, (Py_ssize_t)one, variable);
    }
    Py_XDECREF(type);
    Py_XDECREF(module);
    return adopted;
}

static bool load(const char *script, swo_observable *const variables[], size_t count) {
    PyObject *function = function_of(script), *adopted = NULL, *returned = NULL;
    if (function != NULL) adopted = adopt(variables, count);
    if (adopted != NULL) returned = PyObject_CallObject(function, adopted);
    bool is_kept = returned != NULL && PyList_Append(kept, returned) == 0;
    Py_XDECREF(returned);
    Py_XDECREF(adopted);
    Py_XDECREF(function);
    return is_kept;
}

static void print_exception(const char *script) {
    if (PyErr_ExceptionMatches(PyExc_SystemExit)) { /* PyErr_Print() would end the program */
        PyErr_Clear();
        fprintf(stderr, "plugin: %s: the script ends itself instead of plugging in\n", script);
    } else {
        PyErr_PrintEx(false); /* and forgets it, while PyErr_Print() would keep it in sys.last_value */
    }
}

bool interpreter_load(const char *script, swo_observable *const variables[], size_t count) {
    PyGILState_STATE state = PyGILState_Ensure();
    bool is_loaded = load(script, variables, count);
    if (!is_loaded) print_exception(script);
    PyGILState_Release(state);
    return is_loaded;
}

bool interpreter_has_failed(void) { return has_failed; }

void interpreter_interrupt(void) { PyErr_SetInterrupt(); }

void interpreter_end(void) {
    PyEval_RestoreThread(main_thread);
    /* An interrupt that met no Python code is not to meet that which ends the interpreter. */
    if (PyErr_CheckSignals() != 0) PyErr_Clear();
    Py_CLEAR(kept);
    PyGC_Collect(); /* what goes later is not released: the interpreter is going, too */
    Py_FinalizeEx();
}

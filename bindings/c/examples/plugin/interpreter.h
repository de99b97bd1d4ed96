/* SPDX-License-Identifier: MIT */
/** @file interpreter.h
 *  A Python interpreter in this process, and a script in it that observes and sets the variables of a C program.
 *
 *  All but interpreter_begin() and interpreter_end() may be called on any thread. Between the two no thread of the
 *  program holds the interpreter lock: handlers in Python take it when they are called. */
#ifndef PLUGIN_INTERPRETER_H
#define PLUGIN_INTERPRETER_H

#include <swiftobserver.h>

/** Starts the interpreter, once in a program. False after a line on standard error. */
bool interpreter_begin(void);

/** Runs a script, then calls its function `plug_in` with the variables. False after a line, or the traceback, on
 *  standard error. */
bool interpreter_load(const char *script, swo_observable *const variables[], size_t count);

/** Whether a Python handler has failed that was called by C code. Its traceback was printed. */
bool interpreter_has_failed(void);

/** Raises KeyboardInterrupt in the Python code that runs on the main thread, if any. For signal handlers. */
void interpreter_interrupt(void);

/** Lets go of what the scripts have returned, and ends the interpreter on the thread that has started it. Release the
 *  variables before: what a script has made them hold, and who observes them, belongs to the interpreter. */
void interpreter_end(void);

#endif

/* SPDX-License-Identifier: MIT */
/* Causes: what has changed an observable, and what that was done in. They are kept only while something asks for them
 * (`platform_tracing_begin`); answers and traces are both made of them. Tracing.swift says when cores note them. */
#ifndef PLATFORM_TRACING_H
#define PLATFORM_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inspecting.h"

/* Who asks. */
enum { PLATFORM_ANSWERS = 1, PLATFORM_TRACE = 2, PLATFORM_INSPECTION = 4, PLATFORM_STOP = 8 };
/* The bit of the state of a core that is traced: one that is made while something asks has it. */
enum { PLATFORM_TRACED = 1 << 21 };
extern uint32_t platform_birth_bits __attribute__((visibility("hidden")));
static inline uint32_t platform_traced_at_birth(void) {
    return __atomic_load_n(&platform_birth_bits, __ATOMIC_RELAXED);
}

/* How an answer is written. */
enum { PLATFORM_TEXT = 0, PLATFORM_JSON = 1, PLATFORM_DOT = 2 };

extern uint32_t platform_tracing_reasons __attribute__((visibility("hidden")));
static inline uint32_t platform_tracing(void) { return __atomic_load_n(&platform_tracing_reasons, __ATOMIC_RELAXED); }
/* Begins or ends for one who asks. Returns what others ask for. */
uint32_t platform_tracing_begin(uint32_t reason);
uint32_t platform_tracing_end(uint32_t reason);

/* Whether values may be written down. */
bool platform_traces_values(void);
void platform_trace_values(uint32_t reason, bool allowed);

/* A change of an observable: a message that it sends, or a new value. Counted. */
typedef struct platform_cause platform_cause;
/* Made by the calling thread, in what that does now. NULL without memory. */
platform_cause *platform_cause_new(const void *core, const char *kind, const char *name, const void *author,
                                   const char *author_type);
platform_cause *platform_cause_retain(platform_cause *cause);
void platform_cause_release(platform_cause *cause);
const char *platform_cause_name(const platform_cause *cause); /* as long as the cause lives */
uint64_t platform_cause_number(const platform_cause *cause);
/* Takes the texts of the values over. */
void platform_cause_tell(platform_cause *cause, char *old_value, char *new_value);
/* The same with a message; where the character 31 is in it, it stands between an old and a new value. */
void platform_cause_tell_message(platform_cause *cause, char *message);
/* Hands it out, with what is known of it. */
void platform_cause_show(const platform_cause *cause, platform_shown_event *event, const platform_viewer *viewer);
/* Makes it the last one that is known here, unless there is a later one. The caller guards this place. */
void platform_cause_note(void **last, platform_cause *cause);
/* The last one, retained; or NULL. */
platform_cause *platform_cause_last(void **last);
void platform_cause_forget(void **last);

/* What is known of the calls of a handler. The caller guards it. */
typedef struct platform_calls platform_calls;
/* The first call makes it. Where no executor says on which thread it runs, it runs anywhere. */
void platform_calls_begin(platform_calls **calls, platform_cause *cause, bool runs_anywhere);
void platform_calls_end(platform_calls *calls, uint64_t took);
platform_cause *platform_calls_last(platform_calls *calls); /* retained; or NULL */
void platform_calls_show(const platform_calls *calls, platform_shown_edge *edge);
void platform_calls_forget(platform_calls **calls);

/* What a thread does: it sends, or it is in a handler, or neither. */
typedef struct platform_context {
    platform_cause *cause; /* of the message that is delivered */
    const void *core;      /* that delivers it */
    uint64_t observation;  /* whose handler runs; 0: none */
    char handler[48];      /* what that is called */
    int kind;              /* PLATFORM_SEND and so on */
    int slice;             /* which a trace has of it */
    uint64_t began;        /* in nanoseconds, where a page or an answer looks; else 0 */
} platform_context;
platform_context *platform_context_here(void);
/* An inner send is one that no user knows, and no slice. */
enum { PLATFORM_NO_SLICE, PLATFORM_SEND, PLATFORM_HANDLER, PLATFORM_COMPUTATION, PLATFORM_INNER_SEND };
/* Begins to send, or a handler. The thread keeps the cause until it leaves. */
platform_context platform_context_enter(platform_cause *cause, const void *core, int slice, uint64_t observation,
                                        const char *handler);
/* Returns how long it took, in nanoseconds, if that was measured; else 0. */
uint64_t platform_context_leave(const platform_context *before);

/* The causes of messages that wait, by their number in what they wait in. */
void platform_pending_put(const void *queue, uint64_t number, platform_cause *cause);
platform_cause *platform_pending_take(const void *queue, uint64_t number); /* retained; or NULL */

/* An answer, in memory of malloc; NULL without memory. */
char *platform_cause_text(platform_cause *cause, int format);

/* How many bytes of a text fit. It is cut between characters. */
size_t platform_text_count(const char *text, size_t room);
/* Texts of values, in memory of malloc; NULL without memory. */
char *platform_text_int(int64_t value);
char *platform_text_double(double value);
char *platform_text_pointer(const void *value);
/* Takes the texts over. */
char *platform_text_list(char **texts, size_t count, bool is_cut);
char *platform_text_bytes(const void *bytes, size_t count, bool quoted);

/* The calling thread, as it was when it was first seen. */
typedef struct platform_seen_thread {
    long id;
    char name[16];
} platform_seen_thread;
const platform_seen_thread *platform_thread_seen(void);

/* A trace, in the format of Perfetto, which ui.perfetto.dev shows. Returns 0, or a number of errno: what could not be
 * written. It begins and ends beside `platform_tracing_begin(PLATFORM_TRACE)`. */
/* There is a trace already, or none. */
enum { PLATFORM_TRACE_STATE = -1 };
int platform_trace_start(int descriptor);
int platform_trace_stop(void);
/* A slice of the calling thread: PLATFORM_SEND and so on. Slices with one flow follow one another. Its title is made of
 * parts, which are cut where they are too long. */
void platform_trace_begin(int kind, uint64_t flow, const char *const parts[], int count, const char *value);
/* The same for the function of a derived variable, which runs because of what this thread does. */
void platform_trace_compute(const char *kind, const char *name);
void platform_trace_end(void);
/* A child process has the thread alone that forked, and no trace. */
void platform_trace_be_alone(void);
void platform_causes_be_alone(void);
/* The calling thread ends. */
void platform_trace_end_thread(void);
/* Has what this thread keeps end with it. */
void platform_note_thread(void);

#endif

/* SPDX-License-Identifier: MIT */
/* Static probes (USDT) for tracers and debuggers: `bpftrace -l 'usdt:libswiftobserver.so.0:*'`, `info probes` of gdb.
 * One is a `nop` in the place of the call, and a note in the file. Where sys/sdt.h is missing there are none. */
#ifndef PLATFORM_PROBES_H
#define PLATFORM_PROBES_H

#include <stdint.h>

#if defined(__linux__) && defined(__has_include) && !defined(PLATFORM_WITHOUT_PROBES)
#if __has_include(<sys/sdt.h>)
/* What is in a register stays there: with the choice, LLVM puts it into memory first. */
#define STAP_SDT_ARG_CONSTRAINT nr
#include <sys/sdt.h>
#define PLATFORM_PROBE(name, one) STAP_PROBE1(swiftobserver, name, one)
#define PLATFORM_PROBE_OF_TWO(name, one, other) STAP_PROBE2(swiftobserver, name, one, other)
#endif
#endif
#ifndef PLATFORM_PROBE
#define PLATFORM_PROBE(name, one) ((void)(one))
#define PLATFORM_PROBE_OF_TWO(name, one, other) ((void)(one), (void)(other))
#endif

#define PLATFORM_PROBE_FUNCTION static inline __attribute__((always_inline)) void

/* A core names an observable: it keeps its address as long as the observable lives. */
PLATFORM_PROBE_FUNCTION platform_probe_name(const void *core, const char *name) {
    PLATFORM_PROBE_OF_TWO(name, core, name);
}
PLATFORM_PROBE_FUNCTION platform_probe_observe(const void *core, uint64_t id) {
    PLATFORM_PROBE_OF_TWO(observe, core, id);
}
PLATFORM_PROBE_FUNCTION platform_probe_stop(const void *core, uint64_t id) { PLATFORM_PROBE_OF_TWO(stop, core, id); }

/* A send that something hears, and a variable that changes. The author is NULL where a vocabulary has none. */
PLATFORM_PROBE_FUNCTION platform_probe_send_begin(const void *core, const void *author) {
    PLATFORM_PROBE_OF_TWO(send__begin, core, author);
}
PLATFORM_PROBE_FUNCTION platform_probe_send_end(const void *core) { PLATFORM_PROBE(send__end, core); }
PLATFORM_PROBE_FUNCTION platform_probe_set(const void *core, const void *author) {
    PLATFORM_PROBE_OF_TWO(set, core, author);
}

/* One message, to all handlers. */
PLATFORM_PROBE_FUNCTION platform_probe_delivery_begin(const void *core, const void *author) {
    PLATFORM_PROBE_OF_TWO(delivery__begin, core, author);
}
PLATFORM_PROBE_FUNCTION platform_probe_delivery_end(const void *core) { PLATFORM_PROBE(delivery__end, core); }
/* At `handler` stand the function and the context of a handler in C. */
PLATFORM_PROBE_FUNCTION platform_probe_handler_begin(const void *core, const void *handler) {
    PLATFORM_PROBE_OF_TWO(handler__begin, core, handler);
}
/* No handler: what is not needed after a call needs no register. */
PLATFORM_PROBE_FUNCTION platform_probe_handler_end(const void *core) { PLATFORM_PROBE(handler__end, core); }

/* A derived variable, or an effect, runs its function; a thread handles a turn. */
PLATFORM_PROBE_FUNCTION platform_probe_compute_begin(const void *core) { PLATFORM_PROBE(compute__begin, core); }
PLATFORM_PROBE_FUNCTION platform_probe_compute_end(const void *core) { PLATFORM_PROBE(compute__end, core); }
PLATFORM_PROBE_FUNCTION platform_probe_turn_begin(const void *region) { PLATFORM_PROBE(turn__begin, region); }
PLATFORM_PROBE_FUNCTION platform_probe_turn_end(const void *region) { PLATFORM_PROBE(turn__end, region); }

#endif

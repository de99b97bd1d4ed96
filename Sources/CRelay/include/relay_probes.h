/* SPDX-License-Identifier: MIT */
/* The relay's static probes: see probes.h of CPlatform. A topic has no zero behind it. */
#ifndef RELAY_PROBES_H
#define RELAY_PROBES_H

#include <stddef.h>

#if defined(__linux__) && defined(__has_include) && !defined(PLATFORM_WITHOUT_PROBES)
#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#define RELAY_PROBE(name, topic, count, payload) STAP_PROBE3(swiftobserver, name, topic, count, payload)
#endif
#endif
#ifndef RELAY_PROBE
#define RELAY_PROBE(name, topic, count, payload) ((void)(topic), (void)(count), (void)(payload))
#endif

static inline __attribute__((always_inline)) void relay_probe_in(const void *topic, size_t count, size_t payload) {
    RELAY_PROBE(relay__in, topic, count, payload);
}
static inline __attribute__((always_inline)) void relay_probe_out(const void *topic, size_t count, size_t payload) {
    RELAY_PROBE(relay__out, topic, count, payload);
}

#endif

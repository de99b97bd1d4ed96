/* SPDX-License-Identifier: MIT */
/* Descriptors that event loops can watch. */
#include "CPlatform.h"
#include <errno.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/eventfd.h>

int platform_event_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* Neither call can fail on a descriptor of our own, but for signals: the counter holds 2^64 - 2 raises. */

void platform_event_raise(int event) {
    int saved = errno;
    while (eventfd_write(event, 1) != 0 && errno == EINTR) {}
    errno = saved;
}

void platform_event_clear(int event) {
    int saved = errno;
    eventfd_t raised;
    while (eventfd_read(event, &raised) != 0 && errno == EINTR) {}
    errno = saved;
}

#else

int platform_event_new(void) { return -1; }
void platform_event_raise(int event) { (void)event; }
void platform_event_clear(int event) { (void)event; }

#endif

void platform_event_free(int event) { close(event); }

/* SPDX-License-Identifier: MIT */
/* Descriptors that event loops can watch. */
#include "CPlatform.h"
#include <errno.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/syscall.h>

int platform_event_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* Neither call can fail on a descriptor of our own, but for signals: the counter holds 2^64 - 2 raises. Not
 * eventfd_write() and so on, which are cancellation points: queues call these with their locks held. */

/* What all others see as constant. */
extern platform_passing passes __asm__("platform_passes") __attribute__((visibility("hidden")));
platform_passing passes = {PLATFORM_MARKS_OF_SENDS, PLATFORM_MARKS_OF_VARIABLES};

/* No thread orders anything by this, and a word is read and written as a whole: a sanitizer need not know of it. */
#define UNORDERED __attribute__((no_sanitize("thread")))

UNORDERED static void let_pass(uintptr_t sends, uintptr_t variables) {
    passes.variables = variables;
    passes.sends = sends;
}

/* Whether this thread has woken a loop, or found that nothing waits, since it last came here. */
static __thread bool has_changed_event __attribute__((tls_model("initial-exec")));

UNORDERED void platform_note_change(void) {
    has_changed_event = true;
    let_pass(0, 0);
}

/* pthread_testcancel() would need a glibc of 2.34, or libpthread. */
void platform_end_cancelled(void) {
    int before;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
    pthread_setcanceltype(before, &before);
}

/* The others leave it to that thread for a while, which may not come back. */
UNORDERED void platform_come_by(void) {
    static uint32_t others;
    if (!has_changed_event && ++others % 64 != 0) return;
    has_changed_event = false;
    let_pass(PLATFORM_MARKS_OF_SENDS, PLATFORM_MARKS_OF_VARIABLES);
    platform_end_cancelled();
}

void platform_event_raise(int event) {
    int saved = errno;
    platform_note_change();
    const uint64_t one = 1;
    while (syscall(SYS_write, event, &one, sizeof one) < 0 && errno == EINTR) {}
    errno = saved;
}

void platform_event_clear(int event) {
    int saved = errno;
    platform_note_change();
    uint64_t raised;
    while (syscall(SYS_read, event, &raised, sizeof raised) < 0 && errno == EINTR) {}
    errno = saved;
}

void platform_event_free(int event) {
    int saved = errno;
    syscall(SYS_close, event);
    errno = saved;
}

#else

const platform_passing platform_passes = {PLATFORM_MARKS_OF_SENDS, PLATFORM_MARKS_OF_VARIABLES};
void platform_end_cancelled(void) {}
void platform_come_by(void) {}
void platform_note_change(void) {}

int platform_event_new(void) { return -1; }
void platform_event_raise(int event) { (void)event; }
void platform_event_clear(int event) { (void)event; }
void platform_event_free(int event) { (void)event; }

#endif

/* SPDX-License-Identifier: MIT */
/* Descriptors that event loops can watch. */
#include "CPlatform.h"
#include <errno.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

static void close_all(int one, int other) {
    int saved = errno;
    syscall(SYS_close, one);
    syscall(SYS_close, other);
    errno = saved;
}

static bool watch(int watched, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(watched, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

platform_event platform_event_new(void) {
    platform_event event = {epoll_create1(EPOLL_CLOEXEC), eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    if (event.watched >= 0 && event.raised >= 0 && watch(event.watched, event.raised)) return event;
    platform_event_free(event);
    return (platform_event){-1, -1};
}

void platform_event_free(platform_event event) { close_all(event.watched, event.raised); }

int platform_alarm_new(platform_event event) {
    int alarm = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (alarm < 0 || watch(event.watched, alarm)) return alarm;
    platform_alarm_free(alarm);
    return -1;
}

void platform_alarm_set(int alarm, int64_t time) {
    struct itimerspec when = {{0, 0}, {0, 0}};
    /* Zero would stop it. */
    if (time < 1) time = 1;
    if (time != INT64_MAX) {
        when.it_value.tv_sec = (time_t)(time / 1000000000);
        when.it_value.tv_nsec = (long)(time % 1000000000);
    }
    timerfd_settime(alarm, TFD_TIMER_ABSTIME, &when, NULL);
}

void platform_alarm_free(int alarm) { close_all(alarm, -1); }

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

void platform_event_raise(platform_event event) {
    int saved = errno;
    platform_note_change();
    const uint64_t one = 1;
    while (syscall(SYS_write, event.raised, &one, sizeof one) < 0 && errno == EINTR) {}
    errno = saved;
}

void platform_event_clear(platform_event event) {
    int saved = errno;
    platform_note_change();
    uint64_t raised;
    while (syscall(SYS_read, event.raised, &raised, sizeof raised) < 0 && errno == EINTR) {}
    errno = saved;
}

#else

const platform_passing platform_passes = {PLATFORM_MARKS_OF_SENDS, PLATFORM_MARKS_OF_VARIABLES};
void platform_end_cancelled(void) {}
void platform_come_by(void) {}
void platform_note_change(void) {}

platform_event platform_event_new(void) { return (platform_event){-1, -1}; }
void platform_event_raise(platform_event event) { (void)event; }
void platform_event_clear(platform_event event) { (void)event; }
void platform_event_free(platform_event event) { (void)event; }
int platform_alarm_new(platform_event event) { return (void)event, -1; }
void platform_alarm_set(int alarm, int64_t time) { (void)alarm, (void)time; }
void platform_alarm_free(int alarm) { (void)alarm; }

#endif

int64_t platform_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

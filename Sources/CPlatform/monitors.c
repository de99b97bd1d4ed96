/* SPDX-License-Identifier: MIT */
/* Locks with a condition that are made and freed. */
#define _GNU_SOURCE
#include "CPlatform.h"
#include <time.h>

struct platform_monitor {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

/* Makes a lock that spins for a while before it sleeps, where there are such ones. Without attributes: the functions
 * for these would need a newer glibc than the rest of the library does. */
static void make_spinning(pthread_mutex_t *mutex) {
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
    *mutex = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
#else
    pthread_mutex_init(mutex, NULL);
#endif
}

platform_monitor *platform_monitor_new(void) {
    platform_monitor *monitor = malloc(sizeof *monitor);
    if (monitor == NULL) return NULL;
    make_spinning(&monitor->mutex);
    pthread_cond_init(&monitor->changed, NULL);
    return monitor;
}

void platform_monitor_free(platform_monitor *monitor) {
    pthread_cond_destroy(&monitor->changed);
    pthread_mutex_destroy(&monitor->mutex);
    free(monitor);
}

void platform_monitor_enter(platform_monitor *monitor) { pthread_mutex_lock(&monitor->mutex); }

void platform_monitor_leave(platform_monitor *monitor) { pthread_mutex_unlock(&monitor->mutex); }

void platform_monitor_announce(platform_monitor *monitor) { pthread_cond_broadcast(&monitor->changed); }

void platform_monitor_wait(platform_monitor *monitor, int milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    int before = platform_defer_cancellation();
    pthread_cond_timedwait(&monitor->changed, &monitor->mutex, &until);
    platform_allow_cancellation(before);
}

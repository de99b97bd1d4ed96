/* SPDX-License-Identifier: MIT */
/* Locks with a condition that are made and freed. */
#define _GNU_SOURCE
#include "CPlatform.h"
#include <time.h>

struct platform_monitor {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

platform_monitor *platform_monitor_new(void) {
    platform_monitor *monitor = malloc(sizeof *monitor);
    if (monitor == NULL) return NULL;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&monitor->mutex, &kind);
    pthread_mutexattr_destroy(&kind);
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
    pthread_cond_timedwait(&monitor->changed, &monitor->mutex, &until);
}

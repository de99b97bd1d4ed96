/* SPDX-License-Identifier: MIT */
/* Locks, threads and the descriptor that wakes one. */
#define _GNU_SOURCE
#include "CRelay.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

struct relay_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

relay_lock *relay_lock_new(void) {
    relay_lock *lock = malloc(sizeof *lock);
    if (lock == NULL) return NULL;
    /* What is done under it takes less time than to sleep and to be woken. */
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&lock->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&lock->changed, &clock);
    pthread_condattr_destroy(&clock);
    return lock;
}

/* The condition is not destroyed: in a child process its threads do not exist, and destroying would wait for them. */
void relay_lock_free(relay_lock *lock) { free(lock); }

void relay_lock_enter(relay_lock *lock) { pthread_mutex_lock(&lock->mutex); }
bool relay_lock_try(relay_lock *lock) { return pthread_mutex_trylock(&lock->mutex) == 0; }
void relay_lock_leave(relay_lock *lock) { pthread_mutex_unlock(&lock->mutex); }
void relay_lock_wait(relay_lock *lock) { pthread_cond_wait(&lock->changed, &lock->mutex); }
void relay_lock_wait_for(relay_lock *lock, int64_t milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t nanoseconds = until.tv_nsec + milliseconds % 1000 * 1000000;
    until.tv_sec += (time_t)(milliseconds / 1000 + nanoseconds / 1000000000);
    until.tv_nsec = (long)(nanoseconds % 1000000000);
    pthread_cond_timedwait(&lock->changed, &lock->mutex, &until);
}
void relay_lock_announce(relay_lock *lock) { pthread_cond_broadcast(&lock->changed); }

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static void *brokers;
void *relay_shared_brokers(void) { return brokers; }
void relay_share_brokers(void *all) { brokers = all; }
void relay_shared_enter(void) { pthread_mutex_lock(&shared); }
void relay_shared_leave(void) { pthread_mutex_unlock(&shared); }

struct beginning {
    void (*body)(void *context);
    void *context;
};

static _Thread_local bool is_of_relay;

static void *begin(void *memory) {
    is_of_relay = true;
    struct beginning beginning = *(struct beginning *)memory;
    free(memory);
    beginning.body(beginning.context);
    return NULL;
}

uintptr_t relay_thread_begin(void (*body)(void *context), void *context) {
    struct beginning *beginning = malloc(sizeof *beginning);
    if (beginning == NULL) return 0;
    *beginning = (struct beginning){body, context};
    /* Signals are for the program's own threads; and a connection that breaks raises one. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failed = pthread_create(&thread, NULL, begin, beginning);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed) return (uintptr_t)thread;
    free(beginning);
    return 0;
}

void relay_thread_end(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }
bool relay_thread_is_of_relay(void) { return is_of_relay; }

void relay_thread_let_go(uintptr_t thread) { pthread_detach((pthread_t)thread); }

int relay_event_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
void relay_event_free(int event) { close(event); }

void relay_event_raise(int event) {
    uint64_t one = 1;
    while (write(event, &one, sizeof one) < 0 && errno == EINTR) {}
}

static void clear(int event) {
    uint64_t count;
    while (read(event, &count, sizeof count) < 0 && errno == EINTR) {}
}

int relay_wait(int event, int socket, bool to_write, int milliseconds) {
    struct pollfd watched[] = {{event, POLLIN, 0}, {socket, (short)(POLLIN | (to_write ? POLLOUT : 0)), 0}};
    if (poll(watched, 2, milliseconds) <= 0) return 0;
    int found = 0;
    if (watched[0].revents != 0) {
        found |= RELAY_RAISED;
        clear(event);
    }
    if (watched[1].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) found |= RELAY_READABLE;
    if (watched[1].revents & POLLOUT) found |= RELAY_WRITABLE;
    return found;
}

/* SPDX-License-Identifier: MIT */
/* A clock that is set back, again and again: whoever asks what time it is gets an hour less than the time before. */
#include "relay_support.h"
#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

static atomic_long hours, asked_by_relays;

static time_t set_back(void *caller) {
    Dl_info library;
    const char *name = dladdr(caller, &library) && library.dli_fname ? strrchr(library.dli_fname, '/') : NULL;
    if (name != NULL && (strncmp(name, "/libswiftobserver", 17) == 0 || strncmp(name, "/libmosquitto", 13) == 0))
        asked_by_relays++;
    return (time_t)2000000000 - 3600 * ++hours;
}

/* These take the place of those of libc, for the libraries, too: the program exports them. */
#pragma GCC visibility push(default)

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec = set_back(__builtin_return_address(0));
    return result;
}

time_t time(time_t *out) {
    time_t now = set_back(__builtin_return_address(0));
    if (out != NULL) *out = now;
    return now;
}

int gettimeofday(struct timeval *restrict now, void *restrict unused) {
    *now = (struct timeval){.tv_sec = set_back(__builtin_return_address(0))};
    return 0;
}

#pragma GCC visibility pop

TEST(a_clock_that_is_set_back_changes_nothing) {
    /* It is this one that libraries ask. */
    time_t (*asked)(time_t *) = (time_t(*)(time_t *))dlsym(RTLD_DEFAULT, "time");
    time_t first = asked(NULL);
    assert_true(asked(NULL) < first);

    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *variable = number_variable(1);
    swo_relay_options options = options_at(broker.address, "timeless");
    options.keep_alive = 5;
    OWN_RELAY *owner = relay_with(options);
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, true));
    options.device = NULL;
    OWN_RELAY *other = relay_with(options);
    OWN_OBSERVABLE *mirror = mirror_of(other, "timeless/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 1);
    /* Made again after a while, */
    broker_kill(&broker);
    await_state(owner, "lost: the broker at 127.0.0.1:");
    await_state(other, "lost: the broker at 127.0.0.1:");
    set_number(variable, 2);
    broker_start_again(&broker);
    await_number(mirror, 2);
    /* and found to be silent after another one. */
    await_state(owner, "ready");
    kill(broker.process, SIGSTOP);
    await_state(owner, "lost: the broker at 127.0.0.1");
    set_number(variable, 3);
    kill(broker.process, SIGCONT);
    await_number(mirror, 3);
    set_number(mirror, 4);
    await_number(variable, 4);
    await_state(other, "ready");
    /* For the version of the description, which goes up all the same. */
    assert_int_equal(asked_by_relays, 1);
}

/* SPDX-License-Identifier: MIT */
/* A child process has only one thread. A lock that another thread of its parent held would stay held there for ever,
 * so a process forks while no thread holds a lock. No callback runs under a lock, so the forking thread holds none. */
#include "CPlatform.h"

/* In the order in which they may be held together. */
static const struct {
    platform_lock *locks;
    int count;
} tables[] = {
    {&platform_graph_lock, 1},        {platform_keeper_locks, PLATFORM_LOCKS},
    {&platform_merge_lock, 1},        {platform_region_locks, PLATFORM_LOCKS},
    {platform_locks, PLATFORM_LOCKS}, {platform_mailbox_locks, PLATFORM_LOCKS},
    {&platform_pins_lock, 1},
#ifdef CHECKS_HANDLES
    {&platform_handle_lock, 1},
#endif
};
enum { TABLES = sizeof tables / sizeof *tables };

void platform_hold_guests(void);
void platform_let_guests_go(void);

static void hold_all(void) {
    for (int table = 0; table < TABLES; table++) {
        for (int index = 0; index < tables[table].count; index++) pthread_mutex_lock(&tables[table].locks[index].mutex);
        /* Who is in a region without its lock may need those that come next. */
        if (tables[table].locks == platform_region_locks) platform_hold_guests();
    }
}

static void let_go_of_all(void) {
    platform_let_guests_go();
    for (int table = 0; table < TABLES; table++)
        for (int index = 0; index < tables[table].count; index++)
            pthread_mutex_unlock(&tables[table].locks[index].mutex);
}

void platform_be_alone(void);

static uint32_t forks;
static uintptr_t survivor;

uint32_t platform_forks(void) { return forks; }

bool platform_is_left_behind(uintptr_t thread, uint32_t known_since) {
    return known_since != forks && thread != survivor;
}

/* Makes the locks again, because the threads that wait for them do not exist here. */
static void make_again(void) {
    forks++;
    survivor = platform_thread();
    platform_be_alone();
    platform_let_guests_go();
    for (int table = 0; table < TABLES; table++) {
        for (int index = 0; index < tables[table].count; index++) {
            pthread_mutex_init(&tables[table].locks[index].mutex, NULL);
            pthread_cond_init(&tables[table].locks[index].changed, NULL);
        }
    }
}

/* Without memory for it, forking is as safe as it would be without this. */
__attribute__((constructor)) static void begin(void) { (void)pthread_atfork(hold_all, let_go_of_all, make_again); }

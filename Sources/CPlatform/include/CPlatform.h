/* SPDX-License-Identifier: MIT */
/* The few things of the machine that the engine needs and that Embedded Swift cannot import:
 * locks, fences, the identity of a thread, and allocation that may fail. */
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probes.h"
#include "tracing.h"

/* Where a thread holds a lock, or owns an observable, there is no cancellation point, for what it left nothing would
 * end. System calls go by syscall(), which is none; what is one in spite of all runs between these two. */
static inline int platform_defer_cancellation(void) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void platform_allow_cancellation(int before) { pthread_setcancelstate(before, &before); }

/* A thread that has been cancelled ends where it has begun nothing yet: in the next call that asks for it, once a
 * thread has woken a loop, or found that nothing waits, which would be cancellation points of their own. So that asking
 * costs a send nothing, it is where a send goes that its observable does not let pass by itself: what the marks of
 * observables (Client.swift) are compared with lets none pass then. */
enum { PLATFORM_MARKS_OF_SENDS = 3, PLATFORM_MARKS_OF_VARIABLES = 4 };
typedef struct platform_passing {
    uintptr_t sends, variables;
} platform_passing;
/* Constant for those who read it, each time anew: then it is a plain load, part of the comparison, in Swift, too. */
extern const platform_passing platform_passes __attribute__((visibility("hidden")));

/* Has this thread come by in its next call: also where it puts so much in line that no loop has to be woken. */
void platform_note_change(void);
/* Lets all pass again, and ends this thread if it has been cancelled. */
void platform_come_by(void);
/* Ends this thread if it has been cancelled. */
void platform_end_cancelled(void);

/* Locks live in fixed tables, chosen by address, so that an observable costs no mutex of its own.
 * They are pthread mutexes, which sanitizers and valgrind understand. */
#define PLATFORM_LOCKS 64

typedef struct platform_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} __attribute__((aligned(128))) platform_lock;

extern platform_lock platform_locks[PLATFORM_LOCKS];
extern platform_lock platform_keeper_locks[PLATFORM_LOCKS];
extern platform_lock platform_mailbox_locks[PLATFORM_LOCKS];

static inline void platform_lock_acquire(uint32_t index) { pthread_mutex_lock(&platform_locks[index].mutex); }

/* The same where threads meet often, each for some nanoseconds: spins before it sleeps, because to sleep and to wake up
 * takes thousands. */
void platform_lock_acquire_patiently(uint32_t index);

static inline void platform_lock_release(uint32_t index) { pthread_mutex_unlock(&platform_locks[index].mutex); }

/* Gives the lock up until another thread announces a change. May return without one. A thread that is cancelled
 * meanwhile ends, without the lock, and after `end` has been called; or it ends later, where unwinding is not known. */
void platform_lock_wait(uint32_t index, void (*end)(void *context), void *context);

static inline void platform_lock_announce(uint32_t index) { pthread_cond_broadcast(&platform_locks[index].changed); }

static inline void platform_keeper_lock_acquire(uint32_t index) {
    pthread_mutex_lock(&platform_keeper_locks[index].mutex);
}

static inline void platform_keeper_lock_release(uint32_t index) {
    pthread_mutex_unlock(&platform_keeper_locks[index].mutex);
}

static inline void platform_mailbox_lock_acquire(uint32_t index) {
    pthread_mutex_lock(&platform_mailbox_locks[index].mutex);
}

static inline void platform_mailbox_lock_release(uint32_t index) {
    pthread_mutex_unlock(&platform_mailbox_locks[index].mutex);
}

/* Guards the sources of all transforms while one changes. Taken before every other lock. */
extern platform_lock platform_graph_lock;
static inline void platform_graph_lock_acquire(void) { pthread_mutex_lock(&platform_graph_lock.mutex); }
static inline void platform_graph_lock_release(void) { pthread_mutex_unlock(&platform_graph_lock.mutex); }

/* The slots of the observations that one lock guards; SlotMap.swift fills it. Here,
 * because a static table of C needs no initialisation at run time. */
typedef struct platform_shard {
    void **chunks;
    void *free_list; /* the first of the chunks with room */
    void *spare;     /* the chunk of which nothing is used */
    uint32_t chunk_count;
    uint32_t first_free_number; /* the place of a chunk that was freed + 1, or 0 */
    uint32_t used;
    uint32_t generation; /* where new slots begin */
} platform_shard;

extern platform_shard platform_shards[PLATFORM_LOCKS];

static inline platform_shard *platform_shard_at(uint32_t index) { return &platform_shards[index]; }

/* Frees the shelves when the library is unloaded: what is called then, with no lock held. */
extern void (*platform_unloading)(void);
static inline void platform_when_unloading(void (*call)(void)) {
    __atomic_store_n(&platform_unloading, call, __ATOMIC_RELAXED);
}

/* A number that no other living thread has: not that of pthread_self() on each machine. */
static inline uintptr_t platform_thread(void) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_thread_pointer)
    return (uintptr_t)__builtin_thread_pointer();
#else
    return (uintptr_t)pthread_self();
#endif
#else
    return (uintptr_t)pthread_self();
#endif
}

/* A number that no other thread of the process ever has, also after this one has ended. Never 0. */
uint64_t platform_thread_identity(void);

/* How many forks lie between this process and the one that loaded the library. */
uint32_t platform_forks(void);

/* Whether a thread that was known after that many forks is one of a parent process, which does not exist here. */
bool platform_is_left_behind(uintptr_t thread, uint32_t known_since);

/* What a thread to which observables are biased finds itself by: its `platform_thread()`, while it may go past their
 * locks. 0 where it has to look first: nothing has been biased to it yet, or it runs a function that depends on what it
 * reads, or is in a transaction. Compared with the thread that an observable is biased to, which is never 0. */
#ifndef platform_passing_thread /* the explorer has its own threads */
extern __thread uintptr_t platform_passing_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));
#endif
static inline uintptr_t platform_thread_passing(void) { return platform_passing_thread; }
/* Lets the calling thread go past the locks of what is biased to it. */
void platform_let_pass(void);
/* From now on it looks first, until as many calls of `platform_look_no_more()` follow. */
void platform_look_first(void);
void platform_look_no_more(void);
/* Whether the calling thread has to look first. */
bool platform_looks_first(void);

/* How many views are pinned, or are about to be: while there are, old values are kept of all variables, so all threads
 * look first. */
extern long platform_pinned_views __attribute__((visibility("hidden")));
static inline long platform_pinned(void) { return __atomic_load_n(&platform_pinned_views, __ATOMIC_SEQ_CST); }
static inline long platform_pin(long change) {
    return __atomic_add_fetch(&platform_pinned_views, change, __ATOMIC_SEQ_CST);
}
/* Has all threads look first: what they do from here on comes after what this thread does next. */
void platform_have_all_look(void);

/* Not 0 once something is computed, or a transaction was begun, in this process. */
extern uint8_t platform_graphs __attribute__((visibility("hidden")));
static inline bool platform_has_graphs(void) { return __atomic_load_n(&platform_graphs, __ATOMIC_RELAXED) != 0; }

/* Where the calling thread notes what it is computing; `end` is called with that when the thread ends. */
extern __thread void *platform_computing_here __attribute__((tls_model("initial-exec"), visibility("hidden")));
static inline void *platform_computing(void) { return platform_computing_here; }
static inline void platform_note_computing(void *computing) { platform_computing_here = computing; }
void platform_end_computing_with(void (*end)(void *computing));

/* A thread as regions know it: while a region is biased to it, it goes in without the lock. */
typedef struct platform_guest {
    uintptr_t inside; /* the region that it is in, or about to look at, without the lock */
    uintptr_t badge;  /* what a region bears that is biased to it: its address, or 1 while it has to take locks */
    uintptr_t apart[6];
} platform_guest;
/* One for the calling thread, of a table that lasts: so another thread may look at it at any time. NULL if all are
 * taken. */
platform_guest *platform_guest_take(void);
void platform_guest_give_back(platform_guest *guest);
/* Says where the thread is. Who looks at the region next, and finds its badge there, is inside. */
static inline void platform_guest_enter(platform_guest *guest, void *region) {
    __atomic_store_n(&guest->inside, (uintptr_t)region, __ATOMIC_RELEASE);
    __asm__ volatile("" ::: "memory");
}
static inline void platform_guest_leave(platform_guest *guest) {
    __atomic_store_n(&guest->inside, 0, __ATOMIC_RELEASE);
}
static inline bool platform_guest_is_inside(const platform_guest *guest, const void *region) {
    return __atomic_load_n(&guest->inside, __ATOMIC_ACQUIRE) == (uintptr_t)region;
}
static inline uintptr_t platform_guest_badge(const platform_guest *guest) {
    return __atomic_load_n(&guest->badge, __ATOMIC_RELAXED);
}

/* How far the stack has grown, as an address. */
static inline uintptr_t platform_stack_here(void) { return (uintptr_t)__builtin_frame_address(0); }
/* Calls a function on a further stack of a megabyte. @return False if there is none: then it has not been called. */
bool platform_call_on_new_stack(void (*function)(void *context), void *context);

/* Guards regions, from a table as those of observables: taken before these, in the order of their numbers. */
extern platform_lock platform_region_locks[PLATFORM_LOCKS];
static inline void platform_region_lock_acquire(uint32_t index) {
    pthread_mutex_lock(&platform_region_locks[index].mutex);
}
static inline void platform_region_lock_release(uint32_t index) {
    pthread_mutex_unlock(&platform_region_locks[index].mutex);
}
/* Guards the merging of regions: taken before their locks. */
extern platform_lock platform_merge_lock;
static inline void platform_merge_lock_acquire(void) { pthread_mutex_lock(&platform_merge_lock.mutex); }
static inline void platform_merge_lock_release(void) { pthread_mutex_unlock(&platform_merge_lock.mutex); }
/* Guards the pinned views: taken after all others. */
extern platform_lock platform_pins_lock;
static inline void platform_pins_lock_acquire(void) { pthread_mutex_lock(&platform_pins_lock.mutex); }
static inline void platform_pins_lock_release(void) { pthread_mutex_unlock(&platform_pins_lock.mutex); }

/* Where the calling thread notes what waits until it has come back from a long chain of transforms. */
void **platform_trampoline(void);

/* How many bindings of those that the calling thread is in have set one another. */
uint32_t *platform_nested_bindings(void);

/* Where the calling thread notes what waits until it has come back from the end of an object of a long chain. */
void **platform_unwinding(void);

/* Ends a context. What that lets go of may end the next one, and so on: the stack does not grow with such a chain. */
void platform_end(void (*destroy)(void *context), void *context);

/* Keeps the compiler, not the processor, from reordering memory accesses across it. Pairs with
 * platform_fence_others() on another thread. */
static inline void platform_fence_compiler(void) { __asm__ volatile("" ::: "memory"); }

/* The same pointer, of which the compiler knows nothing else. */
static inline void *platform_as_it_is(void *pointer) {
    __asm__("" : "+r"(pointer));
    return pointer;
}

/* The same pointer, for a loop to begin with: its code begins a line of the caches. */
static inline void *platform_loop_from(void *pointer) {
#if defined(__x86_64__)
    __asm__ volatile(".p2align 6" : "+r"(pointer));
#endif
    return pointer;
}

/* Whether platform_fence_others() can stand in for a fence on the other thread. */
bool platform_fences_others(void);

/* Makes every other thread of the process pass a full memory fence before it returns. */
void platform_fence_others(void);

/* Waits for another thread to get some instructions further, also for one that has to wait for a processor. */
void platform_stand_by(void);

/* Asks for a line of memory that is soon to be written, and that another processor may have. */
static inline void platform_prefetch(void *memory) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(char *)memory));
#else
    __builtin_prefetch(memory, 1);
#endif
}

static inline void platform_prefetch_read(const void *memory) { __builtin_prefetch(memory, 0); }

/* Leaves memory to others for some nanoseconds. */
/* Writes or reads whole words that another thread may read or write meanwhile: each is one or the other. */
static inline void platform_words_store(void *to, const void *from, size_t size) {
    for (size_t word = 0; word < size / sizeof(uintptr_t); word++)
        __atomic_store_n((uintptr_t *)to + word, ((const uintptr_t *)from)[word], __ATOMIC_RELAXED);
}
static inline void platform_words_load(void *to, const void *from, size_t size) {
    for (size_t word = 0; word < size / sizeof(uintptr_t); word++)
        ((uintptr_t *)to)[word] = __atomic_load_n((const uintptr_t *)from + word, __ATOMIC_RELAXED);
}

static inline void platform_pause(void) {
#if defined(__x86_64__)
    __asm__ volatile("pause");
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* Lets another thread get ahead, for so many pauses; 64 take two microseconds at most. Where one thread puts in what
 * another one takes out, both are quicker if they meet less often, as each meeting fetches memory from the other. */
void platform_back_off(int pauses);

/* Lets other threads run for a moment. */
static inline void platform_yield(void) { sched_yield(); }

static inline void platform_free(void *memory) { free(memory); }

/* What the library for C allocates and frees with: see memory.c. */
int platform_memalign(void **out, size_t alignment, size_t size);
void platform_dealloc(void *memory);
/* How many pieces of a reserve are in use, because there was no other memory. */
extern long platform_reserve_pieces;
/* Whether there is no memory beside it. */
bool platform_has_no_memory(void);
/* Whether nothing new should begin. */
static inline bool platform_is_out_of_memory(void) {
    return __builtin_expect(__atomic_load_n(&platform_reserve_pieces, __ATOMIC_RELAXED) != 0, 0) &&
           platform_has_no_memory();
}

/* A lock with a condition, for what is too rare to share the tables above. NULL if there is no memory. */
typedef struct platform_monitor platform_monitor;
platform_monitor *platform_monitor_new(void);
void platform_monitor_free(platform_monitor *monitor);
void platform_monitor_enter(platform_monitor *monitor);
void platform_monitor_leave(platform_monitor *monitor);
void platform_monitor_announce(platform_monitor *monitor);
/* Gives the monitor up until an announcement, or some milliseconds later. */
void platform_monitor_wait(platform_monitor *monitor, int milliseconds);

/* A lock that threads hardly ever wait for: leaving it takes no fence, because a thread that waits makes the others
 * pass one.
 * NULL if there is no memory. */
typedef struct platform_latch {
    uint32_t held;
    uint32_t waiting; /* set when a thread may be waiting */
    bool fences;      /* set where others cannot be made to pass a fence */
} platform_latch;
platform_latch *platform_latch_new(void);
void platform_latch_free(platform_latch *latch);
void platform_latch_wait(platform_latch *latch);
void platform_latch_wake(platform_latch *latch);

static inline bool platform_latch_try(platform_latch *latch) {
    uint32_t held = 0;
    return __atomic_compare_exchange_n(&latch->held, &held, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static inline void platform_latch_enter(platform_latch *latch) {
    if (!platform_latch_try(latch)) platform_latch_wait(latch);
}

static inline void platform_latch_leave(platform_latch *latch) {
    if (latch->fences) {
        __atomic_exchange_n(&latch->held, 0, __ATOMIC_SEQ_CST);
    } else {
        __atomic_store_n(&latch->held, 0, __ATOMIC_RELEASE);
        platform_fence_compiler();
    }
    if (__atomic_load_n(&latch->waiting, __ATOMIC_SEQ_CST) != 0) platform_latch_wake(latch);
}

/* A file descriptor that is readable between raise and clear, and when an alarm in it has come. -1 if none is
 * available. */
typedef struct platform_event {
    int watched, raised;
} platform_event;
platform_event platform_event_new(void);
void platform_event_free(platform_event event);
void platform_event_raise(platform_event event);
void platform_event_clear(platform_event event);

/* Makes the descriptor of an event readable from a time on, until another one is set; INT64_MAX: never. It can outlive
 * the event. -1 if none is available. */
int platform_alarm_new(platform_event event);
void platform_alarm_set(int alarm, int64_t time);
void platform_alarm_free(int alarm);

/* The time in nanoseconds, of a clock that only goes on. */
int64_t platform_now(void);

/* Whether a Swift object is being deallocated, so that it can no longer be retained. Only with the ordinary
 * Swift runtime, not in Embedded Swift. */
bool swift_isDeallocating(void *object);
static inline bool platform_is_dying(void *object) { return swift_isDeallocating(object); }

/* The smallest kind of weak reference: the object dies as usual, its memory stays until the reference is
 * released, and a user of the object has to retain it first. NULL if it is dead or dying. Only for native
 * objects of the ordinary Swift runtime. */
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);
void *swift_tryRetain(void *object);
static inline void platform_remember(void *object) { swift_unownedRetain(object); }
static inline void platform_forget(void *object) { swift_unownedRelease(object); }
static inline void *platform_try_retain(void *object) { return swift_tryRetain(object); }

/* The word in which the references to a Swift object are counted: bit 63 says that they are counted elsewhere,
 * bit 32 that the object has died. It can be read as long as the object is held `unowned`. */
static inline const uint64_t *platform_count(const void *object) { return (const uint64_t *)object + 1; }

/* A word that always says "elsewhere", and one of an object that always lives. */
static inline const uint64_t *platform_count_elsewhere(void) {
    static const uint64_t word = (uint64_t)1 << 63;
    return &word;
}
static inline const uint64_t *platform_count_for_ever(void) {
    static const uint64_t word = 0;
    return &word;
}

/* Whether an object certainly lives, by its word: one load. */
static inline bool platform_surely_lives(const uint64_t *count) {
    return __builtin_expect((__atomic_load_n(count, __ATOMIC_RELAXED) & (uint64_t)0x8000000100000000) == 0, 1);
}

#if defined(__has_attribute)
#if __has_attribute(swiftcall)
/* The executor that the calling thread runs on, in two words; the first is zero where none is known.
 * Only with the ordinary Swift runtime, not in Embedded Swift. */
typedef struct platform_executor {
    uintptr_t identity;
    uintptr_t implementation;
} platform_executor;

__attribute__((swiftcall)) platform_executor swift_task_getCurrentExecutor(void);
static inline uintptr_t platform_current_executor(void) { return swift_task_getCurrentExecutor().identity; }
#endif
#endif

/* Whether the calling thread is the one that the program began with. */
bool platform_is_main_thread(void);

/* Its number, once it has asked. 0 before. */
extern uintptr_t platform_main_thread;

/* The same, for who asks with each message: two loads where the answer is yes. */
static inline bool platform_is_main_thread_inline(void) {
    return __builtin_expect(__atomic_load_n(&platform_main_thread, __ATOMIC_RELAXED) == platform_thread(), 1) ||
           platform_is_main_thread();
}

/* Says a sentence on standard error, unless SWIFTOBSERVER_WARNINGS is "off" in the environment. Swift programs only. */
void platform_warn(const char *sentence);

/* Ends the process with a sentence: what a failed precondition of the engine does. */
_Noreturn void platform_fail(const char *sentence);

#if defined(CHECKS_HANDLES)
#include "handles.h"
#endif

#endif

// SPDX-License-Identifier: MIT
// What the library calls of the system, by the names that explore.mk gives these calls in its objects.
#include "machine.hpp"
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>

#define HERE __builtin_return_address(0)
#define AT(pointer) reinterpret_cast<uintptr_t>(pointer)

// Descriptors of queues: how often each has been raised.
static constexpr int first_event = 1000, events = 32;
static uint64_t raised[events];
static bool isOpen[events];
static int watched[events]; // by an epoll descriptor; otherwise itself

bool is_raised(int event) { return raised[watched[event - first_event] - first_event] != 0; }

// What each thread may pass, thread 0's behind the one that prepares.
static uintptr_t passing[most_threads + 1];
void forget_passing() { std::memset(passing, 0, sizeof passing); }

extern "C" {

// Which of the seeded faults is switched on: see faults.txt.
int explore_fault(void) {
    static const char *fault = getenv("EXPLORE_FAULT");
    static const int number = fault ? atoi(fault) : 0;
    return number;
}

uintptr_t explore_thread(void) { return static_cast<uintptr_t>(machine.current + 2) << 12; }
uintptr_t *explore_passing_thread(void) { return &passing[machine.current + 1]; }

// What a thread computes with is let go of when it ends.
extern __thread void *platform_computing_here;
static void (*endComputing)(void *computing);
void explore_end_computing_with(void (*call)(void *computing)) { endComputing = call; }
void explore_end_thread(void) {
    void *computing = platform_computing_here;
    platform_computing_here = nullptr;
    if (computing != nullptr) endComputing(computing);
}

pthread_t explore_pthread_self(void) { return explore_thread(); }
uint64_t explore_thread_identity(void) { return explore_thread(); }

int explore_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *) {
    return std::memset(mutex, 0, sizeof *mutex), 0;
}
int explore_pthread_mutex_destroy(pthread_mutex_t *) { return 0; }
int explore_pthread_mutex_lock(pthread_mutex_t *mutex) { return machine.lock(AT(mutex), HERE), 0; }
// Only tried until it succeeds.
int explore_pthread_mutex_unlock(pthread_mutex_t *mutex) { return machine.unlock(AT(mutex), HERE), 0; }
int explore_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *) { return 0; }
int explore_pthread_cond_destroy(pthread_cond_t *) { return 0; }
int explore_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return machine.wait(AT(condition), AT(mutex), false, HERE), 0;
}
int explore_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *) {
    return machine.wait(AT(condition), AT(mutex), true, HERE), 0;
}
int explore_pthread_cond_broadcast(pthread_cond_t *condition) { return machine.announce(AT(condition), HERE), 0; }
int explore_pthread_atfork(void (*)(void), void (*)(void), void (*)(void)) { return 0; }

int explore_sched_yield(void) { return machine.yield(HERE), 0; }

void *explore_malloc(size_t size) { return arena.allocate(size, 16); }
void explore_free(void *memory) { machine.release(memory); }
int explore_posix_memalign(void **out, size_t alignment, size_t size) {
    return (*out = arena.allocate(size, alignment)) ? 0 : ENOMEM;
}
void *explore_realloc(void *memory, size_t size) {
    void *moved = arena.allocate(size, 16);
    if (memory != nullptr) {
        size_t before = arena.has(memory) ? arena.size_of(memory) : size;
        std::memcpy(moved, memory, before < size ? before : size);
        explore_free(memory);
    }
    return moved;
}
char *explore_strdup(const char *text) {
    return std::strcpy(static_cast<char *>(explore_malloc(std::strlen(text) + 1)), text);
}

int explore_eventfd(unsigned, int) {
    for (int one = 0; one < events; one++) {
        if (isOpen[one]) continue;
        isOpen[one] = true;
        raised[one] = 0;
        return watched[one] = first_event + one;
    }
    broken("descriptors are left open");
}
int explore_epoll_create1(int) { return explore_eventfd(0, 0); }
int explore_epoll_ctl(int event, int, int descriptor, void *) {
    watched[event - first_event] = descriptor;
    return 0;
}
static void raise(int event, const uint64_t *by) {
    machine.annotate("raises a descriptor", &raised[event - first_event]);
    raised[event - first_event] += *by;
}
static void clear(int event, uint64_t *out) {
    machine.annotate("clears a descriptor", &raised[event - first_event]);
    *out = raised[event - first_event];
    raised[event - first_event] = 0;
}

// membarrier(2), futex(2), and what is done with a descriptor.
long explore_syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long answer = 0;
    if (number == SYS_membarrier) {
        int command = va_arg(arguments, int);
        if (command == 0)
            answer = getenv("EXPLORE_NO_MEMBARRIER") ? 0 : 1 << 0 | 1 << 3 | 1 << 4;
        else if (command == 1 << 3)
            machine.barrier(HERE);
    } else if (number == SYS_futex) {
        void *at = va_arg(arguments, void *);
        int operation = va_arg(arguments, int), value = va_arg(arguments, int);
        if (operation == FUTEX_WAIT_PRIVATE)
            machine.sleep(AT(at), static_cast<uint32_t>(value), HERE);
        else
            machine.futex_wake(AT(at), HERE);
    } else if (number == SYS_write || number == SYS_read) {
        int event = va_arg(arguments, int);
        void *count = va_arg(arguments, void *);
        answer = sizeof(uint64_t);
        if (number == SYS_write)
            raise(event, static_cast<uint64_t *>(count));
        else
            clear(event, static_cast<uint64_t *>(count));
    } else if (number == SYS_close) {
        isOpen[va_arg(arguments, int) - first_event] = false;
    } else if (number == SYS_nanosleep) {
        machine.yield(HERE);
    } else {
        broken("the library makes system call %ld, which the explorer does not know", number);
    }
    va_end(arguments);
    return answer;
}
}

// SPDX-License-Identifier: MIT
// Threads of a program that run one at a time, on one thread of the machine. Each has a thread of the system, which
// sleeps, for its memory: the stack, and what is thread-local.
#pragma once
#include <asm/prctl.h>
#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

// What is thread-local in this program, of one thread: below its pointer.
class ThreadLocals {
  public:
    explicit ThreadLocals(uintptr_t pointer = 0) : pointer(pointer) {}
    void enter() const {
        static const bool mayWrite = getauxval(AT_HWCAP2) & 2; // HWCAP2_FSGSBASE
        if (mayWrite)
            asm volatile("wrfsbase %0" ::"r"(pointer) : "memory");
        else
            syscall(SYS_arch_prctl, ARCH_SET_FS, pointer);
    }
    void keep() { kept.assign(begin(), begin() + size()); }
    void restore() const { std::memcpy(begin(), kept.data(), size()); }

  private:
    uintptr_t pointer;
    std::vector<char> kept;

    char *begin() const { return reinterpret_cast<char *>(pointer) - size(); }
    static size_t size() {
        static size_t found = 0;
        auto look = [](dl_phdr_info *program, size_t, void *) {
            for (int one = 0; one < program->dlpi_phnum; one++) {
                const auto &header = program->dlpi_phdr[one];
                if (header.p_type == PT_TLS) found = (header.p_memsz + header.p_align - 1) & ~(header.p_align - 1);
            }
            return 1; // The program is the first.
        };
        if (found == 0) dl_iterate_phdr(look, nullptr);
        return found;
    }
};

class Fibre {
  public:
    ThreadLocals locals;

    // Begins `body` anew each time it is resumed after it has returned.
    void make(void (*body)(int), int index) {
        if (stack == nullptr) sleep();
        this->body = body;
        this->index = index;
        ucontext_t here;
        getcontext(&context);
        context.uc_stack.ss_sp = stack;
        context.uc_stack.ss_size = size;
        context.uc_link = nullptr;
        auto self = reinterpret_cast<uintptr_t>(this);
        makecontext(&context, reinterpret_cast<void (*)()>(enter), 2, static_cast<unsigned>(self >> 32),
                    static_cast<unsigned>(self));
        if (_setjmp(home) == 0) swapcontext(&here, &context);
    }

    void resume() {
        if (_setjmp(home) == 0) {
            locals.enter();
            _longjmp(inside, 1);
        }
        from.enter();
    }

    // Called inside: back to what resumed it.
    void pause() {
        if (_setjmp(inside) == 0) _longjmp(home, 1);
    }

  private:
    static constexpr size_t size = 1 << 18;
    static constexpr size_t upper = 1 << 16; // in which the thread sleeps
    void *stack = nullptr;
    ThreadLocals from{pthread_self()};
    sem_t asleep;
    ucontext_t context;
    jmp_buf home, inside;
    void (*body)(int) = nullptr;
    int index = 0;

    static void enter(unsigned high, unsigned low) {
        auto self = reinterpret_cast<Fibre *>(static_cast<uintptr_t>(high) << 32 | low);
        for (;;) {
            self->pause();
            self->body(self->index);
        }
    }

    void sleep() {
        stack = mmap(nullptr, size + upper, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stack == MAP_FAILED) abort();
        auto rest = [](void *asleep) -> void * {
            sem_post(static_cast<sem_t *>(asleep));
            for (;;) ::pause();
        };
        pthread_attr_t attributes;
        pthread_t thread;
        sem_init(&asleep, 0, 0);
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, stack, size + upper);
        if (pthread_create(&thread, &attributes, rest, &asleep) != 0) abort();
        while (sem_wait(&asleep) != 0) {}
        locals = ThreadLocals(thread);
    }
};

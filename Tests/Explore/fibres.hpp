// SPDX-License-Identifier: MIT
// Threads of a program that run one at a time, on one thread of the machine.
#pragma once
#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <ucontext.h>

class Fibre {
  public:
    // Begins `body` anew each time it is resumed after it has returned.
    void make(void (*body)(int), int index) {
        if (stack == nullptr) {
            stack = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (stack == MAP_FAILED) abort();
        }
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
        if (_setjmp(home) == 0) _longjmp(inside, 1);
    }

    // Called inside: back to what resumed it.
    void pause() {
        if (_setjmp(inside) == 0) _longjmp(home, 1);
    }

  private:
    static constexpr size_t size = 1 << 18;
    void *stack = nullptr;
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
};

/* SPDX-License-Identifier: MIT */
/* Order on one thread: who receives before whom, and when a handler's own messages are delivered. */
#include "support.h"

static uintptr_t lowest, highest;

static void note_stack(void) {
    uintptr_t address = (uintptr_t)__builtin_frame_address(0); /* a sanitizer may keep variables elsewhere */
    if (address < lowest) lowest = address;
    if (address > highest) highest = address;
}

static void send_next(struct probe *probe, const swo_value *message, const void *author) {
    note_stack();
    if (message->as.int64 < probe->number) send_number(probe->observable, message->as.int64 + 1);
}

static void send_all(struct probe *probe, const swo_value *message, const void *author) {
    note_stack();
    if (message->as.int64 == 0)
        for (long number = 1; number <= probe->number; number++) send_number(probe->observable, number);
}

static void assert_flat(void (*action)(struct probe *, const swo_value *, const void *)) {
    swo_observable *messenger = swo_messenger_new();
    struct probe probe = {.name = "a", .action = action, .number = scaled(100000)};
    lowest = UINTPTR_MAX;
    highest = 0;
    observe(messenger, NULL, &probe);
    send_number(messenger, 0);
    assert_int_equal(probe.calls, probe.number + 1);
    assert_in_range(highest - lowest, 0, 1024);
    swo_observable_release(messenger);
}

/* Law 3 */
TEST(the_stack_does_not_grow_when_each_message_causes_the_next) { assert_flat(send_next); }

/* Law 3 */
TEST(the_stack_does_not_grow_when_many_messages_wait) { assert_flat(send_all); }

/* SPDX-License-Identifier: MIT */
/* What the examples of swiftobserver/poll.h take for granted. */
#include <swiftobserver/poll.h>

void first_example(int keyboard, void (*read_keyboard)(void), swo_queue *queue) {
#include "example1"
}

void second_example(swo_queue *queue, bool done) {
#include "example2"
}

/* SPDX-License-Identifier: MIT */
/* What the example of swiftobserver/uv.h takes for granted. */
#include <swiftobserver/uv.h>

void example(swo_queue *queue, swo_executor executor_of_the_queue, swo_observable *observable, swo_observer *observer,
             swo_handler show, uv_loop_t *loop) {
#include "example1"
}

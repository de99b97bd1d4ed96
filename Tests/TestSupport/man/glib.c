/* SPDX-License-Identifier: MIT */
/* What the example of swiftobserver/glib.h takes for granted. */
#include <swiftobserver/glib.h>

void example(swo_queue *queue, swo_executor executor_of_the_queue, swo_observable *observable, swo_observer *observer,
             swo_handler show, void *label, GMainLoop *loop) {
#include "example1"
}

/* SPDX-License-Identifier: MIT */
/* What the examples of swiftobserver/gobject.h take for granted. */
#include <swiftobserver/gobject.h>

void first_example(GObject *scale, GObject *socket, swo_observable *volume, swo_observable *messages,
                   swo_observable *windows, GObject *window, swo_observable *busy, GObject *button,
                   swo_gobject_bind_options options) {
#include "example1"
}

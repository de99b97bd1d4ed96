/* SPDX-License-Identifier: MIT */
/* What the example of swiftobserver/scoped.h takes for granted. */
#include <swiftobserver/scoped.h>

bool example(swo_handler greet, const swo_value *message) {
#include "example1"
    return true;
}

/* SPDX-License-Identifier: MIT */
/* What the examples of swiftobserver/typed.h take for granted. */
#include <swiftobserver/typed.h>

void first_example(swo_observable *names, swo_observable *temperature) {
#include "example1"
}

#include "example2"

#include "example3"

void last_example(void) {
#include "example4"
}

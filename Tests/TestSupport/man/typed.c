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

#include "example5"

#include "example6"

/* Declared above. */
static void changed(void *context, const struct reading *before, const struct reading *now, const void *author) {
    (void)context, (void)before, (void)now, (void)author;
}

void variable_example(void) {
#include "example7"
}

/* SPDX-License-Identifier: MIT */
/* What a debug build of a Swift program has to say, unless it was told to be silent. */
#include "CPlatform.h"
#include <stdio.h>

void platform_warn(const char *sentence) {
    const char *wanted = getenv("SWIFTOBSERVER_WARNINGS");
    if (!wanted || strcmp(wanted, "off") != 0) fprintf(stderr, "%s\n", sentence);
}

/* SPDX-License-Identifier: MIT */
/* Which of the faults of faults.txt is switched on: RELAY_FAULT=number in the environment. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static int32_t chosen;

__attribute__((constructor)) static void choose(void) {
    const char *number = getenv("RELAY_FAULT");
    if (number != NULL) chosen = atoi(number);
}

bool relay_is_broken(int32_t number);
bool relay_is_broken(int32_t number) { return number == chosen; }

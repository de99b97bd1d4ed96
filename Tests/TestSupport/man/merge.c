/* SPDX-License-Identifier: MIT */
/* What the example of swiftobserver/merge.h takes for granted. */
#include <stdio.h>
#include <swiftobserver/merge.h>

#include "example1"

swo_handler used(void) { return receive; }

/* SPDX-License-Identifier: MIT */
/* Counts what the calling thread allocates: this program's malloc is glibc's with a counter in front. */
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

long allocations_so_far(void);

#endif

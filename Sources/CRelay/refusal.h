/* SPDX-License-Identifier: MIT */
#ifndef CRELAY_REFUSAL_H
#define CRELAY_REFUSAL_H

/* The number of the error because of which nothing at an address could be connected to: the one that libmosquitto has
 * left, or, where that tells nothing, the one of another attempt. */
int relay_refusal(const char *host, int port, int number);

#endif

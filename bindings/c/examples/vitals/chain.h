/* SPDX-License-Identifier: MIT */
/** @file chain.h
 *  What becomes of the readings of one source:
 *
 *      variable (a sample) --new--> --map: what is shown--> --filter: not as before--> print
 */
#ifndef VITALS_CHAIN_H
#define VITALS_CHAIN_H

#include "sources.h"

#include <swiftobserver.h>

/** The context of all callbacks of its observables. It outlives them: there is nothing to destroy. */
struct chain {
    const source *source;
    double interval;

    swo_observable *variable; /**< holds the latest sample */
    swo_observable *changes;  /**< the far end, which keeps everything in between alive */

    sample before;
    bool has_before;
    char text[TEXT_SIZE];  /**< the latest sample */
    char shown[TEXT_SIZE]; /**< what was printed last */
    int sent, delivered, filtered;
    bool has_failed; /**< the source cannot be read any more */
};

/** Makes the observables of a chain, which is zero but for its source and interval, and has `observer` observe them. */
void chain_begin(struct chain *chain, swo_observer *observer);

/** Takes a sample. When this returns, all that follows from it has happened, up to the printed line. */
void chain_take(struct chain *chain, const sample *now);

/** Releases the observables. */
void chain_end(struct chain *chain);

/** Ends the program if something has failed. Nothing of the library's can fail here but for want of memory. */
void require(swo_status status);

#endif

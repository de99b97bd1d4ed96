/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/scoped.h
 *  Releases at the end of the block, however it is left: by its end, by return, break, continue or goto.
 *
 *      SWO_SCOPED(swo_observable) names = swo_messenger_new();
 *      SWO_SCOPED(swo_observation) greeting = 0;
 *      swo_observe(names, NULL, greet, NULL, NULL, &greeting);
 *      SWO_SCOPED(swo_value) copy = swo_null();
 *      if (swo_value_copy(message, &copy) != SWO_OK) return false;
 *
 *  Variables must be initialised, because what is in them will be released; the last one declared is released first.
 *  Neither longjmp() nor exit() releases anything.
 *
 *  For GCC and Clang, whose attribute `cleanup` this is, with any standard from C99 to C23 and C++11 to C++20.
 *  Other compilers stop here.
 */
#ifndef SWIFTOBSERVER_SCOPED_H
#define SWIFTOBSERVER_SCOPED_H

#include <swiftobserver.h>

#ifndef __GNUC__
#error "swiftobserver/scoped.h needs GCC or Clang"
#endif

/** Declares a variable that is released at the end of its block.
 *  @param type  swo_observable, swo_observer or swo_queue: declares a pointer to it, which is released; NULL is fine;
 *               swo_observation: is stopped; 0 is fine, and so is one that has been stopped;
 *               swo_value: is cleared. */
#define SWO_SCOPED(type) __attribute__((cleanup(swo_scoped_end_##type))) swo_scoped_##type

typedef swo_observable *swo_scoped_swo_observable;
typedef swo_observer *swo_scoped_swo_observer;
typedef swo_queue *swo_scoped_swo_queue;
typedef swo_observation swo_scoped_swo_observation;
typedef swo_value swo_scoped_swo_value;

static inline void swo_scoped_end_swo_observable(swo_scoped_swo_observable *variable) {
    swo_observable_release(*variable);
}

static inline void swo_scoped_end_swo_observer(swo_scoped_swo_observer *variable) { swo_observer_release(*variable); }

static inline void swo_scoped_end_swo_queue(swo_scoped_swo_queue *variable) { swo_queue_release(*variable); }

static inline void swo_scoped_end_swo_observation(swo_observation *variable) { swo_stop(*variable); }

static inline void swo_scoped_end_swo_value(swo_value *variable) { swo_value_clear(variable); }

/** Takes what is in a scoped variable out of it, so that it outlives the block: `return swo_take_observable(&names);`
 *  The caller owns the result. */
static inline swo_observable *swo_take_observable(swo_scoped_swo_observable *variable) {
    swo_observable *taken = *variable;
    *variable = NULL;
    return taken;
}

/** As swo_take_observable(). */
static inline swo_observer *swo_take_observer(swo_scoped_swo_observer *variable) {
    swo_observer *taken = *variable;
    *variable = NULL;
    return taken;
}

/** As swo_take_observable(). */
static inline swo_queue *swo_take_queue(swo_scoped_swo_queue *variable) {
    swo_queue *taken = *variable;
    *variable = NULL;
    return taken;
}

/** As swo_take_observable(): the observation goes on. */
static inline swo_observation swo_take_observation(swo_observation *variable) {
    swo_observation taken = *variable;
    *variable = 0;
    return taken;
}

/** As swo_take_observable(): the caller clears the value. */
static inline swo_value swo_take_value(swo_value *variable) {
    swo_value taken = *variable;
    *variable = swo_null();
    return taken;
}

#endif

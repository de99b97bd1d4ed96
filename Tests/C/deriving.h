/* SPDX-License-Identifier: MIT */
/** @file deriving.h
 *  What the tests of derived variables share: functions over variables, with counts of their runs. */
#ifndef SWIFTOBSERVER_TESTS_DERIVING_H
#define SWIFTOBSERVER_TESTS_DERIVING_H

#include "support.h"

/** The function of a derived variable, which ends with GIVE(). */
#define DERIVING(name, context) static swo_status name(void *context, swo_value *out)

enum { MOST_SOURCES = 100 };

/** The context of a function: what it reads, and how often it ran. */
struct formula {
    int64_t (*of)(struct formula *formula);
    swo_observable *source[MOST_SOURCES];
    int count;
    int64_t number;
    swo_status status; /**< of what it has read: a function that reads a failure fails with it */
    atomic_long runs;
};

/** What a function reads of its n-th source. */
static inline int64_t read_source(struct formula *formula, int n) {
    swo_value value = swo_int64(0);
    swo_status status = swo_variable_get(formula->source[n], &value);
    if (status != SWO_OK) formula->status = status;
    return value.as.int64;
}

static inline swo_status run_formula(void *context, swo_value *out) {
    struct formula *formula = context;
    atomic_fetch_add(&formula->runs, 1);
    formula->status = SWO_OK;
    int64_t number = formula->of(formula);
    *out = formula->status == SWO_OK ? swo_int64(number) : swo_null();
    return formula->status;
}

static inline swo_observable *derive(struct formula *formula) {
    swo_observable *derived;
    ok(swo_derived_new(run_formula, formula, NULL, &derived));
    return derived;
}

/** A formula over some variables: `struct formula sum = FORMULA(add, a, b)`. */
#define FORMULA(function, ...)                                                                                         \
    {                                                                                                                  \
        .of = function, .source = {__VA_ARGS__},                                                                       \
        .count = sizeof((swo_observable *[]){__VA_ARGS__}) / sizeof(swo_observable *)                                  \
    }

static inline int64_t add(struct formula *formula) {
    int64_t sum = formula->number;
    for (int n = 0; n < formula->count; n++) sum += read_source(formula, n);
    return sum;
}

static inline swo_status status_of(swo_observable *variable) {
    swo_value value = swo_null();
    swo_status status = swo_variable_get(variable, &value);
    swo_value_clear(&value);
    return status;
}

/** How often it has run since this was last asked. */
static inline long runs(struct formula *formula) { return atomic_exchange(&formula->runs, 0); }

#define commit() ok(swo_transaction_commit())
#define begin() ok(swo_transaction_begin())

#endif

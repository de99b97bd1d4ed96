/* SPDX-License-Identifier: MIT */
/* For cost.c: derived variables. */
#pragma once
#include "cost_cases.h"

struct sources {
    swo_observable *source[2];
    int count;
};

static swo_status add_up(void *context, swo_value *out) {
    struct sources *sources = context;
    int64_t sum = 1;
    for (int each = 0; each < sources->count; each++) {
        swo_value value;
        swo_status status = swo_variable_get(sources->source[each], &value);
        if (status != SWO_OK) return status;
        sum += value.as.int64;
    }
    *out = swo_int64(sum);
    return SWO_OK;
}

static swo_observable *new_variable(void) {
    swo_value zero = swo_int64(0);
    swo_observable *variable;
    if (swo_variable_new(&zero, &variable) != SWO_OK) abort();
    return variable;
}

static swo_observable *derive_from(struct sources *sources) {
    swo_observable *derived;
    if (swo_derived_new(add_up, sources, NULL, &derived) != SWO_OK) abort();
    return derived;
}

static void set_some(swo_observable *variable, long count) {
    for (long one = 1; one <= count; one++) {
        swo_value value = swo_int64(one);
        swo_variable_set(variable, &value, NULL);
    }
}

/* Two between the source and a third, which is observed. */
static void set_a_derived_diamond(long count) {
    swo_observable *source = new_variable();
    struct sources of_left = {{source}, 1}, of_right = {{source}, 1};
    swo_observable *left = derive_from(&of_left), *right = derive_from(&of_right);
    struct sources of_join = {{left, right}, 2};
    swo_observable *join = derive_from(&of_join);
    observe_by(join, 1);
    set_some(source, count);
    swo_observable_release(join);
    swo_observable_release(left);
    swo_observable_release(right);
    swo_observable_release(source);
}

static void set_two_in_a_transaction(long count) {
    swo_observable *one = new_variable(), *other = new_variable();
    for (long each = 1; each <= count; each++) {
        if (swo_transaction_begin() != SWO_OK) abort();
        swo_value value = swo_int64(each);
        swo_variable_set(one, &value, NULL);
        swo_variable_set(other, &value, NULL);
        if (swo_transaction_commit() != SWO_OK) abort();
    }
    swo_observable_release(one);
    swo_observable_release(other);
}

enum { CHAIN = 10 };

static void set_chain(long count, bool is_observed) {
    swo_observable *chain[CHAIN + 1] = {new_variable()};
    struct sources sources[CHAIN];
    for (int each = 0; each < CHAIN; each++) {
        sources[each] = (struct sources){{chain[each]}, 1};
        chain[each + 1] = derive_from(&sources[each]);
    }
    swo_value value;
    if (is_observed) observe_by(chain[CHAIN], 1);
    for (long one = 1; one <= count; one++) {
        value = swo_int64(one);
        swo_variable_set(chain[0], &value, NULL);
        if (!is_observed) swo_variable_get(chain[CHAIN], &value);
    }
    for (int each = CHAIN; each >= 0; each--) swo_observable_release(chain[each]);
}

static void set_a_derived_chain_of_10(long count) { set_chain(count, true); }
static void set_and_read_a_derived_chain_of_10(long count) { set_chain(count, false); }

static void read_a_derived_variable(long count) {
    swo_observable *source = new_variable();
    struct sources sources = {{source}, 1};
    swo_observable *derived = derive_from(&sources);
    swo_value value;
    for (long one = 0; one < count; one++) swo_variable_get(derived, &value);
    swo_observable_release(derived);
    swo_observable_release(source);
}

/* SPDX-License-Identifier: MIT */
/* Derived variables and transactions on several threads: no function sees a mixture (laws 27, 30, 32, 33). */
#include "deriving.h"

enum { ACCOUNTS = 6, TOTAL = 6000, ROUNDS = 20000 };

static swo_observable *account[ACCOUNTS], *half[2], *sum_of_halves, *direct_sum, *chosen, *product, *behind;
static atomic_bool over;

/* In functions and on other threads: nothing fails, so the number is all that there is. */
static int64_t get(swo_observable *variable) {
    swo_value value;
    ok(swo_variable_get(variable, &value));
    return value.as.int64;
}

static void set(swo_observable *variable, int64_t number) {
    swo_value value = swo_int64(number);
    ok(swo_variable_set(variable, &value, NULL));
}

#define DERIVING(name, context) static swo_status name(void *context, swo_value *out)
#define PROCEDURE(name, context) static swo_status name(void *context)

DERIVING(sum_half, which) {
    int64_t sum = 0;
    for (int n = 0; n < ACCOUNTS / 2; n++) sum += get(account[(intptr_t)which * (ACCOUNTS / 2) + n]);
    GIVE(swo_int64(sum));
}

DERIVING(sum_halves, context) {
    int64_t first = get(half[0]);
    sched_yield();
    must(first + get(half[1]) == TOTAL);
    GIVE(swo_int64(TOTAL));
}

DERIVING(sum_all, context) {
    int64_t sum = 0;
    for (int n = 0; n < ACCOUNTS; n++) sum += get(account[n]);
    must(sum == TOTAL);
    for (int n = ACCOUNTS; n-- > 0;) sum -= get(account[n]);
    must(sum == 0); /* a second read is the same */
    GIVE(swo_int64(TOTAL));
}

/* What it depends on changes all the time. */
DERIVING(choose, context) {
    int64_t first = get(account[0]);
    must((first % 2 == 0 ? get(half[0]) + get(half[1]) : get(direct_sum)) == TOTAL);
    GIVE(swo_int64(first));
}

DERIVING(multiply, context) { GIVE(swo_int64(get(account[0]) * (1 << 24) + (get(half[0]) & 0xffffff))); }

DERIVING(look_behind, context) {
    int64_t both = get(product);
    must(both >> 24 == get(account[0]) && (both & 0xffffff) == (get(half[0]) & 0xffffff));
    GIVE(swo_int64(both + 1));
}

static int64_t heard, heard_behind;

HANDLER(hear, last) {
    const swo_value *old, *new;
    must(swo_value_update(message, &old, &new) == SWO_OK);
    must(*(int64_t *)last == old->as.int64); /* one thread at a time, in one order */
    *(int64_t *)last = new->as.int64;
}

static void transfer(uint64_t *random) {
    swo_status status;
    unsigned from = chance(random, ACCOUNTS), to = (from + 1 + chance(random, ACCOUNTS - 1)) % ACCOUNTS;
    int64_t amount = chance(random, 7) + 1;
    do {
        must(swo_transaction_begin() == SWO_OK);
        int64_t a = get(account[from]), b = get(account[to]);
        set(account[from], a - amount);
        set(account[to], b + amount);
        must(get(account[from]) == a - amount);
        status = swo_transaction_commit();
    } while (status == SWO_CONFLICT);
    must(status == SWO_OK);
}

TASK(write, seed) {
    uint64_t random = (uintptr_t)seed;
    for (long n = scaled(ROUNDS); n > 0; n--) transfer(&random);
    atomic_store(&over, true);
}

PROCEDURE(look_at_all, context) {
    int64_t sum = 0;
    for (int n = 0; n < ACCOUNTS; n++) sum += get(account[n]);
    must(sum == TOTAL && get(sum_of_halves) == TOTAL);
    int64_t both = get(product);
    must(both >> 24 == get(account[0]) && (both & 0xffffff) == (get(half[0]) & 0xffffff));
    return SWO_OK;
}

TASK(read, context) {
    while (!atomic_load(&over)) {
        must(get(sum_of_halves) == TOTAL);
        must(get(direct_sum) == TOTAL);
        get(chosen);
        ok(swo_snapshot(look_at_all, NULL));
    }
}

static swo_observable *deriving(swo_deriving function, void *context) {
    swo_observable *derived;
    ok(swo_derived_new(function, context, NULL, &derived));
    return derived;
}

static void make_accounts(void) {
    atomic_store(&over, false);
    for (int n = 0; n < ACCOUNTS; n++) account[n] = number_variable(TOTAL / ACCOUNTS);
    for (intptr_t n = 0; n < 2; n++) half[n] = deriving(sum_half, (void *)n);
    sum_of_halves = deriving(sum_halves, NULL);
    direct_sum = deriving(sum_all, NULL);
    chosen = deriving(choose, NULL);
    product = deriving(multiply, NULL);
    behind = deriving(look_behind, NULL);
}

static void release_accounts(void) {
    RELEASE(half[0], half[1], sum_of_halves, direct_sum, chosen, product, behind);
    for (int n = 0; n < ACCOUNTS; n++) swo_observable_release(account[n]);
}

TEST(no_function_sees_a_mixture_while_others_write) {
    make_accounts();
    run_threads({write, (void *)1}, {read, NULL}, {write, (void *)2}, {read, NULL});
    release_accounts();
}

TEST(no_observer_loses_the_chain_of_updates) {
    swo_observation ids[2];
    make_accounts();
    heard = number_of(product);
    heard_behind = number_of(behind);
    ok(swo_observe(product, NULL, hear, &heard, NULL, &ids[0]));
    ok(swo_observe(behind, NULL, hear, &heard_behind, NULL, &ids[1]));
    run_threads({write, (void *)3}, {read, NULL}, {write, (void *)4}, {read, NULL});
    assert_int_equal(number_of(product), heard);
    assert_int_equal(number_of(behind), heard_behind);
    ok(swo_stop(ids[0]));
    ok(swo_stop(ids[1]));
    release_accounts();
}

TASK(increment, counter) {
    for (long n = scaled(ROUNDS); n > 0; n--) {
        swo_status status;
        do {
            must(swo_transaction_begin() == SWO_OK);
            set(counter, get(counter) + 1);
            status = swo_transaction_commit();
        } while (status == SWO_CONFLICT);
        must(status == SWO_OK);
    }
}

TEST(no_increment_is_lost) {
    OWN_OBSERVABLE *counter = number_variable(0);
    run_on_threads(3, increment, counter);
    assert_int_equal(number_of(counter), 3 * scaled(ROUNDS));
}

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

/* ---- variables that nothing has joined ---- */

static swo_observable *pair[2];
static _Atomic(swo_observable **) fresh;

/* Both in one transaction: their sum stays. */
static void exchange(swo_observable **two, int64_t amount) {
    swo_status status;
    do {
        must(swo_transaction_begin() == SWO_OK);
        set(two[0], get(two[0]) - amount);
        set(two[1], get(two[1]) + amount);
        status = swo_transaction_commit();
    } while (status == SWO_CONFLICT);
    must(status == SWO_OK);
}

TASK(exchange_all, context) {
    while (!atomic_load(&over)) {
        for (int n = 0; n < 20; n++) exchange(pair, n % 5 + 1);
        swo_observable **two = atomic_load(&fresh);
        for (int n = 0; two != NULL && n < 20; n++) exchange(two, n % 2 == 0 ? 1 : -1);
    }
}

DERIVING(sum_fresh, context) {
    swo_observable **two = context;
    int64_t first = get(two[0]);
    sched_yield();
    must(first + get(two[1]) == 1 && get(two[0]) == first);
    GIVE(swo_int64(first));
}

PROCEDURE(look_at_pair, context) {
    int64_t first = get(pair[0]);
    sched_yield();
    must(first + get(pair[1]) == 100 && first == get(pair[0]));
    return SWO_OK;
}

enum { FRESH = 400 };

TASK(discover, all) {
    for (int n = 0; n < FRESH; n++) {
        swo_observable **two = (swo_observable **)all + 2 * n;
        two[0] = number_variable(1), two[1] = number_variable(0);
        atomic_store(&fresh, two);
        for (int one = 0; one < 5; one++) ok(swo_snapshot(look_at_pair, NULL));
        swo_observable *derived = deriving(sum_fresh, two);
        for (int one = 0; one < 5; one++) get(derived);
        swo_observable_release(derived);
    }
    atomic_store(&over, true);
}

TEST(a_first_run_over_variables_that_nothing_has_joined_sees_no_mixture) {
    swo_observable **all = calloc(2 * FRESH, sizeof *all);
    atomic_store(&over, false);
    pair[0] = number_variable(50), pair[1] = number_variable(50);
    run_threads({exchange_all, NULL}, {discover, all}, {exchange_all, NULL});
    atomic_store(&fresh, NULL);
    for (int n = 0; n < 2 * FRESH; n++) swo_observable_release(all[n]);
    free(all);
    RELEASE(pair[0], pair[1]);
}

/* Set one after the other, without a transaction. */
static swo_observable *before, *behind_it;

TASK(set_both, context) {
    for (long n = 1; n <= scaled(ROUNDS) * 5; n++) {
        set(before, n);
        set(behind_it, n);
    }
    atomic_store(&over, true);
}

PROCEDURE(look_in_order, context) {
    int64_t first = get(before);
    sched_yield();
    int64_t second = get(behind_it);
    must(second == first || second == first - 1);
    return SWO_OK;
}

TASK(look_all_the_time, context) {
    while (!atomic_load(&over)) ok(swo_snapshot(look_in_order, NULL));
}

TEST(a_snapshot_sees_two_variables_as_of_one_moment_in_the_order_of_sets) {
    atomic_store(&over, false);
    before = number_variable(0), behind_it = number_variable(0);
    run_threads({set_both, NULL}, {look_all_the_time, NULL}, {look_all_the_time, NULL});
    RELEASE(before, behind_it);
}

/* ---- what other libraries do wrong, by name ---- */

enum { POWERS = 8 };
static swo_observable *power[POWERS];

DERIVING(add_powers, context) {
    int64_t sum = 0;
    for (int n = 0; n < POWERS; n++) sum += get(power[n]);
    must((sum & (sum - 1)) == 0);
    GIVE(swo_int64(sum));
}

TASK(double_all, context) {
    for (long n = scaled(2000); n > 0; n--) {
        swo_status status;
        do {
            must(swo_transaction_begin() == SWO_OK);
            int64_t now = get(power[0]);
            for (int one = 0; one < POWERS; one++) set(power[one], now >= 1 << 20 ? 1 : now * 2);
            status = swo_transaction_commit();
        } while (status == SWO_CONFLICT);
        must(status == SWO_OK);
    }
}

TEST(total_is_a_power_of_two_in_every_run) {
    for (int n = 0; n < POWERS; n++) power[n] = number_variable(1);
    OWN_OBSERVABLE *total = deriving(add_powers, NULL);
    struct probe p = {.name = "total"};
    observe(total, NULL, &p);
    run_threads({double_all, NULL}, {double_all, NULL});
    int64_t last = number_of(total);
    assert_int_equal(last & (last - 1), 0);
    ok(swo_stop(p.observation));
    for (int n = 0; n < POWERS; n++) swo_observable_release(power[n]);
}

/* Sodium, nervio: the function runs under a lock, and a setter that holds one which it needs waits for ever. */
static pthread_mutex_t of_the_program = PTHREAD_MUTEX_INITIALIZER;
static swo_observable *locked_source, *locking;

DERIVING(lock_and_read, context) {
    pthread_mutex_lock(&of_the_program);
    int64_t number = get(locked_source);
    pthread_mutex_unlock(&of_the_program);
    GIVE(swo_int64(number));
}

TASK(set_under_the_lock, context) {
    for (long n = 1; n <= scaled(2000); n++) {
        pthread_mutex_lock(&of_the_program);
        set(locked_source, n);
        pthread_mutex_unlock(&of_the_program);
    }
    atomic_store(&over, true);
}

TASK(read_locking, context) {
    while (!atomic_load(&over)) get(locking);
}

TEST(a_function_that_needs_a_lock_of_a_setter_waits_for_no_set) {
    atomic_store(&over, false);
    locked_source = number_variable(0);
    locking = deriving(lock_and_read, NULL);
    run_threads({set_under_the_lock, NULL}, {read_locking, NULL}, {read_locking, NULL});
    assert_int_equal(number_of(locking), scaled(2000));
    RELEASE(locking, locked_source);
}

/* salsa: a setter waits for running functions. */
DERIVING(wait_at_gate, gate) {
    int64_t first = get(pair[0]);
    gate_pass(gate);
    must(get(pair[1]) == first); /* the moment of its first read */
    GIVE(swo_int64(first));
}

TASK(read_the_waiting, derived) { get(derived); }

TEST(a_set_does_not_wait_for_a_running_function_which_sees_its_own_moment) {
    OWN_GATE *gate = gate_new();
    pair[0] = number_variable(1), pair[1] = number_variable(1);
    OWN_OBSERVABLE *waiting = deriving(wait_at_gate, gate);
    pthread_t thread = begin_held(read_the_waiting, waiting, gate);
    begin();
    set_number(pair[0], 2);
    set_number(pair[1], 2);
    commit();
    assert_int_equal(number_of(pair[0]), 2);
    release_held(thread, gate);
    gate_open(gate);
    assert_int_equal(number_of(waiting), 2);
    gate_await(gate);
    RELEASE(pair[0], pair[1]);
}

/* Nothing but its thread knows of an open transaction. */
TASK(leave_open, variable) {
    must(swo_transaction_begin() == SWO_OK);
    set(variable, 7);
}

TASK(end_elsewhere, variable) {
    must(swo_transaction_commit() == SWO_NOT_FOUND);
    must(swo_transaction_abort() == SWO_NOT_FOUND);
    must(get(variable) == 1);
}

TEST(a_transaction_belongs_to_its_thread_whose_end_aborts_it) {
    OWN_OBSERVABLE *variable = number_variable(1);
    run_threads({leave_open, variable});
    assert_int_equal(number_of(variable), 1);
    begin();
    set_number(variable, 2);
    run_threads({end_elsewhere, variable});
    commit();
    assert_int_equal(number_of(variable), 2);
}

DERIVING(add_pair, context) { GIVE(swo_int64(get(pair[0]) + get(pair[1]))); }
DERIVING(add_first, other) { GIVE(swo_int64(get(pair[0]) + get(other))); }

TASK(count_one_up, variable) { set(variable, get(variable) + 1); }

/* Reads what is derived of both, or after it has set one of them, while another thread sets a variable. */
static swo_status commit_beside(swo_observable *derived, int sets_first, int reads_first, swo_observable *other) {
    begin();
    if (sets_first) set_number(pair[0], number_of(pair[0]) + 10);
    if (reads_first) number_of(pair[0]);
    if (reads_first) run_threads({count_one_up, other});
    number_of(derived);
    if (!reads_first) run_threads({count_one_up, other});
    set_number(pair[0], number_of(pair[0]) + 10);
    return swo_transaction_commit();
}

TEST(a_transaction_conflicts_with_what_it_has_read_through_derived_variables_and_nothing_else) {
    for (int is_observed = 0; is_observed < 2; is_observed++) {
        pair[0] = number_variable(1), pair[1] = number_variable(1);
        OWN_OBSERVABLE *unrelated = number_variable(1), *sum = deriving(add_pair, NULL);
        OWN_OBSERVABLE *in_its_region = deriving(add_first, unrelated);
        if (is_observed) ok(swo_observe(sum, NULL, ignore_message, NULL, NULL, NULL));
        for (int sets_first = 0; sets_first < 2; sets_first++) {
            for (int reads_first = 0; reads_first < 2; reads_first++) {
                number_of(in_its_region);
                assert_int_equal(commit_beside(sum, sets_first, reads_first, unrelated), SWO_OK);
                int64_t before = number_of(pair[0]);
                assert_int_equal(commit_beside(sum, sets_first, reads_first, pair[1]), SWO_CONFLICT);
                assert_int_equal(number_of(pair[0]), before);
            }
        }
        RELEASE(pair[0], pair[1]);
    }
}

/* a, b and c make TOTAL together, whatever is set: each transaction sets what it has read the rest of, also as what is
 * computed with values of its own. */
static swo_observable *part[3], *rest;

DERIVING(add_rest, context) { GIVE(swo_int64(get(part[1]) + get(part[2]))); }
DERIVING(expect_the_total, context) {
    must(get(part[0]) + get(rest) == TOTAL);
    GIVE(swo_int64(TOTAL));
}

TASK(move_parts, random) {
    for (int n = 0; n < scaled(3000); n++) {
        int from = (int)chance(random, 3), to = (int)chance(random, 3), amount = (int)chance(random, 7);
        must(swo_transaction_begin() == SWO_OK);
        if (chance(random, 2)) {
            set(part[from], get(part[from]) - amount);
            set(part[to], get(part[to]) + amount);
        } else {
            if (chance(random, 2)) set(part[0], amount);
            if (chance(random, 2)) set(part[1], get(part[1]) + amount);
            set(part[0], TOTAL - get(rest));
        }
        swo_status status = swo_transaction_commit();
        must(status == SWO_OK || status == SWO_CONFLICT);
    }
}

TEST(transactions_that_read_derived_variables_are_as_if_one_came_after_the_other) {
    for (int is_observed = 0; is_observed < 2; is_observed++) {
        uint64_t random[] = {1, 2, 3};
        for (int n = 0; n < 3; n++) part[n] = number_variable(n == 0 ? TOTAL : 0);
        rest = deriving(add_rest, NULL);
        OWN_OBSERVABLE *total = deriving(expect_the_total, NULL);
        if (is_observed) ok(swo_observe(total, NULL, ignore_message, NULL, NULL, NULL));
        run_threads({move_parts, &random[0]}, {move_parts, &random[1]}, {move_parts, &random[2]});
        assert_int_equal(number_of(total), TOTAL);
        RELEASE(part[0], part[1], part[2], rest);
    }
}

/* ---- turns that cross ---- */

static struct {
    int64_t *moments[2];
    _Atomic int count[2];
} crossing;

DERIVING(both_of_pair, context) { GIVE(swo_int64(get(pair[0]) * 1000000 + get(pair[1]))); }

HANDLER(note_moment, which) {
    int n = (int)(intptr_t)which, at = atomic_fetch_add(&crossing.count[n], 1);
    must(at < 2 * scaled(5000));
    crossing.moments[n][at] = message->as.update->new_value.as.int64;
}

TASK(count_up, variable) {
    for (int64_t n = 1; n <= scaled(5000); n++) set(variable, n);
}

TEST(crossing_turns_have_one_order_for_all_observers) {
    swo_observation ids[2];
    for (int n = 0; n < 2; n++) {
        crossing.moments[n] = calloc(2 * (size_t)scaled(5000), sizeof(int64_t));
        crossing.count[n] = 0;
    }
    pair[0] = number_variable(0), pair[1] = number_variable(0);
    OWN_OBSERVABLE *both = deriving(both_of_pair, NULL);
    for (intptr_t n = 0; n < 2; n++) ok(swo_observe(both, NULL, note_moment, (void *)n, NULL, &ids[n]));
    run_threads({count_up, pair[0]}, {count_up, pair[1]});
    int count = crossing.count[0];
    assert_int_equal(count, crossing.count[1]);
    assert_memory_equal(crossing.moments[0], crossing.moments[1], (size_t)count * sizeof(int64_t));
    assert_int_equal(crossing.moments[0][count - 1], scaled(5000) * 1000001);
    for (int n = 1; n < count; n++) {
        assert_true(crossing.moments[0][n] / 1000000 >= crossing.moments[0][n - 1] / 1000000);
        assert_true(crossing.moments[0][n] % 1000000 >= crossing.moments[0][n - 1] % 1000000);
    }
    for (int n = 0; n < 2; n++) {
        ok(swo_stop(ids[n]));
        free(crossing.moments[n]);
    }
    RELEASE(pair[0], pair[1]);
}

/* ---- philosophers ---- */

enum { PHILOSOPHERS = 4 };
static swo_observable *fork_holder[PHILOSOPHERS]; /* 0: nobody holds it */

DERIVING(eats, who) {
    intptr_t left = (intptr_t)who, right = (left + 1) % PHILOSOPHERS;
    bool has_left = get(fork_holder[left]) == left + 1, has_right = get(fork_holder[right]) == left + 1;
    must(has_left == has_right); /* both forks at once */
    GIVE(swo_bool(has_left));
}

TASK(dine, who) {
    intptr_t left = (intptr_t)who, right = (left + 1) % PHILOSOPHERS;
    for (long meals = scaled(300); meals > 0;) {
        must(swo_transaction_begin() == SWO_OK);
        bool are_free = get(fork_holder[left]) == 0 && get(fork_holder[right]) == 0;
        if (!are_free) {
            must(swo_transaction_abort() == SWO_OK);
            sched_yield();
            continue;
        }
        set(fork_holder[left], left + 1);
        set(fork_holder[right], left + 1);
        if (swo_transaction_commit() != SWO_OK) continue;
        meals--;
        must(swo_transaction_begin() == SWO_OK);
        set(fork_holder[left], 0);
        set(fork_holder[right], 0);
        must(swo_transaction_commit() == SWO_OK);
    }
}

TEST(no_fork_is_seen_in_two_hands_and_every_philosopher_eats) {
    swo_observable *eating[PHILOSOPHERS];
    struct probe p[PHILOSOPHERS] = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}};
    for (int n = 0; n < PHILOSOPHERS; n++) fork_holder[n] = number_variable(0);
    for (intptr_t n = 0; n < PHILOSOPHERS; n++) {
        eating[n] = deriving(eats, (void *)n);
        observe(eating[n], NULL, &p[n]);
    }
    run_threads({dine, (void *)0}, {dine, (void *)1}, {dine, (void *)2}, {dine, (void *)3});
    for (int n = 0; n < PHILOSOPHERS; n++) {
        ok(swo_stop(p[n].observation));
        swo_observable_release(eating[n]);
    }
    for (int n = 0; n < PHILOSOPHERS; n++) swo_observable_release(fork_holder[n]);
}

/* ---- the last reference goes while the function runs ---- */

static swo_observable *released_source;

DERIVING(wait_and_read, context) {
    struct probe *probe = context;
    int64_t number = get(released_source);
    if (number > 1) gate_pass(probe->gate);
    must(atomic_load(&probe->destroyed) == 0);
    GIVE(swo_int64(number));
}

DERIVING(read_other, derived) { GIVE(swo_int64(get(derived))); }

TASK(read_and_release, derived) {
    get(derived);
    swo_observable_release(derived);
}

TEST(a_function_is_destroyed_once_after_its_last_run_on_any_thread) {
    OWN_GATE *gate = gate_new();
    struct probe probe = {.name = "f", .gate = gate};
    released_source = number_variable(1);
    swo_observable *waiting;
    ok(swo_derived_new(wait_and_read, &probe, probe_destroy, &waiting));
    swo_observable *outer = deriving(read_other, waiting);
    assert_int_equal(number_of(outer), 1);
    set_number(released_source, 2);
    pthread_t thread = begin_held(read_and_release, outer, gate);
    /* What runs is held by what reads it, and that by its thread. */
    RELEASE(waiting, released_source);
    assert_int_equal(atomic_load(&probe.destroyed), 0);
    release_held(thread, gate);
    assert_int_equal(atomic_load(&probe.destroyed), 1);
}

/* ---- all at once ---- */

enum { CELLS = 6 };
static swo_observable *cell[CELLS], *mixed[CELLS];

DERIVING(mix, which) {
    intptr_t n = (intptr_t)which;
    int64_t first = get(cell[n]);
    GIVE(swo_int64(first + get(n == 0 || first % 3 == 0 ? cell[(n + 1) % CELLS] : mixed[n - 1])));
}

static int64_t recomputed(int n) {
    int64_t first = number_of(cell[n]);
    return first + (n == 0 || first % 3 == 0 ? number_of(cell[(n + 1) % CELLS]) : recomputed(n - 1));
}

TASK(do_anything, seed) {
    uint64_t random = (uintptr_t)seed;
    for (long rounds = scaled(5000); rounds > 0; rounds--) {
        unsigned which = chance(&random, CELLS);
        switch (chance(&random, 4)) {
        case 0: set(cell[which], chance(&random, 9)); break;
        case 1: get(mixed[which]); break;
        case 2: {
            swo_observation id;
            ok(swo_observe(mixed[which], NULL, ignore_message, NULL, NULL, &id));
            set(cell[(which + 1) % CELLS], chance(&random, 9));
            ok(swo_stop(id));
            break;
        }
        default:
            must(swo_transaction_begin() == SWO_OK);
            for (int n = 0; n < CELLS; n += 2) set(cell[n], chance(&random, 9));
            get(mixed[which]);
            if (chance(&random, 2) == 0) {
                must(swo_transaction_abort() == SWO_OK);
            } else {
                swo_status status = swo_transaction_commit();
                must(status == SWO_OK || status == SWO_CONFLICT);
            }
        }
    }
}

TEST(in_the_end_the_value_is_the_function_of_the_last_values) {
    struct probe p = {.name = "last"};
    for (int n = 0; n < CELLS; n++) cell[n] = number_variable(n);
    for (intptr_t n = 0; n < CELLS; n++) mixed[n] = deriving(mix, (void *)n);
    observe(mixed[CELLS - 1], NULL, &p);
    run_threads({do_anything, (void *)11}, {do_anything, (void *)12}, {do_anything, (void *)13},
                {do_anything, (void *)14});
    for (int n = 0; n < CELLS; n++) assert_int_equal(number_of(mixed[n]), recomputed(n));
    ok(swo_stop(p.observation));
    for (int n = CELLS; n-- > 0;) swo_observable_release(mixed[n]);
    for (int n = 0; n < CELLS; n++) swo_observable_release(cell[n]);
}

TEST(a_reader_gets_a_value_while_another_thread_computes_it) {
    OWN_GATE *gate = gate_new();
    pair[0] = number_variable(1), pair[1] = number_variable(1);
    OWN_OBSERVABLE *waiting = deriving(wait_at_gate, gate);
    pthread_t thread = begin_held(read_the_waiting, waiting, gate);
    gate_open(gate); /* for the run of this thread; the other may take it instead */
    gate_open(gate);
    assert_int_equal(number_of(waiting), 1);
    join_thread(thread);
    RELEASE(pair[0], pair[1]);
}

/* A function that does not return holds nobody up but its own thread. */
TEST(beside_a_function_that_does_not_return_all_goes_on) {
    OWN_GATE *gate = gate_new();
    pair[0] = number_variable(1), pair[1] = number_variable(1);
    OWN_OBSERVABLE *waiting = deriving(wait_at_gate, gate), *other = number_variable(1);
    struct formula of_pair = FORMULA(add, pair[0], pair[1]), of_other = FORMULA(add, other);
    OWN_OBSERVABLE *sum = derive(&of_pair), *elsewhere = derive(&of_other);
    struct probe p = PROBE("s"), q = PROBE("e");
    pthread_t thread = begin_held(read_the_waiting, waiting, gate);
    observe(sum, NULL, &p);
    observe(elsewhere, NULL, &q);
    set_number(pair[0], 2);
    assert_int_equal(number_of(sum), 3);
    set_number(other, 2);
    begin();
    set_number(pair[0], 3);
    set_number(pair[1], 3);
    commit();
    assert_int_equal(number_of(sum), 6);
    EXPECT_TRACE("s(2,3) e(1,2) s(3,6)");
    release_held(thread, gate);
    ok(swo_stop(p.observation));
    ok(swo_stop(q.observation));
    RELEASE(pair[0], pair[1]);
}

/* Two threads, each in a function that reads what the other one computes first. */
static swo_observable *crossed_source, *crossed[2];

DERIVING(read_the_other, number) {
    int64_t mine = get(crossed_source);
    long which = *(long *)number;
    GIVE(swo_int64(mine < 0 ? -get(crossed[1 - which]) : mine + which));
}

TASK(read_both_crosswise, number) {
    long which = *(long *)number;
    for (long n = 0; n < scaled(2000); n++) {
        get(crossed[which]);
        get(crossed[1 - which]);
    }
}

TASK(set_the_crossed, context) {
    for (long n = 0; n < scaled(2000); n++) set(crossed_source, n % 7);
}

TEST(two_threads_read_two_derived_variables_crosswise) {
    static long which[2] = {0, 1};
    crossed_source = number_variable(0);
    for (int n = 0; n < 2; n++) crossed[n] = deriving(read_the_other, &which[n]);
    run_threads({read_both_crosswise, &which[0]}, {read_both_crosswise, &which[1]}, {set_the_crossed, NULL});
    set(crossed_source, 5);
    assert_int_equal(number_of(crossed[0]), 5);
    assert_int_equal(number_of(crossed[1]), 6);
    RELEASE(crossed[0], crossed[1], crossed_source);
}

/* ---- what functions and programs should not do ---- */

enum { TEN = 10 };
static struct formula of_ten[TEN];
static swo_observable *ten[TEN];

TASK(read_around, first) {
    for (long n = scaled(1000); n > 0; n--) must(status_of(ten[((intptr_t)first + n) % TEN]) == SWO_CYCLE);
}

TEST(a_circle_through_ten_is_told_on_each_of_two_threads) {
    static const char *const letter[TEN] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    for (int n = 0; n < TEN; n++) {
        of_ten[n] = (struct formula)FORMULA(add, NULL);
        ten[n] = derive(&of_ten[n]);
        ok(swo_observable_set_name(ten[n], letter[n]));
    }
    for (int n = 0; n < TEN; n++) of_ten[n].source[0] = ten[(n + 1) % TEN];
    swo_value names;
    assert_int_equal(status_of(ten[0]), SWO_CYCLE);
    ok(swo_derived_failure(ten[0], &names));
    assert_string_equal(names.as.bytes.data, "a -> b -> c -> d -> e -> f -> g -> h -> i -> j -> a");
    swo_value_clear(&names);
    run_threads({read_around, (void *)0}, {read_around, (void *)5});
    for (int n = 0; n < TEN; n++) swo_observable_release(ten[n]);
}

static swo_observable *of_home;
TASK(read_from_elsewhere, derived) {
    swo_value one = swo_int64(1);
    must(swo_variable_set(of_home, &one, NULL) == SWO_WRONG_THREAD);
    must(get(of_home) == 20);
    must(get(derived) == 20);
}

TEST(a_confined_source_is_read_on_any_thread) {
    of_home = number_variable(10);
    ok(swo_observable_confine(of_home, NULL));
    struct formula same = FORMULA(add, of_home);
    OWN_OBSERVABLE *derived = derive(&same);
    assert_int_equal(number_of(derived), 10);
    set_number(of_home, 20);
    run_threads({read_from_elsewhere, derived});
    swo_observable_release(of_home);
}

/* The function reads, and others release: what it has read last stays. */
TASK(read_on, derived) {
    for (long n = scaled(2000); n > 0; n--) must(get(derived) == 3);
}

TASK(release_it, variable) {
    sched_yield();
    swo_observable_release(variable);
}

TEST(a_source_may_be_released_while_it_is_read) {
    for (long n = scaled(50); n > 0; n--) {
        swo_observable *variable = number_variable(3);
        struct formula same = FORMULA(add, variable);
        OWN_OBSERVABLE *derived = derive(&same);
        assert_int_equal(number_of(derived), 3);
        run_threads({read_on, derived}, {release_it, variable}, {read_on, derived});
    }
}

/* It does what it should not, because it may run again: nothing hangs, and the value is right. */
static swo_observable *told;
static long times_told;
HANDLER(note, context) { times_told++; }

DERIVING(observe_and_send, variable) {
    swo_observation begun;
    must(swo_observe(told, NULL, note, NULL, NULL, &begun) == SWO_OK);
    swo_value value = swo_int64(get(variable));
    must(swo_send(told, &value, NULL) == SWO_OK);
    must(swo_stop(begun) == SWO_OK);
    must(swo_transaction_begin() == SWO_COMPUTING);
    GIVE(value);
}

TEST(a_function_that_observes_sends_and_stops_hangs_nothing) {
    OWN_OBSERVABLE *variable = number_variable(1);
    told = swo_messenger_new();
    times_told = 0;
    OWN_OBSERVABLE *derived = deriving(observe_and_send, variable);
    assert_int_equal(number_of(derived), 1);
    swo_observation listening;
    int64_t last = 1;
    ok(swo_observe(derived, NULL, hear, &last, NULL, &listening));
    set_number(variable, 2);
    assert_int_equal(last, 2);
    assert_int_equal(times_told, 2);
    assert_int_equal(swo_observable_count(told), 0);
    ok(swo_stop(listening));
    swo_observable_release(told);
}

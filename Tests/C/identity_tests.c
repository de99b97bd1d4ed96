/* SPDX-License-Identifier: MIT */
/* Law 10: an observation's number names it and no other, ever. */
#include "support.h"

static int compare(const void *one, const void *other) {
    swo_observation first = *(const swo_observation *)one, second = *(const swo_observation *)other;
    return first < second ? -1 : first > second;
}

static void assert_all_different(swo_observation *observations, long count) {
    qsort(observations, (size_t)count, sizeof *observations, compare);
    assert_true(observations[0] != 0);
    for (long i = 1; i < count; i++) assert_true(observations[i - 1] != observations[i]);
}

TEST(numbers_are_never_used_again) {
    long count = scaled(2000000);
    swo_observation *observations = malloc((size_t)count * sizeof *observations);
    swo_observable *messengers[] = {swo_messenger_new(), swo_messenger_new()};
    for (long i = 0; i < count; i++) {
        ok(swo_observe(messengers[i % 2], NULL, ignore_message, NULL, NULL, &observations[i]));
        /* Most live shortly, some for a while, so that places in tables are taken up in every order. */
        if (i % 7 != 0) ok(swo_stop(observations[i]));
        if (i >= 700 && i % 7 == 0) ok(swo_stop(observations[i - 700]));
    }
    for (int i = 0; i < 2; i++) swo_observable_release(messengers[i]);
    assert_all_different(observations, count);
    for (long i = 0; i < count; i += count / 100 + 1) {
        assert_false(swo_is_living(observations[i]));
        assert_int_equal(swo_stop(observations[i]), SWO_NOT_FOUND);
    }
    free(observations);
}

TEST(the_number_of_what_ended_does_not_stop_what_began_since) {
    struct probe probes[100] = {0};
    swo_observation ended[100];
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int i = 0; i < 100; i++) {
        ended[i] = observe(messenger, NULL, &probes[i]);
        ok(swo_stop(ended[i]));
    }
    for (int i = 0; i < 100; i++) {
        probes[i].destroyed = 0;
        observe(messenger, NULL, &probes[i]);
    }
    for (int i = 0; i < 100; i++) {
        assert_int_equal(swo_stop(ended[i]), SWO_NOT_FOUND);
        assert_int_equal(swo_stop_and_wait(ended[i]), SWO_NOT_FOUND);
        assert_false(swo_is_living(ended[i]));
        assert_true(swo_is_living(probes[i].observation));
    }
    send_number(messenger, 1);
    for (int i = 0; i < 100; i++) assert_int_equal(probes[i].calls, 1);
}

TEST(an_invented_number_is_not_found) {
    struct probe probe = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    swo_observation observation = observe(messenger, NULL, &probe);
    static const swo_observation inventions[] = {0,          UINT64_MAX,        INT64_MAX,         (uint64_t)1 << 63,
                                                 UINT32_MAX, (uint64_t)1 << 32, 0x5555555555555555};
    for (size_t i = 0; i < COUNT(inventions); i++) {
        assert_false(swo_is_living(inventions[i]));
        assert_int_equal(swo_stop(inventions[i]), SWO_NOT_FOUND);
        assert_int_equal(swo_stop_and_wait(inventions[i]), SWO_NOT_FOUND);
    }
    /* Whatever the bits mean, none of them can be wrong. */
    for (int bit = 0; bit < 64; bit++) {
        swo_observation near = observation ^ (uint64_t)1 << bit;
        assert_false(swo_is_living(near));
        assert_int_equal(swo_stop(near), SWO_NOT_FOUND);
        assert_int_equal(swo_stop_and_wait(near), SWO_NOT_FOUND);
    }
    assert_true(swo_is_living(observation));
}

struct batch {
    swo_observable *messenger;
    swo_observation *observations;
    long count;
};

TASK(begin_and_stop, context) {
    struct batch *batch = context;
    for (long i = 0; i < batch->count; i++) {
        ok(swo_observe(batch->messenger, NULL, ignore_message, NULL, NULL, &batch->observations[i]));
        ok(swo_stop(batch->observations[i]));
    }
}

TEST(threads_get_different_numbers) {
    enum { THREADS = 3 };
    long count = scaled(100000);
    swo_observation *observations = malloc((size_t)(THREADS * count) * sizeof *observations);
    struct batch batches[THREADS];
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int i = 0; i < THREADS; i++) batches[i] = (struct batch){messenger, observations + i * count, count};
    run_with_each(begin_and_stop, batches);
    assert_all_different(observations, THREADS * count);
    free(observations);
}

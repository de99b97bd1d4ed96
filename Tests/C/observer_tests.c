/* SPDX-License-Identifier: MIT */
/* Observers: they keep observations, any number of any observable, and end them. */
#include "support.h"

TEST(an_observer_lives_until_its_last_owner_releases_it) {
    swo_observer *observer = swo_observer_new();
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, observer, &a);
    assert_ptr_equal(swo_observer_retain(observer), observer);
    swo_observer_release(observer);
    assert_true(swo_is_living(a.observation));
    swo_observer_release(observer);
    assert_false(swo_is_living(a.observation));
}

/* Law 14: one observer of very many observations stops each of them from anywhere in their midst. */
TEST(an_observer_of_many_stops_any_in_any_order) {
    long count = scaled(20000);
    swo_observable *messengers[] = {swo_messenger_new(), swo_messenger_new(), swo_messenger_new()};
    swo_observer *observer = swo_observer_new();
    struct probe *probes = calloc((size_t)count, sizeof *probes);
    for (long i = 0; i < count; i++) observe(messengers[i % 3], observer, &probes[i]);
    for (long i = 0; i < count; i += 2) ok(swo_stop(probes[i].observation));
    for (long i = count - 1; i > 0; i -= 4) swo_stop(probes[i].observation);
    ok(swo_observer_stop(observer, messengers[1]));
    for (int i = 0; i < 3; i++) send_number(messengers[i], 1);
    for (long i = 0; i < count; i++) {
        bool stopped = i % 2 == 0 || (count - 1 - i) % 4 == 0 || i % 3 == 1;
        assert_int_equal(probes[i].destroyed, stopped);
        assert_int_equal(probes[i].calls, !stopped);
    }
    swo_observer_release(observer);
    for (long i = 0; i < count; i++) assert_int_equal(probes[i].destroyed, 1);
    for (int i = 0; i < 3; i++) swo_observable_release(messengers[i]);
    free(probes);
}

/* What an observer of many should know: of each of its observables, which observations live. */
enum { OBSERVABLES = 40, KEPT = 900 };
struct kept {
    struct probe probe;
    int observable;
    bool lives;
};
struct household {
    swo_observer *observer;
    swo_observable *observables[OBSERVABLES];
    struct kept kept[KEPT];
    int count;
    uint64_t random;
};

static void begin_one(struct household *home, swo_executor *executor) {
    struct kept *one = &home->kept[home->count++];
    *one = (struct kept){.observable = (int)chance(&home->random, OBSERVABLES), .lives = true};
    swo_observable *observable = home->observables[one->observable];
    unsigned kind = chance(&home->random, 4);
    if (kind == 0)
        ok(swo_observe_on(observable, home->observer, executor, probe_receive, &one->probe, probe_destroy,
                          &one->probe.observation));
    else if (kind == 1)
        ok(swo_observe_with(observable,
                            WITH(.observer = home->observer, .executor = executor, .begins_on_executor = true),
                            probe_receive, &one->probe, probe_destroy, &one->probe.observation));
    else observe(observable, home->observer, &one->probe);
}

static int end_all_of(struct household *home, int observable) {
    int ended = 0;
    for (int i = 0; i < home->count; i++)
        if (home->kept[i].lives && home->kept[i].observable == observable) home->kept[i].lives = false, ended++;
    return ended;
}

static void do_something(struct household *home, swo_executor *executor, swo_queue *queue) {
    int observable = (int)chance(&home->random, OBSERVABLES);
    struct kept *one =
        &home->kept[chance(&home->random, (unsigned)home->count + 1) % (unsigned)(home->count + !home->count)];
    switch (chance(&home->random, 24)) {
    case 0: /* a dead one, and at its place perhaps a new one */
        swo_observable_release(home->observables[observable]);
        end_all_of(home, observable);
        drain(queue, SIZE_MAX / 2);
        home->observables[observable] = swo_messenger_new();
        break;
    case 1:
    case 2:
        assert_int_equal(swo_observer_stop(home->observer, home->observables[observable]),
                         end_all_of(home, observable) ? SWO_OK : SWO_NOT_FOUND);
        break;
    case 3:
    case 4:
    case 5:
        if (!home->count) break;
        assert_int_equal(swo_stop(one->probe.observation), one->lives ? SWO_OK : SWO_NOT_FOUND);
        one->lives = false;
        break;
    case 6: drain(queue, 5); break;
    default:
        if (home->count < KEPT) begin_one(home, executor);
    }
}

/* Laws 9 and 14: an observer of many finds those of one observable, whatever has begun, moved and ended meanwhile. */
TEST(an_observer_of_many_knows_what_it_observes) {
    OWN_QUEUE *queue;
    swo_executor executor;
    queue = new_queue(&executor);
    struct household *home = calloc(1, sizeof *home);
    home->random = 14;
    for (int round = 0; round < scaled(40); round++) {
        home->observer = swo_observer_new();
        home->count = 0;
        for (int i = 0; i < OBSERVABLES; i++) home->observables[i] = swo_messenger_new();
        for (int step = 0; step < 1200; step++) {
            do_something(home, &executor, queue);
            int asked = (int)chance(&home->random, OBSERVABLES), living = 0;
            bool observes = false;
            for (int i = 0; i < home->count; i++) {
                living += home->kept[i].lives;
                observes |= home->kept[i].lives && home->kept[i].observable == asked;
            }
            /* Not at each step, or little would ever wait to be looked at. */
            if (step % 3)
                assert_int_equal(swo_observer_is_observing(home->observer, home->observables[asked]), observes);
            if (step % 97 == 0) assert_int_equal(swo_observer_count(home->observer), living);
        }
        swo_observer_release(home->observer);
        drain(queue, SIZE_MAX / 2);
        for (int i = 0; i < home->count; i++) assert_int_equal(home->kept[i].probe.destroyed, 1);
        for (int i = 0; i < OBSERVABLES; i++) swo_observable_release(home->observables[i]);
    }
    free(home);
}

static int ended;
static void note_turn(struct probe *probe) { probe->number = ended++; }

TEST(observations_of_one_observable_end_in_the_order_in_which_they_began) {
    OWN_OBSERVER *observer = swo_observer_new();
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *other = swo_messenger_new();
    struct probe probes[300] = {0};
    for (int i = 0; i < 300; i++) {
        probes[i].at_end = note_turn;
        observe(i % 3 ? other : messenger, observer, &probes[i]);
    }
    ok(swo_observer_stop(observer, messenger));
    for (int i = 0; i < 300; i += 3) assert_int_equal(probes[i].number, i / 3);
    assert_int_equal(ended, 100);
    ok(swo_observer_stop(observer, other));
}

struct shared {
    swo_observer *observer;
    swo_observable *observable;
};

TASK(come_and_go_at_one_observer, context) {
    struct shared *shared = context;
    swo_observable *own = swo_messenger_new();
    for (long round = 0; round < scaled(2000); round++) {
        swo_observation kept;
        ok(swo_observe(shared->observable, shared->observer, ignore_message, NULL, NULL, &kept));
        ok(swo_observe(own, shared->observer, ignore_message, NULL, NULL, NULL));
        must(swo_observer_is_observing(shared->observer, own));
        must(swo_observer_is_observing(shared->observer, shared->observable));
        ok(swo_observer_stop(shared->observer, own));
        must(!swo_observer_is_observing(shared->observer, own));
        must(swo_observer_count(shared->observer) > 0);
        if (round % 4) ok(swo_stop(kept));
    }
    swo_observable_release(own);
}

TEST(an_observer_of_many_is_for_several_threads) {
    struct shared shared = {swo_observer_new(), swo_messenger_new()};
    run_threads({come_and_go_at_one_observer, &shared}, {come_and_go_at_one_observer, &shared},
                {come_and_go_at_one_observer, &shared});
    ok(swo_observer_stop(shared.observer, shared.observable));
    assert_int_equal(swo_observer_count(shared.observer), 0);
    swo_observer_release(shared.observer);
    swo_observable_release(shared.observable);
}

static void release_observer(struct probe *probe) { swo_observer_release(probe->observer); }

TEST(an_observer_may_be_released_by_what_ends_when_it_stops_everything) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int waits = 0; waits < 2; waits++) {
        swo_observer *observer = swo_observer_new();
        struct probe first = {.at_end = release_observer, .observer = observer}, others[100] = {0};
        observe(messenger, observer, &first);
        for (int i = 0; i < 100; i++) observe(messenger, observer, &others[i]);
        ok(waits ? swo_observer_stop_and_wait(observer) : swo_observer_stop(observer, NULL));
        for (int i = 0; i < 100; i++) assert_int_equal(others[i].destroyed, 1);
    }
}

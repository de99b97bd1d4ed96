/* SPDX-License-Identifier: MIT */
/* Hooks around whole deliveries: what belongs to one, and what does not. */
#include "support.h"

static void enter(void *unused) { journal_note(&journal, "(", NULL); }
static void leave(void *unused) { journal_note(&journal, ")", NULL); }

static const swo_hooks hooks = {sizeof hooks, enter, leave, NULL};

/* What each test has; the messenger has these hooks. */
static swo_observable *messenger;
static struct probe a;

void set_up(void) {
    messenger = swo_messenger_new();
    ok(swo_observable_set_hooks(messenger, &hooks));
    a = (struct probe)PROBE("a");
}

void tear_down(void) { swo_observable_release(messenger); }

TEST(hooks_stand_once_around_all_handlers_of_a_message) {
    static struct probe b;
    b = (struct probe)PROBE("b");
    observe(messenger, NULL, &a, &b);
    send_numbers(messenger, 1, 2);
    EXPECT_TRACE("( a1 b1 ) ( a2 b2 )");
}

TEST(hooks_stand_around_variables_too) {
    swo_observable *variables[] = {number_variable(1), deferred_variable(1)};
    for (int i = 0; i < 2; i++) {
        struct probe a = PROBE("a");
        ok(swo_observable_set_hooks(variables[i], &hooks));
        observe(variables[i], NULL, &a);
        set_number(variables[i], 2);
        if (i == 0) set_number(variables[i], 2); /* nothing is delivered */
        EXPECT_TRACE("( a(1,2) )");
        swo_observable_release(variables[i]);
    }
}

ACTION(send_two_once) {
    if (message->as.int64 == 1) send_number(probe->observable, 2);
}

TEST(what_is_sent_inside_a_delivery_belongs_to_it) { /* Law 3 */
    a.action = send_two_once;
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    EXPECT_TRACE("( a1 a2 )");
}

TEST(an_unordered_delivery_has_hooks_of_its_own) { /* Law 5 */
    a.action = send_two_once;
    ok(swo_observable_set_ordered(messenger, false));
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    EXPECT_TRACE("( a1 ( a2 ) )");
}

TEST(without_observations_there_is_no_delivery) {
    send_number(messenger, 1);
    swo_stop(observe(messenger, NULL, &a));
    send_number(messenger, 2);
    EXPECT_TRACE("");
}

TEST(a_replay_is_a_delivery) { /* Law 19 */
    for (int ordered = 0; ordered < 2; ordered++) {
        struct probe a = PROBE("a");
        swo_observable *variable = number_variable(1);
        ok(swo_observable_set_hooks(variable, &hooks));
        ok(swo_observable_set_ordered(variable, ordered));
        swo_observe_options options = OPTIONS(.replay = 1);
        ok(swo_observe_with(variable, &options, probe_receive, &a, NULL, NULL));
        EXPECT_TRACE("( a(1,1) )");
        swo_observable_release(variable);
    }
}

static void note_end(struct probe *probe) { journal_note(probe->journal, "end", NULL); }

TEST(contexts_that_end_with_a_delivery_end_inside_it) {
    a.action = stop_self, a.at_end = note_end;
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    EXPECT_TRACE("( a1 end )");
}

ACTION(remove_hooks) { ok(swo_observable_set_hooks(probe->observable, NULL)); }

TEST(hooks_that_are_taken_away_see_the_delivery_in_progress_through) {
    a.action = remove_hooks;
    observe(messenger, NULL, &a);
    send_numbers(messenger, 1, 2);
    EXPECT_TRACE("( a1 ) a2");
}

TEST(hooks_may_be_missing) {
    const swo_hooks half = {sizeof half, NULL, leave, NULL}, none = SWO_HOOKS_INIT;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    ok(swo_observable_set_hooks(messenger, &half));
    send_number(messenger, 1);
    ok(swo_observable_set_hooks(messenger, &none));
    send_number(messenger, 2);
    EXPECT_TRACE("a1 ) a2");
}

/* ---- a runtime with a lock ---- */

static pthread_mutex_t runtime = PTHREAD_MUTEX_INITIALIZER;
static long balance;

static void take(void *unused) { must(pthread_mutex_lock(&runtime) == 0); }
static void give(void *unused) { must(pthread_mutex_unlock(&runtime) == 0); }

HANDLER(count, unused) {
    /* Guarded by the lock of the runtime. */
    balance += message->as.int64;
}

TASK(send_many, messenger) {
    for (long i = 0; i < scaled(20000); i++) send_number(messenger, 1);
}

TEST(threads_that_send_take_the_lock_of_a_runtime_and_nothing_is_lost) { /* Law 4 */
    static const swo_hooks locking = {sizeof locking, take, give, NULL};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *other = swo_messenger_new();
    ok(swo_observable_set_hooks(messenger, &locking));
    ok(swo_observable_set_hooks(other, &locking));
    ok(swo_observe(messenger, NULL, count, NULL, NULL, NULL));
    ok(swo_observe(other, NULL, count, NULL, NULL, NULL));
    balance = 0;
    run_threads({send_many, messenger}, {send_many, other}, {send_many, messenger}, {send_many, other});
    assert_int_equal(balance, 4 * scaled(20000));
}

/* The hooks of an observation stand around its calls. Its context's end is none, and may free what the hooks use. */
TEST(hooks_of_an_observation_do_not_stand_around_the_end_of_its_context) {
    for (int way = 0; way < 3; way++) {
        struct probe a = PROBE("a", .at_end = note_end);
        if (way == 1) a.action = stop_self;
        swo_observable *messenger = swo_messenger_new();
        ok(swo_observe_with(messenger, WITH(.hooks = &hooks), probe_receive, &a, probe_destroy, &a.observation));
        send_number(messenger, 1);
        if (way == 0) ok(swo_stop(a.observation));
        swo_observable_release(messenger);
        EXPECT_TRACE("( a1 ) end");
    }
}

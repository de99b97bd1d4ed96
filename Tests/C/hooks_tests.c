/* SPDX-License-Identifier: MIT */
/* Hooks around whole deliveries: what belongs to one, and what does not. */
#include "support.h"

static void enter(void *unused) { journal_note(&journal, "(", NULL); }

static void leave(void *unused) { journal_note(&journal, ")", NULL); }

static const swo_hooks hooks = {sizeof hooks, enter, leave, NULL};

static swo_observable *hooked_messenger(void) {
    swo_observable *messenger = swo_messenger_new();
    must(swo_observable_set_hooks(messenger, &hooks) == SWO_OK);
    return messenger;
}

TEST(hooks_stand_once_around_all_handlers_of_a_message) {
    struct probe a = {.name = "a", .journal = &journal}, b = {.name = "b", .journal = &journal};
    OWN_OBSERVABLE *messenger = hooked_messenger();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    send_number(messenger, 1);
    send_number(messenger, 2);
    assert_journal(&journal, "( a1 b1 ) ( a2 b2 )");
}

TEST(hooks_stand_around_variables_too) {
    struct probe a = {.name = "a", .journal = &journal};
    OWN_OBSERVABLE *variable = number_variable(1);
    must(swo_observable_set_hooks(variable, &hooks) == SWO_OK);
    observe(variable, NULL, &a);
    set_number(variable, 2);
    set_number(variable, 2);
    assert_journal(&journal, "( a(1,2) )");
}

static void send_two_once(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.int64 == 1) send_number(probe->observable, 2);
}

TEST(what_is_sent_inside_a_delivery_belongs_to_it) { /* Law 3 */
    struct probe a = {.name = "a", .journal = &journal, .action = send_two_once};
    OWN_OBSERVABLE *messenger = hooked_messenger();
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    assert_journal(&journal, "( a1 a2 )");
}

TEST(an_unordered_delivery_has_hooks_of_its_own) { /* Law 5 */
    struct probe a = {.name = "a", .journal = &journal, .action = send_two_once};
    OWN_OBSERVABLE *messenger = hooked_messenger();
    must(swo_observable_set_ordered(messenger, false) == SWO_OK);
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    assert_journal(&journal, "( a1 ( a2 ) )");
}

TEST(where_nobody_observes_there_is_no_delivery) {
    struct probe a = {.name = "a", .journal = &journal};
    OWN_OBSERVABLE *messenger = hooked_messenger();
    send_number(messenger, 1);
    swo_stop(observe(messenger, NULL, &a));
    send_number(messenger, 2);
    assert_journal(&journal, "");
}

TEST(a_replay_is_a_delivery) { /* Law 19 */
    for (int ordered = 0; ordered < 2; ordered++) {
        struct probe a = {.name = "a", .journal = &journal};
        swo_observable *variable = number_variable(1);
        must(swo_observable_set_hooks(variable, &hooks) == SWO_OK);
        must(swo_observable_set_ordered(variable, ordered) == SWO_OK);
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        options.replay = 1;
        must(swo_observe_with(variable, &options, probe_receive, &a, NULL, NULL) == SWO_OK);
        assert_journal(&journal, "( a(1,1) )");
        swo_observable_release(variable);
    }
}

static void note_end(struct probe *probe) { journal_note(probe->journal, "end", NULL); }

TEST(contexts_that_end_with_a_delivery_end_inside_it) {
    struct probe a = {.name = "a", .journal = &journal, .action = stop_self, .at_end = note_end};
    OWN_OBSERVABLE *messenger = hooked_messenger();
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    assert_journal(&journal, "( a1 end )");
}

static void remove_hooks(struct probe *probe, const swo_value *message, const void *author) {
    must(swo_observable_set_hooks(probe->observable, NULL) == SWO_OK);
}

TEST(hooks_that_are_taken_away_see_the_delivery_in_progress_through) {
    struct probe a = {.name = "a", .journal = &journal, .action = remove_hooks};
    OWN_OBSERVABLE *messenger = hooked_messenger();
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    send_number(messenger, 2);
    assert_journal(&journal, "( a1 ) a2");
}

TEST(hooks_may_be_missing) {
    const swo_hooks half = {sizeof half, NULL, leave, NULL}, none = SWO_HOOKS_INIT;
    struct probe a = {.name = "a", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    assert_int_equal(swo_observable_set_hooks(messenger, &half), SWO_OK);
    send_number(messenger, 1);
    assert_int_equal(swo_observable_set_hooks(messenger, &none), SWO_OK);
    send_number(messenger, 2);
    assert_journal(&journal, "a1 ) a2");
}

/* ---- a runtime with a lock ---- */

static pthread_mutex_t runtime = PTHREAD_MUTEX_INITIALIZER;
static long balance;

static void take(void *unused) { must(pthread_mutex_lock(&runtime) == 0); }

static void give(void *unused) { must(pthread_mutex_unlock(&runtime) == 0); }

static void count(void *unused, const swo_value *message, const void *author) {
    /* Guarded by the lock of the runtime. */
    balance += message->as.int64;
}

static void *send_many(void *messenger) {
    for (long i = 0; i < scaled(20000); i++) send_number(messenger, 1);
    return NULL;
}

TEST(threads_that_send_take_the_lock_of_a_runtime_and_nothing_is_lost) { /* Law 4 */
    static const swo_hooks locking = {sizeof locking, take, give, NULL};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *other = swo_messenger_new();
    must(swo_observable_set_hooks(messenger, &locking) == SWO_OK);
    must(swo_observable_set_hooks(other, &locking) == SWO_OK);
    must(swo_observe(messenger, NULL, count, NULL, NULL, NULL) == SWO_OK);
    must(swo_observe(other, NULL, count, NULL, NULL, NULL) == SWO_OK);
    pthread_t threads[4];
    balance = 0;
    for (int i = 0; i < 4; i++) threads[i] = begin_thread(send_many, i % 2 ? messenger : other);
    for (int i = 0; i < 4; i++) join_thread(threads[i]);
    assert_int_equal(balance, 4 * scaled(20000));
}

static void end_with_hooks(struct probe *probe) { journal_note(probe->journal, "end", NULL); }

/* The hooks of an observation stand around its calls. Its context's end is none, and may free what the hooks use. */
TEST(hooks_of_an_observation_do_not_stand_around_the_end_of_its_context) {
    for (int way = 0; way < 3; way++) {
        struct probe a = {.name = "a", .journal = &journal, .at_end = end_with_hooks};
        if (way == 1) a.action = stop_self;
        swo_observable *messenger = swo_messenger_new();
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        options.hooks = &hooks;
        must(swo_observe_with(messenger, &options, probe_receive, &a, probe_destroy, &a.observation) == SWO_OK);
        send_number(messenger, 1);
        if (way == 0) must(swo_stop(a.observation) == SWO_OK);
        swo_observable_release(messenger);
        assert_journal(&journal, "( a1 ) end");
    }
}

// SPDX-License-Identifier: MIT
#include "programs.hpp"
#include "swiftobserver/runtime.h"

namespace {

void must(swo_status status) {
    if (status != SWO_OK) broken("a call fails: %s", swo_status_text(status));
}

void messenger() { world.subject = world.observed = swo_messenger_new(); }

void variable() {
    swo_value initial = swo_int64(900);
    world.isVariable = true;
    must(swo_variable_new(&initial, &world.subject));
    must(swo_variable_new(&initial, &world.other));
    world.observed = world.subject;
}

void deferred() {
    swo_value initial = swo_int64(900);
    world.isVariable = true;
    must(swo_deferred_variable_new(&initial, &world.subject));
    must(swo_variable_new(&initial, &world.other));
    world.observed = world.subject;
}

void offering() {
    messenger();
    must(swo_observable_set_budget(world.subject, 1));
}

template <void (*make)()> void without_order() {
    make();
    must(swo_observable_set_ordered(world.subject, false));
    world.isOrdered = false;
}

template <void (*make)()> void with_one() {
    make();
    world.hasOne = true;
}

void mapped() {
    messenger();
    world.other = swo_messenger_new();
    must(swo_map(
        world.subject, [](void *, const swo_value *message, swo_value *out) { return *out = *message, SWO_OK; },
        nullptr, nullptr, &world.observed));
}

void queued() {
    messenger();
    world.isQueued = true;
    must(swo_queue_new(0, SWO_QUEUE_BLOCK, &world.queue));
}

void bounded() {
    messenger();
    world.isQueued = true;
    must(swo_queue_new(12, SWO_QUEUE_REFUSE, &world.queue));
}

void confined() {
    queued();
    world.isConfined = true;
}

void behind_confined() {
    mapped();
    world.isQueued = world.isConfined = world.isBehind = true;
    must(swo_queue_new(0, SWO_QUEUE_BLOCK, &world.queue));
    expect_home();
}

int own(int thread) { return 2 + thread; }
int own_in_handler(int sender) { return 2 + most_threads + sender; }

void send_two(int thread) {
    send(thread);
    send(thread);
}
// As often as it takes to be biased, where the tests have that begin at once.
void send_often(int thread) {
    for (int one = 0; one < 5; one++) send(thread);
}
void observe(int thread) { begin_observing(own(thread), thread); }
void observe_in_handler(int thread) {
    world.inHandler[thread] = [](int sender, int here) { begin_observing(own_in_handler(sender), here); };
    send(thread);
}
void observe_replayed(int thread) { begin_observing(own(thread), thread, true); }
void stop_first(int thread) { stop(0, thread, false); }
void stop_second(int thread) { stop(1, thread, false); }
void stop_and_wait(int thread) { stop(0, thread, true); }
void stop_second_and_wait(int thread) { stop(1, thread, true); }
void observe_and_stop(int thread) {
    begin_observing(own(thread), thread);
    stop(own(thread), thread, false);
}
void block_all(int) {
    must(swo_observable_block(world.subject));
    must(swo_observable_unblock(world.subject));
}
void block_first(int) {
    if (swo_block(world.slot[0].id) == SWO_OK) swo_unblock(world.slot[0].id);
}
void block_and_stop(int thread) {
    block(0);
    stop(0, thread, false);
}
void change_mode(int) { must(swo_observable_set_ordered(world.subject, false)); }
void keep_order(int) { must(swo_observable_set_ordered(world.subject, true)); }
void keep_order_and_send(int thread) {
    keep_order(thread);
    send(thread);
}
void batch(int thread) {
    must(swo_variable_begin_batch(world.subject));
    send(thread);
    send(thread);
    must(swo_variable_end_batch(world.subject));
}
void get(int) {
    swo_value value;
    must(swo_variable_get(world.subject, &value));
}
// Where only one thread may, others leave it.
bool drains(int thread) { return !world.isConfined || thread == 0; }
void drain(int thread) {
    if (drains(thread)) must(swo_queue_drain(world.queue, 0, nullptr));
}
void drain_one_by_one(int thread) {
    for (int one = 0; drains(thread) && one < 2; one++) must(swo_queue_drain(world.queue, 1, nullptr));
}
void observe_combined(int thread) { begin_combined(own(thread)); }
void observe_combined_and_stop(int thread) {
    begin_combined(own(thread));
    stop(own(thread), thread, true);
}
void change_other(int) {
    swo_value value = swo_int64(1);
    must(swo_variable_set(world.other, &value, nullptr));
}
void change_source(int thread) {
    must(swo_transform_set_source(world.observed, world.other));
    swo_value value = swo_int64((10 + thread) * 100);
    must(swo_send(world.other, &value, nullptr));
    must(swo_transform_set_source(world.observed, world.subject));
}
void use_hooks(int thread) {
    set_hooks();
    send(thread);
    must(swo_observable_set_hooks(world.subject, nullptr));
}
void interrupt(int) { swo_observable_interrupt(world.observed); }
void only_release(int) {}
void send_releasing(int thread) {
    // The caller has to own it, unless its own handler gives it up.
    world.inHandler[thread] = [](int sender, int here) {
        if (sender == here) give_up(sender);
    };
    send(thread);
}

template <void (*run)(int)> void send_and(int thread) {
    world.inHandler[thread] = [](int, int here) { run(here); };
    send(thread);
}

void keep_order_and_stop_in_handler(int thread) {
    keep_order(thread);
    send_and<stop_second>(thread);
}

void disturbs_first(int) { world.slot[0].isDisturbed = true; }
void is_awaited(int thread) {
    disturbs_first(thread);
    world.awaitsStop = true;
}
void disturbs_second(int) { world.slot[1].isDisturbed = true; }
void disturbs_own(int thread) { world.slot[own(thread)].isDisturbed = true; }
void may_miss(int) { world.mayMiss = true; }
void may_wait(int) { world.mayWait = true; }
void loses_order(int) { world.isOrdered = false; }
void batches(int) { world.isBatched = true; }

} // namespace

const std::vector<Stage> all_stages = {
    {'m', "messenger", messenger},
    {'a', "messenger about to be biased", messenger, 32},
    {'l', "biased messenger", messenger, 40},
    {'g', "messenger with one observer", with_one<messenger>},
    {'h', "biased messenger with one observer", with_one<messenger>, 40},
    {'v', "variable", variable},
    {'w', "biased variable", variable, 80},
    {'d', "deferred variable", deferred},
    {'o', "messenger that offers", offering},
    {'u', "unordered messenger", without_order<messenger>},
    {'n', "unordered messenger about to be in reader slots", without_order<messenger>, 31},
    {'p', "unordered messenger in reader slots", without_order<messenger>, 40},
    {'i', "unordered messenger with one observer", with_one<without_order<messenger>>},
    {'j', "unordered messenger in reader slots with one observer", with_one<without_order<messenger>>, 40},
    {'z', "unordered variable", without_order<variable>},
    {'k', "unordered deferred variable", without_order<deferred>},
    {'t', "transform", mapped},
    {'q', "queue", queued},
    {'f', "filled queue", queued, 3},
    {'b', "bounded queue", bounded},
    {'c', "confined messenger", confined},
    {'e', "transform of what is confined", behind_confined},
    {'x', "messenger that may be biased to another", messenger, 40},
    {'y', "variable that may be biased to another", variable, 80},
};

const std::vector<Action> all_actions = {
    {"send", "malvwdounptqfbcxyghijzke", send},
    {"send often", "xy", send_often},
    {"send two", "malvwdounptqfbczke", send_two},
    {"observe", "malvwdounptqfbcghijzke", observe},
    {"observe with replay", "vwdzk", observe_replayed},
    {"observe and stop", "malvwdounptqfbcghijzk", observe_and_stop, disturbs_own},
    {"stop", "malvwdounptqfbcghijzke", stop_first, disturbs_first},
    {"stop the second", "ml", stop_second, disturbs_second},
    {"stop and wait", "malvwdounptqfbcghijzke", stop_and_wait, disturbs_first},
    {"stop the second and wait", "ml", stop_second_and_wait, disturbs_second},
    {"stop and wait, awaited", "malounpt", stop_and_wait, is_awaited},
    {"block", "malvwdounpqczk", block_all, may_miss},
    {"block an observation", "malvwdounptqfbczk", block_first, disturbs_first},
    {"block and stop", "malvwdounptqcghz", block_and_stop, disturbs_first},
    {"change the mode", "malvwq", change_mode, loses_order},
    {"keep the order again", "unpzk", keep_order},
    {"keep the order again and send", "uzk", keep_order_and_send},
    {"keep the order again and stop in a handler", "p", keep_order_and_stop_in_handler, disturbs_second},
    {"batch", "vwdzk", batch, batches},
    {"get", "vwdyzk", get},
    {"update", "vwz", update},
    {"observe combined", "vwd", observe_combined},
    {"observe combined and stop", "vwd", observe_combined_and_stop, disturbs_own},
    {"set the other of two", "vwd", change_other},
    {"change the source", "te", change_source, may_miss},
    {"send with hooks", "malvwdounptqzk", use_hooks},
    {"send later", "malotqfbce", send_later, may_wait},
    {"drain", "qfbce", drain},
    {"drain one by one", "qfbc", drain_one_by_one},
    {"send in a handler", "malvwdounptqfbcghijzk", send_and<send>},
    {"interrupt in a handler", "malotqfbc", send_and<interrupt>, may_wait},
    {"stop in a handler", "malvwdounptqfbczk", send_and<stop_second>, disturbs_second},
    {"stop and wait in a handler", "malvwdounptqfbcghijzk", send_and<stop_and_wait>, disturbs_first},
    {"observe in a handler", "malvwdounptqfbcghijzk", observe_in_handler},
    {"release", "malvwdounptqfbcghijzke", only_release, nullptr, true},
    {"release in a handler", "malounptqfb", send_releasing, nullptr, true},
};

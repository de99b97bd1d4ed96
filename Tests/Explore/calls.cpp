// SPDX-License-Identifier: MIT
// What a thread does, in the calls of the library. Observations 0 and 1 are there before, `own` is the thread's.
#include "programs.hpp"
#include "swiftobserver/runtime.h"

namespace {

int own(int thread) { return 2 + thread; }
int own_in_handler(int sender) { return 2 + most_threads + sender; }

// Sends, and has the first handler that receives it do something, with the numbers of the sender and of its thread.
void send_and(int thread, void (*react)(int sender, int here)) {
    world.inHandler[thread] = react;
    send(thread);
}

// Where only one thread may, others leave it.
bool drains(int thread) { return !world.isConfined || thread == 0; }

// What the laws do without.
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

constexpr Fixtures most = everything & ~biased_to_another;
constexpr Fixtures often = most & ~behind;
constexpr Fixtures with_two = most & ~with_one_observer;

} // namespace

#define CALL(name, fixtures, expect, ...)                                                                              \
    { name, fixtures, #__VA_ARGS__, []([[maybe_unused]] int thread) __VA_ARGS__, expect }
#define LAST_CALL(name, fixtures, ...)                                                                                 \
    { name, fixtures, #__VA_ARGS__, []([[maybe_unused]] int thread) __VA_ARGS__, nullptr, true }

const std::vector<Call> all_calls = {
    CALL("send", everything | timed | all_derived, nullptr, { send(thread); }),
    // As often as it takes to be biased, where the tests have that begin at once.
    CALL("send often", biased_to_another, nullptr,
         {
             for (int one = 0; one < 5; one++) send(thread);
         }),
    CALL("send two", with_two | timed, nullptr,
         {
             send(thread);
             send(thread);
         }),
    CALL("observe", most | timed | all_derived, nullptr, { begin_observing(own(thread), thread); }),
    CALL("observe with replay", variables | all_derived, nullptr, { begin_observing(own(thread), thread, true); }),
    CALL("observe and stop", often | timed | all_derived, disturbs_own,
         {
             begin_observing(own(thread), thread);
             stop(own(thread), thread, false);
         }),
    CALL("stop", most | timed | observed_derived, disturbs_first, { stop(0, thread, false); }),
    CALL("stop the second", messenger | biased_messenger, disturbs_second, { stop(1, thread, false); }),
    CALL("stop and wait", most | timed | observed_derived, disturbs_first, { stop(0, thread, true); }),
    CALL("stop the second and wait", messenger | biased_messenger, disturbs_second, { stop(1, thread, true); }),
    CALL("stop and wait, awaited", ordered_messengers | offering_messenger | unordered_messengers | transform,
         is_awaited, { stop(0, thread, true); }),
    CALL("block", with_two & ~(transform | filled_queue | bounded_queue | behind), may_miss,
         {
             must(swo_observable_block(subject));
             must(swo_observable_unblock(subject));
         }),
    CALL("block an observation", with_two & ~behind, disturbs_first,
         {
             if (swo_block(world.slot[0].id) == SWO_OK) swo_unblock(world.slot[0].id);
         }),
    CALL("block and stop",
         most & ~(unordered_messenger_with_one_observer | messenger_in_reader_slots_with_one_observer |
                  unordered_deferred_variable | filled_queue | bounded_queue | behind),
         disturbs_first,
         {
             block(0);
             stop(0, thread, false);
         }),
    CALL("change the mode", ordered_messengers | ordered_variables | queue, loses_order,
         { must(swo_observable_set_ordered(subject, false)); }),
    CALL("keep the order again", unordered_messengers | unordered_variables, nullptr,
         { must(swo_observable_set_ordered(subject, true)); }),
    CALL("keep the order again and send", unordered_messenger | unordered_variables, nullptr,
         {
             must(swo_observable_set_ordered(subject, true));
             send(thread);
         }),
    CALL("keep the order again and stop in a handler", messenger_in_reader_slots, disturbs_second,
         {
             must(swo_observable_set_ordered(subject, true));
             send_and(thread, [](int, int here) { stop(1, here, false); });
         }),
    CALL("batch", variables, batches,
         {
             must(swo_variable_begin_batch(subject));
             send(thread);
             send(thread);
             must(swo_variable_end_batch(subject));
         }),
    CALL("get", variables | variable_that_may_be_biased_to_another, nullptr,
         {
             swo_value value;
             must(swo_variable_get(subject, &value));
         }),
    CALL("update", ordered_variables | unordered_variable, nullptr, { update(thread); }),
    CALL("observe combined", ordered_variables | deferred_variable, nullptr, { begin_combined(own(thread)); }),
    CALL("observe combined and stop", ordered_variables | deferred_variable, disturbs_own,
         {
             begin_combined(own(thread));
             stop(own(thread), thread, true);
         }),
    CALL("set the other of two", ordered_variables | deferred_variable | derived_branches, nullptr,
         {
             swo_value value = swo_int64(1);
             must(swo_variable_set(other, &value, nullptr));
         }),
    CALL("change the source", transform | behind, may_miss,
         {
             swo_value value = swo_int64((10 + thread) * 100);
             must(swo_transform_set_source(observed, other));
             must(swo_send(other, &value, nullptr));
             must(swo_transform_set_source(observed, subject));
         }),
    CALL("send with hooks", with_two & ~(filled_queue | bounded_queue | confined_messenger | behind), nullptr,
         {
             set_hooks();
             send(thread);
             must(swo_observable_set_hooks(subject, nullptr));
         }),
    CALL("send later", ordered_messengers | offering_messenger | transform | drained | behind, may_wait,
         { send_later(thread); }),
    CALL("turn the clock", timed, nullptr, { must(swo_clock_advance(world.clock, 1)); }),
    CALL("send and turn the clock", timed, nullptr,
         {
             send(thread);
             must(swo_clock_advance(world.clock, 1));
         }),
    CALL("turn the clock and stop", timed, disturbs_first,
         {
             must(swo_clock_advance(world.clock, 1));
             stop(0, thread, false);
         }),
    CALL("get", all_derived, nullptr, { look(false); }),
    CALL("set and get", all_derived, nullptr,
         {
             send(thread);
             look(true);
         }),
    CALL("get and set", lazy_derived_variable, nullptr,
         {
             look(false);
             send(thread);
         }),
    CALL("set after a look", derived_variable | lazy_derived_variable | derived_diamond | biased_derived_variable,
         nullptr, { send_after_a_look(thread); }),
    CALL("snapshot", all_derived, nullptr, { look_at_once(); }),
    CALL("effect", derived_variable | lazy_derived_variable | derived_branches, nullptr,
         { begin_effect(own(thread)); }),
    CALL("effect and stop", derived_variable | lazy_derived_variable | derived_branches, disturbs_own,
         {
             begin_effect(own(thread));
             stop(own(thread), thread, true);
         }),
    CALL("drain", drained | behind, nullptr,
         {
             if (drains(thread)) must(swo_queue_drain(world.queue, 0, nullptr));
         }),
    CALL("drain one by one", drained, nullptr,
         {
             for (int one = 0; drains(thread) && one < 2; one++) must(swo_queue_drain(world.queue, 1, nullptr));
         }),
    CALL("send in a handler", often | timed | observed_derived, nullptr,
         { send_and(thread, [](int, int here) { send(here); }); }),
    CALL("interrupt in a handler", ordered_messengers | offering_messenger | transform | drained, may_wait,
         { send_and(thread, [](int, int) { swo_observable_interrupt(observed); }); }),
    CALL("stop in a handler", (with_two & ~behind) | timed | derived_variable, disturbs_second,
         { send_and(thread, [](int, int here) { stop(1, here, false); }); }),
    CALL("stop and wait in a handler", often | timed | observed_derived, disturbs_first,
         { send_and(thread, [](int, int here) { stop(0, here, true); }); }),
    CALL("observe in a handler", often | timed | observed_derived, nullptr,
         { send_and(thread, [](int sender, int here) { begin_observing(own_in_handler(sender), here); }); }),
    LAST_CALL("release", most | timed | all_derived, {}),
    // The caller has to own it, unless its own handler gives it up.
    LAST_CALL("release in a handler",
              ordered_messengers | offering_messenger | unordered_messengers | transform | queues,
              {
                  send_and(thread, [](int sender, int here) {
                      if (sender == here) give_up(sender);
                  });
              }),
};

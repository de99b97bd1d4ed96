/* SPDX-License-Identifier: MIT */
/* Does one thing a given number of times, for a tool that counts instructions.
 * Usage: cost CASE COUNT */
#include "cost_afterwards.h"
#include "cost_derived.h"
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(long count);
} cases[] = {
    {"send-to-0", send_to_0},
    {"send-to-1", send_to_1},
    {"send-to-100", send_to_100},
    {"send-unordered-to-1", send_unordered_to_1},
    {"send-unordered-to-100", send_unordered_to_100},
    {"send-from-a-handler", send_from_a_handler},
    {"send-through-map", send_through_map},
    {"observe-and-stop", observe_and_stop},
    {"observe-kept-and-stop", observe_kept_and_stop},
    {"set-a-variable", set_a_variable},
    {"get-a-variable", get_a_variable},
    {"set-after-another-thread", set_after_another_thread},
    {"make-a-messenger", make_a_messenger},
    {"send-after-a-stop", send_after_a_stop},
    {"send-after-a-block", send_after_a_block},
    {"send-beside-a-blocked", send_beside_a_blocked},
    {"set-after-a-replay", set_after_a_replay},
    {"send-many-from-a-handler", send_many_from_a_handler},
    {"use-a-messenger-a-little", use_a_messenger_a_little},
    {"use-a-variable-a-little", use_a_variable_a_little},
    {"stop-many", stop_many},
    {"send-after-a-wait", send_after_a_wait},
    {"send-by-two-in-turn", send_by_two_in_turn},
    {"send-unordered-between-observations", send_unordered_between_observations},
    {"set-a-variable-without-order", set_a_variable_without_order},
    {"observe-kept-by-one-with-many", observe_kept_by_one_with_many},
    {"stop-by-observable", stop_by_observable},
    {"send-unordered-deeply", send_unordered_deeply},
    {"observe-eight-and-stop", observe_eight_and_stop},
    {"stop-the-first-again", stop_the_first_again},
    {"stop-in-a-handler", stop_in_a_handler},
    {"change-the-order", change_the_order},
    {"send-from-a-handler-after-another-thread", send_from_a_handler_after_another_thread},
    {"set-a-deferred-variable", set_a_deferred_variable},
    {"stop-without-order-in-a-handler", stop_without_order_in_a_handler},
    {"send-unordered-by-two-in-turn", send_unordered_by_two_in_turn},
    {"change-the-source", change_the_source},
    {"send-unordered-after-stops-in-a-handler", send_unordered_after_stops_in_a_handler},
    {"send-later-to-0", send_later_to_0},
    {"set-a-derived-diamond", set_a_derived_diamond},
    {"set-two-in-a-transaction", set_two_in_a_transaction},
    {"set-a-derived-chain-of-10", set_a_derived_chain_of_10},
    {"set-and-read-a-derived-chain-of-10", set_and_read_a_derived_chain_of_10},
    {"read-a-derived-variable", read_a_derived_variable},
    {"send-traced-to-1", send_traced_to_1},
    {"send-through-scan", send_through_scan},
    {"send-through-combine", send_through_combine},
    {"set-through-combine", set_through_combine},
};

int main(int count, char **words) {
    for (size_t index = 0; count == 3 && index < sizeof cases / sizeof *cases; index++) {
        if (strcmp(words[1], cases[index].name) != 0) continue;
        cases[index].run(strtol(words[2], NULL, 10));
        return 0;
    }
    fprintf(stderr, "usage: cost CASE COUNT\n");
    return 2;
}

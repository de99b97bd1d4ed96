/* SPDX-License-Identifier: MIT */
/* Passes each probe, for Tests/C/probes_tests.sh: a debugger compares what they say with these. */
#include <stdlib.h>
#include <swiftobserver.h>

swo_observable *hunger, *howl, *doubled;
swo_observation eating, watching;
int the_author;

void eat(void *context, const swo_value *update, const void *who) { (void)context, (void)update, (void)who; }

static swo_status doubles(void *context, swo_value *out) {
    swo_value value;
    (void)context;
    if (swo_variable_get(hunger, &value)) return SWO_CALLBACK_FAILED;
    *out = swo_int64(2 * value.as.int64);
    return SWO_OK;
}

int main(void) {
    const swo_value one = swo_int64(1), two = swo_int64(2);
    if (swo_variable_new(&one, &hunger) || swo_observable_set_name(hunger, "hunger")) return 1;
    if (swo_observe(hunger, NULL, eat, &the_author, NULL, &eating) || swo_variable_set(hunger, &two, &the_author))
        return 1;
    swo_stop(eating);
    howl = swo_messenger_new();
    if (swo_observe(howl, NULL, eat, NULL, NULL, &watching) || swo_send(howl, &one, &the_author)) return 1;
    swo_observable *resent;
    if (swo_variable_new(&one, &resent) || swo_observe(resent, NULL, eat, NULL, NULL, NULL)) return 1;
    if (swo_send_latest(resent, &the_author)) return 1;
    swo_observable_release(resent);
    if (swo_derived_new(doubles, NULL, NULL, &doubled) || swo_observe(doubled, NULL, eat, NULL, NULL, NULL)) return 1;
    if (swo_variable_set(hunger, &one, NULL)) return 1;
    swo_observable_release(doubled);
    swo_observable_release(howl);
    swo_observable_release(hunger);
    return 0;
}

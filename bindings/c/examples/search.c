/* SPDX-License-Identifier: MIT */
/* A search field: it searches when nothing has been typed for a while, on the loop of the program, which sleeps until
 * then. The button is enabled while there is something to search for and no search runs. */
#include <stdio.h>
#include <swiftobserver.h>
#include <swiftobserver/poll.h>

static bool is_done;

static swo_status is_enabled(void *context, const swo_value *both, swo_value *out) {
    const swo_value *text = &both->as.list.values[0], *runs = &both->as.list.values[1];
    (void)context;
    *out = swo_bool(text->as.bytes.size > 0 && !runs->as.boolean);
    return SWO_OK;
}

static void show_button(void *context, const swo_value *enabled, const void *author) {
    (void)context, (void)author;
    printf("the button is %s\n", enabled->as.boolean ? "enabled" : "disabled");
}

static void search(void *runs, const swo_value *text, const void *author) {
    swo_value yes = swo_bool(true), no = swo_bool(false);
    (void)author;
    swo_variable_set(runs, &yes, NULL);
    printf("searching for %.*s\n", (int)text->as.bytes.size, (const char *)text->as.bytes.data);
    swo_variable_set(runs, &no, NULL);
    is_done = true;
}

int main(void) {
    const char *const typed[] = {"s", "se", "sea"};
    swo_value nothing = swo_text(""), no = swo_bool(false);
    swo_queue *loop;
    swo_clock *clock;
    swo_observer *observer = swo_observer_new();
    swo_observable *field, *text, *settled, *runs, *is_running, *both, *can_search, *button, *enabled;
    swo_observe_options present = SWO_OBSERVE_OPTIONS_INIT;

    if (swo_queue_new(0, SWO_QUEUE_BLOCK, &loop) || swo_queue_clock(loop, &clock) ||
        swo_variable_new(&nothing, &field) || swo_new_values(field, &text) ||
        swo_debounce(text, SWO_MILLISECONDS(100), clock, &settled) || swo_variable_new(&no, &runs) ||
        swo_new_values(runs, &is_running) || swo_combine((swo_observable *[]){text, is_running}, 2, &both) ||
        swo_map(both, is_enabled, NULL, NULL, &can_search) || swo_variable_new(&no, &button) ||
        swo_bind(can_search, button, NULL, NULL, NULL, NULL, NULL, NULL) || swo_new_values(button, &enabled))
        return 1;
    present.observer = observer, present.replay = 1;
    swo_observe_with(enabled, &present, show_button, NULL, NULL, NULL); /* the button is disabled */
    swo_observe(settled, observer, search, runs, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        swo_value value = swo_text(typed[i]);
        swo_variable_set(field, &value, NULL);
    }
    while (!is_done) swo_poll_drain(loop, -1, NULL); /* searching for sea */

    swo_observer_release(observer);
    swo_observable *all[] = {enabled, button, can_search, both, is_running, runs, settled, text, field};
    for (int i = 0; i < 9; i++) swo_observable_release(all[i]);
    swo_clock_release(clock);
    swo_queue_release(loop);
}

/* SPDX-License-Identifier: MIT */
/* The observables and their callbacks: all that this program does with the library. */
#include "chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count_update(void *context, const swo_value *update, const void *author) {
    (void)update, (void)author;
    ((struct chain *)context)->sent++;
}

static swo_status show(void *context, const swo_value *message, swo_value *out) {
    struct chain *chain = context;
    sample now;
    memcpy(&now, message->as.bytes.data, sizeof now); /* borrowed bytes are not aligned to anything */
    chain->source->show(chain->text, &now, chain->has_before ? &chain->before : NULL, chain->interval);
    chain->before = now;
    chain->has_before = true;
    *out = swo_text(chain->text); /* borrowed: stays as it is until the next call */
    return SWO_OK;
}

static bool differs_from_shown(void *context, const swo_value *text) {
    struct chain *chain = context;
    swo_value shown = swo_text(chain->shown);
    bool is_equal = false;
    swo_value_equal(text, &shown, &is_equal);
    if (is_equal) chain->filtered++;
    return !is_equal;
}

static void print(void *context, const swo_value *text, const void *author) {
    (void)author;
    struct chain *chain = context;
    chain->delivered++;
    snprintf(chain->shown, sizeof chain->shown, "%.*s", (int)text->as.bytes.size, (const char *)text->as.bytes.data);
    printf("%-8s %s\n", chain->source->name, chain->shown);
}

void require(swo_status status) {
    if (status == SWO_OK) return;
    fprintf(stderr, "vitals: %s\n", swo_status_text(status));
    exit(EXIT_FAILURE);
}

static void observe(swo_observable *observable, swo_observer *observer, const char *name, swo_handler handler,
                    struct chain *chain) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.observer = observer;
    options.name = name;
    require(swo_observe_with(observable, &options, handler, chain, NULL, NULL));
}

void chain_begin(struct chain *chain, swo_observer *observer) {
    swo_observable *samples, *texts;
    require(swo_variable_new(NULL, &chain->variable));
    require(swo_new_values(chain->variable, &samples));
    require(swo_map(samples, show, chain, NULL, &texts));
    require(swo_filter(texts, differs_from_shown, chain, NULL, &chain->changes));
    require(swo_observable_set_name(chain->variable, chain->source->name));
    require(swo_observable_set_name(texts, "what is shown"));
    require(swo_observable_set_name(chain->changes, "not as before"));
    swo_observable_release(samples); /* a transform keeps its source */
    swo_observable_release(texts);

    observe(chain->variable, observer, "count", count_update, chain);
    observe(chain->changes, observer, "print", print, chain);
}

void chain_take(struct chain *chain, const sample *now) {
    swo_value value = swo_bytes(now, sizeof *now);
    require(swo_variable_set(chain->variable, &value, NULL));
}

void chain_end(struct chain *chain) {
    swo_observable_release(chain->variable);
    swo_observable_release(chain->changes);
}

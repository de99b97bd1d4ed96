/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/merge.h
 *  Merges observables so that each message tells which of them has sent it.
 *
 *      static void receive(void *context, const swo_value *message, const void *author) {
 *          const swo_value *source, *sent;
 *          if (swo_value_update(message, &source, &sent) != SWO_OK) return;
 *          printf("%lld sent %lld\n", (long long)source->as.int64, (long long)sent->as.int64);
 *      }
 *
 *  C99 to C23, C++11 to C++20.
 */
#ifndef SWIFTOBSERVER_MERGE_H
#define SWIFTOBSERVER_MERGE_H

#include <stdlib.h>
#include <swiftobserver.h>

/* One source, and the message that it sends on. */
typedef struct swo_merge_source {
    swo_update message;
} swo_merge_source;

static inline swo_status swo_merge_number(void *context, const swo_value *message, swo_value *out) {
    swo_merge_source *source = SWO_CAST(swo_merge_source *, context);
    /* Calls do not overlap: no one else has this transform and could fetch its latest message. */
    source->message.new_value = message->kind == SWO_KIND_UPDATE ? message->as.update->new_value : *message;
    *out = swo_update_value(&source->message);
    return SWO_OK;
}

/** As swo_merge(); each message is an update whose old value is the place of the source among `sources`, an int64 from
 *  0, and whose new value is what that has sent, or the new value of an update.
 *
 *      first   1        2
 *      second      5
 *      merged  (0, 1) (1, 5) (0, 2)
 *
 *  A source that occurs twice sends twice, by two numbers. Any thread.
 *  @return as swo_merge(), or SWO_NO_MEMORY. */
static inline swo_status swo_merge_numbered(swo_observable *const *sources, size_t count, swo_observable **out) {
    if (sources == NULL || count == 0 || out == NULL) return SWO_INVALID_ARGUMENT;
    swo_observable **numbered = SWO_CAST(swo_observable **, calloc(count, sizeof *numbered));
    swo_status status = numbered == NULL ? SWO_NO_MEMORY : SWO_OK;
    for (size_t index = 0; status == SWO_OK && index < count; index++) {
        swo_merge_source *source = SWO_CAST(swo_merge_source *, malloc(sizeof *source));
        if (source == NULL) {
            status = SWO_NO_MEMORY;
        } else {
            source->message.old_value = swo_int64(SWO_CAST(int64_t, index));
            status = swo_map(sources[index], swo_merge_number, source, free, &numbered[index]);
        }
    }
    if (status == SWO_OK) status = swo_merge(numbered, count, out);
    for (size_t index = 0; numbered != NULL && index < count; index++) swo_observable_release(numbered[index]);
    free(numbered);
    return status;
}

#endif

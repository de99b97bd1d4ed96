/* SPDX-License-Identifier: MIT */
/* Transforms: what map, filter and new make of messages, by the same author. */
#include "support.h"

TEST(new_passes_on_what_is_no_update_as_it_is) {
    struct probe a = PROBE("");
    swo_update update = {swo_text("old"), swo_text("new")};
    const swo_value messages[] = {swo_int64(1), swo_update_value(&update), swo_null(), swo_text("text")};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *values;
    ok(swo_new(messenger, &values));
    observe(values, NULL, &a);
    for (int i = 0; i < 4; i++) ok(swo_send(messenger, &messages[i], NULL));
    EXPECT_TRACE("1 new null text");
}

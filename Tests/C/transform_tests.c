/* SPDX-License-Identifier: MIT */
/* Transforms: what map, filter and new make of messages, by the same author. */
#include "support.h"

TEST(new_passes_on_what_is_no_update_as_it_is) {
    struct probe a = {.name = "", .journal = &journal};
    swo_update update = {swo_text("old"), swo_text("new")};
    const swo_value messages[] = {swo_int64(1), swo_update_value(&update), swo_null(), swo_text("text")};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *values;
    assert_int_equal(swo_new(messenger, &values), SWO_OK);
    observe(values, NULL, &a);
    for (int i = 0; i < 4; i++) assert_int_equal(swo_send(messenger, &messages[i], NULL), SWO_OK);
    assert_journal(&journal, "1 new null text");
}

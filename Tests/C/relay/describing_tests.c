/* SPDX-License-Identifier: MIT */
/* What others are told of a device and its properties, and how a device is taken away. */
#include "relay_support.h"
#include <sched.h>

static swo_relay_property property_of(const char *unit, const char *format) {
    swo_relay_property property = SWO_RELAY_PROPERTY_INIT;
    property.settable = true;
    property.unit = unit;
    property.format = format;
    return property;
}

static void assert_publishes(swo_relay *relay, const char *name, swo_observable *variable, int32_t kind,
                             const char *format) {
    swo_relay_property property = property_of(NULL, format);
    ok(swo_relay_publish_with(relay, name, variable, kind, &property));
}

TEST(what_a_format_does_not_allow_does_not_cross_in_either_direction) {
    OWN_RELAY *owner = new_relay("formats"), *other = new_relay(NULL);
    OWN_OBSERVABLE *level = number_variable(5), *mode = NULL;
    swo_value eco = swo_text("eco"), warm = swo_text("warm"), off = swo_text("off");
    ok(swo_variable_new(&eco, &mode));
    assert_publishes(owner, "light/level", level, SWO_KIND_INT64, "0:100:5");
    assert_publishes(owner, "heating/mode", mode, SWO_KIND_TEXT, "off,eco,comfort");
    OWN_OBSERVABLE *of_level = mirror_of(other, "formats/light/level", SWO_KIND_INT64),
                   *of_mode = mirror_of(other, "formats/heating/mode", SWO_KIND_TEXT);
    await_number(of_level, 5);
    await_text(of_mode, "eco");
    await_state(owner, "ready");
    await_state(other, "ready");
    await_confirmed(other, "formats/light/level");
    await_confirmed(other, "formats/heating/mode");
    /* What is asked for. */
    set_number(of_level, 101);
    await_number(of_level, 5);
    ok(swo_variable_set(of_mode, &warm, NULL));
    await_text(of_mode, "eco");
    set_number(of_level, 100);
    await_number(level, 100);
    ok(swo_variable_set(of_mode, &off, NULL));
    await_text(mode, "off");
    /* What the program has. */
    uint64_t dropped = counts_of(owner).dropped;
    set_number(level, -1);
    set_number(level, 7);
    await_number(of_level, 7);
    ok(swo_variable_set(mode, &warm, NULL));
    await_state(owner,
                "ready: dropped a value that its format does not allow, homie/5/formats/heating/mode: off,eco,comfort");
    assert_int_equal(counts_of(owner).dropped, dropped + 2);
    await_text(of_mode, "off");
}

TEST(a_format_that_is_none_is_refused) {
    OWN_RELAY *relay = new_relay("none");
    OWN_OBSERVABLE *level = number_variable(5);
    const struct {
        int32_t kind;
        const char *format;
    } wrong[] = {{SWO_KIND_INT64, ""},         {SWO_KIND_INT64, "5"},      {SWO_KIND_INT64, "5:1"},
                 {SWO_KIND_INT64, "0:10:0"},   {SWO_KIND_INT64, "0:1.5"},  {SWO_KIND_INT64, "1:2:3:4"},
                 {SWO_KIND_DOUBLE, "a:b"},     {SWO_KIND_DOUBLE, "1:inf"}, {SWO_KIND_DOUBLE, "2:1"},
                 {SWO_KIND_TEXT, "a,,b"},      {SWO_KIND_TEXT, "a,a"},     {SWO_KIND_TEXT, ","},
                 {SWO_KIND_BOOL, "yes"},       {SWO_KIND_BOOL, "a,b,c"},   {SWO_KIND_TEXT, "a,\x01"},
                 {SWO_KIND_TEXT, "a,\xC3\x28"}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        swo_relay_property property = property_of(NULL, wrong[i].format);
        assert_int_equal(swo_relay_publish_with(relay, "a/b", level, wrong[i].kind, &property), SWO_INVALID_ARGUMENT);
    }
    const char *const right[] = {":", "0:", ":9", "-5:5:1", "0:9223372036854775807"};
    for (size_t i = 0; i < COUNT(right); i++) {
        assert_publishes(relay, "a/b", level, SWO_KIND_INT64, right[i]);
        ok(swo_relay_withdraw(relay, "a/b"));
    }
    swo_relay_property property = property_of("\xFF", NULL);
    assert_int_equal(swo_relay_publish_with(relay, "a/b", level, SWO_KIND_INT64, &property), SWO_INVALID_TEXT);
    property.size--;
    assert_int_equal(swo_relay_publish_with(relay, "a/b", level, SWO_KIND_INT64, &property), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_publish_with(relay, "a/b", level, SWO_KIND_INT64, NULL), SWO_INVALID_ARGUMENT);
}

TEST(what_people_are_to_know_of_a_property_is_in_the_description) {
    OWN_RELAY *owner = new_relay("told"), *other = new_relay(NULL);
    OWN_OBSERVABLE *level = number_variable(5), *description = mirror_of(other, "told/$description", SWO_KIND_TEXT);
    swo_relay_property property = property_of("\xC2\xB0"
                                              "C",
                                              "0:30");
    property.title = "How \"warm\"";
    ok(swo_relay_publish_with(owner, "a/b", level, SWO_KIND_INT64, &property));
    for (bool is_there = false; !is_there;) {
        swo_value value;
        ok(swo_variable_get(description, &value));
        is_there = value.kind == SWO_KIND_TEXT &&
                   strstr(value.as.bytes.data,
                          "\"b\":{\"name\":\"How \\\"warm\\\"\",\"datatype\":\"integer\",\"settable\":true,"
                          "\"retained\":true,\"unit\":\"\xC2\xB0"
                          "C\",\"format\":\"0:30\"}") != NULL;
        swo_value_clear(&value);
    }
}

TEST(a_device_raises_alerts_and_sleeps) {
    if (is_on_a_bus) skip();
    OWN_RELAY *owner = new_relay("tired"), *other = new_relay(NULL), *nameless = new_relay(NULL);
    OWN_OBSERVABLE *of_device = mirror_of(other, "tired/$state", SWO_KIND_TEXT), *alerts = NULL;
    ok(swo_relay_watch(other, "homie/5/tired/$alert/+", &alerts));
    struct listener *listener = listen_to(alerts);
    ok(swo_relay_alert(owner, "battery", "low"));
    await_heard(listener, "homie/5/tired/$alert/battery low");
    ok(swo_relay_alert(owner, "battery", NULL));
    await_heard(listener, "homie/5/tired/$alert/battery ");
    await_text(of_device, "ready");
    ok(swo_relay_sleep(owner, true));
    await_text(of_device, "sleeping");
    /* What is published meanwhile changes nothing of it. */
    OWN_OBSERVABLE *level = number_variable(5);
    ok(swo_relay_publish(owner, "a/b", level, SWO_KIND_INT64, true));
    OWN_OBSERVABLE *mirror = mirror_of(other, "tired/a/b", SWO_KIND_INT64);
    await_number(mirror, 5);
    await_text(of_device, "sleeping");
    set_number(mirror, 6);
    await_number(level, 6);
    ok(swo_relay_sleep(owner, false));
    await_text(of_device, "ready");
    assert_int_equal(swo_relay_alert(owner, "Battery", "low"), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_alert(owner, "battery", ""), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_alert(owner, "battery", "\xFF"), SWO_INVALID_TEXT);
    assert_int_equal(swo_relay_alert(owner, NULL, "low"), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_alert(nameless, "battery", "low"), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_sleep(nameless, true), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_sleep(NULL, true), SWO_INVALID_ARGUMENT);
    listener_free(listener);
}

TEST(a_device_that_has_left_is_taken_away) {
    if (is_on_a_bus) skip();
    OWN_RELAY *other = new_relay("stays");
    OWN_OBSERVABLE *level = number_variable(5);
    swo_relay *owner = new_relay("left");
    ok(swo_relay_publish(owner, "a/b", level, SWO_KIND_INT64, true));
    OWN_OBSERVABLE *mirror = mirror_of(other, "left/a/b", SWO_KIND_INT64),
                   *of_device = mirror_of(other, "left/$state", SWO_KIND_TEXT),
                   *description = mirror_of(other, "left/$description", SWO_KIND_TEXT);
    await_number(mirror, 5);
    await_state(owner, "ready");
    swo_relay_release(owner);
    await_text(of_device, "disconnected");
    await_number(mirror, 5);
    ok(swo_relay_remove(other, "left"));
    await_null(mirror);
    await_null(of_device);
    await_null(description);
    assert_int_equal(swo_relay_remove(other, "stays"), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_remove(other, "#"), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_remove(other, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_remove(NULL, "left"), SWO_INVALID_ARGUMENT);
}

static void assert_problem(swo_relay_options options, const char *sentence) {
    swo_relay *none = NULL;
    const char *problem = swo_relay_options_problem(&options);
    assert_non_null(problem);
    assert_int_equal(strncmp(problem, sentence, strlen(sentence)), 0);
    assert_int_equal(swo_relay_new(&options, &none),
                     strncmp(sentence, "title", 5) == 0 ? SWO_INVALID_TEXT : SWO_INVALID_ARGUMENT);
    assert_null(none);
}

TEST(the_option_that_is_wrong_is_named_and_no_value_is_shown) {
    const swo_relay_options right = options_at(meeting, "kitchen");
    assert_null(swo_relay_options_problem(&right));
    assert_null(swo_relay_options_problem(NULL));
    swo_relay_options wrong = right;
    wrong.address = "mqtt://somebody:secret@host";
    assert_problem(wrong, "address must not name a user");
    assert_null(strstr(swo_relay_options_problem(&wrong), "secret"));
    wrong.address = "host:1883";
    assert_problem(wrong, "address must be mqtt://host:port, ");
    wrong.address = NULL;
    assert_problem(wrong, "address must be ");
    wrong = right;
    wrong.device = "Kitchen";
    assert_problem(wrong, "device must be made of small letters, digits and hyphens");
    wrong = right;
    wrong.title = "\xFF";
    assert_problem(wrong, "title must be UTF-8");
    wrong = right;
    wrong.discovery = "home/#";
    assert_problem(wrong, "discovery must be the beginning of a topic");
    wrong = right;
    wrong.first_retry = UINT32_MAX;
    assert_problem(wrong, "first_retry must be at most 2147483647 milliseconds");
    wrong = right;
    wrong.keep_alive = 1;
    assert_problem(wrong, "keep_alive must be 5 to 65535 seconds");
    wrong = right;
    wrong.largest_payload = SIZE_MAX;
    assert_problem(wrong, "largest_payload must be 1 to 268435456 bytes");
    wrong.largest_payload = ((size_t)1 << 28) + 1;
    assert_problem(wrong, "largest_payload must be 1 to 268435456 bytes");
    wrong = right;
    wrong.size = 8;
    assert_problem(wrong, "size must be sizeof(swo_relay_options)");
}

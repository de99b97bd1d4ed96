/* SPDX-License-Identifier: MIT */
/* Properties and signals of GObjects. */
#include "queues.h"
#include <swiftobserver/gobject.h>
#include <swiftobserver/typed.h>

/* An object with properties of three types, and a signal. */
typedef struct {
    GObject parent;
    gint level;
    gchar *title;
    gpointer address;
} Lamp;
typedef GObjectClass LampClass;
G_DEFINE_TYPE(Lamp, lamp, G_TYPE_OBJECT)

enum { LEVEL = 1, TITLE, ADDRESS };

static void lamp_set(GObject *object, guint id, const GValue *value, GParamSpec *property) {
    Lamp *lamp = (Lamp *)object;
    if (id == LEVEL) lamp->level = g_value_get_int(value);
    if (id == TITLE) {
        g_free(lamp->title);
        lamp->title = g_value_dup_string(value);
    }
    if (id == ADDRESS) lamp->address = g_value_get_pointer(value);
}

static void lamp_get(GObject *object, guint id, GValue *value, GParamSpec *property) {
    Lamp *lamp = (Lamp *)object;
    if (id == LEVEL) g_value_set_int(value, lamp->level);
    if (id == TITLE) g_value_set_string(value, lamp->title);
    if (id == ADDRESS) g_value_set_pointer(value, lamp->address);
}

static void lamp_finalize(GObject *object) {
    g_free(((Lamp *)object)->title);
    G_OBJECT_CLASS(lamp_parent_class)->finalize(object);
}

static void lamp_class_init(LampClass *class) {
    class->set_property = lamp_set;
    class->get_property = lamp_get;
    class->finalize = lamp_finalize;
    g_object_class_install_property(class, LEVEL, g_param_spec_int("level", NULL, NULL, 0, 100, 0, G_PARAM_READWRITE));
    g_object_class_install_property(class, TITLE, g_param_spec_string("title", NULL, NULL, NULL, G_PARAM_READWRITE));
    g_object_class_install_property(class, ADDRESS, g_param_spec_pointer("address", NULL, NULL, G_PARAM_READWRITE));
    g_signal_new("switched", lamp_get_type(), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
    g_signal_new("broken", lamp_get_type(), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void lamp_init(Lamp *lamp) {}

static GObject *new_lamp(void) { return g_object_new(lamp_get_type(), "level", 5, "title", "desk", NULL); }

TEST(a_property_and_a_variable_follow_each_other) {
    struct probe a = PROBE("a");
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = number_variable(0);
    ok(swo_gobject_bind(lamp, "level", level, NULL, NULL));
    assert_int_equal(number_of(level), 5);
    observe(level, NULL, &a);
    g_object_set(lamp, "level", 6, NULL);
    EXPECT_TRACE("a(5,6)");
    assert_ptr_equal(a.author, lamp);
    set_number(level, 7);
    EXPECT_TRACE("a(6,7)");
    assert_int_equal(((Lamp *)lamp)->level, 7);
    g_object_unref(lamp);
    set_number(level, 8);
    EXPECT_TRACE("a(7,8)");
}

TEST(texts_are_bound_and_what_does_not_fit_is_not_set) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *title = number_variable(0), *address = number_variable(0);
    swo_observation id;
    ok(swo_gobject_bind(lamp, "title", title, NULL, &id));
    SWO_SET(title, "floor");
    assert_string_equal(((Lamp *)lamp)->title, "floor");
    SWO_SET(title, 5);
    assert_string_equal(((Lamp *)lamp)->title, "floor");
    SWO_SET(title, swo_null());
    assert_null(((Lamp *)lamp)->title);
    assert_int_equal(swo_gobject_bind(lamp, "address", address, NULL, NULL), SWO_WRONG_KIND);
    assert_int_equal(swo_gobject_bind(lamp, "missing", address, NULL, NULL), SWO_NOT_FOUND);
    assert_int_equal(swo_gobject_bind(NULL, "title", address, NULL, NULL), SWO_INVALID_ARGUMENT);
    ok(swo_stop(id));
    SWO_SET(title, "ceiling");
    assert_null(((Lamp *)lamp)->title);
    g_object_set(lamp, "title", "wall", NULL);
    swo_value now;
    ok(swo_variable_get(title, &now));
    assert_string_equal(now.as.bytes.data, "ceiling");
    swo_value_clear(&now);
    g_object_unref(lamp);
}

TEST(a_messenger_cannot_be_bound) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_gobject_bind(lamp, "level", messenger, NULL, NULL), SWO_WRONG_KIND);
    g_object_unref(lamp);
}

TEST(a_property_is_set_where_a_queue_is_drained) {
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(&executor);
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = number_variable(0);
    ok(swo_gobject_bind(lamp, "level", level, &executor, NULL));
    set_number(level, 9);
    assert_int_equal(((Lamp *)lamp)->level, 5);
    ok(swo_queue_drain(queue, 0, NULL));
    assert_int_equal(((Lamp *)lamp)->level, 9);
    g_object_unref(lamp);
}

TEST(a_bound_variable_lives_as_long_as_its_object) {
    GObject *lamp = new_lamp();
    swo_observable *level = number_variable(0);
    swo_observation id;
    ok(swo_gobject_bind(lamp, "level", level, NULL, &id));
    swo_observable_release(level);
    g_object_set(lamp, "level", 6, NULL);
    assert_true(swo_is_living(id));
    assert_int_equal(number_of(level), 6);
    g_object_unref(lamp);
    assert_false(swo_is_living(id));
}

TEST(emissions_are_messages) {
    struct probe a = PROBE("a");
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    gulong handler = swo_gobject_connect(lamp, "switched", messenger);
    assert_true(handler != 0 && swo_gobject_connect(lamp, "broken", messenger) != 0);
    assert_int_equal(swo_gobject_connect(lamp, "missing", messenger), 0);
    g_signal_emit_by_name(lamp, "switched", TRUE);
    g_signal_emit_by_name(lamp, "broken");
    assert_int_equal(a.calls, 2);
    assert_ptr_equal(a.author, lamp);
    g_signal_handler_disconnect(lamp, handler);
    g_signal_emit_by_name(lamp, "switched", FALSE);
    assert_int_equal(a.calls, 2);
    journal_clear(&journal);
    g_object_unref(lamp);
}

TEST(values_of_both_kinds_become_each_other) {
    GValue number = G_VALUE_INIT, text = G_VALUE_INIT, large = G_VALUE_INIT, none = G_VALUE_INIT;
    swo_value value = swo_int64(3);
    g_value_init(&number, G_TYPE_UINT);
    g_value_init(&text, G_TYPE_STRING);
    g_value_init(&large, G_TYPE_UINT64);
    ok(swo_gobject_write(&value, &number));
    assert_int_equal(g_value_get_uint(&number), 3);
    assert_int_equal(swo_gobject_write(&value, &text), SWO_WRONG_KIND);
    assert_int_equal(swo_gobject_write(&value, &none), SWO_INVALID_ARGUMENT);
    g_value_set_uint64(&large, G_MAXUINT64);
    assert_int_equal(swo_gobject_read(&large, &value), SWO_WRONG_KIND);
    assert_int_equal(value.as.int64, 3);
    value = swo_text_sized("textual", 4);
    ok(swo_gobject_write(&value, &text));
    assert_string_equal(g_value_get_string(&text), "text");
    ok(swo_gobject_read(&text, &value));
    assert_int_equal(value.as.bytes.size, 4);
    g_value_unset(&text);
}

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
    GObject *plug;
} Lamp;
typedef GObjectClass LampClass;
G_DEFINE_TYPE(Lamp, lamp, G_TYPE_OBJECT)

enum { LEVEL = 1, TITLE, ADDRESS, PLUG };

static void lamp_set(GObject *object, guint id, const GValue *value, GParamSpec *property) {
    Lamp *lamp = (Lamp *)object;
    if (id == LEVEL) lamp->level = g_value_get_int(value);
    if (id == TITLE) {
        g_free(lamp->title);
        lamp->title = g_value_dup_string(value);
    }
    if (id == PLUG) g_set_object(&lamp->plug, g_value_get_object(value));
    if (id == ADDRESS) lamp->address = g_value_get_pointer(value);
}

static void lamp_get(GObject *object, guint id, GValue *value, GParamSpec *property) {
    Lamp *lamp = (Lamp *)object;
    if (id == LEVEL) g_value_set_int(value, lamp->level);
    if (id == TITLE) g_value_set_string(value, lamp->title);
    if (id == PLUG) g_value_set_object(value, lamp->plug);
    if (id == ADDRESS) g_value_set_pointer(value, lamp->address);
}

static long finalized;

static void lamp_finalize(GObject *object) {
    finalized++;
    g_clear_object(&((Lamp *)object)->plug);
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
    g_object_class_install_property(class, PLUG,
                                    g_param_spec_object("plug", NULL, NULL, lamp_get_type(), G_PARAM_READWRITE));
    g_signal_new("plugged", lamp_get_type(), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, lamp_get_type());
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

/* ---- GObjects as messages ---- */

SWO_DEFINE_GOBJECT_MESSENGER(lamps, Lamp, lamp_get_type())

static void note_level(void *sum, Lamp *lamp, const void *author) {
    *(long *)sum += lamp->level;
    g_object_set(lamp, "level", 0, NULL);
}

TEST(a_gobject_is_a_message_of_its_type) {
    long sum = 0;
    GObject *lamp = new_lamp(), *other = g_object_new(G_TYPE_OBJECT, NULL);
    lamps *messenger = lamps_new();
    ok(lamps_observe(messenger, NULL, note_level, &sum, NULL, NULL));
    ok(lamps_send(messenger, (Lamp *)lamp, NULL));
    assert_int_equal(sum, 5);
    assert_int_equal(lamps_send(messenger, (Lamp *)other, NULL), SWO_WRONG_KIND);
    assert_int_equal(lamps_send(messenger, NULL, NULL), SWO_WRONG_KIND);
    /* What comes by the untyped way, and is none, does not reach typed handlers. */
    ok(swo_gobject_send(lamps_observable(messenger), other, NULL));
    ok(SWO_SEND(lamps_observable(messenger), 3));
    assert_int_equal(sum, 5);
    g_object_unref(other);
    g_object_unref(lamp);
    lamps_release(messenger);
}

TEST(a_gobject_that_waits_is_kept_and_then_let_go) {
    long sum = 0;
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(&executor);
    GObject *lamp = new_lamp();
    lamps *messenger = lamps_new();
    swo_observation id;
    ok(lamps_observe_on(messenger, NULL, &executor, note_level, &sum, NULL, &id));
    ok(lamps_send(messenger, (Lamp *)lamp, NULL));
    finalized = 0;
    g_object_unref(lamp);
    assert_int_equal(finalized, 0);
    drain(queue, 0);
    assert_int_equal(sum, 5);
    assert_int_equal(finalized, 1);
    /* What is dropped is let go, too. */
    lamp = new_lamp();
    ok(lamps_send(messenger, (Lamp *)lamp, NULL));
    g_object_unref(lamp);
    ok(swo_stop(id));
    drain(queue, 0);
    assert_int_equal(sum, 5);
    assert_int_equal(finalized, 2);
    lamps_release(messenger);
}

TEST(a_variable_holds_a_gobject_and_changes_with_its_identity) {
    struct probe a = PROBE("a");
    GObject *lamp = new_lamp(), *found = NULL;
    OWN_OBSERVABLE *current = NULL;
    ok(swo_variable_new(NULL, &current));
    observe(current, NULL, &a);
    finalized = 0;
    ok(SWO_SET(current, swo_gobject_value(lamp)));
    ok(SWO_SET(current, swo_gobject_value(lamp)));
    assert_int_equal(a.calls, 1);
    g_object_unref(lamp);
    swo_value held;
    ok(swo_variable_get(current, &held));
    ok(swo_gobject_get(&held, lamp_get_type(), &found));
    assert_ptr_equal(found, lamp);
    assert_int_equal(swo_gobject_get(&held, G_TYPE_INITIALLY_UNOWNED, &found), SWO_WRONG_KIND);
    assert_int_equal(swo_gobject_get(NULL, G_TYPE_OBJECT, &found), SWO_INVALID_ARGUMENT);
    swo_value_clear(&held);
    assert_int_equal(finalized, 0);
    ok(SWO_SET(current, swo_gobject_value(NULL)));
    assert_int_equal(finalized, 1);
    held = swo_int64(1);
    assert_int_equal(swo_gobject_get(&held, G_TYPE_OBJECT, &found), SWO_WRONG_KIND);
    journal_clear(&journal);
}

TEST(properties_and_signals_carry_gobjects) {
    GObject *lamp = new_lamp(), *plug = new_lamp(), *stranger = g_object_new(G_TYPE_OBJECT, NULL);
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *bound = number_variable(0), *messenger = swo_messenger_new();
    ok(swo_gobject_bind(lamp, "plug", bound, NULL, NULL));
    ok(SWO_SET(bound, swo_gobject_value(plug)));
    assert_ptr_equal(((Lamp *)lamp)->plug, plug);
    ok(SWO_SET(bound, swo_gobject_value(stranger))); /* of the wrong type: it does not reach the property */
    assert_ptr_equal(((Lamp *)lamp)->plug, plug);
    ok(SWO_SET(bound, swo_null()));
    assert_null(((Lamp *)lamp)->plug);
    observe(messenger, NULL, &a);
    assert_true(swo_gobject_connect(lamp, "plugged", messenger) != 0);
    g_signal_emit_by_name(lamp, "plugged", plug);
    assert_int_equal(a.calls, 1);
    assert_string_equal(journal_text(&journal), "aobject");
    journal_clear(&journal);
    WITH_EACH(GObject *, g_object_unref(*each), plug, stranger, lamp);
}

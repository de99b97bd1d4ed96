/* SPDX-License-Identifier: MIT */
/* Properties and signals of GObjects. */
#include "queues.h"
#include <math.h>
#include <swiftobserver/gobject.h>
#include <swiftobserver/typed.h>

/* An interface whose objects are GObjects, as GFile is, and one whose are anything. */
typedef struct Switchable Switchable;
typedef struct {
    GTypeInterface parent;
} SwitchableInterface;
G_DEFINE_INTERFACE(Switchable, switchable, G_TYPE_OBJECT)
static void switchable_default_init(SwitchableInterface *interface) {}

/* An object with properties of several types, and signals. */
typedef struct {
    GObject parent;
    gint level;
    gchar *title;
    gpointer address;
    GObject *plug;
    GObject *inlet;
    gfloat glow;
    gdouble price;
    guchar small;
    guint64 large;
    gboolean is_lit;
    GBindingFlags mode;
    gchar *code;
} Lamp;
typedef GObjectClass LampClass;
static void lamp_is_switchable(SwitchableInterface *interface) {}
G_DEFINE_TYPE_WITH_CODE(Lamp, lamp, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE(switchable_get_type(), lamp_is_switchable))

enum { LEVEL = 1, TITLE, ADDRESS, PLUG, INLET, GLOW, PRICE, SMALL, LARGE, LIT, MODE, CODE, SERIAL };
static int level_sets;

static void lamp_set(GObject *object, guint id, const GValue *value, GParamSpec *property) {
    Lamp *lamp = (Lamp *)object;
    if (id == LEVEL) lamp->level = g_value_get_int(value), level_sets++;
    if (id == INLET) g_set_object(&lamp->inlet, g_value_get_object(value));
    if (id == GLOW) lamp->glow = g_value_get_float(value);
    if (id == PRICE) lamp->price = (gint)(g_value_get_double(value) * 100) / 100.0; /* takes whole cents */
    if (id == SMALL) lamp->small = g_value_get_uchar(value);
    if (id == LARGE) lamp->large = g_value_get_uint64(value);
    if (id == LIT) lamp->is_lit = g_value_get_boolean(value);
    if (id == MODE) lamp->mode = g_value_get_flags(value);
    if (id == CODE) {
        g_free(lamp->code);
        lamp->code = g_value_dup_string(value);
    }
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
    if (id == INLET) g_value_set_object(value, lamp->inlet);
    if (id == GLOW) g_value_set_float(value, lamp->glow);
    if (id == PRICE) g_value_set_double(value, lamp->price);
    if (id == SMALL) g_value_set_uchar(value, lamp->small);
    if (id == LARGE) g_value_set_uint64(value, lamp->large);
    if (id == LIT) g_value_set_boolean(value, lamp->is_lit);
    if (id == MODE) g_value_set_flags(value, lamp->mode);
    if (id == SERIAL) g_value_set_string(value, "one");
    if (id == ADDRESS) g_value_set_pointer(value, lamp->address);
}

static long finalized;

static void lamp_finalize(GObject *object) {
    finalized++;
    g_clear_object(&((Lamp *)object)->plug);
    g_clear_object(&((Lamp *)object)->inlet);
    g_free(((Lamp *)object)->code);
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
    g_object_class_install_property(class, INLET,
                                    g_param_spec_object("inlet", NULL, NULL, switchable_get_type(), G_PARAM_READWRITE));
    g_object_class_install_property(class, GLOW, g_param_spec_float("glow", NULL, NULL, 0, 10, 0, G_PARAM_READWRITE));
    g_object_class_install_property(class, PRICE,
                                    g_param_spec_double("price", NULL, NULL, 0, 1000, 0, G_PARAM_READWRITE));
    g_object_class_install_property(class, SMALL,
                                    g_param_spec_uchar("small", NULL, NULL, 0, 255, 0, G_PARAM_READWRITE));
    g_object_class_install_property(class, LARGE,
                                    g_param_spec_uint64("large", NULL, NULL, 0, G_MAXUINT64, 0, G_PARAM_READWRITE));
    g_object_class_install_property(class, LIT, g_param_spec_boolean("lit", NULL, NULL, FALSE, G_PARAM_READWRITE));
    g_object_class_install_property(class, MODE,
                                    g_param_spec_flags("mode", NULL, NULL, G_TYPE_BINDING_FLAGS, 0, G_PARAM_READWRITE));
    g_object_class_install_property(class, CODE, g_param_spec_string("code", NULL, NULL, NULL, G_PARAM_WRITABLE));
    g_object_class_install_property(
        class, SERIAL, g_param_spec_string("serial", NULL, NULL, "one", G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY));
    g_signal_new("inserted", lamp_get_type(), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                 switchable_get_type());
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
    SWO_SET_VALUE(title, "floor");
    assert_string_equal(((Lamp *)lamp)->title, "floor");
    SWO_SET_VALUE(title, 5);
    assert_string_equal(((Lamp *)lamp)->title, "floor");
    SWO_SET_VALUE(title, swo_null());
    assert_null(((Lamp *)lamp)->title);
    assert_int_equal(swo_gobject_bind(lamp, "address", address, NULL, NULL), SWO_WRONG_KIND);
    assert_int_equal(swo_gobject_bind(lamp, "missing", address, NULL, NULL), SWO_NOT_FOUND);
    assert_int_equal(swo_gobject_bind(NULL, "title", address, NULL, NULL), SWO_INVALID_ARGUMENT);
    ok(swo_stop(id));
    SWO_SET_VALUE(title, "ceiling");
    assert_null(((Lamp *)lamp)->title);
    g_object_set(lamp, "title", "wall", NULL);
    swo_value now;
    ok(swo_variable_get(title, &now));
    assert_string_equal(now.as.bytes.data, "ceiling");
    swo_value_clear(&now);
    g_object_unref(lamp);
}

TEST(a_variable_is_bound_though_a_full_queue_refuses_its_first_update) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = number_variable(-1);
    swo_executor executor;
    OWN_QUEUE *full = queue_of(1, SWO_QUEUE_REFUSE, &executor);
    ok(swo_observe_on(level, NULL, &executor, ignore_message, NULL, NULL, NULL));
    set_number(level, -2);
    swo_observation id;
    ok(swo_gobject_bind(lamp, "level", level, NULL, &id));
    assert_int_equal(number_of(level), ((Lamp *)lamp)->level);
    assert_int_equal(swo_observable_refused(level), 1);
    ok(swo_stop(id));
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
    ok(SWO_SEND_VALUE(lamps_observable(messenger), 3));
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
    ok(SWO_SET_VALUE(current, swo_gobject_value(lamp)));
    ok(SWO_SET_VALUE(current, swo_gobject_value(lamp)));
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
    ok(SWO_SET_VALUE(current, swo_gobject_value(NULL)));
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
    ok(SWO_SET_VALUE(bound, swo_gobject_value(plug)));
    assert_ptr_equal(((Lamp *)lamp)->plug, plug);
    ok(SWO_SET_VALUE(bound, swo_gobject_value(stranger))); /* of the wrong type: it does not reach the property */
    assert_ptr_equal(((Lamp *)lamp)->plug, plug);
    ok(SWO_SET_VALUE(bound, swo_null()));
    assert_null(((Lamp *)lamp)->plug);
    observe(messenger, NULL, &a);
    assert_true(swo_gobject_connect(lamp, "plugged", messenger) != 0);
    g_signal_emit_by_name(lamp, "plugged", plug);
    assert_int_equal(a.calls, 1);
    assert_string_equal(journal_text(&journal), "aobject");
    journal_clear(&journal);
    WITH_EACH(GObject *, g_object_unref(*each), plug, stranger, lamp);
}

/* ---- what a property cannot hold ---- */

static gdouble value_of(swo_observable *variable) {
    swo_value now;
    ok(swo_variable_get(variable, &now));
    gdouble number = now.kind == SWO_KIND_DOUBLE ? now.as.float64
                     : now.kind == SWO_KIND_BOOL ? now.as.boolean
                                                 : (gdouble)now.as.int64;
    swo_value_clear(&now);
    return number;
}

static swo_observable *bound(GObject *object, const char *property) {
    swo_observable *variable = number_variable(0);
    ok(swo_gobject_bind(object, property, variable, NULL, NULL));
    return variable;
}

TEST(what_can_be_set_at_construction_alone_cannot_be_bound_both_ways) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *serial = number_variable(0);
    assert_int_equal(swo_gobject_bind(lamp, "serial", serial, NULL, NULL), SWO_WRONG_KIND);
    assert_int_equal(number_of(serial), 0);
    assert_int_equal(swo_gobject_bind(lamp, "code", serial, NULL, NULL), SWO_WRONG_KIND);
    swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
    assert_int_equal(swo_gobject_bind_property(serial, lamp, "serial", &options, NULL), SWO_WRONG_KIND);
    options.flags = G_BINDING_SYNC_CREATE;
    ok(swo_gobject_bind_variable(lamp, "serial", serial, &options, NULL));
    swo_value now;
    ok(swo_variable_get(serial, &now));
    assert_string_equal(now.as.bytes.data, "one");
    swo_value_clear(&now);
    g_object_unref(lamp);
}

TEST(a_variable_becomes_what_a_property_has_taken) {
    struct probe a = PROBE("a");
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = bound(lamp, "level"), *small = bound(lamp, "small"), *price = bound(lamp, "price"),
                   *mode = bound(lamp, "mode"), *lit = bound(lamp, "lit");
    observe(level, NULL, &a);
    set_number(level, 500);
    assert_int_equal(((Lamp *)lamp)->level, 100);
    EXPECT_TRACE("a(5,500) a(500,100)");
    assert_ptr_equal(a.author, lamp);
    set_number(level, 700); /* it has 100 already */
    EXPECT_TRACE("a(100,700) a(700,100)");
    set_number(level, -1);
    assert_true(((Lamp *)lamp)->level == 0 && number_of(level) == 0);
    ok(SWO_SET_VALUE(level, INT64_MAX));
    assert_true(((Lamp *)lamp)->level == 100 && number_of(level) == 100);
    ok(SWO_SET_VALUE(level, (int64_t)1 << 32)); /* whose lower half is 0 */
    assert_true(((Lamp *)lamp)->level == 100 && number_of(level) == 100);
    ok(SWO_SET_VALUE(level, -1e300));
    assert_true(((Lamp *)lamp)->level == 0 && number_of(level) == 0);
    ok(SWO_SET_VALUE(level, 7.9));
    assert_true(((Lamp *)lamp)->level == 7 && number_of(level) == 7);
    ok(SWO_SET_VALUE(small, 256));
    assert_true(((Lamp *)lamp)->small == 255 && number_of(small) == 255);
    ok(SWO_SET_VALUE(price, 1.239)); /* the object takes something else than it was given */
    assert_true(((Lamp *)lamp)->price == 1.23 && value_of(price) == 1.23);
    ok(SWO_SET_VALUE(price, 1e9));
    assert_true(((Lamp *)lamp)->price == 1000 && value_of(price) == 1000);
    ok(SWO_SET_VALUE(mode, 1 << 20 | G_BINDING_SYNC_CREATE)); /* a flag that there is not */
    assert_true(((Lamp *)lamp)->mode == G_BINDING_SYNC_CREATE && number_of(mode) == G_BINDING_SYNC_CREATE);
    ok(SWO_SET_VALUE(lit, 5));
    assert_true(((Lamp *)lamp)->is_lit && value_of(lit) == 1);
    journal_clear(&journal);
    g_object_unref(lamp);
}

TEST(what_a_property_cannot_hold_does_not_reach_it) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *title = bound(lamp, "title"), *level = bound(lamp, "level"), *large = bound(lamp, "large");
    ok(SWO_SET_VALUE(title, swo_text_sized("ab\0cd", 5)));
    swo_value now;
    ok(swo_variable_get(title, &now));
    assert_int_equal(now.as.bytes.size, 5);
    swo_value_clear(&now);
    assert_string_equal(((Lamp *)lamp)->title, "desk");
    ok(SWO_SET_VALUE(title, "cd"));
    assert_string_equal(((Lamp *)lamp)->title, "cd");
    ok(SWO_SET_VALUE(level, "text"));
    ok(SWO_SET_VALUE(level, NAN));
    assert_int_equal(((Lamp *)lamp)->level, 5);
    ok(SWO_SET_VALUE(large, 7));
    g_object_set(lamp, "large", G_MAXUINT64, NULL); /* which no variable can hold */
    assert_true(number_of(large) == 7 && ((Lamp *)lamp)->large == G_MAXUINT64);
    ok(SWO_SET_VALUE(large, -5));
    assert_true(((Lamp *)lamp)->large == 0 && number_of(large) == 0);
    g_object_unref(lamp);
}

TEST(a_float_does_not_come_back_as_another_number) {
    struct probe a = PROBE("a"), b = PROBE("b");
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *glow = bound(lamp, "glow"), *price = bound(lamp, "price");
    observe(glow, NULL, &a);
    ok(SWO_SET_VALUE(glow, 0.1));
    assert_true(a.calls == 1 && value_of(glow) == 0.1 && ((Lamp *)lamp)->glow == 0.1f);
    g_object_set(lamp, "glow", 0.1f, NULL); /* no news */
    assert_true(a.calls == 1 && value_of(glow) == 0.1);
    g_object_set(lamp, "glow", 0.2f, NULL);
    assert_true(a.calls == 2 && value_of(glow) == 0.2f);
    ok(SWO_SET_VALUE(glow, 11.5));
    assert_true(a.calls == 4 && value_of(glow) == 10 && ((Lamp *)lamp)->glow == 10);
    observe(price, NULL, &b);
    ok(SWO_SET_VALUE(price, 3)); /* an integer stays one */
    assert_true(b.calls == 1 && ((Lamp *)lamp)->price == 3);
    swo_value now;
    ok(swo_variable_get(price, &now));
    assert_int_equal(now.kind, SWO_KIND_INT64);
    journal_clear(&journal);
    g_object_unref(lamp);
}

TEST(what_is_set_meanwhile_is_not_lost_to_a_value_out_of_range) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = number_variable(0);
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(&executor);
    ok(swo_gobject_bind(lamp, "level", level, &executor, NULL));
    set_number(level, 500);
    set_number(level, 7);
    ok(swo_queue_drain(queue, 0, NULL));
    assert_true(((Lamp *)lamp)->level == 7 && number_of(level) == 7);
    set_number(level, 500);
    ok(swo_queue_drain(queue, 0, NULL));
    assert_true(((Lamp *)lamp)->level == 100 && number_of(level) == 100);
    g_object_unref(lamp);
}

TEST(a_notification_that_comes_late_tells_what_there_is) {
    struct probe a = PROBE("a");
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = bound(lamp, "level");
    observe(level, NULL, &a);
    g_object_freeze_notify(lamp);
    set_number(level, 500);
    g_object_set(lamp, "level", 8, NULL);
    set_number(level, 9);
    g_object_thaw_notify(lamp);
    assert_true(((Lamp *)lamp)->level == 9 && number_of(level) == 9);
    g_object_freeze_notify(lamp);
    g_object_set(lamp, "level", 10, NULL);
    assert_int_equal(number_of(level), 9);
    g_object_thaw_notify(lamp);
    assert_int_equal(number_of(level), 10);
    EXPECT_TRACE("a(5,500) a(500,100) a(100,9) a(9,10)");
    g_object_unref(lamp);
}

/* ---- interfaces ---- */

TEST(what_has_an_interface_is_the_object_that_it_is) {
    struct probe a = PROBE("a");
    GObject *lamp = new_lamp(), *other = new_lamp(), *stranger = g_object_new(G_TYPE_OBJECT, NULL), *found = NULL;
    OWN_OBSERVABLE *inlet = number_variable(1), *messenger = swo_messenger_new();
    GValue value = G_VALUE_INIT;
    swo_value read;
    g_value_init(&value, switchable_get_type());
    ok(swo_gobject_read(&value, &read));
    assert_int_equal(read.kind, SWO_KIND_NULL);
    g_value_set_object(&value, other);
    ok(swo_gobject_read(&value, &read));
    ok(swo_gobject_get(&read, switchable_get_type(), &found));
    assert_ptr_equal(found, other);
    read = swo_gobject_value(stranger);
    assert_int_equal(swo_gobject_write(&read, &value), SWO_WRONG_KIND);
    g_value_unset(&value);
    ok(swo_gobject_bind(lamp, "inlet", inlet, NULL, NULL));
    ok(SWO_SET_VALUE(inlet, swo_gobject_value(other)));
    assert_ptr_equal(((Lamp *)lamp)->inlet, other);
    ok(SWO_SET_VALUE(inlet, swo_gobject_value(stranger)));
    assert_ptr_equal(((Lamp *)lamp)->inlet, other);
    observe(messenger, NULL, &a);
    assert_true(swo_gobject_connect(lamp, "inserted", messenger) != 0);
    g_signal_emit_by_name(lamp, "inserted", other);
    assert_int_equal(a.calls, 1);
    journal_clear(&journal);
    WITH_EACH(GObject *, g_object_unref(*each), lamp, other, stranger);
}

/* ---- flags and functions ---- */

TEST(a_variable_follows_a_property_one_way) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = number_variable(1);
    swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
    swo_observation id;
    ok(swo_gobject_bind_variable(lamp, "level", level, &options, &id));
    assert_int_equal(number_of(level), 1); /* nothing at once */
    set_number(level, 2);
    assert_int_equal(((Lamp *)lamp)->level, 5);
    g_object_set(lamp, "level", 6, NULL);
    assert_int_equal(number_of(level), 6);
    ok(swo_stop(id));
    g_object_set(lamp, "level", 7, NULL);
    assert_int_equal(number_of(level), 6);
    options.flags = G_BINDING_SYNC_CREATE;
    ok(swo_gobject_bind_variable(lamp, "level", level, &options, &id));
    assert_int_equal(number_of(level), 7);
    g_object_unref(lamp);
    assert_false(swo_is_living(id));
}

TEST(a_property_follows_a_variable_one_way) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = number_variable(1), *code = number_variable(0);
    swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
    swo_observation id;
    ok(swo_gobject_bind_property(level, lamp, "level", &options, &id));
    assert_int_equal(((Lamp *)lamp)->level, 5);
    set_number(level, 500);
    assert_true(((Lamp *)lamp)->level == 100 && number_of(level) == 500); /* a source is never set */
    g_object_set(lamp, "level", 6, NULL);
    assert_int_equal(number_of(level), 500);
    ok(swo_stop(id));
    set_number(level, 7);
    assert_int_equal(((Lamp *)lamp)->level, 6);
    options.flags = G_BINDING_SYNC_CREATE;
    ok(swo_gobject_bind_property(level, lamp, "level", &options, NULL));
    assert_int_equal(((Lamp *)lamp)->level, 7);
    ok(swo_gobject_bind_property(code, lamp, "code", &options, NULL)); /* which cannot be read */
    ok(SWO_SET_VALUE(code, "open"));
    assert_string_equal(((Lamp *)lamp)->code, "open");
    g_object_unref(lamp);
}

TEST(both_follow_each_other_from_either_side) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *level = number_variable(1);
    swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
    options.flags = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE;
    ok(swo_gobject_bind_property(level, lamp, "level", &options, NULL));
    assert_true(((Lamp *)lamp)->level == 1 && number_of(level) == 1);
    g_object_set(lamp, "level", 2, NULL);
    assert_int_equal(number_of(level), 2);
    level_sets = 0;
    set_number(level, 3);
    assert_true(((Lamp *)lamp)->level == 3 && level_sets == 1);
    g_object_unref(lamp);
}

TEST(booleans_are_inverted) {
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *dark = number_variable(0);
    swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
    options.flags = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN;
    assert_int_equal(swo_gobject_bind_variable(lamp, "level", dark, &options, NULL), SWO_WRONG_KIND);
    ok(swo_gobject_bind_variable(lamp, "lit", dark, &options, NULL));
    swo_value now;
    ok(swo_variable_get(dark, &now));
    assert_true(now.kind == SWO_KIND_BOOL && now.as.boolean);
    ok(SWO_SET_VALUE(dark, (bool)false));
    assert_true(((Lamp *)lamp)->is_lit);
    g_object_set(lamp, "lit", FALSE, NULL);
    assert_int_equal(value_of(dark), 1);
    ok(SWO_SET_VALUE(dark, 0)); /* is no boolean */
    assert_false(((Lamp *)lamp)->is_lit);
    g_object_unref(lamp);
}

/* Between degrees of two kinds. */
static swo_status fahrenheit_of(void *calls, const swo_value *celsius, swo_value *out) {
    ++*(int *)calls;
    if (celsius->kind != SWO_KIND_DOUBLE) return SWO_WRONG_KIND;
    *out = swo_double(celsius->as.float64 * 1.8 + 32);
    return SWO_OK;
}
static swo_status celsius_of(void *calls, const swo_value *fahrenheit, swo_value *out) {
    ++*(int *)calls;
    *out = swo_double(((double)fahrenheit->as.int64 - 32) / 1.8);
    return SWO_OK;
}
static void end_of(void *calls) { *(int *)calls = -1; }

TEST(functions_transform_what_is_bound) {
    struct probe a = PROBE("a");
    GObject *lamp = new_lamp();
    OWN_OBSERVABLE *celsius = number_variable(0);
    int calls = 0;
    swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
    options.flags = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE;
    options.to_variable = celsius_of;
    options.to_property = fahrenheit_of;
    options.context = &calls;
    options.destroy = end_of;
    ok(SWO_SET_VALUE(celsius, 20.3));
    ok(swo_gobject_bind_property(celsius, lamp, "level", &options, NULL));
    observe(celsius, NULL, &a);
    assert_true(((Lamp *)lamp)->level == 68 && value_of(celsius) == 20.3 && calls > 0); /* no echo */
    g_object_set(lamp, "level", 50, NULL);
    assert_true(value_of(celsius) == 10 && a.calls == 1);
    ok(SWO_SET_VALUE(celsius, 100.0)); /* beyond the range */
    assert_true(((Lamp *)lamp)->level == 100 && value_of(celsius) == (100 - 32) / 1.8 && a.calls == 3);
    ok(SWO_SET_VALUE(celsius, "text")); /* the function fails */
    assert_int_equal(((Lamp *)lamp)->level, 100);
    journal_clear(&journal);
    g_object_unref(lamp);
    assert_int_equal(calls, -1);
    calls = 0;
    assert_int_equal(swo_gobject_bind_property(celsius, NULL, "level", &options, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(calls, -1);
    swo_executor none = SWO_EXECUTOR_INIT;
    options.executor = &none; /* with which nothing can be observed */
    calls = 0;
    lamp = new_lamp();
    assert_int_equal(swo_gobject_bind_property(celsius, lamp, "level", &options, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(calls, -1);
    g_object_set(lamp, "level", 7, NULL);
    g_object_unref(lamp);
    options.size = 8;
    assert_int_equal(swo_gobject_bind_property(celsius, NULL, "level", &options, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_gobject_bind_property(celsius, NULL, "level", NULL, NULL), SWO_INVALID_ARGUMENT);
}

TEST(numbers_and_texts_that_do_not_fit_are_not_written) {
    static const struct {
        GType type;
        swo_value value;
        swo_status status;
    } * each, cases[] = {
                  {G_TYPE_CHAR, {SWO_KIND_INT64, 0, {.int64 = 127}}, SWO_OK},
                  {G_TYPE_CHAR, {SWO_KIND_INT64, 0, {.int64 = 128}}, SWO_WRONG_KIND},
                  {G_TYPE_UCHAR, {SWO_KIND_INT64, 0, {.int64 = -1}}, SWO_WRONG_KIND},
                  {G_TYPE_INT, {SWO_KIND_INT64, 0, {.int64 = INT32_MIN}}, SWO_OK},
                  {G_TYPE_INT, {SWO_KIND_INT64, 0, {.int64 = (int64_t)INT32_MAX + 1}}, SWO_WRONG_KIND},
                  {G_TYPE_UINT, {SWO_KIND_INT64, 0, {.int64 = UINT32_MAX}}, SWO_OK},
                  {G_TYPE_UINT, {SWO_KIND_INT64, 0, {.int64 = (int64_t)UINT32_MAX + 1}}, SWO_WRONG_KIND},
                  {G_TYPE_UINT64, {SWO_KIND_INT64, 0, {.int64 = -1}}, SWO_WRONG_KIND},
                  {G_TYPE_INT, {SWO_KIND_DOUBLE, 0, {.float64 = 3e9}}, SWO_WRONG_KIND},
                  {G_TYPE_INT64, {SWO_KIND_DOUBLE, 0, {.float64 = 1e19}}, SWO_WRONG_KIND},
                  {G_TYPE_INT64, {SWO_KIND_DOUBLE, 0, {.float64 = -9223372036854775808.0}}, SWO_OK},
                  {G_TYPE_INT, {SWO_KIND_DOUBLE, 0, {.float64 = NAN}}, SWO_WRONG_KIND},
                  {G_TYPE_DOUBLE, {SWO_KIND_INT64, 0, {.int64 = INT64_MAX}}, SWO_OK},
                  {G_TYPE_STRING, {SWO_KIND_TEXT, 0, {.bytes = {"a\0b", 3}}}, SWO_WRONG_KIND},
                  {G_TYPE_STRING, {SWO_KIND_TEXT, 0, {.bytes = {"", 0}}}, SWO_OK},
                  {G_TYPE_STRING, {SWO_KIND_TEXT, 0, {.bytes = {NULL, 0}}}, SWO_OK},
                  {G_TYPE_POINTER, {SWO_KIND_INT64, 0, {.int64 = 1}}, SWO_WRONG_KIND},
              };
    for (each = cases; each < cases + sizeof cases / sizeof *cases; each++) {
        GValue value = G_VALUE_INIT;
        g_value_init(&value, each->type);
        assert_int_equal(swo_gobject_write(&each->value, &value), each->status);
        g_value_unset(&value);
    }
}

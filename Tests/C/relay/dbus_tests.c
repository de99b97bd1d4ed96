/* SPDX-License-Identifier: MIT */
/* What a bus and its tools see of a relay, and what a relay makes of what they do. */
#include "relay_support.h"
#include <poll.h>

#define KITCHEN "org.swiftobserver.kitchen /org/swiftobserver/kitchen"

static void expect(struct broker *bus, const char *command, const char *expected) {
    char *said = run_command(bus, command);
    assert_string_equal(said, expected);
    free(said);
}

static void expect_part(struct broker *bus, const char *command, const char *expected) {
    char *said = run_command(bus, command);
    if (strstr(said, expected) == NULL) fail_msg("%s\nis not in what %s says:\n%s", expected, command, said);
    free(said);
}

/* ---- busctl ---- */

TEST(busctl_reads_values_and_sets_those_that_can_be_set) {
    OWN_BROKER bus = bus_start(NULL);
    swo_value number = swo_double(20.5), text = swo_text("k\xC3\xBC"
                                                         "che");
    OWN_OBSERVABLE *warmth = NULL, *label = NULL, *count = number_variable(-3);
    ok(swo_variable_new(&number, &warmth));
    ok(swo_variable_new(&text, &label));
    OWN_RELAY *relay = relay_at(bus.address, "kitchen");
    ok(swo_relay_publish(relay, "climate/room-warmth", warmth, SWO_KIND_DOUBLE, true));
    ok(swo_relay_publish(relay, "climate/2nd", count, SWO_KIND_INT64, true));
    ok(swo_relay_publish(relay, "about/label", label, SWO_KIND_TEXT, false));
    await_state(relay, "ready");
    const char *get = "busctl --address=$BUS get-property " KITCHEN " org.swiftobserver.climate room_warmth N2nd";
    expect(&bus, get, "d 20.5\nx -3\n");
    expect(&bus, "busctl --address=$BUS set-property " KITCHEN " org.swiftobserver.climate room_warmth d 22.25 2>&1",
           "");
    expect(&bus, "busctl --address=$BUS set-property " KITCHEN " org.swiftobserver.climate N2nd x 7 2>&1", "");
    /* The answer comes when the program has decided, and its decision is what others read then. */
    expect(&bus, get, "d 22.25\nx 7\n");
    assert_int_equal(number_of(count), 7);
    expect(&bus, "busctl --address=$BUS get-property " KITCHEN " org.swiftobserver.Device state", "s \"ready\"\n");

    expect_part(&bus,
                "gdbus call --address $BUS --dest org.swiftobserver.kitchen --object-path /org/swiftobserver/kitchen "
                "--method org.freedesktop.DBus.Properties.Set org.swiftobserver.about label '<\"x\">' 2>&1",
                "org.freedesktop.DBus.Error.PropertyReadOnly");
    expect_part(&bus,
                "gdbus call --address $BUS --dest org.swiftobserver.kitchen --object-path /org/swiftobserver/kitchen "
                "--method org.freedesktop.DBus.Properties.Set org.swiftobserver.climate room_warmth '<\"warm\">' 2>&1",
                "org.freedesktop.DBus.Error.InvalidArgs");
    await_state(relay, "ready: dropped a value, homie/5/kitchen/climate/room-warmth/set: it is no finite number (1 ");
    expect(&bus, get, "d 22.25\nx 7\n");
}

HANDLER(withdraw_nine, relay) {
    if (message->as.update->new_value.as.int64 == 9) ok(swo_relay_withdraw(relay, "light/level"));
}

TEST(what_is_withdrawn_while_it_is_set_leaves_nothing_without_an_answer) {
    OWN_BROKER bus = bus_start(NULL);
    OWN_OBSERVABLE *level = number_variable(5);
    OWN_RELAY *relay = relay_at(bus.address, "kitchen");
    ok(swo_relay_publish(relay, "light/level", level, SWO_KIND_INT64, true));
    ok(swo_observe(level, NULL, withdraw_nine, relay, NULL, NULL));
    await_state(relay, "ready");
    expect(&bus,
           "busctl --address=$BUS set-property --timeout=infinity " KITCHEN " org.swiftobserver.light level x 9 2>&1",
           "");
    assert_int_equal(number_of(level), 9);
    expect_part(&bus, "busctl --address=$BUS get-property " KITCHEN " org.swiftobserver.light level 2>&1",
                "no such property");
}

TEST(busctl_introspects_what_is_published) {
    OWN_BROKER bus = bus_start(NULL);
    OWN_OBSERVABLE *level = number_variable(5), *limit = number_variable(9), *rings = swo_messenger_new();
    OWN_RELAY *relay = relay_at(bus.address, "kitchen");
    ok(swo_relay_publish(relay, "light/level", level, SWO_KIND_INT64, true));
    ok(swo_relay_publish(relay, "light/limit", limit, SWO_KIND_INT64, false));
    ok(swo_relay_publish(relay, "door/rings", rings, SWO_KIND_TEXT, false));
    await_state(relay, "ready");
    expect(&bus,
           "busctl --address=$BUS introspect --no-legend " KITCHEN " | grep -A9 -F -e org.swiftobserver.door -e "
           "org.swiftobserver.light | tr -s ' ' | sed 's/ *$//'",
           "org.swiftobserver.door interface - - -\n"
           ".rings signal s - -\n"
           "org.swiftobserver.light interface - - -\n"
           ".level property x 5 emits-change writable\n"
           ".limit property x 9 emits-change\n");
    expect(&bus, "busctl --address=$BUS tree --list org.swiftobserver.kitchen",
           "/\n/org\n/org/swiftobserver\n/org/swiftobserver/kitchen\n");
    ok(swo_relay_withdraw(relay, "door/rings"));
    await_state(relay, "ready");
    expect_part(&bus,
                "busctl --address=$BUS call org.swiftobserver.kitchen /org/swiftobserver "
                "org.freedesktop.DBus.ObjectManager GetManagedObjects",
                "\"org.swiftobserver.light\" 2 \"level\" x 5 \"limit\" x 9");
}

/* A program of the bus that runs beside the test, which reads what it prints. */
struct tool {
    pid_t process;
    FILE *output;
    char line[4096];
};

static struct tool tool_start(struct broker *bus, const char *command) {
    int ends[2];
    must(pipe(ends) == 0);
    struct tool tool = {.process = fork()};
    if (tool.process == 0) {
        char line[512];
        snprintf(line, sizeof line, "BUS=unix:path=%s/bus; exec %s", bus->folder, command);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        execl("/bin/sh", "sh", "-c", line, NULL);
        _exit(127);
    }
    close(ends[1]);
    tool.output = fdopen(ends[0], "r");
    return tool;
}

static void await_line(struct tool *tool, const char *part) {
    do must(fgets(tool->line, sizeof tool->line, tool->output) != NULL);
    while (strstr(tool->line, part) == NULL);
}

static void tool_end(struct tool *tool) {
    kill(tool->process, SIGTERM);
    fclose(tool->output);
    must(waitpid(tool->process, NULL, 0) == tool->process);
}

TEST(busctl_monitors_changes_and_events) {
    OWN_BROKER bus = bus_start(NULL);
    OWN_OBSERVABLE *level = number_variable(5), *rings = swo_messenger_new();
    OWN_RELAY *relay = relay_at(bus.address, "kitchen");
    ok(swo_relay_publish(relay, "light/level", level, SWO_KIND_INT64, true));
    ok(swo_relay_publish(relay, "door/rings", rings, SWO_KIND_INT64, false));
    await_state(relay, "ready");
    struct tool monitor = tool_start(&bus, "busctl --address=$BUS monitor org.swiftobserver.kitchen");
    await_line(&monitor, "Monitoring");
    set_number(level, 6);
    await_line(&monitor, "Member=PropertiesChanged");
    await_line(&monitor, "STRING \"org.swiftobserver.light\"");
    await_line(&monitor, "STRING \"level\"");
    await_line(&monitor, "INT64 6");
    ok(swo_variable_set(level, &(swo_value){0}, NULL));
    await_line(&monitor, "ARRAY \"s\"");
    await_line(&monitor, "STRING \"level\"");
    send_number(rings, 77);
    await_line(&monitor, "Interface=org.swiftobserver.door  Member=rings");
    await_line(&monitor, "INT64 77");
    tool_end(&monitor);
}

TEST(the_object_manager_says_which_nodes_come_and_go) {
    OWN_BROKER bus = bus_start(NULL);
    OWN_OBSERVABLE *level = number_variable(5);
    OWN_RELAY *relay = relay_at(bus.address, "kitchen");
    ok(swo_relay_publish(relay, "light/level", level, SWO_KIND_INT64, true));
    await_state(relay, "ready");
    struct tool monitor = tool_start(&bus, "busctl --address=$BUS monitor org.swiftobserver.kitchen");
    await_line(&monitor, "Monitoring");
    ok(swo_relay_publish(relay, "door/count", level, SWO_KIND_INT64, true));
    await_line(&monitor,
               "Path=/org/swiftobserver  Interface=org.freedesktop.DBus.ObjectManager  Member=InterfacesAdded");
    await_line(&monitor, "OBJECT_PATH \"/org/swiftobserver/kitchen\"");
    await_line(&monitor, "STRING \"org.swiftobserver.door\"");
    await_line(&monitor, "STRING \"count\"");
    await_line(&monitor, "INT64 5");
    ok(swo_relay_withdraw(relay, "light/level"));
    await_line(&monitor, "Member=InterfacesRemoved");
    await_line(&monitor, "STRING \"org.swiftobserver.light\"");
    tool_end(&monitor);
}

TEST(a_null_is_no_value_of_the_bus) {
    OWN_BROKER bus = bus_start(NULL);
    OWN_OBSERVABLE *level = number_variable(5);
    OWN_RELAY *relay = relay_at(bus.address, "kitchen"), *other = relay_at(bus.address, NULL);
    ok(swo_relay_publish(relay, "light/level", level, SWO_KIND_INT64, true));
    OWN_OBSERVABLE *mirror = mirror_of(other, "kitchen/light/level", SWO_KIND_INT64);
    await_number(mirror, 5);
    await_state(relay, "ready");
    await_state(other, "ready");
    ok(swo_variable_set(mirror, &(swo_value){0}, NULL));
    await_state(other,
                "ready: dropped a value that was asked for, homie/5/kitchen/light/level: D-Bus has no null to set");
    await_number(mirror, 5);
    ok(swo_variable_set(level, &(swo_value){0}, NULL));
    await_null(mirror);
    expect_part(&bus,
                "gdbus call --address $BUS --dest org.swiftobserver.kitchen --object-path /org/swiftobserver/kitchen "
                "--method org.freedesktop.DBus.Properties.Get org.swiftobserver.light level 2>&1",
                "org.swiftobserver.Error.Null");
    expect(&bus,
           "busctl --address=$BUS call " KITCHEN " org.freedesktop.DBus.Properties GetAll s org.swiftobserver.light",
           "a{sv} 0\n");
}

TEST(a_text_with_a_zero_in_it_does_not_cross_a_bus) {
    OWN_BROKER bus = bus_start(NULL);
    swo_value text = swo_text("one");
    OWN_OBSERVABLE *label = NULL;
    ok(swo_variable_new(&text, &label));
    OWN_RELAY *relay = relay_at(bus.address, "kitchen"), *other = relay_at(bus.address, NULL);
    ok(swo_relay_publish(relay, "about/label", label, SWO_KIND_TEXT, true));
    OWN_OBSERVABLE *mirror = mirror_of(other, "kitchen/about/label", SWO_KIND_TEXT);
    await_text(mirror, "one");
    await_state(relay, "ready");
    await_state(other, "ready");
    text = swo_text_sized("a\0b", 3);
    ok(swo_variable_set(mirror, &text, NULL));
    await_state(other, "ready: dropped a value that was asked for, homie/5/kitchen/about/label: it has a zero in it");
    await_text(mirror, "one");
    ok(swo_variable_set(label, &text, NULL));
    await_state(relay, "ready: dropped a value, homie/5/kitchen/about/label: it has a zero in it");
    await_null(mirror);
    text = swo_text("two");
    ok(swo_variable_set(label, &text, NULL));
    await_text(mirror, "two");
}

/* ---- names ---- */

TEST(a_program_of_a_name_that_is_taken_waits_for_it_and_says_so) {
    OWN_BROKER bus = bus_start(NULL);
    OWN_OBSERVABLE *one = number_variable(1), *two = number_variable(2);
    swo_relay *first = relay_at(bus.address, "twin");
    ok(swo_relay_publish(first, "flow/rate", one, SWO_KIND_INT64, false));
    await_state(first, "ready");
    OWN_RELAY *second = relay_at(bus.address, "twin");
    ok(swo_relay_publish(second, "flow/rate", two, SWO_KIND_INT64, false));
    await_state(second, "ready: another program has the same name, org.swiftobserver.twin");
    OWN_RELAY *other = relay_at(bus.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "twin/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *of_device = mirror_of(other, "twin/$state", SWO_KIND_TEXT);
    await_number(mirror, 1);
    set_number(two, 22);
    set_number(one, 11);
    await_number(mirror, 11);
    swo_relay_release(first);
    await_number(mirror, 22);
    await_text(of_device, "ready");
    set_number(two, 23);
    await_number(mirror, 23);
}

TEST(what_another_program_says_of_a_device_is_not_believed) {
    OWN_BROKER bus = bus_start(NULL);
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = relay_at(bus.address, "kitchen"), *other = relay_at(bus.address, NULL);
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, false));
    OWN_OBSERVABLE *mirror = mirror_of(other, "kitchen/light/level", SWO_KIND_INT64);
    struct listener *listener = listen_to(mirror);
    await_heard(listener, "1");
    expect(&bus,
           "busctl --address=$BUS emit /org/swiftobserver/kitchen org.freedesktop.DBus.Properties PropertiesChanged "
           "'sa{sv}as' org.swiftobserver.light 1 level x 666 0 2>&1",
           "");
    set_number(variable, 2);
    await_heard(listener, "2");
    assert_string_equal(heard(listener), "1\n2\n");
    listener_free(listener);
}

/* ---- lost and found ---- */

TEST(what_a_device_had_is_null_when_it_has_left) {
    OWN_BROKER bus = bus_start(NULL);
    OWN_OBSERVABLE *variable = number_variable(1);
    swo_relay *owner = relay_at(bus.address, "kitchen");
    OWN_RELAY *other = relay_at(bus.address, NULL);
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_OBSERVABLE *mirror = mirror_of(other, "kitchen/light/level", SWO_KIND_INT64);
    OWN_OBSERVABLE *of_device = mirror_of(other, "kitchen/$state", SWO_KIND_TEXT);
    await_number(mirror, 1);
    await_state(other, "ready");
    swo_relay_release(owner);
    await_text(of_device, "disconnected");
    await_null(mirror);
    set_number(mirror, 5);
    await_state(other, "ready: dropped a value that was asked for, homie/5/kitchen/light/level: ");
    await_null(mirror);
    owner = relay_at(bus.address, "kitchen");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    await_text(of_device, "ready");
    await_number(mirror, 1);
    swo_relay_release(owner);
}

TEST(a_bus_that_is_not_there_is_named) {
    OWN_BROKER bus = bus_start(NULL);
    broker_kill(&bus);
    char expected[160];
    snprintf(expected, sizeof expected, "lost: the bus at %s: Connection refused", strchr(bus.address, ':') + 1);
    OWN_RELAY *relay = relay_at(bus.address, "alone");
    await_state(relay, expected);
    broker_start_again(&bus);
    await_state(relay, "ready");
    swo_relay_options options = options_at("dbus:nothing:path=/x", NULL);
    OWN_RELAY *strange = relay_with(options);
    await_state(strange, "lost: the bus at nothing:path=/x: ");
}

TEST(a_name_that_the_bus_refuses_is_said) {
    OWN_BROKER bus = bus_start("<type>session</type><policy context='default'><allow send_destination='*'/>"
                               "<allow eavesdrop='true'/><allow own='org.swiftobserver.free'/></policy>");
    OWN_RELAY *barred = relay_at(bus.address, "barred"), *welcome = relay_at(bus.address, "free");
    await_state(barred, "lost: the bus does not let this program have its name: ");
    await_state(welcome, "ready");
}

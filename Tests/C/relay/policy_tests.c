/* SPDX-License-Identifier: MIT */
/* The example of a policy lets a device onto a bus that is as strict as the system's, and other users read it. */
#include "relay_support.h"
#include <limits.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the system bus of Debian allows by itself. */
#define STRICT                                                                                                         \
    "<type>system</type><policy context='default'><allow user='*'/><deny own='*'/><deny send_type='method_call'/>"     \
    "<allow send_type='signal'/><allow send_requested_reply='true' send_type='method_return'/>"                        \
    "<allow send_requested_reply='true' send_type='error'/><allow receive_type='method_call'/>"                        \
    "<allow receive_type='method_return'/><allow receive_type='error'/><allow receive_type='signal'/>"                 \
    "<allow send_destination='org.freedesktop.DBus' send_interface='org.freedesktop.DBus'/></policy>"

#define AS_NOBODY "setpriv --reuid=65534 --regid=65534 --clear-groups busctl --address=$BUS "
#define KITCHEN "org.swiftobserver.kitchen /org/swiftobserver/kitchen "

TEST(the_policy_lets_the_device_in_and_others_read_it) {
    /* Another user is taken for it. */
    if (getuid() != 0) skip();
    char path[PATH_MAX], configuration[PATH_MAX + 2048];
    must(realpath("bindings/dbus/org.swiftobserver.kitchen.conf", path) != NULL);
    snprintf(configuration, sizeof configuration, STRICT "<include>%s</include>", path);
    OWN_BROKER bus = bus_start(configuration);
    OWN_OBSERVABLE *level = number_variable(5);
    OWN_RELAY *relay = relay_at(bus.address, "kitchen"), *other = relay_at(bus.address, "hall");
    ok(swo_relay_publish(relay, "light/level", level, SWO_KIND_INT64, true));
    await_state(relay, "ready");
    await_state(other, "lost: the bus does not let this program have its name: ");

    char *said = run_command(&bus, AS_NOBODY "get-property " KITCHEN "org.swiftobserver.light level 2>&1");
    assert_string_equal(said, "x 5\n");
    free(said);
    said = run_command(&bus, AS_NOBODY "introspect --no-legend " KITCHEN "| grep -c 'level *property *x *5'");
    assert_string_equal(said, "1\n");
    free(said);
    said = run_command(&bus, AS_NOBODY "set-property " KITCHEN "org.swiftobserver.light level x 6 2>&1");
    assert_non_null(strstr(said, "denied"));
    free(said);
    assert_int_equal(number_of(level), 5);

    /* A mirror asks for all that the device has, and root sets it. */
    OWN_RELAY *reader = relay_at(bus.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(reader, "kitchen/light/level", SWO_KIND_INT64);
    await_number(mirror, 5);
    set_number(mirror, 7);
    await_number(level, 7);
    await_number(mirror, 7);
}

/* What a program of another user does, whose requests the policy does not allow. */
static int ask_as_nobody(const char *bus) {
    if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0) return 1;
    swo_relay *relay = relay_at(bus, NULL);
    swo_observable *mirror = mirror_of(relay, "kitchen/light/level", SWO_KIND_INT64);
    await_number(mirror, 5);
    await_confirmed(relay, "kitchen/light/level");
    set_number(mirror, 9);
    await_state(relay, "ready: dropped a value that was asked for, homie/5/kitchen/light/level: Rejected send message");
    await_number(mirror, 5);
    if (counts_of(relay).dropped != 1) return 2;
    if (swo_relay_is_pending(relay, "kitchen/light/level") || unconfirmed(relay, "kitchen/light/level") != 0) return 3;
    RELEASE(mirror);
    swo_relay_release(relay);
    return 0;
}

TEST(a_request_that_the_policy_does_not_allow_is_undone_and_reported) {
    if (getuid() != 0) skip();
    char path[PATH_MAX], configuration[PATH_MAX + 2048];
    must(realpath("bindings/dbus/org.swiftobserver.kitchen.conf", path) != NULL);
    snprintf(configuration, sizeof configuration, STRICT "<include>%s</include>", path);
    OWN_BROKER bus = bus_start(configuration);
    /* Before this program has threads. */
    pid_t nobody = fork();
    if (nobody == 0) {
        /* Another program, of which valgrind does not ask what it has left. */
        if (ask_as_nobody(bus.address) == 0) execl("/bin/true", "true", NULL);
        _exit(1);
    }
    OWN_OBSERVABLE *level = number_variable(5);
    OWN_RELAY *relay = relay_at(bus.address, "kitchen");
    ok(swo_relay_publish(relay, "light/level", level, SWO_KIND_INT64, true));
    int status = -1;
    must(waitpid(nobody, &status, 0) == nobody);
    assert_int_equal(status, 0);
    assert_int_equal(number_of(level), 5);
}

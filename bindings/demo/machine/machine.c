/* SPDX-License-Identifier: MIT */
/* Tells other programs and machines the load of this one, and whether that is too much.
 *
 *     cc machine.c $(pkg-config --cflags --libs swiftobserver-relay) -o machine
 *     ./machine mqtt://localhost attic
 *
 *  Two more arguments are the file with the load, and after how many milliseconds it is read again. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <swiftobserver/relay.h>
#include <time.h>

static swo_status is_too_much(void *context, const swo_value *load, swo_value *out) {
    (void)context;
    *out = swo_bool(load->as.float64 > 2);
    return SWO_OK;
}

static double load_in(const char *path) {
    double load = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%lf", &load) != 1) {
        fprintf(stderr, "machine: no load in %s\n", path);
        exit(2);
    }
    fclose(file);
    return load;
}

int main(int argc, char **argv) {
    if (argc < 3) return fputs("usage: machine ADDRESS DEVICE [FILE [MILLISECONDS]]\n", stderr), 2;
    const char *file = argc > 3 ? argv[3] : "/proc/loadavg";
    long pause = argc > 4 ? strtol(argv[4], NULL, 10) : 1000;
    struct timespec interval = {pause / 1000, pause % 1000 * 1000000};
    /* Before the relay has threads, which shall not get these. */
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);

    swo_relay_options options = SWO_RELAY_OPTIONS_INIT;
    options.address = argv[1];
    options.device = argv[2];
    swo_relay *relay;
    swo_value value = swo_double(load_in(file));
    swo_observable *load, *values, *alarm;
    if (swo_relay_new(&options, &relay)) return fputs("machine: address or device is none\n", stderr), 2;
    if (swo_variable_new(&value, &load) || swo_new_values(load, &values) ||
        swo_map(values, is_too_much, NULL, NULL, &alarm) ||
        swo_relay_publish(relay, "cpu/load", load, SWO_KIND_DOUBLE, false) ||
        swo_relay_publish(relay, "cpu/alarm", alarm, SWO_KIND_BOOL, false))
        return 1;
    while (sigtimedwait(&ends, NULL, &interval) < 0) {
        value = swo_double(load_in(file));
        swo_variable_set(load, &value, NULL);
    }
    swo_relay_release(relay); /* says goodbye */
    swo_observable *all[] = {load, values, alarm};
    for (int i = 0; i < 3; i++) swo_observable_release(all[i]);
}

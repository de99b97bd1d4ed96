/* SPDX-License-Identifier: MIT */
/* Watches the machine it runs on: processor, memory, load and network.
 *
 *     cc -std=c11 *.c $(pkg-config --cflags --libs swiftobserver) -o vitals
 *
 * Each source is the beginning of a chain of observables (chain.h), and one observer prints what comes out of all of
 * them. `--graph FILE`, which the same program in the other languages has not, draws that.
 */
#define _POSIX_C_SOURCE 200809L
#include "chain.h"
#include "graph.h"
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { SOURCE_FAILED = 2, DRAWING_FAILED = 2 }; /* exit statuses */

static char *join(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL) require(SWO_NO_MEMORY);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static void read_source(struct chain *chain, const char *folder) {
    char *path = join(folder, chain->source->file);
    char *text = read_text(path);
    sample now;
    if (text == NULL) {
        fprintf(stderr, "vitals: %s: cannot be read: %s\n", path, strerror(errno));
        chain->has_failed = true;
    } else if (!chain->source->parse(text, &now)) {
        fprintf(stderr, "vitals: %s: malformed: expected %s\n", path, chain->source->expected);
        chain->has_failed = true;
    } else {
        chain_take(chain, &now);
    }
    free(text);
    free(path);
}

static void read_all(struct chain chains[], const char *folder) {
    for (int i = 0; i < SOURCE_COUNT; i++)
        if (!chains[i].has_failed) read_source(&chains[i], folder);
    fflush(stdout);
}

/* Sleeps to points in time that do not depend on how long the readings took. */
static void watch(struct chain chains[], const struct options *options) {
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    double last = options->seconds * 1000 / options->interval;
    for (double reading = 0; reading <= last; reading++) {
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) == EINTR) continue;
        read_all(chains, options->proc);
        next.tv_nsec += options->interval % 1000 * 1000000L;
        next.tv_sec += options->interval / 1000 + next.tv_nsec / 1000000000L;
        next.tv_nsec %= 1000000000L;
    }
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A recording holds folders 1, 2, ... that are laid out like /proc. A process is such a folder, too, in
 * /proc itself; what a recording does not have is a file `stat` beside them. */
static bool is_recording(const char *proc) {
    char *first = join(proc, "1"), *file = join(proc, sources[0].file);
    struct stat status;
    bool is = is_folder(first) && stat(file, &status) != 0;
    free(first);
    free(file);
    return is;
}

static void replay(struct chain chains[], const char *recording) {
    bool goes_on = true;
    for (int reading = 1; goes_on; reading++) {
        char number[12];
        snprintf(number, sizeof number, "%d", reading);
        char *folder = join(recording, number);
        goes_on = is_folder(folder);
        if (goes_on) read_all(chains, folder);
        free(folder);
    }
}

static void print_table(const struct chain chains[]) {
    printf("\n%-8s %6s %10s %9s  %s\n", "source", "sent", "delivered", "filtered", "last");
    for (int i = 0; i < SOURCE_COUNT; i++)
        printf("%-8s %6d %10d %9d  %s\n", chains[i].source->name, chains[i].sent, chains[i].delivered,
               chains[i].filtered, chains[i].delivered > 0 ? chains[i].shown : "-");
}

static bool draw_chains(const struct chain chains[], const char *path) {
    swo_observable *variables[SOURCE_COUNT];
    for (int i = 0; i < SOURCE_COUNT; i++) variables[i] = chains[i].variable;
    return draw_graph(variables, SOURCE_COUNT, path);
}

static void watch_and_print(struct chain chains[], const struct options *options) {
    if (is_recording(options->proc))
        replay(chains, options->proc);
    else
        watch(chains, options);
    print_table(chains);
}

int main(int count, char *arguments[]) {
    const struct options options = options_from(count, arguments);
    static struct chain chains[SOURCE_COUNT];
    swo_observer *observer = swo_observer_new();
    for (int i = 0; i < SOURCE_COUNT; i++) {
        chains[i].source = &sources[i];
        chains[i].interval = options.interval;
        chain_begin(&chains[i], observer);
    }

    bool is_drawn = true;
    if (options.graph != NULL)
        is_drawn = draw_chains(chains, options.graph);
    else
        watch_and_print(chains, &options);

    swo_observer_release(observer); /* ends all observations */
    bool has_failed = false;
    for (int i = 0; i < SOURCE_COUNT; i++) {
        chain_end(&chains[i]);
        if (chains[i].has_failed) has_failed = true;
    }
    if (!is_drawn) return DRAWING_FAILED;
    return has_failed ? SOURCE_FAILED : EXIT_SUCCESS;
}

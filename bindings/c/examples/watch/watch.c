/* SPDX-License-Identifier: MIT */
/* Tells what happens to the files in folders, until its standard input ends.
 *
 *     cc watch.c changes.c $(pkg-config --cflags --libs swiftobserver) -o watch
 *     watch [--ending .c] FOLDER...
 *
 * The main thread waits for the kernel and sends what it tells; a thread of its own prints, so that a slow
 * terminal does not let the kernel's buffer overflow:
 *
 *     inotify --> all --> count
 *                   \--> queue --> print
 *     the end --> end ----^
 */
#define _POSIX_C_SOURCE 200809L
#include "changes.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <swiftobserver/poll.h>
#include <unistd.h>

struct printer {
    const char *ending; /* of the names that are shown; NULL: all */
    swo_queue *queue;
    bool has_ended;
};

static void print(void *context, const struct change *change, const void *author) {
    const struct printer *printer = context;
    (void)author;
    if (printer->ending != NULL) {
        size_t length = strlen(change->name), wanted = strlen(printer->ending);
        if (length < wanted || strcmp(change->name + length - wanted, printer->ending) != 0) return;
    }
    printf("%-9s %s/%s\n", change->what, change->folder, change->name);
    fflush(stdout);
}

/* Comes by the same queue as the changes, and so after the last of them. */
static void end_printing(void *context, const swo_value *message, const void *author) {
    (void)message, (void)author;
    ((struct printer *)context)->has_ended = true;
}

static void *print_all(void *context) {
    struct printer *printer = context;
    while (!printer->has_ended) swo_poll_drain(printer->queue, -1, NULL);
    return NULL;
}

static void count(void *number, const struct change *change, const void *author) {
    (void)change, (void)author;
    ++*(int *)number;
}

static void watch_until_input_ends(struct watch *watch, changes *all) {
    char input[256];
    struct pollfd watched[] = {{.fd = watch->inotify, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    for (;;) {
        if (poll(watched, 2, -1) < 0 && errno != EINTR) return;
        /* First what happened before the input ended. */
        watch_send(watch, all);
        if (watched[1].revents != 0 && read(STDIN_FILENO, input, sizeof input) <= 0) break;
    }
    watch_send(watch, all);
}

int main(int argument_count, char *arguments[]) {
    struct printer printer = {0};
    struct watch watch;
    int first = 1, changes_counted = 0;
    if (argument_count > 2 && strcmp(arguments[1], "--ending") == 0) {
        printer.ending = arguments[2];
        first = 3;
    }
    if (first >= argument_count || !watch_begin(&watch)) {
        fprintf(stderr, "usage: watch [--ending TEXT] FOLDER...\n");
        return 2;
    }
    for (int one = first; one < argument_count; one++) {
        if (watch_folder(&watch, arguments[one])) continue;
        fprintf(stderr, "watch: %s: cannot be watched: %s\n", arguments[one], strerror(errno));
        return 2;
    }

    swo_executor executor;
    pthread_t printing;
    changes *all = changes_new();
    swo_observable *end = swo_messenger_new();
    if (swo_queue_new(0, SWO_QUEUE_BLOCK, &printer.queue) || swo_queue_executor(printer.queue, &executor) ||
        changes_observe(all, NULL, count, &changes_counted, NULL, NULL) ||
        changes_observe_on(all, NULL, &executor, print, &printer, NULL, NULL) ||
        swo_observe_on(end, NULL, &executor, end_printing, &printer, NULL, NULL) ||
        pthread_create(&printing, NULL, print_all, &printer) != 0) {
        fprintf(stderr, "watch: out of memory\n");
        return 1;
    }
    printf("watching\n");
    fflush(stdout);

    watch_until_input_ends(&watch, all);
    swo_value nothing = swo_null();
    swo_send(end, &nothing, NULL);
    pthread_join(printing, NULL);
    printf("%d changes\n", changes_counted);
    changes_release(all);
    swo_observable_release(end);
    swo_queue_release(printer.queue);
    close(watch.inotify);
}

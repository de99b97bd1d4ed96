/* SPDX-License-Identifier: MIT */
/* A program to look at: says "ready", does what it is told on its standard input, a word a line, and says so.
 *
 *     width VALUE         each new value
 *     click               clicks once: a handler of that sets the width
 *     many COUNT          has so many more variables, each observed
 *     send COUNT          sends so many messages, 10,000 in a second
 *     fork                has a child process that clicks, and waits for it
 *     exec                becomes another program, which is the same
 *     rename              calls the title by a name of a megabyte
 *     abort               ends at once
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <swiftobserver.h>
#include <time.h>
#include <unistd.h>

static swo_observable *clicks, *width, *title, *area, *secret;

static swo_observable *variable(const char *name, swo_value value) {
    swo_observable *made;
    if (swo_variable_new(&value, &made) != SWO_OK || swo_observable_set_name(made, name) != SWO_OK) abort();
    return made;
}

static void observe(swo_observable *observable, const char *name, swo_handler handler) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.name = name;
    if (swo_observe_with(observable, &options, handler, NULL, NULL, NULL) != SWO_OK) abort();
}

static void ignore(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
}

static void resize(void *context, const swo_value *message, const void *author) {
    (void)context, (void)author;
    swo_variable_set(width, message, NULL);
}

static void draw(void *context, const swo_value *message, const void *author) {
    (void)context, (void)author;
    printf("width %lld\n", (long long)message->as.update->new_value.as.int64);
    fflush(stdout);
}

static swo_status twice(void *context, swo_value *out) {
    (void)context;
    swo_value value;
    swo_status status = swo_variable_get(width, &value);
    if (status == SWO_OK) *out = swo_int64(2 * value.as.int64);
    return status;
}

static void click(void) {
    static int64_t count = 100;
    const swo_value message = swo_int64(count++);
    swo_send(clicks, &message, NULL);
}

int main(void) {
    clicks = swo_messenger_new();
    swo_observable_set_name(clicks, "clicks");
    width = variable("width", swo_int64(1));
    title = variable("<img src=x onerror=document.title='taken'>\"\n\x1b[2J", swo_text("<b>bold</b>"));
    secret = variable("secret", swo_text("hunter2"));
    if (swo_derived_new(twice, NULL, NULL, &area) != SWO_OK) abort();
    swo_observable_set_name(area, "area");
    observe(clicks, "resize", resize);
    observe(width, "draw", draw);
    observe(area, "draw area", ignore);
    observe(title, "", ignore);
    observe(secret, "keep", ignore);
    swo_queue *queue;
    swo_executor executor;
    if (swo_queue_new(8, SWO_QUEUE_DROP_OLDEST, &queue) != SWO_OK) abort();
    if (swo_queue_executor(queue, &executor) != SWO_OK) abort();
    swo_observe_options later = SWO_OBSERVE_OPTIONS_INIT;
    later.executor = &executor;
    later.name = "later";
    if (swo_observe_with(title, &later, ignore, NULL, NULL, NULL) != SWO_OK) abort();
    puts("ready");
    fflush(stdout);
    char line[128];
    while (fgets(line, sizeof line, stdin) != NULL) {
        long count = strchr(line, ' ') == NULL ? 0 : atol(strchr(line, ' '));
        if (strncmp(line, "click", 5) == 0) click();
        if (strncmp(line, "many", 4) == 0)
            for (long index = 0; index < count; index++) {
                char name[32];
                snprintf(name, sizeof name, "one of many %ld", index);
                observe(variable(name, swo_int64(index)), "count", ignore);
            }
        for (long index = 0; strncmp(line, "send", 4) == 0 && index < count; index++) {
            const swo_value message = swo_int64(index);
            if (index % 100 == 0) nanosleep(&(struct timespec){0, 10000000}, NULL);
            swo_variable_set(secret, &message, NULL);
        }
        if (strncmp(line, "fork", 4) == 0) {
            pid_t child = fork();
            if (child == 0) {
                click();
                _exit(0);
            }
            int status;
            waitpid(child, &status, 0);
            printf("child %d\n", status);
        }
        if (strncmp(line, "exec", 4) == 0) execl("/proc/self/exe", "program", NULL);
        if (strncmp(line, "rename", 6) == 0) {
            char *name = malloc((1 << 20) + 1);
            memset(name, 'n', 1 << 20);
            name[1 << 20] = 0;
            swo_observable_set_name(title, name);
            free(name);
        }
        if (strncmp(line, "abort", 5) == 0) _exit(3);
        printf("did %s", line);
        fflush(stdout);
    }
    swo_observable_release(area);
    swo_observable_release(title);
    swo_observable_release(secret);
    swo_observable_release(width);
    swo_observable_release(clicks);
    swo_queue_release(queue);
    return 0;
}

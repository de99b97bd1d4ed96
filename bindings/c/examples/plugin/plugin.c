/* SPDX-License-Identifier: MIT */
/* A program in C that is controlled by a plug-in in Python: both observe and set the same variables.
 *
 *     cc plugin.c interpreter.c $(pkg-config --cflags --libs swiftobserver python3-embed) -o plugin
 *     plugin thermostat.py
 *
 * Each line of standard input is a temperature, or `on` or `off` for a hand at the switch of the heating:
 *
 *     a number --> temperature --> print
 *                       \--> the plug-in --.
 *                                           v
 *     on, off ------------------------> heating --> print
 *                                           \--> the plug-in
 *
 * It ends with the input, or with Ctrl-C.
 */
#define _POSIX_C_SOURCE 200809L
#include "interpreter.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <swiftobserver/typed.h>
#include <unistd.h>

enum { PLUG_IN_FAILED = 1, BAD_INPUT = 2, INTERRUPTED = 128 + SIGINT }; /* exit statuses */

static const char hand = 0; /* the author of what is switched by hand */

/* A pipe, because a thread that is just about to wait would not see a flag alone. */
static int interrupts[2];
static volatile sig_atomic_t is_interrupted;

static void interrupt(int signal) {
    (void)signal;
    int error = errno;
    is_interrupted = true;
    if (write(interrupts[1], "", 1) < 0) abort();
    interpreter_interrupt();
    errno = error;
}

/* After the first Ctrl-C the second one ends the program, whatever the plug-in does. */
static bool listen_for_interrupts(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESETHAND};
    return pipe(interrupts) == 0 && sigaction(SIGINT, &action, NULL) == 0;
}

static void print_temperature(void *context, const swo_value *update, const void *author) {
    (void)context, (void)author;
    const swo_value *degrees = &update->as.update->new_value;
    if (degrees->kind == SWO_KIND_DOUBLE) printf("%.1f degrees\n", degrees->as.float64);
}

static void print_heating(void *context, const swo_value *update, const void *author) {
    (void)context;
    const swo_value *heating = &update->as.update->new_value;
    if (heating->kind != SWO_KIND_BOOL) return; /* a plug-in can set it to anything */
    printf("heating %s%s\n", heating->as.boolean ? "on" : "off", author == &hand ? ", by hand" : "");
}

/* ---- the input ---- */

struct model {
    swo_observable *temperature, *heating;
};

/* False: it is not understood. What fails in the plug-in meanwhile has been reported by Python. */
static bool take_line(const struct model *model, char *line) {
    char *end = line + strlen(line);
    while (end > line && isspace((unsigned char)end[-1])) *--end = '\0';
    swo_value is_on = swo_bool(strcmp(line, "on") == 0);
    if (is_on.as.boolean || strcmp(line, "off") == 0) {
        swo_variable_set(model->heating, &is_on, &hand);
        return true;
    }
    char *behind;
    double degrees = strtod(line, &behind);
    if (behind == line || *behind != '\0' || !isfinite(degrees)) return false;
    SWO_SET_VALUE(model->temperature, degrees);
    return true;
}

/* False: interrupted. */
static bool wait_for_input(void) {
    struct pollfd watched[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = interrupts[0], .events = POLLIN}};
    while (poll(watched, 2, -1) < 0 && errno == EINTR) continue;
    return watched[1].revents == 0;
}

/* Takes the lines that are complete, and moves what is behind them to the front. */
static bool take_lines(const struct model *model, char *text, size_t *length) {
    bool are_understood = true;
    char *line = text, *end;
    for (; (end = memchr(line, '\n', *length - (size_t)(line - text))) != NULL; line = end + 1) {
        *end = '\0';
        bool is_text = strlen(line) == (size_t)(end - line);
        if (is_interrupted || (is_text && take_line(model, line))) continue;
        fprintf(stderr, "plugin: neither a temperature nor on nor off: \"%s\"\n", line);
        are_understood = false;
    }
    *length -= (size_t)(line - text);
    memmove(text, line, *length);
    return are_understood;
}

static bool take_input(const struct model *model) {
    char text[4096];
    size_t length = 0;
    bool are_understood = true;
    while (wait_for_input()) {
        ssize_t count = read(STDIN_FILENO, text + length, sizeof text - 1 - length);
        if (count < 0 && errno == EINTR) continue;
        bool is_end = count <= 0;
        if (is_end && length > 0) text[length++] = '\n'; /* the last line need not have one */
        if (!is_end) length += (size_t)count;
        if (!take_lines(model, text, &length)) are_understood = false;
        if (is_end) break;
        if (length < sizeof text - 1) continue;
        fprintf(stderr, "plugin: a line of the input is too long\n");
        return false;
    }
    return are_understood;
}

/* ---- */

static bool make(struct model *model) {
    swo_value off = swo_bool(false);
    return swo_variable_new(NULL, &model->temperature) == SWO_OK && swo_variable_new(&off, &model->heating) == SWO_OK &&
           swo_observe(model->temperature, NULL, print_temperature, NULL, NULL, NULL) == SWO_OK &&
           swo_observe(model->heating, NULL, print_heating, NULL, NULL, NULL) == SWO_OK;
}

static int run(struct model *model, const char *script) {
    /* Now, for Python has just installed a handler of its own. */
    bool is_loaded = listen_for_interrupts() &&
                     interpreter_load(script, (swo_observable *const[]){model->temperature, model->heating}, 2);
    bool is_understood = is_loaded && take_input(model);
    if (is_interrupted) return INTERRUPTED;
    if (!is_loaded || interpreter_has_failed()) return PLUG_IN_FAILED;
    return is_understood ? EXIT_SUCCESS : BAD_INPUT;
}

int main(int count, char *arguments[]) {
    struct model model = {NULL, NULL};
    int status = PLUG_IN_FAILED;
    if (count != 2) {
        fprintf(stderr, "usage: plugin SCRIPT\n");
        return BAD_INPUT;
    }
    if (access(arguments[1], R_OK) != 0) {
        fprintf(stderr, "plugin: %s: cannot be read: %s\n", arguments[1], strerror(errno));
        return BAD_INPUT;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!interpreter_begin()) return status;
    if (make(&model)) status = run(&model, arguments[1]);
    /* While there is still Python, because the plug-in may have set them to objects of its own. */
    swo_observable_release(model.temperature);
    swo_observable_release(model.heating);
    interpreter_end();
    return status;
}

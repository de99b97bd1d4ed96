/* SPDX-License-Identifier: MIT */
/* `dot` reads from one temporary file and writes to another: no shell, no pipe that could fill up or break. */
#define _POSIX_C_SOURCE 200809L
#include "graph.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct {
    const char *ending;
    const char *option; /* of dot; NULL: its input is what is wanted */
} formats[] = {{".dot", NULL}, {".svg", "-Tsvg"}, {".png", "-Tpng"}, {".pdf", "-Tpdf"}};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static int format_of(const char *path) {
    if (strcmp(path, "-") == 0) return 0;
    size_t length = strlen(path);
    int format = 0;
    for (; format < FORMAT_COUNT; format++) {
        size_t ending = strlen(formats[format].ending);
        if (length > ending && strcmp(path + length - ending, formats[format].ending) == 0) break;
    }
    return format;
}

bool can_draw(const char *path) { return format_of(path) < FORMAT_COUNT; }

static bool complain(const char *subject, const char *complaint, int error) {
    fprintf(stderr, "vitals: %s: %s: %s\n", subject, complaint, strerror(error));
    return false;
}

static bool run_dot(FILE *text, const char *option, FILE *picture) {
    char *const arguments[] = {"dot", (char *)option, NULL};
    posix_spawn_file_actions_t redirections;
    pid_t child;
    int status, error = posix_spawn_file_actions_init(&redirections);
    if (error != 0) return complain("dot", "cannot be run", error);
    error = posix_spawn_file_actions_adddup2(&redirections, fileno(text), STDIN_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&redirections, fileno(picture), STDOUT_FILENO);
    if (error == 0) error = posix_spawnp(&child, "dot", &redirections, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&redirections);
    if (error == ENOENT) return complain("dot", "cannot be run; it is part of Graphviz", error);
    if (error != 0) return complain("dot", "cannot be run", error);

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return complain("dot", "was lost", errno);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    fprintf(stderr, "vitals: dot: failed with %s %d\n", WIFEXITED(status) ? "exit status" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return false;
}

static bool copy(FILE *from, FILE *to) {
    char bytes[4096];
    size_t count;
    rewind(from);
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (fwrite(bytes, 1, count, to) < count) return false;
    return !ferror(from) && fflush(to) == 0;
}

static bool write_file(FILE *content, const char *path) {
    bool is_output = strcmp(path, "-") == 0;
    FILE *file = is_output ? stdout : fopen(path, "w");
    if (file == NULL) return complain(path, "cannot be written", errno);
    bool is_written = copy(content, file);
    int error = errno;
    if (!is_output && fclose(file) != 0 && is_written) {
        is_written = false;
        error = errno;
    }
    return is_written || complain(is_output ? "standard output" : path, "cannot be written", error);
}

static bool draw(const swo_value *text, const char *path, FILE *input, FILE *picture) {
    const char *option = formats[format_of(path)].option;
    size_t size = text->as.bytes.size;
    if (fwrite(text->as.bytes.data, 1, size, input) < size || fflush(input) != 0)
        return complain("a temporary file", "cannot be written", errno);
    if (option == NULL) return write_file(input, path);
    rewind(input);
    return run_dot(input, option, picture) && write_file(picture, path);
}

bool draw_graph(swo_observable *const observables[], size_t count, const char *path) {
    swo_value text;
    swo_status status = swo_graph_dot(observables, count, &text);
    if (status != SWO_OK) {
        fprintf(stderr, "vitals: %s\n", swo_status_text(status));
        return false;
    }
    FILE *input = tmpfile(), *picture = tmpfile();
    bool is_drawn = input != NULL && picture != NULL ? draw(&text, path, input, picture)
                                                     : complain("a temporary file", "cannot be made", errno);
    if (input != NULL) fclose(input);
    if (picture != NULL) fclose(picture);
    swo_value_clear(&text);
    return is_drawn;
}

/* SPDX-License-Identifier: MIT */
/* Counts the lines and words of files on a thread, and shows on the main loop how far it has come.
 *
 *     cc tally.c $(pkg-config --cflags --libs swiftobserver glib-2.0) -o tally
 *     tally FILE...
 *
 * As in a program with a window: the worker sets variables and knows nothing of who shows them; what is shown is
 * touched by the main loop's thread alone.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <swiftobserver/glib.h>
#include <swiftobserver/typed.h>

struct model {
    swo_observable *file, *lines, *words, *is_done; /* variables */
    char **files;
};

/* ---- the worker's thread ---- */

static gboolean tally_file(struct model *model, const char *path, int64_t *lines, int64_t *words) {
    FILE *file = fopen(path, "r");
    gboolean is_in_word = FALSE;
    int byte;
    if (file == NULL) return FALSE;
    SWO_SET_VALUE(model->file, path);
    while ((byte = getc(file)) != EOF) {
        gboolean is_space = g_ascii_isspace(byte);
        if (!is_space && !is_in_word) ++*words;
        is_in_word = !is_space;
        if (byte == '\n') ++*lines;
    }
    fclose(file);
    SWO_SET_VALUE(model->lines, *lines);
    SWO_SET_VALUE(model->words, *words);
    return TRUE;
}

static gpointer tally_files(gpointer context) {
    struct model *model = context;
    int64_t lines = 0, words = 0;
    for (char **path = model->files; *path != NULL; path++)
        if (!tally_file(model, *path, &lines, &words)) SWO_SET_VALUE(model->file, "(a file that cannot be read)");
    SWO_SET_VALUE(model->is_done, (bool)true);
    return NULL;
}

/* ---- the main loop's thread ---- */

static void show_text(void *label, const swo_value *update, const void *author) {
    const swo_value *text = &update->as.update->new_value;
    (void)author;
    printf("%s %.*s\n", (const char *)label, (int)text->as.bytes.size, (const char *)text->as.bytes.data);
}

static void show_number(void *label, const swo_value *update, const void *author) {
    const swo_update *numbers = update->as.update;
    (void)author;
    printf("%s %" PRId64 " (+%" PRId64 ")\n", (const char *)label, numbers->new_value.as.int64,
           numbers->new_value.as.int64 - numbers->old_value.as.int64);
}

static void quit(void *loop, const swo_value *update, const void *author) {
    (void)update, (void)author;
    printf("done\n");
    g_main_loop_quit(loop);
}

/* Only want of memory can make one of these fail, and GLib ends a program that has none, too. */
static void require(swo_status status) {
    if (status != SWO_OK) g_error("tally: %s", swo_status_text(status));
}

static swo_observable *variable(swo_value initial) {
    swo_observable *variable;
    require(swo_variable_new(&initial, &variable));
    return variable;
}

int main(int count, char *arguments[]) {
    if (count < 2) {
        fprintf(stderr, "usage: tally FILE...\n");
        return 2;
    }
    struct model model = {variable(swo_text("")), variable(swo_int64(0)), variable(swo_int64(0)),
                          variable(swo_bool(false)), arguments + 1};
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    swo_observer *window = swo_observer_new();
    swo_queue *queue;
    swo_executor on_main_loop;
    require(swo_queue_new(0, SWO_QUEUE_BLOCK, &queue));
    require(swo_queue_executor(queue, &on_main_loop));
    guint source = swo_glib_attach(queue, NULL);
    require(swo_observe_on(model.file, window, &on_main_loop, show_text, "file ", NULL, NULL));
    require(swo_observe_on(model.lines, window, &on_main_loop, show_number, "lines", NULL, NULL));
    require(swo_observe_on(model.words, window, &on_main_loop, show_number, "words", NULL, NULL));
    require(swo_observe_on(model.is_done, window, &on_main_loop, quit, loop, NULL, NULL));

    GThread *worker = g_thread_new("worker", tally_files, &model);
    g_main_loop_run(loop);
    g_thread_join(worker);

    swo_observer_release(window); /* ends all observations */
    g_source_remove(source);
    g_main_loop_unref(loop);
    swo_queue_release(queue);
    swo_observable *variables[] = {model.file, model.lines, model.words, model.is_done};
    for (int one = 0; one < 4; one++) swo_observable_release(variables[one]);
}

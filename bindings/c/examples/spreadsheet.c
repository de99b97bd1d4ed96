/* SPDX-License-Identifier: MIT */
/* A spreadsheet of 10,000 cells. What is typed into a cell is a variable, and what it shows is derived from that, and
 * from the cells that a formula names: computed when it is looked at, once, and not again until one of these has
 * changed. */
#include <stdio.h>
#include <stdlib.h>
#include <swiftobserver.h>

enum { COLUMNS = 25, ROWS = 400 };

static struct cell { swo_observable *entry, *shown; } cells[ROWS * COLUMNS];
static long computed;

/* Takes a name like "B12" off the front of a text. */
static struct cell *take_name(const char **text) {
    int column = **text - 'A';
    if (column < 0 || column >= COLUMNS) return NULL;
    long row = strtol(*text + 1, (char **)text, 10) - 1;
    return row < 0 || row >= ROWS ? NULL : &cells[row * COLUMNS + column];
}

static swo_status add(struct cell *cell, double *sum) {
    swo_value value;
    swo_status status = swo_variable_get(cell->shown, &value);
    if (status == SWO_OK) *sum += value.as.float64;
    return status;
}

/* An entry is "7", or a formula like "=A1+2" and "=A1:X1+A2", in which A1:X1 are all cells from A1 to X1. */
static swo_status add_up(const char *entry, double *sum) {
    if (*entry != '=') return *sum = strtod(entry, NULL), SWO_OK;
    do {
        entry++;
        if (*entry < 'A' || *entry > 'Z') {
            *sum += strtod(entry, (char **)&entry);
            continue;
        }
        struct cell *first = take_name(&entry), *last = first;
        if (*entry == ':') entry++, last = take_name(&entry);
        if (first == NULL || last == NULL) return SWO_NOT_FOUND;
        long width = (last - cells) % COLUMNS - (first - cells) % COLUMNS;
        for (struct cell *row = first; row + width <= last; row += COLUMNS) {
            for (struct cell *cell = row; cell <= row + width; cell++) {
                swo_status status = add(cell, sum);
                if (status != SWO_OK) return status;
            }
        }
    } while (*entry == '+');
    return SWO_OK;
}

static swo_status compute(void *context, swo_value *out) {
    struct cell *cell = context;
    swo_value entry;
    char text[40];
    double sum = 0;
    swo_status status = swo_variable_get(cell->entry, &entry);
    if (status != SWO_OK) return status;
    snprintf(text, sizeof text, "%.*s", (int)entry.as.bytes.size, (const char *)entry.as.bytes.data);
    swo_value_clear(&entry);
    computed++;
    status = add_up(text, &sum);
    if (status == SWO_OK) *out = swo_double(sum);
    return status;
}

static struct cell *cell_named(const char *name) { return take_name(&name); }

static void type(const char *name, const char *entry) {
    swo_value text = swo_text(entry);
    if (swo_variable_set(cell_named(name)->entry, &text, NULL) != SWO_OK) abort();
}

static void look_at(const char *name) {
    swo_value value;
    struct cell *cell = cell_named(name);
    if (swo_variable_get(cell->shown, &value) == SWO_OK) {
        printf("%s is %.0f", name, value.as.float64);
    } else if (swo_derived_failure(cell->shown, &value) == SWO_OK) {
        printf("%s needs itself: %.*s", name, (int)value.as.bytes.size, (const char *)value.as.bytes.data);
        swo_value_clear(&value);
    }
    printf(" (%ld computed)\n", computed);
    computed = 0;
}

static void show(void *name, const swo_value *update, const void *author) {
    (void)author;
    const swo_value *old, *new;
    if (swo_value_update(update, &old, &new) == SWO_OK)
        printf("%s: %.0f -> %.0f (%ld computed)\n", (char *)name, old->as.float64, new->as.float64, computed);
    computed = 0;
}

/* Each row counts up from its number, and ends with its sum; the last cell is the sum of these. */
static void make_cell(int row, int column) {
    struct cell *cell = &cells[row * COLUMNS + column];
    char name[8], entry[40];
    int number = row + 1;
    snprintf(name, sizeof name, "%c%d", 'A' + column, number);
    if (column == 0) {
        snprintf(entry, sizeof entry, "%d", number);
    } else if (column < COLUMNS - 1) {
        snprintf(entry, sizeof entry, "=%c%d+1", 'A' + column - 1, number);
    } else {
        snprintf(entry, sizeof entry, number < ROWS ? "=A%d:X%d" : "=Y1:Y%d", number < ROWS ? number : ROWS - 1,
                 number);
    }
    swo_value text = swo_text(entry);
    if (swo_variable_new(&text, &cell->entry) || swo_derived_new(compute, cell, NULL, &cell->shown) ||
        swo_observable_set_name(cell->shown, name))
        abort();
}

int main(void) {
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) make_cell(row, column);
    }
    look_at("Y400"); /* row 400 adds nothing, and is not computed */
    look_at("Y400");
    type("A1", "101");
    look_at("Y400"); /* the row of what has changed, and the total */
    type("B1", "=A1+1+0");
    look_at("Y400"); /* equal: what reads B1 is not computed */

    swo_observation observation;
    if (swo_observe(cell_named("Y400")->shown, NULL, show, "Y400", NULL, &observation)) abort();
    type("A2", "102"); /* what is observed says so, once */
    swo_transaction_begin();
    type("A1", "1");
    type("A2", "2");
    type("A3", "=A2+1");
    swo_transaction_commit(); /* three entries are one change */
    type("A400", "1000");     /* what is observed reads no row 400 */
    swo_stop(observation);

    type("A1", "=Y400");
    look_at("A1");
    type("A1", "1");
    look_at("Y400");

    for (int n = 0; n < ROWS * COLUMNS; n++) {
        swo_observable_release(cells[n].shown);
        swo_observable_release(cells[n].entry);
    }
}

/* SPDX-License-Identifier: MIT */
/* getopt_long() finds the options; the sentences about mistakes are our own, one line each. */
#include "options.h"
#include "graph.h"
#include "readings.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { BAD_USAGE = 2, LONGEST_INTERVAL = 2147483647 };

static void print_usage(void) {
    puts("usage: vitals [--interval MILLISECONDS] [--seconds SECONDS] [--proc DIR]\n"
         "       vitals --graph FILE\n"
         "\n"
         "Watches processor, memory, load and network, and prints what changes.\n"
         "\n"
         "  --interval MILLISECONDS  time from one reading to the next (250)\n"
         "  --seconds SECONDS        how long to watch (3)\n"
         "  --proc DIR               where to read (/proc); a folder with the folders\n"
         "                           1, 2, ... in it is a recording, replayed at once\n"
         "  --graph FILE             draw what observes what, and watch nothing: FILE ends in .svg,\n"
         "                           .png, .pdf or .dot, or is - for DOT on standard output\n"
         "  --help                   this text");
}

static void refuse(const char *complaint, const char *argument) {
    fprintf(stderr, "vitals: %s \"%s\"\n", complaint, argument);
    exit(BAD_USAGE);
}

static int interval_from(const char *argument) {
    const char *text = argument;
    uint64_t number;
    if (!take_number(&text, &number) || *text || number == 0 || number > LONGEST_INTERVAL)
        refuse("--interval wants a positive number of milliseconds, not", argument);
    return (int)number;
}

static double seconds_from(const char *argument) {
    const char *text = argument;
    double number;
    if (!take_decimal(&text, &number) || *text || number == 0)
        refuse("--seconds wants a positive number of seconds, not", argument);
    return number;
}

struct options options_from(int count, char *arguments[]) {
    static const struct option known[] = {
        {"interval", required_argument, NULL, 'i'}, {"seconds", required_argument, NULL, 's'},
        {"proc", required_argument, NULL, 'p'},     {"graph", required_argument, NULL, 'g'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
    };
    struct options result = {.interval = 250, .seconds = 3, .proc = "/proc"};
    opterr = 0;
    for (;;) {
        const char *argument = arguments[optind];
        switch (getopt_long(count, arguments, "+:", known, NULL)) {
        case 'i':
            result.interval = interval_from(optarg);
            break;
        case 's':
            result.seconds = seconds_from(optarg);
            break;
        case 'p':
            result.proc = optarg;
            break;
        case 'g':
            if (!can_draw(optarg))
                refuse("--graph wants - or a file that ends in .svg, .png, .pdf or .dot, not", optarg);
            result.graph = optarg;
            break;
        case 'h':
            print_usage();
            exit(EXIT_SUCCESS);
        case ':':
            refuse("a value is missing after", argument);
            break;
        case '?':
            refuse("unknown option", argument);
            break;
        default:
            if (optind < count) refuse("unexpected argument", arguments[optind]);
            return result;
        }
    }
}

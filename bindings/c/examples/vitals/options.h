/* SPDX-License-Identifier: MIT */
/** @file options.h
 *  What the command line asks for. */
#ifndef VITALS_OPTIONS_H
#define VITALS_OPTIONS_H

struct options {
    int interval;      /**< milliseconds from one reading to the next */
    double seconds;    /**< how long to watch */
    const char *proc;  /**< the folder to read, laid out like /proc, or a recording */
    const char *graph; /**< the file that gets a picture of what observes what, and then nothing is watched; or NULL */
};

/** Reads the command line. After `--help` or a mistake it prints what is to be said and ends the program. */
struct options options_from(int count, char *arguments[]);

#endif

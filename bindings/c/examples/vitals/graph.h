/* SPDX-License-Identifier: MIT */
/** @file graph.h
 *  A picture of what observes what, by Graphviz. */
#ifndef VITALS_GRAPH_H
#define VITALS_GRAPH_H

#include <swiftobserver.h>

/** Whether a picture can be drawn into a file of this name: "-" is standard output, which gets the text that `dot`
 *  draws, and so does a file that ends in .dot; .svg, .png and .pdf are drawn. */
bool can_draw(const char *path);

/** Draws all that is made from some observables. The file is written when the picture is complete: where that fails
 *  it stays as it was, and false and a line on standard error are the result. */
bool draw_graph(swo_observable *const observables[], size_t count, const char *path);

#endif

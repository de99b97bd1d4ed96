/* SPDX-License-Identifier: MIT */
/** @file changes.h
 *  Changes of the files in folders, as messages. */
#ifndef WATCH_CHANGES_H
#define WATCH_CHANGES_H

#include <limits.h>
#include <stdbool.h>
#include <swiftobserver/typed.h>

/** What happened to a file. It fits every name there can be. */
struct change {
    const char *folder; /**< as it was given to watch_folder() */
    const char *what;   /**< "created", "written", "deleted", "moved in" or "moved out": static text */
    char name[NAME_MAX + 1];
};

SWO_DEFINE_MESSENGER(changes, struct change)

/** The kernel's side of the changes. */
struct watch {
    int inotify; /**< readable when something has happened */
    const char *folders[64];
};

bool watch_begin(struct watch *watch);

/** False, and errno, if the folder cannot be watched. The name is not copied. */
bool watch_folder(struct watch *watch, const char *folder);

/** Sends everything that has happened so far. */
void watch_send(struct watch *watch, changes *messenger);

#endif

/* SPDX-License-Identifier: MIT */
/* Inotify's events become messages: see changes.h. */
#define _POSIX_C_SOURCE 200809L
#include "changes.h"

#include <errno.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

static const struct {
    uint32_t event;
    const char *what;
} kinds[] = {
    {IN_CREATE, "created"},    {IN_CLOSE_WRITE, "written"},  {IN_DELETE, "deleted"},
    {IN_MOVED_TO, "moved in"}, {IN_MOVED_FROM, "moved out"},
};

bool watch_begin(struct watch *watch) {
    memset(watch, 0, sizeof *watch);
    watch->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return watch->inotify >= 0;
}

bool watch_folder(struct watch *watch, const char *folder) {
    uint32_t events = IN_ONLYDIR;
    for (size_t one = 0; one < sizeof kinds / sizeof *kinds; one++) events |= kinds[one].event;
    int number = inotify_add_watch(watch->inotify, folder, events);
    if (number < 0) return false;
    if ((size_t)number >= sizeof watch->folders / sizeof *watch->folders) {
        errno = ENOSPC;
        return false;
    }
    watch->folders[number] = folder;
    return true;
}

static void send_event(struct watch *watch, changes *messenger, const struct inotify_event *event) {
    for (size_t one = 0; one < sizeof kinds / sizeof *kinds; one++) {
        if (!(event->mask & kinds[one].event) || event->len == 0) continue;
        struct change change = {.folder = watch->folders[event->wd], .what = kinds[one].what};
        snprintf(change.name, sizeof change.name, "%s", event->name);
        changes_send(messenger, &change, watch);
    }
}

void watch_send(struct watch *watch, changes *messenger) {
    _Alignas(struct inotify_event) char buffer[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
    ssize_t size;
    while ((size = read(watch->inotify, buffer, sizeof buffer)) > 0) {
        for (char *next = buffer; next < buffer + size;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)next;
            send_event(watch, messenger, event);
            next += sizeof *event + event->len;
        }
    }
}

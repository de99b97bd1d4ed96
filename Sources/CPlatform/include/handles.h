/* SPDX-License-Identifier: MIT */
/* What the debugging library knows of the handles that C programs have: see handles.c. */
#ifndef CPLATFORM_HANDLES_H
#define CPLATFORM_HANDLES_H

extern platform_lock platform_handle_lock;

enum { PLATFORM_OBSERVABLE, PLATFORM_OBSERVER, PLATFORM_QUEUE };

/* A handle exists, without an owner. `what` stays valid: "messenger", "map", ... */
void platform_handle_made(const void *handle, int32_t kind, const char *what);
/* Its object has died; its memory has not been freed yet. Takes the name over, which may be NULL. */
void platform_handle_died(const void *handle, char *name);

/* A function of the library is called with it: where it is none, or no more, the process ends with a sentence. */
void platform_handle_use(const void *handle, int32_t kind, const char *function);
void platform_handle_retain(const void *handle, int32_t kind, const char *function);
void platform_handle_release(const void *handle, int32_t kind, const char *function);
/* The same for what may be called with an observable that was released and still delivers. */
void platform_handle_use_delivering(const void *handle, const char *function);

/* Frees memory a good while later, so that no new object has the address of a handle that died recently. */
void platform_free_later(void *memory);

#endif

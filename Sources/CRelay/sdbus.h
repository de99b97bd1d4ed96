/* SPDX-License-Identifier: MIT */
/* The functions of sd-bus that are used, which libsystemd has. It is loaded when the first relay connects to a bus, so
 * that neither building nor running anything else takes it. */
#ifndef CRELAY_SDBUS_H
#define CRELAY_SDBUS_H

#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct sd_bus_message sd_bus_message;

/* As libsystemd.so.0 has it. */
typedef struct sd_bus_error {
    const char *name;
    const char *message;
    int need_free;
} sd_bus_error;

typedef int sd_bus_handler(sd_bus_message *message, void *context, sd_bus_error *error);

/* clang-format off */
#define SDBUS_FUNCTIONS(each)                                                                          \
    each(int, new, (sd_bus **bus))                                                                     \
    each(int, open_user, (sd_bus **bus))                                                               \
    each(int, open_system, (sd_bus **bus))                                                             \
    each(int, set_address, (sd_bus *, const char *address))                                            \
    each(int, set_bus_client, (sd_bus *, int yes))                                                     \
    each(int, start, (sd_bus *))                                                                       \
    each(void, close, (sd_bus *))                                                                      \
    each(sd_bus *, unref, (sd_bus *))                                                                  \
    each(int, is_open, (sd_bus *))                                                                     \
    each(int, is_ready, (sd_bus *))                                                                    \
    each(int, get_fd, (sd_bus *))                                                                      \
    each(int, get_events, (sd_bus *))                                                                  \
    each(int, get_n_queued_write, (sd_bus *, uint64_t *count))                                         \
    each(int, process, (sd_bus *, sd_bus_message **message))                                           \
    each(int, send, (sd_bus *, sd_bus_message *, uint64_t *cookie))                                    \
    each(int, add_filter, (sd_bus *, sd_bus_slot **slot, sd_bus_handler *, void *context))             \
    each(int, message_new_signal,                                                                      \
         (sd_bus *, sd_bus_message **, const char *path, const char *interface, const char *member))   \
    each(int, message_new_method_call,                                                                 \
         (sd_bus *, sd_bus_message **, const char *destination, const char *path,                      \
          const char *interface, const char *member))                                                  \
    each(int, message_new_method_return, (sd_bus_message *call, sd_bus_message **))                    \
    each(int, message_new_method_error, (sd_bus_message *call, sd_bus_message **, const sd_bus_error *)) \
    each(sd_bus_message *, message_ref, (sd_bus_message *))                                            \
    each(sd_bus_message *, message_unref, (sd_bus_message *))                                          \
    each(int, message_set_auto_start, (sd_bus_message *, int yes))                                     \
    each(int, message_get_type, (sd_bus_message *, uint8_t *type))                                     \
    each(int, message_get_reply_cookie, (sd_bus_message *, uint64_t *cookie))                          \
    each(int, message_get_expect_reply, (sd_bus_message *))                                            \
    each(const char *, message_get_path, (sd_bus_message *))                                           \
    each(const char *, message_get_interface, (sd_bus_message *))                                      \
    each(const char *, message_get_member, (sd_bus_message *))                                         \
    each(const char *, message_get_sender, (sd_bus_message *))                                         \
    each(const sd_bus_error *, message_get_error, (sd_bus_message *))                                  \
    each(int, message_append_basic, (sd_bus_message *, char type, const void *value))                  \
    each(int, message_open_container, (sd_bus_message *, char type, const char *contents))             \
    each(int, message_close_container, (sd_bus_message *))                                             \
    each(int, message_enter_container, (sd_bus_message *, char type, const char *contents))            \
    each(int, message_exit_container, (sd_bus_message *))                                              \
    each(int, message_peek_type, (sd_bus_message *, char *type, const char **contents))                \
    each(int, message_read_basic, (sd_bus_message *, char type, void *value))                          \
    each(int, message_skip, (sd_bus_message *, const char *types))
/* clang-format on */

#define DECLARE(result, name, parameters) result(*name) parameters;
struct sdbus_functions {
    SDBUS_FUNCTIONS(DECLARE)
};
#undef DECLARE

/* Loads the library at the first call. NULL: it cannot be loaded, and `problem` is why. */
const struct sdbus_functions *load_sdbus(const char **problem);

#endif

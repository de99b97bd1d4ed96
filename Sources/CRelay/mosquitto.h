/* SPDX-License-Identifier: MIT */
/* The functions of libmosquitto that are used. The library is loaded when the first relay connects to a broker, so that
 * neither building nor running anything else takes it. */
#ifndef CRELAY_MOSQUITTO_H
#define CRELAY_MOSQUITTO_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mosquitto mosquitto;
typedef struct mqtt5__property property;

/* As libmosquitto.so.1 has it. */
typedef struct message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
} message;

enum { ERR_SUCCESS = 0, ERR_CONN_LOST = 7, ERR_ERRNO = 14 };
enum { ERR_INVAL = 3, ERR_PAYLOAD_SIZE = 9, ERR_BAD_TEXT = 18, ERR_KEEPALIVE = 19, ERR_OVERSIZE_PACKET = 25 };
enum { OPT_PROTOCOL_VERSION = 1, PROTOCOL_V5 = 5 };
enum { SUBSCRIPTION_IDENTIFIER = 11, USER_PROPERTY = 38, MAXIMUM_PACKET_SIZE = 39 };
enum { NO_LOCAL = 0x04, SEND_RETAIN_NEVER = 0x20 };
enum { REFUSED = 0x80, NO_ONE_SUBSCRIBES = 0x10 };

typedef void connect_callback(mosquitto *, void *, int, int, const property *);
typedef void disconnect_callback(mosquitto *, void *, int, const property *);
typedef void publish_callback(mosquitto *, void *, int, int, const property *);
typedef void message_callback(mosquitto *, void *, const message *, const property *);
typedef void subscribe_callback(mosquitto *, void *, int, int, const int *, const property *);

/* clang-format off */
#define MOSQUITTO_FUNCTIONS(each)                                                                      \
    each(int, lib_init, (void))                                                                        \
    each(mosquitto *, new, (const char *id, bool clean, void *context))                                \
    each(void, destroy, (mosquitto *))                                                                 \
    each(int, username_pw_set, (mosquitto *, const char *user, const char *password))                  \
    each(int, will_set_v5,                                                                             \
         (mosquitto *, const char *topic, int size, const void *payload, int qos, bool retain, property *)) \
    each(int, int_option, (mosquitto *, int option, int value))                                        \
    each(int, connect_bind_v5,                                                                         \
         (mosquitto *, const char *host, int port, int keep_alive, const char *bind, const property *)) \
    each(int, disconnect_v5, (mosquitto *, int reason, const property *))                              \
    each(int, publish_v5,                                                                              \
         (mosquitto *, int *id, const char *topic, int size, const void *payload, int qos, bool retain, \
          const property *))                                                                           \
    each(int, subscribe_multiple,                                                                      \
         (mosquitto *, int *id, int count, char *const *topics, int qos, int options, const property *)) \
    each(int, unsubscribe, (mosquitto *, int *id, const char *topic))                                  \
    each(int, socket, (mosquitto *))                                                                   \
    each(bool, want_write, (mosquitto *))                                                              \
    each(int, loop_read, (mosquitto *, int most))                                                      \
    each(int, loop_write, (mosquitto *, int most))                                                     \
    each(int, loop_misc, (mosquitto *))                                                                \
    each(void, connect_v5_callback_set, (mosquitto *, connect_callback *))                             \
    each(void, disconnect_v5_callback_set, (mosquitto *, disconnect_callback *))                       \
    each(void, publish_v5_callback_set, (mosquitto *, publish_callback *))                             \
    each(void, message_v5_callback_set, (mosquitto *, message_callback *))                             \
    each(void, subscribe_v5_callback_set, (mosquitto *, subscribe_callback *))                         \
    each(const char *, strerror, (int error))                                                          \
    each(const char *, reason_string, (int reason))                                                    \
    each(int, property_add_string_pair, (property **, int kind, const char *name, const char *value))  \
    each(int, property_add_varint, (property **, int kind, uint32_t value))                            \
    each(int, property_add_int32, (property **, int kind, uint32_t value))                             \
    each(const property *, property_read_string_pair,                                                  \
         (const property *, int kind, char **name, char **value, bool))                                \
    each(const property *, property_read_varint, (const property *, int kind, uint32_t *value, bool))  \
    each(const property *, property_read_int32, (const property *, int kind, uint32_t *value, bool))   \
    each(void, property_free_all, (property **))
/* clang-format on */

#define DECLARE(result, name, parameters) result(*name) parameters;
struct mosquitto_functions {
    MOSQUITTO_FUNCTIONS(DECLARE)
};
#undef DECLARE

/* Loads the library at the first call. NULL: it cannot be loaded, and `problem` is why. */
const struct mosquitto_functions *load_mosquitto(const char **problem);

#endif

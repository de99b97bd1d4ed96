/* SPDX-License-Identifier: MIT */
/* Bytes to and from a server over TCP, encrypted where that is wanted. Nothing waits but connecting. */
#ifndef CRELAY_STREAM_H
#define CRELAY_STREAM_H

#include "CRelay.h"
#include <sys/types.h>

typedef struct stream stream;

/* NULL: it cannot be, and `problem` is why, but for the place. */
stream *stream_connect(const relay_mqtt_settings *settings, char *problem, size_t size);
void stream_free(stream *stream);

int stream_socket(stream *stream);
bool stream_is_encrypted(stream *stream);
/* As read() and write(): how many bytes, 0 if the other side has ended, -1 with EAGAIN if nothing can be done now, or
 * with what stream_problem() says. */
ssize_t stream_read(stream *stream, void *bytes, size_t count);
ssize_t stream_write(stream *stream, const void *bytes, size_t count);
/* Whether something waits until the socket can be written to. */
bool stream_is_blocked(stream *stream);
/* Why the last of these failed. */
const char *stream_problem(stream *stream);
/* Closes a connection when the other side has closed it, too, or after so many milliseconds. */
void stream_end(stream *stream, int patience);

#endif

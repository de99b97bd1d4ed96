/* SPDX-License-Identifier: MIT */
/* Encrypts a connection with the OpenSSL that libmosquitto comes with. It touches no socket, so no signal is raised and
 * nothing waits. */
#ifndef CRELAY_TLS_H
#define CRELAY_TLS_H

#include <stddef.h>
#include <sys/types.h>

typedef struct tls tls;

/* Texts may be NULL but for `host`, which the certificate of the other side has to name. NULL: it cannot be, and
 * `problem` is why: it names the file that is wrong. */
tls *tls_new(const char *host, const char *ca_file, const char *certificate_file, const char *key_file, char *problem,
             size_t size);
void tls_free(tls *tls);

/* What came from the other side, and what is to go there; 0: nothing. */
void tls_put(tls *tls, const void *bytes, size_t count);
size_t tls_take(tls *tls, void *bytes, size_t count);

/* As read() and write() do: how many bytes, 0 if the other side has ended, or -1 with EAGAIN if more has to come first,
 * or EPROTO for what tls_problem() says. */
ssize_t tls_read(tls *tls, void *bytes, size_t count);
ssize_t tls_write(tls *tls, const void *bytes, size_t count);
void tls_end(tls *tls); /* says goodbye */
const char *tls_problem(tls *tls);

#endif

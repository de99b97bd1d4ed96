/* SPDX-License-Identifier: MIT */
/* TLS between two memory buffers of OpenSSL. */
#include "tls.h"
#include "openssl.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tls {
    const struct openssl_functions *library;
    SSL_CTX *context;
    SSL *ssl;
    BIO *in, *out; /* the connection's own */
    char problem[192];
};

/* Keys have no password here; without this, one would be asked for on the terminal. */
static int no_password(char *buffer, int size, int flag, void *user) {
    (void)buffer, (void)size, (void)flag, (void)user;
    return 0;
}

/* What OpenSSL has said on this thread. */
static void note(tls *tls) {
    const struct openssl_functions *library = tls->library;
    unsigned long error = library->ERR_get_error();
    const char *reason = error != 0 ? library->ERR_reason_error_string(error) : NULL;
    long verified = tls->ssl != NULL ? library->SSL_get_verify_result(tls->ssl) : X509_V_OK;
    if (verified != X509_V_OK)
        snprintf(tls->problem, sizeof tls->problem, "its certificate is not trusted: %s",
                 library->X509_verify_cert_error_string(verified));
    else
        snprintf(tls->problem, sizeof tls->problem, "TLS: %s", reason != NULL ? reason : "it was broken off");
    library->ERR_clear_error();
}

/* Whether a file was taken; else `problem` names it, and what is wrong with it. */
static bool takes(tls *tls, int taken, const char *what, const char *file, char *problem, size_t size) {
    if (taken == 1) return true;
    FILE *opened = fopen(file, "re");
    int error = errno;
    if (opened != NULL) fclose(opened);
    note(tls);
    if (opened == NULL)
        snprintf(problem, size, "%s %s: %s", what, file, strerror(error));
    else
        snprintf(problem, size, "%s %s holds none that OpenSSL takes, in PEM and without a password (%s)", what, file,
                 tls->problem);
    return false;
}

static bool set_up(tls *tls, const char *ca_file, const char *certificate_file, const char *key_file, char *problem,
                   size_t size) {
    const struct openssl_functions *library = tls->library;
    SSL_CTX *context = tls->context;
    library->SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2, NULL);
    library->SSL_CTX_ctrl(context, SSL_CTRL_MODE, SSL_MODE_PARTIAL_AND_MOVING, NULL);
    library->SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    library->SSL_CTX_set_default_passwd_cb(context, no_password);
    library->ERR_clear_error();
    if (ca_file == NULL)
        library->SSL_CTX_set_default_verify_paths(context);
    else if (!takes(tls, library->SSL_CTX_load_verify_locations(context, ca_file, NULL), "ca_file", ca_file, problem,
                    size))
        return false;
    if (certificate_file != NULL && !takes(tls, library->SSL_CTX_use_certificate_chain_file(context, certificate_file),
                                           "certificate_file", certificate_file, problem, size))
        return false;
    if (key_file == NULL) return true;
    if (!takes(tls, library->SSL_CTX_use_PrivateKey_file(context, key_file, SSL_FILETYPE_PEM), "key_file", key_file,
               problem, size))
        return false;
    if (certificate_file == NULL || library->SSL_CTX_check_private_key(context) == 1) return true;
    snprintf(problem, size, "key_file %s is not the key of certificate_file %s", key_file, certificate_file);
    return false;
}

static bool begin(tls *tls, const char *host) {
    const struct openssl_functions *library = tls->library;
    tls->ssl = library->SSL_new(tls->context);
    tls->in = library->BIO_new(library->BIO_s_mem());
    tls->out = library->BIO_new(library->BIO_s_mem());
    if (tls->ssl == NULL || tls->in == NULL || tls->out == NULL) {
        if (tls->in != NULL) library->BIO_free(tls->in);
        if (tls->out != NULL) library->BIO_free(tls->out);
        return false;
    }
    library->SSL_set_bio(tls->ssl, tls->in, tls->out);
    library->SSL_set_connect_state(tls->ssl);
    /* An address is no name, which is what may be asked for. */
    if (library->X509_VERIFY_PARAM_set1_ip_asc(library->SSL_get0_param(tls->ssl), host) == 1) return true;
    return library->SSL_ctrl(tls->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, 0, (void *)host) == 1 &&
           library->SSL_set1_host(tls->ssl, host) == 1;
}

tls *tls_new(const char *host, const char *ca_file, const char *certificate_file, const char *key_file, char *problem,
             size_t size) {
    const char *failure;
    const struct openssl_functions *library = load_openssl(&failure);
    if (library == NULL) {
        snprintf(problem, size, "%s", failure);
        return NULL;
    }
    snprintf(problem, size, "there is no memory for a connection");
    tls *tls = calloc(1, sizeof *tls);
    if (tls == NULL) return NULL;
    tls->library = library;
    tls->context = library->SSL_CTX_new(library->TLS_client_method());
    if (tls->context != NULL && set_up(tls, ca_file, certificate_file, key_file, problem, size) && begin(tls, host))
        return tls;
    tls_free(tls);
    return NULL;
}

void tls_free(tls *tls) {
    if (tls->ssl != NULL) tls->library->SSL_free(tls->ssl);
    if (tls->context != NULL) tls->library->SSL_CTX_free(tls->context);
    /* What is said on this thread is of this connection alone. */
    tls->library->ERR_clear_error();
    free(tls);
}

void tls_put(tls *tls, const void *bytes, size_t count) { tls->library->BIO_write(tls->in, bytes, (int)count); }

size_t tls_take(tls *tls, void *bytes, size_t count) {
    int taken = tls->library->BIO_read(tls->out, bytes, (int)count);
    return taken > 0 ? (size_t)taken : 0;
}

static ssize_t result_of(tls *tls, int result) {
    if (result > 0) return result;
    int error = tls->library->SSL_get_error(tls->ssl, result);
    if (error == SSL_ERROR_ZERO_RETURN) return 0;
    errno = EAGAIN;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return -1;
    note(tls);
    errno = EPROTO;
    return -1;
}

ssize_t tls_read(tls *tls, void *bytes, size_t count) {
    tls->library->ERR_clear_error();
    return result_of(tls, tls->library->SSL_read(tls->ssl, bytes, (int)count));
}

ssize_t tls_write(tls *tls, const void *bytes, size_t count) {
    tls->library->ERR_clear_error();
    return result_of(tls, tls->library->SSL_write(tls->ssl, bytes, (int)count));
}

void tls_end(tls *tls) {
    tls->library->ERR_clear_error();
    tls->library->SSL_shutdown(tls->ssl);
    tls->library->ERR_clear_error();
}

const char *tls_problem(tls *tls) { return tls->problem; }

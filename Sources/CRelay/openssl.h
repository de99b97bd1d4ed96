/* SPDX-License-Identifier: MIT */
/* The functions of OpenSSL that are used, of version 1.1 or 3. They are found where libmosquitto finds them. */
#ifndef CRELAY_OPENSSL_H
#define CRELAY_OPENSSL_H

typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_st SSL;
typedef struct ssl_method_st SSL_METHOD;
typedef struct bio_st BIO;
typedef struct bio_method_st BIO_METHOD;
typedef struct X509_VERIFY_PARAM_st X509_VERIFY_PARAM;

enum { SSL_FILETYPE_PEM = 1, SSL_VERIFY_PEER = 1, SSL_MODE_PARTIAL_AND_MOVING = 3 };
enum { SSL_CTRL_MODE = 33, SSL_CTRL_SET_TLSEXT_HOSTNAME = 55, SSL_CTRL_SET_MIN_PROTO_VERSION = 123, TLS1_2 = 0x0303 };
enum { SSL_ERROR_WANT_READ = 2, SSL_ERROR_WANT_WRITE = 3, SSL_ERROR_ZERO_RETURN = 6 };
enum { X509_V_OK = 0 };

/* clang-format off */
#define OPENSSL_FUNCTIONS(each)                                                                        \
    each(const SSL_METHOD *, TLS_client_method, (void))                                                \
    each(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *))                                                 \
    each(void, SSL_CTX_free, (SSL_CTX *))                                                              \
    each(long, SSL_CTX_ctrl, (SSL_CTX *, int what, long number, void *pointer))                        \
    each(void, SSL_CTX_set_verify, (SSL_CTX *, int mode, void *callback))                              \
    each(int, SSL_CTX_set_default_verify_paths, (SSL_CTX *))                                           \
    each(int, SSL_CTX_load_verify_locations, (SSL_CTX *, const char *file, const char *folder))        \
    each(void, SSL_CTX_set_default_passwd_cb, (SSL_CTX *, int (*)(char *, int, int, void *)))          \
    each(int, SSL_CTX_use_certificate_chain_file, (SSL_CTX *, const char *file))                       \
    each(int, SSL_CTX_use_PrivateKey_file, (SSL_CTX *, const char *file, int type))                    \
    each(int, SSL_CTX_check_private_key, (const SSL_CTX *))                                            \
    each(SSL *, SSL_new, (SSL_CTX *))                                                                  \
    each(void, SSL_free, (SSL *))                                                                      \
    each(long, SSL_ctrl, (SSL *, int what, long number, void *pointer))                                \
    each(X509_VERIFY_PARAM *, SSL_get0_param, (SSL *))                                                 \
    each(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM *, const char *address))               \
    each(int, SSL_set1_host, (SSL *, const char *name))                                                \
    each(void, SSL_set_bio, (SSL *, BIO *in, BIO *out))                                                \
    each(void, SSL_set_connect_state, (SSL *))                                                         \
    each(int, SSL_read, (SSL *, void *bytes, int count))                                               \
    each(int, SSL_write, (SSL *, const void *bytes, int count))                                        \
    each(int, SSL_shutdown, (SSL *))                                                                   \
    each(int, SSL_get_error, (const SSL *, int result))                                                \
    each(long, SSL_get_verify_result, (const SSL *))                                                   \
    each(const char *, X509_verify_cert_error_string, (long error))                                    \
    each(const BIO_METHOD *, BIO_s_mem, (void))                                                        \
    each(BIO *, BIO_new, (const BIO_METHOD *))                                                         \
    each(int, BIO_free, (BIO *))                                                                       \
    each(int, BIO_read, (BIO *, void *bytes, int count))                                               \
    each(int, BIO_write, (BIO *, const void *bytes, int count))                                        \
    each(unsigned long, ERR_get_error, (void))                                                         \
    each(void, ERR_clear_error, (void))                                                                \
    each(const char *, ERR_reason_error_string, (unsigned long error))
/* clang-format on */

#define DECLARE(result, name, parameters) result(*name) parameters;
struct openssl_functions {
    OPENSSL_FUNCTIONS(DECLARE)
};
#undef DECLARE

/* After libmosquitto has been loaded. NULL: it has no OpenSSL, and `problem` is that. */
const struct openssl_functions *load_openssl(const char **problem);

#endif

/* SPDX-License-Identifier: MIT */
/* Loads what speaks with brokers, when a relay first connects to one of the kind. */
#include "mosquitto.h"
#include "openssl.h"
#include "sdbus.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct loading {
    const char *library, *version, *missing;
    bool failed;
    char problem[160];
};

static void *open_library(struct loading *loading) {
    /* Never unloaded: OpenSSL cannot be. */
    void *library = dlopen(loading->library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    loading->failed = library == NULL;
    if (loading->failed) snprintf(loading->problem, sizeof loading->problem, "%s", loading->missing);
    return library;
}

static void find(struct loading *loading, void *library, const char *name, void *function, size_t size) {
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
    if (found != NULL || loading->failed) return;
    loading->failed = true;
    snprintf(loading->problem, sizeof loading->problem, "this %s has no %s(): version %s or later is needed",
             loading->library, name, loading->version);
}

/* ---- libmosquitto ---- */

static struct loading mosquitto_loading = {
    .library = "libmosquitto.so.1",
    .version = "2",
    .missing = "libmosquitto.so.1 cannot be loaded, which speaks MQTT: apt-get install libmosquitto1"};
static struct mosquitto_functions mosquitto_;

static void *mosquitto_library;

static void begin_mosquitto(void) {
    void *library = mosquitto_library = open_library(&mosquitto_loading);
    if (library == NULL) return;
#define FIND(result, name, parameters)                                                                                 \
    find(&mosquitto_loading, library, "mosquitto_" #name, &mosquitto_.name, sizeof mosquitto_.name);
    MOSQUITTO_FUNCTIONS(FIND)
#undef FIND
    if (mosquitto_loading.failed || mosquitto_.lib_init() == ERR_SUCCESS) return;
    mosquitto_loading.failed = true;
    strcpy(mosquitto_loading.problem, "libmosquitto could not begin");
}

const struct mosquitto_functions *load_mosquitto(const char **problem) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin_mosquitto);
    *problem = mosquitto_loading.problem;
    return mosquitto_loading.failed ? NULL : &mosquitto_;
}

/* ---- OpenSSL ---- */

static struct loading openssl_loading = {.library = "libmosquitto", .version = "2 with OpenSSL 1.1"};
static struct openssl_functions openssl;

/* What libmosquitto was linked with. */
static void begin_openssl(void) {
#define FIND(result, name, parameters)                                                                                 \
    find(&openssl_loading, mosquitto_library, #name, &openssl.name, sizeof openssl.name);
    OPENSSL_FUNCTIONS(FIND)
#undef FIND
}

const struct openssl_functions *load_openssl(const char **problem) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin_openssl);
    *problem = openssl_loading.problem;
    return openssl_loading.failed ? NULL : &openssl;
}

/* ---- sd-bus ---- */

static struct loading sdbus_loading = {
    .library = "libsystemd.so.0",
    .version = "238",
    .missing = "libsystemd.so.0 cannot be loaded, which speaks D-Bus: apt-get install libsystemd0"};
static struct sdbus_functions sdbus;

static void begin_sdbus(void) {
    void *library = open_library(&sdbus_loading);
    if (library == NULL) return;
#define FIND(result, name, parameters) find(&sdbus_loading, library, "sd_bus_" #name, &sdbus.name, sizeof sdbus.name);
    SDBUS_FUNCTIONS(FIND)
#undef FIND
}

const struct sdbus_functions *load_sdbus(const char **problem) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin_sdbus);
    *problem = sdbus_loading.problem;
    return sdbus_loading.failed ? NULL : &sdbus;
}

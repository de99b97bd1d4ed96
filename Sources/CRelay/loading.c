/* SPDX-License-Identifier: MIT */
/* Loads libmosquitto. */
#include "mosquitto.h"
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static struct mosquitto_functions functions;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find(void *library, const char *name, void *function, size_t size) {
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
    return found != NULL;
}

static void load(void) {
    /* Never unloaded: OpenSSL cannot be. */
    void *library = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL) {
        failure = "libmosquitto.so.1 cannot be loaded, which speaks MQTT: apt-get install libmosquitto1";
        return;
    }
#define FIND(result, name, parameters)                                                                                 \
    if (!find(library, "mosquitto_" #name, &functions.name, sizeof functions.name))                                    \
        failure = "this libmosquitto.so.1 has no mosquitto_" #name "(): version 2 or later is needed";
    MOSQUITTO_FUNCTIONS(FIND)
#undef FIND
    if (failure == NULL && functions.lib_init() != ERR_SUCCESS) failure = "libmosquitto could not begin";
}

const struct mosquitto_functions *load_mosquitto(const char **problem) {
    pthread_once(&once, load);
    *problem = failure;
    return failure == NULL ? &functions : NULL;
}

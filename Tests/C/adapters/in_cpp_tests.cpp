// SPDX-License-Identifier: MIT
// The typed layer and scope-bound release, from C++.
#include <cstdio>
#include <cstdlib>
#include <swiftobserver/scoped.h>
#include <swiftobserver/typed.h>

struct reading {
    double celsius;
};
SWO_DEFINE_MESSENGER(readings, struct reading)

static void must(bool condition, const char *sentence) {
    if (condition) return;
    std::fprintf(stderr, "violated: %s\n", sentence);
    std::abort();
}

static void add_kind(void *sum, const swo_value *message, const void *) {
    *static_cast<int *>(sum) = *static_cast<int *>(sum) * 10 + message->kind;
}

static void keep(void *latest, const reading *message, const void *) { *static_cast<reading *>(latest) = *message; }

int main() {
    int kinds = 0;
    SWO_SCOPED(swo_observable) messenger = swo_messenger_new();
    {
        SWO_SCOPED(swo_observation) id = 0;
        must(swo_observe(messenger, nullptr, add_kind, &kinds, nullptr, &id) == SWO_OK, "a messenger is observed");
        SWO_SEND_VALUE(messenger, true);
        SWO_SEND_VALUE(messenger, 1);
        SWO_SEND_VALUE(messenger, 1.5F);
        SWO_SEND_VALUE_BY(messenger, "text", &kinds);
        SWO_SEND_VALUE(messenger, swo_bytes("bytes", 5));
    }
    SWO_SEND_VALUE(messenger, 1);
    must(kinds == 12345, "values have the kind of their type, and an observation ends with its block");

    SWO_SCOPED(swo_observable) variable = nullptr;
    int64_t number = 0;
    double degrees = 0;
    must(swo_variable_new(nullptr, &variable) == SWO_OK && SWO_SET_VALUE(variable, 5L) == SWO_OK, "a variable is set");
    must(SWO_GET_VALUE(variable, &number) == SWO_OK && number == 5, "a variable is read");
    must(SWO_GET_VALUE(variable, &degrees) == SWO_WRONG_KIND, "gets take no other kind");

    reading latest = {0};
    readings *all = readings_new();
    const reading sent = {21.5};
    must(readings_observe(all, nullptr, keep, &latest, nullptr, nullptr) == SWO_OK, "a typed messenger is observed");
    must(readings_send(all, &sent, nullptr) == SWO_OK && latest.celsius == 21.5, "a typed messenger carries structs");
    readings_release(all);
    std::puts("the typed layer and scope-bound release work from C++");
}

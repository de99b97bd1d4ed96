// SPDX-License-Identifier: MIT
// What a variable costs, beside a send to one handler, and beside what Qt and GObject have for it, where they are
// found.
#include "../c/measure.h"
#include <swiftobserver.h>
#if __has_include(<QtCore/QProperty>)
#define QT_NO_KEYWORDS
#include <QtCore/QProperty>
#define WITH_QT
#endif

static std::int64_t sum;
static void add_message(void *, const swo_value *message, const void *) { sum += message->as.int64; }
static void add_change(void *, const swo_value *message, const void *) {
    sum += message->as.update->new_value.as.int64;
}

static void send(void *messenger, long count) {
    for (long one = 1; one <= count; one++) {
        swo_value message = swo_int64(one);
        swo_send(static_cast<swo_observable *>(messenger), &message, nullptr);
    }
}

static swo_observable *new_variable(bool is_observed) {
    swo_value zero = swo_int64(0);
    swo_observable *variable;
    if (swo_variable_new(&zero, &variable) != SWO_OK) abort();
    if (is_observed && swo_observe(variable, nullptr, add_change, nullptr, nullptr, nullptr) != SWO_OK) abort();
    return variable;
}

static void set(void *variable, long count) {
    for (long one = 1; one <= count; one++) {
        swo_value value = swo_int64(one);
        swo_variable_set(static_cast<swo_observable *>(variable), &value, nullptr);
    }
}
static void set_to_the_same(void *variable, long count) {
    swo_value value = swo_int64(-1);
    for (long one = 1; one <= count; one++) swo_variable_set(static_cast<swo_observable *>(variable), &value, nullptr);
}
static void get(void *variable, long count) {
    swo_value value;
    for (long one = 0; one < count; one++) {
        if (swo_variable_get(static_cast<swo_observable *>(variable), &value) != SWO_OK) abort();
        sum += value.as.int64;
    }
}

#ifdef WITH_QT
struct qt_variable {
    QProperty<std::int64_t> property{0};
    QPropertyNotifier notifier;
};
static void qt_set(void *variable, long count) {
    for (long one = 1; one <= count; one++) static_cast<qt_variable *>(variable)->property = one;
}
static void qt_set_to_the_same(void *variable, long count) {
    for (long one = 1; one <= count; one++) static_cast<qt_variable *>(variable)->property = -1;
}
static void qt_get(void *variable, long count) {
    for (long one = 0; one < count; one++) sum += static_cast<qt_variable *>(variable)->property.value();
}
#endif

int main() {
    park_a_thread();
    swo_observable *messenger = swo_messenger_new();
    if (swo_observe(messenger, nullptr, add_message, nullptr, nullptr, nullptr) != SWO_OK) abort();
    swo_observable *alone = new_variable(false), *observed = new_variable(true);
    subject run[MOST_SUBJECTS] = {send, set, set, set_to_the_same, get};
    void *contexts[MOST_SUBJECTS] = {messenger, alone, observed, observed, observed};
    static const char *const measured[] = {"C, set a variable without observers", "C, set a variable with one observer",
                                           "C, set a variable to what it is", "C, get a variable"};
    int subjects = 5;
#ifdef WITH_QT
    static qt_variable qt_alone, qt_observed;
    qt_observed.notifier = qt_observed.property.addNotifier([] { sum += qt_observed.property.value(); });
    for (subject one : {qt_set, qt_set, qt_set_to_the_same, qt_get}) {
        run[subjects] = one;
        contexts[subjects] = subjects == 5 ? &qt_alone : &qt_observed;
        subjects++;
    }
#endif
    double result[MOST_SUBJECTS];
    measure(subjects, run, contexts, result);
    for (int one = 0; one < 4; one++) {
        report(measured[one], "swiftobserver", 1, result[1 + one], "ns");
        report(measured[one], "a send to one observer", 1, result[0], "ns");
        if (subjects > 5) report(measured[one], "QProperty (not thread-safe)", 1, result[5 + one], "ns");
    }
    swo_observable_release(messenger);
    swo_observable_release(alone);
    swo_observable_release(observed);
}

// SPDX-License-Identifier: MIT
// An exception that would leave a callback of C ends the process with a sentence.
#include "support.hpp"
#include <stdexcept>
#include <swiftobserver.h>

// 32-bit ARM unwinds by tables of another kind, which the library has not: there, C++ says so.
#ifdef __arm__
static const char *const sentence = "terminate called after throwing an instance of 'std::runtime_error'";
#else
static const char *const sentence = "SwiftObserver: an exception left a handler or another callback";
#endif

[[noreturn]] static void throw_up() { throw std::runtime_error("thrown"); }
static void throw_in_handler(void *, const swo_value *, const void *) { throw_up(); }
static swo_status throw_in_mapper(void *, const swo_value *, swo_value *) { throw_up(); }
static bool throw_in_predicate(void *, const swo_value *) { throw_up(); }
static bool throw_in_equality(void *, void *) { throw_up(); }
static swo_status throw_in_executor(void *, swo_job *) { throw_up(); }
static swo_status throw_in_updater(void *, const swo_value *, swo_value *) { throw_up(); }
static void throw_in_destroy(void *) { throw_up(); }
static void ignore(void *, const swo_value *, const void *) {}

// The sender is ready for an exception, which does not help: it must not come as far.
template <class Body> static bool is_refused(Body body) {
    return dies_with(sentence, [&body] {
        try {
            body();
        } catch (const std::runtime_error &) {
            std::fputs("caught by the sender\n", stderr);
        }
    });
}

static void send(swo_observable *observable) {
    swo_value number = swo_int64(1);
    swo_send(observable, &number, nullptr);
}

static swo_observable *observed(swo_handler handler, swo_destroy destroy, swo_observation *id) {
    swo_observable *messenger = swo_messenger_new();
    must(swo_observe(messenger, nullptr, handler, nullptr, destroy, id) == SWO_OK);
    return messenger;
}

TEST(an_exception_that_leaves_a_handler_ends_the_process) {
    must(is_refused([] { send(observed(throw_in_handler, nullptr, nullptr)); }));
}

TEST(an_exception_that_leaves_a_handler_of_a_transform_ends_the_process) {
    must(is_refused([] {
        swo_observable *messenger = swo_messenger_new(), *transform = nullptr;
        must(swo_filter(messenger, throw_in_predicate, nullptr, nullptr, &transform) == SWO_OK);
        must(swo_observe(transform, nullptr, ignore, nullptr, nullptr, nullptr) == SWO_OK);
        send(messenger);
    }));
    must(is_refused([] {
        swo_observable *messenger = swo_messenger_new(), *transform = nullptr;
        must(swo_map(messenger, throw_in_mapper, nullptr, nullptr, &transform) == SWO_OK);
        must(swo_observe(transform, nullptr, ignore, nullptr, nullptr, nullptr) == SWO_OK);
        send(messenger);
    }));
}

TEST(an_exception_that_leaves_a_destroy_function_ends_the_process) {
    must(is_refused([] { swo_observable_release(observed(ignore, throw_in_destroy, nullptr)); }));
    must(is_refused([] {
        swo_observation id = 0;
        observed(ignore, throw_in_destroy, &id);
        swo_stop(id);
    }));
}

TEST(an_exception_that_leaves_what_compares_updates_or_executes_ends_the_process) {
    static const swo_object_type type = {sizeof type, nullptr, nullptr, throw_in_equality};
    must(is_refused([] {
        int one = 0, other = 0;
        swo_value first = swo_object(&one, &type), second = swo_object(&other, &type);
        bool equal = false;
        swo_value_equal(&first, &second, &equal);
    }));
    must(is_refused([] {
        swo_observable *variable = nullptr;
        must(swo_variable_new(nullptr, &variable) == SWO_OK);
        swo_variable_update(variable, throw_in_updater, nullptr, nullptr);
    }));
    must(is_refused([] {
        swo_executor executor = SWO_EXECUTOR_INIT;
        executor.execute = throw_in_executor;
        swo_observable *messenger = swo_messenger_new();
        must(swo_observe_on(messenger, nullptr, &executor, ignore, nullptr, nullptr, nullptr) == SWO_OK);
        send(messenger);
    }));
}

TEST(an_exception_that_leaves_a_job_of_a_queue_ends_the_process) {
    must(is_refused([] {
        swo_queue *queue = nullptr;
        swo_executor executor = SWO_EXECUTOR_INIT;
        must(swo_queue_new(0, SWO_QUEUE_BLOCK, &queue) == SWO_OK && swo_queue_executor(queue, &executor) == SWO_OK);
        swo_observable *messenger = swo_messenger_new();
        must(swo_observe_on(messenger, nullptr, &executor, throw_in_handler, nullptr, nullptr, nullptr) == SWO_OK);
        send(messenger);
        swo_queue_drain(queue, 0, nullptr);
    }));
}

TEST(an_exception_that_a_handler_catches_is_its_own_affair) {
    static int caught;
    swo_observable *messenger = observed(
        [](void *, const swo_value *, const void *) {
            try {
                throw_up();
            } catch (const std::runtime_error &) {
                caught++;
            }
        },
        nullptr, nullptr);
    send(messenger);
    send(messenger);
    must(caught == 2);
    swo_observable_release(messenger);
}

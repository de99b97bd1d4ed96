/* SPDX-License-Identifier: MIT */
/* Surroundings that no program chose: signals, small stacks, no descriptors, a library that comes and goes, or is there
 * twice. What happens in a child process is in forking_tests. */
#define _GNU_SOURCE
#include "support.h"
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- signals ---- */

static volatile sig_atomic_t signals;

static void note_signal(int number) { signals += 1; }

HANDLER(add_up, sum) { *(int64_t *)sum += message->as.int64; }

TASK(send_to_a_hundred, queue_full) {
    int64_t *sum = queue_full;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, add_up, sum, NULL, NULL));
    while (*sum < 100) send_number(messenger, 1);
}

/* Waits that a signal interrupts go on waiting. */
TEST(signals_disturb_neither_sends_nor_waits) {
    struct sigaction noting = {.sa_handler = note_signal}, before;
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    ok(sigaction(SIGPROF, &noting, &before));
    signals = 0;
    ok(setitimer(ITIMER_PROF, &often, NULL));
    int64_t sum = 0;
    swo_executor executor;
    OWN_QUEUE *queue = queue_of(2, SWO_QUEUE_BLOCK, &executor);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe_on(messenger, NULL, &executor, add_up, &sum, NULL, NULL));
    int64_t sent = 0;
    /* Until it was interrupted often enough, however fast the machine is. */
    while (signals < 50) {
        int64_t other = 0;
        pthread_t thread = begin_thread(send_to_a_hundred, &other);
        for (int i = 0; i < 50; i++) {
            send_number(messenger, 1), sent++;
            drain(queue, 0);
            swo_observation observation;
            ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, &observation));
            ok(swo_stop_and_wait(observation));
        }
        join_thread(thread);
    }
    ok(setitimer(ITIMER_PROF, &never, NULL));
    ok(sigaction(SIGPROF, &before, NULL));
    drain(queue, 0);
    assert_int_equal(sum, sent);
}

/* ---- threads that end ---- */

static jmp_buf before;

HANDLER(end_thread, unused) { pthread_exit(NULL); }
HANDLER(cancel_thread, unused) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
}
HANDLER(jump, unused) { longjmp(before, 1); }

TASK(send_and_be_lost, messenger) {
    if (setjmp(before) == 0) send_number(messenger, 1);
}

/* No lock is held by what has gone: all others, of which some share theirs, go on, and nothing hangs. */
TEST(a_handler_that_never_returns_silences_its_observable_alone) {
    static const swo_handler leaving[] = {end_thread, cancel_thread, jump};
    for (size_t way = 0; way < COUNT(leaving); way++) {
        /* Not released: a delivery that never ends keeps it. */
        static swo_observable *lost[COUNT(leaving)];
        int64_t sum = 0;
        swo_observation after;
        lost[way] = swo_messenger_new();
        ok(swo_observe(lost[way], NULL, leaving[way], NULL, NULL, NULL));
        ok(swo_observe(lost[way], NULL, add_up, &sum, NULL, &after));
        join_thread(begin_thread(send_and_be_lost, lost[way]));
        send_number(lost[way], 1);
        assert_int_equal(sum, 0);
        ok(swo_stop(after));
        for (int i = 0; i < 200; i++) {
            OWN_OBSERVABLE *messenger = swo_messenger_new();
            swo_observation observation;
            ok(swo_observe(messenger, NULL, add_up, &sum, NULL, &observation));
            send_number(messenger, 1);
            ok(swo_stop_and_wait(observation));
        }
        assert_int_equal(sum, 200);
    }
}

/* ---- small stacks ---- */

static swo_observable *chain_of(swo_observable *source, int length) {
    swo_observable *last = swo_observable_retain(source);
    for (int i = 0; i < length; i++) {
        swo_observable *next;
        ok(swo_map(last, map_to_same, NULL, NULL, &next));
        swo_observable_release(last);
        last = next;
    }
    return last;
}

struct nest {
    swo_observable *messenger;
    int64_t received, last;
};

HANDLER(send_next, nest_of) {
    struct nest *nest = nest_of;
    nest->received++;
    if (message->as.int64 < nest->last) send_number(nest->messenger, message->as.int64 + 1);
}

TASK(use_much_with_little_stack, unused) {
    /* 100,000 sends, each in the handler of the one before. */
    struct nest nest = {.messenger = swo_messenger_new(), .last = 100000};
    ok(swo_observe(nest.messenger, NULL, send_next, &nest, NULL, NULL));
    send_number(nest.messenger, 1);
    must(nest.received == nest.last);
    swo_observable_release(nest.messenger);
    /* Through a long chain of transforms, and all that is fetched through it. */
    int64_t sum = 0;
    swo_observable *variable = deferred_variable(0), *chain = chain_of(variable, 3000);
    ok(swo_observe_with(chain, WITH(.replay = 1), ignore_message, NULL, NULL, NULL));
    ok(swo_observe(variable, NULL, ignore_message, &sum, NULL, NULL));
    set_number(variable, 5);
    swo_observable_release(chain);
    swo_observable_release(variable);
    /* A queue with 10,000 jobs. */
    swo_executor executor;
    swo_queue *queue = new_queue(&executor);
    swo_observable *messenger = swo_messenger_new();
    ok(swo_observe_on(messenger, NULL, &executor, add_up, &sum, NULL, NULL));
    for (int i = 0; i < 10000; i++) send_number(messenger, 1);
    must(drain(queue, 0) == 10000 && sum == 10000);
    swo_observable_release(messenger);
    swo_queue_release(queue);
}

TEST(threads_with_64_KB_of_stack_are_enough) {
    pthread_attr_t attributes;
    pthread_t thread;
    ok(pthread_attr_init(&attributes));
    /* Or what is the least on this machine. */
    long least = sysconf(_SC_THREAD_STACK_MIN);
    ok(pthread_attr_setstacksize(&attributes, least > 64 * 1024 ? (size_t)least : 64 * 1024));
    ok(pthread_create(&thread, &attributes, use_much_with_little_stack, NULL));
    join_thread(thread);
    ok(pthread_attr_destroy(&attributes));
}

/* ---- no descriptors ---- */

TEST(without_descriptors_all_but_new_queues_goes_on) {
    struct rlimit limit, none;
    swo_executor executor;
    swo_queue *queue = new_queue(&executor), *other = NULL;
    ok(getrlimit(RLIMIT_NOFILE, &limit));
    none = limit, none.rlim_cur = 0;
    ok(setrlimit(RLIMIT_NOFILE, &none));
    assert_int_equal(swo_queue_new(0, SWO_QUEUE_BLOCK, &other), SWO_NO_RESOURCES);
    assert_int_equal(swo_queue_new(3, SWO_QUEUE_BLOCK, &other), SWO_NO_RESOURCES);
    assert_null(other);
    int64_t sum = 0;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, add_up, &sum, NULL, NULL));
    ok(swo_observe_on(messenger, NULL, &executor, add_up, &sum, NULL, NULL));
    send_number(messenger, 2);
    drain(queue, 0);
    assert_int_equal(sum, 4);
    ok(setrlimit(RLIMIT_NOFILE, &limit));
    swo_queue_release(queue);
}

/* ---- a flood ---- */

TEST(a_flooded_queue_gives_its_memory_back) {
    int64_t sum = 0;
    swo_executor executor;
    swo_queue *queue = new_queue(&executor);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe_on(messenger, NULL, &executor, add_up, &sum, NULL, NULL));
    const size_t before = mallinfo2().uordblks;
    const int64_t flood = scaled(1000000);
    for (int64_t i = 0; i < flood; i++) send_number(messenger, 1);
    assert_int_equal(drain(queue, 0), flood);
    assert_int_equal(sum, flood);
    /* The header: up to 3 MB are kept a while. */
    assert_true(mallinfo2().uordblks < before + 4 * 1024 * 1024);
    swo_queue_release(queue);
}

/* ---- another copy of the library ---- */

#define COPY "/tmp/swiftobserver-copy-XXXXXX"

/* The functions of a copy that has been loaded beside the one that this program is linked with. */
struct copy {
    void *library;
    swo_observable *(*messenger_new)(void);
    void (*release)(swo_observable *observable);
    swo_status (*send)(swo_observable *observable, const swo_value *message, const void *author);
    swo_status (*begin)(swo_observable *observable, swo_observer *observer, swo_handler handler, void *context,
                        swo_destroy destroy, swo_observation *out);
    swo_status (*stop)(swo_observation observation);
    swo_observable *messenger;
    swo_observation observation;
};

static void *function(struct copy *copy, const char *name) {
    void *found = dlsym(copy->library, name);
    must(found != NULL);
    return found;
}

/* The ordinary Swift runtime never frees what it has made for itself. */
static bool runtime_goes(void) { return strcmp(swo_runtime_text(), "embedded") == 0; }

/* Another file with the same content, for the loader takes each file once. */
static void copy_library(char path[]) {
    struct link_map *place;
    char content[65536];
    void *linked = dlopen("libswiftobserver.so.0", RTLD_NOW | RTLD_NOLOAD);
    must(linked != NULL && dlinfo(linked, RTLD_DI_LINKMAP, &place) == 0);
    FILE *from = fopen(place->l_name, "rb"), *to = fdopen(mkstemp(path), "wb");
    must(from != NULL && to != NULL);
    for (size_t size; (size = fread(content, 1, sizeof content, from)) > 0;) must(fwrite(content, 1, size, to) == size);
    fclose(from);
    must(fclose(to) == 0);
    dlclose(linked);
}

static void load(struct copy *copy, const char *path) {
    copy->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (copy->library == NULL) fail_msg("%s", dlerror());
    copy->messenger_new = (swo_observable * (*)(void)) function(copy, "swo_messenger_new");
    copy->release = (void (*)(swo_observable *))function(copy, "swo_observable_release");
    copy->send = (swo_status(*)(swo_observable *, const swo_value *, const void *))function(copy, "swo_send");
    copy->begin = (swo_status(*)(swo_observable *, swo_observer *, swo_handler, void *, swo_destroy,
                                 swo_observation *))function(copy, "swo_observe");
    copy->stop = (swo_status(*)(swo_observation))function(copy, "swo_stop");
    copy->messenger = copy->messenger_new();
}

HANDLER(pass_to_the_copy, context) {
    struct copy *copy = context;
    must(copy->send(copy->messenger, message, author) == SWO_OK);
}

TEST(two_copies_in_one_process_know_nothing_of_each_other) {
    struct copy copy;
    struct nest nest = {.messenger = swo_messenger_new(), .last = 1000};
    char path[] = COPY;
    copy_library(path);
    load(&copy, path);
    /* One sends in a handler of the other, to and fro. */
    ok(swo_observe(nest.messenger, NULL, pass_to_the_copy, &copy, NULL, NULL));
    ok(copy.begin(copy.messenger, NULL, send_next, &nest, NULL, &copy.observation));
    send_number(nest.messenger, 1);
    assert_int_equal(nest.received, 1000);
    ok(copy.stop(copy.observation));
    send_number(nest.messenger, 1);
    assert_int_equal(nest.received, 1000);
    copy.release(copy.messenger);
    swo_observable_release(nest.messenger);
    if (runtime_goes()) dlclose(copy.library);
    unlink(path);
}

TEST(a_library_that_comes_and_goes_leaves_nothing) {
    if (!runtime_goes()) skip();
    size_t settled = 0;
    char path[] = COPY;
    copy_library(path);
    for (int i = 0; i < 300; i++) {
        struct copy copy;
        int64_t sum = 0;
        load(&copy, path);
        ok(copy.begin(copy.messenger, NULL, add_up, &sum, NULL, &copy.observation));
        ok(copy.send(copy.messenger, VALUE(swo_int64(1)), NULL));
        ok(copy.stop(copy.observation));
        copy.release(copy.messenger);
        dlclose(copy.library);
        assert_int_equal(sum, 1);
        /* The loader itself keeps a little the first times. */
        if (i == 20) settled = mallinfo2().uordblks;
    }
    unlink(path);
    /* What is called when a process forks has gone with it. */
    pid_t child = fork();
    if (child == 0) raise(SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(mallinfo2().uordblks <= settled + 4096);
}

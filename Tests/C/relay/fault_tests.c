/* SPDX-License-Identifier: MIT */
/* What goes wrong on the way, and what is left of it. */
#include "relay_support.h"
#include <dirent.h>

static int entries_of(const char *folder) {
    int count = 0;
    DIR *opened = opendir(folder);
    must(opened != NULL);
    while (readdir(opened) != NULL) count++;
    closedir(opened);
    return count;
}

/* A relay that is released while it connects leaves its thread to end when it has, and then what libraries keep for a
 * thread is freed. Stands before the relays in a test, and so waits after they were released. */
#define AMONG_THREADS __attribute__((cleanup(await_threads))) int threads = entries_of("/proc/self/task")
static void await_threads(int *threads) {
    while (entries_of("/proc/self/task") > *threads) sched_yield();
}

TEST(many_relays_connect_and_close_and_nothing_is_left) {
    OWN_BROKER broker = broker_start(NULL);
    AMONG_THREADS;
    int descriptors = entries_of("/proc/self/fd");
    OWN_OBSERVABLE *variable = number_variable(1);
    for (long round = scaled(500); round > 0; round--) {
        swo_relay *relay = relay_at(broker.address, "often");
        ok(swo_relay_publish(relay, "flow/rate", variable, SWO_KIND_INT64, true));
        swo_observable *mirror = mirror_of(relay, "often/flow/rate", SWO_KIND_INT64);
        /* Some close while they connect. */
        if (round % 3 != 0) await_number(mirror, 1);
        swo_relay_release(relay);
        swo_observable_release(mirror);
    }
    assert_int_equal(swo_observable_count(variable), 0);
    while (entries_of("/proc/self/fd") > descriptors) sched_yield();
}

/* Goes on when the broker has been silent for long. */
TEST(a_broker_that_is_stopped_is_lost_and_found_again) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *variable = number_variable(1);
    swo_relay_options options = options_at(broker.address, "patient");
    options.keep_alive = 5;
    OWN_RELAY *owner = relay_with(options);
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    options.device = NULL;
    OWN_RELAY *other = relay_with(options);
    OWN_OBSERVABLE *mirror = mirror_of(other, "patient/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    kill(broker.process, SIGSTOP);
    await_state(owner, "lost: the broker at 127.0.0.1");
    set_number(variable, 2);
    kill(broker.process, SIGCONT);
    await_number(mirror, 2);
    await_state(owner, "ready");
    await_state(other, "ready");
}

TEST(a_publisher_that_is_stopped_and_goes_on_has_lost_nothing) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "asleep/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *of_owner = mirror_of(other, "asleep/$state", SWO_KIND_TEXT);
    /* It holds nothing but what the owner has published. */
    OWN_RELAY *witness = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *published = mirror_of(witness, "asleep/flow/rate", SWO_KIND_INT64);
    await_state(other, "ready");
    await_state(witness, "ready");
    pid_t child = fork();
    if (child == 0) {
        swo_relay *relay = relay_at(broker.address, "asleep");
        swo_observable *variable = number_variable(0);
        ok(swo_relay_publish(relay, "flow/rate", variable, SWO_KIND_INT64, true));
        for (;;) pause();
    }
    await_number(mirror, 0);
    /* It listens to what is asked for. */
    await_text(of_owner, "ready");
    kill(child, SIGSTOP);
    set_number(mirror, 5);
    kill(child, SIGCONT);
    await_number(published, 5);
    await_number(mirror, 5);
    set_number(mirror, 6);
    await_number(published, 6);
    await_number(mirror, 6);
    kill(child, SIGKILL);
    must(waitpid(child, NULL, 0) == child);
}

TEST(a_mirror_that_was_stopped_gets_the_last_of_what_came_meanwhile) {
    OWN_BROKER broker = broker_start("max_queued_messages 10\n");
    OWN_OBSERVABLE *variable = number_variable(0);
    OWN_RELAY *owner = relay_at(broker.address, "flood");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    await_state(owner, "ready");
    int done[2];
    must(pipe(done) == 0);
    pid_t child = fork();
    if (child == 0) {
        swo_relay *relay = relay_at(broker.address, NULL);
        swo_observable *mirror = mirror_of(relay, "flood/flow/rate", SWO_KIND_INT64);
        await_number(mirror, 0);
        must(write(done[1], "b", 1) == 1);
        await_number(mirror, 20000);
        execl("/bin/true", "true", NULL);
        _exit(1);
    }
    char begun;
    must(read(done[0], &begun, 1) == 1);
    kill(child, SIGSTOP);
    for (int64_t number = 1; number <= 20000; number++) set_number(variable, number);
    OWN_RELAY *here = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(here, "flood/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 20000);
    kill(child, SIGCONT);
    int status = -1;
    must(waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    close(done[0]);
    close(done[1]);
}

/* ---- what a broker kept ---- */

static const char *const persistent = "persistence true\npersistence_location %s/\nautosave_interval 1800\n";

/* Has a broker write down what it retains, and waits until it has. */
static void save(struct broker *broker) {
    char path[128];
    snprintf(path, sizeof path, "%s/mosquitto.db", broker->folder);
    unlink(path);
    kill(broker->process, SIGUSR1);
    while (access(path, R_OK) != 0) sched_yield();
}

TEST(after_a_broker_that_remembers_was_killed_all_values_are_equal_again) {
    OWN_BROKER broker = broker_start(persistent);
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = relay_at(broker.address, "firm");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "firm/flow/rate", SWO_KIND_INT64);
    for (int64_t round = 2; round < 5; round++) {
        await_number(mirror, round - 1);
        save(&broker);
        broker_kill(&broker);
        await_state(owner, "lost: the broker at 127.0.0.1:");
        await_state(other, "lost: the broker at 127.0.0.1:");
        set_number(variable, round);
        broker_start_again(&broker);
        await_number(mirror, round);
        OWN_RELAY *late = relay_at(broker.address, NULL);
        OWN_OBSERVABLE *there = mirror_of(late, "firm/flow/rate", SWO_KIND_INT64);
        await_number(there, round);
        await_state(owner, "ready");
        await_state(other, "ready");
    }
    set_number(mirror, 11);
    await_number(variable, 11);
    await_number(mirror, 11);
}

TEST(an_older_value_that_the_broker_kept_does_not_come_back) {
    OWN_BROKER broker = broker_start(persistent);
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "past/flow/rate", SWO_KIND_INT64);
    await_state(other, "ready");
    int next[2];
    must(pipe(next) == 0);
    pid_t child = fork();
    if (child == 0) {
        swo_relay *relay = relay_at(broker.address, "past");
        swo_observable *variable = number_variable(1);
        ok(swo_relay_publish(relay, "flow/rate", variable, SWO_KIND_INT64, false));
        char byte;
        must(read(next[0], &byte, 1) == 1);
        set_number(variable, 2);
        for (;;) pause();
    }
    await_number(mirror, 1);
    save(&broker);
    must(write(next[1], "b", 1) == 1);
    await_number(mirror, 2);
    await_state(other, "ready");
    struct listener *listener = listen_to(mirror);
    kill(child, SIGKILL);
    must(waitpid(child, NULL, 0) == child);
    broker_kill(&broker);
    await_state(other, "lost");
    broker_start_again(&broker);
    /* It is ready when what is retained has come. */
    await_state(other, "ready");
    assert_string_equal(heard(listener), "");
    assert_int_equal(number_of(mirror), 2);
    /* Another program in its place has values of its own. */
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *heir = relay_at(broker.address, "past");
    ok(swo_relay_publish(heir, "flow/rate", variable, SWO_KIND_INT64, false));
    await_number(mirror, 1);
    listener_free(listener);
    close(next[0]);
    close(next[1]);
}

TEST(a_publisher_that_is_killed_amid_a_burst_leaves_one_value_everywhere) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_RELAY *here = relay_at(broker.address, NULL), *there = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(here, "brief/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *other = mirror_of(there, "brief/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *of_device = mirror_of(here, "brief/$state", SWO_KIND_TEXT);
    OWN_OBSERVABLE *of_device_there = mirror_of(there, "brief/$state", SWO_KIND_TEXT);
    await_state(here, "ready");
    await_state(there, "ready");
    pid_t child = fork();
    if (child == 0) {
        swo_relay *relay = relay_at(broker.address, "brief");
        swo_observable *variable = number_variable(0);
        ok(swo_relay_publish(relay, "flow/rate", variable, SWO_KIND_INT64, false));
        await_state(relay, "ready");
        for (int64_t number = 1;; number++) set_number(variable, number);
    }
    await_text(of_device, "ready");
    for (int64_t number = 0; number < 3;) {
        swo_value value;
        ok(swo_variable_get(mirror, &value));
        if (value.kind == SWO_KIND_INT64) number = value.as.int64;
        swo_value_clear(&value);
    }
    kill(child, SIGKILL);
    must(waitpid(child, NULL, 0) == child);
    /* The will comes after all that was sent. */
    await_text(of_device, "lost");
    await_text(of_device_there, "lost");
    char *retained = run_command(&broker, "mosquitto_sub -h 127.0.0.1 -p $PORT -t homie/5/brief/flow/rate -C 1");
    await_number(mirror, atoll(retained));
    await_number(other, atoll(retained));
    free(retained);
    OWN_OBSERVABLE *variable = number_variable(-1);
    OWN_RELAY *heir = relay_at(broker.address, "brief");
    ok(swo_relay_publish(heir, "flow/rate", variable, SWO_KIND_INT64, false));
    await_number(mirror, -1);
    await_number(other, -1);
    await_text(of_device, "ready");
}

/* ---- encrypted ---- */

static const char *const certificates =
    "cd %s && openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=tests -days 2 2>/dev/null"
    " && for name in broker client; do openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj "
    "/CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 2>/dev/null; openssl x509 -req -in $name.csr -CA ca.pem -CAkey "
    "ca.key -CAcreateserial %s -copy_extensions copy -out $name.pem 2>/dev/null; done"
    " && openssl req -x509 -newkey rsa:2048 -nodes -keyout /dev/null -out other.pem -subj /CN=other 2>/dev/null";

struct paths {
    char folder[64], ca[128], other[128], certificate[128], key[128];
};

static const char valid[] = "-days 2";
/* OpenSSL 3.5 refuses a day before this one, and older ones know no other way. */
static const char expired[] =
    "$(openssl x509 -help 2>&1 | grep -q not_before && echo -not_before 20200101000000Z -not_after "
    "20200102000000Z || echo -days -1)";

static struct broker encrypted_broker(struct paths *paths, const char *validity) {
    char command[2048], configuration[512];
    struct broker none = {0};
    strcpy(paths->folder, "/tmp/swo-relay-tls-XXXXXX");
    must(mkdtemp(paths->folder) != NULL);
    snprintf(command, sizeof command, certificates, paths->folder, validity);
    free(run_command(&none, command));
    snprintf(paths->ca, sizeof paths->ca, "%s/ca.pem", paths->folder);
    snprintf(paths->other, sizeof paths->other, "%s/other.pem", paths->folder);
    snprintf(paths->certificate, sizeof paths->certificate, "%s/client.pem", paths->folder);
    snprintf(paths->key, sizeof paths->key, "%s/client.key", paths->folder);
    snprintf(configuration, sizeof configuration,
             "cafile %1$s/ca.pem\ncertfile %1$s/broker.pem\nkeyfile %1$s/broker.key\nrequire_certificate true\n",
             paths->folder);
    struct broker broker = broker_start(configuration);
    snprintf(broker.address, sizeof broker.address, "mqtts://127.0.0.1:%d", broker.port);
    return broker;
}

static void remove_paths(struct paths *paths) {
    char command[128];
    struct broker none = {0};
    snprintf(command, sizeof command, "rm -r %s", paths->folder);
    free(run_command(&none, command));
}

TEST(an_encrypted_connection_takes_certificates_of_both) {
    AMONG_THREADS;
    struct paths paths;
    OWN_BROKER broker = encrypted_broker(&paths, valid);
    swo_relay_options options = options_at(broker.address, "safe");
    options.ca_file = paths.ca;
    OWN_RELAY *nameless = relay_with(options);
    await_state(nameless, "lost: the broker at 127.0.0.1");
    options.certificate_file = paths.certificate;
    options.key_file = paths.key;
    OWN_RELAY *relay = relay_with(options);
    await_state(relay, "ready");
    options.ca_file = paths.other;
    OWN_RELAY *doubtful = relay_with(options);
    await_state(doubtful, "lost: the broker at 127.0.0.1");
    remove_paths(&paths);
}

static void await_problem(swo_relay_options options, int port, const char *problem) {
    char expected[512];
    snprintf(expected, sizeof expected, "lost: the broker at 127.0.0.1:%d: %s", port, problem);
    OWN_RELAY *relay = relay_with(options);
    await_state(relay, expected);
}

TEST(what_is_wrong_with_a_file_or_a_certificate_is_said) {
    AMONG_THREADS;
    struct paths paths;
    char problem[512];
    OWN_BROKER broker = encrypted_broker(&paths, valid);
    swo_relay_options options = options_at(broker.address, "safe");
    options.ca_file = "/nonexistent/ca.pem";
    await_problem(options, broker.port, "ca_file /nonexistent/ca.pem: No such file or directory");
    options.ca_file = paths.key;
    snprintf(problem, sizeof problem, "ca_file %s holds none that OpenSSL takes", paths.key);
    await_problem(options, broker.port, problem);
    options.ca_file = paths.other;
    await_problem(options, broker.port, "its certificate is not trusted: ");
    options.ca_file = paths.ca;
    options.certificate_file = "/nonexistent/client.pem";
    await_problem(options, broker.port, "certificate_file /nonexistent/client.pem: No such file or directory");
    options.certificate_file = paths.other;
    options.key_file = paths.key;
    snprintf(problem, sizeof problem, "key_file %s", paths.key);
    await_problem(options, broker.port, problem);
    options.certificate_file = paths.certificate;
    options.key_file = "/nonexistent/client.key";
    await_problem(options, broker.port, "key_file /nonexistent/client.key: No such file or directory");
    /* A name that the certificate does not have. */
    options.key_file = paths.key;
    snprintf(broker.address, sizeof broker.address, "mqtts://localhost:%d", broker.port);
    options.address = broker.address;
    OWN_RELAY *misnamed = relay_with(options);
    snprintf(problem, sizeof problem,
             "lost: the broker at localhost:%d: its certificate is not trusted: hostname mismatch", broker.port);
    await_state(misnamed, problem);
    remove_paths(&paths);
}

/* What is encrypted comes in portions, which end elsewhere than messages do. */
TEST(an_encrypted_connection_carries_many_values_and_large_ones) {
    AMONG_THREADS;
    enum { LARGE = 1500000, MANY = 300 };
    struct paths paths;
    OWN_BROKER broker = encrypted_broker(&paths, valid);
    swo_relay_options options = options_at(broker.address, "many");
    options.ca_file = paths.ca;
    options.certificate_file = paths.certificate;
    options.key_file = paths.key;
    options.largest_payload = 2000000;
    OWN_RELAY *owner = relay_with(options);
    options.device = NULL;
    OWN_RELAY *other = relay_with(options);
    swo_observable *variables[MANY], *mirrors[MANY];
    share_many(owner, other, MANY, variables, mirrors);
    char *text = malloc(LARGE);
    for (size_t i = 0; i < LARGE; i++) text[i] = (char)('a' + i * i % 23);
    swo_value value = swo_text_sized(text, LARGE);
    OWN_OBSERVABLE *large = NULL;
    ok(swo_variable_new(&value, &large));
    ok(swo_relay_publish(owner, "large/text", large, SWO_KIND_TEXT, true));
    OWN_OBSERVABLE *mirror = mirror_of(other, "many/large/text", SWO_KIND_TEXT);
    await_equal(mirror, large);
    await_state(owner, "ready");
    await_state(other, "ready");
    /* And back. */
    text[0] = 'z';
    ok(swo_variable_set(mirror, &value, NULL));
    await_equal(large, mirror);
    for (int round = 1; round <= 20; round++)
        for (int i = 0; i < MANY; i++) set_number(variables[i], 1000 * round + i);
    for (int i = 0; i < MANY; i++) {
        await_number(mirrors[i], 20000 + i);
        swo_observable_release(variables[i]);
        swo_observable_release(mirrors[i]);
    }
    free(text);
    remove_paths(&paths);
}

/* A server that speaks TLS, and then something else. */
TEST(an_encrypted_server_that_is_no_broker_is_said_to_be_none) {
    AMONG_THREADS;
    struct paths paths;
    OWN_BROKER broker = encrypted_broker(&paths, valid);
    broker_kill(&broker);
    char command[512], expected[128];
    snprintf(command, sizeof command,
             "{ yes HTTP/1.1 400 Bad Request | openssl s_server -quiet -accept $PORT -cert %1$s/broker.pem "
             "-key %1$s/broker.key & } >/dev/null 2>&1; echo $!",
             paths.folder);
    char *server = run_command(&broker, command);
    swo_relay_options options = options_at(broker.address, NULL);
    options.ca_file = paths.ca;
    OWN_RELAY *relay = relay_with(options);
    snprintf(expected, sizeof expected, "lost: the broker at 127.0.0.1:%d sent what is no MQTT 5", broker.port);
    await_state(relay, expected);
    kill((pid_t)atol(server), SIGKILL);
    free(server);
    remove_paths(&paths);
}

TEST(an_expired_certificate_is_named) {
    AMONG_THREADS;
    struct paths paths;
    OWN_BROKER broker = encrypted_broker(&paths, expired);
    swo_relay_options options = options_at(broker.address, "late");
    options.ca_file = paths.ca;
    OWN_RELAY *relay = relay_with(options);
    await_state(relay, "lost: the broker at 127.0.0.1");
    for (bool is_lost = false; !is_lost;) {
        swo_value value;
        ok(swo_variable_get(swo_relay_state(relay), &value));
        is_lost = strncmp(value.as.bytes.data, "lost", 4) == 0;
        if (is_lost) assert_non_null(strstr(value.as.bytes.data, "certificate has expired"));
        swo_value_clear(&value);
    }
    remove_paths(&paths);
}

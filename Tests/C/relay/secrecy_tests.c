/* SPDX-License-Identifier: MIT */
/* A user's name and password are seen by the broker, in the packet that connects, and stand nowhere else. */
#include "proxy.h"
#include "relay_support.h"
#include <fcntl.h>

static const char user[] = "Aladdin-the-user", right[] = "open-sesame-right", wrong[] = "open-barley-wrong";

static void assert_secret(const char *text, size_t size) {
    const char *const secrets[] = {user, right, wrong};
    for (size_t i = 0; i < COUNT(secrets); i++) assert_null(memmem(text, size, secrets[i], strlen(secrets[i])));
}

static void assert_heard_is_secret(struct listener *listener) {
    const char *said = heard(listener);
    assert_secret(said, strlen(said));
}

static void assert_file_is_secret(const char *path) {
    char *text = calloc(1, 1 << 20);
    int file = open(path, O_RDONLY);
    must(file >= 0);
    ssize_t size = read(file, text, 1 << 20);
    must(size >= 0);
    close(file);
    assert_secret(text, (size_t)size);
    free(text);
}

TEST(credentials_stand_in_no_message_state_log_or_graph) {
    char folder[] = "/tmp/swo-relay-secrets-XXXXXX", path[64], command[256], configuration[256];
    must(mkdtemp(folder) != NULL);
    snprintf(command, sizeof command, "mosquitto_passwd -c -b %s/passwords %s %s", folder, user, right);
    struct broker none = {0};
    free(run_command(&none, command));
    snprintf(configuration, sizeof configuration, "allow_anonymous false\npassword_file %s/passwords\n", folder);
    /* What the process says, from here on. */
    snprintf(path, sizeof path, "%s/said", folder);
    int file = open(path, O_CREAT | O_WRONLY, 0600), out = dup(1), err = dup(2);
    fflush(NULL);
    must(file >= 0 && dup2(file, 1) == 1 && dup2(file, 2) == 2);
    struct broker broker = broker_start(configuration);
    struct proxy *proxy = proxy_start(broker.port), *direct = proxy_start(broker.port);

    OWN_OBSERVABLE *variable = number_variable(1);
    swo_relay_options options = options_at(proxy_address(proxy), "secret");
    options.user = user;
    options.password = wrong;
    swo_relay *refused = relay_with(options);
    struct listener *of_refused = listen_to(swo_relay_state(refused));
    await_state(refused, "lost: the broker at 127.0.0.1");
    options.address = proxy_address(direct);
    options.password = right;
    swo_relay *welcome = relay_with(options);
    struct listener *of_welcome = listen_to(swo_relay_state(welcome));
    ok(swo_relay_publish(welcome, "flow/rate", variable, SWO_KIND_INT64, true));
    OWN_OBSERVABLE *mirror = mirror_of(welcome, "secret/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *everything = NULL;
    ok(swo_relay_watch(welcome, "#", &everything));
    struct listener *messages = listen_to(everything);
    await_number(mirror, 1);
    await_state(welcome, "ready");
    /* What is lost, refused and dropped is reported. */
    proxy_cut(direct);
    await_state(welcome, "lost");
    await_state(welcome, "ready");
    set_number(variable, 2);
    await_number(mirror, 2);
    swo_value text = swo_text("no number");
    ok(swo_variable_set(variable, &text, NULL));
    await_state(welcome, "ready: dropped");

    swo_observable *const all[] = {swo_relay_state(refused), swo_relay_state(welcome), variable, mirror, everything};
    swo_value graph;
    ok(swo_graph_dot(all, COUNT(all), &graph));
    assert_secret(graph.as.bytes.data, graph.as.bytes.size);
    swo_value_clear(&graph);
    /* An address with a user in it would stand in messages. */
    swo_relay *unmade = NULL;
    options.address = "mqtt://Aladdin-the-user:open-sesame-right@127.0.0.1";
    assert_int_equal(swo_relay_new(&options, &unmade), SWO_INVALID_ARGUMENT);
    assert_heard_is_secret(of_refused);
    assert_heard_is_secret(of_welcome);
    assert_heard_is_secret(messages);
    listener_free(of_refused);
    listener_free(of_welcome);
    listener_free(messages);
    swo_relay_release(refused);
    swo_relay_release(welcome);

    /* On the way they stand in the packet that connects alone. */
    for (enum packet kind = CONNECT; kind <= DISCONNECT; kind++)
        for (enum way way = TO_BROKER; way <= TO_RELAY; way++) {
            bool connects = kind == CONNECT && way == TO_BROKER;
            assert_int_equal(proxy_count(direct, way, kind, right) > 0, connects);
            assert_int_equal(proxy_count(proxy, way, kind, wrong) > 0, connects);
            assert_int_equal(proxy_count(direct, way, kind, user) > 0, connects);
        }
    fflush(NULL);
    dup2(out, 1);
    dup2(err, 2);
    close(file), close(out), close(err);
    assert_file_is_secret(path);
    snprintf(command, sizeof command, "cat %s/log", broker.folder);
    char *log = run_command(&broker, command);
    /* The broker's own log names the user; it is the broker's. */
    assert_null(strstr(log, right));
    assert_null(strstr(log, wrong));
    free(log);
    proxy_free(proxy);
    proxy_free(direct);
    broker_end(&broker);
    snprintf(command, sizeof command, "rm -r %s", folder);
    free(run_command(&none, command));
}

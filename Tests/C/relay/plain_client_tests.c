/* SPDX-License-Identifier: MIT */
/* What a client loses that takes messages as they come, and a mirror does not. Both meet the same broker, with the
 * limit that brokers have by default. */
#include "relay_support.h"

/* mosquitto_sub at quality 1. It has subscribed when the first message is there. */
struct plain {
    pid_t process;
    FILE *out;
};

static struct plain plain_begin(struct broker *broker, const char *filter) {
    struct plain plain;
    int out[2];
    char port[16];
    must(pipe(out) == 0);
    snprintf(port, sizeof port, "%d", broker->port);
    plain.process = fork();
    if (plain.process == 0) {
        dup2(out[1], 1);
        execlp("mosquitto_sub", "mosquitto_sub", "-h", "127.0.0.1", "-p", port, "-q", "1", "-v", "-t", filter, "-t",
               "tests/#", NULL);
        _exit(127);
    }
    close(out[1]);
    plain.out = fdopen(out[0], "r");
    return plain;
}

/* How many messages came before one that is sent now, again and again: it, too, may find no room.
 * `had_last`: whether `last` was among them. */
static long plain_count(struct broker *broker, struct plain *plain, const char *last, bool *had_last) {
    static int number;
    char line[256], end[64], command[128];
    long count = 0;
    snprintf(end, sizeof end, "tests/end %d", ++number);
    snprintf(command, sizeof command, "mosquitto_pub -h 127.0.0.1 -p $PORT -q 1 -t tests/end -m %d", number);
    pid_t sender = fork();
    if (sender == 0)
        for (;;) free(run_command(broker, command));
    *had_last = false;
    for (;;) {
        must(fgets(line, sizeof line, plain->out) != NULL);
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, end) == 0) break;
        /* Of an earlier count. */
        if (strncmp(line, "tests/end ", 10) == 0) continue;
        if (last != NULL && strcmp(line, last) == 0) *had_last = true;
        count++;
    }
    kill(sender, SIGKILL);
    must(waitpid(sender, NULL, 0) == sender);
    return count;
}

static void plain_end(struct plain *plain) {
    kill(plain->process, SIGKILL);
    must(waitpid(plain->process, NULL, 0) == plain->process);
    fclose(plain->out);
}

TEST(a_program_that_is_slow_has_the_last_of_5000_messages_which_a_plain_client_never_gets) {
    OWN_BROKER broker = broker_start("max_queued_messages 1000\n");
    bool had_last;
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -q 1 -r -t homie/5/burst/flow/rate -m 0"));
    struct plain plain = plain_begin(&broker, "homie/5/burst/flow/rate");
    assert_int_equal(plain_count(&broker, &plain, "homie/5/burst/flow/rate 0", &had_last), 1);
    int begun[2];
    must(pipe(begun) == 0);
    pid_t child = fork();
    if (child == 0) {
        swo_relay *relay = relay_at(broker.address, NULL);
        swo_observable *mirror = mirror_of(relay, "burst/flow/rate", SWO_KIND_INT64);
        await_number(mirror, 0);
        must(write(begun[1], "b", 1) == 1);
        await_number(mirror, 5000);
        execl("/bin/true", "true", NULL);
        _exit(1);
    }
    char byte;
    must(read(begun[0], &byte, 1) == 1);
    kill(child, SIGSTOP);
    kill(plain.process, SIGSTOP);
    /* All of them are acknowledged. */
    free(run_command(&broker, "seq 5000 | mosquitto_pub -h 127.0.0.1 -p $PORT -q 1 -r -t homie/5/burst/flow/rate -l"));
    kill(child, SIGCONT);
    kill(plain.process, SIGCONT);
    int status = -1;
    must(waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    long count = plain_count(&broker, &plain, "homie/5/burst/flow/rate 5000", &had_last);
    assert_true(count >= 1 && count < 5000);
    assert_false(had_last);
    plain_end(&plain);
    close(begun[0]);
    close(begun[1]);
}

TEST(of_3000_retained_values_a_program_has_all_and_a_plain_client_not) {
    enum { COUNT_ = 3000 };
    static swo_observable *variables[COUNT_], *mirrors[COUNT_];
    OWN_BROKER broker = broker_start("max_queued_messages 1000\n");
    OWN_RELAY *owner = relay_at(broker.address, "many"), *other = relay_at(broker.address, NULL);
    share_many(owner, other, COUNT_, variables, mirrors);
    for (int i = 0; i < COUNT_; i++) RELEASE(variables[i], mirrors[i]);
    struct plain plain = plain_begin(&broker, "homie/5/many/+/value");
    bool had_last;
    long count = plain_count(&broker, &plain, NULL, &had_last);
    assert_true(count >= 1 && count < COUNT_);
    plain_end(&plain);
}

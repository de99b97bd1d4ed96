/* SPDX-License-Identifier: MIT */
/* A first program: a messenger, and a variable whose numbers become others on their way to an observer. */
#include <stdio.h>
#include <swiftobserver.h>

static void greet(void *greeting, const swo_value *message, const void *author) {
    (void)author;
    printf("%s, %.*s\n", (char *)greeting, (int)message->as.bytes.size, (const char *)message->as.bytes.data);
}

static bool is_hot(void *limit, const swo_value *celsius) { return celsius->as.float64 >= *(double *)limit; }

static swo_status to_fahrenheit(void *context, const swo_value *celsius, swo_value *out) {
    (void)context;
    *out = swo_double(celsius->as.float64 * 1.8 + 32);
    return SWO_OK;
}

static void warn(void *context, const swo_value *fahrenheit, const void *author) {
    (void)context, (void)author;
    printf("%.0f degrees!\n", fahrenheit->as.float64);
}

int main(void) {
    swo_observer *observer = swo_observer_new();
    swo_observable *names = swo_messenger_new(), *celsius, *values, *hot, *fahrenheit;
    swo_value world = swo_text("world");
    double limit = 30;

    swo_observe(names, observer, greet, "hello", NULL, NULL);
    swo_send(names, &world, NULL); /* hello, world */

    if (swo_variable_new(NULL, &celsius) || swo_new_values(celsius, &values) ||
        swo_filter(values, is_hot, &limit, NULL, &hot) || swo_map(hot, to_fahrenheit, NULL, NULL, &fahrenheit))
        return 1;
    swo_observe(fahrenheit, observer, warn, NULL, NULL, NULL);
    for (double degrees = 20; degrees <= 40; degrees += 10) {
        swo_value value = swo_double(degrees);
        swo_variable_set(celsius, &value, NULL); /* 86 degrees! 104 degrees! */
    }

    swo_observer_release(observer); /* ends both observations */
    swo_observable *all[] = {names, celsius, values, hot, fahrenheit};
    for (int i = 0; i < 5; i++) swo_observable_release(all[i]);
}

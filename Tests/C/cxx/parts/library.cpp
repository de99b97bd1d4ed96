// SPDX-License-Identifier: MIT
// A library that parts_tests loads: built with all of its symbols hidden, and with all of them shown.
#include "part.hpp"

namespace {
struct secret {
    std::string text;
};
} // namespace

static std::vector<swo::observation> kept;

static void observe(part_of_process &part) {
    std::string &received = part.received;
    kept.push_back(part.numbers.observe([&](int number) {
        received += "number ";
        if (number == 1) throw std::runtime_error("of the library");
    }));
    kept.push_back(part.songs.observe([&](const song &song) { received += song.title + " "; }));
    kept.push_back(
        part.lists.observe([&](const std::vector<int> &list) { received += std::to_string(list.size()) + " "; }));
    kept.push_back(part.pointers.observe([&](song *song) { received += "*" + song->title + " "; }));
    kept.push_back(part.constants.observe([&](const song *song) { received += "**" + song->title + " "; }));
}

static std::string send(part_of_process &part, int number) {
    return thrown_by([&] { part.numbers.send(number); });
}
static std::string drain(swo::queue &queue) {
    return thrown_by([&] { queue.drain(); });
}
static void observe_on(part_of_process &part, swo::queue &queue) {
    kept.push_back(part.numbers.observe([](int) { throw std::runtime_error("on a queue"); }, swo::options().on(queue)));
}
static void stop() { kept.clear(); }
static void set(part_of_process &part, const char *title) { part.current.set(song{title}); }

static void observe_secrets(part_of_process &part, swo_observable *secrets) {
    std::string &received = part.received;
    const swo::messenger<secret> messenger(swo::adopted{swo_observable_retain(secrets)});
    kept.push_back(messenger.observe([&](const secret &secret) { received += secret.text + " "; }));
}

extern "C" __attribute__((visibility("default"))) const loaded_part the_part;
const loaded_part the_part = {observe, stop, send, drain, observe_on, set, observe_secrets};

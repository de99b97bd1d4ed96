// SPDX-License-Identifier: MIT
#include "probe.hpp"
#include <swiftobserver.hpp>

struct peer {
    using connection = swo::observation_id;
    swo::messenger<int> signal;
    connection connect(std::function<void(int)> handler) { return signal.observe(std::move(handler)).release(); }
    void send(int number) { signal.send(number); }
    void stop(connection &connection) { connection.stop_and_wait(); }
    std::unique_ptr<swo::observer> object(std::function<void(int)> handler) {
        auto object = std::make_unique<swo::observer>();
        object->observe(signal, std::move(handler));
        return object;
    }
};

int main() {
    probe::askAllButFailing<peer>();
    probe::failing<peer>();
    swo::variable<int> one(1);
    swo::derived ten([&] { return 10 * one.get(); });
    swo::derived sum([&] { return one.get() + ten.get(); });
    std::vector<int> values;
    auto observing = sum.new_values().observe([&](int value) { values.push_back(value); });
    one.set(2);
    one.set(3);
    probe::computed(values);
}

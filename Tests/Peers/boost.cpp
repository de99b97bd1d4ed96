// SPDX-License-Identifier: MIT
#include "probe.hpp"
#include <boost/signals2.hpp>
#include <boost/version.hpp>

struct peer {
    using connection = boost::signals2::connection;
    using signal_type = boost::signals2::signal<void(int)>;
    signal_type signal;
    connection connect(std::function<void(int)> handler) { return signal.connect(std::move(handler)); }
    void send(int number) { signal(number); }
    void stop(connection &connection) { connection.disconnect(); }
    std::shared_ptr<int> object(std::function<void(int)> handler) {
        auto object = std::make_shared<int>();
        signal.connect(signal_type::slot_type(std::move(handler)).track_foreign(object));
        return object;
    }
};

int main() {
    std::printf("version: %d.%d\n", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000);
    probe::askAllButFailing<peer>();
    probe::failing<peer>();
    probe::absent("computed");
}

// SPDX-License-Identifier: MIT
/* What an observer library does, seen from outside: ten questions, the same for each library. A peer is a struct that
 * lends them its words:
 *
 *     peer::connection            what a connected handler is known by
 *     connect(std::function)      to the one signal of the peer, which carries an int
 *     send(int)
 *     stop(connection &)          with the strongest stop that the library has
 *     object(std::function)       an object whose handler is to end with it
 *
 * Each answer is a line, "question: yes" or "question: no", perhaps with what happens instead. */
#ifndef PEERS_PROBE_HPP
#define PEERS_PROBE_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace probe {

using heard = std::vector<std::string>;

inline void answer(const char *question, bool isYes, const char *instead = "") {
    std::printf("%s: %s%s%s\n", question, isYes ? "yes" : "no", *instead ? ", " : "", instead);
    std::fflush(stdout);
}

/* What may never happen, as a call that waits for a lock returns, is waited for this long. */
class event {
  public:
    void set() {
        std::lock_guard<std::mutex> lock(mutex_);
        isSet_ = true;
        changed_.notify_all();
    }
    bool comes(std::chrono::seconds limit) {
        std::unique_lock<std::mutex> lock(mutex_);
        return changed_.wait_for(lock, limit, [this] { return isSet_; });
    }
    void wait() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return isSet_; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool isSet_ = false;
};
constexpr std::chrono::seconds limit{3};

template <class Peer> void order() {
    Peer peer;
    std::vector<int> called;
    std::vector<typename Peer::connection> all;
    for (int each = 0; each < 100; ++each)
        all.push_back(peer.connect([&called, each](int) { called.push_back(each); }));
    for (int each = 0; each < 100; each += 3) {
        peer.stop(all[each]);
        all[each] = peer.connect([&called, each](int) { called.push_back(100 + each); });
    }
    peer.send(1);
    answer("order", called.size() == 100 && std::is_sorted(called.begin(), called.end()));
}

template <class Peer> void turn() {
    Peer peer;
    heard all;
    [[maybe_unused]] auto one = peer.connect([&](int number) {
        all.push_back("a" + std::to_string(number));
        if (number == 1) peer.send(2);
    });
    [[maybe_unused]] auto other = peer.connect([&](int number) { all.push_back("b" + std::to_string(number)); });
    peer.send(1);
    answer("turn", all == heard{"a1", "b1", "a2", "b2"}, all == heard{"a1", "a2", "b2", "b1"} ? "at once" : "");
}

template <class Peer> void stopping() {
    Peer peer;
    heard all;
    typename Peer::connection other;
    [[maybe_unused]] auto one = peer.connect([&](int) {
        all.push_back("a");
        peer.stop(other);
    });
    other = peer.connect([&](int) { all.push_back("b"); });
    peer.send(1);
    answer("stop", all == heard{"a"});
}

template <class Peer> void joining() {
    Peer peer;
    heard all;
    std::vector<typename Peer::connection> later;
    [[maybe_unused]] auto one = peer.connect([&](int number) {
        if (number == 1)
            later.push_back(peer.connect([&](int heardNumber) { all.push_back(std::to_string(heardNumber)); }));
    });
    peer.send(1);
    peer.send(2);
    answer("join", all == heard{"2"});
}

/* One thread is in the first handler while another one sends; then two send a lot. */
template <class Peer> void threads() {
    std::mutex mutex;
    std::vector<int> first, last;
    bool returned = false;
    {
        Peer peer;
        event entered, sent;
        /* Who is called first is not known everywhere. */
        std::atomic<bool> isFirst{true};
        auto handler = [&](std::vector<int> &heardNumbers) {
            return [&](int number) {
                {
                    std::lock_guard<std::mutex> lock(mutex);
                    heardNumbers.push_back(number);
                }
                if (number != 1 || !isFirst.exchange(false)) return;
                entered.set();
                returned = sent.comes(limit);
            };
        };
        [[maybe_unused]] auto one = peer.connect(handler(first));
        [[maybe_unused]] auto other = peer.connect(handler(last));
        std::thread thread([&] {
            entered.wait();
            peer.send(2);
            sent.set();
        });
        peer.send(1);
        thread.join();
    }
    bool isOne = first == last && first.size() == 2;
    if (isOne) {
        Peer peer;
        std::vector<int> many, same;
        [[maybe_unused]] auto one = peer.connect([&](int number) {
            std::lock_guard<std::mutex> lock(mutex);
            many.push_back(number);
        });
        [[maybe_unused]] auto other = peer.connect([&](int number) {
            std::lock_guard<std::mutex> lock(mutex);
            same.push_back(number);
        });
        std::thread thread([&] {
            for (int number = 0; number < 20000; ++number) peer.send(2 * number);
        });
        for (int number = 0; number < 20000; ++number) peer.send(2 * number + 1);
        thread.join();
        isOne = many == same && many.size() == 40000;
    }
    answer("one order", isOne);
    answer("no lock", returned);
}

template <class Peer> void waiting() {
    Peer peer;
    event entered, stopped;
    std::atomic<bool> stoppedInside{false};
    [[maybe_unused]] auto one = peer.connect([&](int) {
        entered.set();
        stoppedInside = stopped.comes(limit);
    });
    std::thread thread([&] { peer.send(1); });
    entered.wait();
    peer.stop(one);
    stopped.set();
    thread.join();
    answer("wait", !stoppedInside);
}

template <class Peer> void failing() {
    Peer peer;
    heard all;
    [[maybe_unused]] auto one = peer.connect([](int) { throw std::runtime_error("a handler fails"); });
    [[maybe_unused]] auto other = peer.connect([&](int) { all.push_back("b"); });
    try {
        peer.send(1);
    } catch (const std::exception &) {
        all.push_back("told");
    }
    answer("failure", all == heard{"b", "told"});
}

template <class Peer> void ending() {
    Peer peer;
    heard all;
    {
        auto object = peer.object([&](int) { all.push_back("alive"); });
        peer.send(1);
    }
    peer.send(2);
    answer("end", all == heard{"alive"});
}

/* `values`: what an observer of a + 10 * a hears, where 10 * a is a value of its own, when `a` goes from 1 to 2 and
 * to 3. */
inline void computed(const std::vector<int> &values) { answer("computed", values == std::vector<int>{22, 33}); }
inline void absent(const char *question) { std::printf("%s: none\n", question); }

template <class Peer> void askAllButFailing() {
    order<Peer>();
    turn<Peer>();
    stopping<Peer>();
    joining<Peer>();
    threads<Peer>();
    waiting<Peer>();
    ending<Peer>();
}

} // namespace probe

#endif

// SPDX-License-Identifier: MIT
// Derived variables, transactions, snapshots and effects: laws 26 to 35.
#include "support.hpp"
#include <atomic>
#include <memory>
#include <stdexcept>
#include <swiftobserver.hpp>
#include <thread>

// What a call throws, in words.
template <class Body> static std::string thrown_by(Body body) {
    try {
        body();
    } catch (const std::exception &error) {
        return error.what();
    }
    return "nothing";
}

// ---- The value

TEST(a_derived_variable_has_the_value_of_its_function) {
    swo::variable<double> width(2), height(3);
    swo::derived area([&] { return width.get() * height.get(); });
    static_assert(std::is_same_v<decltype(area), swo::derived<double>>);
    must(area.get() == 6);
    width.set(4);
    must(area.get() == 12);
}

enum class colour { red, green };
struct place {
    int x, y;
    friend bool operator==(place one, place other) { return one.x == other.x && one.y == other.y; }
};

TEST(it_has_values_of_every_type_that_a_variable_takes) {
    swo::variable<std::string> name("world");
    swo::derived text([&] { return "hello, " + name.get(); });
    swo::derived literal([&]() -> const char * { return name.get().empty() ? "nobody" : "somebody"; });
    swo::derived<std::string> viewed([&]() -> std::string_view { return "seen"; });
    swo::derived truth([&] { return name.get() == "world"; });
    swo::derived which([&] { return truth.get() ? colour::green : colour::red; });
    swo::derived where([&] { return place{int(name.get().size()), 7}; });
    swo::derived many([&] { return std::vector<std::string>{name.get(), text.get()}; });
    swo::derived maybe([&] { return truth.get() ? std::optional<std::string>(name.get()) : std::nullopt; });
    static_assert(std::is_same_v<decltype(literal), swo::derived<std::string>>);
    must(text.get() == "hello, world" && literal.get() == "somebody" && viewed.get() == "seen");
    must(truth.get() && which.get() == colour::green && where.get() == place{5, 7});
    must(many.get() == std::vector<std::string>{"world", "hello, world"} && maybe.get() == "world");
    name.set("");
    must(text.get() == "hello, " && literal.get() == "nobody" && which.get() == colour::red && !maybe.get());
}

TEST(it_runs_when_it_is_read_and_not_again_until_something_has_changed) {
    swo::variable<int> number(1);
    int runs = 0;
    swo::derived doubled([&] { return runs++, number.get() * 2; });
    number.set(2);
    must(runs == 0);
    must(doubled.get() == 4 && doubled.get() == 4 && runs == 1);
    number.set(3);
    must(runs == 1 && doubled.get() == 6 && runs == 2);
}

TEST(a_diamond_is_computed_once_and_sends_once) {
    swo::variable<int> source(1);
    int runs = 0;
    swo::derived left([&] { return source.get() + 1; });
    swo::derived right([&] { return source.get() * 10; });
    swo::derived both([&] { return runs++, left.get() + right.get(); });
    std::vector<std::pair<int, int>> updates;
    auto one = both.observe([&](swo::update<int> update) { updates.push_back({update.old_value, update.new_value}); });
    runs = 0;
    source.set(2);
    must(runs == 1 && updates == std::vector<std::pair<int, int>>{{12, 23}});
}

TEST(what_it_reads_is_noted_anew_each_time_and_nothing_untracked_is) {
    swo::variable<bool> first(true);
    swo::variable<int> one(1), other(2), unnoted(3);
    int runs = 0;
    swo::derived chosen([&] {
        runs++;
        return (first.get() ? one.get() : other.get()) + swo::untracked([&] { return unnoted.get(); });
    });
    must(chosen.get() == 4 && runs == 1);
    other.set(20), unnoted.set(30);
    must(chosen.get() == 4 && runs == 1);
    first.set(false);
    must(chosen.get() == 50 && runs == 2);
    one.set(10);
    must(chosen.get() == 50 && runs == 2);
}

TEST(a_lint_finds_what_nothing_observes) {
    must(swo::lint().empty());
    swo::messenger<int> clicks;
    auto half = clicks.map([](int click) { return click / 2; });
    half.set_name("half");
    const auto found = swo::lint(std::chrono::seconds(1));
    must(found.size() == 1 && found[0].kind == SWO_LINT_UNOBSERVED);
    must(found[0].sentence == "nothing observes map \"half\", which is made from another observable");
    try {
        swo::lint(std::chrono::nanoseconds(-1));
        must(false);
    } catch (const swo::error &error) {
        must(error.status() == SWO_INVALID_ARGUMENT);
    }
}

TEST(it_is_a_variable_for_everything_that_takes_one) {
    swo::variable<int> number(1);
    swo::derived doubled([&] { return number.get() * 2; });
    doubled.set_name("doubled");
    must(doubled.name() == "doubled" && swo::dot(doubled).find("doubled") != std::string::npos);
    must(swo::why(doubled) == "nothing is known\n" && swo::why(number, SWO_WHY_JSON) == "[]\n");
    swo::observer observer;
    std::vector<int> received;
    auto receive = [&](int value) { received.push_back(value); };
    observer.observe(doubled.new_values(), receive, swo::options().replay(1));
    observer.observe(doubled.new_values().map([](int value) { return value + 1; }), receive);
    observer.observe(doubled.new_values().filter([](int value) { return value > 100; }), receive);
    auto both = swo::combine(number.new_values(), doubled.new_values()).observe([&](int one, int two) {
        received.push_back(one * 1000 + two);
    });
    must(received == std::vector<int>{2} && observer.count() == 3);
    must(doubled.new_values().latest() == 2);
    number.set(100);
    must(received.size() >= 5 && received.back() == 100200);
    auto shared = doubled.share();
    must(shared.get() == 200);
    swo::derived<int> moved = std::move(doubled);
    must(moved.get() == 200 && thrown_by([&] { doubled.get(); }).find("moved from") != std::string::npos);
}

TEST(a_temporary_one_is_kept_by_its_observation) {
    swo::variable<int> number(1);
    int received = 0;
    auto one =
        swo::derived([&] { return number.get() * 2; }).new_values().observe([&](int value) { received = value; });
    number.set(21);
    must(received == 42);
}

TEST(its_function_is_destroyed_once_with_it_and_keeps_what_is_shared_into_it) {
    auto counted = std::make_shared<int>(0);
    std::optional<swo::derived<int>> kept;
    {
        swo::variable<int> inner(5);
        kept.emplace([inner = inner.share(), counted] { return inner.get() + *counted; });
    }
    must(kept->get() == 5 && counted.use_count() == 2);
    kept.reset();
    must(counted.use_count() == 1);
}

// ---- Failures

TEST(what_its_function_throws_is_the_value_until_something_changes) {
    swo::variable<int> number(0);
    int runs = 0;
    swo::derived inverse([&] {
        runs++;
        if (number.get() == 0) throw std::domain_error("by zero");
        return 100 / number.get();
    });
    swo::derived next([&] { return inverse.get() + 1; });
    swo::derived guarded([&] {
        try {
            return inverse.get();
        } catch (const std::domain_error &) {
            return -1;
        }
    });
    must(thrown_by([&] { inverse.get(); }) == "by zero" && thrown_by([&] { inverse.get(); }) == "by zero");
    must(runs == 1);
    must(thrown_by([&] { next.get(); }) == "by zero" && guarded.get() == -1 && runs == 1);
    const std::exception *first = nullptr, *second = nullptr;
    try {
        inverse.get();
    } catch (const std::exception &error) {
        first = &error;
    }
    try {
        next.get();
    } catch (const std::exception &error) {
        second = &error;
    }
    must(first == second && first != nullptr);
    number.set(4);
    must(inverse.get() == 25 && next.get() == 26 && guarded.get() == 25);
}

TEST(a_set_rethrows_what_a_function_throws_that_is_observed) {
    swo::variable<int> number(1);
    swo::derived checked([&] { return number.get() < 0 ? throw std::range_error("negative") : number.get(); });
    std::vector<std::pair<int, int>> updates;
    auto one = checked.observe([&](swo::update<int> update) {
        updates.push_back({update.old_value, update.new_value});
    });
    must(thrown_by([&] { number.set(-1); }) == "negative" && number.get() == -1 && updates.empty());
    must(thrown_by([&] { number.set(2); }) == "nothing");
    must(updates == std::vector<std::pair<int, int>>{{1, 2}});
}

TEST(one_that_fails_can_be_observed) {
    swo::variable<int> number(-1);
    swo::derived checked([&] { return number.get() < 0 ? throw std::range_error("negative") : number.get(); });
    int received = 0, late = 0;
    auto one = checked.new_values().observe([&](int value) { received = value; });
    auto two = checked.observe([&](swo::update<int> update) { late = update.new_value; }, swo::options().replay(1));
    must(two.is_living());
    number.set(5);
    must(received == 5 && late == 5);
}

TEST(one_that_needs_its_own_value_names_the_way) {
    swo::variable<bool> is_circle(true);
    std::optional<swo::derived<int>> b;
    swo::derived a([&] { return is_circle.get() ? b->get() : 1; });
    b.emplace([&] { return a.get() + 1; });
    a.set_name("a"), b->set_name("b");
    std::string names;
    try {
        a.get();
    } catch (const swo::cycle_error &error) {
        names = error.names();
        must(std::string(error.what()).find(names) != std::string::npos && error.status() == SWO_CYCLE);
    }
    must(names.find("a -> b -> a") != std::string::npos || names.find("b -> a -> b") != std::string::npos);
    must(is_thrown(SWO_CYCLE, [&] { b->get(); }));
    is_circle.set(false);
    must(a.get() == 1 && b->get() == 2);
}

TEST(a_function_changes_nothing) {
    swo::variable<int> number(1), other(0);
    swo::derived setting([&] { return other.set(5), number.get(); });
    swo::derived transacting([&] { return swo::transaction([&] { return number.get(); }); });
    must(is_thrown(SWO_COMPUTING, [&] { setting.get(); }) && other.get() == 0);
    must(is_thrown(SWO_COMPUTING, [&] { transacting.get(); }));
}

// ---- Transactions and snapshots

TEST(a_transaction_is_one_turn_and_reads_what_it_has_set) {
    swo::variable<int> one(1), other(2);
    int runs = 0;
    swo::derived sum([&] { return runs++, one.get() + other.get(); });
    std::vector<int> sums;
    auto observed = sum.new_values().observe([&](int value) { sums.push_back(value); });
    runs = 0;
    const int inside = swo::transaction([&] {
        one.set(10), other.set(20), one.set(100);
        return sum.get();
    });
    must(inside == 120 && sums == std::vector<int>{120} && one.get() == 100);
}

TEST(a_transaction_that_throws_has_not_happened) {
    swo::variable<int> one(1), other(2);
    int received = 0;
    auto observed = one.observe([&] { received++; });
    must(thrown_by([&] {
             swo::transaction([&] {
                 one.set(10), other.set(20);
                 throw std::runtime_error("no");
             });
         }) == "no");
    must(one.get() == 1 && other.get() == 2 && received == 0 && swo_transaction_depth() == 0);
    swo::transaction([&] {
        one.set(10);
        must(thrown_by([&] {
                 swo::transaction([&] {
                     other.set(20);
                     throw std::runtime_error("inner");
                 });
             }) == "inner");
        must(other.get() == 2);
    });
    must(one.get() == 10 && other.get() == 2 && received == 1);
}

TEST(a_transaction_rethrows_what_handlers_throw_when_it_has_happened) {
    swo::variable<int> one(1);
    auto observed = one.observe([] { throw std::runtime_error("handler"); });
    must(thrown_by([&] { swo::transaction([&] { one.set(2); }); }) == "handler");
    must(one.get() == 2 && swo_transaction_depth() == 0);
}

TEST(a_transaction_whose_reads_another_thread_has_changed_runs_again) {
    swo::variable<int> number(1);
    int calls = 0;
    swo::transaction([&] {
        const int read = number.get();
        if (calls++ == 0) std::thread([&] { number.set(10); }).join();
        number.set(read + 1);
    });
    must(calls == 2 && number.get() == 11);
}

TEST(no_thread_sees_half_of_a_transaction) {
    swo::variable<int> one(0), other(0);
    swo::derived sum([&] { return one.get() + other.get(); });
    std::atomic<bool> ended{false};
    std::thread reader([&] {
        while (!ended) {
            must(sum.get() == 0);
            must(swo::snapshot([&] { return one.get() + other.get(); }) == 0);
        }
    });
    for (int turn = 1; turn <= 2000; turn++) {
        swo::transaction([&] { one.set(turn), other.set(-turn); });
    }
    ended = true;
    reader.join();
}

TEST(a_snapshot_returns_and_throws_what_its_function_does) {
    swo::variable<int> number(1);
    int &referred = swo::snapshot([&]() -> int & {
        static int kept = 5;
        return kept;
    });
    must(referred == 5 && swo::snapshot([&] { return std::make_unique<int>(number.get()); }) != nullptr);
    must(thrown_by([&] { swo::snapshot([] { throw std::runtime_error("shot"); }); }) == "shot");
    must(thrown_by([&] { swo::untracked([] { throw std::runtime_error("loose"); }); }) == "loose");
    swo::snapshot([&] {
        std::thread([&] { number.set(2); }).join();
        const int before = number.get();
        std::thread([&] { number.set(3); }).join();
        must(number.get() == before);
    });
    must(number.get() == 3);
}

// ---- Effects

TEST(an_effect_runs_now_and_once_after_each_turn) {
    swo::variable<int> one(1), other(2);
    std::vector<int> sums;
    auto effect = swo::effect([&] { sums.push_back(one.get() + other.get()); });
    must(sums == std::vector<int>{3});
    swo::transaction([&] { one.set(10), other.set(20); });
    must(sums == std::vector<int>{3, 30});
    effect.stop();
    one.set(100);
    must(sums.size() == 2 && !effect.is_living());
}

TEST(the_function_that_an_effect_returns_is_its_clean_up) {
    swo::variable<int> number(1);
    std::string words;
    {
        auto effect = swo::effect([&] {
            const int now = number.get();
            words += "+" + std::to_string(now);
            return [&words, now] { words += "-" + std::to_string(now); };
        });
        number.set(2);
        must(words == "+1-1+2");
    }
    must(words == "+1-1+2-2");
}

TEST(an_observer_keeps_effects_and_a_queue_runs_them) {
    swo::variable<int> number(1);
    int seen = 0, later = 0;
    swo::queue queue;
    swo::observer observer;
    observer.effect([&] { seen = number.get(); });
    auto id = observer.effect([&] { later = number.get(); }, swo::effect_options().on(queue).named("later"));
    must(observer.count() == 2 && seen == 1 && later == 0 && id.is_living());
    queue.drain();
    must(later == 1);
    number.set(2);
    must(seen == 2 && later == 1);
    queue.drain();
    must(later == 2);
    observer.stop();
    number.set(3);
    must(seen == 2 && !id.is_living());
}

TEST(an_effect_whose_first_run_throws_does_not_begin_and_a_later_one_stays) {
    swo::variable<int> number(1);
    must(thrown_by([&] { auto one = swo::effect([&] { throw std::runtime_error(std::to_string(number.get())); }); }) ==
         "1");
    int runs = 0;
    auto effect = swo::effect([&] {
        runs++;
        if (number.get() == 2) throw std::runtime_error("two");
    });
    must(thrown_by([&] { number.set(2); }) == "two" && effect.is_living());
    must(thrown_by([&] { number.set(3); }) == "nothing" && runs == 3);
    swo::queue queue;
    auto late = swo::effect(
        [&] {
            if (number.get() == 4) throw std::runtime_error("four");
        },
        swo::effect_options().on(queue));
    queue.drain();
    number.set(4);
    must(thrown_by([&] { queue.drain(); }) == "four");
}

// ---- What newcomers write: whether a form can be sent

struct form {
    swo::variable<std::string> name{""}, address{""}, age{""};
    swo::derived<bool> has_name{[this] { return !name.get().empty(); }};
    swo::derived<bool> has_address{[this] { return address.get().find('@') != std::string::npos; }};
    swo::derived<int> years{[this] { return std::stoi(age.get()); }};
    swo::derived<bool> is_adult{[this] {
        try {
            return years.get() >= 18;
        } catch (const std::logic_error &) {
            return false;
        }
    }};
    swo::derived<bool> can_be_sent{[this] { return has_name.get() && has_address.get() && is_adult.get(); }};
};

TEST(a_form_says_when_it_can_be_sent) {
    form filled;
    std::vector<bool> button;
    auto shown = swo::effect([&] { button.push_back(filled.can_be_sent.get()); });
    filled.name.set("Ada");
    filled.age.set("36");
    filled.address.set("ada");
    must(button == std::vector<bool>{false});
    filled.address.set("ada@example.org");
    must(button == std::vector<bool>{false, true});
    swo::transaction([&] { filled.name.set("Byron"), filled.age.set("thirty"), filled.age.set("35"); });
    must(button == std::vector<bool>{false, true});
    filled.age.set("?");
    must(button == std::vector<bool>{false, true, false} && thrown_by([&] { filled.years.get(); }) == "stoi");
}

TEST(a_chain_of_a_hundred_thousand_is_read_set_and_released) {
    swo::variable<int> number(0);
    std::vector<swo::derived<int>> chain;
    chain.reserve(100'000);
    chain.emplace_back([&] { return number.get() + 1; });
    while (chain.size() < 100'000) {
        chain.emplace_back([&before = chain.back()] { return before.get() + 1; });
        // Each is read when it is made: what is read first at the end of a chain runs one function inside the other.
        must(chain.back().get() == int(chain.size()));
    }
    number.set(1);
    must(chain.back().get() == 100'001);
}

TEST(a_chain_in_which_each_function_owns_the_variable_before_is_released_in_a_loop) {
    swo::variable<int> number(0);
    swo::derived<int> last([&] { return number.get() + 1; });
    for (int length = 1; length < 100'000; length++) {
        swo::derived<int> next([last = std::move(last)] { return last.get() + 1; });
        must(next.get() == length + 1);
        last = std::move(next);
    }
    number.set(1);
    must(last.get() == 100'001);
}

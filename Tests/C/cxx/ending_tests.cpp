// SPDX-License-Identifier: MIT
// How observers end while handlers run, and what happens to the observations of objects that die.
#include "counting.hpp"
#include "support.hpp"
#include <atomic>
#include <memory>
#include <swiftobserver.hpp>
#include <thread>

// A handler that is running when its observation is stopped, and goes on for long.
struct slow_handler {
    std::atomic<bool> is_inside{false};
    std::atomic<bool> has_finished{false};
    std::atomic<swo_observation> id{0};

    void operator()() {
        is_inside = true;
        while (id == 0 || swo_is_living(id)) std::this_thread::yield();
        for (int turn = 0; turn < 2000; turn++) std::this_thread::yield();
        has_finished = true;
    }
    void wait_until_inside() {
        while (!is_inside) std::this_thread::yield();
    }
};

// A class as it is recommended.
class display {
  public:
    display(const swo::messenger<int> &numbers, slow_handler &slow) : slow_(slow) {
        slow.id = observer_.observe(numbers, &display::show, this).raw();
    }

  private:
    void show(int number) {
        slow_();
        text_ = "number " + std::to_string(number) + ", a text that is too long for the object itself";
    }
    slow_handler &slow_;
    std::string text_ = "a text that is too long for the object itself, to begin with";
    swo::observer observer_;
};

TEST(an_object_whose_observer_is_a_member_dies_when_its_handler_has_returned) {
    swo::messenger<int> numbers;
    slow_handler slow;
    auto shown = std::make_unique<display>(numbers, slow);
    std::thread sender([&] { numbers.send(1); });
    slow.wait_until_inside();
    shown.reset();
    must(slow.has_finished && numbers.count() == 0);
    sender.join();
}

TEST(the_end_of_an_observer_waits_for_what_another_thread_drains) {
    swo::messenger<int> numbers;
    swo::queue queue;
    slow_handler slow;
    auto observer = std::make_unique<swo::observer>();
    slow.id = observer
                  ->observe(
                      numbers, [&] { slow(); }, swo::options().on(queue))
                  .raw();
    numbers.send(1);
    std::thread drainer([&] { queue.drain(); });
    slow.wait_until_inside();
    observer.reset();
    must(slow.has_finished);
    drainer.join();
}

TEST(an_observer_can_be_stopped_and_waited_for) {
    swo::messenger<int> numbers;
    slow_handler slow;
    swo::observer observer;
    slow.id = observer.observe(numbers, [&] { slow(); }).raw();
    std::thread sender([&] { numbers.send(1); });
    slow.wait_until_inside();
    must(observer.stop_and_wait() && slow.has_finished);
    sender.join();
    must(!observer.stop_and_wait());
    int received = 0;
    observer.observe(numbers, [&] { received++; });
    numbers.send(2);
    must(received == 1);
}

TEST(the_last_owner_of_an_observer_ends_it) {
    swo::messenger<int> numbers;
    int received = 0;
    auto first = std::make_unique<swo::observer>();
    first->observe(numbers, [&] { received++; });
    {
        swo::observer second = first->share();
        first.reset();
        numbers.send(1);
        must(received == 1 && second.count() == 1);
    }
    numbers.send(2);
    must(received == 1 && numbers.count() == 0);
    swo::observer one, moved = std::move(one), none = one.share();
    must(one.raw() == nullptr && none.raw() == nullptr && !one.stop() && one.count() == 0);
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] {
        swo::messenger<int> here, elsewhere = std::move(here);
        moved.observe(here, [] {});
    }));
}

TEST(an_observer_that_ends_inside_its_own_handler_does_not_wait) {
    swo::messenger<int> numbers;
    auto observer = std::make_unique<swo::observer>();
    int received = 0;
    observer->observe(numbers, [&, held = counted()](int) {
        received++;
        observer.reset();
        must(counted::living == 1);
    });
    observer->observe(numbers, [&] { received += 10; });
    numbers.send(1);
    must(received == 1 && counted::living == 0 && numbers.count() == 0);
}

// An object that is watched.
struct screen {
    std::string shown;
    void show(int number) { shown += std::to_string(number) + " "; }
    void show_with_author(int number, const void *author) { shown += std::to_string(number) + (author ? "! " : "? "); }
    void note() { shown += "note "; }
    void show_text(const std::string &text) { shown += text; }
    void show_update(swo::update<int> update) { show(update.new_value); }
    void show_both(swo::update<int> one, swo::update<int> other) { show(one.new_value * other.new_value); }
};

TEST(the_observation_of_an_object_ends_when_that_is_gone) {
    swo::messenger<int> numbers;
    auto object = std::make_shared<screen>();
    std::weak_ptr<screen> weak = object;
    int without = 0;
    auto one = numbers.observe(weak, [](screen &shown, int number) { shown.show(number); });
    auto two = numbers.observe(object, [&](int number) { without += number; });
    auto three = numbers.observe(&screen::show, object);
    auto four = numbers.observe(weak, &screen::show_with_author);
    auto five = numbers.observe(&screen::note, weak);
    must(object.use_count() == 1);
    numbers.send(1);
    must(object->shown == "1 1 1! note " && without == 1 && numbers.count() == 5);
    object.reset();
    numbers.send(2);
    must(without == 1 && numbers.count() == 0 && !one.is_living() && !five.is_living());
}

TEST(an_object_lives_as_long_as_its_handler_runs) {
    swo::messenger<int> numbers;
    auto object = std::make_shared<screen>();
    std::weak_ptr<screen> weak = object;
    auto observation = numbers.observe(weak, [&](screen &shown) {
        object.reset();
        must(!weak.expired());
        shown.note();
        must(shown.shown == "note ");
    });
    numbers.send(1);
    must(weak.expired());
    numbers.send(2);
    must(!observation.is_living());
}

TEST(an_object_that_is_gone_before_its_replay_is_not_observed) {
    swo::variable<int> number(1);
    std::weak_ptr<screen> gone = std::make_shared<screen>();
    auto observation = number.observe(gone, &screen::show_update, swo::options().replay(1));
    must(!observation.is_living() && number.count() == 0);
    auto object = std::make_shared<screen>();
    auto other = number.observe(object, &screen::show_update, swo::options().replay(1).once());
    must(object->shown == "1 " && !other.is_living());
}

TEST(observers_combinations_and_temporaries_take_objects_too) {
    swo::messenger<std::string> names;
    swo::variable<int> width(2), height(3);
    swo::queue queue;
    swo::observer observer;
    auto object = std::make_shared<screen>();
    observer.observe(names, &screen::show_text, object);
    observer.observe(width.new_values(), object, &screen::show, swo::options().on(queue));
    observer.observe(swo::combine(width, height), &screen::show_both, object);
    auto both = swo::combine(width, height).observe(object, [](screen &shown, auto, auto) { shown.note(); });
    auto doubled = width.new_values().map([](int one) { return one * 2; }).observe(&screen::show, object.get());
    names.send("text ");
    width.set(4);
    must(object->shown == "text 12 note 8 ");
    queue.drain();
    must(object->shown == "text 12 note 8 4 ");
    doubled.stop();
    object.reset();
    names.send("gone");
    width.set(5);
    queue.drain();
    must(observer.count() == 0 && !both.is_living() && width.count() == 0);
}

TEST(objects_die_while_other_threads_send) {
    swo::messenger<int> numbers;
    std::atomic<bool> ends{false};
    std::thread sender([&] {
        while (!ends) numbers.send(1);
    });
    for (int turn = 0; turn < 300; turn++) {
        auto object = std::make_shared<screen>();
        numbers.observe(object, &screen::show).release();
    }
    ends = true;
    sender.join();
    numbers.send(1);
    must(numbers.count() == 0);
}

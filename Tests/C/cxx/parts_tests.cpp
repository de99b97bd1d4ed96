// SPDX-License-Identifier: MIT
// A program and the libraries that it loads have the same types and exceptions, whatever they hide: from each other,
// and from all (RTLD_LOCAL; this program shows nothing).
#include "parts/part.hpp"
#include "support.hpp"
#include <dlfcn.h>
#include <filesystem>

namespace {
struct secret {
    std::string text;
};
} // namespace

struct loaded {
    void *library;
    const loaded_part &part;
    explicit loaded(const char *visibility) : library(open(visibility)), part(*find(library)) {}
    loaded(const loaded &) = delete;
    ~loaded() {
        part.stop();
        dlclose(library);
    }

  private:
    static void *open(const char *visibility) {
        const std::string path =
            (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "parts" / visibility).string() + ".so";
        void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
        must(library != nullptr);
        return library;
    }
    static const loaded_part *find(void *library) {
        auto *part = static_cast<const loaded_part *>(dlsym(library, "the_part"));
        must(part != nullptr);
        return part;
    }
};

static const char *const both[] = {"shown", "hidden"};

TEST(objects_and_pointers_reach_a_library_that_is_loaded) {
    for (const char *visibility : both) {
        part_of_process here;
        loaded there(visibility);
        there.part.observe(here);
        song one{"one"};
        here.songs.send(one);
        here.lists.send({1, 2, 3});
        here.pointers.send(&one);
        here.constants.send(&one);
        must(here.received == "one 3 *one **one ");
    }
}

TEST(an_unnamed_type_is_each_files_own) {
    for (const char *visibility : both) {
        part_of_process here;
        loaded there(visibility);
        swo::messenger<secret> secrets;
        there.part.observe_secrets(here, secrets.raw());
        std::string received;
        auto observation = secrets.observe([&](const secret &secret) { received = secret.text; });
        secrets.send({"secret"});
        must(received == "secret" && here.received.empty());
    }
}

TEST(objects_of_several_parts_are_equal) {
    for (const char *visibility : both) {
        part_of_process here;
        loaded there(visibility);
        int updates = 0;
        auto observation = here.current.observe([&] { updates++; });
        auto repeats = here.songs.skip_repeats();
        int sent = 0;
        auto other = repeats.observe([&] { sent++; });
        here.current.set(song{"one"});
        there.part.set(here, "one");
        must(updates == 1);
        there.part.set(here, "two");
        must(updates == 2 && here.current.get().title == "two");
        here.current.set(song{"none"});
    }
}

TEST(an_exception_crosses_from_one_part_to_the_other) {
    for (const char *visibility : both) {
        part_of_process here;
        loaded there(visibility);
        there.part.observe(here);
        must(thrown_by([&] { here.numbers.send(1); }) == "of the library");
        must(here.numbers.try_send(1) == SWO_CALLBACK_FAILED && thrown_by([&] { here.numbers.send(2); }) == "nothing");
        auto observation = here.numbers.observe([](int number) {
            if (number == 3) throw std::runtime_error("of the program");
        });
        must(there.part.send(here, 3) == "of the program" && there.part.send(here, 4) == "nothing");
    }
}

TEST(an_exception_reaches_the_innermost_send_of_all_parts) {
    for (const char *visibility : both) {
        part_of_process here, inside;
        loaded there(visibility);
        auto failing = inside.numbers.observe([](int) { throw std::runtime_error("inner"); });
        std::string caught;
        auto first = here.numbers.observe([](int) { throw std::runtime_error("outer"); });
        auto second = here.numbers.observe([&](int) { caught = there.part.send(inside, 1); });
        must(thrown_by([&] { here.numbers.send(1); }) == "outer" && caught == "inner");
        there.part.observe(inside);
        must(there.part.send(here, 1) == "outer" && caught == "of the library");
    }
}

TEST(a_drain_rethrows_what_another_part_throws) {
    for (const char *visibility : both) {
        part_of_process here;
        swo::queue queue;
        loaded there(visibility);
        there.part.observe_on(here, queue);
        here.numbers.send(1);
        must(thrown_by([&] { queue.drain(); }) == "on a queue");
        there.part.stop();
        auto observation =
            here.numbers.observe([](int) { throw std::runtime_error("here"); }, swo::options().on(queue));
        here.numbers.send(1);
        must(there.part.drain(queue) == "here");
    }
}

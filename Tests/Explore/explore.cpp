// SPDX-License-Identifier: MIT
// Explores what threads can do with an observable, in every order:
//
//     explore                              each pair on each fixture
//     explore -3                           each triple, with at most three interruptions
//     explore "fixture: one / another"       one program (a part of its name)
//     explore "fixture: one / another" -s t0x4,f0,t1   one schedule of it, with its trace
//     explore "fixture: one / another" -t    what its schedules have done, for Tests/Models
#include "programs.hpp"
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

void check_litmus();
extern "C" void platform_let_pass(void);
extern "C" void explore_end_thread(void);
bool is_raised(int event);
void forget_passing();
extern "C" struct { uintptr_t sends, variables; } platform_passes;
std::string traced();
void check_offers();

namespace {

const Fixture *fixture;
const Call *calls[most_threads];
int threads;
bool isTracing;
std::set<std::string> traces;

bool closes() {
    for (int one = 0; one < threads; one++)
        if (calls[one]->closes) return true;
    return false;
}

void prepare() {
    auto log = std::move(world.log);
    world = World();
    forget_passing();
    log.clear();
    world.log = std::move(log);
    fixture->make();
    world.closes = closes();
    for (int one = 0; one < threads; one++)
        if (calls[one]->expect) calls[one]->expect(one);
    for (int one = 0; one < world.observers; one++) begin_observing(one, -1);
    if (world.closes)
        for (int one = 1; one < threads; one++) swo_observable_retain(world.isDerived ? world.observed : world.subject);
}

void begin(int thread) {
    if (thread != 0) return;
    if (world.isConfined) {
        swo_executor home;
        if (swo_queue_executor(world.queue, &home) != SWO_OK || swo_observable_confine(world.subject, &home) != SWO_OK)
            broken("cannot confine");
    }
    swo_value value = swo_int64(0);
    for (int one = 0; one < fixture->uses; one++) {
        value.as.int64 = world.isQueued ? world.sent[0]++ : one;
        if (world.isVariable) {
            swo_value got;
            if (swo_variable_get(world.subject, &got) != SWO_OK) broken("cannot get");
        } else if (swo_send(world.subject, &value, nullptr) != SWO_OK) {
            broken("cannot send");
        }
    }
}

void run(int thread) {
    world.isLogged = true;
    calls[thread]->run(thread);
    if (world.closes) give_up(thread);
    explore_end_thread();
}

void finish() {
    if (isTracing) traces.insert(traced());
    if (fixture->bit & (messenger | offering_messenger)) check_offers();
    // What is confined sends on its thread, and its jobs run there.
    if (world.isConfined) machine.current = 0;
    // What waits in line is taken over, by a message of no sender.
    swo_value last = swo_int64(960);
    if (world.mayWait && !world.closes && swo_send(world.subject, &last, nullptr) != SWO_OK) broken("cannot send");
    // A transform keeps its source, and with it what waits there.
    if (world.mayWait && world.closes && world.observed != world.subject) world.mayMiss = true;
    for (size_t run = 1; world.isQueued && run > 0;) {
        bool isAwake = is_raised(swo_queue_fd(world.queue));
        if (swo_queue_drain(world.queue, 0, &run) != SWO_OK) broken("cannot drain");
        if (run > 0 && !isAwake) broken("something waits in a queue whose descriptor is not raised");
    }
    machine.current = -1;
    if (world.clock && swo_clock_advance(world.clock, 2) != SWO_OK) broken("a clock cannot be turned");
    if (world.isDerived && !world.closes) look_at_once();
    check_laws();
    world.isLogged = false;
    for (const Slot &slot : world.slot)
        if (slot.isEffect) swo_stop(slot.id);
    if (!world.closes) give_up(most_threads);
    if (world.observed != world.subject) swo_observable_release(world.isDerived ? world.subject : world.observed);
    for (swo_observable *one : world.kept) swo_observable_release(one);
    if (world.clock && swo_clock_waiting(world.clock) != 0) broken("what nothing observes waits (law 37)");
    if (world.clock) swo_clock_release(world.clock);
    if (world.other) swo_observable_release(world.other);
    if (world.queue) swo_queue_release(world.queue);
    explore_end_thread();
    for (int one = 0; one < slots; one++) {
        Slot &slot = world.slot[one];
        if (slot.isUsed && slot.destroyed != 1)
            broken("the context of observation %d is destroyed %d times (law 12)", one, slot.destroyed);
    }
}

// What is done, in the calls of the library.
std::string story() {
    std::string text = "  before   " + std::string(fixture->story);
    if (fixture->uses > 0) text += " and thread 0 uses it " + std::to_string(fixture->uses) + " times";
    for (int one = 0; one < threads; one++)
        text +=
            "\n  thread " + std::to_string(one) + " " + calls[one]->story + (world.closes ? " and gives it up" : "");
    return text + "\n";
}

struct Program {
    const Fixture *fixture;
    std::vector<const Call *> calls;
    std::string name;
};

// A handler may use what its caller owns: so none that uses the observable goes with one that gives it up.
bool fit(const std::vector<size_t> &picked, const std::vector<const Call *> &possible) {
    bool releases = false, uses = false;
    for (size_t one : picked) {
        std::string name = possible[one]->name;
        bool isInHandler = name.find("in a handler") != std::string::npos;
        releases |= name == "release in a handler";
        uses |= isInHandler && name != "release in a handler";
    }
    return !(releases && uses);
}

// All that can be combined. Where thread 0 is as good as another one the order makes no difference.
std::vector<Program> programs(int threads) {
    std::vector<Program> all;
    for (const Fixture &fixture : all_fixtures()) {
        std::vector<const Call *> possible;
        for (const Call &call : all_calls)
            if (call.fixtures & fixture.bit) possible.push_back(&call);
        std::vector<size_t> picked(threads, 0);
        for (;;) {
            size_t begin = fixture.uses > 3 || fixture.bit == confined_messenger ? 1 : 0;
            if (std::is_sorted(picked.begin() + begin, picked.end()) && fit(picked, possible)) {
                Program program{&fixture, {}, std::string(fixture.name) + ": "};
                for (size_t one : picked) {
                    if (!program.calls.empty()) program.name += " / ";
                    program.calls.push_back(possible[one]);
                    program.name += possible[one]->name;
                }
                all.push_back(program);
            }
            int place = threads - 1;
            while (place >= 0 && ++picked[place] == possible.size()) picked[place--] = 0;
            if (place < 0) break;
        }
    }
    return all;
}

struct Options {
    int threads = 2, bound = -1, jobs = 2;
    uint64_t limit = UINT64_MAX;
    std::string part, schedule;
    size_t share = 1;    // one of so many programs
    bool counts = false; // interruptions, where all schedules are too many
    bool isQuiet = false;
    std::string file; // of results: what is in it is not explored again
} options;

struct Result {
    uint64_t schedules, redundant, steps, limit;
    bool isWhole;
    int bound; // of a program that is not whole: with so many interruptions it is, or -1
    double seconds;
};

Result explore(const Program &program) {
    fixture = program.fixture;
    threads = static_cast<int>(program.calls.size());
    for (int one = 0; one < threads; one++) calls[one] = program.calls[one];
    Machine::Program machined{program.name, threads, platform_let_pass, prepare, begin, run, finish, story};
    machine.search.bound = options.bound;
    timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    bool isWhole = machine.explore(machined, options.limit);
    Result result{machine.search.schedules, machine.search.redundant, machine.steps, options.limit, isWhole, -1, 0};
    // Where all are too many: with no interruption, with one, ...
    for (int bound = 0; !isWhole && options.bound < 0 && options.counts; bound++) {
        machine.search.bound = bound;
        const bool isReached = machine.explore(machined, options.limit);
        result.schedules += machine.search.schedules;
        if (!isReached) break;
        result.bound = bound;
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    result.seconds =
        static_cast<double>(after.tv_sec - before.tv_sec) + static_cast<double>(after.tv_nsec - before.tv_nsec) / 1e9;
    return result;
}

// What has been explored, by its name: its schedules, those cut short, its steps, the limit, whether that was all, the
// interruptions, seconds. A program can be there several times, and the last counts.
std::map<std::string, Result> read_results() {
    std::map<std::string, Result> results;
    FILE *file = options.file.empty() ? nullptr : fopen(options.file.c_str(), "r");
    char name[200];
    Result one;
    int isWhole;
    while (file != nullptr && fscanf(file, "%199[^\t]\t%lu\t%lu\t%lu\t%lu\t%d\t%d\t%lf\n", name, &one.schedules,
                                     &one.redundant, &one.steps, &one.limit, &isWhole, &one.bound, &one.seconds) == 8) {
        one.isWhole = isWhole;
        results[name] = one;
    }
    if (file != nullptr) fclose(file);
    return results;
}

void write_result(const std::string &name, const Result &one) {
    FILE *file = options.file.empty() ? nullptr : fopen(options.file.c_str(), "a");
    if (file == nullptr) return;
    fprintf(file, "%s\t%lu\t%lu\t%lu\t%lu\t%d\t%d\t%.1f\n", name.c_str(), one.schedules, one.redundant, one.steps,
            one.limit, one.isWhole, one.bound, one.seconds);
    fclose(file);
}

void print(const std::string &name, const Result &one) {
    printf("%-72s %9lu schedules%s", name.c_str(), one.schedules, one.isWhole ? "" : " (not all)");
    if (one.bound >= 0) printf(", all with at most %d interruption%s", one.bound, one.bound == 1 ? "" : "s");
    printf(", %lu cut short, %.1f s\n", one.redundant, one.seconds);
}

// @return The status of the process.
int summarize(const std::vector<Program> &all, const std::map<std::string, Result> &results, int failed) {
    uint64_t schedules = 0;
    size_t whole = 0;
    std::map<int, size_t> bounded;
    for (const Program &program : all) {
        auto found = results.find(program.name);
        if (found == results.end()) continue;
        schedules += found->second.schedules;
        if (found->second.isWhole)
            whole++;
        else
            bounded[found->second.bound]++;
    }
    for (const auto &[bound, count] : bounded)
        if (bound >= 0)
            printf("%zu programs: all schedules with at most %d interruption%s\n", count, bound, bound == 1 ? "" : "s");
    printf("%zu programs, %lu schedules, %zu programs not to the end, %d failed\n", all.size(), schedules,
           all.size() - whole - static_cast<size_t>(failed), failed);
    return failed > 0;
}

// Each in a process of its own, so that one that fails leaves the others alone.
int explore_all(const std::vector<Program> &all) {
    struct Running {
        pid_t process;
        int pipe;
        const Program *program;
    };
    std::vector<Running> running;
    std::map<std::string, Result> results;
    for (const auto &[name, one] : read_results())
        if (one.isWhole || one.limit >= options.limit) results[name] = one;
    int failed = 0;
    size_t next = 0;
    fflush(stdout);
    while (next < all.size() || !running.empty()) {
        while (next < all.size() && static_cast<int>(running.size()) < options.jobs) {
            const Program &program = all[next++];
            if (results.count(program.name)) continue;
            int ends[2];
            if (pipe(ends) != 0) abort();
            pid_t process = fork();
            if (process == 0) {
                Result result = explore(program);
                if (write(ends[1], &result, sizeof result) != sizeof result) _exit(3);
                _exit(0);
            }
            close(ends[1]);
            running.push_back({process, ends[0], &program});
        }
        int status;
        pid_t process = wait(&status);
        for (size_t one = 0; one < running.size(); one++) {
            if (running[one].process != process) continue;
            const std::string &name = running[one].program->name;
            Result result{};
            bool isRead = read(running[one].pipe, &result, sizeof result) == sizeof result;
            close(running[one].pipe);
            if (!isRead || status != 0) {
                failed++;
                printf("%-72s FAILED\n", name.c_str());
            } else {
                results[name] = result;
                write_result(name, result);
                if (!options.isQuiet) print(name, result);
            }
            fflush(stdout);
            running.erase(running.begin() + static_cast<long>(one));
            break;
        }
    }
    return summarize(all, results, failed);
}

// What the library keeps for ever: memory for the records of observations under each lock, and regions.
void warm_up() {
    arena.begin();
    platform_passes = {3, 4}; // So that two threads look early.
    for (int one = 0; one < 64; one++) {
        swo_observable *observable = swo_messenger_new();
        swo_observe(
            observable, nullptr, [](void *, const swo_value *, const void *) {}, nullptr, nullptr, nullptr);
        swo_observable_release(observable);
    }
    struct {
        swo_observable *variable, *derived;
    } all[16];
    auto read = [](void *from, swo_value *out) { return swo_variable_get(static_cast<swo_observable *>(from), out); };
    for (auto &one : all) {
        swo_value value = swo_int64(0);
        must(swo_variable_new(&value, &one.variable));
        must(swo_derived_new(read, one.variable, nullptr, &one.derived));
        must(swo_variable_get(one.derived, &value));
    }
    for (auto &one : all) {
        swo_observable_release(one.derived);
        swo_observable_release(one.variable);
    }
    explore_end_thread();
    arena.keep();
}

// A name, or a part of it.
bool is_wanted(const std::string &name) {
    if (options.part.find(" / ") != std::string::npos) return name == options.part;
    return name.find(options.part) != std::string::npos;
}

std::vector<Fixture> &known() {
    static std::vector<Fixture> fixtures;
    return fixtures;
}

} // namespace

Known::Known(const Fixture &fixture) {
    auto after = [&](const Fixture &one) { return one.bit > fixture.bit; };
    known().insert(std::find_if(known().begin(), known().end(), after), fixture);
}
const std::vector<Fixture> &all_fixtures() { return known(); }

int main(int count, char **arguments) {
    setvbuf(stdout, nullptr, _IOLBF, 0);
    // What is noted of a thread once stands before all schedules, so that the first is as the others.
    platform_let_pass();
    for (int option; (option = getopt(count, arguments, "23b:cj:l:n:qr:s:t")) != -1;) {
        switch (option) {
        case '2':
            options.threads = 2;
            break;
        case '3':
            options.threads = 3;
            break;
        case 'b':
            options.bound = atoi(optarg);
            break;
        case 'c':
            options.counts = true;
            break;
        case 'j':
            options.jobs = atoi(optarg);
            break;
        case 'l':
            options.limit = strtoull(optarg, nullptr, 10);
            break;
        case 'n':
            options.share = strtoul(optarg, nullptr, 10);
            break;
        case 'q':
            options.isQuiet = true;
            break;
        case 'r':
            options.file = optarg;
            break;
        case 's':
            options.schedule = optarg;
            break;
        case 't':
            isTracing = true;
            break;
        default:
            return 2;
        }
    }
    if (optind < count) options.part = arguments[optind];
    if (options.part == "litmus") {
        check_litmus();
        return 0;
    }
    warm_up();
    std::vector<Program> all;
    size_t number = 0;
    for (const Program &one : programs(options.threads))
        if (is_wanted(one.name) && number++ % options.share == 0) all.push_back(one);
    if (!options.schedule.empty()) {
        if (all.size() != 1) return fprintf(stderr, "%zu programs have such a name\n", all.size()), 2;
        machine.follow(options.schedule);
        explore(all[0]);
        fputs(machine.describe().c_str(), stdout);
        return 0;
    }
    if (isTracing) {
        for (const Program &one : all) explore(one);
        for (const std::string &one : traces) puts(one.c_str() + 1);
        return 0;
    }
    return explore_all(all);
}

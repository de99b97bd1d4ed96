// SPDX-License-Identifier: MIT
#include "machine.hpp"
#include "state_bits.hpp"
#include <cerrno>
#include <csignal>
#include <map>
#include <set>
#include <cstdarg>
#include <cstring>
#include <unistd.h>

Machine machine;
Arena arena;

// The library's variables, which explore.mk puts beside each other.
extern "C" char __start_library_data[], __stop_library_data[], __start_library_bss[], __stop_library_bss[];
static struct {
    std::vector<char> data, bss;
    void keep() {
        data.assign(__start_library_data, __stop_library_data);
        bss.assign(__start_library_bss, __stop_library_bss);
    }
    void restore() const {
        std::copy(data.begin(), data.end(), __start_library_data);
        std::copy(bss.begin(), bss.end(), __start_library_bss);
    }
} library;

// What a mutex is worth: whose it is, in its first word, plus one.
static uint32_t &owner_of(uintptr_t mutex) { return *reinterpret_cast<uint32_t *>(mutex); }

uint64_t Machine::read(uintptr_t address, uint8_t size) {
    uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<void *>(address), size);
    return value;
}

void Machine::write(uintptr_t address, uint8_t size, uint64_t value) {
    std::memcpy(reinterpret_cast<void *>(address), &value, size);
}

void Machine::check(uintptr_t address, const char *what) {
    if (arena.is_gone(reinterpret_cast<void *>(address))) broken("%s memory that has been freed", what);
}

// Where code is in the sources: the line, and from where that was inlined. Found for many at once, which takes as long.
static std::map<const void *, std::string> places;
static void find_places(const std::set<const void *> &all) {
    char name[] = "/tmp/explored.XXXXXX", command[256], line[512];
    FILE *addresses = fdopen(mkstemp(name), "w");
    for (const void *one : all) fprintf(addresses, "%#lx\n", reinterpret_cast<unsigned long>(one) - 1);
    fclose(addresses);
    snprintf(command, sizeof command, "addr2line -a -s -i -e /proc/%d/exe < %s", getpid(), name);
    FILE *pipe = popen(command, "r");
    std::string *text = nullptr;
    int shown = 0;
    while (pipe != nullptr && fgets(line, sizeof line, pipe) != nullptr) {
        if (strncmp(line, "0x", 2) == 0) {
            text = &(places[reinterpret_cast<void *>(strtoul(line, nullptr, 16) + 1)] = "");
            shown = 0;
            continue;
        }
        bool isOurs =
            !strstr(line, "Atomic") && !strchr(line, '<') && !strstr(line, "??") && !strstr(line, "CPlatform.h");
        if (!isOurs || text == nullptr || shown++ >= 3) continue;
        *text += (text->empty() ? "" : " < ") + std::string(line, strcspn(line, " \n"));
    }
    if (pipe != nullptr) pclose(pipe);
    unlink(name);
}
static const std::string &place_of(const void *from) {
    if (from != nullptr && places.count(from) == 0) find_places({from});
    return places[from];
}

// ------------------------------------------------------------- one schedule

void Machine::body(int thread) {
    machine.program.begin(thread);
    machine.threads[thread].fibre.pause();
    machine.act(Kind::begin);
    machine.program.run(thread);
    machine.threads[thread].isFinished = true;
}

void Machine::once() {
    search.begin();
    races.begin();
    changes = 0;
    idle = 0;
    for (Clock &clock : bufferClocks) clock = Clock();
    library.restore();
    own.restore();
    for (int one = 0; one < program.threads; one++) threads[one].fibre.locals.restore();
    arena.begin();
    program.prepare();
    for (int one = 0; one < program.threads; one++) {
        Thread &thread = threads[one];
        thread.isFinished = false;
        thread.held = thread.fences = thread.waits = 0;
        thread.ownChanges = thread.seenChanges = 0;
        thread.look.times = 0;
        thread.clock = Clock();
        thread.buffer.clear();
        current = one;
        thread.fibre.resume();
    }
    isExploring = true;
    for (int one = 0; one < program.threads; one++) {
        current = one;
        threads[one].fibre.resume();
    }
    for (;;) {
        Mask possible = enabled(false);
        if (possible == 0) {
            possible = enabled(true);
            if (possible == 0) break;
            if (++idle > 300) broken("no thread gets on: one waits for what never comes");
        }
        Operation next[processes];
        for (int one = 0; one < processes; one++) next[one] = next_of(one);
        int wanted = isReplaying && search.steps.size() < forced.size() ? forced[search.steps.size()] : -1;
        if (wanted >= 0 && !(possible & bit(wanted)))
            broken("the schedule does not fit: step %zu", search.steps.size());
        int chosen = search.choose(possible, next, wanted);
        if (chosen < 0) broken("the same beginning leads elsewhere: the program depends on more than the schedule");
        step(chosen);
        if (search.steps.size() > 50000) broken("50000 steps, and no end");
    }
    for (int one = 0; one < program.threads; one++)
        if (!threads[one].isFinished) broken("deadlock: thread %d waits for ever", one);
    isExploring = false;
    current = -1;
    program.finish();
    if (arena.living != 0) broken("%ld pieces of memory are left", arena.living);
    arena.end();
    steps += search.steps.size();
}

static void crash(int signal) { broken("the library crashes, or says what stands above: signal %d", signal); }

bool Machine::explore(const Program &program, uint64_t limit) {
    this->program = program;
    search.clear();
    for (int one : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP, SIGFPE}) signal(one, crash);
    steps = 0;
    own.keep();
    for (current = 0; current < program.threads; current++) {
        ThreadLocals &locals = threads[current].fibre.locals;
        threads[current].fibre.make(body, current);
        locals.enter();
        if (program.enter != nullptr) program.enter();
        own.enter();
        locals.keep();
    }
    current = -1;
    library.keep();
    for (;;) {
        once();
        if (isReplaying || !search.advance()) return true;
        if (search.schedules + search.redundant >= limit) return false;
    }
}

void Machine::follow(const std::string &schedule) {
    isReplaying = true;
    for (const char *at = schedule.c_str(); *at;) {
        char who;
        int thread, times = 1, length = 0;
        if (sscanf(at, "%c%d%n", &who, &thread, &length) != 2) broken("this is no schedule: %s", at);
        at += length;
        if (*at == 'x') times = static_cast<int>(strtol(at + 1, const_cast<char **>(&at), 10));
        if (*at == ',') at++;
        for (int one = 0; one < times; one++) forced.push_back(who == 'f' ? thread + most_threads : thread);
    }
}

// ------------------------------------------------------------------- steps

bool Machine::canGoOn(const Thread &thread, bool isIdle) const {
    if (thread.isFinished) return false;
    bool isFlushed = thread.buffer.empty();
    bool hasChanged = isIdle || changes - thread.ownChanges != thread.seenChanges;
    switch (thread.next.kind) {
    case Kind::rmw:
    case Kind::release:
    case Kind::free:
    case Kind::fence:
    case Kind::unlock:
    case Kind::wait:
    case Kind::signal:
    case Kind::futex_wait:
    case Kind::futex_wake:
        return isFlushed;
    case Kind::lock:
        return isFlushed && owner_of(thread.next.address) == 0;
    case Kind::signalled:
        return (thread.isAnnounced || (thread.isTimed && hasChanged)) && owner_of(thread.next.address) == 0;
    case Kind::futex_woken:
        return thread.isAnnounced;
    case Kind::yield:
        return hasChanged;
    case Kind::barrier:
        for (int one = 0; one < program.threads; one++)
            if (!threads[one].buffer.empty()) return false;
        return true;
    default:
        return true;
    }
}

Mask Machine::enabled(bool isIdle) const {
    Mask mask = 0;
    for (int one = 0; one < program.threads; one++) {
        if (canGoOn(threads[one], isIdle)) mask |= bit(one);
        if (!threads[one].buffer.empty()) mask |= bit(most_threads + one);
    }
    return mask;
}

Operation Machine::next_of(int process) const {
    const Thread &thread = threads[thread_of(process)];
    if (thread_of(process) >= program.threads) return {};
    if (!is_buffer(process)) {
        if (thread.isFinished) return {};
        Operation next = thread.next;
        if (thread.silent.asks && reduction == Reduction::effects)
            next.isSilent =
                thread.silent.asks(thread.silent.context, read(next.address, static_cast<uint8_t>(next.size)));
        for (const Store &store : thread.buffer)
            next.isForwarded |= next.kind == Kind::load && store.address == next.address;
        return next;
    }
    if (thread.buffer.empty()) return {};
    const Store &first = thread.buffer.front();
    return {Kind::flush, static_cast<uint8_t>(thread_of(process)),
            first.size,  first.address,
            0,           reduction == Reduction::effects && read(first.address, first.size) == first.value};
}

Clock Machine::clock_of(int process) const {
    if (!is_buffer(process)) return threads[process].clock;
    Clock clock = bufferClocks[process];
    clock.join(threads[thread_of(process)].buffer.front().clock);
    return clock;
}

void Machine::step(int process) {
    Thread &thread = threads[thread_of(process)];
    Step step;
    step.operation = next_of(process);
    step.process = process;
    step.from = is_buffer(process) ? thread.buffer.front().from : thread.from;
    step.says = thread.says;
    step.clock = clock_of(process);
    int number = static_cast<int>(search.steps.size()) + 1;
    // What a thread waits for its own store buffer with comes after what that has flushed.
    if (!is_buffer(process) && thread.buffer.empty() && !goes_ahead(step.operation.kind))
        step.clock.join(bufferClocks[process + most_threads]);
    const Clock before = step.clock;
    for (int other = 0; other < processes; other++) {
        const Step *one = search.latest(other, step.clock,
                                        [&](const Step &one) { return are_dependent(one.operation, step.operation); });
        if (one != nullptr) step.clock.join(one->clock);
    }
    search.meet(step, before);
    step.clock.at[process] = number;
    search.push(step);
    Kind kind = step.operation.kind;
    if (kind == Kind::flush || kind == Kind::rmw || kind == Kind::release || kind == Kind::unlock ||
        kind == Kind::wait || kind == Kind::signal || kind == Kind::futex_wake) {
        changes++;
        if (!is_buffer(process)) thread.ownChanges++;
        idle = 0;
    }
    if (is_buffer(process)) {
        bufferClocks[process] = step.clock;
        flush(thread_of(process));
    } else {
        thread.clock = step.clock;
        current = process;
        thread.fibre.resume();
    }
}

void Machine::flush(int one) {
    Thread &thread = threads[one];
    Store first = thread.buffer.front();
    thread.buffer.erase(thread.buffer.begin());
    check(first.address, "a store reaches");
    write(first.address, first.size, first.value);
    races.stored(first.address, first.publishes ? &first.published : nullptr);
    search.steps.back().value = first.value;
}

// -------------------------------------------------------- what threads do

void Machine::act(Kind kind, uintptr_t address, uint32_t size, const void *from, uintptr_t other, Silent silent) {
    if (touches_memory(kind)) check(address, "a thread looks at");
    if (!isExploring) return;
    Thread &thread = threads[current];
    thread.next = {kind, static_cast<uint8_t>(current), size, address, other};
    thread.silent = silent;
    thread.from = from;
    if (kind != Kind::load && kind != Kind::read) thread.look.times = 0;
    thread.fibre.pause();
    if (touches_memory(kind)) check(address, "a thread looks at");
}

uint64_t Machine::load(uintptr_t address, uint8_t size, int order, const void *from) {
    if (counts_references(from)) return check(address, "a thread counts references in"), read(address, size);
    if (!isExploring) return read(address, size);
    Thread &thread = threads[current];
    // A thread that has looked at the same place three times in a row and seen the same spins: what it will see, it
    // could have seen the third time. So it does not wait for its turn as long as nothing else is there.
    Look &look = thread.look;
    const bool isAgain = look.times > 0 && look.from == from && look.address == address;
    if (isAgain && look.times % 200 > 2 && thread.buffer.empty() && look.value == read(address, size)) {
        look.times++;
        return look.value;
    }
    act(Kind::load, address, size, from);
    for (auto store = thread.buffer.rbegin(); store != thread.buffer.rend(); ++store) {
        if (store->address == address && store->size == size) {
            seen(store->value);
            return store->value;
        }
    }
    uint64_t value = read(address, size);
    look = {from, address, value, isAgain && look.value == value ? look.times + 1 : 1};
    if (acquires(order)) races.acquired(current, address);
    seen(value);
    return value;
}

void Machine::store(uintptr_t address, uint8_t size, uint64_t value, int order, const void *from) {
    check(address, "a thread writes to");
    if (!isExploring || counts_references(from)) return write(address, size, value);
    const bool isFenced = order == sequential;
    act(isFenced ? Kind::rmw : Kind::store, address, size, from);
    Races::Clock published;
    if (releases(order)) published = races.publish(current);
    if (isFenced) {
        write(address, size, value);
        races.stored(address, &published);
    } else {
        threads[current].buffer.push_back(
            {address, value, size, threads[current].clock, from, releases(order), published});
    }
    seen(value);
}

// One more of what is counted: of references no step, because it commutes with all that others do with theirs.
uint64_t Machine::count(uintptr_t address, uint8_t size, uint64_t by, int order, const void *from) {
    auto add = [=](uint64_t &now) { now += by; };
    if (!counts_references(from)) return rmw(address, size, order, from, add);
    check(address, "a thread counts references in");
    uint64_t before = read(address, size);
    write(address, size, before + by);
    return before;
}

// One reference less. None of those that are not the last is told from another one.
uint64_t Machine::release(uintptr_t address, uint8_t size, uint64_t by, int order, const void *from) {
    // The highest bit is a mark of objects that are not freed.
    auto isFar = [](void *by, uint64_t now) { return (now & INT64_MAX) > 2 * *static_cast<uint64_t *>(by); };
    act(Kind::release, address, size, from, 0, {isFar, &by});
    synchronise(address, order);
    uint64_t before = read(address, size);
    write(address, size, before - by);
    seen(before - by);
    return before;
}

void Machine::lock(uintptr_t mutex, const void *from) {
    if (isExploring && owner_of(mutex) == static_cast<uint32_t>(current) + 1)
        broken("a thread takes a lock that it holds");
    act(Kind::lock, mutex, 0, from);
    if (!isExploring) return;
    owner_of(mutex) = static_cast<uint32_t>(current) + 1;
    threads[current].held++;
    races.acquired(current, mutex);
}

void Machine::unlock(uintptr_t mutex, const void *from) {
    act(Kind::unlock, mutex, 0, from);
    if (!isExploring) return;
    if (owner_of(mutex) != static_cast<uint32_t>(current) + 1) broken("a thread leaves a lock that it does not hold");
    owner_of(mutex) = 0;
    threads[current].held--;
    races.released(current, mutex);
}

void Machine::wait(uintptr_t condition, uintptr_t mutex, bool isTimed, const void *from) {
    if (!isExploring) broken("a thread that is alone waits");
    act(Kind::wait, mutex, 0, from, condition);
    Thread &thread = threads[current];
    owner_of(mutex) = 0;
    thread.held--;
    thread.waits++;
    races.released(current, mutex);
    thread.isAnnounced = false;
    thread.isTimed = isTimed;
    thread.seenChanges = changes - thread.ownChanges;
    act(Kind::signalled, mutex, 0, from, condition);
    owner_of(mutex) = static_cast<uint32_t>(current) + 1;
    thread.held++;
    races.acquired(current, mutex);
}

void Machine::announce(uintptr_t condition, const void *from) {
    act(Kind::signal, 0, 0, from, condition);
    for (int one = 0; isExploring && one < program.threads; one++)
        if (threads[one].next.kind == Kind::signalled && threads[one].next.other == condition)
            threads[one].isAnnounced = true;
}

void Machine::sleep(uintptr_t address, uint32_t expected, const void *from) {
    if (!isExploring) broken("a thread that is alone sleeps");
    act(Kind::futex_wait, address, 4, from);
    if (read(address, 4) != expected) return;
    threads[current].isAnnounced = false;
    act(Kind::futex_woken, address, 4, from);
}

void Machine::futex_wake(uintptr_t address, const void *from) {
    act(Kind::futex_wake, address, 4, from);
    for (int one = 0; isExploring && one < program.threads; one++)
        if (threads[one].next.kind == Kind::futex_woken && threads[one].next.address == address)
            threads[one].isAnnounced = true;
}

void Machine::yield(const void *from) {
    if (!isExploring) return;
    threads[current].seenChanges = changes - threads[current].ownChanges;
    act(Kind::yield, 0, 0, from);
}

void Machine::annotate(const char *says, const void *about, const void *too, Kind kind) {
    if (!isExploring) return;
    threads[current].says = says;
    act(kind, reinterpret_cast<uintptr_t>(about), 0, nullptr, reinterpret_cast<uintptr_t>(too));
}

void Machine::release(void *memory) {
    if (isExploring && memory != nullptr && arena.has(memory))
        act(Kind::free, reinterpret_cast<uintptr_t>(memory), static_cast<uint32_t>(arena.size_of(memory)),
            __builtin_return_address(0));
    arena.release(memory);
}

void Machine::synchronise(uintptr_t address, int order) {
    if (!isExploring) return;
    if (acquires(order)) races.acquired(current, address);
    if (releases(order)) races.released(current, address);
}

void Machine::fence(const void *from) {
    act(Kind::fence, 0, 0, from);
    if (isExploring) threads[current].fences++;
    synchronise(1, sequential);
}

void Machine::barrier(const void *from) {
    act(Kind::barrier, 0, 0, from);
    if (isExploring) threads[current].fences++;
    if (isExploring) races.metAll();
}

void Machine::plain(uintptr_t address, uint32_t size, bool isWrite, const void *from) {
    check(address, isWrite ? "a thread writes to" : "a thread reads");
    // The threads are one for the C library, with one errno.
    if (address == reinterpret_cast<uintptr_t>(&errno)) return;
    if (isExploring && arena.has(reinterpret_cast<void *>(address)))
        act(isWrite ? Kind::write : Kind::read, address, size, from);
    if (isExploring && races.touches(current, address, isWrite)) {
        threads[current].from = from;
        broken("two threads are at the same memory, +%lx, at once; this one at %s",
               static_cast<unsigned long>(arena.distance(reinterpret_cast<void *>(address))), place_of(from).c_str());
    }
}

// ------------------------------------------------------------- what went wrong

static std::string schedule(const std::vector<Step> &steps) {
    std::string text;
    for (size_t one = 0; one < steps.size();) {
        size_t count = 1;
        while (one + count < steps.size() && steps[one + count].process == steps[one].process) count++;
        int process = steps[one].process;
        text += (text.empty() ? "" : ",") + std::string(is_buffer(process) ? "f" : "t") +
                std::to_string(thread_of(process)) + (count > 1 ? "x" + std::to_string(count) : "");
        one += count;
    }
    return text;
}

// The bits of the state word by their names, where it is what is looked at: State/State.swift alone does that.
static std::string bits_of(uint64_t state) {
    std::string text;
    for (const auto &bit : state_bits)
        if (state & bit.value) text += (text.empty() ? "" : "|") + std::string(bit.name);
    return text.empty() ? "idle" : text;
}

std::string Machine::describe() const {
    std::string text = std::to_string(search.steps.size()) + " steps: explore \"" + program.name + "\" -s " +
                       schedule(search.steps) + "\n";
    if (program.story) text += program.story();
    std::set<const void *> from;
    for (const Step &step : search.steps)
        if (step.from != nullptr && !is_of_test(step.operation.kind)) from.insert(step.from);
    find_places(from);
    const Step *before = nullptr;
    for (const Step &step : search.steps) {
        const Operation &operation = step.operation;
        // A thread that spins says so once.
        bool isAgain = before && before->process == step.process && before->operation.kind == Kind::yield;
        before = &step;
        if (isAgain && operation.kind == Kind::yield) continue;
        char line[256];
        uintptr_t address = operation.address ? operation.address : operation.other;
        auto pointer = reinterpret_cast<void *>(address);
        bool isMemory = touches_memory(operation.kind) || operation.kind == Kind::store;
        const std::string place = is_of_test(operation.kind) ? "" : place_of(step.from);
        const bool isState = isMemory && operation.size == 4 && place.compare(0, 12, "State.swift:") == 0;
        int length = snprintf(line, sizeof line, "  %c%d %-10s ", is_buffer(step.process) ? 'f' : 't',
                              thread_of(step.process), name_of(operation.kind));
        if (is_of_test(operation.kind))
            snprintf(line + length, sizeof line - length, "%s", step.says);
        else if (address == 0)
            snprintf(line + length, sizeof line - length, "%20s", "");
        else if (isState)
            snprintf(line + length, sizeof line - length, "%-20s", bits_of(step.value).c_str());
        else if (!isMemory)
            snprintf(line + length, sizeof line - length, "%-20lx", static_cast<unsigned long>(address & 0xFFFFFF));
        else
            snprintf(line + length, sizeof line - length, "%c%-7lx %-11llx", arena.has(pointer) ? '+' : ' ',
                     static_cast<unsigned long>(arena.has(pointer) ? arena.distance(pointer) : address & 0xFFFFFF),
                     static_cast<unsigned long long>(step.value));
        text += line + std::string(" ") + place + "\n";
    }
    return text;
}

void broken(const char *format, ...) {
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    machine.isExploring = false;
    std::string text = "FAILED " + machine.program.name + ": " + sentence + "\n";
    if (!machine.program.name.empty())
        text += "schedule " + std::to_string(machine.search.schedules + machine.search.redundant + 1) + ", thread " +
                std::to_string(machine.current) + ", " + machine.describe();
    if (write(2, text.data(), text.size()) < 0) abort();
    _exit(1);
}

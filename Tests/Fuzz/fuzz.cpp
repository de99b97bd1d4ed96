// SPDX-License-Identifier: MIT
// Random programs against the model.
//
//     fuzz                     the seeds from 1, until a million operations have been compared
//     fuzz FIRST OPERATIONS    the seeds from FIRST
//     fuzz -s SEED             one seed, call by call
//     fuzz ... derived         the programs of derived variables alone
//
// With FUZZ_SLOWLY=1 in the environment no observable is on its fast way, with SWIFTOBSERVER_WHY=values causes are
// noted, too. Built with -fsanitize=fuzzer it takes the bytes of libFuzzer instead.
#include "compare.hpp"
#include "derived_program.hpp"
#include <csignal>
#include <ctime>

#ifdef FUZZ_FAULTS
/// Which of faults.txt is switched on: FUZZ_FAULT=number in the environment.
extern "C" int fuzz_fault(void) {
    static const char *number = std::getenv("FUZZ_FAULT");
    static const int chosen = number ? std::atoi(number) : 0;
    return chosen;
}
#endif

/// Two programs are made of each seed: one of messages, and one of derived variables.
static long compareAll(const fuzz::Stream &stream, bool isDerivedAlone) {
    return (isDerivedAlone ? 0 : fuzz::compare(stream)) + fuzz::derived::Program(stream).run();
}

#ifdef FUZZ_BYTES
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // The first byte chooses.
    if (size > 0 && data[0] % 2 == 0)
        fuzz::compare(fuzz::Stream(data + 1, size - 1));
    else if (size > 0)
        fuzz::derived::Program(fuzz::Stream(data + 1, size - 1)).run();
    return 0;
}
#else
static volatile uint64_t present;

static void tell(int number) {
    // Async-signal-safe enough: the process ends.
    std::fprintf(stderr, "seed %llu\n", (unsigned long long)present);
    std::signal(number, SIG_DFL);
    std::raise(number);
}

int main(int count, char **arguments) {
    for (int number : {SIGABRT, SIGSEGV, SIGILL, SIGBUS, SIGTRAP}) std::signal(number, tell);
    const bool isDerivedAlone = count > 3 && std::string(arguments[3]) == "derived";
    if (count > 2 && std::string(arguments[1]) == "-s") {
        present = std::strtoull(arguments[2], nullptr, 0);
        fuzz::isTelling = true;
        std::printf("%ld operations\n", compareAll(fuzz::Stream(present), isDerivedAlone));
        return 0;
    }
    const uint64_t first = count > 1 ? std::strtoull(arguments[1], nullptr, 0) : 1;
    const long wanted = count > 2 ? std::atol(arguments[2]) : 1000000;
    long operations = 0;
    const clock_t begin = clock();
    for (present = first; operations < wanted; present = present + 1)
        operations += compareAll(fuzz::Stream(present), isDerivedAlone);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    std::printf("fuzz: %ld operations in %llu programs, no difference; %.0f operations a second of processor time\n",
                operations, (unsigned long long)(present - first), (double)operations / seconds);
    return 0;
}
#endif

// SPDX-License-Identifier: MIT
/** @file support.hpp
 *  What the C++ tests share. Every test is a sentence about the library; `must` ends the program where it does not
 * hold:
 *
 *      TEST(an_observation_ends_with_its_scope) {
 *          swo::messenger<int> numbers;
 *          ...
 *          must(received == 1);
 *      }
 */
#ifndef SWIFTOBSERVER_TESTS_SUPPORT_HPP
#define SWIFTOBSERVER_TESTS_SUPPORT_HPP

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct named_test {
    const char *name;
    void (*run)();
};

inline std::vector<named_test> &all_tests() {
    static std::vector<named_test> tests;
    return tests;
}

#define TEST(name)                                                                                                     \
    static void name();                                                                                                \
    static const bool name##_is_a_test = (all_tests().push_back({#name, name}), true);                                 \
    static void name()

#define must(...) ((__VA_ARGS__) ? (void)0 : must_fail(__FILE__, __LINE__, #__VA_ARGS__))

[[noreturn]] inline void must_fail(const char *file, int line, const char *condition) {
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    std::abort();
}

/** Whether a child process that calls `body` aborts, after it has said `sentence`. */
template <class Body> bool dies_with(const char *sentence, Body body) {
    int words[2];
    must(pipe(words) == 0);
    std::fflush(nullptr);
    pid_t child = fork();
    if (child == 0) {
        dup2(words[1], STDERR_FILENO);
        std::signal(SIGABRT, SIG_DFL);
        body();
        _exit(0);
    }
    close(words[1]);
    std::string said;
    char part[256];
    for (ssize_t size; (size = read(words[0], part, sizeof part)) > 0;) said.append(part, std::size_t(size));
    close(words[0]);
    int status = 0;
    must(waitpid(child, &status, 0) == child);
    const bool died = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && said.find(sentence) != said.npos;
    if (!died) std::fprintf(stderr, "ended with status %d, after it said: %s\n", status, said.c_str());
    return died;
}

#ifdef __cpp_exceptions
/** Whether a call throws an error with this status. */
template <class Error, class Call> bool throws(int status, Call call) {
    try {
        call();
    } catch (const Error &error) {
        return error.status() == status;
    }
    return false;
}
#define is_thrown(status, ...) throws<swo::error>(status, __VA_ARGS__)
#endif

/** Runs the tests whose name contains the argument, or all. */
int main(int count, char **words) {
    int passed = 0;
    for (const named_test &test : all_tests()) {
        if (count > 1 && std::strstr(test.name, words[1]) == nullptr) continue;
        std::printf("[ RUN      ] %s\n", test.name);
        std::fflush(stdout);
        test.run();
        passed++;
    }
    std::printf("[  PASSED  ] %d test(s).\n", passed);
    return passed > 0 ? 0 : 1;
}

#endif

/* SPDX-License-Identifier: MIT */
/* More observations at once than there are ids: 64 million of one observable, which take 5 GB. So this runs in the long
 * storms of `make torture` alone, where there is memory for it, and where the library says that it has few ids: the one
 * of `make test-mutants`, with SWO_FEW_IDS=bits in the environment. */
#define _GNU_SOURCE
#include "support.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int bits_of_ids(void) {
    const char *few = getenv("SWO_FEW_IDS");
    if (few != NULL) return atoi(few);
    const long pages = sysconf(_SC_PHYS_PAGES);
    return scaled(100) >= 1000 && pages / 1024 * sysconf(_SC_PAGESIZE) / 1024 > 12000 ? 26 : 0;
}

/* Law 10, and 24: no id is given twice, and what cannot go on ends with a sentence. */
TEST(more_observations_than_there_are_ids_end_the_process_with_a_sentence) {
    const int bits = bits_of_ids();
    if (bits == 0) skip();
    int64_t *made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(made != MAP_FAILED);
    int ends[2], status;
    char said[500] = "";
    must(pipe(ends) == 0);
    fflush(NULL);
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_DUMPABLE, 0);
        for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        swo_observable *messenger = swo_messenger_new();
        for (; swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL) == SWO_OK; ++*made)
            if (*made > (int64_t)1 << bits) break;
        _exit(0);
    }
    close(ends[1]);
    for (size_t length = 0; length < sizeof said - 1;) {
        const ssize_t more = read(ends[0], said + length, sizeof said - 1 - length);
        if (more <= 0) break;
        length += (size_t)more;
    }
    close(ends[0]);
    must(waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status));
    assert_non_null(strstr(said, "more observations at once than there are ids"));
    assert_int_equal(*made, (int64_t)1 << bits);
    munmap(made, sizeof *made);
}

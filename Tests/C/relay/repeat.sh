#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs each test of some programs so many times, several beside each other, each with brokers of its own, and writes a
# table of what failed. What the first failure of a test said is shown.
#
#     Tests/C/relay/repeat.sh TIMES JOBS TABLE FOLDER NAME...
set -eu -o pipefail

times=$1 jobs=$2 table=$3 folder=$4
shift 4
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT

# Ten minutes are more than any of them takes on any machine: it then waits for ever.
run_one() {
    local program=$1 test=$2 log
    log=$(mktemp -p "$said" "$test.XXXXXX")
    if timeout --kill-after=10s 600 "$folder/$program" "$test" > "$log" 2>&1 && grep -q '^\[  PASSED  \] 1 test' "$log"; then
        rm "$log"
    else
        mv "$log" "$log.failed"
    fi
}
export -f run_one
export folder said

# In turn, so that tests of all kinds run beside each other.
for ((time = 0; time < times; time++)); do
    for program in "$@"; do
        "$folder/$program" --list | sed "s|^|$program |"
    done
done | xargs -P "$jobs" -L 1 bash -c 'run_one "$@"' run_one

failures=0
{
    echo "<!-- SPDX-License-Identifier: MIT -->"
    echo "<!-- Written by repeat.sh: make torture-relays. -->"
    echo "| fault | runs | failures |"
    echo "|---|---:|---:|"
    for program in "$@"; do
        for test in $("$folder/$program" --list); do
            failed=$(find "$said" -name "$test.*.failed" | wc -l)
            echo "| ${test//_/ } | $times | $failed |"
        done
    done
} > "$table"
for test in $(find "$said" -name '*.failed' -printf '%f\n' | cut -d. -f1 | sort -u); do
    echo "FAILED $test:" >&2
    cat "$(find "$said" -name "$test.*.failed" | head -1)" >&2
done
failures=$(find "$said" -name '*.failed' | wc -l)
echo "relays under faults: $(grep -c '^| [a-z]' "$table") tests, $times times each, $failures failures"
[ "$failures" -eq 0 ]

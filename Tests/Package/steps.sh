# SPDX-License-Identifier: MIT
# A test in steps: each says in one line whether it passed, and the closing line counts them. To be sourced.
# shellcheck shell=bash

passed=0 failed=0
log=$(mktemp)

# step SENTENCE COMMAND...   What the command prints is shown if it fails; the next step is taken in any case.
step() {
    local sentence=$1 status
    shift
    # Not inside an `if`, where the shell would ignore failures in the middle of the command's function.
    set +e
    (set -e; "$@") > "$log" 2>&1
    status=$?
    set -e
    if [ $status -eq 0 ]; then
        passed=$((passed + 1))
        echo "passed  $sentence"
    else
        failed=$((failed + 1))
        echo "FAILED  $sentence (exit status $status)"
        sed 's/^/        /' "$log"
    fi
}

# conclude NAME   Ends the test.
conclude() {
    rm -f "$log"
    echo "$1: $passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
    exit
}

fail() {
    echo "$*" >&2
    exit 1
}

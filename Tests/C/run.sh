#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs programs of cmocka beside each other, each under a watchdog, and counts what passed. What a program says is
# shown if it fails.
#
#     Tests/C/run.sh SUITE JOBS FOLDER "NAME ..." [COMMAND IN FRONT OF EACH...]
set -eu -o pipefail

suite=$1 jobs=$2 folder=$3 names=$4
shift 4
watchdog=$(dirname "$0")/../TestSupport/watchdog.sh
[ -n "$names" ] || exit 0
# The longest takes one alone. Where each instruction is emulated, everything takes fifty times as long.
case "$*" in *valgrind* | *qemu*) minutes=30 ;; *) minutes=5 ;; esac
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT

run_one() {
    local name=$1 log
    shift
    log=$said/${name//\//_}
    if ! "$watchdog" "$minutes" "$@" "$folder/$name" > "$log" 2>&1; then
        # Of the tests that passed nothing, but which one was running where the program was ended.
        { echo "FAILED $name ($suite)"; grep -vE '^\[ +(RUN|OK) +\]' "$log"; grep -E '^\[ +(RUN|OK) +\]' "$log" | tail -n 1; } >&2
        touch "$log.failed"
    fi
}
export -f run_one
export suite folder watchdog minutes said

# shellcheck disable=SC2086  # names are words
printf '%s\0' $names | xargs -0 -P "$jobs" -I '{}' bash -c 'run_one "$@"' run_one '{}' "$@"
failed=$(find "$said" -name '*.failed' | wc -l)
tests=$(cat "$said"/* | sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s)\.$/\1/p' | paste -sd+ | sed 's/^$/0/')
echo "$suite: $(wc -w <<< "$names") programs, $((tests)) tests passed, $failed programs failed"
[ "$failed" -eq 0 ]

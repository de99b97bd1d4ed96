#!/bin/bash
# SPDX-License-Identifier: MIT
# What showing.sh and part.sh show where somebody looks, and that they are silent elsewhere.
set -eu -o pipefail
tools=$PWD/Tests/TestSupport
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() {
    echo "showing: $1" >&2
    exit 1
}
terminal=$folder/terminal
many='seq 30; exit 3'

# Elsewhere it is the command alone, with what it prints and returns.
[ "$(PROGRESS=/dev/null "$tools"/showing.sh sleeping echo said 2>&1)" = said ] || fail "a command does not print what it prints"
status=0
PROGRESS=/dev/null "$tools"/showing.sh sleeping sh -c "$many" > said || status=$?
[ "$status $(wc -l < said)" = "3 30" ] || fail "a command that fails does not return what it returns"
"$tools"/part.sh --begin 2
[ "$(PROGRESS=/dev/null "$tools"/part.sh one echo said | head -n 1)" = said ] || fail "a part does not print what it prints"

# Where somebody looks, it says what is done; what is done inside of that is told on the same line.
# A command waits until its word has been shown.
# shellcheck disable=SC2016  # sh expands it
await='until grep -q "$1" "$2"; do sleep 0.1; done'
: > "$terminal"
PROGRESS=$terminal "$tools"/showing.sh outer "$tools"/showing.sh inner sh -c "$await" - 'outer: .* inner' "$terminal"
tr '\r' '\n' < "$terminal" | grep -q '^inner' && fail "two show at once"
tr '\r' '\n' < "$terminal" | tail -n 1 | grep -q '^outer: [0-9]* s' || fail "the end is not told"

# A part keeps what it prints in its log, and shows the end of it where it fails.
mkdir -p build/logs/running
echo 2 > build/logs/parts
date +%s > build/logs/begun
: > "$terminal"
PROGRESS=$terminal "$tools"/part.sh one echo said > printed 2>&1
{ [ ! -s printed ] && grep -q said build/logs/one.log; } || fail "a part that passes prints something"
status=0
PROGRESS=$terminal "$tools"/part.sh other sh -c "$await; $many" - 'so far; other' "$terminal" > printed 2>&1 || status=$?
[ "$status" = 3 ] || fail "a part that fails does not return what it returns"
diff <(seq 11 30) <(tail -n +2 printed) || fail "a part that fails does not show the end of its log"
grep -q 'one passed: ' "$terminal" || fail "a part that has passed is not told"
tr '\r' '\n' < "$terminal" | grep -q '^1 of 2 passed, [0-9]* s so far; other' || fail "it does not say how many parts have passed"
[ -z "$(ls build/logs/running)" ] || fail "something still runs"

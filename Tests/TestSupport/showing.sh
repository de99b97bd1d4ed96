#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a command, and shows on a terminal what it does and for how long. Elsewhere it is the command alone.
# Usage: showing.sh WHAT COMMAND...
#
# SHOWING is a file, if something shows already: there the command says what it does.
set -eu
what=$1
shift
: "${PROGRESS:=/dev/null}"
[ "$PROGRESS" != /dev/null ] || exec "$@"
if [ "${SHOWING:-}" ]; then
    echo "$what" > "$SHOWING"
    status=0
    "$@" || status=$?
    : > "$SHOWING"
    exit $status
fi

SHOWING=$(mktemp)
export SHOWING
# What it shows is one line, as wide as the terminal at most.
width=$(stty size 2> /dev/null < "$PROGRESS" | cut -d' ' -f2)
[ "${width:-0}" -gt 1 ] || width=80
show() {
    while line="$what: $SECONDS s $(cat "$SHOWING")"; do
        printf '\r%s\033[K' "${line:0:width-1}" >> "$PROGRESS"
        sleep 1
    done
}
show 2> /dev/null &
trap 'kill $!; rm -f "$SHOWING"' EXIT
status=0
"$@" || status=$?
printf '\r%s: %s s\033[K\n' "$what" $SECONDS >> "$PROGRESS"
exit $status

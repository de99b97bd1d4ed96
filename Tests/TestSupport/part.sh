#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a part of a run of tests. On a terminal it shows which part that is and how long all has taken so far, keeps what the
# part prints in a log, and shows the end of that if the part fails. Elsewhere all is printed as it comes.
# Usage: part.sh --begin HOW-MANY
#        part.sh NAME COMMAND...
set -eu
logs=build/logs
: "${PROGRESS:=/dev/null}"

if [ "$1" = --begin ]; then
    mkdir -p $logs
    rm -f $logs/*
    [ -t 1 ] || exit 0
    echo "$2" > $logs/parts
    date +%s > $logs/begun
    exit
fi
name=$1
shift
if [ "$PROGRESS" = /dev/null ] || [ ! -e $logs/begun ]; then
    "$@"
    echo "$name took $SECONDS s"
    exit
fi
so_far() { echo $(($(date +%s) - $(cat $logs/begun))); }
printf '%s begins (%s s so far)\n' "$name" "$(so_far)" > "$PROGRESS"
if "$@" > $logs/"$name".log 2>&1; then
    echo "$name" >> $logs/ended
    printf '%s passed: %s s, part %s of %s (%s s so far)\n' \
        "$name" $SECONDS "$(wc -l < $logs/ended)" "$(cat $logs/parts)" "$(so_far)" > "$PROGRESS"
else
    status=$?
    printf '%s FAILED after %s s. The end of %s:\n' "$name" $SECONDS "$logs/$name.log" >&2
    tail -n 20 $logs/"$name".log >&2
    exit $status
fi

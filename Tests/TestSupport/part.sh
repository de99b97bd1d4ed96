#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a part of a run of tests. On a terminal it shows which parts run, how many have passed and how long all has taken so
# far, keeps what the part prints in a log, and shows the end of that if the part fails. Elsewhere all is printed as it comes.
# Usage: part.sh --begin HOW-MANY
#        part.sh NAME COMMAND...
set -eu
logs=build/logs
: "${PROGRESS:=/dev/null}"

if [ "$1" = --begin ]; then
    mkdir -p $logs
    rm -rf $logs/running $logs/ended
    [ -t 1 ] || exit 0
    mkdir $logs/running
    echo "$2" > $logs/parts
    date +%s > $logs/begun
    printf '%s parts; what each prints is in %s\n' "$2" $logs >> "$PROGRESS"
    exit
fi
name=$1
shift
if [ "$PROGRESS" = /dev/null ] || [ ! -e $logs/begun ]; then
    TIMEFORMAT="$name took %0R s, of a processor %0U s and %0S s in the kernel"
    time "$@"
    exit
fi

so_far() { echo "$(wc -l 2> /dev/null < $logs/ended || echo 0) of $(cat $logs/parts) passed, $(($(date +%s) - $(cat $logs/begun))) s so far"; }
# What runs beside this shows the same line. Each may say what it is doing (showing.sh).
width=$(stty size 2> /dev/null < "$PROGRESS" | cut -d' ' -f2)
[ "${width:-0}" -gt 1 ] || width=80
show() {
    while line=$(so_far); do
        for part in "$logs"/running/*; do
            doing=$(cat "$part")
            line+="; ${part##*/}${doing:+ ($doing)}"
        done
        printf '\r%s\033[K' "${line:0:width-1}" >> "$PROGRESS"
        sleep 1
    done
}
export SHOWING=$PWD/$logs/running/$name
: > "$SHOWING"
show 2> /dev/null &
trap 'kill $! 2> /dev/null; rm -f "$SHOWING"' EXIT
if "$@" > $logs/"$name".log 2>&1; then
    echo "$name" >> $logs/ended
    printf '\r%s passed: %s s\033[K\n' "$name" $SECONDS >> "$PROGRESS"
else
    status=$?
    printf '\r\033[K' >> "$PROGRESS"
    printf '%s FAILED after %s s. The end of %s:\n' "$name" $SECONDS "$logs/$name.log" >&2
    tail -n 20 $logs/"$name".log >&2
    exit $status
fi

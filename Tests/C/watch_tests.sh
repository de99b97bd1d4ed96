#!/bin/sh
# SPDX-License-Identifier: MIT
# The example `watch` tells of every change, in order, and of nothing else:
#
#     Tests/C/watch_tests.sh build/embedded/examples/watch
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# Runs the program, and while it watches a function that changes files; $scratch/out is what it printed.
watch_while() {
    changing=$1
    shift
    rm -rf "$scratch/folder" "$scratch/other" "$scratch/input" "$scratch/output"
    mkdir "$scratch/folder" "$scratch/other"
    echo old > "$scratch/folder/old.c"
    mkfifo "$scratch/input" "$scratch/output"
    (cd "$scratch" && exec "$program" "$@") < "$scratch/input" > "$scratch/output" 2> "$scratch/err" &
    exec 3> "$scratch/input" 4< "$scratch/output"
    read -r first <&4
    [ "$first" = watching ] && (cd "$scratch" && "$changing")
    exec 3>&-
    cat <&4 > "$scratch/out"
    exec 4<&-
    wait $!
    status=$?
}

prints() {
    printf '%s\n' "$@" > "$scratch/expected"
    if [ "$status" -ne 0 ] || ! diff "$scratch/expected" "$scratch/out" >&2 || [ -s "$scratch/err" ]; then
        echo "$test: exit status $status" >&2
        cat "$scratch/err" >&2
        failures=$((failures + 1))
    fi
}

change_files() {
    echo 1 > folder/new.c
    echo 2 >> folder/old.c
    mv folder/new.c other/new.txt
    rm folder/old.c
}

every_change_is_told_in_order() {
    watch_while change_files folder other
    prints 'created   folder/new.c' 'written   folder/new.c' 'written   folder/old.c' \
        'moved out folder/new.c' 'moved in  other/new.txt' 'deleted   folder/old.c' '6 changes'
}

an_ending_chooses_what_is_shown() {
    watch_while change_files --ending .txt folder other
    prints 'moved in  other/new.txt' '6 changes'
}

what_is_no_folder_is_refused() {
    "$program" "$scratch/nowhere" < /dev/null > "$scratch/out" 2> "$scratch/err"
    status=$?
    [ "$status" -eq 2 ] && grep -q "nowhere: cannot be watched: No such file or directory" "$scratch/err" && return
    echo "$test: exit status $status" >&2
    failures=$((failures + 1))
}

case $1 in /*) program=$1 ;; *) program=$PWD/$1 ;; esac
tests=$(sed -n 's/^\([a-z_]*\)() {$/\1/p' "$0" | grep -vxE 'watch_while|prints|change_.*')
for test in $tests; do "$test"; done
if [ "$failures" -gt 0 ]; then
    echo "$failures failures" >&2
    exit 1
fi
echo "$(echo "$tests" | wc -l) tests of watch passed"

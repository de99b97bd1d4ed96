#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the example `vitals`. Run at the top of the checkout, with its command line:
#
#     Tests/C/vitals_tests.sh build/embedded/examples/vitals
#
# What it must print stands beside the recordings in Tests/TestSupport/vitals, worked out by hand.
set -u
command=$*
files=Tests/TestSupport/vitals
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# Runs the program. What it printed is in $scratch/out and $scratch/err, its exit status in $status.
vitals() {
    $command "$@" > "$scratch/out" 2> "$scratch/err"
    status=$?
}

# fail SENTENCE: what is wrong with the latest run
fail() {
    echo "$test: $1" >&2
    sed 's/^/    out: /' "$scratch/out" >&2
    sed 's/^/    err: /' "$scratch/err" >&2
    failures=$((failures + 1))
}

exits() { [ "$status" -eq "$1" ] || fail "exit status $status instead of $1"; }
prints() { cmp -s "$scratch/out" "$1" || fail "does not print $1"; }
complains() { cmp -s "$scratch/err" "$1" || fail "does not complain as in $1"; }
complains_of() { printf '%s\n' "$@" > "$scratch/expected"; complains "$scratch/expected"; }
is_silent() { [ ! -s "$scratch/err" ] || fail "complains"; }
prints_line() { grep -qxF -- "$1" "$scratch/out" || fail "does not print \"$1\""; }

# A folder like /proc in $proc, with files that are all right.
make_proc() {
    proc=$scratch/proc
    rm -rf "$proc"
    cp -R "$files/recording/1" "$proc"
}

# refuses COMPLAINT ARGUMENT...: one line on stderr, and nothing else is done
refuses() {
    complaint=$1
    shift
    vitals "$@"
    exits 2
    complains_of "vitals: $complaint"
    [ ! -s "$scratch/out" ] || fail "prints something"
}

# accepts FILE CONTENT NAME TEXT: this content of this file is shown as this text
accepts() {
    make_proc
    printf '%b' "$2" > "$proc/$1"
    vitals --proc "$proc" --seconds 0.001
    exits 0
    is_silent
    prints_line "$(printf '%-8s %s' "$3" "$4")"
}

# rejects FILE CONTENT EXPECTED: this content of this file is malformed
rejects() {
    make_proc
    printf '%b' "$2" > "$proc/$1"
    vitals --proc "$proc" --seconds 0.001
    exits 2
    complains_of "vitals: $proc/$1: malformed: expected $3"
    [ "$(wc -l < "$scratch/out")" -eq 9 ] || fail "does not show the three other sources and the table"
}

a_recording_is_replayed() {
    vitals --proc "$files/recording"
    exits 0
    is_silent
    prints "$files/expected.txt"
}

a_source_that_fails_is_left_out_and_the_others_go_on() {
    vitals --proc "$files/faulty"
    exits 2
    prints "$files/faulty-expected.txt"
    complains "$files/faulty-errors.txt"
}

a_recording_takes_no_time_and_its_interval_is_nominal() {
    vitals --interval 600000 --proc "$files/recording"
    exits 0
    grep '^network ' "$scratch/out" > "$scratch/network"
    printf 'network  %s\n' '0.0 kB/s' '0.1 kB/s' '7.1 kB/s' '0.0 kB/s' '     5          4         1  0.0 kB/s' > "$scratch/expected"
    cmp -s "$scratch/network" "$scratch/expected" || fail "the rates are not those of ten minutes between readings"
}

a_recording_ignores_how_long_to_watch() {
    vitals --seconds 0.001 --proc "$files/recording"
    exits 0
    prints "$files/expected.txt"
}

a_recording_ends_where_a_number_is_missing() {
    rm -rf "$scratch/gap"
    mkdir "$scratch/gap"
    cp -R "$files/recording/1" "$files/recording/2" "$files/recording/4" "$scratch/gap"
    vitals --proc "$scratch/gap"
    exits 0
    is_silent
    prints_line "memory        2          1         1  36.7 %"
}

a_folder_1_beside_the_files_is_a_process_and_no_recording() {
    make_proc
    mkdir "$proc/1"
    vitals --proc "$proc" --seconds 0.001
    exits 0
    is_silent
    prints_line "cpu      5.4 %"
}

what_does_not_change_is_sent_once() {
    make_proc
    vitals --proc "$proc" --seconds 0.05 --interval 10
    exits 0
    is_silent
    printf '%s\n' 'cpu      5.4 %' 'memory   36.7 %' 'load     0.52' 'network  0.0 kB/s' '' \
        'source     sent  delivered  filtered  last' \
        'cpu           1          1         0  5.4 %' 'memory        1          1         0  36.7 %' \
        'load          1          1         0  0.52' 'network       1          1         0  0.0 kB/s' > "$scratch/expected"
    prints "$scratch/expected"
}

# Only the lower bound can be told on a busy machine.
it_watches_as_long_as_it_is_told_to() {
    make_proc
    before=$(date +%s%N)
    vitals --proc "$proc" --seconds 0.5 --interval 100
    after=$(date +%s%N)
    exits 0
    [ $(((after - before) / 1000000)) -ge 500 ] || fail "is back after $(((after - before) / 1000000)) milliseconds"
}

this_machine_can_be_watched() {
    vitals --seconds 0.02 --interval 10
    exits 0
    is_silent
    [ "$(grep -cE '^(cpu|memory) +[1-3] +[1-3] +[0-2]  [0-9]+\.[0-9] %$' "$scratch/out")" -eq 2 ] || fail "does not know processor and memory"
    grep -qE '^load +[1-3] +[1-3] +[0-2]  [0-9]+\.[0-9][0-9]$' "$scratch/out" || fail "does not know the load"
    grep -qE '^network +[1-3] +[1-3] +[0-2]  [0-9]+\.[0-9] kB/s$' "$scratch/out" || fail "does not know the network"
}

help_is_printed() {
    vitals --help
    exits 0
    is_silent
    for words in vitals '[--interval MILLISECONDS]' '[--seconds SECONDS]' '[--proc DIR]'; do
        grep -qF -- "$words" "$scratch/out" || fail "does not mention $words"
    done
}

a_bad_interval_is_refused() {
    for value in 0 00 -1 +1 x '' 1.5 '1 ' ' 1' 0x10 1e3 1_0 ٣ 2147483648 18446744073709551617; do
        refuses "--interval wants a positive number of milliseconds, not \"$value\"" "--interval=$value"
    done
}

a_bad_number_of_seconds_is_refused() {
    for value in 0 0.0 -1 +1 x '' . 1. .5 '1 ' 1e3 inf nan 0x10 1,5; do
        refuses "--seconds wants a positive number of seconds, not \"$value\"" "--seconds=$value"
    done
}

a_bad_command_line_is_refused() {
    refuses 'a value is missing after "--interval"' --interval
    refuses 'a value is missing after "--seconds"' --seconds
    refuses 'a value is missing after "--proc"' --seconds 1 --proc
    refuses 'unknown option "--colour"' --colour
    refuses 'unknown option "-x"' -x
    refuses 'unexpected argument "everything"' everything
    refuses 'unexpected argument "more"' --seconds 1 more
}

what_is_missing_cannot_be_read() {
    vitals --proc "$scratch/nowhere" --seconds 0.001
    exits 2
    set --
    for file in stat meminfo loadavg net/dev; do
        set -- "$@" "vitals: $scratch/nowhere/$file: cannot be read: No such file or directory"
    done
    complains_of "$@"
    prints_line 'load          0          0         0  -'
}

a_folder_in_place_of_a_file_cannot_be_read() {
    rm -rf "$scratch/folders"
    set --
    for file in stat meminfo loadavg net/dev; do
        mkdir -p "$scratch/folders/$file"
        set -- "$@" "vitals: $scratch/folders/$file: cannot be read: Is a directory"
    done
    vitals --proc "$scratch/folders" --seconds 0.001
    exits 2
    complains_of "$@"
}

what_failed_is_not_read_again() {
    make_proc
    rm "$proc/loadavg"
    vitals --proc "$proc" --seconds 0.05 --interval 10
    exits 2
    complains_of "vitals: $proc/loadavg: cannot be read: No such file or directory"
}

a_processor_line_is_cpu_and_at_least_four_numbers() {
    accepts stat 'cpu 1 2 3 4\n' cpu '60.0 %'
    accepts stat 'cpu 1 2 3 4' cpu '60.0 %'
    accepts stat "cpu $(printf %05000d 1) 2 3 4" cpu '60.0 %'
    accepts stat 'cpu  1 1 1 1 1 1 1 1 1000 1000\ncpu0 nonsense\n' cpu '75.0 %'
    accepts stat 'cpu 1 2 3 4 5 6 7 8 9 10 11 12\n' cpu '75.0 %'
    accepts stat 'cpu 0 0 0 0\n' cpu '0.0 %'
    accepts stat 'cpu 1 0 0 15\n' cpu '6.2 %'
    accepts stat 'cpu 18446744073709551615 0 0 0\n' cpu '100.0 %'
    for content in '' '\n' 'cpu' 'cpu 1 2 3\n' 'cpu0 1 2 3 4\n' 'CPU 1 2 3 4\n' '\ncpu 1 2 3 4\n' 'cpu 1 2 3 x\n' 'cpu 1 2 3 4 x\n' \
        'cpu -1 2 3 4\n' 'cpu +1 2 3 4\n' 'cpu 1 2 3 4.5\n' 'cpu 0x1 2 3 4\n' 'cpu 1 2 3\n4\n' \
        'cpu 18446744073709551616 0 0 0\n' "cpu 1 2 3 $(printf %05000d 1 | tr 0 9)" 'cpu 18446744073709551615 1 0 0\n' \
        'cpu 1 2 3 4\0' '\0377\0376\0000\0001\0200garbage\0012\0000'; do
        rejects stat "$content" '"cpu" and at least four numbers'
    done
}

memory_is_what_is_not_available() {
    accepts meminfo 'MemTotal: 100 kB\nMemFree: 1 kB\nMemAvailable: 25 kB\n' memory '75.0 %'
    accepts meminfo 'MemAvailable:\t16\nMemTotal:   16' memory '0.0 %'
    accepts meminfo 'MemTotal: 16 kB\nMemAvailable: 15 kB\nMemTotal: 1 kB\n' memory '6.2 %'
    accepts meminfo 'MemTotal: 18446744073709551615 kB\nMemAvailable: 0 kB\n' memory '100.0 %'
    for content in '' 'MemTotal: 100 kB\n' 'MemAvailable: 100 kB\n' 'MemTotal: 0 kB\nMemAvailable: 0 kB\n' \
        'MemTotal: 1 kB\nMemAvailable: 2 kB\n' 'MemTotal: x kB\nMemAvailable: 2 kB\n' 'MemTotal: 3 kB\nMemAvailable: -2 kB\n' \
        'MemTotal:\nMemAvailable: 2 kB\n' 'MemTotal: 18446744073709551616 kB\nMemAvailable: 2 kB\n' \
        'MemTotal: 3kB\nMemAvailable: 2kB\n' 'MemTotal: 3 kB\nMemAvailable: 2 kB\n\0' '\0377\0376\0000\0001\0200garbage\0012\0000'; do
        rejects meminfo "$content" 'MemTotal and MemAvailable'
    done
}

the_load_is_the_first_word() {
    accepts loadavg '0.00 0.00 0.00 1/2 3\n' load '0.00'
    accepts loadavg '12' load '12.00'
    accepts loadavg '0.125 x\n' load '0.12'
    accepts loadavg '0.375\n' load '0.38'
    accepts loadavg '123456789.996 \n' load '123456790.00'
    for content in '' '\n' ' ' 'x' '-1 ' '+1 ' '1e3 ' 'inf ' 'nan ' '0x1 ' '.5 ' '1. ' '1,5 ' '1.5.5 ' '0.00\0' '\0377\0376\0000\0001\0200garbage\0012\0000'; do
        rejects loadavg "$content" 'a load average'
    done
}

each_interface_has_16_numbers() {
    header='Inter-|   Receive |  Transmit\n face |bytes |bytes\n'
    row='0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'
    accepts net/dev "$header" network '0.0 kB/s'
    accepts net/dev "$header  eth0: 1 $row\n eth0:1: 1 $row\n" network '0.0 kB/s'
    accepts net/dev "$header  eth0:1 $row" network '0.0 kB/s'
    for content in '' 'Inter-|\n' "$header  eth0: $row\n" "$header  eth0: 1 1 $row\n" "$header  eth0 1 $row\n" "$header  eth0: x $row\n" \
        "$header  eth0: -1 $row\n" "$header  eth0: 1 $row x\n" "$header  eth0: 18446744073709551616 $row\n" "$header\n" \
        "$header    lo: 1\n" "$header  eth0: 18446744073709551615 $row\n  eth1: 1 $row\n" "$header\0" '\0377\0376\0000\0001\0200garbage\0012\0000'; do
        rejects net/dev "$content" '16 numbers after each interface'
    done
}

tests=$(sed -n 's/^\([a-z_0-9]*\)() {$/\1/p' "$0" | grep -vxE 'vitals|fail|make_proc|refuses|accepts|rejects')
for test in $tests; do "$test"; done
if [ "$failures" -gt 0 ]; then
    echo "$failures failures" >&2
    exit 1
fi
echo "$(echo "$tests" | wc -l) tests of \"$command\" passed"

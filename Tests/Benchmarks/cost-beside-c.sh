#!/bin/bash
# SPDX-License-Identifier: MIT
# Counts the instructions that things cost through the C++ header and through the C functions that it calls: it may be
# 1.1 times as many.
# Usage: cost-beside-c.sh PROGRAM
set -eu

program=$1
few=1000 many=6000

count() { # language, case, how often
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

each() { # language, case
    echo $((($(count "$1" "$2" $many) - $(count "$1" "$2" $few)) / (many - few)))
}

failed=0 passed=0
for case in $("$program" cases); do
    c=$(each c "$case") cxx=$(each cxx "$case")
    ratio=$((cxx * 100 / c))
    echo "$case: $cxx instructions in C++, $c in C, $((ratio / 100)).$(printf %02d $((ratio % 100))) times"
    if [ "$c" -gt 0 ] && [ $((cxx * 10)) -le $((c * 11)) ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "cost of C++: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]

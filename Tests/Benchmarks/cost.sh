#!/bin/bash
# SPDX-License-Identifier: MIT
# Counts the instructions that things cost and compares them with Tests/Benchmarks/cost-limits: counts
# repeat where times do not. A limit that a change rightly lowers or raises is changed with it.
# Usage: cost.sh PROGRAM
set -eu

program=$1
limits=$(dirname "$0")/cost-limits
few=1000 many=6000

count() { # case, how often
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

failed=0 passed=0
while read -r case limit; do
    [ "${case:0:1}" != "#" ] || continue
    each=$(( ($(count "$case" $many) - $(count "$case" $few)) / (many - few) ))
    if [ "$each" -gt "$limit" ] || [ "$each" -le 0 ]; then
        echo "cost: $case takes $each instructions, the limit is $limit" >&2
        failed=$((failed + 1))
    else
        echo "$case: $each instructions (limit $limit)"
        passed=$((passed + 1))
    fi
done < "$limits"
echo "cost: $passed passed, $failed failed"
[ "$failed" = 0 ]

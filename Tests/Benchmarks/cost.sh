#!/bin/bash
# SPDX-License-Identifier: MIT
# Counts the instructions and the allocations that things cost and compares them with limits: counts repeat where times do
# not. A limit that a change rightly lowers or raises is changed with it.
# Usage: cost.sh PROGRAM LIMITS
set -eu

program=$1
limits=$2
few=1000 many=6000
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT

# count CASE HOW-OFTEN   How many instructions, and how many calls of what allocates.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$profile" "$program" "$1" "$2" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
    # A function has a number; its name stands where it is named first.
    awk '/^c?fn=/ {
            split(substr($0, index($0, "=") + 1), part, " ")
            if (part[2] != "") name[part[1]] = part[2]
            if (/^cfn=/) called = name[part[1]]
        }
        /^calls=/ && called ~ /^(malloc|calloc|realloc|posix_memalign|aligned_alloc)$/ { sum += substr($1, 7) }
        END { print sum + 0 }' "$profile"
}

failed=0 passed=0
while read -r case limit most; do
    [ "${case:0:1}" != "#" ] || continue
    mapfile -t of_many < <(count "$case" $many)
    mapfile -t of_few < <(count "$case" $few)
    each=$(((of_many[0] - of_few[0]) / (many - few)))
    # Rounded up; but what is kept for later grows less and less often: one in two hundred is none.
    allocations=$(((of_many[1] - of_few[1] + (many - few) - 1 - (many - few) / 200) / (many - few)))
    if [ "$each" -gt "$limit" ] || [ "$each" -le 0 ] || [ "$allocations" -gt "$most" ]; then
        echo "cost: $case takes $each instructions and $allocations allocations, the limits are $limit and $most" >&2
        failed=$((failed + 1))
    else
        echo "$case: $each instructions (limit $limit), $allocations allocations (limit $most)"
        passed=$((passed + 1))
    fi
done < "$limits"
echo "cost: $passed passed, $failed failed"
[ "$failed" = 0 ]

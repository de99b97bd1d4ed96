#!/bin/bash
# SPDX-License-Identifier: MIT
# One line of all that a torture has done, out of what its parts have said.
# Usage: torture.sh FOLDER
set -eu

# The sum of the numbers before some words in what a part has said; nothing if it was not run.
sum() { # PART WORDS
    grep -oE "[0-9]+ $2" "$1".said 2> /dev/null | awk '{ sum += $1 } END { if (NR) printf "%d", sum }'
}
add() { # WHAT NUMBER
    total="${total:+$total, }$1: ${2:-not run}"
}

cd "$1"
total=
add schedules "$(cat explore-pairs.said explore-triples.said 2> /dev/null | awk '/^[0-9]+ programs, [0-9]+ schedules/ { sum += $3 } END { if (NR) printf "%d", sum }')"
add operations "$(sum test-fuzz-all 'operations in')"
add messages "$(cat soak.said threaded.said 2> /dev/null | grep -E '^(soak|threaded):' | grep -oE '[0-9]+ messages' | awk '{ sum += $1 } END { if (NR) printf "%d", sum }')"
add 'allocations failed' "$(sed -n 's/^allocations that failed: \([0-9]*\).*/\1/p' test-every-allocation.said 2> /dev/null | awk '{ sum += $1 } END { if (NR) printf "%d", sum }')"
add mutants "$(sed -n 's/^mutants: //p' test-mutants.said 2> /dev/null | tail -1)"
add 'seeded faults' "$(sed -n 's/^\([0-9]* of [0-9]*\) seeded faults found$/\1 found/p' explore-faults.said 2> /dev/null | tail -1)"
echo "torture: $total"

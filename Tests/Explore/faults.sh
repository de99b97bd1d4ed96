#!/bin/bash
# SPDX-License-Identifier: MIT
# The explorer has to find each seeded fault, and no fault where none is switched on.
# Usage: faults.sh EXPLORER-WITH-FAULTS
set -eu

here=$(cd "$(dirname "$0")" && pwd)
found=0 all=0 missed=0
while IFS=$'\t' read -r number program name; do
    all=$((all + 1))
    if EXPLORE_FAULT=0 "$1" -q -j 1 -l 500 "$program" > "$1.said" 2>&1 && grep -q '^1 programs' "$1.said"; then :; else
        cat "$1.said" >&2
        echo "explore: without a fault something is wrong with \"$program\"" >&2
        exit 1
    fi
    # Few interruptions are enough for most, and depth first they can come late.
    is_found=no
    for how in "-b 1 -l 100000" "-b 2 -l 200000" "-l 1000000"; do
        # shellcheck disable=SC2086  # several words
        EXPLORE_FAULT=$number "$1" -q -j 1 $how "$program" > "$1.said" 2>&1 || { is_found=yes; break; }
    done
    if [ $is_found = no ]; then
        missed=$((missed + 1))
        printf 'MISSED %-66s %s\n' "$name" "$(grep -o '[0-9]* schedules' "$1.said" | tail -1)"
    else
        found=$((found + 1))
        printf 'found %-66s %s\n' "$name" "$(grep -m 1 -o '^schedule [0-9]*' "$1.said")"
        printf '      %s\n' "$(grep -m 1 -o '^FAILED.*' "$1.said")"
    fi
done < <(python3 "$here/../Mutation/faults.py" list "$here/faults.txt")
echo "$found of $all seeded faults found"
[ $missed = 0 ]

#!/bin/bash
# SPDX-License-Identifier: MIT
# The random programs have to find each seeded fault, and none where none is switched on.
# Usage: faults.sh FUZZER-WITH-FAULTS
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if ! FUZZ_FAULT=0 "$1" 1 500000 > "$1.said" 2>&1; then
    cat "$1.said" >&2
    echo "fuzz: there is a difference without a fault" >&2
    exit 1
fi
found=0 missed=0
while read -r number name; do
    if { FUZZ_FAULT=$number "$1" 1 3000000 > "$1.said" 2>&1; } 2> /dev/null; then
        missed=$((missed + 1))
        echo "MISSED $name"
    else
        found=$((found + 1))
        printf 'found %-80s %s\n' "$name" "$(grep -m 1 '^seed' "$1.said")"
    fi
done < <(python3 "$here/../Mutation/faults.py" list "$here/faults.txt")
echo "fuzz: $found of $((found + missed)) seeded faults found"
[ $missed = 0 ]

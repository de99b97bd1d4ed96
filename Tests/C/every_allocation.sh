#!/bin/bash
# SPDX-License-Identifier: MIT
# Acts out every scenario as often as the library allocates in it, and each time another allocation fails. What may come
# of that: the scenario goes well all the same, a call says that there is no memory, or the process ends with a sentence
# that says so. Freed memory is overwritten, so that a use of it shows. The program is that of the scenarios, or another one
# of the C tests: of that, what allocates more than a thousand times is left out.
#
#     Tests/C/every_allocation.sh PROGRAM INTERPOSER JOBS [EVERY HOW MANYTH]
set -eu -o pipefail
export LC_ALL=C

program=$1 interposer=$2 jobs=$3 step=${4:-1}
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT

# Which test, and which allocation: one word on what became of it.
try() {
    local log rc=0
    log=$said/$BASHPID
    MALLOC_PERTURB_=165 LD_PRELOAD="$interposer" SWO_FAILING="$2" "$program" "$1" > "$log" 2>&1 || rc=$?
    if [ "$rc" -eq 0 ]; then
        echo fine
    elif grep -q 'SwiftObserver: out of memory' "$log"; then
        echo ended
    elif [ "$rc" -ge 128 ] && [ "$rc" -ne 134 ]; then
        echo "crashed $1, allocation $2"
    elif grep -qE 'there is no memory|another callback failed' "$log"; then
        echo told
    elif grep -qE 'a derived variable without a name|strstr\(dot' "$log"; then
        echo nameless # a circle, or a picture, without a name that could not be copied
    else
        echo "otherwise $1, allocation $2: $(grep -m1 -vE '^\[|^$' "$log")"
    fi
    rm -f "$log"
}
export -f try
export said program interposer

"$program" --list > "$said/tests"
while IFS= read -r test; do
    count=$(LD_PRELOAD="$interposer" SWO_COUNTING=1 "$program" "$test" 2>&1 | sed -n 's/^allocations: //p' | tail -1)
    [ "$count" -le 1000 ] || [[ "$program" = *scenario_tests ]] || continue
    for ((number = 1; number <= count; number += step)); do printf '%s\0%s\0' "$test" "$number"; done
done < "$said/tests" | xargs -0 -n 2 -P "$jobs" bash -c 'try "$@"' try 2> "$said/shell" > "$said/results"

grep -E '^(crashed|otherwise)' "$said/results" | sort | head -20 || true
count() { grep -c "^$1" "$said/results" || true; }
echo "${program##*/}, allocations that failed: $(wc -l < "$said/results"), of them done without $(count fine), told $(count told)," \
    "told without a name $(count nameless), ended with a sentence $(count ended), otherwise $(count otherwise), crashed $(count crashed)"
[ "$(count crashed)" -eq 0 ] && [ "$(count otherwise)" -eq 0 ] && [ "$(count fine)" -gt 0 ]

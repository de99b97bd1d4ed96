#!/bin/bash
# SPDX-License-Identifier: MIT
# Each wrong use in wrong_uses.cpp is refused with its sentence; without any it compiles.
#
#     Tests/C/cxx/wrong_uses.sh COMPILER FLAGS...
set -eu -o pipefail

program=$(dirname "$0")/wrong_uses.cpp
"$@" -fsyntax-only "$program"
failed=0 passed=0
while read -r number sentence; do
    if said=$("$@" -fsyntax-only "-DWRONG=$number" "$program" 2>&1); then
        echo "$1: wrong use $number compiles: $sentence" >&2
        failed=$((failed + 1))
    elif grep -qF "$sentence" <<< "${said//[‘’]/\'}"; then
        passed=$((passed + 1))
    else
        printf '%s: wrong use %s is refused without "%s":\n%s\n' "$1" "$number" "$sentence" "$said" >&2
        failed=$((failed + 1))
    fi
done < <(sed -n 's/^#e*l*if WRONG == \([0-9]*\) *\/\/ /\1 /p' "$program")
echo "wrong uses, $1: $passed passed, $failed failed"
# None was overlooked.
[ "$failed" = 0 ] && [ "$passed" -gt 0 ] && [ "$passed" = "$(grep -c 'if WRONG == ' "$program")" ]

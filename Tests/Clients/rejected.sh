#!/bin/bash
# SPDX-License-Identifier: MIT
# What is in Rejected must not compile, for the reason that stands there: `// error: ...` in its second line, or behind each line
# that is rejected, and then no other line may be. What is in Checked must compile, without a warning, in both modes.
# Usage: rejected.sh FOLDER-OF-MODULES
set -eu

modules=$(cd "$1" && pwd)
cd "$(dirname "$0")"

fail() {
    echo "clients: $*" >&2
    exit 1
}

typecheck() { # language mode, file, more flags
    swiftc -typecheck -module-name Client -swift-version "$1" -I "$modules" -I ../../Sources/CPlatform/include "${@:2}"
}

count=0
for file in Rejected/*.swift; do
    if said=$(typecheck 6 "$file" 2>&1); then fail "$file compiles"; fi
    expected=$(sed -n '2s,^// error: ,,p' "$file")
    if [ -n "$expected" ]; then
        grep 'error:' <<< "$said" | grep -qF "$expected" || fail "$file is rejected for another reason:"$'\n'"$said"
        count=$((count + 1))
        continue
    fi
    said=$(grep -E "^$file:[0-9]+:[0-9]+: error: " <<< "$said")
    while IFS=: read -r line expected; do
        grep -E "^$file:$line:" <<< "$said" | grep -qF "$expected" ||
            fail "$file:$line is not rejected, or for another reason than '$expected':"$'\n'"$said"
        said=$(grep -vE "^$file:$line:" <<< "$said" || true)
        count=$((count + 1))
    done < <(grep -nE '[^ ].*  // error: ' "$file" | sed -E 's,^([0-9]+):.*  // error: (.*),\1:\2,')
    [ -z "$said" ] || fail "$file is rejected where it is right:"$'\n'"$said"
done
echo "clients: $count programs are rejected, each for its reason"

for mode in 5 6; do
    for file in Checked/*.swift; do
        typecheck "$mode" "$file" -warnings-as-errors || fail "$file does not compile in Swift $mode mode"
    done
done

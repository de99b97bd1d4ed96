#!/bin/bash
# SPDX-License-Identifier: MIT
# Only the stores of the Python package ask which store an observable has, and how it is called; they do so three times at most.
set -eu
cd "$(dirname "$0")/../.."
package=bindings/python/src/swiftobserver
stores='_core/stores|_values/local_value|_values/library_value'
question='_has_pointer|_converts\b|_is_native\b|isinstance\([^)]*(Local|Library)(Store|Value)\b|\bis (not )?(LOCAL|LIBRARY|_LOCAL)\b|calls is (not )?|environment import .*\bVECTORCALL\b'

asked=$(grep -rnE --include='*.py' "$question" "$package" || true)
elsewhere=$(grep -vE "^$package/($stores|__main__)\.py:" <<< "$asked" || true)
if [ -n "$elsewhere" ]; then
    printf 'stores: asked outside of the stores:\n%s\n' "$elsewhere" >&2
    exit 1
fi
count=$(grep -cE "^$package/($stores)\.py:" <<< "$asked" || true)
if [ "$count" -gt 3 ]; then
    printf 'stores: asked %s times in the stores, and 3 are allowed:\n%s\n' "$count" "$asked" >&2
    exit 1
fi

#!/bin/bash
# SPDX-License-Identifier: MIT
# The man pages name every function, please the strictest formatters, and begin with a program that runs.
# Usage: man.sh FOLDER-OF-PAGES HEADER COMMAND-THAT-COMPILES...
set -eu -o pipefail

pages=$1 header=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "man: $*" >&2; exit 1; }

sed -n 's/^SWO_API .*\<\(swo_[a-z0-9_]*\)(.*/\1/p' "$header" | while read -r name; do
    [ -f "$pages/$name.3" ] || fail "$name has no page"
    page=$pages/$(sed -n 's|^\.so man3/||p' "$pages/$name.3")
    grep -q "^\.Nm $name\( ,\)\?$" "$page" || fail "$page does not name $name"
    grep -q "^\.Ss $name$" "$page" || fail "$page does not describe $name"
done

for page in "$pages"/*.[37]; do
    if grep -q '^\.so ' "$page"; then continue; fi
    said=$(mandoc -Tlint -W warning "$page" 2>&1) || fail "$said"
    said=$(LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l "$page" 2>&1 > /dev/null < /dev/null)
    [ ! "$said" ] || fail "$page: $said"
done

# The overview's example: a function, then what stands in main().
sed -n '/^\.Bd -literal -offset indent$/,/^\.Ed$/p' "$pages/swiftobserver.3" | grep -v '^\.' |
    sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//' | awk '
        BEGIN { print "#include <stdio.h>\n#include <swiftobserver.h>" }
        { print }
        $0 == "}" { print "int main(void) {" }
        END { print "}" }' > "$scratch/example.c"
"$1" "$scratch/example.c" "${@:2}" -o "$scratch/example"
[ "$("$scratch/example")" = "hello, world" ] || fail "the overview's example does not print what it says"

#!/bin/bash
# SPDX-License-Identifier: MIT
# The man pages name every function, please the strictest formatters, and begin with a program that runs, those of the
# adapters with code that compiles.
# Usage: man.sh FOLDER-OF-PAGES INCLUDE FOLDER-OF-ADAPTERS COMMAND-THAT-COMPILES...
set -eu -o pipefail

pages=$1 include=$2 adapters=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "man: $*" >&2; exit 1; }

is_described() {
    [ -f "$pages/$1.3" ] || fail "$1 has no page"
    page=$pages/$(sed -n 's|^\.so man3/||p' "$pages/$1.3")
    grep -q "^\.Nm $1\( ,\)\?$" "$page" || fail "$page does not name $1"
    grep -q "^\.Ss $1$" "$page" || fail "$page does not describe $1"
}

find "$include" -name '*.h' -exec sed -n 's/^SWO_API .*\<\(swo_[a-z0-9_]*\)(.*/\1/p' {} + |
    while read -r name; do is_described "$name"; done

defined_in() {
    sed -n 's/^static inline [^(]*\<\(swo_[a-z0-9_]*\)(.*/\1/p; s/^#define \(SWO_[A-Z_]*\).*/\1/p' "$1" | sort -u
}

# What the adapters define is for users if their tests use it; the rest is their own.
for adapter in "$adapters"/*.h; do
    used=$(defined_in "$adapter" | grep -xFf <(grep -ohrE '\<(swo|SWO)_\w+' Tests/C/adapters))
    [ "$used" ] || fail "$adapter defines nothing that its tests use"
    while read -r name; do is_described "$name"; done <<< "$used"
done

for page in "$pages"/*.[37]; do
    if grep -q '^\.so ' "$page"; then continue; fi
    said=$(mandoc -Tlint -W warning "$page" 2>&1) || fail "$said"
    said=$(LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l "$page" 2>&1 > /dev/null < /dev/null)
    [ ! "$said" ] || fail "$page: $said"
done

# The code that a page shows before it describes its first function.
example() {
    sed '/^\.Ss /q' "$1" | sed -n '/^\.Bd -literal -offset indent$/,/^\.Ed$/p' |
        sed 's/\\-/-/g; s/\\e/\\/g; s/^\\&//; /^\.Bd/d; s/^\.Ed$//'
}

# The overview's: a function, then what stands in main().
example "$pages/swiftobserver.3" | awk '
    BEGIN { print "#include <stdio.h>\n#include <swiftobserver.h>" }
    { print }
    $0 == "}" { print "int main(void) {" }
    END { print "}" }' > "$scratch/example.c"
"$1" "$scratch/example.c" "${@:2}" -o "$scratch/example"
[ "$("$scratch/example")" = "hello, world" ] || fail "the overview's example does not print what it says"

# Those of the adapters, each paragraph by itself, within what they take for granted; dots stand for anything.
for adapter in "$adapters"/*.h; do
    name=$(basename "$adapter" .h)
    mkdir "$scratch/$name"
    example "$pages/swiftobserver_$name.3" | sed 's/\.\.\./(void)0;/' |
        awk -v file="$scratch/$name/example" 'BEGIN { RS = "" } { print > (file NR) }'
    around=Tests/TestSupport/man/$name.c
    [ "$(cd "$scratch/$name" && ls)" = "$(sed -n 's/^#include "\(.*\)"/\1/p' "$around")" ] || fail "$around does not have all examples"
    "$1" "${@:2}" -I "$scratch/$name" -fsyntax-only "$around"
done

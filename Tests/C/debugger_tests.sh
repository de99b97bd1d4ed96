#!/bin/bash
# SPDX-License-Identifier: MIT
# A debugger stops in each function where its source declares it.
#
#     Tests/C/debugger_tests.sh LIBRARY PROGRAM        the program uses the library, and sends
set -eu -o pipefail
export LC_ALL=C
library=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

grep -rn --include='*.swift' '^@_cdecl("' Sources/SwiftObserverC |
    sed 's/^\([^:]*\):\([0-9]*\):@_cdecl("\([^"]*\)").*/\3 \1 \2/' > "$folder/declared"
grep -rnE --include='*.c' '^[a-z_].* swo_[a-z_]+\(.*\{$' Sources/SwiftObserverC |
    sed -E 's/^([^:]*):([0-9]*):.* (swo_[a-z_]+)\(.*/\3 \1 \2/' >> "$folder/declared"
nm -D --defined-only "$library" | awk '$2 == "T" { sub("@.*", "", $3); print $3 }' > "$folder/functions"
sed 's/^/break /' "$folder/functions" > "$folder/breaks"
gdb -nx -batch -x "$folder/breaks" "$library" > "$folder/said"

# gdb steps over the beginning of a function to its first line. Of functions that the compiler made one, because they do
# the same, what is left has no line: a debugger stops there and names the function alone.
awk -v declared="$folder/declared" -v functions="$folder/functions" '
    BEGIN {
        while ((getline < declared) > 0) { file[$1] = $2; line[$1] = $3 }
        while ((getline < functions) > 0) name[++count] = $1
    }
    /^Breakpoint [0-9]+ at 0x[0-9a-f]+$/ { alone++; answers++; next }
    /^Breakpoint/ {
        answers++
        f = name[$2]; place = $6; sub(/^(\.\/)*/, "", place); sub(/,$/, "", place); stop = $8 + 0
        if (place != file[f] || stop <= line[f] || stop > line[f] + 30) {
            print "a debugger stops for " f " at " place ":" stop ", not after " file[f] ":" line[f]
            wrong = 1
        }
    }
    END {
        print "a debugger stops in " answers - alone " functions where their sources are, in " alone + 0 " without a line"
        exit wrong || answers != count || alone * 10 > count
    }' "$folder/said"

# With its caller.
gdb -nx -batch -ex 'set breakpoint pending on' -ex 'break swo_send' -ex run -ex backtrace "$program" > "$folder/said" 2>&1 < /dev/null
if ! grep -q '^#0 .* swo_send .* at .*Sources/SwiftObserverC/Observables\.swift:' "$folder/said" || ! grep -q '^#1 .* main ' "$folder/said"; then
    cat "$folder/said"
    exit 1
fi

#!/bin/bash
# SPDX-License-Identifier: MIT
# Prints how many lines of the engine and of the C layer the C tests run, and writes which they do not:
#     Tests/C/coverage.sh [folder]
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-build/coverage}

# The tools that belong to the Swift compiler, whose profiles others may not read.
toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")
runtime=$(find "$toolchain/../lib/clang" -name "libclang_rt.profile-$(uname -m).a" | head -1)
names=$(find Tests/C -maxdepth 2 -name "*_tests.c" ! -path "*/plugin/*" ! -path "*/relay/*" ! -path "*/debugging/*" -printf "%P\n" | sed "s|\.c$||")
programs=()
for name in $names; do programs+=("$folder/tests/$name"); done

make --no-print-directory RUNTIME=static "OUT=$folder" SWIFTFLAGS="-O -g -profile-generate -profile-coverage-mapping" \
    LDFLAGS="-Wl,--whole-archive $runtime -Wl,--no-whole-archive" lib "${programs[@]}"

rm -f "$folder"/*.profraw
for program in "${programs[@]}"; do
    LLVM_PROFILE_FILE="$folder/%p.profraw" "$program" >"$program.log" 2>&1 || { cat "$program.log"; echo "$program failed" >&2; exit 1; }
done
"$toolchain/llvm-profdata" merge -sparse "$folder"/*.profraw -o "$folder/merged.profdata"
report() { "$toolchain/llvm-cov" "$@" "$folder/libswiftobserver.so" -instr-profile="$folder/merged.profdata"; }
# Lines of functions that no test calls at all are in it, too.
report export -format=lcov | awk -F'[:,]' '
    /^SF:/ { file = substr($0, 4); sub(/.*Sources\//, "", file) }
    /^DA:/ && file ~ /^(ObserverEngine|SwiftObserverC)\// { if ($3 > 0) run[file]++; else { missed[file]++; print file ":" $2 > "'"$folder"'/missed" }; part[file] = substr(file, 1, index(file, "/") - 1) }
    END { for (f in part) { all[part[f]] += run[f] + missed[f]; hit[part[f]] += run[f]; if (run[f]) used[part[f]] += run[f] + missed[f] }
          for (p in all) printf "%-15s %5d of %5d lines, %.1f %%; %.1f %% in the files that C uses\n", p, hit[p], all[p], 100 * hit[p] / all[p], 100 * hit[p] / used[p] }' | sort
sort -t: -k1,1 -k2,2n -o "$folder/missed" "$folder/missed"

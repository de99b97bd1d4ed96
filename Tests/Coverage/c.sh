#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes what the C tests run of the engine and of the C layer: FOLDER/c.json. Without membarrier(2),
# too.
#     Tests/Coverage/c.sh FOLDER "FENCED PROGRAMS"
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1 fenced=$2

# The tools that belong to the Swift compiler, whose profiles others may not read.
toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")
runtime=$(find "$toolchain/../lib/clang" -name "libclang_rt.profile-$(uname -m).a" | head -1)
mapfile -t names < <(find Tests/C -maxdepth 2 -name "*_tests.c" ! -path "*/plugin/*" ! -path "*/relay/*" ! -path "*/debugging/*" -printf "%P\n" | sed "s|\.c$||" | sort)

make --no-print-directory RUNTIME=embedded "OUT=$folder" SWIFTFLAGS="-O -g -profile-generate -profile-coverage-mapping" \
    LDFLAGS="-Wl,--whole-archive $runtime -Wl,--no-whole-archive" lib "${names[@]/#/$folder/tests/}" \
    "$folder/tests/no_membarrier.so"

rm -f "$folder"/*.profraw
export LLVM_PROFILE_FILE="$folder/%p.profraw" SWO_TEST_SCALE="${SWO_TEST_SCALE:-0.1}"
run() { # name of the log, command
    local log=$folder/tests/$1.said
    shift
    "$@" > "$log" 2>&1 || { cat "$log"; echo "coverage: failed: $*" >&2; exit 1; }
}
for name in "${names[@]}"; do
    # This library leaves its counts behind.
    mapfile -t tests < <("$folder/tests/$name" --list | grep -v a_library_that_comes_and_goes_leaves_nothing)
    run "$name" "$folder/tests/$name" "${tests[@]}"
done
for name in $fenced; do run "$name" env "LD_PRELOAD=$PWD/$folder/tests/no_membarrier.so" "$folder/tests/$name"; done
# Without those of processes that were ended while they wrote.
"$toolchain/llvm-profdata" merge -sparse -failure-mode=all "$folder"/*.profraw -o "$folder/merged.profdata"
"$toolchain/llvm-cov" export "$folder/libswiftobserver.so" -instr-profile="$folder/merged.profdata" > "$folder/c.json"

#!/bin/bash
# SPDX-License-Identifier: MIT
# Compares what the headers declare with what was accepted under this soname, and accepts what has been added.
#
#     abi.sh check|accept INCLUDE SONAME FOLDER COMPILER
#
# The library's own debug information speaks of Swift, so a library of empty functions is made from the headers in INCLUDE.
# In FOLDER, `SONAME.abi` holds its functions and types, and `SONAME.constants` their numbers. Removing or changing one of them takes a new soname; adding some, or fields at the end of a struct that begins with its size, takes `make accept-abi`.
set -eu -o pipefail

action=$1 include=$2 soname=$3 folder=$4 compiler=$5
accepted=$folder/$soname.abi numbers=$folder/$soname.constants
scratch=$(mktemp -d)
shopt -s nullglob
# What relays to other machines is a library of its own.
case $soname in
*-relay.so.*) headers=("$include"/swiftobserver/relay.h) ;;
*) headers=("$include"/swiftobserver.h) && for header in "$include"/swiftobserver/*.h; do
    [ "${header##*/}" = relay.h ] || headers+=("$header"); done ;;
esac
trap 'rm -rf "$scratch"' EXIT
fail() { echo "abi: $*" >&2; exit 1; }

declare_everything() {
    # Copies, because what is compared should not know where they were.
    cp -r "$include" "$scratch/include"
    printf '#include <%s>\n' "${headers[@]#"$include"/}" > "$scratch/all.h"
    # Each function with a body, each variable, and nothing else that would end at a semicolon.
    awk 'BEGIN { print "#include \"all.h\"\n#pragma GCC diagnostic ignored \"-Wreturn-type\"" }
        /^SWO_API / { inside = 1 }
        sub(/^extern SWO_API /, "SWO_API ") { print; next }
        inside { if (sub(/;$/, " {}")) { print; inside = 0 } else print }' "${headers[@]}" > "$scratch/stub.c"
    (cd "$scratch" && "$compiler" -I include -g -O0 -shared -fPIC -fvisibility=hidden -Wl,-soname,"$soname" stub.c -o "$soname")
    abidw --no-show-locs --no-comp-dir-path --no-corpus-path "$scratch/$soname" | sed "s/ architecture='[^']*'//" > "$scratch/new.abi"
    # Numbers that a program was compiled with, by name and as they are written.
    "$compiler" -I "$include" -E -dM "$scratch/all.h" | sed -n 's/^#define \(SWO_[A-Z_0-9]*\) \((*(swo_status)-*[0-9]*)*\|-*[0-9][0-9]*\)$/\1 \2/p' |
        grep -v '^SWO_VERSION' | LC_ALL=C sort > "$scratch/new.constants"
    [ -s "$scratch/new.constants" ] || fail "the headers have no constants"
}

# Fields that are appended to structs which begin with their size are no change.
allow_appended_fields() {
    sed -n '/^typedef struct swo_[a-z_]* {$/{s/^typedef struct \(.*\) {$/\1/;h;n;/^    size_t size;/{x;p}}' "${headers[@]}" |
        sed 's/.*/[suppress_type]\n  name = &\n  type_kind = struct\n  has_data_member_inserted_at = end/' > "$scratch/allowed"
}

is_compatible() {
    local status=0
    abidiff --no-added-syms --suppressions "$scratch/allowed" "$accepted" "$scratch/new.abi" > "$scratch/report" || status=$?
    [ $status -eq 0 ] || { cat "$scratch/report" >&2; return 1; }
    ! LC_ALL=C comm -23 "$numbers" "$scratch/new.constants" | grep .
}

declare_everything
if [ -f "$accepted" ]; then
    allow_appended_fields
    is_compatible || fail "something declared under $soname was removed or changed: that takes a new soname (ABI in the Makefile)"
fi
case $action in
accept)
    mkdir -p "$folder"
    cp "$scratch/new.abi" "$accepted"
    cp "$scratch/new.constants" "$numbers"
    ;;
check)
    [ -f "$accepted" ] || fail "nothing was accepted under $soname yet: make accept-abi"
    abidiff "$accepted" "$scratch/new.abi" > "$scratch/report" || { cat "$scratch/report" >&2; fail "something is new: make accept-abi"; }
    cmp -s "$numbers" "$scratch/new.constants" || fail "a constant is new: make accept-abi"
    ;;
*) fail "check or accept, not $action" ;;
esac

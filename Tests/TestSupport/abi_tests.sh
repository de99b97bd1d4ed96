#!/bin/bash
# SPDX-License-Identifier: MIT
# What the safeguard of the ABI takes for a break, for an addition, and for nothing. Usage: abi_tests.sh INCLUDE COMPILER
set -eu -o pipefail

include=$1 compiler=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

safeguard() { Tests/TestSupport/abi.sh "$1" "$scratch/changed" libswiftobserver.so.0 "$scratch/accepted" "$compiler" > "$scratch/said" 2>&1; }

# change SENTENCE SCRIPT: edits a copy of the headers, which must make a difference
change() {
    sentence=$1
    rm -rf "$scratch/changed" "$scratch/accepted"
    cp -r "$include" "$scratch/changed"
    find "$scratch/changed" -name '*.h' -exec sed -E -i "$2" {} +
    if [ "$2" ] && diff -qr "$include" "$scratch/changed" > /dev/null; then wrong "does not change the headers"; fi
    cp -r "$scratch/original" "$scratch/accepted"
}

wrong() {
    echo "$sentence: $1" >&2
    sed 's/^/    /' "$scratch/said" >&2
    failures=$((failures + 1))
}

is_nothing() {
    change "$@"
    safeguard check || wrong "is refused"
}

is_an_addition() {
    change "$@"
    ! safeguard check || wrong "is not noticed"
    grep -q 'make accept-abi' "$scratch/said" || wrong "does not say how to accept it"
    safeguard accept || wrong "is not accepted"
    safeguard check || wrong "is refused after it was accepted"
}

is_a_break() {
    change "$@"
    ! safeguard check || wrong "is not noticed"
    ! safeguard accept || wrong "is accepted"
    grep -q 'new soname' "$scratch/said" || wrong "does not say what it takes"
}

cp -r "$include" "$scratch/changed"
sentence="the headers of today"
safeguard accept || wrong "is not accepted"
mv "$scratch/accepted" "$scratch/original"

is_nothing "no change" ''
is_nothing "another comment" 's/Makes an observer\./Makes one./'
is_an_addition "another function" 's/^(SWO_API int32_t )swo_version\(void\);/&\n\1swo_another(void);/'
is_an_addition "another constant" 's/^#define SWO_KIND_NULL 0/&\n#define SWO_KIND_ANOTHER 99/'
is_an_addition "a field at the end of a struct that begins with its size" \
    's/^(    void \(\*SWO_NULLABLE release\)\(void \*SWO_NULLABLE) context\);/&\n\1 another);/; s/(release\)\(void \*SWO_NULLABLE) another/another)(void *SWO_NULLABLE another/'
is_a_break "a function less" '/^SWO_API int32_t swo_version\(void\);/d'
is_a_break "a parameter of another type" 's/swo_stop\(swo_observation /swo_stop(uint32_t /'
is_a_break "a result of another type" 's/^SWO_API int32_t swo_version/SWO_API int64_t swo_version/'
is_a_break "a constant of another value" 's/^#define SWO_KIND_NULL 0/#define SWO_KIND_NULL 9/'
is_a_break "a field more in a struct of fixed size" 's/^    swo_value old_value;/&\n    swo_value another;/'
is_a_break "a field in front of others" 's/^    void \*SWO_NULLABLE context;/    void *another;\n&/'

[ "$failures" -eq 0 ] || exit 1
echo "the safeguard of the ABI tells breaks from additions"

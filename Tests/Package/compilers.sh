#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the library with the Swift compiler of a Debian release, in a clean root with nothing but what apt has, and runs
# the suites of C and Python there.
#
#     Tests/Package/compilers.sh [SUITE...]        needs root; trixie and sid have a compiler
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."

# In a namespace of its own, mounts and processes end together with the test, however it ends.
if [ "${1-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || { echo "compilers: making a Debian root needs root" >&2; exit 1; }
    exec unshare --mount --pid --fork --kill-child "$PWD/Tests/Package/compilers.sh" --inside "$@"
fi
shift
[ $# -gt 0 ] || set -- trixie
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

needs=binutils,g++,gcc,graphviz,libc6-dev,libcmocka-dev,libglib2.0-dev,libuv1-dev,make,pkgconf,procps,python3-dev,python3-hypothesis,python3-pytest,swiftlang
top=$PWD

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }

make_root() {
    local options=()
    # As this machine's own apt is told.
    eval "$(apt-config shell until Acquire::Check-Valid-Until date Acquire::Check-Date)"
    # shellcheck disable=SC2154  # apt-config sets them
    [ ! "${until-}" ] || options+=("--aptopt=Acquire::Check-Valid-Until \"$until\"")
    # shellcheck disable=SC2154
    [ ! "${date-}" ] || options+=("--aptopt=Acquire::Check-Date \"$date\"")
    [ -e "$root" ] || {
        mmdebstrap --variant=minbase "${options[@]}" --include="$needs" "$suite" "$root.making"
        mv "$root.making" "$root"
    }
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    rm -rf "$root/source"
    mkdir "$root/source"
    Tests/Package/list-sources.sh | tar -c -T - | tar -x -C "$root/source"
}

names_compiler() { inside swiftc --version; }
there() { inside env -C /source SWO_TEST_SCALE=0.1 NEED=true WERROR= "$@"; }
builds() { there make lib; }
passes_c() { there make smoke-c; }
passes_python() {
    there env PYTHONPATH=bindings/python/src PYTHONDONTWRITEBYTECODE=1 python3 -m pytest -q -p no:cacheprovider -W ignore::hypothesis.errors.HypothesisWarning Tests/Python \
        --ignore=Tests/Python/test_typing.py --ignore=Tests/Python/test_coming_from.py
}

mkdir -p build/roots
for suite in "$@"; do
    root=$top/build/roots/$suite-swift
    step "$suite: a clean Debian with its Swift compiler is there" make_root
    [ -d "$root/source" ] || continue
    step "$suite: $(inside swiftc --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p')" names_compiler
    step "$suite: the library builds" builds
    step "$suite: the C suite passes" passes_c
    step "$suite: the Python suite passes" passes_python
    umount -R "$root/proc" "$root/dev"
done
conclude "Debian's compilers"

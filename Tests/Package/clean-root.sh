#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the packages in a clean Debian without Swift, runs their tests in it, purges them and looks for remains.
#
#     Tests/Package/clean-root.sh [SUITE...]        after `make deb`; needs root
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."

# In a namespace of its own, mounts and processes end together with the test, however it ends.
if [ "${1-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || { echo "clean-root: making a Debian root needs root" >&2; exit 1; }
    exec unshare --mount --pid --fork --kill-child "$PWD/Tests/Package/clean-root.sh" --inside "$@"
fi
shift
[ $# -gt 0 ] || set -- bookworm
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

packages=(libswiftobserver0 libswiftobserver-relay0 libswiftobserver-dev python3-swiftobserver)
here=$PWD/Tests/Package
top=$PWD

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
as_user() { chroot --userspec=65534:65534 "$root" env -i PATH=/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 "$@"; }

make_root() {
    rm -rf --one-file-system "$root"
    # A tarball is made again when the script that makes it has changed.
    [ "$tarball" -nt "$here/make-root.sh" ] || "$here/make-root.sh" "$suite" "$tarball"
    mkdir -p "$root"
    tar -C "$root" -xf "$tarball"
    mount -t proc proc "$root/proc"
    mkdir "$root/packages"
    for package in "${packages[@]}"; do cp build/deb/"$package"_*.deb "$root/packages/"; done
    mkdir "$root/source"
    Tests/Package/list-sources.sh | tar -c -T - | tar -x -C "$root/source"
    chmod -R a+rX "$root/source" "$root/packages"
}

has_no_swift() {
    local found
    inside cc --version
    inside python3 --version
    found=$(find "$root" -xdev \( -name swift -o -name swiftc -o -name 'libswift*' -o -name '*.swiftmodule' \) \
        ! -path "$root/packages/*" ! -path "$root/source/*")
    [ ! "$found" ] || { echo "$found"; return 1; }
}

list_files() { "$here/list-files.sh" "$root" > "$1"; }
install_packages() { inside sh -c 'apt-get install -y --no-install-recommends /packages/*.deb'; }
purge_packages() { inside apt-get purge -y "${packages[@]}"; }

run_test() {
    local folder=/tmp/$1
    as_user mkdir -p "$folder"
    as_user sh -c "cd /source && AUTOPKGTEST_TMP=$folder debian/tests/$1"
}

# What a reader of the README types, and sees.
follow_the_readme() {
    as_user sh -c 'cd /source && TMPDIR=/tmp python3 Tests/TestSupport/readme.py README.md installed' | tee "build/roots/$suite.transcript"
    grep -q 'the c program prints what it should' "build/roots/$suite.transcript" && grep -q 'the python program prints what it should' "build/roots/$suite.transcript"
}

leaves_nothing() {
    list_files "$tarball.after"
    diff "$tarball.before" "$tarball.after"
}

for suite in "$@"; do
    tarball=$top/build/roots/$suite.tar
    root=$top/build/roots/$suite
    mkdir -p build/roots
    step "$suite: a clean Debian is there" make_root
    [ -d "$root/source" ] || continue # without it there is nothing to test in
    step "$suite: it has a C compiler and Python, and no Swift" has_no_swift
    list_files "$tarball.before"
    step "$suite: apt installs the packages without any other" install_packages
    for test in $(sed -n "s/^Tests: //p" debian/tests/control | tr -d ,); do
        step "$suite: test $test" run_test "$test"
    done
    step "$suite: the programs of the README run as their readers run them (build/roots/$suite.transcript)" follow_the_readme
    step "$suite: apt purges the packages" purge_packages
    step "$suite: nothing of them is left" leaves_nothing
    umount "$root/proc"
    rm -rf --one-file-system "$root"
done
conclude package

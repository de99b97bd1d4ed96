#!/bin/bash
# SPDX-License-Identifier: MIT
# In a clean Debian without Swift: a signed repository from which the packages are installed, upgraded, tested and purged. Looks
# for remains.
#
#     Tests/Package/clean-root.sh BEFORE [SUITE...]        after `make deb`; BEFORE: the folder of a version before; needs root
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
# shellcheck source=Tests/Package/roots.sh
. "${0%/*}/roots.sh"
before=$1
shift
[ $# -gt 0 ] || set -- bookworm

has_no_swift() {
    local found
    inside cc --version
    inside python3 --version
    found=$(find "$root" -xdev \( -name swift -o -name swiftc -o -name 'libswift*' -o -name '*.swiftmodule' \) ! -path "$root/source/*")
    [ ! "$found" ] || { echo "$found"; return 1; }
}

list_files() { Tests/Package/list-files.sh "$root" > "$top/build/roots/$suite.$1"; }

# The repository of a folder of packages, where the root finds it, signed with a key of this test.
publish() {
    debian/apt-repo.sh "build/roots/$suite.repository" '' "$1"/*.deb
    rm -rf "$root/packages"
    cp -r "build/roots/$suite.repository" "$root/packages"
    chmod -R a+rX "$root/packages"
}

sources=etc/apt/sources.list.d/swiftobserver.sources key=etc/apt/keyrings/swiftobserver.asc
add_repository() {
    mkdir -p "$root/${key%/*}"
    cp "$root/packages/swiftobserver.asc" "$root/$key"
    sed 's|^URIs: .*|URIs: file:/packages|' "$root/packages/swiftobserver.sources" > "$root/$sources"
}

refuses_another_key() {
    local said
    publish "$before"
    add_repository
    debian/apt-repo.sh "build/roots/$suite.another" '' "$before"/*.deb
    cp "build/roots/$suite.another/swiftobserver.asc" "$root/$key"
    if said=$(inside apt-get update 2>&1 && inside apt-get install -y libswiftobserver0 2>&1); then return 1; fi
    echo "$said"
    grep -q 'is not signed' <<< "$said"
}

accepts_the_key() {
    add_repository
    inside apt-get update -o APT::Update::Error-Mode=any
}

is_installed() {
    local package
    for package in "${packages[@]}"; do
        # shellcheck disable=SC2016  # dpkg fills in the fields
        diff <(dpkg-deb -f "$1/${package}"_*.deb Version) <(inside dpkg-query -W -f '${Version}\n' "$package")
    done
}

# There is nothing but this repository.
installs() {
    inside apt-get install -y --no-install-recommends "${packages[@]}"
    is_installed "$before"
}

upgrades() {
    publish build/deb
    inside apt-get update -o APT::Update::Error-Mode=any
    inside apt-get upgrade -y
    is_installed build/deb
}

run_test() {
    local folder=/tmp/$1
    as_user mkdir -p "$folder"
    as_user sh -c "cd /source && AUTOPKGTEST_TMP=$folder debian/tests/$1"
}

purge() { inside apt-get purge -y "$@" "${packages[@]}"; }
removes_repository() { rm "$root/$sources" "$root/$key"; }

leaves_nothing() {
    list_files after
    diff "$top/build/roots/$suite.before" "$top/build/roots/$suite.after"
}

for suite in "$@"; do
    root=$top/build/roots/$suite
    step "$suite: a clean Debian is there" unpack_root
    [ -d "$root/source" ] || continue # without it there is nothing to test in
    step "$suite: it has a C compiler and Python, and no Swift" has_no_swift
    mkdir -p "$root/${key%/*}"
    list_files before
    step "$suite: apt refuses the repository where the key is another" refuses_another_key
    step "$suite: apt adds the repository by its key" accepts_the_key
    step "$suite: apt installs the version before from it, without any other package" installs
    step "$suite: apt upgrades it to this version" upgrades
    for test in $(sed -n "s/^Tests: //p" debian/tests/control | tr -d ,); do
        step "$suite: test $test" run_test "$test"
    done
    step "$suite: apt purges them again" purge
    step "$suite: the repository is removed" removes_repository
    step "$suite: nothing of all that is left" leaves_nothing
    remove_root
done
conclude package

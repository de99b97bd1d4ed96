#!/bin/bash
# SPDX-License-Identifier: MIT
# What the strictest checkers find in the packages, and whether a second build, elsewhere, gives the same bytes.
#
#     Tests/Package/lint.sh        after `make deb`
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

size_budget=$((496 * 1024))
oldest_glibc=2.17
again=build/deb-again/in-another-folder
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT

build_again() {
    (umask 027 && env -u LC_ALL TZ=Pacific/Kiritimati LANG=C.UTF-8 HOME=/dev/null DEB_BUILD_OPTIONS='parallel=1 nocheck' \
        make deb DEB="$again" DEB_KIND=full)
}

gives_same_bytes() {
    local first=(build/deb/*.deb build/deb/*.orig.tar.xz) second=("$again"/*.deb "$again"/*.orig.tar.xz) package
    for package in "${first[@]}"; do cmp "$package" "$again/${package##*/}"; done
    [ ${#first[@]} = ${#second[@]} ]
}

# The second build has the source package as well.
lintian_is_silent() { Tests/Package/lintian.sh "$again"/*.changes; }

is_hardened() { hardening-check --nopie --nocfprotection "$library" "$relay"; }
compiles_with_all_flags() { blhc --all build/deb/build.log; }

unpack() {
    dpkg-deb -x build/deb/libswiftobserver0_*.deb "$unpacked"
    dpkg-deb -x build/deb/libswiftobserver-relay0_*.deb "$unpacked"
    ls "$unpacked"/usr/lib/*/libswiftobserver{,-relay}.so.*.*.*
}

fits_the_budget() {
    local size
    size=$(stat -c %s "$library")
    echo "$size bytes"
    [ "$size" -le "$size_budget" ]
}

runs_with_old_glibc() {
    local newest
    newest=$(objdump -T "$library" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    echo "$newest"
    printf '%s\n' "$newest" "GLIBC_$oldest_glibc" | sort -CV
}

# Nothing of what stands in control for both is left.
names_who_distributes() {
    local maintainer='A Distributor <packages@distributor.org>' home=https://distributor.org/swiftobserver folder=build/deb-distributor
    make deb-source DEB="$folder" MAINTAINER="$maintainer" HOMEPAGE="$home"
    grep -x "Maintainer: $maintainer" "$folder/source/debian/control"
    grep -x "Homepage: $home" "$folder/source/debian/control"
    ! grep -rn -e "$(sed -n 's/^Maintainer: .*<\(.*\)>/\1/p' debian/control)" -e "$(sed -n 's/^Homepage: //p' debian/control)" "$folder/source/debian"
}

# The Makefile takes the version from the header.
has_one_version() {
    local changelog
    changelog=$(dpkg-parsechangelog -S Version)
    echo "library ${library##*.so.}, relays ${relay##*.so.}, changelog $changelog"
    [ "${library##*.so.}" = "${changelog%-*}" ] && [ "${relay##*.so.}" = "${changelog%-*}" ]
}

step "the packages of the libraries unpack" unpack
library=$(ls "$unpacked"/usr/lib/*/libswiftobserver.so.*.*.*)
relay=$(ls "$unpacked"/usr/lib/*/libswiftobserver-relay.so.*.*.*)
step "headers and changelog have one version" has_one_version
step "a distributor's name and address stand wherever the placeholders do" names_who_distributes
step "the library has at most $size_budget bytes" fits_the_budget
step "the libraries need nothing but the C library, and relays the other one" Tests/Package/needs.sh "$library" "$relay"
step "the library runs with glibc $oldest_glibc" runs_with_old_glibc
step "the libraries are hardened" is_hardened
step "the compiler was given all hardening flags" compiles_with_all_flags
step "the packages build a second time, in another folder, time zone, home and umask" build_again
step "the second build has the same bytes" gives_same_bytes
step "lintian finds nothing in source and binary packages" lintian_is_silent
conclude "package lint"

# SPDX-License-Identifier: MIT
# Clean roots of Debian for a test of several. To be sourced first, by a test with arguments; needs root.
#
# `suite` and `root` are set by the test.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154

cd "$(dirname "$0")/../.." || exit
top=$PWD

# In a namespace of its own, mounts and processes end together with the test, however it ends.
if [ "${1-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || { echo "${0##*/}: making a Debian root needs root" >&2; exit 1; }
    exec unshare --mount --pid --fork --kill-child "$top/Tests/Package/${0##*/}" --inside "$@"
fi
shift
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

mapfile -t packages < <(sed -n 's/^Package: //p' debian/control)

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
as_user() { chroot --userspec=65534:65534 "$root" env -i PATH=/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 "$@"; }

# What a Swift toolchain from swift.org needs.
of_toolchain=libcurl4,libncurses6,libsqlite3-0,libxml2

# What the packages' own tests need, but the packages.
need_of_tests() { sed -n 's/^Depends: //p' debian/tests/control | tr -d ' ' | tr , '\n' | grep -v swiftobserver | sort -u; }

# A root with a C compiler, GLib and Python and without Swift; it is made once, and again when what makes it has changed.
unpack_root() {
    local tarball=$top/build/roots/$suite.tar make=Tests/Package/make-root.sh
    mkdir -p build/roots
    rm -rf --one-file-system "$root"
    if [ $make -nt "$tarball" ] || [ debian/tests/control -nt "$tarball" ]; then
        $make "$suite" "$tarball" "$(need_of_tests | paste -sd ,),python3"
    fi
    mkdir -p "$root"
    tar -C "$root" -xf "$tarball"
    open_root
}

# Opens a root, with the sources of the project in it.
open_root() {
    mount -t proc proc "$root/proc"
    rm -rf "$root/source"
    mkdir "$root/source"
    Tests/Package/list-sources.sh | tar -c -T - | tar -x -C "$root/source"
    chmod -R a+rX "$root/source"
}

# This machine's Swift, in a folder of the root, where nothing can be written or deleted.
show_toolchain() {
    mkdir -p "$1"
    mount -o bind,ro "$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")" "$1"
}

close_root() { findmnt -rno TARGET | { grep "^$root/" || true; } | sort -r | while read -r mounted; do umount "$mounted"; done; }

remove_root() {
    close_root
    rm -rf --one-file-system "$root"
}

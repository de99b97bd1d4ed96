#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the packages in a view of this machine that is thrown away, runs their tests in it, and purges them.
#
#     Tests/Package/install.sh        after `make deb`; needs root
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."

if [ "${1-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || { echo "install: not tested, for a view of this machine to install in needs root" >&2; exit 0; }
    exec unshare --mount --pid --fork --kill-child "$PWD/Tests/Package/install.sh" --inside
fi
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

mapfile -t packages < <(sed -n 's/^Package: //p' debian/control)
view=$PWD/build/view
root=$view/root

# What is written stays in memory, and ends with the namespace.
mkdir -p "$view"
mount -t tmpfs view "$view"
mkdir "$view/written" "$view/work" "$root"
mount -t overlay view -o "lowerdir=/,upperdir=$view/written,workdir=$view/work" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir "$root/packages"
for package in "${packages[@]}"; do cp build/deb/"$package"_*.deb "$root/packages/"; done
mkdir "$root/source"
Tests/Package/list-sources.sh | tar -c -T - | tar -x -C "$root/source"
chmod -R a+rX "$root/source"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
as_user() { chroot --userspec=65534:65534 "$root" env -i PATH=/usr/bin:/bin HOME=/nonexistent LC_ALL=C.UTF-8 "$@"; }

run_test() {
    local folder=/tmp/swiftobserver-$1
    as_user mkdir "$folder"
    as_user sh -c "cd /source && AUTOPKGTEST_TMP=$folder debian/tests/$1"
}

# What a reader of the README types, and sees.
follow_the_readme() {
    as_user sh -c 'cd /source && TMPDIR=/tmp python3 Tests/TestSupport/readme.py README.md installed' | tee "$view/transcript"
    grep -q 'the c program prints what it should' "$view/transcript" && grep -q 'the python program prints what it should' "$view/transcript"
}

# What was deleted is a device in what was written.
leaves_nothing() {
    local left
    left=$(find "$view/written" \( -path "$view/written/source" -o -path "$view/written/packages" -o -path "$view/written/tmp" \) -prune \
        -o -name '*swiftobserver*' ! -type c -print)
    [ ! "$left" ] || { echo "$left"; return 1; }
}

step "dpkg installs the packages" inside sh -c 'dpkg -i /packages/*.deb'
# `make test` runs the C suites by itself.
for test in $(sed -n "s/^Tests: //p" debian/tests/control | tr -d , | tr " " "\n" | grep -v -- -suite); do
    step "test $test" run_test "$test"
done
step "the programs of the README run as their readers run them" follow_the_readme
step "dpkg purges the packages" inside dpkg --purge "${packages[@]}"
step "nothing of them is left" leaves_nothing
conclude install

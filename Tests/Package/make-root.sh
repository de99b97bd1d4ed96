#!/bin/bash
# SPDX-License-Identifier: MIT
# Packs a minimal Debian, with a C compiler, GLib and Python but without Swift, into a tarball. Needs root.
#
#     Tests/Package/make-root.sh SUITE TARBALL
#
# Mirror and proxy are those that this machine's own apt uses.
set -eu -o pipefail

suite=$1 tarball=$2
root=$tarball.making
includes=g++,gcc,graphviz,libc6-dev,libcmocka-dev,libglib2.0-dev,libpython3-dev,libuv1-dev,make,pkgconf,procps,python3,valgrind

# shellcheck source=/dev/null
codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
# shellcheck disable=SC2016  # apt fills in the fields
mirror=$(apt-get indextargets --format '$(RELEASE) $(CODENAME) $(REPO_URI)' 'Identifier: Packages' 'Component: main' |
    awk -v wanted="$suite" -v own="$codename" '
        ($1 == wanted || $2 == wanted) && !best { best = $3 }
        ($1 == own || $2 == own) && !second { second = $3 }
        END { print best ? best : second }')
[ "$mirror" ] || { echo "make-root: apt on this machine knows no mirror for $suite" >&2; exit 1; }

eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
[ "${http_proxy-}" != DIRECT ] || unset http_proxy
[ "${https_proxy-}" != DIRECT ] || unset https_proxy
[ ! "${http_proxy-}" ] || export http_proxy
[ ! "${https_proxy-}" ] || export https_proxy

rm -rf --one-file-system "$root"
mkdir -p "$root"
debootstrap --variant=minbase --force-check-gpg --include=$includes "$suite" "$root" "$mirror" || {
    tail -n 20 "$root/debootstrap/debootstrap.log" >&2 || true
    exit 1
}
# Nothing may come from the network later: the packages have to be content with what is here.
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/etc/apt/sources.list
# dpkg and apt write their databases once, in their own words, so that later differences mean something.
chroot "$root" sh -euc 'dpkg --clear-avail; apt-mark auto python3; apt-mark manual python3'
tar --one-file-system -C "$root" -cf "$tarball.part" .
mv "$tarball.part" "$tarball"
rm -rf --one-file-system "$root"

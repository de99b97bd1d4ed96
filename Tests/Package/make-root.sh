#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes a minimal Debian with these packages, in a folder or, where the name ends with .tar, in a tarball. Needs root.
#
#     Tests/Package/make-root.sh SUITE TARGET PACKAGE,... [ARCHITECTURE,...]
#
# Mirror and proxy are those that this machine's own apt uses.
set -eu -o pipefail

suite=$1 target=$2 packages=$3 architectures=${4-$(dpkg --print-architecture)}

# shellcheck source=/dev/null
codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
# shellcheck disable=SC2016  # apt fills in the fields
mirror=$(apt-get indextargets --format '$(RELEASE) $(CODENAME) $(REPO_URI)' 'Identifier: Packages' 'Component: main' |
    awk -v wanted="$suite" -v own="$codename" '
        ($1 == wanted || $2 == wanted) && !best { best = $3 }
        ($1 == own || $2 == own) && !second { second = $3 }
        END { print best ? best : second }')
[ "$mirror" ] || { echo "make-root: apt on this machine knows no mirror for $suite" >&2; exit 1; }

eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy \
    until Acquire::Check-Valid-Until date Acquire::Check-Date)"
[ "${http_proxy-}" != DIRECT ] || unset http_proxy
[ "${https_proxy-}" != DIRECT ] || unset https_proxy
[ ! "${http_proxy-}" ] || export http_proxy
[ ! "${https_proxy-}" ] || export https_proxy
options=()
# shellcheck disable=SC2154  # apt-config sets them
[ ! "${until-}" ] || options+=("--aptopt=Acquire::Check-Valid-Until \"$until\"")
# shellcheck disable=SC2154
[ ! "${date-}" ] || options+=("--aptopt=Acquire::Check-Date \"$date\"")

# Nothing may come from the network later. dpkg and apt write their databases once, in their own words, so that later
# differences mean something.
rm -rf --one-file-system "$target.making"
# shellcheck disable=SC2016  # for the shell of mmdebstrap
mmdebstrap --variant=minbase --dpkgopt=force-unsafe-io "${options[@]}" --architectures="$architectures" --include="$packages" --customize-hook='rm -f "$1"/etc/apt/sources.list' \
    --customize-hook='chroot "$1" sh -euc "dpkg --clear-avail; apt-mark auto base-files; apt-mark manual base-files"' \
    --format="$([ "$target" = "${target%.tar}" ] && echo directory || echo tar)" "$suite" "$target.making" "$mirror"
mv "$target.making" "$target"

#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages that are named and missing, when root; otherwise says what to install.
set -eu

if ! command -v dpkg-query >/dev/null; then
    echo "make: this needs what Debian calls: $*" >&2
    echo "make: if you have all of it, run again with NEED=true" >&2
    exit 1
fi

missing=()
for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" != 0 ]; then
    echo "make: something is missing; install it with: sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
# Targets that run beside each other install one after the other.
exec 9> "${TMPDIR:-/tmp}/swiftobserver-need"
flock 9
echo "make: installing with apt-get, as root, with what they need: ${missing[*]} (NEED=true: nothing is installed)"
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${missing[@]}" >/dev/null

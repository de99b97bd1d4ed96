#!/bin/bash
# SPDX-License-Identifier: MIT
# Lists what is in a Debian root: type, mode, owner, target, path, and checksums where packages put their files.
#
#     Tests/Package/list-files.sh ROOT
#
# Left out is what apt and dpkg rewrite whatever they do: logs, caches, locks, backups.
set -eu -o pipefail
cd "$1"

find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./run -o -path ./tmp -o -path ./packages -o -path ./source \
    -o -path ./var/log -o -path ./var/cache -o -path ./var/lib/apt/lists \
    -o -path './var/lib/dpkg/*-old' -o -path './var/lib/dpkg/lock*' \) -prune \
    -o -printf '%y %m %U:%G %p %l\n' | LC_ALL=C sort
find etc usr var/lib -xdev -type f ! -path 'var/lib/dpkg/*-old' ! -path 'var/lib/apt/lists/*' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum

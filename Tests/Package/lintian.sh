#!/bin/bash
# SPDX-License-Identifier: MIT
# What the strictest lintian finds in packages.
#
#     Tests/Package/lintian.sh FILE.changes...
set -eu -o pipefail

# There is no bug that asks for the package, no release is signed, and older lintians do not know the policy of today.
tags=$(lintian --allow-root -EIL +pedantic "$@" --suppress-tags \
    initial-upload-closes-no-bugs,debian-watch-does-not-check-openpgp-signature,newer-standards-version)
echo "$tags"
! grep -q '^[EWIPX]:' <<< "$tags"

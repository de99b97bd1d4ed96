#!/bin/bash
# SPDX-License-Identifier: MIT
# What the strictest lintian finds in packages.
#
#     Tests/Package/lintian.sh FILE.changes...
set -eu -o pipefail

# There is no bug that asks for the package, no release is signed, and the maintainer is a placeholder. Older lintians do not
# know the policy of today, and what the newest find old, older releases still need. No lintian knows all of these.
known='initial-upload-closes-no-bugs|debian-watch-does-not-check-openpgp-signature|no-human-maintainers|newer-standards-version'
known+='|older-debian-watch-file-standard|package-uses-old-debhelper-compat-version|redundant-priority-optional-field'
known+='|out-of-date-standards-version|redundant-rules-requires-root-no-field'
tags=$(lintian --allow-root -EIL +pedantic --fail-on none "$@")
if grep '^[EWIPX]:' <<< "$tags" | grep -vE ": ($known)( |\$)"; then exit 1; fi

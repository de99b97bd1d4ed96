#!/bin/bash
# SPDX-License-Identifier: MIT
# What the strictest lintian finds in packages.
#
#     Tests/Package/lintian.sh FILE.changes...
set -eu -o pipefail

known=(
    # Before Debian knows the project: no bug asks for the package, the maintainer is a placeholder (debian/README.source), and
    # no release is signed.
    initial-upload-closes-no-bugs
    no-human-maintainers
    debian-watch-does-not-check-openpgp-signature
    # Bookworm and trixie: they do not know the policy of today, which sid asks for.
    newer-standards-version
    # Sid: its uscan and debhelper know newer formats, and its dpkg has defaults, that bookworm and trixie have not.
    older-debian-watch-file-standard
    package-uses-old-debhelper-compat-version
    redundant-priority-optional-field
    redundant-rules-requires-root-no-field
    # A page that a program serves is no documentation. A row of a table, and what a pattern lists, are one line.
    package-contains-documentation-outside-usr-share-doc
    very-long-line-length-in-source-file
)
tags=$(lintian --allow-root -EIL +pedantic --fail-on none "$@")
if grep '^[EWIPX]:' <<< "$tags" | grep -vE ": ($(IFS='|'; echo "${known[*]}"))( |\$)"; then exit 1; fi

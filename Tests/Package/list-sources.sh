#!/bin/bash
# SPDX-License-Identifier: MIT
# Lists the files of the project: what git knows or would add; in a folder without git, what is not hidden and was not
# built.
#
#     Tests/Package/list-sources.sh [BUILD FOLDER]
set -eu

if [ -e .git ]; then
    git -c safe.directory='*' ls-files -co --exclude-standard
else
    find -- * -path "${1:-build}" -prune -o -name __pycache__ -prune -o -name '.?*' -prune -o '(' -type f -o -type l ')' -print
fi | while read -r file; do [ ! -e "$file" ] || echo "$file"; done | LC_ALL=C sort

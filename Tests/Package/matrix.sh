#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes the table of what was built and tested where, from the notes of compilers.sh, into a document.
#
#     Tests/Package/matrix.sh NOTES DOCUMENT
set -eu -o pipefail
notes=$1 document=$2
table=$(mktemp)
trap 'rm -f "$table"' EXIT

cell() { cat "$row/$1" 2> /dev/null || echo -; }
{
    echo '| Debian | architecture | Swift | library, bytes | C suite | Python suite | packages | lintian | piuparts | autopkgtest | commit |'
    echo '|---|---|---|---|---|---|---|---|---|---|---|'
    for row in "$notes"/*/; do
        [ -e "$row/swift" ] || continue
        IFS=- read -r suite architecture own <<< "$(basename "$row")"
        echo "| $suite | $architecture | $(cell swift)${own:+, from swift.org} | $(cell library) | $(cell c) | $(cell python) | $(cell packages) | $(cell lintian) | $(cell piuparts) | $(cell tests) | $(cat "$row"/*.commit | sort -u | paste -sd ' ') |"
    done
} > "$table"
cat "$table"
sed -i -e "/^<!-- matrix -->/,/^<!-- end of the matrix -->/{//!d}" -e "/^<!-- matrix -->/r $table" "$document"

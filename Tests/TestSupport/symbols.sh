#!/bin/bash
# SPDX-License-Identifier: MIT
# Enters functions into a Debian symbols file, under the present version; those that it has keep theirs.
#
#     symbols.sh FILE VERSION < FUNCTIONS
set -eu -o pipefail

file=$1 version=$2
# The version node that the library's symbols have.
node=$(sed -n 's/^ .*@\([A-Z_0-9]*\) .*/\1/p' "$file" | sort -u)
while read -r function; do
    grep -q "^ $function@" "$file" || echo " $function@$node $version"
done > "$file.new"
# The heading, and then one order for all that follows.
{ sed '/^ /d' "$file"; sed -n '/^ /p' "$file" "$file.new" | LC_ALL=C sort; } > "$file.all"
rm "$file.new"
mv "$file.all" "$file"

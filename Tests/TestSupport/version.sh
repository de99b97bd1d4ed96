#!/bin/bash
# SPDX-License-Identifier: MIT
# Whether everything that states a version states that of the header.
# Usage: version.sh VERSION LIBRARY
set -eu

version=$1 library=$2
failed=0

expect() { # what, found
    if [ "$2" != "$version" ]; then
        echo "version: $1 says \"$2\", the header says \"$version\"" >&2
        failed=1
    fi
}

expect "CHANGELOG.md" "$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)"
[ ! -e debian ] || expect "debian/changelog" "$(sed -n '1s/^[^(]*(\([^)-]*\).*/\1/p' debian/changelog)"
expect "bindings/python" "$(SWIFTOBSERVER_LIBRARY=$library python3 -c '
import sys
sys.path.insert(0, "bindings/python/src")
import swiftobserver
print(swiftobserver.__version__)')"
expect "$library" "$(python3 -c '
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.swo_version_text.restype = ctypes.c_char_p
print(library.swo_version_text().decode())' "$library")"
expect "the file name of the library" "${library##*.so.}"

exit $failed

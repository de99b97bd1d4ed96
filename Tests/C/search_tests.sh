#!/bin/sh
# SPDX-License-Identifier: MIT
# The search field searches once for what was typed in a row:
#
#     Tests/C/search_tests.sh build/embedded/examples/search
set -u
printed=$("$@") || { echo "search: exit status $?" >&2; exit 1; }
expected='the button is disabled
the button is enabled
the button is disabled
searching for sea
the button is enabled'
if [ "$printed" != "$expected" ]; then
    printf 'search prints\n%s\ninstead of\n%s\n' "$printed" "$expected" >&2
    exit 1
fi
echo "${1##*/} prints what its comments say"

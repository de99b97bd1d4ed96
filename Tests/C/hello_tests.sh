#!/bin/sh
# SPDX-License-Identifier: MIT
# The first program prints what its comments say:
#
#     Tests/C/hello_tests.sh build/embedded/examples/hello
set -u
printed=$("$@") || { echo "hello: exit status $?" >&2; exit 1; }
expected='hello, world
86 degrees!
104 degrees!'
if [ "$printed" != "$expected" ]; then
    printf 'hello prints\n%s\ninstead of\n%s\n' "$printed" "$expected" >&2
    exit 1
fi
echo "${1##*/} prints what its comments say"

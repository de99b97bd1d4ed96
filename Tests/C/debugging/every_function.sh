#!/bin/bash
# SPDX-License-Identifier: MIT
# Every function that takes an observable, an observer, a queue or a clock has a line in the test of released handles, which has
# the operators from the header.
#
#     Tests/C/debugging/every_function.sh TEST HEADER...
set -eu -o pipefail

test=$1
shift
# swo_observable_fail() and swo_observable_interrupt() have a test of their own; the library alone calls swo_changed(); the job of
# an executor is no handle.
missing=$(cat "$@" | tr '\n' ' ' | grep -oE 'SWO_API [^;{]*;' | grep -vE '\bsources?\b.* out\);' | grep -E 'swo_(observable|observer|queue|clock|call|caller) ' \
    | grep -oE 'swo_[a-z0-9_]+\(' | tr -d '(' | grep -vxE 'swo_(messenger|observer|variable|deferred_variable|derived|queue|clock)_new|swo_clock_with_timer|swo_changed|swo_observable_(fail|interrupt)' \
    | sort -u | while read -r function; do grep -q "X($function," "$test" || echo "$function"; done)
[ -z "$missing" ] || { printf '%s is not in %s\n' "$missing" "$test" >&2; exit 1; }

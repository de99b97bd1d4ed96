#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a command in a session of its own, and ends the session after so many minutes that no machine, however busy,
# needs them: then something waits for ever. Whatever way the command ends, nothing of the session stays behind, though
# `swift test` gives its tests a process group of their own.
#
#   watchdog.sh MINUTES COMMAND ARGUMENT...
set -u

minutes=$1
shift
setsid timeout --kill-after=10s "${minutes}m" "$@" < /dev/null &
session=$!
trap 'pkill -KILL --session "$session"' EXIT
trap 'exit 130' HUP INT TERM
wait "$session"
status=$?
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
    echo "$* ran for $minutes minutes, or was killed: something in it waits for ever" >&2
fi
exit "$status"

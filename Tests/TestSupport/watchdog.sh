#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a command in a process group of its own, and ends the group after so many minutes that no machine, however
# busy, needs them: then something waits for ever. Whatever way the command ends, nothing of the group stays behind.
#
#   watchdog.sh MINUTES COMMAND ARGUMENT...
set -u

minutes=$1
shift
set -m
timeout --kill-after=10s "${minutes}m" "$@" < /dev/null &
group=$!
set +m
trap 'kill -KILL -- "-$group" 2> /dev/null' EXIT
trap 'exit 130' HUP INT TERM
wait "$group"
status=$?
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
    echo "$* ran for $minutes minutes, or was killed: something in it waits for ever" >&2
fi
exit "$status"

# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# The library whose probes are meant: LIBRARY=a path, or that of the process, or the one that is installed.
library=${LIBRARY:-$(awk '/libswiftobserver(-debug)?\.so/ { print $NF; exit }' "/proc/${1:-self}/maps" 2>/dev/null)}
library=${library:-$(ldconfig -p | awk '/libswiftobserver\.so\.0 / { print $NF; exit }')}
of=usdt:$library:swiftobserver

#!/bin/bash
# SPDX-License-Identifier: MIT
# The libraries need nothing but the C library, and relays the other one.
#
#     Tests/Package/needs.sh LIBRARY RELAY        of any architecture
set -eu -o pipefail
library=$1 relay=$2

needs() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'; }

needs "$relay" | grep -x 'libswiftobserver\.so\.0'
needs=$(needs "$library" && needs "$relay" | grep -vx 'libswiftobserver\.so\.0')
echo "$needs"
# The loader, whose name is another one on each architecture, is a part of the C library.
! grep -vx -e libc.so.6 -e libm.so.6 -e 'ld-linux.*' -e 'ld64\.so\..*' <<< "$needs"

#!/bin/bash
# SPDX-License-Identifier: MIT
# Prints the path of each other Python that this machine has: in PATH, or kept by pyenv. One of each name.
#
#     Tests/TestSupport/pythons.sh [NAME...]        such as python3.13
#
# A name that is given must be found; without names, what is not there is left out, and so is the version of python3.
set -eu -o pipefail

pyenv_root=$(pyenv root 2> /dev/null || true)

# find_python NAME   Pyenv has stand-ins in PATH that may lead to nothing: what counts is that it runs.
find_python() {
    local path
    for path in "$(command -v "$1" || true)" ${pyenv_root:+"$pyenv_root"/versions/*/bin/"$1"}; do
        if [ "$path" ] && "$path" -c 'import ctypes, venv' > /dev/null 2>&1; then
            # A stand-in would choose again each time.
            "$path" -c 'import sys; print(sys.executable)'
            return
        fi
    done
    return 1
}

if [ $# -gt 0 ]; then
    for name in "$@"; do
        find_python "$name" || { echo "pythons: there is no $name that runs" >&2; exit 1; }
    done
else
    own=$("${PYTHON:-python3}" -c 'import sys; print("python{}.{}".format(*sys.version_info))')
    for name in python3.9 python3.10 python3.11 python3.12 python3.13 python3.13t python3.14 python3.14t; do
        [ "$name" = "$own" ] || find_python "$name" || true
    done
fi

#!/bin/bash
# SPDX-License-Identifier: MIT
# Searches the whole state space of the model for errors. What is left out of it on purpose must be an error: else it would
# not notice that the engine leaves it out. And it follows what the library has done in the schedules of the explorer.
# Usage: check.sh FOLDER EXPLORER. In the folder is built.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
explorer=$(realpath "$2")
python=${PYTHON:-python3}
mkdir -p "$1"
cd "$1"

errors() { # model, definitions
    spin -a "${@:2}" "$here/$1.pml" > spin.said || { cat spin.said >&2; exit 1; }
    cc -O0 -DSAFETY -DVECTORSZ=2048 -DCOLLAPSE -o pan pan.c
    ./pan -m10000000 -n > pan.said || { cat pan.said >&2; exit 1; }
    ! grep -q 'max search depth too small\|out of memory' pan.said || { cat pan.said >&2; exit 1; }
    sed -n 's/.*errors: \([0-9]*\)$/\1/p' pan.said
}

holds() { # model, definitions
    [ "$(errors "$@")" = 0 ] || { cat pan.said >&2; echo "model: an error in $1.pml; see $PWD/$1.pml.trail" >&2; exit 1; }
    echo "$*: no error in $(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.said) states"
}

fails() { # model, definitions
    [ "$(errors "$@")" != 0 ] || { echo "model: no error in $*" >&2; exit 1; }
    echo "$*: an error, as there must be"
}

follows() { # names of the model's threads, program of the explorer, its options
    "$explorer" -t -l 20000 "${@:3}" "$2" > traces
    "$python" "$here/traces.py" "$1" < traces > traces.h
    spin -a -DTRACES "$here/owning.pml" > spin.said || { cat spin.said >&2; exit 1; }
    cc -O0 -DSAFETY -DVECTORSZ=2048 -DCOLLAPSE -o pan pan.c
    ./pan -m10000000 -n -E > pan.said || { cat pan.said >&2; exit 1; }
    grep -q 'errors: 0$' pan.said || { cat pan.said >&2; echo "model: an error in the traces of $2" >&2; exit 1; }
    seq 0 $(($(wc -l < traces) - 1)) | diff - <(sed -n 's/^followed //p' pan.said | sort -n) > missing ||
        { echo "model: owning.pml does not follow these traces of $2 (of $PWD/traces, from 0), or one that is none:" >&2
          cat missing >&2; exit 1; }
    echo "owning follows $(wc -l < traces) traces of $2"
}

holds owning -DIN_INBOX=2 -DNO_STOPPER
holds owning -DIN_INBOX=1
for left_out in NO_BARRIER NO_SECOND_BARRIER NO_RECHECK NO_REVALIDATE NO_RAISE; do fails owning -DIN_INBOX=1 -D$left_out; done
follows 01 'messenger: send / send'
follows 01 'messenger: send / send in a handler'
follows 01 'messenger that offers: send two / send two'
follows 02 'messenger: send two / stop and wait'
follows 02 'messenger: send two / stop and wait, awaited'
follows 012 'messenger: send / send / stop and wait' -3 -b 2

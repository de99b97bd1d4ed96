#!/bin/bash
# SPDX-License-Identifier: MIT
# Searches the whole state spaces of the models for errors. What is left out on purpose must be an error: else a model would
# not notice that the engine leaves it out. And owning.pml follows what the library has done in the schedules of the explorer.
# Usage: check.sh FOLDER EXPLORER. In the folder is built.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
explorer=$(realpath "$2")
python=${PYTHON:-python3}
mkdir -p "$1"
cd "$1"

errors() { # model, definitions; with -DLIVELY among them: whether the model gets where it has to, each of its threads going on
    local searched=(-O0 -DSAFETY -DNOCLAIM) how=()
    if [[ " $* " = *" -DLIVELY "* ]]; then searched=(-O0 -DNFAIR=12) how=(-a -f); fi
    spin -a "${@:2}" "$here/$1.pml" > spin.said || { cat spin.said >&2; exit 1; }
    cc "${searched[@]}" -DVECTORSZ=2048 -DCOLLAPSE -w -o pan pan.c
    ./pan -m20000000 -n "${how[@]}" > pan.said || { cat pan.said >&2; exit 1; }
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

# Who sets, in transactions that compare or do not; who reads, inside of functions and outside; observers and dependencies that
# change; what is released; a region that is biased.
holds derived -DSETS_A=1 -DSETS_A2=1 -DSWAPS=1 -DRUNS=1
holds derived -DMOVES=1 -DSWAPS=1 -DRUNS=1
holds derived -DSETS_A=1 -DSETS_A2=1 -DSETS_B=1 -DREADS=1
holds derived -DSETS_A=1 -DSETS_B=1 -DRUNS=1
holds derived -DSETS_A=1 -DSETS_B=1 -DCHANGES=1 -DREADS=1
holds derived -DSETS_A=1 -DSETS_A2=1 -DREADS=1 -DBIAS
holds derived -DSETS_A=2 -DSETS_B=1 -DREADS=1 -DCLOSES
holds derived -DLIVELY -DSETS_A=1 -DSETS_A2=1 -DSETS_B=1 -DCHANGES=1
holds derived -DLIVELY -DSETS_A=1 -DSETS_B=1 -DREADS=1
holds derived -DLIVELY -DSETS_A=1 -DSETS_A2=1 -DBIAS
for left_out in NO_PIN NO_HISTORY TWO_STAMPS PIN_AFTER; do fails derived -DSETS_A=1 -DSWAPS=1 -DRUNS=1 -D$left_out; done
fails derived -DSETS_A=1 -DSETS_A2=1 -DSWAPS=1 -DRUNS=1 -DNO_REFRESH
fails derived -DSETS_A=1 -DSETS_A2=1 -DNO_VALIDATION
fails derived -DMOVES=1 -DNO_CONFLICT
fails derived -DSETS_A=1 -DSETS_B=1 -DREADS=1 -DNOT_RELINKED
fails derived -DSETS_A=1 -DSETS_B=1 -DREADS=1 -DCLEAN_ALTHOUGH_PINNED
fails derived -DSETS_A=1 -DSETS_B=1 -DCHANGES=1 -DREADS=1 -DSPOILS
for left_out in NO_FENCE NO_WAIT STAYS; do fails derived -DSETS_A=1 -DSETS_A2=1 -DBIAS -D$left_out; done
fails derived -DSETS_A=2 -DSETS_B=1 -DREADS=1 -DCLOSES -DNO_LIMBO
for left_out in NOT_QUEUED_AGAIN PASSER_LEAVES_LATE; do fails derived -DLIVELY -DSETS_A=1 -DSETS_A2=1 -D$left_out; done
fails derived -DLIVELY -DSETS_A=1 -DSETS_B=1 -DCHANGES=1 -DTAKEN_FOR_CLEAN

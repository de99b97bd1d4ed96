#!/bin/bash
# SPDX-License-Identifier: MIT
# Searches the whole state space of the models for errors. What is left out of a model on purpose must be an error: else
# the model would not notice that the engine leaves it out.
# Usage: check.sh FOLDER, in which is built
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

errors() { # model, what is left out, if anything
    spin -a ${2:+-D"$2"} "$here/$1.pml" > spin.said || { cat spin.said >&2; exit 1; }
    cc -O0 -DSAFETY -DVECTORSZ=2048 -DCOLLAPSE -o pan pan.c
    ./pan -m1000000 -n > pan.said || { cat pan.said >&2; exit 1; }
    ! grep -q 'max search depth too small\|out of memory' pan.said || { cat pan.said >&2; exit 1; }
    sed -n 's/.*errors: \([0-9]*\)$/\1/p' pan.said
}

[ "$(errors leaning)" = 0 ] || { cat pan.said >&2; echo "model: an error in leaning.pml; see $PWD/leaning.pml.trail" >&2; exit 1; }
echo "leaning: no error in $(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.said) states"
for left_out in NO_BARRIER NO_LOOK_ENTER NO_LOOK_LEAVE NO_LOOK_BRIEF NO_WAIT NO_LOCK; do
    [ "$(errors leaning $left_out)" != 0 ] || { echo "model: no error with $left_out" >&2; exit 1; }
    echo "leaning: an error with $left_out, as there must be"
done

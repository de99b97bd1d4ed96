#!/bin/sh
# SPDX-License-Identifier: MIT
# `vitals --graph`, in C, draws what observes what. Run at the top of the checkout:
#
#     Tests/C/vitals_graph_tests.sh build/embedded/examples/vitals
set -u
expected=$PWD/Tests/TestSupport/vitals/graph.dot
scratch=$(mktemp -d)
path=$PATH
trap 'rm -rf "$scratch"' EXIT
failures=0

# In the scratch folder. What it printed is in $scratch/out and $scratch/err, its exit status in $status.
vitals() {
    (cd "$scratch" && exec env PATH="$path" "$program" "$@") > "$scratch/out" 2> "$scratch/err"
    status=$?
}

fail() {
    echo "$test: $1" >&2
    sed 's/^/    err: /' "$scratch/err" >&2
    failures=$((failures + 1))
}

succeeds() {
    [ "$status" -eq 0 ] || fail "exit status $status"
    [ ! -s "$scratch/err" ] || fail "complains"
}

complains() {
    [ "$status" -eq 2 ] || fail "exit status $status instead of 2"
    [ "$(cat "$scratch/err")" = "vitals: $1" ] || fail "does not complain: $1"
}

# Runs it with this script as the only program there is, and its name is `dot`.
vitals_with_dot() {
    mkdir -p "$scratch/tools"
    printf '#!/bin/sh\n%s\n' "$1" > "$scratch/tools/dot"
    chmod "$2" "$scratch/tools/dot"
    shift 2
    path=$scratch/tools
    vitals "$@"
    path=$PATH
}

the_graph_is_printed_with_all_its_names() {
    vitals --graph -
    succeeds
    diff "$expected" "$scratch/out" >&2 || fail "draws something else"
}

a_file_that_ends_in_dot_gets_the_same_text() {
    vitals --graph graph.dot
    succeeds
    cmp -s "$expected" "$scratch/graph.dot" || fail "writes something else"
    [ ! -s "$scratch/out" ] || fail "prints something"
}

graphviz_draws_it() {
    vitals --graph graph.svg
    succeeds
    grep -q '^<svg' "$scratch/graph.svg" || fail "writes no SVG"
    for name in cpu memory load network 'what is shown' 'not as before' count print; do
        grep -q ">$name</text>" "$scratch/graph.svg" || fail "the drawing does not show $name"
    done
}

no_shell_reads_the_name() {
    # shellcheck disable=SC2016
    vitals --graph '$(touch trap);touch trap;.svg'
    succeeds
    [ ! -e "$scratch/trap" ] || fail "runs what the name says"
    # shellcheck disable=SC2016
    [ -s "$scratch/"'$(touch trap);touch trap;.svg' ] || fail "does not write to the name that was given"
}

without_graphviz_it_says_so_and_touches_no_file() {
    echo old > "$scratch/kept.svg"
    path=$scratch/nowhere
    vitals --graph kept.svg
    path=$PATH
    complains 'dot: cannot be run; it is part of Graphviz: No such file or directory'
    [ "$(cat "$scratch/kept.svg")" = old ] || fail "touches the file"
}

what_graphviz_fails_at_touches_no_file() {
    echo old > "$scratch/kept.svg"
    vitals_with_dot 'echo half; exit 3' 755 --graph kept.svg
    complains 'dot: failed with exit status 3'
    [ "$(cat "$scratch/kept.svg")" = old ] || fail "touches the file"
}

a_file_that_cannot_be_written_is_named() {
    vitals --graph nowhere/graph.svg
    complains 'nowhere/graph.svg: cannot be written: No such file or directory'
}

any_other_name_is_refused() {
    for name in '' graph svg .svg .dot graph.jpg graph.SVG; do
        vitals --graph "$name"
        complains "--graph wants - or a file that ends in .svg, .png, .pdf or .dot, not \"$name\""
    done
}

case $1 in /*) program=$1 ;; *) program=$PWD/$1 ;; esac
tests=$(sed -n 's/^\([a-z_]*\)() {$/\1/p' "$0" | grep -vxE 'vitals|vitals_with_dot|fail|succeeds|complains')
for test in $tests; do "$test"; done
if [ "$failures" -gt 0 ]; then
    echo "$failures failures" >&2
    exit 1
fi
echo "$(echo "$tests" | wc -l) tests of vitals --graph passed"

#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds and installs where paths have spaces in them.
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

# What surrounds this make is not for that one.
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checkout="$folder/a path with spaces"
prefix="$folder/an installation with spaces"

copy() {
    mkdir "$checkout"
    { if [ -e .git ]; then git -c safe.directory='*' ls-files -co --exclude-standard; else find . -path ./build -prune -o -type f -print; fi; } |
        while read -r file; do [ ! -e "$file" ] || echo "$file"; done | tar -c -T - | tar -x -C "$checkout"
}

make_there() { make --no-print-directory -C "$checkout" "$@"; }
prints() { diff debian/tests/hello-in-c.txt <("$@"); }
runs_a_c_test() {
    make_there build/embedded/tests/messenger_tests
    (cd "$checkout" && build/embedded/tests/messenger_tests)
}
names_no_path() { ! grep -F "$checkout" "$checkout"/build/embedded/libswiftobserver.{so,a}; }
install_there() { make_there install PREFIX="$prefix"; }

compiles_against_it() {
    local flags
    flags=$(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags --libs swiftobserver)
    # pkg-config quotes for the shell.
    eval "cc -o \"\$folder/hello\" bindings/c/examples/hello.c $flags"
    prints env LD_LIBRARY_PATH="$prefix/lib" "$folder/hello"
}

python_works() { PYTHONPATH=$(echo "$prefix"/lib/python3*/dist-packages) SWIFTOBSERVER_LIBRARY="$prefix/lib/libswiftobserver.so.0" python3 -m swiftobserver; }

builds_packages() {
    make_there deb DEB_BUILD_OPTIONS=nocheck
    ls "$checkout"/build/deb/*.deb
    [ -s "$checkout/build/deb/build.log" ]
}

# Where building fails, the last twenty lines of its log, and not its thousands.
says_why_there_are_no_packages() {
    local said
    echo 'this is no Swift' >> "$checkout/Sources/ObserverEngine/Core/Core.swift"
    if said=$(make_there deb DEB_BUILD_OPTIONS=nocheck 2>&1); then return 1; fi
    echo "$said"
    grep -q '^make: the packages cannot be built; the end of build/deb/build.log is:$' <<< "$said"
    [ "$(wc -l <<< "$said")" -lt 30 ]
}

uninstalls() {
    local left
    make_there uninstall PREFIX="$prefix"
    left=$(find "$prefix" ! -type d)
    [ ! "$left" ] || { echo "$left"; return 1; }
}

step "the checkout is copied" copy
step "make builds library and examples" make_there all
step "an example runs" prints "$checkout/build/embedded/examples/hello"
step "the library does not know where it was built" names_no_path
step "a C test is built and passes" runs_a_c_test
step "make check-exports passes" make_there check-exports
step "make installs" install_there
step "a program is compiled and linked with what was installed" compiles_against_it
step "the Python package works" python_works
step "make uninstalls, and leaves nothing" uninstalls
step "make deb builds the packages" builds_packages
step "make deb that fails shows the end of its log" says_why_there_are_no_packages
conclude spaces

#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds and installs as people do who are not root, have no Python, or install where nothing is searched for; and tests what
# they are told. Needs root, to be somebody else.
#
#     Tests/Package/building.sh
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."

if [ "${1-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || { echo "building: not tested, for to be an ordinary user needs root" >&2; exit 0; }
    exec unshare --mount "$PWD/Tests/Package/building.sh" --inside "$@"
fi
shift
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

# What surrounds this make is not for that one.
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
home=$folder/home checkout=$folder/checkout prefix=$folder/home/installed
# Python of the system, and the compilers.
path=$(dirname "$(command -v swiftc)"):/usr/bin:/bin

as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups env -i HOME="$home" LC_ALL=C.UTF-8 PATH="$path" "$@"; }
make_there() { as_user make --no-print-directory -C "$checkout" "$@"; }

# With the library that was built here: it is built without Python where it is not there, which is not what is tested.
copy() {
    mkdir -p "$checkout" "$home"
    { if [ -e .git ]; then git -c safe.directory='*' ls-files -co --exclude-standard; else find . -path ./build -prune -o -type f -print; fi; } |
        while read -r file; do [ ! -e "$file" ] || echo "$file"; done | tar -c -T - | tar -x -C "$checkout"
    chown -R 65534:65534 "$folder"
    chmod 755 "$folder"
}

says_that_there_is_no_python() {
    local said
    if said=$(make_there install PYTHON=/no/python PREFIX="$prefix" 2>&1); then return 1; fi
    echo "$said"
    grep -q "there is no Python 3.9 or later (/no/python), which 'make install' needs: 'apt-get install python3'" <<< "$said"
    [ ! -e "$checkout/build" ] && [ ! -e "$prefix" ]
}

says_that_there_is_no_c_compiler() {
    local said
    if said=$(make_there CC=/no/compiler 2>&1); then return 1; fi
    echo "$said"
    grep -q "^make: there is no C compiler (/no/compiler): 'apt-get install build-essential', or CC=a path.$" <<< "$said"
    if grep -q Swift <<< "$said"; then return 1; fi
    rm -rf "$checkout/build"
}

says_what_it_made() {
    local said
    said=$(make_there)
    echo "$said"
    grep -q '^build/embedded/libswiftobserver.so' <<< "$said"
    grep -q '^build/embedded/examples/hello$' <<< "$said"
    grep -q '^Next: make demo .* make install ' <<< "$said"
}

says_what_has_to_be_exported() {
    make_there install PREFIX="$prefix" > "$folder/said"
    cat "$folder/said"
    grep -c '^    export [A-Z_]*=' "$folder/said" | grep -qx 3
}

works_as_it_says() {
    local exports
    exports=$(grep '^    export ' "$folder/said")
    # shellcheck disable=SC2016  # for the shell that runs it
    as_user bash -euc "$exports"'
        cc -o "$HOME/hello" "$1/bindings/c/examples/hello.c" $(pkg-config --cflags --libs swiftobserver)
        cd /
        "$HOME/hello" | diff "$1/debian/tests/hello-in-c.txt" -
        /usr/bin/python3 "$1/bindings/python/examples/hello.py" | diff "$1/debian/tests/hello-in-python.txt" -' bash "$checkout"
}

installs_the_whole_module() {
    diff -r -x __pycache__ "$checkout/bindings/python/src" "$prefix"/lib/python3.*/dist-packages
}

# As nobody, whose home is not there.
shows_relays_without_a_home() {
    local said
    said=$(as_user env HOME=/nonexistent make --no-print-directory -C "$checkout" demo-relay)
    echo "$said"
    grep -q '^  kitchen  in Swift   ready ' <<< "$said"
}

# What Debian calls upstream's.
builds_without_debian() {
    mkdir "$folder/upstream"
    make dist
    tar -xf build/dist/swiftobserver-*.tar.xz --strip-components=1 -C "$folder/upstream"
    [ ! -e "$folder/upstream/debian" ]
    make -C "$folder/upstream" --no-print-directory lib check-abi
}

# In a view of /etc and /usr/local that ends with this test.
installs_for_all() {
    local said
    mkdir "$folder/view"
    mount -t tmpfs view "$folder/view"
    for place in etc usr/local; do
        mkdir -p "$folder/view/$place" "$folder/view/$place.work"
        mount -t overlay view -o "lowerdir=/$place,upperdir=$folder/view/$place,workdir=$folder/view/$place.work" "/$place"
    done
    said=$(env PATH="$path" make --no-print-directory -C "$checkout" install)
    echo "$said"
    grep -q "^The linker's cache knows libswiftobserver.so.0 (ldconfig)" <<< "$said"
    if grep -q LD_LIBRARY_PATH <<< "$said"; then return 1; fi
    cc -o "$folder/hello" bindings/c/examples/hello.c -I /usr/local/include -L /usr/local/lib -lswiftobserver
    "$folder/hello" | diff debian/tests/hello-in-c.txt -
    umount --lazy /etc /usr/local "$folder/view"
}

says_how_to_read_the_docs() {
    local said
    make_there docs > "$folder/said" 2>&1 || { grep -v Compiling "$folder/said"; return 1; }
    said=$(< "$folder/said")
    grep -q "^build/docs: 9 modules. To read it: python3 -m http.server" <<< "$said"
    for module in SwiftObserver SwiftObserverDispatch SwiftObserverFoundation SwiftObserverObservation SwiftObserverRelay SwiftObserver5 SteinsKit MiniRex Receiver; do
        [ -e "$checkout/build/docs/documentation/${module,,}/index.html" ] || fail "there is no page of $module"
    done
}

step "the checkout is copied" copy
step "without Python, that is said before anything is built" says_that_there_is_no_python
step "without a C compiler, that is said, and nothing of Swift" says_that_there_is_no_c_compiler
step "an ordinary user builds it, and is told what was made, and what comes next" says_what_it_made
step "installed elsewhere, it says what has to be exported" says_what_has_to_be_exported
step "with that, C and Python programs work" works_as_it_says
step "the Python module is there with every file of it" installs_the_whole_module
step "somebody without a home is shown the demo of relays" shows_relays_without_a_home
step "the tarball of the sources, without debian/, builds the library and has the record of its ABI" builds_without_debian
step "root installs where the linker searches, and programs work at once" installs_for_all
step "an ordinary user builds the documentation of all modules, and is told how to read it" says_how_to_read_the_docs
conclude building

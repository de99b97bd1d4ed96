#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs what `make wheel` built, and the checkout itself, in fresh environments, and has each check itself.
#
#     Tests/Package/wheels.sh WHEELS PYTHON_TESTS       folders: of the wheels, of the tests' own Python
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."
wheels=$(realpath "$1") tests=$(realpath "$2")
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Nothing may come from the surroundings.
unset SWIFTOBSERVER_LIBRARY SWIFTOBSERVER_BUNDLE SWIFTOBSERVER_WAY PYTHONPATH LD_LIBRARY_PATH MAKEFLAGS MAKEOVERRIDES MAKELEVEL
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' bindings/python/src/swiftobserver/_library/environment.py)
sdist=$wheels/swiftobserver-$version.tar.gz
pure=$wheels/swiftobserver-$version-py3-none-any.whl
library=libswiftobserver.so.0 relays=libswiftobserver-relay.so.0

are_six() { printf '%s\n' "$sdist" "$pure" "$platform" "$newer" "$aarch64" "$newer_aarch64" | sort | diff - <(printf '%s\n' "$wheels"/* | sort); }

# adds WHEEL FILE...   What it has that the pure one has not; and that lacks nothing.
adds() {
    local wheel=$1
    shift
    unzip -Z1 "$pure" | grep -v '/$' | sort > "$folder/of-pure"
    unzip -Z1 "$wheel" | grep -v '/$' | sort > "$folder/of-wheel"
    comm -13 "$folder/of-pure" "$folder/of-wheel" | diff - <(printf 'swiftobserver/%s\n' "$@" | sort)
    [ ! "$(comm -23 "$folder/of-pure" "$folder/of-wheel")" ]
}
differ_in_libraries_alone() {
    adds "$platform" "$library"
    adds "$newer" "$library" "$relays"
    adds "$aarch64" "$library"
    adds "$newer_aarch64" "$library" "$relays"
}

have_the_licence() {
    unzip -p "$pure" '*/licenses/LICENSE' | diff LICENSE -
    unzip -p "$platform" '*/licenses/LICENSE' | diff LICENSE -
    unzip -p "$newer" '*/licenses/LICENSE' | diff LICENSE -
    tar -xzOf "$sdist" "swiftobserver-$version/LICENSE" | diff LICENSE -
}

# is_proven WHEEL TAG [PROCESSOR]   What it needs but the system is the library beside the other one, which is loaded by then.
is_proven() {
    "$tests/bin/auditwheel" show "$1" | tr -s ' \n' ' ' > "$folder/show"
    cat "$folder/show"
    grep -qE "(is consistent with the following|constrains the) platform tag(: | to )\"$2_${3-$(uname -m)}\"" "$folder/show"
}

are_stripped() {
    for file in "$library" "$relays"; do
        unzip -p "$newer" "swiftobserver/$file" > "$folder/$file"
        file "$folder/$file" | tee /dev/stderr | grep -q ', stripped$'
    done
    unzip -p "$platform" "swiftobserver/$library" | cmp - "$folder/$library"
}

# A relay in memory, for which no broker is needed.
relays_work() {
    (cd "$folder" && "$folder/$1/bin/python" -I -W error - "$folder/$1/") << 'END'
import sys
import threading
from swiftobserver import Var, relay

assert relay._LIBRARY._name.startswith(sys.argv[1]), relay._LIBRARY._name
arrived = threading.Event()
with relay.Relay("memory:wheel", device="kitchen") as kitchen, relay.Relay("memory:wheel") as hall:
    lamp = Var(True)
    kitchen.publish("lamp/on", lamp)
    with hall.mirror("kitchen/lamp/on", bool).observe(lambda update: update.new and arrived.set(), replay=1):
        arrived.wait()
END
}

says_that_relays_are_missing() {
    local said
    if said=$("$folder/$1/bin/python" -I -c 'import swiftobserver.relay' 2>&1); then return 1; fi
    echo "$said"
    grep -q '^ImportError: swiftobserver: the library of relays was not found; tried$' <<< "$said"
}

# The first program of the README, with the library of a wheel for another processor.
runs_under_qemu() {
    unzip -q -d "$folder/aarch64" "$aarch64"
    python3 - > "$folder/program.c" << 'END'
import re
print(re.search(r"<!-- executed -->\n```c\n(.*?)```", open("README.md").read(), re.DOTALL)[1])
END
    aarch64-linux-gnu-gcc -I include -I bindings/c/include "$folder/program.c" "$folder/aarch64/swiftobserver/$library" -o "$folder/program"
    [ "$(LD_LIBRARY_PATH=$folder/aarch64/swiftobserver qemu-aarch64-static -L /usr/aarch64-linux-gnu "$folder/program")" = "$(printf 'gross: 119\ngross: 238')" ]
}

has_same_bytes_again() {
    (umask 027 && TZ=Pacific/Kiritimati make wheel WHEELS_FOR=aarch64 WHEELS="$folder/again")
    diff -r "$wheels" "$folder/again"
}

# What pip needs comes from the tests' own Python; a user's pip would fetch it.
install() {
    python=$folder/$1/bin/python
    "$tests/bin/python" -m venv "$folder/$1"
    PYTHONPATH=$(echo "$tests"/lib/python3*/site-packages) "$python" -m pip install --quiet --no-index --no-build-isolation --no-deps "$2"
}

itself() { (cd "$folder" && "$folder/$1/bin/python" -I -W error -m swiftobserver); }

# works ENVIRONMENT LIBRARY
works() {
    local said
    said=$(itself "$1")
    echo "$said"
    grep -q '^self-check: passed$' <<< "$said"
    grep -q "runtime): $2\$" <<< "$said"
}

has_its_library() { works "$1" "$folder/$1/lib/python3.*/site-packages/swiftobserver/$library"; }

says_what_is_missing() {
    local said
    if said=$("$folder/$1/bin/python" -I -c 'import swiftobserver' 2>&1); then return 1; fi
    echo "$said"
    grep -q '^ImportError: swiftobserver: the library was not found; tried$' <<< "$said"
    grep -q "^  $folder/$1/lib/python3.*/site-packages/swiftobserver/$library: " <<< "$said"
    grep -q "^  $library: " <<< "$said"
    grep -q "^$library comes with .* \`make lib\` builds it" <<< "$said"
}

takes_the_named_library() { SWIFTOBSERVER_LIBRARY=$PWD/$built works "$1" "$PWD/build/embedded/libswiftobserver.so.*"; }

gives_pytest_its_fixtures() {
    local said
    said=$(cd "$folder" && PYTHONPATH=$(echo "$tests"/lib/python3*/site-packages) "$folder/$1/bin/python" -m pytest -p no:cacheprovider --fixtures)
    grep -A 1 '^assert_sent' <<< "$said"
}

uninstalls() {
    local left
    "$folder/$1/bin/python" -m pip uninstall --quiet --yes swiftobserver
    left=$(find "$folder/$1" -iname '*swiftobserver*')
    [ ! "$left" ] || { echo "$left"; return 1; }
}

copy() {
    mkdir "$folder/$1"
    { if [ -e .git ]; then git -c safe.directory='*' ls-files -co --exclude-standard; else find . -path ./build -prune -o -type f -print; fi; } |
        while read -r file; do [ ! -e "$file" ] || echo "$file"; done | tar -c -T - | tar -x -C "$folder/$1"
    find "$folder/$1" | sort > "$folder/$1.files"
}

takes_the_newer() {
    "$tests/bin/python" -m venv "$folder/$1"
    "$folder/$1/bin/python" -m pip install --quiet --no-index --find-links "$wheels" --no-deps swiftobserver
    ls "$folder/$1"/lib/python3.*/site-packages/swiftobserver/"$relays"
}

# install_with_path PATH ENVIRONMENT COPY
install_with_path() { PATH=$1 install "$2" "$folder/$3/bindings/python"; }

installs_with_the_library_alone() {
    copy built
    mkdir -p "$folder/built/build/embedded"
    cp "$built" "$folder/built/build/embedded/"
    install_with_path "$nothing" built built
}

installs_with_a_compiler() {
    copy compiled
    install compiled "$folder/compiled/bindings/python"
}

# names_the_ways_out ENVIRONMENT WHAT   Without Swift and make, as the last thing that the build says.
names_the_ways_out() {
    local said
    if said=$(PATH=$nothing install "$1" "$2" 2>&1); then return 1; fi
    echo "$said"
    grep -q 'swiftobserver: there is no library to install, and no Swift compiler to build it with.' <<< "$said"
    grep -q "or to none for Python code alone" <<< "$said"
    if grep -q Traceback <<< "$said"; then return 1; fi
}

installs_without() { PATH=$nothing SWIFTOBSERVER_BUNDLE=none install "$1" "$2"; }

leaves_what_was_there() { find "$folder/$1" | sort | diff "$folder/$1.files" -; }

fails_with_what_the_compiler_says() {
    local said
    mkdir "$folder/failing"
    printf '#!/bin/sh\necho error: this compiler is none >&2; exit 1\n' > "$folder/failing/swiftc"
    chmod +x "$folder/failing/swiftc"
    if said=$(install_with_path "$folder/failing:$PATH" failing plain 2>&1); then return 1; fi
    echo "$said"
    grep -q 'the library cannot be built (SWIFTOBSERVER_BUNDLE=none installs without it):' <<< "$said"
    grep -q 'error: this compiler is none' <<< "$said"
}

refuses_a_library_that_is_not_there() {
    local said
    if said=$(SWIFTOBSERVER_BUNDLE=/does/not/exist install refused "$folder/plain/bindings/python" 2>&1); then return 1; fi
    echo "$said"
    grep -q 'SWIFTOBSERVER_BUNDLE must be the path of a library, or none: there is no file /does/not/exist' <<< "$said"
}

# The two bytes in which an ELF file says that it is for aarch64.
names_the_machine_of_the_library() {
    local foreign=$folder/foreign.so
    cp "$built" "$foreign"
    printf '\267\0' | dd of="$foreign" bs=1 seek=18 conv=notrunc status=none
    SWIFTOBSERVER_BUNDLE=$foreign "$tests/bin/python" -m build --no-isolation --wheel --outdir "$folder/foreign" bindings/python
    ls "$folder"/foreign/*-py3-none-linux_aarch64.whl
}

built=build/embedded/$library
platform=$(echo "$wheels"/*manylinux_2_17_"$(uname -m)".whl) newer=$(echo "$wheels"/*manylinux_2_34_"$(uname -m)".whl)
aarch64=$(echo "$wheels"/*manylinux_2_17_aarch64.whl) newer_aarch64=$(echo "$wheels"/*manylinux_2_34_aarch64.whl)
step "there are an sdist, a pure wheel, and for two processors one for all systems and one with relays for newer ones" are_six
step "the wheels differ in the libraries alone" differ_in_libraries_alone
step "all have the licence" have_the_licence
step "auditwheel proves manylinux_2_17" is_proven "$platform" manylinux_2_17
step "with relays, manylinux_2_34" is_proven "$newer" manylinux_2_34
step "the same for aarch64" is_proven "$aarch64" manylinux_2_17 aarch64
step "with relays, too" is_proven "$newer_aarch64" manylinux_2_34 aarch64
step "its library runs under qemu" runs_under_qemu
step "the libraries in the wheels are stripped" are_stripped
step "a second build, in another time zone and umask, has the same bytes" has_same_bytes_again
step "a library for another machine makes a wheel for that one" names_the_machine_of_the_library
step "the wheel for the platform installs" install platform "$platform"
step "it works with its own library" has_its_library platform
step "pytest has its fixtures" gives_pytest_its_fixtures platform
step "an import of relays says what is missing" says_that_relays_are_missing platform
step "it goes without a trace" uninstalls platform
step "of the two pip takes the one with relays, where the system is new enough" takes_the_newer newer
step "it works with its own library" has_its_library newer
step "relays work with the library in the wheel" relays_work newer
step "it goes without a trace" uninstalls newer
# No Swift, no make.
nothing=$folder/nothing
mkdir "$nothing"
step "the pure wheel installs" install pure "$pure"
step "without a library its import says what is missing" says_what_is_missing pure
step "it takes a library that is named" takes_the_named_library pure
step "where no library is, the sdist names the ways out" names_the_ways_out sdist "$sdist"
step "without a library, if that is asked for, the sdist installs" installs_without sdist "$sdist"
step "it is pure" says_what_is_missing sdist

step "the checkout is copied" copy plain
step "where nothing is built and no Swift compiler is, the checkout names the ways out" names_the_ways_out checkout "$folder/plain/bindings/python"
step "without a library, if that is asked for, the checkout installs" installs_without checkout "$folder/plain/bindings/python"
step "it is pure" says_what_is_missing checkout
step "the checkout is as it was" leaves_what_was_there plain
step "a checkout with the library installs without a Swift compiler" installs_with_the_library_alone
step "it works with its own library" has_its_library built
step "a compiler that fails ends the installation with what it says" fails_with_what_the_compiler_says
step "a library to bundle that is not there is refused" refuses_a_library_that_is_not_there
step "a checkout installs with a Swift compiler" installs_with_a_compiler
step "it works with its own library" has_its_library compiled
step "relays work with theirs" relays_work compiled
conclude "wheels"

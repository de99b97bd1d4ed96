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
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' bindings/python/src/swiftobserver/_environment.py)
sdist=$wheels/swiftobserver-$version.tar.gz
pure=$wheels/swiftobserver-$version-py3-none-any.whl
library=libswiftobserver.so.0

are_three() {
    platform=$(echo "$wheels"/*manylinux*.whl)
    printf '%s\n' "$sdist" "$pure" "$platform" | sort | diff - <(printf '%s\n' "$wheels"/* | sort)
}

differ_in_the_library_alone() {
    local of_pure of_platform
    of_pure=$(unzip -Z1 "$pure" | grep -v '/$' | sort)
    of_platform=$(unzip -Z1 "$platform" | grep -v '/$' | sort)
    [ "$(comm -13 <(echo "$of_pure") <(echo "$of_platform"))" = "swiftobserver/$library" ]
    [ ! "$(comm -23 <(echo "$of_pure") <(echo "$of_platform"))" ]
}

have_the_licence() {
    unzip -p "$pure" '*/licenses/LICENSE' | diff LICENSE -
    unzip -p "$platform" '*/licenses/LICENSE' | diff LICENSE -
    tar -xzOf "$sdist" "swiftobserver-$version/LICENSE" | diff LICENSE -
}

is_proven() {
    "$tests/bin/auditwheel" show "$platform" > "$folder/show"
    cat "$folder/show"
    grep -q 'is consistent with the following platform tag:' "$folder/show"
    grep -q "^\"manylinux_2_17_$(uname -m)\"" "$folder/show"
}

is_stripped() {
    unzip -p "$platform" "swiftobserver/$library" > "$folder/$library"
    file "$folder/$library"
    file "$folder/$library" | grep -q ', stripped$'
}

has_same_bytes_again() {
    (umask 027 && TZ=Pacific/Kiritimati make wheel WHEELS="$folder/again")
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
step "there are an sdist, a pure wheel and one for the platform" are_three
platform=$(echo "$wheels"/*manylinux*.whl)
step "the wheels differ in the library alone" differ_in_the_library_alone
step "all have the licence" have_the_licence
step "auditwheel proves manylinux_2_17" is_proven
step "the library in the wheel is stripped" is_stripped
step "a second build, in another time zone and umask, has the same bytes" has_same_bytes_again
step "a library for another machine makes a wheel for that one" names_the_machine_of_the_library
step "the wheel for the platform installs" install platform "$platform"
step "it works with its own library" has_its_library platform
step "pytest has its fixtures" gives_pytest_its_fixtures platform
step "it goes without a trace" uninstalls platform
step "the pure wheel installs" install pure "$pure"
step "without a library its import says what is missing" says_what_is_missing pure
step "it takes a library that is named" takes_the_named_library pure
step "the sdist installs" install sdist "$sdist"
step "it is pure" says_what_is_missing sdist

# No Swift, no make.
nothing=$folder/nothing
mkdir "$nothing"
step "the checkout is copied" copy plain
step "where nothing is built and no Swift compiler is, the checkout installs" install_with_path "$nothing" checkout plain
step "it is pure" says_what_is_missing checkout
step "the checkout is as it was" leaves_what_was_there plain
step "a checkout with the library installs without a Swift compiler" installs_with_the_library_alone
step "it works with its own library" has_its_library built
step "a compiler that fails ends the installation with what it says" fails_with_what_the_compiler_says
step "a library to bundle that is not there is refused" refuses_a_library_that_is_not_there
step "a checkout installs with a Swift compiler" installs_with_a_compiler
step "it works with its own library" has_its_library compiled
conclude "wheels"

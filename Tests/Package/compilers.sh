#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the library and the packages with the Swift compilers of Debian's releases, in clean roots with nothing but what apt
# has, where the packages run their suites; those of another architecture run under qemu. Each cell of `make matrix` is noted in
# build/matrix with the commit that it is true of: what has passed with the present sources is not run again.
#
#     Tests/Package/compilers.sh SUITE[:ARCHITECTURE[:own]]...        needs root; trixie and sid have a compiler
#
# own: with the compiler of this machine instead. LATER="python ...": leaves these columns to another run (under qemu, the
# Python suite takes an hour).
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
# shellcheck source=Tests/Package/roots.sh
. "${0%/*}/roots.sh"

native=$(dpkg --print-architecture)
# What the packages are made of and tested with. Swift's own vocabularies, and tests of other things, are not in them.
sources='^(Makefile|include/|bindings/|pkgconfig/|debian/|Sources/([^/]*\.mk|C[A-Z]|ObserverEngine/|ObserverRelay/|SwiftObserver(Relay)?C/)|Tests/(C|Python|Scenarios|TestSupport)/|Tests/relay\.mk|Tests/Package/(compilers|lintian|make-root|needs|roots)\.sh)'
tree=$(Tests/Package/list-sources.sh | grep -E "$sources" | xargs -d '\n' sha256sum | sha256sum | cut -c 1-12)
# The table itself, which stands in a document, makes nothing dirty.
commit=$(git -c safe.directory='*' describe --always 2> /dev/null || echo "sources $tree")
if git -c safe.directory='*' status --porcelain 2> /dev/null | cut -c 4- | grep -qE "$sources"; then commit+=-dirty; fi

# What the packages are built and tested with, as debian/control and debian/tests/control say, and what they are checked with.
list_needs() {
    {
        sed -n '/^Build-Depends:/,/^Standards/{ s/^Build-Depends://; /^ /p; }' debian/control | tr , '\n' | sed 's/debhelper-compat/debhelper/'
        need_of_tests
        printf '%s\n' apt-utils build-essential lintian python3-dev
        [ ! "$compiler" ] || tr , '\n' <<< "$of_toolchain"
    } | sed -n 's/^ *\([a-z0-9.+-]*\).*/\1/p' | grep -vx -e '' ${compiler:+-e swiftlang} | sort -u
    if [ "$foreign" ]; then
        echo "crossbuild-essential-$architecture"
        printf "%s:$architecture\n" libcmocka-dev libglib2.0-dev libmosquitto1 libpython3-dev libstdc++6 libsystemd0 libuv1-dev
    fi
}

# The root of a row is kept, for the compiler is large, until it needs something else.
find_root() {
    local needs
    needs=$(list_needs | paste -sd ,)
    if [ ! -e "$root" ] || [ "$(cat "$root.needs")" != "$needs" ]; then
        rm -rf --one-file-system "$root"
        Tests/Package/make-root.sh "$suite" "$root" "$needs" "$native${foreign:+,$architecture}"
        echo "$needs" > "$root.needs"
    fi
    mount --rbind /dev "$root/dev"
    open_root
    [ ! "$compiler" ] || show_toolchain "$root/own"
    [ ! "$emulator" ] || cp "$(command -v "$emulator")" "$root/usr/bin/"
}

# cell NAME SENTENCE FUNCTION   A step; what the function prints stands in the table, the rest in build/matrix/ROW/NAME.log.
cell() {
    local name=$1 sentence="$row: $2"
    shift 2
    if [[ " ${LATER-} " = *" $name "* ]]; then
        return
    elif [ "$(cat "$notes/$name.tree" 2> /dev/null)" = "$tree" ]; then
        step "$sentence (before, with the same sources)" true
    else
        rm -f "$notes/$name.tree"
        echo "$commit" > "$notes/$name.commit"
        echo 'was not finished' > "$notes/$name"
        log=$notes/$name.log step "$sentence" take_note "$name" "$@"
        [ -e "$notes/$name.tree" ] || echo failed > "$notes/$name"
    fi
}
take_note() {
    local name=$1
    shift
    "$@" > "$notes/$name.new"
    grep -q . "$notes/$name.new"
    mv "$notes/$name.new" "$notes/$name"
    echo "$tree" > "$notes/$name.tree"
}

there() {
    inside env -C /source PATH="${compiler:+/own/bin:}/usr/sbin:/usr/bin:/sbin:/bin" "${environment[@]}" SWO_TEST_SCALE=0.1 NEED=true WERROR= "$@"
}
# What stands in the log of the suites.
c_tests() { sed -n 's/^C tests.*, \([0-9]*\) tests passed, 0 programs failed/\1/p' "$1" | awk '{ sum += $1 } END { if (sum) print sum " passed" }'; }
python_tests() { sed -n 's/^\([0-9]* passed.*\) in .*/\1/p' "$1"; }

names_compiler() { there swiftc --version 2> /dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p'; }

# With their suites, unless they are for another machine.
builds_packages() {
    local TIMEFORMAT='%U %S %R' took=$root/tmp/took
    # Where this fails, the next steps find nothing of a run before.
    rm -rf "$notes/deb"
    { time there env ${foreign:+DEB_BUILD_OPTIONS=nocheck} make deb DEB_KIND=full ${foreign:+"DEB_HOST=$architecture"} >&3 2>&3; } 3>&2 2> "$took"
    rm -r "$root/source/build/deb/source"
    cp -r "$root/source/build/deb" "$notes/deb"
    awk '{ printf "built, %d s of processor time, %d s by the clock\n", $1 + $2, $3 }' "$took"
}
has_run_c() { c_tests "$notes/deb/build.log"; }
has_run_python() { python_tests "$notes/deb/build.log"; }
# On other processors, whose pages are larger, there is more room between the parts of a file.
tells_size() {
    local library
    dpkg-deb -x "$notes"/deb/libswiftobserver0_*.deb "$root/tmp/unpacked"
    dpkg-deb -x "$notes"/deb/libswiftobserver-relay0_*.deb "$root/tmp/unpacked"
    Tests/Package/needs.sh "$root"/tmp/unpacked/usr/lib/*/libswiftobserver{,-relay}.so.*.*.* >&2
    library=$(find "$root/tmp/unpacked" -name 'libswiftobserver.so.*.*')
    stat -c %s "$library"
    [ "$compiler$foreign" ] || [ "$(stat -c %s "$library")" -le 508000 ]
    rm -r "$root/tmp/unpacked"
}
lintian_is_silent() {
    rm -rf "$root/tmp/deb"
    cp -r "$notes/deb" "$root/tmp/deb"
    there sh -c 'Tests/Package/lintian.sh /tmp/deb/*.changes' >&2
    echo silent
}
# In a root that has what they need, and nothing else that apt could know of. debconf leaves a folder of its own there.
passes_piuparts() {
    local base=$top/build/roots/$suite-base
    [ -e "$base" ] || Tests/Package/make-root.sh "$suite" "$base" python3
    piuparts --existing-chroot="$base" --keep-sources-list --no-upgrade-test --no-eatmydata --ignore=/var/cache/debconf/tmp.ci/ -d "$suite" "$notes"/deb/*.deb >&2
    echo passed
}
# As the archive runs them.
passes_package_tests() {
    local said=$notes/autopkgtest
    rm -rf "$said"
    autopkgtest --no-built-binaries --output-dir "$said" "$notes"/deb/*.changes -- chroot "$root" >&2
    awk '$2 == "PASS" { passed++ } END { print passed " passed" }' "$said/summary"
}

# On another machine the library alone is built where there are no packages for it.
builds_library() {
    there make lib relay "${tools[@]}" >&2
    Tests/Package/needs.sh "$root"/source/build/embedded/libswiftobserver{,-relay}.so >&2
    there "$triplet-strip" --strip-unneeded -o /tmp/stripped build/embedded/libswiftobserver.so
    stat -c %s "$root/tmp/stripped"
}
passes_c() {
    there make smoke-c smoke-relay "${tools[@]}" "EMULATOR=$emulator" > "$root/tmp/said" || { cat "$root/tmp/said" >&2; return 1; }
    c_tests "$root/tmp/said"
}
# A Python of that machine, linked with its library, which what it starts takes for Python, too.
makes_python() {
    local python=/usr/local/bin/python3-$architecture
    echo '#include <Python.h>
        int main(int count, char **arguments) { return Py_BytesMain(count, arguments); }' |
        there sh -c "$triplet-gcc -x c - -o $python.elf \$(pkg-config --cflags --libs python3-embed)"
    printf '#!/bin/sh\nexec %s -0 %s %s.elf "$@"\n' "/usr/bin/$emulator" "$python" "$python" > "$root$python"
    chmod +x "$root$python"
    there "$python" -c 'import platform, sys; print(platform.machine(), sys.executable)'
}
passes_python() {
    there make lib relay "${tools[@]}" >&2
    makes_python >&2
    there env SWIFTOBSERVER_LIBRARY=/source/build/embedded/libswiftobserver.so PYTHONPATH=bindings/python/src PYTHONDONTWRITEBYTECODE=1 "CC=$triplet-gcc" \
        "/usr/local/bin/python3-$architecture" -m pytest -q -p no:cacheprovider -W ignore::hypothesis.errors.HypothesisWarning Tests/Python \
        --ignore=Tests/Python/test_typing.py --ignore=Tests/Python/test_coming_from.py > "$root/tmp/said" || { cat "$root/tmp/said" >&2; return 1; }
    python_tests "$root/tmp/said"
}

for row in "${@:-trixie}"; do
    IFS=: read -r suite architecture compiler <<< "$row"
    architecture=${architecture:-$native}
    root=$top/build/roots/$suite-$architecture${compiler:+-own}-swift notes=$top/build/matrix/$suite-$architecture${compiler:+-own}
    foreign='' emulator='' triplet='' environment=() tools=()
    if [ "$architecture" != "$native" ]; then
        foreign=yes
        triplet=$(dpkg-architecture -a "$architecture" -q DEB_HOST_GNU_TYPE 2> /dev/null)
        # Processors of amd64 run i386 by themselves.
        [ "$native $architecture" = "amd64 i386" ] || emulator=qemu-${triplet%%-*}-static
        # Not always the name of the tools: i386 is that of the libraries, i686 that of the tools.
        environment=("PKG_CONFIG_LIBDIR=/usr/lib/$(dpkg-architecture -a "$architecture" -q DEB_HOST_MULTIARCH 2> /dev/null)/pkgconfig:/usr/share/pkgconfig")
        tools=("CC=$triplet-gcc" "CXX=$triplet-g++" "LD=$triplet-ld" "OBJCOPY=$triplet-objcopy" "AR=$triplet-ar")
    fi
    mkdir -p "$notes" build/roots
    step "$row: a clean Debian with a Swift compiler is there" find_root
    [ -d "$root/source" ] || continue
    cell swift "the compiler says its version" names_compiler
    if sed -n 's/^Architecture: //p' debian/control | grep -qw "$architecture"; then
        cell packages "the packages build" builds_packages
        cell library "the library's size is known, and at most 508000 bytes with Debian's compiler" tells_size
        cell lintian "lintian finds nothing in them" lintian_is_silent
    else
        cell library "the library builds" builds_library
    fi
    if [ "$foreign" ]; then
        cell c "the C suite passes" passes_c
        [ ! "$emulator" ] || cell python "the Python suite passes" passes_python
    else
        cell c "their C suite has passed" has_run_c
        cell python "their Python suite has passed" has_run_python
        cell piuparts "piuparts passes" passes_piuparts
        cell tests "autopkgtest passes" passes_package_tests
    fi
    close_root
done
conclude "compilers"

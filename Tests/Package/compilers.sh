#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the library and the packages with the Swift compilers of Debian's releases, in clean roots with nothing but what apt
# has, and runs the suites there; those of another architecture under qemu. Each row is noted for `make matrix`.
#
#     Tests/Package/compilers.sh SUITE[:ARCHITECTURE[:own]]...        needs root; trixie and sid have a compiler
#
# own: with the compiler of this machine instead.
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
# shellcheck source=Tests/Package/roots.sh
. "${0%/*}/roots.sh"

native=$(dpkg --print-architecture)
needs=build-essential,debhelper,dh-python,g++,graphviz,libcmocka-dev,libglib2.0-dev,libuv1-dev,lintian,make,pkgconf,procps
needs+=,pybuild-plugin-pyproject,python3-all,python3-dev,python3-hatchling,python3-hypothesis,python3-pytest,swiftlang
needs+=,valgrind,libpython3-dev

# The root of a suite and architecture is kept, for the compiler is large.
find_root() {
    local foreign
    if [ ! -e "$root" ]; then
        [ "$architecture" = "$native" ] || for foreign in libcmocka-dev libglib2.0-dev libstdc++6 libuv1-dev; do needs+=,$foreign:$architecture; done
        [ "$architecture" = "$native" ] || needs+=,crossbuild-essential-$architecture
        Tests/Package/make-root.sh "$suite" "$root" "$needs" "$native,$architecture"
    fi
    mount --rbind /dev "$root/dev"
    open_root
    [ ! "$compiler" ] || show_toolchain "$root/own"
    [ ! "$emulator" ] || cp "$(command -v "$emulator")" "$root/usr/bin/"
}

there() {
    inside env --default-signal=INT -C /source PATH="${compiler:+/own/bin:}/usr/sbin:/usr/bin:/sbin:/bin" "${environment[@]}" SWO_TEST_SCALE=0.1 NEED=true WERROR= "$@"
}
names_compiler() { there swiftc --version 2> /dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | tee "$notes/swift" | grep .; }
builds() {
    there make lib "${tools[@]}"
    there strip --strip-unneeded -o /tmp/stripped build/embedded/libswiftobserver.so 2> /dev/null ||
        there "$triplet-strip" --strip-unneeded -o /tmp/stripped build/embedded/libswiftobserver.so
    stat -c %s "$root/tmp/stripped" > "$notes/library"
}
# note NAME EXPRESSION   Notes what the expression makes of what is printed.
note() {
    local said
    said=$(tee /dev/stderr | sed -n "$2")
    [ ! "$said" ] || echo "$said" > "$notes/$1"
}
passes_c() {
    there make smoke-c "${tools[@]}" ${emulator:+"EMULATOR=$emulator"} |
        note c 's/.*, \([0-9]*\) tests passed, 0 programs failed/\1 passed/p'
}
passes_python() {
    there env SWIFTOBSERVER_LIBRARY=/source/build/embedded/libswiftobserver.so PYTHONPATH=bindings/python/src PYTHONDONTWRITEBYTECODE=1 \
        python3 -m pytest -q -p no:cacheprovider -W ignore::hypothesis.errors.HypothesisWarning Tests/Python \
        --ignore=Tests/Python/test_typing.py --ignore=Tests/Python/test_coming_from.py |
        note python 's/^\([0-9]* passed.*\) in .*/\1/p'
}
# The suites have run by then.
builds_packages() {
    there env DEB_BUILD_OPTIONS=nocheck make deb DEB_KIND=full ${emulator:+"DEB_HOST=$architecture"}
}
lintian_is_silent() { there Tests/Package/lintian.sh build/deb/*.changes && echo "silent" > "$notes/lintian"; }
passes_package_tests() {
    local count=0 test
    inside sh -c 'dpkg -i /source/build/deb/*.deb'
    for test in $(sed -n 's/^Tests: //p' debian/tests/control | tr -d , | sed 's/\<c-suite\>//'); do
        as_user mkdir "/tmp/$test"
        as_user sh -c "cd /source && AUTOPKGTEST_TMP=/tmp/$test debian/tests/$test"
        rm -r "$root/tmp/$test"
        count=$((count + 1))
    done
    inside dpkg --purge libswiftobserver0-dbgsym "${packages[@]}"
    echo "$count passed" > "$notes/tests"
}

# What is planned has failed, until it passes.
will() { for note; do echo failed > "$notes/$note"; done; }

for row in "${@:-trixie}"; do
    IFS=: read -r suite architecture compiler <<< "$row"
    architecture=${architecture:-$native}
    root=$top/build/roots/$suite-$architecture-swift notes=$top/build/matrix/$suite-$architecture${compiler:+-own}
    emulator='' triplet='' environment=() tools=()
    if [ "$architecture" != "$native" ]; then
        triplet=$(dpkg-architecture -a "$architecture" -q DEB_HOST_GNU_TYPE 2> /dev/null)
        emulator=qemu-${triplet%%-*}-static
        environment=("PKG_CONFIG_LIBDIR=/usr/lib/$triplet/pkgconfig:/usr/share/pkgconfig")
        tools=("CC=$triplet-gcc" "CXX=$triplet-g++" "LD=$triplet-ld" "OBJCOPY=$triplet-objcopy" "AR=$triplet-ar")
    fi
    rm -rf "$notes"
    mkdir -p "$notes" build/roots
    will library c
    [ "$emulator" ] || will python
    [ "$compiler" ] || will lintian
    [ "$emulator$compiler" ] || will tests
    step "$row: a clean Debian with a Swift compiler is there" find_root
    [ -d "$root/source" ] || continue
    step "$row: the compiler says its version" names_compiler
    step "$row: the library builds" builds
    step "$row: the C suite passes" passes_c
    [ "$emulator" ] || step "$row: the Python suite passes" passes_python
    if [ ! "$compiler" ]; then
        step "$row: the packages build" builds_packages
        step "$row: lintian finds nothing in them" lintian_is_silent
        [ "$emulator" ] || step "$row: the packages pass their tests" passes_package_tests
    fi
    close_root
done
conclude "compilers"

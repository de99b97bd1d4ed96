#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the first programs with what is installed: by make, CMake, Meson and valac, as their users do.
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/installed
expected=$PWD/debian/tests/hello-in-c.txt
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib

installs() {
    # What surrounds this make is not for that one.
    env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL make --no-print-directory install-lib install-relay install-headers install-pc PREFIX="$prefix"
    cp -r bindings/c/examples "$folder/examples"
}

# The loader finds the library by the path above, not by one that a build tool leaves in the program.
prints() { diff "$expected" <("$@"); }

# Where only what is installed can be found.
by_make() {
    cd "$folder/examples"
    make
    prints ./hello
    prints ./hello-in-cpp
    [ "$(./awaiting)" = "$(printf '3\nthe sum is 7')" ]
    [ -x vitals-in-c ]
    make clean
}

by_cmake() {
    cd "$folder/examples"
    cmake -B by-cmake -DCMAKE_PREFIX_PATH="$prefix"
    cmake --build by-cmake
    prints by-cmake/hello
    prints by-cmake/hello-in-cpp
    prints env -u LD_LIBRARY_PATH by-cmake/hello-static
}

is_found_where_it_was_moved_to() {
    local moved=$folder/moved
    cd "$folder/examples"
    cp -r "$prefix" "$moved"
    cmake -B moved-cmake -DCMAKE_PREFIX_PATH="$moved"
    cmake --build moved-cmake
    prints env LD_LIBRARY_PATH="$moved/lib" moved-cmake/hello
    grep -q "$moved/lib" moved-cmake/CMakeCache.txt
}

# The loader is told of one folder, by CMake.
finds_relays() {
    mkdir "$folder/relay"
    cat > "$folder/relay/relay.c" << 'END'
#include <swiftobserver/relay.h>
int main(void) {
    swo_relay_options options = SWO_RELAY_OPTIONS_INIT;
    options.address = "memory:here";
    swo_relay *relay;
    if (swo_relay_new(&options, &relay) != SWO_OK) return 1;
    swo_relay_release(relay);
    return 0;
}
END
    cat > "$folder/relay/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.16)
project(relay C)
find_package(swiftobserver 0.1 REQUIRED)
add_executable(relay relay.c)
target_link_libraries(relay PRIVATE swiftobserver::relay)
END
    cmake -S "$folder/relay" -B "$folder/relay/build" -DCMAKE_PREFIX_PATH="$prefix"
    cmake --build "$folder/relay/build"
    env -u LD_LIBRARY_PATH "$folder/relay/build/relay"
}

refuses_another_version() {
    cd "$folder/examples"
    mkdir another
    sed 's/find_package(swiftobserver 0.1 /find_package(swiftobserver 99 /' CMakeLists.txt > another/CMakeLists.txt
    if cmake -S another -B another/build -DCMAKE_PREFIX_PATH="$prefix" > another/said 2>&1; then return 1; fi
    grep -q 'compatible with requested version "99"' another/said
}

by_meson() {
    cd "$folder/examples"
    meson setup by-meson
    meson compile -C by-meson
    prints by-meson/hello
    prints by-meson/hello-in-cpp
}

by_valac() {
    cd "$folder/examples"
    valac --vapidir "$prefix/share/vala/vapi" --pkg swiftobserver -o hello-in-vala hello-in-vala.vala
    prints ./hello-in-vala
}

step "make installs library, headers and what finds them" installs
step "make builds the examples" by_make
step "CMake finds the package" by_cmake
step "CMake finds it where it was moved to" is_found_where_it_was_moved_to
step "CMake finds the library of relays, and the other one through it" finds_relays
step "CMake does not take another version for it" refuses_another_version
step "Meson finds the dependency" by_meson
step "valac finds the vapi" by_valac
conclude consumers

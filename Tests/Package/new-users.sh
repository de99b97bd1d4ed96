#!/bin/bash
# SPDX-License-Identifier: MIT
# The first minutes of new users, in clean roots that have what such a user has: a compiler of C, one of C++, Python and pip,
# Python and apt, Swift. What each types, sees and waits for is written down.
#
#     Tests/Package/new-users.sh TRANSCRIPTS WHEELS FETCHED [SUITE...]        after `make deb wheel`; needs root
#
# Nothing comes from the network: what pip builds an sdist with was fetched before.
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
# shellcheck source=Tests/Package/roots.sh
. "${0%/*}/roots.sh"
transcripts=$1 wheels=$2 fetched=$3
shift 3
[ $# -gt 0 ] || set -- bookworm

# What they have; what Swift's package manager and linker need is on swift.org's page.
declare -A has=(
    [c]='gcc,libc6-dev,pkg-config'
    [c++]='g++,pkg-config'
    [apt]='python3'
    [pip]='python3-venv'
    [swift]="$of_toolchain,binutils,g++,libc6-dev,make,python3,zlib1g-dev"
)
# What is read in the transcript, where every command has succeeded.
declare -A says=(
    [c]='the c program prints what it should'
    [c++]='the cpp program prints what it should'
    [apt]='the python program prints what it should'
    [pip]='there is no library to install, and no Swift compiler to build it with'
    [swift]='the swift program prints what it should'
)

# enter WAY   A root with the sources, where the user's clone is.
enter() {
    local wanted=${has[$1]} kept=$top/build/roots/new-$suite-$1
    mkdir -p "$top/build/roots"
    if [ "$(cat "$kept.has" 2> /dev/null)" != "$wanted" ]; then
        Tests/Package/make-root.sh "$suite" "$kept.tar" "$wanted"
        echo "$wanted" > "$kept.has"
    fi
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    tar -C "$root" -xf "$kept.tar"
    open_root
    mkdir "$root/home/user"
    mv "$root/source" "$root/home/user/swiftobserver"
    mkdir -p "$root/home/user/swiftobserver/build"
    cp -r build/deb "$root/home/user/swiftobserver/build/deb"
    cp -r "$wheels" "$root/home/user/swiftobserver/build/wheels"
    cp -r "$fetched" "$root/home/user/fetched"
    chown -R 65534:65534 "$root/home/user"
}

# typed COMMAND   By the user, in the clone; by root where it begins with sudo.
typed() {
    local begun=$EPOCHREALTIME status=0 command=$1 who=(--userspec=65534:65534)
    [ "$command" = "${command#sudo }" ] || who=()
    echo "\$ $command"
    chroot "${who[@]}" "$root" env -i PATH=/home/user/env/bin:/usr/sbin:/usr/bin:/sbin:/bin:/tmp/swift/bin HOME=/home/user LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive PIP_NO_INDEX=1 PIP_FIND_LINKS="/home/user/fetched /home/user/swiftobserver/build/wheels" \
        sh -c "cd /home/user/swiftobserver && ${command#sudo }" 2>&1 || status=$?
    awk -v begun="$begun" -v ended="$EPOCHREALTIME" 'BEGIN { printf "[%.1f s]\n", ended - begun }'
    return "$status"
}

# The first program of a language, as the README has it.
program() { python3 Tests/TestSupport/readme.py README.md installed "$1" "$root"; }

by_c() {
    typed 'sudo apt-get install -y ./build/deb/libswiftobserver*.deb'
    program c
}
by_c++() {
    typed 'sudo apt-get install -y ./build/deb/libswiftobserver*.deb'
    program cpp
}
by_apt() {
    typed 'sudo apt-get install -y ./build/deb/libswiftobserver0_*.deb ./build/deb/python3-swiftobserver_*.deb'
    program python
}
# A wheel; then the sdist, to which no compiler is there, and after that the library of apt is.
by_pip() {
    local sdist='./build/wheels/swiftobserver-*.tar.gz'
    typed 'python3 -m venv ~/env'
    typed 'pip install swiftobserver'
    typed 'python3 -m swiftobserver'
    program python
    typed 'pip uninstall -y swiftobserver'
    if typed "pip install $sdist"; then return 1; fi
    typed 'sudo apt-get install -y ./build/deb/libswiftobserver0_*.deb'
    typed "pip install $sdist"
    typed 'python3 -m swiftobserver'
    program python
}
# A user of Swift has a toolchain: this machine's.
by_swift() {
    show_toolchain "$root/tmp/swift"
    typed 'make demo'
    program swift
    umount "$root/tmp/swift"
}

# take WAY
take() {
    enter "$1"
    "by_$1" | tee "$transcript"
    grep -qF "${says[$1]}" "$transcript"
}

mkdir -p "$transcripts"
for suite in "$@"; do
    for way in c c++ apt pip swift; do
        root=$top/build/roots/new-user transcript=$transcripts/$suite-$way.txt
        step "$suite: the first minutes of a user of $way ($transcript)" take "$way"
        remove_root
        # How long each command took.
        awk '/^\$ / { command = $0 } /^\[[0-9.]+ s\]$/ { printf "%12s  %s\n", substr($0, 2, length($0) - 2), command }' "$transcript"
    done
done
conclude new-users

#!/bin/bash
# SPDX-License-Identifier: MIT
# Checks that all is true which a release says, makes its files, and tells what only a person with accounts can do. Nothing
# leaves this machine.
# Usage: release.sh VERSION VERSION-OF-THE-HEADER FOLDER TIME
# shellcheck disable=SC2317  # functions are called by `step`
set -eu -o pipefail
cd "$(dirname "$0")/../.."
version=$1 header=$2 release=$3 time=$4
# shellcheck source=Tests/Package/steps.sh
. Tests/Package/steps.sh
# What surrounds this make is not for those; nor is the version, which each reads in the header.
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL
make() { command make --no-print-directory "$@"; }

has_the_version() { [ "$version" = "$header" ] || fail "the header says $header: change SWO_VERSION_... in include/swiftobserver.h"; }
tells_of_it() {
    [ "$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)" = "$version" ] || fail "CHANGELOG.md does not begin with $version"
    [ "$(awk -v title="## $version" '$0 == title { inside = 1; next } /^## / { inside = 0 } inside && NF' CHANGELOG.md | wc -l)" -ge 3 ] ||
        fail "CHANGELOG.md does not say what is new in $version"
    sed -n 1p debian/changelog | grep -q "^swiftobserver ($version-[0-9]*) " || fail "debian/changelog begins with another version"
    ! sed -n 1p debian/changelog | grep -q UNRELEASED || fail "debian/changelog still says UNRELEASED"
}
is_committed() { [ -z "$(git status --porcelain)" ] || fail "$(git status --short)"; }
has_no_tag() { ! git rev-parse -q --verify "refs/tags/v$version" || fail "there is a tag v$version"; }
symbols_are_not_newer() {
    local newest
    newest=$(sed -n 's/^ swo_[a-z0-9_]*@.* \([0-9][0-9.]*\)$/\1/p' debian/*.symbols | sort -uV | tail -n 1)
    [ "$(printf '%s\n' "$newest" "$version" | sort -V | tail -n 1)" = "$version" ] || fail "a symbol is of $newest"
}
# What stands in control is meant in all files.
names_one_maintainer() {
    local maintainer others
    maintainer=$(sed -n 's/^Maintainer: //p' debian/control)
    others=$(grep -rhoE '[A-Z][A-Za-z ]* <[^<> ]+@[^<> ]+>' debian --include=control --include=changelog --include=copyright | sort -u)
    [ "$others" = "$maintainer" ] || fail "debian/ names: $others"
}
packs_the_sources() {
    make dist
    cp build/dist/swiftobserver-"$version".tar.xz "$release"/
    rm build/dist/swiftobserver-"$version".tar.xz
    TZ=Pacific/Kiritimati make dist
    cmp build/dist/swiftobserver-"$version".tar.xz "$release"/swiftobserver-"$version".tar.xz
}
makes_the_packages() {
    DEB_BUILD_OPTIONS=nocheck make deb
    cp build/deb/*.deb "$release"/
}
makes_the_wheels() {
    make wheel WHEELS_FOR=aarch64
    cp build/wheels/* "$release"/
}
lists_what_is_inside() {
    local compiler listed
    compiler=$(swiftc --version 2> /dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -n 1)
    listed=$(python3 Tests/Package/sbom.py "$version" "$time" "$compiler" "$release"/*)
    python3 -m json.tool > /dev/null <<< "$listed"
    echo "$listed" > "$release"/swiftobserver-"$version".spdx.json
}
sums_it_up() {
    local sums
    cd "$release"
    sums=$(find . -maxdepth 1 -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum)
    echo "$sums" > SHA256SUMS
    sha256sum --check --quiet SHA256SUMS
}

rm -rf "$release" && mkdir -p "$release"
release=$(realpath "$release")
step "the header has the version $version" has_the_version
step "all that states a version states the header's" make check-version
step "both changelogs tell of it" tells_of_it
step "all is committed" is_committed
step "no tag has its name" has_no_tag
step "nothing declared was removed or changed under this soname, and the symbols files have all of it" make check-abi
step "no symbol is newer than the release" symbols_are_not_newer
step "debian/ names one maintainer, that of control" names_one_maintainer
# No files are made of what is no release.
[ "$failed" -eq 0 ] || conclude "release $version"
step "the sources are packed, twice the same bytes" packs_the_sources
step "the packages are built" makes_the_packages
step "the wheels are built" makes_the_wheels
step "what is inside is listed (SPDX)" lists_what_is_inside
step "the sums hold" sums_it_up
cat << END

In $release: $(find "$release" -type f | wc -l) files. \`make test-all\` (with the site and test-reproducible) has to have passed on this commit.
Placeholders, as long as they have not been changed: Maintainer and Homepage in debian/control (MAINTAINER=, HOMEPAGE=: see debian/README.source).
What only a person can do, who has keys and accounts:

    git tag -s v$version -m "SwiftObserver $version" && git push origin v$version
    gpg --armor --detach-sign $release/SHA256SUMS
    twine upload $release/*.whl $release/swiftobserver-$version.tar.gz
    make deb DEB_KIND=source && debsign build/deb/*_source.changes && dput build/deb/*_source.changes
    rsync -a build/site/ the-server:/that/shows/it/

END
conclude "release $version"

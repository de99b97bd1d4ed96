#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes an apt repository of packages, signed, and the file with which apt adds it. Without a key it makes one, which it keeps.
#
#     debian/apt-repo.sh FOLDER KEY PACKAGE.deb...        KEY is a secret key of gpg's, or ''
set -eu -o pipefail

folder=$1 key=$2
shift 2
[ -e "${1-}" ] || { echo "apt-repo: there is no package ($*): 'make deb' builds them" >&2; exit 1; }

if [ ! "$key" ]; then
    # gpg's sockets do not take long paths.
    GNUPGHOME=$(mktemp -d)
    export GNUPGHOME
    trap 'gpgconf --kill gpg-agent; rm -rf "$GNUPGHOME"' EXIT
    kept=$folder.key
    if [ -e "$kept" ]; then
        gpg --batch --quiet --import "$kept"
    else
        gpg --batch --quiet --passphrase '' --quick-generate-key 'the repository of SwiftObserver' ed25519 sign never 2> /dev/null
        (umask 077 && gpg --batch --quiet --export-secret-keys > "$kept")
    fi
fi
# shellcheck disable=SC2086  # no key means any
fingerprint=$(gpg --batch --trust-model always --with-colons --list-secret-keys $key | awk -F: '$1 == "fpr" { print $10; exit }')
[ "$fingerprint" ] || { echo "apt-repo: gpg has no secret key $key" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder"
settings=$(mktemp -d)
cat > "$settings/distributions" << END
Origin: SwiftObserver
Codename: stable
Components: main
Architectures: $(for package; do dpkg-deb -f "$package" Architecture; done | grep -vx all | sort -u | tr '\n' ' ')
SignWith: $fingerprint
END
for package; do
    reprepro --silent --confdir "$settings" --dbdir "$settings/db" --basedir "$folder" includedeb stable "$package"
done
rm -r "$settings"

gpg --batch --armor --export "$fingerprint" > "$folder/swiftobserver.asc"
cat > "$folder/swiftobserver.sources" << END
Types: deb
URIs: file:$(realpath "$folder")
Suites: stable
Components: main
Signed-By: /etc/apt/keyrings/swiftobserver.asc
END

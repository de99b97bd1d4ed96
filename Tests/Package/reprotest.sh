#!/bin/bash
# SPDX-License-Identifier: MIT
# Whether the packages have the same bytes where all else differs: Debian's reprotest builds them twice, with other paths, users,
# homes, host names, kernels, clocks, time zones, locales, umasks, numbers of processors, and orders of files (disorderfs).
#
#     Tests/Package/reprotest.sh SOURCE PROFILES        SOURCE: a folder that `make deb-source` has made; needs root
set -eu -o pipefail
cd "$(dirname "$0")/../.."
if [ "${1-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || { echo "reprotest: making other users and mounts needs root" >&2; exit 1; }
    exec unshare --mount "$PWD/Tests/Package/reprotest.sh" --inside "$@"
fi
shift

source=$(realpath "$1") profiles=$2
# Everybody may read it: one of the builds is an ordinary user's.
folder=$(mktemp -d)
trap 'umount /dev/fuse || true; rm -rf --one-file-system "$folder"' EXIT
chmod 755 "$folder"
cp -r "$source" "$folder/swiftobserver"
chmod -R a+rX "$folder"

# disorderfs is the ordinary user's, who may not mount it everywhere.
mknod --mode=666 "$folder/fuse" c 10 229
mount --bind "$folder/fuse" /dev/fuse

# sudo, as reprotest calls it: that of some releases refuses its -h, and would not find the compiler. In the ordinary user's
# build, reprotest's own mkdir calls it, which is that user already.
mkdir "$folder/bin"
cat > "$folder/bin/sudo" << 'END'
#!/bin/sh
user=root group=root
while :; do
    case $1 in
        -E) shift ;;
        -h) shift 2 ;;
        -u) user=$2; shift 2 ;;
        -g) group=$2; shift 2 ;;
        *) break ;;
    esac
done
[ "$(id -un)" != "$user" ] || exec "$@"
exec setpriv --reuid="$user" --regid="$group" --clear-groups -- "$@"
END
chmod +x "$folder/bin/sudo"

cd "$folder"
# What else a build writes beside the packages would be in the way of the other user.
PATH=$folder/bin:/usr/bin:/bin:/usr/sbin:/sbin:$(dirname "$(readlink -f "$(command -v swiftc)")") DEB_BUILD_OPTIONS=nocheck \
    reprotest --verbosity 1 --no-diffoscope --variations=+all,domain_host.use_sudo=1,user_group.available+=nobody:nogroup \
    --build-command "dpkg-buildpackage --no-sign --build=binary $profiles && rm ../*.buildinfo ../*.changes" swiftobserver "../*.deb"

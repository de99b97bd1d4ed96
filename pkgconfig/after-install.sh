#!/bin/bash
# SPDX-License-Identifier: MIT
# Sees to it that what was installed is found, where it may, and otherwise says what to do.
#
#     after-install.sh SONAME LIBDIR PKGCONFIGDIR PYTHON PYTHONDIR
set -eu -o pipefail
soname=$1 libdir=$2 pkgconfigdir=$3 python=$4 pythondir=$5
PATH=$PATH:/usr/sbin:/sbin

is_searched_by_the_linker() {
    ldconfig -N -X -v 2>/dev/null | sed -n 's,^\(/[^:]*\):.*,\1,p' | while read -r folder; do readlink -f "$folder"; done |
        grep -xF "$(readlink -f "$libdir")" > /dev/null
}

exports=()
export_also() { exports+=("$(printf 'export %s=%q' "$1" "$2")"); }

if is_searched_by_the_linker; then
    if [ "$(id -u)" = 0 ]; then
        ldconfig
        echo "The linker's cache knows $soname (ldconfig)."
    else
        echo "For the linker's cache to know $soname: sudo ldconfig"
    fi
else
    export_also LD_LIBRARY_PATH "$libdir"
fi
PKG_CONFIG_PATH='' pkg-config --exists swiftobserver 2>/dev/null || export_also PKG_CONFIG_PATH "$pkgconfigdir"
"$python" -c 'import sys; sys.exit(sys.argv[1] not in sys.path)' "$pythondir" || export_also PYTHONPATH "$pythondir"

if [ ${#exports[@]} -gt 0 ]; then
    echo "Installed where not everything is searched for. These make up for it, in this order for programs, compilers and Python:"
    printf '    %s\n' "${exports[@]}"
    [[ "${exports[0]}" != *LD_LIBRARY_PATH* ]] || echo "A program that is linked with \"-Wl,-rpath,$libdir\" finds the library without."
fi

#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests of blinker, Flask and Flask-Login over the `blinker` beside this, which is made of swiftobserver, and
# those of psygnal with its signals made of messengers. psygnal's tests of benchmarks, Qt and installers have nothing to
# do with that.
#
#   run.sh PYTHON FOLDER    PYTHON has requirements.txt; the tests come from PyPI into FOLDER
set -eu
python=$1 folder=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$folder"
folder=$(CDPATH='' cd -- "$folder" && pwd)
case $python in */*) python=$(CDPATH='' cd -- "$(dirname -- "$python")" && pwd)/${python##*/} ;; esac

# Fetches the source of a package, in the version that is installed.
fetch() {
    version=$("$python" -c "from importlib.metadata import version; print(version('$1'))")
    [ -d "$folder/$1-$version" ] || {
        env -u PYTHONPATH "$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary "$1" --dest "$folder" "$1==$version"
        mkdir "$folder/$1-$version"
        tar -xzf "$folder/$1-$version.tar.gz" -C "$folder/$1-$version" --strip-components=1
    }
    cd "$folder/$1-$version"
}

PYTHONPATH=$here:${PYTHONPATH:+$(CDPATH='' cd -- "$PYTHONPATH" && pwd)}
export PYTHONPATH
"$python" -c "import blinker, sys; sys.exit(blinker.__file__ != '$here/blinker/__init__.py')"
fetch blinker
"$python" -m pytest -q -p no:cacheprovider tests
fetch flask
"$python" -m pytest -q -p no:cacheprovider -p no:asyncio tests
fetch Flask-Login
"$python" -m pytest -q -p no:cacheprovider -p no:asyncio tests
fetch psygnal
"$python" -m pytest -q --color=no -p no:cacheprovider -p psygnal_over_swiftobserver tests \
    --ignore=tests/test_bench.py --ignore=tests/test_qt_compat.py --ignore=tests/test_pyinstaller_hook.py

#!/bin/bash
# SPDX-License-Identifier: MIT
# Finds what Swift 6.0 and 6.2, as Debian builds them, crash on, or compile into a double free: the patterns that
# CONTRIBUTING lists under "Compilers". Prints each place.
#
#     Tests/TestSupport/compilers.sh FILE.swift...
set -eu

found=$(awk '
    function report(what) { print FILENAME ":" FNR ": " what }
    FNR == 1 { inGenericType = inClass = 0 }
    { code = $0; sub(/\/\/.*/, "", code) }
    # A declaration that begins a line is the type of all that is indented after it.
    code ~ /^[a-z@].*(class|struct|enum|extension|protocol) [A-Z]/ {
        inClass = code ~ /(^| )class /
        inGenericType = code ~ /(class|struct|enum) [A-Za-z]+</
    }
    code ~ /[!=]==/ && code !~ /as AnyObject/ { report("identity of references: use isSame()") }
    code ~ /unsafeDowncast\(/ && code !~ /to: Core\.self/ { report("unsafeDowncast: use known(_:as:)") }
    code ~ /^ +.*init\?\(/ && inClass { report("a failable initializer of a class: use a static function") }
    code ~ /^ +([a-z]+ )*class [A-Z]/ && inGenericType { report("a class inside a generic type: put it beside the type") }
' "$@")
[ ! "$found" ] || { echo "$found" >&2; exit 1; }

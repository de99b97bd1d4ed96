#!/bin/bash
# SPDX-License-Identifier: MIT
# The headers please a compiler with all that it can warn of, where they are no system headers. What is not theirs, such as
# the code of a test, may warn.
#
#     strict.sh c|c++ FILE COMPILER FLAGS...
set -eu -o pipefail

language=$1 file=$2 compiler=$3
shift 3
case $(basename "$compiler") in
*clang*) # but not of what is older than the standards that are used, of gaps in structs, and of pointers as such
    warnings=(-Weverything -Wno-padded -Wno-unsafe-buffer-usage -Wno-cast-function-type-strict) # GLib's G_CALLBACK()
    case $language in
    c) warnings+=(-Wno-declaration-after-statement -Wno-pre-c11-compat) ;;
    c++) warnings+=(-Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-zero-as-null-pointer-constant) ;; # NULL is C's
    esac
    ;;
*)
    warnings=(-Wall -Wextra -Wpedantic -Wcast-qual -Wcast-align=strict -Wconversion -Wsign-conversion -Wshadow
        -Wnull-dereference -Wdouble-promotion -Wformat=2 -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wundef
        -Wredundant-decls -Wswitch-enum -Wfloat-equal)
    case $language in
    c) warnings+=(-Wstrict-prototypes -Wbad-function-cast) ;;
    c++) warnings+=(-Wold-style-cast -Wuseless-cast -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wsuggest-override
        -Wctor-dtor-privacy -Wstrict-null-sentinel -Wmissing-declarations -Weffc++) ;;
    esac
    ;;
esac
said=$("$compiler" -x "$language" "${warnings[@]}" "$@" -fsyntax-only "$file" 2>&1) || { printf '%s\n' "$said" >&2; exit 1; }
! grep -E '^(include|bindings/c/include)/[^ ]* (warning|error):' <<< "$said" >&2

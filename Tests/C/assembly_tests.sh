#!/bin/bash
# SPDX-License-Identifier: MIT
# What each pass over the layer's assembly does (Sources/Assembly), of a few lines.
# shellcheck disable=SC2016  # names of Swift have dollar signs
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# makes WHAT EXPECTED: what was written to $scratch/made is that
makes() { diff <(printf '%b' "$2") "$scratch/made" || { echo "assembly: $1" >&2; exit 1; }; }

printf 'import X\n\n@_cdecl("swo_one")\npublic func swo_one() {}\n' > "$scratch/One.swift"
printf '\t.file\t7 "<compiler-generated>"\nswo_one:\n.Lfunc_begin0:\n\t.loc\t7 0\n\tret\nother:\n.Lfunc_begin1:\n\t.loc\t7 0\n' > "$scratch/one.s"
(cd "$scratch" && awk -f "$OLDPWD/Sources/Assembly/lines.awk" One.swift one.s one.s > made)
makes "a C function has the line of its declaration, and no other has" \
    '\t.file\t7 "<compiler-generated>"\nswo_one:\n.Lfunc_begin0:\n\t.file\t8 "." "One.swift"\n\t.loc\t8 4 0 is_stmt 1\n\tret\nother:\n.Lfunc_begin1:\n\t.loc\t7 0\n'

printf '\t.cfi_startproc\n\tpushq\t%%rbx\n\t.cfi_def_cfa_offset 16\n\tpushq\t%%rax\n\t.cfi_def_cfa_offset 24\n\tcallq\tf\n\tpopq\t%%rax\n\t.cfi_def_cfa_offset 16\n\tretq\n\t.cfi_endproc\n' |
    awk -f Sources/Assembly/unwinding.awk > "$scratch/made"
makes "the size of a frame is said once, before the call, and each frame names platform_unwound" \
    '\t.cfi_startproc\n\t.cfi_personality 0x1b, platform_unwound\n\tpushq\t%rbx\n\tpushq\t%rax\n\t.cfi_def_cfa_offset 24\n\tcallq\tf\n\tpopq\t%rax\n\tretq\n\t.cfi_endproc\n'

printf '\tbl\t$s4main\n\t.asciz\t"$s4main"\n\tbl\t$e1x, $5\n' | sed -f Sources/Assembly/names.sed > "$scratch/made"
makes "names get an underscore, texts and numbers do not" '\tbl\t_$s4main\n\t.asciz\t"$s4main"\n\tbl\t_$e1x, $5\n'
echo "assembly: passed"

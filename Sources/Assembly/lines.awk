# SPDX-License-Identifier: MIT
# Gives the C functions in the layer's assembly the lines at which their sources declare them. The compiler gives the entries
# that it makes for `@_cdecl` none, and a debugger that is told to stop there names what lies beside them.
#
#     awk -f lines.awk SOURCE.swift... LAYER.s LAYER.s       reads the assembly twice: a file needs a number that is free

FILENAME ~ /\.swift$/ {
    if ($0 ~ /^public func / && before ~ /^@_cdecl\("/) {
        split(before, quoted, "\"")
        file[quoted[2]] = FILENAME
        line[quoted[2]] = FNR
    }
    before = $0
    next
}

FNR == 1 { reading++ }
reading == 1 {
    if ($1 == ".file" && $2 + 0 > files) files = $2 + 0
    if ($1 == ".file" && /<compiler-generated>/) generated = $2
    next
}

# A place that the compiler gave is line 0 of no file.
began && $1 == ".loc" { began = 0; next }

# In the debugger's tree of functions: where the body stands in the entry, it was called from the line of no file.
/DW_AT_low_pc/ && $2 ~ /^\.Lfunc_begin/ { entry = $2 in function_at ? function_at[$2] : "" }
/DW_AT_call_file/ && $2 == generated && entry { sub(generated, number[file[entry]]) }

{ began = 0; print }

/^swo_[a-z0-9_]*:/ { name = substr($1, 1, length($1) - 1) }
/^\.Lfunc_begin/ && name in line {
    if (!(file[name] in number)) {
        number[file[name]] = ++files
        printf "\t.file\t%d \".\" \"%s\"\n", files, file[name]
    }
    printf "\t.loc\t%d %d 0 is_stmt 1\n", number[file[name]], line[name]
    function_at[substr($1, 1, length($1) - 1)] = name
    name = ""
    began = 1
}

# SPDX-License-Identifier: MIT
# Makes a function of the layer's assembly that does nothing but jump to another one a second name of that: the compiler makes
# one for most functions of C, and for many closures, and each takes room for itself and in the unwind tables.
#
#     awk -f jumps.awk LAYER.s LAYER.s       reads the assembly twice: a name can be one of what stands in it alone

FNR == 1 { reading++ }
/^\t\.type\t.*,@function$/ {
    name = substr($0, 8, length($0) - 17)
    if (reading == 1) stands[name] = 1
}
reading == 1 { next }

/^\t\.type\t.*,@function$/ { print; lines = 0; isInside = 1; instructions = 0; target = ""; next }
# The debugger calls it by the name that its caller knows.
/^\t\.asciz\t/ && split($0, quoted, "\"") >= 2 && quoted[2] in called { sub(/"[^"]*"/, "\"" called[quoted[2]] "\"") }
!isInside { print; next }

{ line[++lines] = $0 }
/^\t[^.#]/ {
    instructions++
    target = $2
    gsub(/^\(|\)$|@PLT\)?$/, "", target)
    if ($1 !~ /^(jmp|b|tail)$/ || !(target in stands) || target == name) instructions = 2
}
/^\t\.cfi_endproc/ {
    isInside = 0
    # A debugger that is told to stop in a function of C has to name that one, and not what it shares with others.
    isJump = instructions == 1 && (name !~ /^swo_/ || index(target, name))
    if (isJump) printf "\t.set\t%s, %s\n", name, target
    if (isJump && name ~ /^swo_/) called[target] = name
    # The debugger's tables name the labels, and later functions the files.
    for (i = 1; i <= lines; i++) {
        if (isJump && line[i] ~ /^\.L.*:/) printf "\t.set\t%s, %s\n", substr(line[i], 1, index(line[i], ":") - 1), target
        else if (!isJump || line[i] ~ /^\t\.file\t/) print line[i]
    }
}

# SPDX-License-Identifier: MIT
# What the unwind tables of the layer's assembly say.
#
#     awk -f unwinding.awk < LAYER.s
#
# Each frame names platform_unwound(), which ends the process where an exception would leave through it. That stands in
# the tables and costs no instruction; where Swift compiles for the bare processor, it has them for debuggers alone.
#
# The compiler says after every push and pop how large the frame is now. A table is needed where a function calls another
# one or fails, and that is never between two of them: the last one says it for all, which takes a third off the tables.

/^\t\.cfi_sections / { next }
/^\t\.cfi_startproc/ {
    print $0 "\n\t.cfi_personality 0x1b, platform_unwound"
    size = said = ""
    next
}
/^\t\.cfi_def_cfa_offset / { size = $0; next }

# What may come between them: what makes and ends a frame, the ends of blocks, labels, and what is no instruction.
/^[^\t]/ || /^\t#/ || /^$/ || /^\t\.(loc|p2align|size)\t/ ||
/^\t(push|pop)[lq]\t/ || /^\t(add|sub)[lq]\t\$[0-9]+, %[er]sp/ || /^\tret[lq]?/ || /^\tjmp\t/ { print; next }

/^\t\.cfi_endproc/ { size = said }
size != said { print said = size }
{ print }

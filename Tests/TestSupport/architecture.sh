#!/bin/bash
# SPDX-License-Identifier: MIT
# Holds the picture of the architecture against what it shows: modules and their imports, the
# functions that a message passes, and the drawing against its text. The rooms of the engine are held by rooms.py.
#
#     Tests/TestSupport/architecture.sh
set -eu -o pipefail
cd "$(dirname "$0")/../.."
text=Sources/architecture.dot drawing=Sources/architecture.svg

# What the text says, without comments and what only looks.
said=$(grep -v '^ *//' "$text")
edges() { grep -oE "\b\w+( -> \w+)+;" <<< "$1" | sed 's/;$//'; }
inside() { sed -n "/subgraph $1 /,/^    }/p" <<< "$said"; }
same() { diff <(sort -u <<< "$2") <(sort -u <<< "$3") || { echo "architecture: $1 (<: $text, >: the sources)" >&2; exit 1; }; }

imports=$(for module in Sources/*/; do
    grep -rhoE '^((@_exported|public) )?import \w+' "$module" --include='*.swift' | sed 's/.* //' | sort -u | while read -r imported; do
        [ ! -d "Sources/$imported" ] || echo "$(basename "$module") -> $imported"
    done
done)
same "modules and their imports" "$(edges "$(sed '/subgraph/q' <<< "$said")")" "$imports"

for function in $(inside cluster_message | grep -oE "\b\w+( -> \w+)+" | grep -oE "\w+"); do
    grep -rqE "(func|let|@_cdecl\(\") ?$function\b" Sources/ObserverEngine Sources/SwiftObserverC ||
        { echo "architecture: a message passes $function(), which is nowhere" >&2; exit 1; }
done

# A drawing has a title for each node and each edge.
titles() { sed -n 's/^<title>\(.*\)<\/title>$/\1/p' | sed 's/&#45;/-/g; s/&gt;/>/g' | sort; }
diff <(dot -Tsvg "$text" | titles) <(titles < "$drawing") ||
    { echo "architecture: the drawing is of another text: make architecture" >&2; exit 1; }

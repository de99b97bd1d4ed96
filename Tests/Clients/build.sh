#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds programs that depend on this package, in both language modes, in debug and release, without any
# flag: there must be no warning, and they must print what they should. What is in Rejected must not compile (rejected.sh).
# Usage: build.sh SCRATCH-FOLDER
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
scratch=$(cd "$1" && pwd)
cd "$here"

fail() {
    echo "clients: $*" >&2
    exit 1
}

expect() { # what, expected, printed
    [ "$2" = "$3" ] || fail "$1 printed: $3"$'\n'"expected: $2"
}

typecheck() { # language mode, file, more flags
    swiftc -typecheck -swift-version "$1" -I "$scratch/debug/Modules" -I ../../Sources/CPlatform/include "${@:2}"
}

other_vocabularies='label: 1 visitors
label: 1 visitors!
label: 2 visitors
label: 2 visitors!
can I haz 1
0 then 1
first 1
can I haz 2
1 then 2
loud: false
CLICKED 6
loud: true
CLICKED 9
saved'
main_actor_only='["0 so far", "Hello", "letter 1", "1 so far", "Goodbye", "7 letters long", "letter 2", "2 so far", "ring 1", "letter 3", "3 so far"]
["Hello, stamped", "Goodbye, stamped"]'
crossing_threads='(sum: 19800, count: 400) 800 202'
version_five='Rex sees blue
channel 5
channel 15
News on true
untitled on false
1 2 2
2 3 3
true true text: ab
Rex sees blue
a walk
3'

# What is not compiled does not warn.
touch Sources/*/*.swift

for configuration in debug release; do
    for mode in 5 6; do
        export CLIENT_LANGUAGE_MODE=$mode
        output=$(swift build --configuration "$configuration" --scratch-path "$scratch" 2>&1) ||
            fail "a $configuration build in Swift $mode mode failed:"$'\n'"$output"
        if grep -q 'warning:' <<< "$output"; then
            fail "a $configuration build in Swift $mode mode warns:"$'\n'"$(grep 'warning:' <<< "$output" | sort -u)"
        fi
        printed=$("$scratch/$configuration/OtherVocabularies") ||
            fail "OtherVocabularies ($configuration, $mode) failed"
        expect "OtherVocabularies ($configuration, Swift $mode mode)" "$other_vocabularies" "$printed"
        for program in MainActorOnly CrossingThreads; do
            expected=$main_actor_only
            [ "$program" = MainActorOnly ] || expected=$crossing_threads
            printed=$("$scratch/$configuration/$program") || fail "$program ($configuration, $mode) failed"
            expect "$program ($configuration, Swift $mode mode)" "$expected"$'\n'"in Swift $mode mode" "$printed"
        done
        printed=$("$scratch/$configuration/VersionFive") || fail "VersionFive ($configuration, $mode) failed"
        expect "VersionFive ($configuration, Swift $mode mode)" "$version_five" "$printed"
        expect "Dropped ($configuration, $mode)" 'always 4' "$("$scratch/$configuration/Dropped" 2> "$scratch/dropped")"
        said=$(cat "$scratch/dropped")
        case $configuration in
            debug) [[ $said == 'Dropped/main.swift:7: warning: the observation that begins here has ended'* ]] ||
                fail "Dropped (debug, $mode) does not say that a transform was dropped: $said" ;;
            release) [ -z "$said" ] || fail "Dropped (release, $mode) says: $said" ;;
        esac
        echo "clients: $configuration, Swift $mode mode: no warning"
    done
done

# No expression may be hard to check, which is counted in what the compiler tries, nor depend on an import that is not there.
for module in SwiftObserver SwiftObserver5; do
    sed "s/^import SwiftObserver$/import $module/" Checked/operators.swift > "$scratch/$module-operators.swift"
    typecheck 6 "$scratch/$module-operators.swift" -warnings-as-errors \
        -Xfrontend -solver-scope-threshold=2000 -enable-upcoming-feature MemberImportVisibility ||
        fail "the operators of variables are hard to check in $module"
done

# A closure may have one statement or several, and name its types or not.
for file in Checked/Closures/*.swift; do
    variant=$scratch/closures-$(basename "$file")
    for types in '' '/say/s/([a-z]+): [A-Z][A-Za-z<>?, ]*([,)])/\1\2/g'; do
        for statements in 'say()' 'print("received"); say()' 'let n = 1; if n > 2 { return }; print(n); say(); say()'; do
            sed -E "$types; s/ say\(\) }/ $statements }/" "$file" > "$variant"
            for mode in 5 6; do
                typecheck "$mode" "$variant" -warnings-as-errors || fail "$file does not compile with '$statements' and '$types'"
            done
        done
    done
done
echo "clients: $(cat Checked/Closures/*.swift | grep -c ' in say() \|{ say() ') closures compile, whatever is in them"

echo "clients: $(grep -c ' = \| <- \| += ' Checked/operators.swift) expressions are easy to check"

./rejected.sh "$scratch/debug/Modules"

#!/bin/bash
# SPDX-License-Identifier: MIT
# The probes are in the library, a debugger stops at each with the right arguments, and the scripts know them by name.
#
#     Tests/C/probes_tests.sh LIBRARY PROGRAM        the program, of Tests/C/probes, uses the library
# What gdb expands, the shell does not.
# shellcheck disable=SC2016,SC2028
set -eu -o pipefail
export LC_ALL=C
library=$1 program=$2 scripts=bindings/c/tracing
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! echo '#include <sys/sdt.h>' | ${CC:-cc} -E - > "$folder/header" 2>&1; then
    echo "probes: 1 skipped: there is no sys/sdt.h here, so the library has none"
    exit 0
fi

# In the library stands each probe that the header of the engine has.
grep -o 'PLATFORM_PROBE[_A-Z]*([a-z_]*,' Sources/CPlatform/include/probes.h | sed '/(name, one/d; s/.*(\(.*\),/\1/' |
    grep -v '^one$' | sort -u > "$folder/declared"
readelf -n "$library" | sed -n '/Provider: swiftobserver/{n;s/ *Name: //p}' | sort -u > "$folder/there"
diff "$folder/declared" "$folder/there"
sed -n '/^| `/s/^| \([^|]*\).*/\1/p' $scripts/README.md | grep -o '[a-z_]*' | grep -v '^relay' | sort -u > "$folder/documented"
diff "$folder/declared" "$folder/documented"

# They fire, in this order, with these arguments.
{
    echo 'set breakpoint pending on'
    echo 'break main'
    echo 'run'
    while read -r probe; do
        echo "break -probe-stap swiftobserver:$probe"
        echo 'commands'
        echo 'silent'
        case $probe in
        name) echo 'printf "name %d %s\n", $_probe_arg0 == hunger, (char *)$_probe_arg1' ;;
        observe) echo 'printf "observe %d %d\n", $_probe_arg0 == hunger, $_probe_arg1 != 0' ;;
        stop) echo 'printf "stop %d %d\n", $_probe_arg0 == hunger, $_probe_arg1 == eating' ;;
        send__begin | set | delivery__begin)
            echo "printf \"$probe %d %d %d\\n\", \$_probe_arg0 == hunger, \$_probe_arg0 == howl, \$_probe_arg1 == &the_author"
            ;;
        handler__begin)
            echo 'printf "handler__begin %d %d %d\n", $_probe_arg0 == hunger, $_probe_arg0 == howl, *(void **)$_probe_arg1 == eat'
            ;;
        turn__begin | turn__end) echo "printf \"$probe\\n\"" ;;
        compute__begin | compute__end) echo "printf \"$probe %d\\n\", \$_probe_arg0 == doubled" ;;
        *) echo "printf \"$probe %d %d\\n\", \$_probe_arg0 == hunger, \$_probe_arg0 == howl" ;;
        esac
        echo 'continue'
        echo 'end'
    done < "$folder/there"
    echo 'continue'
} > "$folder/commands"
gdb -nx -batch -x "$folder/commands" "$program" > "$folder/said" 2>&1 < /dev/null || true
grep -E "^($(paste -sd '|' "$folder/there"))( |$)" "$folder/said" > "$folder/fired" || true
# Of a derived variable the address is known only when it has been made; the passage of a value may take any number of messages.
cat > "$folder/expected" <<'END'
name 1 hunger
observe 1 1
set 1 0 1
delivery__begin 1 0 1
handler__begin 1 0 1
handler__end 1 0
delivery__end 1 0
stop 1 1
observe 0 1
send__begin 0 1 1
delivery__begin 0 1 1
handler__begin 0 1 1
handler__end 0 1
delivery__end 0 1
send__end 0 1
observe 0 1
send__begin 0 0 1
delivery__begin 0 0 1
handler__begin 0 0 1
handler__end 0 0
delivery__end 0 0
send__end 0 0
END
if ! head -n "$(wc -l < "$folder/expected")" "$folder/fired" | diff "$folder/expected" -; then
    tail -40 "$folder/said"
    exit 1
fi
for fired in 'turn__begin' 'compute__begin 1' 'compute__end 1' 'turn__end'; do
    grep -qx "$fired" "$folder/fired" || { echo "probes: the derived variable did not pass $fired"; cat "$folder/fired"; exit 1; }
done

# What the scripts ask for is there, and they mean something to bpftrace, where it runs.
grep -ho '^\$of:[a-z_]*' $scripts/{senders,slowest,causes} | sed 's/.*://' | sort -u | comm -23 - "$folder/there" > "$folder/unknown"
[ ! -s "$folder/unknown" ] || { echo "probes: no such probes: $(cat "$folder/unknown")"; exit 1; }
skipped=0
if command -v bpftrace > /dev/null && LIBRARY=$PWD/$library bpftrace -l "usdt:$PWD/$library:*" > "$folder/listed" 2>&1; then
    sed 's/.*://' "$folder/listed" | sort -u | diff "$folder/there" -
    for script in senders slowest causes; do
        LIBRARY=$PWD/$library BPFTRACE_FLAGS=-d $scripts/$script > "$folder/compiled" 2>&1 ||
            { cat "$folder/compiled"; echo "probes: bpftrace does not take $script"; exit 1; }
    done
else
    echo "probes: 1 skipped: no bpftrace runs here"
    skipped=1
fi
# A debugger stops where a named variable is set, and says why.
printf '%s\n' 'swo-break hunger' run swo-why 'backtrace 60' continue 'swo-why hunger' > "$folder/asked"
gdb -nx -batch -x $scripts/swiftobserver.gdb -x "$folder/asked" "$program" > "$folder/said" 2>&1 < /dev/null || true
for answer in '^variable "hunger" changed from 1 to 2, by author "0x[0-9a-f]*", on thread [0-9]* "program"$' \
    '^#[0-9]* .* in main ' '^variable "hunger" changed from 2 to 1, on thread '; do
    grep -q "$answer" "$folder/said" || { echo "probes: gdb does not say $answer"; cat "$folder/said"; exit 1; }
done
echo "probes: $(wc -l < "$folder/there") probes, $(wc -l < "$folder/fired") stops, $skipped skipped"

#!/bin/sh
# SPDX-License-Identifier: MIT
# The example `plugin`: C and Python observe and set the same variables in one process. Run at the top of the
# checkout, with a PYTHONPATH on which the embedded Python finds its binding:
#
#     PYTHONPATH=bindings/python/src Tests/C/plugin_tests.sh build/embedded/examples/plugin
set -u
thermostat=bindings/c/examples/plugin/thermostat.py
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# plugin SCRIPT LINE...: runs the program on these lines. $scratch/out and $scratch/err are what it printed.
plugin() {
    script=$1
    shift
    printf '%s\n' "$@" | "$program" "$script" > "$scratch/out" 2> "$scratch/err"
    status=$?
}

# plugin_of LINE...: the same with the script that is read from standard input.
plugin_of() {
    cat > "$scratch/script.py"
    plugin "$scratch/script.py" "$@"
}

# interrupted_after TEXT LINE: a script from standard input gets one line, and SIGINT when it has printed the text.
# Processes in the background ignore SIGINT unless told otherwise.
interrupted_after() {
    cat > "$scratch/script.py"
    rm -f "$scratch/input" "$scratch/output"
    mkfifo "$scratch/input" "$scratch/output"
    env --default-signal=INT "$program" "$scratch/script.py" < "$scratch/input" > "$scratch/output" 2> "$scratch/err" &
    exec 3> "$scratch/input" 4< "$scratch/output"
    echo "$2" >&3
    while read -r line <&4; do
        echo "$line"
        [ "$line" != "$1" ] || kill -INT $!
    done > "$scratch/out"
    exec 3>&- 4<&-
    wait $!
    status=$?
}

fail() {
    echo "$test: $1" >&2
    sed 's/^/    out: /' "$scratch/out" >&2
    sed 's/^/    err: /' "$scratch/err" >&2
    failures=$((failures + 1))
}

exits() { [ "$status" -eq "$1" ] || fail "exit status $status instead of $1"; }
prints() {
    printf '%s\n' "$@" > "$scratch/expected"
    diff "$scratch/expected" "$scratch/out" >&2 || fail "prints something else"
}
prints_nothing() { [ ! -s "$scratch/out" ] || fail "prints something"; }
complains() { grep -qxF -- "$1" "$scratch/err" || fail "does not complain: $1"; }
mentions() { for text; do grep -qF -- "$text" "$scratch/err" || fail "does not mention $text"; done; }
is_silent() { [ ! -s "$scratch/err" ] || fail "complains"; }

the_plug_in_switches_what_the_program_prints() {
    plugin $thermostat 20 18.5 18 20 21 21.5 22 18
    exits 0
    is_silent
    prints '20.0 degrees' '18.5 degrees' 'heating on' '18.0 degrees' '20.0 degrees' '21.0 degrees' '21.5 degrees' \
        'heating off' '22.0 degrees' '18.0 degrees' 'heating on'
}

both_sides_observe_and_set_the_same_variable() {
    plugin_of 10 20 20.5 <<'END'
def plug_in(temperature, heating):
    def correct(update):
        print("python:", update)
        if update.new % 1 == 0:
            temperature.value += 0.5
    temperature.observe(correct)
    print("python:", temperature.value, heating.value)
END
    exits 0
    is_silent
    prints 'python: None False' '10.0 degrees' 'python: Update(old=None, new=10.0)' \
        '10.5 degrees' 'python: Update(old=10.0, new=10.5)' '20.0 degrees' 'python: Update(old=10.5, new=20.0)' \
        '20.5 degrees' 'python: Update(old=20.0, new=20.5)'
}

python_uses_the_library_that_the_program_is_linked_with() {
    SWIFTOBSERVER_LIBRARY=$scratch/nowhere.so
    export SWIFTOBSERVER_LIBRARY
    plugin_of 1 <<'END'
import re
libraries = {line.split()[-1] for line in open("/proc/self/maps") if re.search("/libswiftobserver", line)}
def plug_in(temperature, heating):
    print(len(libraries), "library")
END
    unset SWIFTOBSERVER_LIBRARY
    exits 0
    is_silent
    prints '1 library' '1.0 degrees'
}

what_the_script_returned_is_kept_until_the_end_and_then_released() {
    plugin_of 1 2 <<'END'
from swiftobserver import Observer
class Kept:
    def __init__(self, temperature):
        self.observer = Observer()
        self.observer.observe(temperature, self.receive)
    def receive(self, update):
        print("received", update.new)
    def __del__(self):
        print("released")
def plug_in(temperature, heating):
    return Kept(temperature)
END
    exits 0
    is_silent
    prints '1.0 degrees' 'received 1.0' '2.0 degrees' 'received 2.0' 'released'
}

what_is_no_temperature_is_refused_and_the_rest_is_taken() {
    plugin $thermostat 20 warm '' 1x nan inf ON '21 ' 22
    exits 2
    prints '20.0 degrees' '21.0 degrees' '22.0 degrees'
    for line in warm '' 1x nan inf ON; do complains "plugin: neither a temperature nor on nor off: \"$line\""; done
}

a_script_that_raises_is_shown_with_its_traceback() {
    plugin_of 20 <<'END'
def plug_in(temperature, heating):
    temperature.observe(print)
    return broken(heating)
def broken(heating):
    raise ValueError("out of order")
END
    exits 1
    prints_nothing
    complains 'Traceback (most recent call last):'
    complains "  File \"$scratch/script.py\", line 5, in broken"
    complains 'ValueError: out of order'
}

a_script_cannot_end_the_program() {
    echo 'raise SystemExit(0)' | plugin_of 20
    exits 1
    prints_nothing
    complains "plugin: $scratch/script.py: the script ends itself instead of plugging in"
}

a_handler_that_raises_does_not_keep_the_others_from_receiving() {
    plugin_of 20 30 <<'END'
def plug_in(temperature, heating):
    def fail(update):
        raise ValueError(update.new)
    temperature.observe(fail)
    temperature.new().observe(print)
    temperature.observe(lambda update: print("python:", update.new))
END
    exits 1
    prints '20.0 degrees' '20.0' 'python: 20.0' '30.0 degrees' '30.0' 'python: 30.0'
    mentions 'handler plug_in.<locals>.fail' 'ValueError: 20.0' 'ValueError: 30.0'
}

# What CPython itself does not give back, or reads before it has written it, is not ours.
nothing_is_leaked_also_by_a_script_that_raises() {
    cat > "$scratch/script.py" <<'END'
from swiftobserver import Observer
class Kept(list):
    pass
kept = [Kept(), Observer()]
def plug_in(temperature, heating):
    kept[1].observe(temperature, lambda update: kept)
    temperature.map(lambda update: Kept([update])).observe(heating.set)
    heating.value = temperature.value = Kept([1])
    raise ValueError(kept)
END
    for script in $thermostat "$scratch/script.py"; do
        printf '%s\n' 20 on 22 | PYTHONMALLOC=malloc valgrind --log-file="$scratch/log" --undef-value-errors=no \
            --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=none --error-exitcode=9 "$program" "$script" > "$scratch/out" 2> "$scratch/err"
        status=$?
        [ $status -ne 9 ] || { head -n 50 "$scratch/log" >&2; fail "valgrind finds errors"; }
        grep -q 'LEAK SUMMARY' "$scratch/log" || fail "valgrind has not looked for leaks"
        # What Python takes when it begins, some versions keep.
        sed -E 's/^==[0-9]+== ?//' "$scratch/log" |
            awk -v RS= '/libswiftobserver|plugin\.c|interpreter\.c/ && !/Py_Initialize/' > "$scratch/leaks"
        [ ! -s "$scratch/leaks" ] || { head -n 50 "$scratch/leaks" >&2; fail "leaks"; }
    done
}

an_interrupt_reaches_a_handler_that_never_returns() {
    interrupted_after busy 20 <<'END'
import atexit
def plug_in(temperature, heating):
    atexit.register(print, "ended in order")
    def be_busy(update):
        print("busy")
        while True:
            pass
    temperature.observe(be_busy)
END
    exits 130
    prints '20.0 degrees' busy 'ended in order'
    mentions KeyboardInterrupt 'in be_busy'
}

case $1 in /*) program=$1 ;; *) program=$PWD/$1 ;; esac
tests=$(sed -n 's/^\([a-z_]*\)() {$/\1/p' "$0" |
    grep -vxE 'plugin|plugin_of|interrupted_after|fail|prints')
for test in $tests; do "$test"; done
if [ "$failures" -gt 0 ]; then
    echo "$failures failures" >&2
    exit 1
fi
echo "$(echo "$tests" | wc -l) tests of plugin passed"

# SPDX-License-Identifier: MIT
"""What threads see of derived values, here and in other libraries: rows of promise, library, answer.

Each question is asked of each library in a process of its own, which has some seconds: one that does not answer hangs.

derived.py                    all questions, of all libraries that can be imported
derived.py LIBRARY QUESTION   one, which prints its answer
"""

import contextlib
import importlib.util
import subprocess
import sys
import threading
import time

LIBRARIES = ("swiftobserver", "nervio", "reaktiv", "signified")
SECONDS = 2
PATIENCE = 30


class Ours:
    def __init__(self):
        import swiftobserver

        self.variable = swiftobserver.Var
        self.computed = swiftobserver.derived
        self.together = swiftobserver.transaction
        self.conflict = swiftobserver.Conflict

    def derived(self, function, *sources):
        return self.computed(function)

    def get(self, one):
        return one.value

    def set(self, one, value):
        one.value = value


class Nervio(Ours):
    def __init__(self):
        import nervio

        self.variable = nervio.signal
        self.computed = nervio.computed
        self.together = nervio.batch
        self.conflict = ()


class Reaktiv(Ours):
    def __init__(self):
        import reaktiv

        self.variable = reaktiv.Signal
        self.computed = reaktiv.Computed
        self.together = reaktiv.batch
        self.conflict = ()

    def get(self, one):
        return one()

    def set(self, one, value):
        one.set(value)


class Signified(Ours):
    def __init__(self):
        import signified

        self.variable = signified.Signal
        self.computed = signified.computed
        # It has no transactions.
        self.together = contextlib.nullcontext
        self.conflict = ()

    def derived(self, function, *sources):
        # It depends on its arguments.
        return self.computed(lambda *_: function())(*sources)


KINDS = dict(zip(LIBRARIES, (Ours, Nervio, Reaktiv, Signified)))


def beside(write, read):
    """Calls one again and again on a thread, and the other one on this."""
    is_over = threading.Event()

    def go_on():
        while not is_over.is_set():
            write()

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    end = time.monotonic() + SECONDS
    reads = wrong = 0
    while time.monotonic() < end:
        reads += 1
        wrong += bool(read())
    is_over.set()
    thread.join()
    return "yes" if wrong == 0 else f"no: {wrong} of {reads} reads"


def double_all(library, variables):
    def double():
        with contextlib.suppress(library.conflict), library.together():
            value = library.get(variables[0])
            for one in variables:
                library.set(one, 1 if value > 1 << 20 else value * 2)

    return double


def sums_of_a_turn(library):
    """A total of eight powers of two that one turn doubles is a power of two in every read."""
    variables = [library.variable(1) for _ in range(8)]
    total = library.derived(lambda: sum(library.get(one) for one in variables), *variables)

    def is_wrong():
        value = library.get(total)
        return value & (value - 1)

    return beside(double_all(library, variables), is_wrong)


def inside_the_function(library):
    """No run of a function sees half of a turn, not even one whose result is thrown away."""
    variables = [library.variable(1) for _ in range(8)]
    seen = []

    def compare():
        values = {library.get(one) for one in variables}
        if len(values) > 1:
            seen.append(values)
        return values.pop()

    equal = library.derived(compare, *variables)

    def is_wrong():
        library.get(equal)
        is_mixed = bool(seen)
        seen.clear()
        return is_mixed

    return beside(double_all(library, variables), is_wrong)


def a_chain_of_a_thousand(library):
    """A chain of a thousand that nothing has read is read."""
    first = last = library.variable(1)
    made = []
    for _ in range(1000):
        last = library.derived(lambda below=last: library.get(below) + 1, last)
        made.append(last)
    library.set(first, 2)
    return "yes" if library.get(last) == 1002 else "no: a wrong value"


def a_lock_of_the_setter(library):
    """A function may need a lock that a setter holds."""
    lock = threading.Lock()
    variable = library.variable(0)

    def locking():
        with lock:
            return library.get(variable)

    derived = library.derived(locking, variable)

    def set_under_the_lock():
        with lock:
            library.set(variable, library.get(variable) + 1)

    return beside(set_under_the_lock, lambda: library.get(derived) < 0)


QUESTIONS = {
    each.__name__: each for each in (sums_of_a_turn, inside_the_function, a_chain_of_a_thousand, a_lock_of_the_setter)
}


def answer(library, question):
    command = [sys.executable, __file__, library, question]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "no: it hangs"
    if done.returncode == 0:
        return done.stdout.strip()
    return "no: " + (done.stderr.strip().splitlines() or ["it ends"])[-1].split(":")[0]


def main():
    found = [one for one in LIBRARIES if importlib.util.find_spec(one)]
    print("| promise | " + " | ".join(found) + " |")
    print("|---|" + "---|" * len(found))
    has_failed = False
    for name, question in QUESTIONS.items():
        answers = [answer(library, name) for library in found]
        has_failed |= answers[0] != "yes"
        print(f"| {question.__doc__} | " + " | ".join(answers) + " |", flush=True)
    sys.exit(has_failed)


if len(sys.argv) == 3:
    print(QUESTIONS[sys.argv[2]](KINDS[sys.argv[1]]()))
elif __name__ == "__main__":
    main()

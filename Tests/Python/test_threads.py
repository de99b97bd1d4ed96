# SPDX-License-Identifier: MIT
"""Every function on any thread: laws 4, 5, 7 and 11. Threads switch often here."""

import dis
import sys
import threading
import weakref
from collections import Counter
from time import sleep

import pytest

from support import COUNTS_REFERENCES, Thread, await_release, each_kind, hearing, join_all
from swiftobserver import Messenger, Observer, Update, Var, bind, derived, effect, graph
from swiftobserver._values import library_value
from swiftobserver._values.local_value import LocalValue


def many(count):
    """PyPy takes a hundred times as long where threads switch so often."""
    return count if COUNTS_REFERENCES else max(2, count // 100)


@pytest.fixture(autouse=True)
def switching_often():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_no_message_is_lost_duplicated_reordered_within_a_sender_or_delivered_beside_another():
    messenger, start = Messenger(), threading.Barrier(4)
    received, inside = [[], [], []], []

    @messenger.observe
    def handler(message):
        inside.append(message)
        assert inside == [message]
        inside.pop()

    for each in received:
        messenger.observe(each.append)

    def send(name):
        start.wait()
        for number in range(1000):
            messenger.send((name, number))

    join_all([Thread(lambda name=name: send(name)) for name in "abcd"])
    assert len(received[0]) == 4000
    assert received[0] == received[1] == received[2]
    for name in "abcd":
        assert [number for each, number in received[0] if each == name] == list(range(1000))


def test_a_send_that_finds_another_thread_delivering_returns():
    received = []
    delivering, handed_over = threading.Event(), threading.Event()
    messenger = Messenger()

    @messenger.observe
    def handler(message):
        if message == "first":
            delivering.set()
            assert handed_over.wait()
        received.append((message, threading.current_thread()))

    sender = Thread(lambda: messenger.send("first"))
    assert delivering.wait()
    messenger.send("second")
    assert received == []
    handed_over.set()
    sender.join()
    assert received == [("first", sender), ("second", sender)]
    received.clear()


def test_unordered_sends_deliver_in_parallel():
    meeting = threading.Barrier(2)
    messenger = Messenger()
    messenger.ordered = False
    messenger.observe(lambda message: meeting.wait())
    join_all([Thread(lambda: messenger.send(1)) for _ in range(2)])


def test_nothing_begins_after_stop_has_returned():
    messenger = Messenger()
    done = threading.Event()

    def send():
        while not done.is_set():
            messenger.send(None)

    senders = [Thread(send) for _ in range(2)]
    late = []
    for _ in range(300):
        stopped = []
        observation = messenger.observe(lambda message, stopped=stopped: stopped and late.append(message))
        observation.stop(wait=True)
        stopped.append(True)
    done.set()
    join_all(senders)
    assert late == []


def test_observing_and_stopping_while_others_send():
    received = Counter()
    messenger = Messenger()
    done = threading.Event()

    def send():
        while not done.is_set():
            messenger.send([1])

    def come_and_go():
        # What PyPy has not collected yet still receives.
        for _ in range(300 if COUNTS_REFERENCES else 50):
            with messenger.observe(received.update):
                pass
            observer = Observer()
            observer.observe(messenger, received.update)
            observer.observe(messenger, received.update)
            del observer

    sender = Thread(send)
    visitors = [Thread(come_and_go) for _ in range(3)]
    join_all(visitors)
    done.set()
    sender.join()


def test_observables_that_die_while_others_send():
    received = []
    for _ in range(100):
        messenger = Messenger()
        mapped = messenger.map(lambda message: [message])
        mapped.observe(received.append)
        threads = [Thread(lambda send=messenger.send: [send(number) for number in range(5)]) for _ in range(2)]
        del messenger, mapped
        join_all(threads)


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="instructions are those of CPython")
@pytest.mark.parametrize("function", [LocalValue.exchange, LocalValue._assign])
def test_no_thread_comes_between_the_last_look_at_the_old_value_and_the_new_one(function):
    """CPython lets another one in after a call, and where it jumps back: also after a call of a type, until that is
    specialised, and always under a tool that traces."""
    instructions = list(dis.get_instructions(function))
    names = [each.argval for each in instructions]
    sets = max(at for at, each in enumerate(instructions) if each.opname == "STORE_ATTR" and each.argval == "held")
    looks = max(at for at in range(sets) if instructions[at].opname == "IS_OP" and "held" in names[at - 4 : at])
    found, since_jump = [], []
    for each in instructions[looks:sets]:
        if each.opname.startswith(("CALL", "FOR_", "JUMP_BACK")):
            since_jump.append(each)
        elif each.opname.startswith("RETURN_"):
            # This way leads elsewhere.
            since_jump = []
        elif "JUMP" in each.opname:
            found += since_jump
            since_jump = []
    # What has joined takes the lock on all ways: so the commit may call.
    assert len(found + since_jump) == names[looks:sets].count("_commit")


def test_a_variable_of_objects_is_read_and_set_from_several_threads():
    variable = Var((0, "0"))
    seen = []
    variable.observe(lambda update: seen.append(update.new))

    def write(name):
        for number in range(300):
            variable.value = (name, f"{name}{number}")

    def read():
        for _ in range(1000):
            name, text = variable.value
            assert text.startswith(str(name))

    threads = [Thread(lambda name=name: write(name)) for name in (1, 2)] + [Thread(read)]
    join_all(threads)
    assert seen[-1] == variable.value
    assert len(seen) == 600


# Several times, for what can go wrong here seldom does.
@pytest.mark.parametrize("attempt", range(10))
def test_updates_from_several_threads_are_a_chain_whichever_way_a_variable_is_changed(attempt):
    variable, updates = hearing(Var((0, None)))
    start = threading.Barrier(4)

    def set_values(name):
        start.wait()
        for number in range(500):
            variable.value = (number, name)

    def set_with_an_author():
        start.wait()
        for number in range(500):
            variable.set((number, "author"), author=variable)

    def update():
        start.wait()
        for number in range(500):
            variable.update(lambda old, number=number: (number, "update", old[0]))

    threads = [Thread(lambda name=name: set_values(name)) for name in "ab"]
    join_all([*threads, Thread(set_with_an_author), Thread(update)])
    assert len(updates) == 2000
    assert updates[0].old == (0, None)
    assert all(one.new is next.old for one, next in zip(updates, updates[1:]))
    assert updates[-1].new is variable.value
    for name in "ab":
        assert [each.new[0] for each in updates if each.new[1] == name] == list(range(500))
    # Nothing came between what the function was given and what it made.
    assert all(each.new[2] == each.old[0] for each in updates if each.new[1] == "update")


def test_two_threads_that_send_into_each_other_do_not_deadlock():
    one, other = Messenger(), Messenger()
    received = []

    def bounce(target):
        def handler(number):
            received.append(number)
            if number:
                target.send(number - 1)

        return handler

    one.observe(bounce(other))
    other.observe(bounce(one))
    threads = [Thread(lambda first=first: first.send(1000)) for first in (one, other)]
    join_all(threads)
    assert Counter(received) == Counter({number: 2 for number in range(1001)})


def test_looking_at_observations_goes_on_while_other_threads_make_observables():
    messenger, stop = Messenger(), threading.Event()
    mapped = messenger.map(str)
    observation = messenger.observe(print)

    def make_and_drop():
        while not stop.is_set():
            [Messenger() for _ in range(50)]
            # Or they become ever more on PyPy, each of which the test looks at.
            await_release()

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [Thread(make_and_drop) for _ in range(3)]
    try:
        # A collection takes so long on PyPy that the other threads seldom do anything else.
        for _ in range(500 if COUNTS_REFERENCES else 5):
            assert messenger.observations == (observation,)
            assert graph(messenger).nodes[0].kind == "messenger"
            Messenger().stops_at_failure = True
    finally:
        sys.setswitchinterval(before)
        stop.set()
    join_all(threads)
    assert mapped.count == 0


@each_kind
@pytest.mark.parametrize("kind", [Messenger, Var], ids=["messenger", "variable"])
@pytest.mark.parametrize("budget", [None, 7], ids=["as ever", "of its own"])
def test_a_thread_that_delivers_for_others_is_relieved_under_the_interpreter_lock(kind, native, budget):
    observable = Messenger(native=native) if kind is Messenger else Var(None, native=native)
    send = observable.send if kind is Messenger else observable.set
    last, sent, is_over, threads = [0, 0], [0, 0], threading.Event(), []
    if budget:
        observable.budget = budget

    def send_until_relieved(sender):
        number = 0
        while not is_over.is_set():
            number += 1
            send((sender, number))
            sent[sender] = number

    def handler(message):
        if message == "begin":
            # From here on this thread delivers what the others send.
            threads.extend(Thread(lambda sender=sender: send_until_relieved(sender)) for sender in range(2))
        else:
            sender, number = message
            assert number == last[sender] + 1
            last[sender] = number
        # So that always one waits.
        while sum(sent) <= sum(last) and not is_over.is_set():
            sleep(0)

    observable.new().observe(handler)
    send("begin")
    is_over.set()
    join_all(threads)


def test_a_budget_is_a_number_of_messages():
    messenger = Messenger()
    assert messenger.budget == 1000
    with pytest.raises(ValueError, match="budget must not be negative: -1"):
        messenger.budget = -1
    with pytest.raises(TypeError, match="budget must be an int, not float"):
        messenger.budget = 1.0
    messenger.budget = 0
    assert messenger.budget == 0


@pytest.mark.parametrize("place", [None, lambda job: job()], ids=["here", "by a job"])
def test_an_effect_that_a_thread_blocks_and_unblocks_amid_its_turns_runs_after_the_next_change(place):
    for _ in range(many(30)):
        variable, seen, is_over = Var(0), [], []

        def block_often(is_over=is_over):
            while not is_over:
                with observation.blocked():
                    pass

        with effect(lambda variable=variable, seen=seen: seen.append(variable.value), on=place) as observation:
            blocking = Thread(block_often)
            for number in range(1, 100):
                variable.value = number
            is_over.append(True)
            blocking.join()
            variable.value = 1000
            assert seen[-1] == 1000


def test_a_variable_of_the_library_is_set_while_a_function_reads_it_for_the_first_time(monkeypatch):
    variable = Var(0, native=True)
    begin = library_value.begin

    def begin_and_set(observable, *arguments):
        observation = begin(observable, *arguments)
        monkeypatch.undo()
        variable.value = 1
        return observation

    monkeypatch.setattr(library_value, "begin", begin_and_set)
    one_more = derived(lambda: variable.value + 1)
    assert one_more.value == 2
    variable.value = 2
    assert one_more.value == 3


def test_effects_begin_and_end_while_a_thread_has_turns():
    variable, is_over = Var(0), []
    one_more = derived(lambda: variable.value + 1)

    def set_often():
        while not is_over:
            variable.value += 1

    with one_more.observe(lambda update: None):
        setting = Thread(set_often)
        for _ in range(many(1000)):
            with effect(lambda: variable.value):
                pass
        is_over.append(True)
        setting.join()


@pytest.mark.skipif(not COUNTS_REFERENCES, reason="weak references are gone before the end begins")
@each_kind
def test_a_variable_that_a_weak_reference_gets_back_amid_its_end_lives_on(native, monkeypatch):
    """As another thread may, at any instruction of `__del__`."""
    variable, received = hearing(Var(0, native=native))
    reference, kept = weakref.ref(variable), []
    monkeypatch.setattr(type(variable._store), "flush", lambda store, dying: kept.append(reference()))
    del variable
    monkeypatch.undo()
    kept[0].value = 1
    assert (kept[0].value, received) == (1, [Update(0, 1)])
    kept.clear()
    assert reference() is None


def test_what_dies_on_a_thread_fails_nothing_that_another_one_sets():
    source, is_over = Var(0), []

    def set_often():
        while not is_over:
            source.value += 1

    setting = Thread(set_often)
    for _ in range(many(1000)):
        one_more = derived(lambda: source.value + 1)
        one_more.observe(lambda update: None)
        bind(source, Var(0), both=True)
        del one_more
    is_over.append(True)
    setting.join()

# SPDX-License-Identifier: MIT
"""What is paused sends later: everything, in order; or what is made of it all."""

import threading
import weakref
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as some

from support import Thread, collect, fail, hearing, join_all
from swiftobserver import HandlerError, Messenger, Update, Var

each_kind = pytest.mark.parametrize("make", [Messenger, lambda: Var(0)], ids=["messenger", "variable"])


def sender(observable):
    return observable.send if isinstance(observable, Messenger) else observable.set


def recording(observable):
    received = []
    observable.observe(lambda message, author: received.append((message, author)))
    return received


def test_what_is_sent_to_a_paused_messenger_waits():
    messenger = Messenger()
    received = recording(messenger)
    texts, plain = hearing(messenger.map(str))
    send = messenger.send
    send(0)
    with messenger.paused():
        assert messenger.is_paused
        send(1)
        messenger.send(2, author="me")
        messenger.send(3)
        assert plain == ["0"]
    assert not messenger.is_paused
    send(4)
    assert received == [(0, messenger), (1, messenger), (2, "me"), (3, messenger), (4, messenger)]
    assert plain == ["0", "1", "2", "3", "4"]


def test_a_paused_variable_changes_and_its_updates_wait():
    variable = Var(0)
    received = recording(variable)
    with variable.paused():
        variable.value = 1
        variable.set(2, author="me")
        assert variable.update(lambda number: number + 1) == 3
        variable.value = 3
        assert (variable.value, received) == (3, [])
    assert received == [(Update(0, 1), variable), (Update(1, 2), "me"), (Update(2, 3), variable)]
    variable.value = 4
    assert received[-1] == (Update(3, 4), variable)
    assert variable.value == 4


def test_a_paused_variable_that_keeps_no_order_sends_all_the_same():
    variable, received = hearing(Var(0))
    variable.ordered = False
    with variable.paused():
        variable.value = 1
        variable.value = 2
        assert received == []
    variable.value = 3
    assert received == [(0, 1), (1, 2), (2, 3)]


def test_what_is_forwarded_to_a_paused_messenger_waits():
    source, messenger = Messenger(), Messenger()
    source.observe(messenger.send)
    received = recording(messenger)
    with messenger.paused():
        source.send(1)
        assert received == []
    assert received == [(1, messenger)]


def test_a_reducer_makes_one_message_of_all():
    messenger = Messenger()
    received = recording(messenger)
    with messenger.paused(lambda one, other: one + other):
        messenger.send("a")
        messenger.send("b", author="me")
    with messenger.paused(lambda one, other: one + other, initial="x"):
        messenger.send("c")
    with messenger.paused(lambda one, other: one + other, initial="x"):
        pass
    with messenger.paused(max):
        messenger.send("d")
    assert received == [("ab", "me"), ("xc", messenger), ("d", messenger)]


def test_a_reducer_makes_one_update_of_all():
    variable = Var(0)
    received = recording(variable)
    with variable.paused(lambda one, other: Update(one.old, other.new)):
        variable.value = 1
        variable.value = 2
    assert (received, variable.value) == ([(Update(0, 2), variable)], 2)
    variable.value = 3
    assert received[-1] == (Update(2, 3), variable)


@each_kind
def test_a_reducer_that_fails_keeps_no_message_from_arriving(make):
    observable = make()
    received, change = recording(observable), sender(observable)
    with pytest.raises(ZeroDivisionError):
        with observable.paused(lambda one, other: 1 / 0):
            change(1)
            change(2)
    assert len(received) == 2
    assert not observable.is_paused


def test_a_reducer_for_a_variable_must_make_an_update():
    variable = Var(0)
    received = recording(variable)
    with pytest.raises(TypeError, match="reducer must return an Update for a variable, not int"):
        with variable.paused(lambda one, other: other.new):
            variable.value = 1
            variable.value = 2
    assert [each for each, _ in received] == [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    "options, error",
    [
        ({"reducer": 5}, "reducer must be callable, not int"),
        ({"reducer": lambda one: one}, "reducer must take 2"),
        ({"initial": 5}, "initial must not be given without a reducer"),
    ],
)
def test_wrong_arguments_are_refused(options, error):
    for each in (Messenger(), Var(1)):
        with pytest.raises(TypeError, match=error):
            with each.paused(**options):
                pass
        assert not each.is_paused


@pytest.mark.parametrize("make", [lambda: Messenger(native=True), lambda: Var(1, native=True)])
def test_what_c_code_can_reach_is_not_paused(make):
    observable = make()
    with pytest.raises(TypeError, match="a (Messenger|Var) that C code can reach cannot be paused"):
        with observable.paused():
            pass


def test_what_is_made_from_others_is_not_paused_itself():
    for each in (Messenger().map(str), Messenger().merge(Messenger())):
        with pytest.raises(TypeError, match="cannot be paused: what it is made from can"):
            each.paused()
        assert not each.is_paused


def test_a_pause_that_is_left_by_an_exception_delivers_what_waits():
    messenger = Messenger()
    received = recording(messenger)
    with pytest.raises(KeyError):
        with messenger.paused():
            messenger.send(1)
            raise KeyError
    assert received == [(1, messenger)]


@each_kind
def test_what_fails_at_the_end_is_raised_there_and_everything_arrives(make):
    observable = make()

    observable.observe(fail)
    received = recording(observable)
    send = sender(observable)
    with pytest.raises(HandlerError, match="2 failures"):
        with observable.paused():
            send(1)
            send(2)
    assert len(received) == 2
    assert not observable.is_paused


@each_kind
def test_what_a_handler_sends_at_the_end_comes_after_what_has_waited(make):
    observable, received = make(), []
    send = sender(observable)

    def handler(message):
        number = message.new if isinstance(message, Update) else message
        received.append(number)
        if number < 3:
            send(number + 10)

    observable.observe(handler)
    with observable.paused():
        send(1)
        send(2)
    assert received == [1, 2, 11, 12] if isinstance(observable, Messenger) else received[:2] == [1, 2]
    if isinstance(observable, Var):
        assert observable.value == received[-1] == 12


def test_a_pause_inside_a_handler_delivers_after_the_message_in_delivery():
    messenger, received = Messenger(), []

    def handler(number):
        if number == 1:
            messenger.send(2)
            with messenger.paused():
                messenger.send(3)
            messenger.send(4)

    messenger.observe(handler)
    messenger.observe(received.append)
    messenger.send(1)
    assert received == [1, 2, 3, 4]


def test_what_is_blocked_in_a_pause_is_dropped():
    messenger, variable = Messenger(), Var(0)
    messages, updates = recording(messenger), recording(variable)
    with messenger.blocked():
        with messenger.paused():
            messenger.send(1)
    with variable.paused():
        with variable.blocked():
            variable.value = 1
        variable.value = 2
    assert messages == []
    assert [each for each, _ in updates] == [(1, 2)]


def test_the_latest_message_waits_too():
    variable = Var(0)
    received = recording(variable)
    with variable.paused():
        variable.value = 1
        variable.send_latest(author="me")
        variable.value = 2
        assert received == []
    assert received == [(Update(0, 1), variable), (Update(1, 1), "me"), (Update(1, 2), variable)]


def test_values_that_cannot_be_compared_are_told_in_a_pause():
    class Incomparable:
        def __eq__(self, other):
            raise RuntimeError("incomparable")

    variable = Var(Incomparable())
    received = recording(variable)
    with variable.paused():
        with pytest.raises(HandlerError, match="incomparable"):
            variable.value = Incomparable()
    assert len(received) == 1


@pytest.mark.parametrize("make", [lambda: Messenger(), lambda: Var(None)], ids=["messenger", "variable"])
def test_a_pause_keeps_nothing_afterwards(make):
    class Message:
        pass

    observable, message = make(), Message()
    gone = weakref.ref(message), weakref.ref(observable)
    with observable.paused():
        sender(observable)(message)
    if isinstance(observable, Var):
        assert observable.value is message
        observable.value = None
    del message
    collect()
    assert gone[0]() is None
    del observable
    collect()
    assert gone[1]() is None


def test_an_interrupt_at_the_end_ends_the_pause_and_what_waits_stays_in_line():
    messenger, received = Messenger(), []

    def interrupt(message):
        received.append(message)
        if message == 1:
            raise KeyboardInterrupt

    messenger.observe(interrupt)
    with pytest.raises(KeyboardInterrupt):
        with messenger.paused():
            messenger.send(1)
            messenger.send(2)
    assert not messenger.is_paused
    assert received == [1]
    messenger.send(3)
    assert received == [1, 2, 3]


@pytest.mark.parametrize("make", [lambda: Messenger(), lambda: Var(None)], ids=["messenger", "variable"])
@pytest.mark.parametrize("author", [None, "somebody"])
def test_within_a_block_a_pause_drops_what_is_sent_and_keeps_what_was_sent_before(make, author):
    observable = make()
    received = recording(observable)

    def send(number):
        if isinstance(observable, Var):
            observable.set(number, author=author)
        else:
            observable.send(number, author=author)

    with observable.paused():
        send(1)
        with observable.blocked():
            assert observable.is_blocked
            send(2)
        send(3)
    pause, block = observable.paused(), observable.blocked()
    pause.begin()
    send(4)
    with block:
        send(5)
        pause.end()
        send(6)
        with observable.paused():
            send(7)
        send(8)
    send(9)
    assert [getattr(each, "new", each) for each, _ in received] == [1, 3, 4, 9]
    assert not observable.is_blocked


@pytest.mark.parametrize("native", [False, True], ids=["local", "native"])
@pytest.mark.parametrize("kind", ["batch", "blocked", "paused"])
def test_what_has_not_begun_cannot_end_and_nothing_changes(kind, native):
    if kind == "paused" and native:
        pytest.skip("what C code can reach is not paused")
    variable, received = hearing(Var(0, native=native))
    for block in (getattr(variable, kind)(), getattr(variable, kind)()):
        with pytest.raises(RuntimeError, match="has not begun|there is none"):
            block.end()
        with block:
            pass
        with pytest.raises(RuntimeError, match="has not begun|there is none"):
            block.__exit__(None, None, None)
        block.begin()
        block.end()
        with pytest.raises(RuntimeError, match="has not begun|there is none"):
            block.end()
    variable.value = 1
    assert [each.new for each in received] == [1]
    with block:
        variable.value = 2
        assert [each.new for each in received] == [1]
    assert [each.new for each in received] == ([1] if kind == "blocked" else [1, 2])


@pytest.mark.parametrize("kind", ["batch", "blocked", "paused"])
def test_what_begins_without_a_block_does_not_end_one(kind):
    variable = Var(0)
    with getattr(variable, kind)():
        with pytest.raises(RuntimeError):
            getattr(variable, kind)().end()
        received = recording(variable)
        variable.value = 1
        assert received == []


def test_a_block_serves_an_exit_stack_and_calls_by_hand():
    messenger, received = hearing(Messenger())
    pause = messenger.paused()
    with ExitStack() as stack:
        stack.enter_context(pause)
        stack.enter_context(pause)
        messenger.send(1)
        pause.__enter__()
        assert received == []
        pause.__exit__(None, None, None)
        assert messenger.is_paused
    assert (received, messenger.is_paused) == ([1], False)


class Model:
    """A variable, or a messenger where `sends_all`, as the document describes it."""

    def __init__(self):
        self.value, self.received, self.pauses, self.batches, self.first = 0, [], [], 0, None

    def set(self, value):
        if value == self.value:
            return
        old, self.value = self.value, value
        if self.batches:
            self.first = old if self.first is None else self.first
        else:
            self.send((old, value))

    def send(self, update):
        (self.pauses[-1] if self.pauses else self.received).append(update)

    def begin_pause(self):
        self.pauses.append([])

    def end_pause(self):
        waiting = self.pauses.pop()
        for update in waiting:
            self.send(update)

    def begin_batch(self):
        self.batches += 1

    def end_batch(self):
        self.batches -= 1
        if not self.batches and self.first is not None:
            first, self.first = self.first, None
            if first != self.value:
                self.send((first, self.value))


@given(some.lists(some.one_of(some.integers(0, 3), some.sampled_from(["pause", "batch", "end"])), max_size=25))
def test_pauses_and_batches_nest_as_they_like(program):
    model, open_blocks = Model(), []
    variable, received = hearing(Var(0))
    for step in [*program, *["end"] * 25]:
        if step == "end":
            if open_blocks:
                block, end = open_blocks.pop()
                block.__exit__(None, None, None)
                end()
        elif step == "pause":
            block = variable.paused()
            block.__enter__()
            model.begin_pause()
            open_blocks.append((block, model.end_pause))
        elif step == "batch":
            block = variable.batch()
            block.__enter__()
            model.begin_batch()
            open_blocks.append((block, model.end_batch))
        else:
            variable.value = step
            model.set(step)
        assert (variable.value, received) == (model.value, model.received)


@given(some.permutations(range(4)), some.lists(some.integers(0, 3), max_size=8))
def test_pauses_that_overlap_lose_nothing_and_keep_the_order(ends, sends):
    messenger, received = hearing(Messenger())
    pauses = []
    for number in range(4):
        pauses.append(messenger.paused())
        pauses[-1].__enter__()
        messenger.send(number)
    expected = [0, 1, 2, 3]
    for end in ends:
        for number in sends:
            messenger.send(number)
            expected.append(number)
        assert received == []
        pauses[end].__exit__(None, None, None)
    assert received == expected


def test_threads_that_send_and_pause_lose_nothing():
    messenger, variable = Messenger(), Var(0)
    received, seen = [], [0]
    messenger.observe(received.append)

    def follow(update):
        seen.append(update)

    variable.observe(follow)
    ready = threading.Barrier(4)

    def send(name):
        ready.wait()
        for number in range(300):
            messenger.send((name, number))
            variable.update(lambda value: value + 1)

    def pause():
        ready.wait()
        for _ in range(100):
            with messenger.paused(), variable.paused():
                pass

    threads = [Thread(lambda name=name: send(name)) for name in range(2)] + [Thread(pause) for _ in range(2)]
    join_all(threads)
    for name in range(2):
        assert [number for each, number in received if each == name] == list(range(300))
    assert variable.value == 600
    assert len(seen) == 601


def test_a_pause_begins_and_ends_without_a_block_too():
    messenger, received = hearing(Messenger())
    pause = messenger.paused()
    pause.begin()
    messenger.send(1)
    assert (received, messenger.is_paused) == ([], True)
    pause.end()
    assert (received, messenger.is_paused) == ([1], False)
    block = messenger.blocked()
    block.begin()
    messenger.send(2)
    block.end()
    assert received == [1]

# SPDX-License-Identifier: MIT
"""Operators that add up, choose by what came before, and join: what they pass on, by whom, and what they keep alive."""

import threading
import weakref

import pytest

from support import collect, each_kind
from swiftobserver import HandlerError, Messenger, Observer, Var, combine


def heard(observable):
    received = []
    observable.observe(lambda message, author: received.append((message, author)))
    return received


@each_kind
@pytest.mark.parametrize(
    "transform, sent, received",
    [
        (lambda source: source.scan(0, lambda sum, number: sum + number), [1, 2, 3], [1, 3, 6]),
        (lambda source: source.scan("", lambda text, number: f"{text}{number}"), [1, 2], ["1", "12"]),
        (lambda source: source.pairwise(), [1, 2, 3], [(1, 2), (2, 3)]),
        (lambda source: source.first(lambda number: number > 1), [1, 2, 3], [2]),
        (lambda source: source.take_while(lambda number: number < 3), [1, 2, 3, 1], [1, 2]),
        (lambda source: source.skip_while(lambda number: number < 3), [1, 3, 1], [3, 1]),
    ],
)
def test_a_transform_passes_on_what_it_says(transform, sent, received, native):
    messenger = Messenger(native=native)
    transformed = transform(messenger)
    seen = heard(transformed)
    for number in sent:
        messenger.send(number, author="me")
    assert seen == [(message, "me") for message in received]


@each_kind
def test_what_has_a_state_is_asked_for_no_latest_message(native):
    variable = Var(1, native=native)
    sums = variable.new().scan(0, lambda sum, number: sum + number)
    seen = heard(sums)
    with pytest.raises(TypeError, match="no latest message"):
        sums.latest_message
    variable.value = 2
    variable.value = 3
    assert [message for message, _ in seen] == [2, 5]


def test_a_function_that_fails_is_told_to_the_sender_and_changes_nothing():
    messenger = Messenger()
    seen = heard(messenger.scan(0, lambda sum, number: sum + number))
    kept = messenger.scan(0, lambda sum, number: sum + 1 // number)
    others = heard(kept)
    with pytest.raises(HandlerError, match="ZeroDivisionError"):
        messenger.send(0)
    messenger.send(1)
    assert [message for message, _ in seen] == [0, 1]
    assert [message for message, _ in others] == [1]


@each_kind
def test_zipped_are_the_first_of_each_then_the_second(native):
    one, other, third = (Messenger(native=native) for _ in range(3))
    both, all_three = one.zip(other), one.zip(other, third)
    seen, seen_of_three = heard(both), heard(all_three)
    one.send(1)
    one.send(2)
    other.send(5, author="other")
    third.send("x", author="third")
    other.send(6)
    assert seen == [((1, 5), "other"), ((2, 6), other)]
    assert seen_of_three == [((1, 5, "x"), "third")]


@each_kind
def test_with_the_latest_of_others_comes_what_the_first_sends(native):
    clicks, other, variable = Messenger(native=native), Messenger(native=native), Var(1, native=native)
    seen = heard(clicks.with_latest_from(other, variable.new()))
    clicks.send("too early")
    other.send("a")
    clicks.send("now", author="me")
    variable.value = 2
    clicks.send("then", author="me")
    assert seen == [(("now", "a", 1), "me"), (("then", "a", 2), "me")]


@each_kind
def test_a_sample_is_the_latest_message_once_by_its_author(native):
    numbers, ticks = Messenger(native=native), Messenger(native=native)
    seen = heard(numbers.sample(ticks))
    ticks.send(None)
    numbers.send(1, author="one")
    numbers.send(2, author="two")
    ticks.send(None)
    ticks.send(None)
    numbers.send(3, author="three")
    ticks.send(None)
    assert seen == [(2, "two"), (3, "three")]


def test_messengers_are_combined_from_when_all_have_sent():
    one, other, variable = Messenger(), Messenger(), Var(0)
    all_three = combine(one, other, variable.new())
    seen = heard(all_three)
    with pytest.raises(TypeError, match="no latest message"):
        all_three.latest_message
    one.send(1)
    variable.value = 7
    other.send(2)
    one.send(3)
    variable.value = 8
    assert [message for message, _ in seen] == [(1, 2, 7), (3, 2, 7), (3, 2, 8)]


COMBINERS = [
    lambda source, other: combine(source, other),
    lambda source, other: other.with_latest_from(source),
    lambda source, other: Observer().observe_combined((source, other), lambda *_: None),
]


@each_kind
@pytest.mark.parametrize("combined", COMBINERS)
def test_combining_calls_no_function_of_what_is_combined(combined, native):
    calls = []

    def function(update):
        calls.append(update)
        raise TypeError("not yet")

    assert combined(Var(1, native=native).map(function), Var(5, native=native))
    assert not calls


@each_kind
def test_what_fails_for_now_has_a_latest_message_later(native):
    is_ready = Var(False)

    def double(update):
        if not is_ready.value:
            raise TypeError("not yet")
        return update.new * 2

    number = Var(1, native=native)
    both = combine(number.map(double), Var(5, native=native).new())
    with pytest.raises(TypeError, match="not yet"):
        both.latest_message
    is_ready.value = True
    assert both.latest_message == (2, 5)


def test_the_latest_of_many_combined_one_after_another_is_found():
    last = Var(0).map(lambda update: update.new)
    one = Var(1)
    for _ in range(3000):
        last = combine(last, one).map(lambda both: both[0] + both[1].new)
    assert last.latest_message == 3000


def test_what_was_chosen_last_is_passed_on():
    choice, one, other = Messenger(), Messenger(), Messenger()
    chosen = choice.switch_to_latest()
    seen = heard(chosen)
    one.send("nobody chose it")
    choice.send(one)
    one.send(1, author="me")
    choice.send(one)
    one.send(2)
    choice.send(other)
    one.send(3)
    other.send(4)
    choice.send(None)
    other.send(5)
    assert [message for message, _ in seen] == [1, 2, 4] and seen[0][1] == "me"
    assert one.count == other.count == 0
    with pytest.raises(HandlerError, match="messages must be observables or None, not int"):
        choice.send(5)
    choice.send(one)
    one.send(6)
    assert seen[-1][0] == 6


def test_what_was_chosen_is_kept_and_let_go():
    choice, one = Messenger(), Messenger()
    chosen = choice.switch_to_latest()
    seen = []
    observation = chosen.observe(seen.append)
    reference = weakref.ref(one)
    choice.send(one)
    del one
    collect()
    assert reference() is not None
    reference().send(1)
    choice.send(None)
    collect()
    assert reference() is None and seen == [1]
    other = Messenger()
    choice.send(other)
    assert other.count == 1
    observation.stop()
    del chosen, observation
    collect()
    assert other.count == 0


@pytest.mark.parametrize(
    "make",
    [
        lambda one, other: one.zip(other),
        lambda one, other: one.with_latest_from(other),
        lambda one, other: one.sample(other),
        lambda one, other: combine(one, other),
    ],
)
def test_what_is_joined_is_kept_and_observed_until_the_end(make):
    one, other = Messenger(), Messenger()
    joined = make(one, other)
    references = weakref.ref(one), weakref.ref(other)
    assert (one.count, other.count) == (1, 1)
    del one, other
    collect()
    assert all(reference() is not None for reference in references)
    del joined
    collect()
    assert all(reference() is None for reference in references)


@pytest.mark.parametrize("operator", ["zip", "with_latest_from"])
def test_what_is_no_observable_is_refused(operator):
    with pytest.raises(TypeError, match="others must be observables, not int"):
        getattr(Messenger(), operator)(5)
    with pytest.raises(ValueError, match="others must be one or more"):
        getattr(Messenger(), operator)()
    with pytest.raises(ValueError, match="what was made for C code and what was not"):
        getattr(Messenger(), operator)(Messenger(native=True))


@pytest.mark.parametrize("make", [lambda one, other: one.zip(other), lambda one, other: one.with_latest_from(other)])
def test_what_threads_send_is_joined_one_at_a_time_and_none_is_lost(make):
    one, other = Messenger(), Messenger()
    other.send(0)
    joined = make(one, other)
    seen, count = [], 500
    joined.observe(seen.append)
    other.send(-1)
    start = threading.Barrier(2)

    def send(messenger):
        start.wait()
        for number in range(count):
            messenger.send(number)

    threads = [threading.Thread(target=send, args=(each,)) for each in (one, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [message[0] for message in seen] == list(range(count))
    partners = [message[1] for message in seen]
    assert partners == sorted(partners)


@each_kind
def test_flat_map_passes_on_what_was_chosen_for_the_latest_messages(native):
    rooms = {name: Messenger(native=native) for name in "abc"}
    entered = Messenger(native=native)
    chosen = entered.flat_map(2, rooms.get)
    seen = heard(chosen)
    for name in "ab":
        entered.send(name)
    rooms["a"].send(1, author="me")
    rooms["b"].send(2)
    # Again, and so once; and the next one takes the place of the older of the two.
    entered.send("b")
    rooms["a"].send("not any more")
    rooms["b"].send(3)
    entered.send("c")
    rooms["b"].send(4)
    rooms["c"].send(5)
    # No one is chosen: one less is passed on.
    entered.send("nobody")
    rooms["b"].send("not any more")
    rooms["c"].send(6)
    entered.send("nobody")
    rooms["c"].send("not any more")
    assert [message for message, _ in seen] == [1, 2, 3, 4, 5, 6]
    assert seen[0] == (1, "me")
    assert [each.count for each in rooms.values()] == [0, 0, 0]


def test_flat_map_keeps_what_it_passes_on_and_no_other():
    source, gone = Messenger(), []

    def choose(number):
        made = Messenger()
        weakref.finalize(made, gone.append, number).atexit = False
        return made

    chosen = source.flat_map(2, choose)
    with chosen.observe(print):
        for number in range(4):
            source.send(number)
        collect()
        assert gone == [0, 1]
    del chosen
    collect()
    assert sorted(gone) == [0, 1, 2, 3]


def test_a_choice_that_cannot_be_observed_fails_the_send_and_the_next_one_is_passed_on():
    class Refusing(Messenger):
        def observe(self, *arguments, **options):
            raise ValueError("not now")

    source, one, refusing = Messenger(), Messenger(), Refusing()
    seen = heard(source.switch_to_latest())
    source.send(one)
    with pytest.raises(HandlerError, match="not now"):
        source.send(refusing)
    source.send(one)
    one.send("again")
    assert [message for message, _ in seen] == ["again"]


@each_kind
@pytest.mark.parametrize("most", [1, 2])
def test_a_choice_that_comes_from_what_passes_it_on_fails_the_send_and_changes_nothing(most, native):
    messenger, one = Messenger(native=native), Messenger(native=native)
    passed_on = messenger.flat_map(most, lambda name: chosen[name])
    around = one.merge(passed_on).map(lambda message: message)
    chosen = {"one": one, "itself": passed_on, "around": around}
    received = []
    passed_on.observe(received.append)
    messenger.send("one")
    for name in ("itself", "around"):
        with pytest.raises(HandlerError, match="must not come from"):
            messenger.send(name)
    one.send(1)
    assert received == [1]


def test_a_choice_that_is_none_fails_the_send_and_changes_nothing():
    source, one = Messenger(), Messenger()
    seen = heard(source.flat_map(1, lambda choice: one if choice == 1 else choice and 5))
    source.send(1)
    with pytest.raises(HandlerError, match="what chooser returns must be observables or None, not int"):
        source.send(2)
    one.send("still")
    assert [message for message, _ in seen] == ["still"]
    for wrong, error in ((0, ValueError), (-1, ValueError), ("1", TypeError), (True, TypeError)):
        with pytest.raises(error, match="most must"):
            source.flat_map(wrong, print)
    with pytest.raises(TypeError, match="chooser"):
        source.flat_map(1, 5)


@each_kind
def test_a_mapper_that_fails_is_called_again_and_its_last_failure_becomes_a_message(native):
    calls = []

    def fail(number):
        calls.append(number)
        if len(calls) % 3:
            raise ValueError(f"no {number}")
        return number * 10

    messenger = Messenger(native=native)
    seen = heard(messenger.map(fail, retry=2))
    messenger.send(1)
    assert ([message for message, _ in seen], calls) == ([10], [1, 1, 1])
    texts = Messenger(native=native)
    caught = heard(texts.map(int, catching=lambda error: f"{type(error).__name__}"))
    texts.send("x")
    texts.send("7")
    assert [message for message, _ in caught] == ["ValueError", 7]


def test_what_is_not_caught_fails_the_send():
    messenger, calls = Messenger(), []

    def fail(number):
        calls.append(number)
        raise ValueError("always")

    def raise_another(error):
        raise KeyError("another") from error

    mapped = messenger.map(fail, retry=1)
    with mapped.observe(print), pytest.raises(HandlerError, match="always"):
        messenger.send(1)
    assert calls == [1, 1]
    again = messenger.map(fail, catching=raise_another)
    with again.observe(print), pytest.raises(HandlerError, match="another"):
        messenger.send(1)
    for wrong, error in ((-1, ValueError), ("1", TypeError), (1.5, TypeError)):
        with pytest.raises(error, match="retry must"):
            messenger.map(fail, retry=wrong)
    with pytest.raises(TypeError, match="catching"):
        messenger.map(fail, catching=5)


@each_kind
def test_a_look_into_a_chain_changes_nothing(native, capsys):
    messenger, looked = Messenger(native=native), []
    seen = heard(messenger.handle_events(looked.append).map(lambda number: number + 1))
    others = heard(messenger.print("number"))
    messenger.send(1, author="me")
    assert (seen, looked, others) == ([(2, "me")], [1], [(1, "me")])
    heard(messenger.print())
    messenger.send(2)
    assert capsys.readouterr().out == "number: 1\nnumber: 2\n2\n"
    with pytest.raises(TypeError, match="prefix must be a str"):
        messenger.print(5)
    with pytest.raises(TypeError, match="see"):
        messenger.handle_events(5)

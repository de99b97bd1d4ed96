# SPDX-License-Identifier: MIT
"""What is done to many takes the package so many lines for each: eight times as many take eight times as many lines."""

import gc
import os
import sys

import pytest

import swiftobserver
from swiftobserver import (
    ManualClock,
    Messenger,
    Observer,
    Var,
    combine,
    derived,
    effect,
    graph,
    merge,
    snapshot,
    tracing,
    transaction,
    why,
)

pytestmark = pytest.mark.skipif(sys.implementation.name != "cpython", reason="counts the lines that CPython traces")

FEW, MANY = 40, 320
PACKAGE = os.path.dirname(swiftobserver.__file__)


def ignore(*_):
    pass


def variables(count):
    return [Var(number) for number in range(count)]


def a_transaction_sets_and_reads(count):
    every = variables(count)

    def run():
        with transaction():
            for each in every:
                each.value = -1
            assert all(each.value == -1 for each in every)

    return run


def a_transaction_fails(count):
    every = variables(count)

    def run():
        with pytest.raises(KeyError), transaction():
            for each in every:
                each.value = -1
            raise KeyError

    return run


def a_snapshot_reads(count):
    every = variables(count)

    def run():
        with snapshot():
            assert sum(each.value for each in every) == count * (count - 1) // 2

    return run


def a_snapshot_reads_what_is_set_meanwhile(count):
    every = variables(count)
    total = derived(lambda: sum(each.value for each in every))

    def run():
        with snapshot():
            before = total.value
            for each in every:
                each.value += 1
            assert total.value == before

    return run


def a_function_has_sources(count):
    every = variables(count)
    total = derived(lambda: sum(each.value for each in every))
    total.observe(ignore)

    def run():
        every[0].value += 1

    run.keeps = total
    return run


def a_variable_has_dependents(count):
    source = Var(0)
    dependents = [derived(lambda: source.value + 1) for _ in range(count)]
    for each in dependents:
        each.observe(ignore)

    def run():
        source.value += 1

    run.keeps = dependents
    return run


def dependents_are_stopped_and_released(count):
    source = Var(0)
    dependents = [derived(lambda: source.value + 1) for _ in range(count)]
    observations = [each.observe(ignore) for each in dependents]

    def run():
        for each in reversed(observations):
            each.stop()
        dependents.reverse()
        dependents.clear()

    return run


def a_chain_is_set_and_released(count):
    chain = [Var(0)]
    for _ in range(count):
        chain.append(derived(lambda before=chain[-1]: before.value + 1))
    chain[-1].observe(ignore)

    def run():
        chain[0].value += 1
        chain.clear()

    return run


def effects_run(count):
    source, observer = Var(0), Observer()
    for _ in range(count):
        effect(lambda: source.value, observer=observer)

    def run():
        source.value += 1

    run.keeps = observer
    return run


def effects_are_stopped_where_they_are_due(count):
    source, observer, effects = Var(0), Observer(), []

    @effect(observer=observer)
    def first():
        if source.value:
            for each in reversed(effects):
                each.stop()

    effects.extend(effect(lambda: source.value) for _ in range(count))

    def run():
        source.value = 1

    run.keeps = observer
    return run


def observations_are_stopped_in_a_delivery(count):
    source, observations = Var(0), []
    source.observe(lambda _: [each.stop() for each in reversed(observations)])
    observations.extend(source.observe(ignore) for _ in range(count))

    def run():
        source.value = 1

    return run


def a_handler_sets(count):
    source = Var(0)
    double = derived(lambda: source.value * 2)
    double.observe(ignore)

    @source.observe
    def again(_):
        if source.value == 1:
            for number in range(2, count):
                source.value = number

    def run():
        source.value = 1

    run.keeps = double
    return run


def a_batch_sets(count):
    source = Var(0)
    source.observe(ignore)

    def run():
        with source.batch():
            for number in range(count):
                source.value = number

    return run


def an_observer_stops_each(count):
    messengers, observer = [Messenger() for _ in range(count)], Observer()
    for each in messengers:
        observer.observe(each, ignore)

    def run():
        for each in reversed(messengers):
            observer.stop(each)

    return run


def messages_are_delayed(count):
    clock, source = ManualClock(), Messenger()
    late = source.delay(1, loop=clock)
    late.observe(ignore)

    def run():
        for number in range(count):
            source.send(number)
        clock.advance(1)

    run.keeps = late
    return run


def debounced(count):
    clock = ManualClock()
    sources = [Messenger() for _ in range(count)]
    rested = [each.debounce(1, loop=clock) for each in sources]
    for each in rested:
        each.observe(ignore)
    return clock, sources, rested


def many_are_debounced(count):
    clock, sources, rested = debounced(count)

    def run():
        for each in (*sources, *reversed(sources)):
            each.send(1)
        clock.advance(1)

    run.keeps = rested
    return run


def what_waits_is_dropped(count):
    clock, sources, rested = debounced(count)
    for each in sources:
        each.send(1)

    def run():
        rested.clear()
        clock.advance(1)

    return run


def many_are_combined(count):
    sources = variables(count)
    every = combine(*sources)
    every.observe(ignore)

    def run():
        sources[0].value = -1
        every.latest_message  # noqa: B018

    run.keeps = every
    return run


def many_are_merged(count):
    sources = [Messenger() for _ in range(count)]
    every = merge(*sources)
    every.observe(ignore)

    def run():
        for each in sources:
            each.send(1)

    run.keeps = every
    return run


def many_are_zipped(count):
    one, other = Messenger(), Messenger()
    both = one.zip(other)
    both.observe(ignore)

    def run():
        for number in range(count):
            one.send(number)
        for number in range(count):
            other.send(number)

    run.keeps = both
    return run


def messages_are_replayed(count):
    source = Messenger()
    kept = source.replaying(count)
    for number in range(count):
        source.send(number)
    return lambda: kept.observe(ignore, replay=count)


def messages_wait_for_a_pause(count):
    source = Messenger()
    source.observe(ignore)

    def run():
        with source.paused():
            for number in range(count):
                source.send(number)

    return run


def messages_are_chosen(count):
    source, chosen = Messenger(), [Messenger() for _ in range(count)]
    flat = source.flat_map(count, lambda number: chosen[number])
    flat.observe(ignore)

    def run():
        for number in range(count):
            source.send(number)
        chosen[0].send(1)

    run.keeps = flat
    return run


def a_chain_of_maps_sends_and_is_released(count):
    chain = [Messenger()]
    for _ in range(count):
        chain.append(chain[-1].map(lambda each: each))
    chain[-1].observe(ignore)

    def run():
        chain[0].send(1)
        chain.clear()

    return run


def many_handlers_send(count):
    source = Messenger()

    def again(number):
        if number == 0:
            for each in range(1, count):
                source.send(each)

    source.observe(again)
    return lambda: source.send(0)


def a_graph_is_drawn(count):
    source = Messenger()
    maps = [source.map(lambda each: each) for _ in range(count)]

    def run():
        assert len(graph(source).nodes) == count + 1

    run.keeps = maps
    return run


def it_is_asked_why(count):
    chain = [Var(0)]
    for _ in range(count):
        chain.append(derived(lambda before=chain[-1]: before.value + 1))
    chain[-1].observe(ignore)
    with tracing():
        chain[0].value = 1

    def run():
        assert why(chain[-1])

    return run


def lines_of(run):
    count = 0

    def trace(frame, event, _):
        nonlocal count
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line":
            count += 1
        return trace

    gc.collect()
    gc.disable()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(None)
        gc.enable()
    return count


CASES = [
    *(a_transaction_sets_and_reads, a_transaction_fails, a_snapshot_reads, a_snapshot_reads_what_is_set_meanwhile),
    *(a_function_has_sources, a_variable_has_dependents, dependents_are_stopped_and_released),
    *(a_chain_is_set_and_released, effects_run, effects_are_stopped_where_they_are_due),
    *(observations_are_stopped_in_a_delivery, a_handler_sets, a_batch_sets, an_observer_stops_each),
    *(messages_are_delayed, many_are_debounced, what_waits_is_dropped, many_are_combined, many_are_merged),
    *(many_are_zipped, messages_are_replayed, messages_wait_for_a_pause, messages_are_chosen),
    *(a_chain_of_maps_sends_and_is_released, many_handlers_send, a_graph_is_drawn, it_is_asked_why),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_it_takes_so_many_lines_for_each(case):
    few, many = lines_of(case(FEW)), lines_of(case(MANY))
    assert few >= FEW, "the package was not asked"
    assert many <= few * MANY / FEW * 1.1

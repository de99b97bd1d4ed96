# SPDX-License-Identifier: MIT
"""Why something has changed, and traces, which are read with Perfetto's own description of them."""

import os
import subprocess
import sys
import threading

import pytest

from swiftobserver import (
    ManualClock,
    Messenger,
    Var,
    combine,
    derived,
    effect,
    lint,
    tracing,
    transaction,
    why,
    why_called,
)


def ignore(message):
    pass


def lines(answer):
    """Without threads."""
    return [
        ", ".join(part for part in line.strip().split(", ") if not part.startswith("on thread"))
        for line in answer.splitlines()
    ]


def chain():
    clicks, width, height = Messenger(name="clicks"), Var(1, name="width"), Var(1, name="height")

    def resize(message):
        width.value = message

    def copy(value):
        height.value = value

    values = width.new()
    kept = [clicks.observe(resize), values.observe(copy), height.observe(ignore), values]
    return clicks, width, height, kept


def test_a_change_is_explained_by_those_that_led_to_it():
    clicks, width, height, kept = chain()
    assert why(height) == "nothing is known"
    with tracing():
        clicks.send(7)
        answer = lines(why(height))
        called = lines(why_called(kept[2]))
    assert answer[0] == 'variable "height" changed, in handler "chain.<locals>.copy"'
    assert answer[-1] == 'because messenger "clicks" changed'
    assert any(line.endswith('"width" changed, in handler "chain.<locals>.resize"') for line in answer)
    assert called == answer
    assert why(height) == "nothing is known"


def test_an_author_is_named_by_its_type():
    class Button:
        pass

    clicks, button = Messenger(name="clicks"), Button()
    kept = clicks.observe(ignore)
    with tracing():
        clicks.send(1, author=button)
        assert f", by author {Button.__qualname__} 0x" in why(clicks)
        clicks.send(1)
        assert "author" not in why(clicks)
    assert kept


OPERATORS = {
    "map": lambda clicks, keys, clock: clicks.map(lambda click: click),
    "debounce": lambda clicks, keys, clock: clicks.debounce(10, loop=clock),
    "throttle": lambda clicks, keys, clock: clicks.throttle(10, first=False, loop=clock),
    "buffer": lambda clicks, keys, clock: clicks.buffer(seconds=10, loop=clock),
    "merge": lambda clicks, keys, clock: clicks.merge(keys),
    "combined": lambda clicks, keys, clock: combine(keys, clicks),
    "cache": lambda clicks, keys, clock: clicks.cache(),
    "flat_map": lambda clicks, keys, clock: keys.flat_map(1, lambda key: clicks),
}


@pytest.mark.parametrize("kind", OPERATORS)
def test_answers_lead_through_operators_also_where_they_have_waited(kind):
    clicks, keys, clock = Messenger(name="clicks"), Messenger(name="keys"), ManualClock()
    made = OPERATORS[kind](clicks, keys, clock)
    kept = made.observe(ignore)
    with tracing():
        keys.send(0)
        clicks.send(1)
        clock.advance(10)
        assert lines(why_called(kept))[1:] == ['because messenger "clicks" changed']
        assert lines(why(made))[0].split()[0] == kind
        assert "handler" not in why(made) and "author" not in why(made)


def test_what_is_computed_changes_because_of_the_source_that_changed_last():
    width, height, area = Var(1, name="width"), Var(2, name="height"), Var(0, name="area")
    both = derived(lambda: width.value * height.value, name="both")
    double = derived(lambda: both.value * 2, name="double")

    def show():
        area.value = double.value

    kept = double.observe(ignore), effect(show)
    with tracing(values=True):
        height.value = 3
        because = 'because variable "height" changed from 2 to 3'
        assert lines(why(double)) == ['derived "double" changed from 4 to 6', because]
        assert lines(why_called(kept[0])) == ['derived "double" changed from 4 to 6', because]
        assert lines(why_called(kept[1]))[1:] == ['because derived "double" changed from 4 to 6', because]
        answer = lines(why(area))
        assert answer[0] == 'variable "area" changed from 4 to 6' and answer[-1] == because
        with transaction():
            width.value = 5
        assert lines(why(double))[1] == 'because variable "width" changed from 1 to 5'
    kept[1].stop()


def test_values_are_told_where_that_is_allowed():
    clicks, width = Messenger(name="clicks"), Var(1, name="width")
    with tracing(values=True):
        clicks.send([1, "two"])
        width.value = 2
        assert lines(why(clicks)) == ["messenger \"clicks\" sent [1, 'two']"]
        assert lines(why(width)) == ['variable "width" changed from 1 to 2']
        clicks.send(ManualClock())
        assert lines(why(clicks)) == ['messenger "clicks" sent <ManualClock>']
    with tracing():
        width.value = 3
        assert lines(why(width)) == ['variable "width" changed']


def test_values_of_native_variables_are_told_where_that_is_allowed():
    with tracing(values=True):
        width = Var(1, name="width", native=True)
        width.value = 2
        assert lines(why(width)) == ['variable "width" changed from 1 to 2']
    with tracing():
        width.value = 3
        assert lines(why(width)) == ['variable "width" changed']


def test_what_is_no_observable_is_refused():
    with pytest.raises(TypeError, match="observable must be an observable, not int"):
        why(5)
    with pytest.raises(TypeError, match="observation must be an Observation, not int"):
        why_called(5)
    with pytest.raises(TypeError, match="observables must be observables, not int"):
        lint(5)


def test_lint_names_handlers_that_observe_twice_and_transforms_that_nothing_observes():
    clicks = Messenger(name="clicks")
    kept = [clicks.observe(ignore), clicks.observe(ignore), clicks.map(str)]
    assert lint(clicks, kept[2]) == [
        'ignore observes messenger "clicks" more than once',
        "nothing observes an unnamed map, which is made from another observable",
    ]
    assert lint(Messenger(name="quiet")) == []


def test_lint_finds_what_leads_back_to_itself():
    ping, pong = Messenger(name="ping"), Messenger(name="pong")

    def go(number):
        if number < 3:
            pong.send(number)

    def come(number):
        ping.send(number + 1)

    kept = [ping.observe(go), pong.observe(come)]
    assert lint(ping, pong) == []
    with tracing():
        ping.send(1)
        found = lint(ping, pong)
    here = "test_lint_finds_what_leads_back_to_itself.<locals>."
    assert f'a change of messenger "ping" leads to another one of it, through {here}come, {here}go' in found
    assert kept


def test_lint_finds_handlers_that_several_threads_have_called():
    clicks = Messenger(name="clicks")
    kept = [clicks.observe(ignore), clicks.observe(ignore, on=lambda job: job())]
    with tracing():
        clicks.send(1)
        assert not [one for one in lint(clicks) if "thread" in one]
        other = threading.Thread(target=clicks.send, args=(2,))
        other.start()
        other.join()
        found = [one for one in lint(clicks) if "thread" in one]
        assert lint(Messenger()) == []
    assert len(found) == 1
    assert found[0].startswith('ignore of messenger "clicks" has been called on thread ')
    assert kept


def test_lint_finds_handlers_that_take_long():
    clicks = Messenger(name="clicks")

    def save(message):
        threading.Event().wait(0.002)

    kept = clicks.observe(save)
    with tracing():
        clicks.send(1)
        assert lint(clicks) == []
        (found,) = lint(clicks, slow=0.001)
    assert found.startswith(f'{save.__qualname__} of messenger "clicks" has taken 0.0')
    assert kept


@pytest.mark.parametrize("slow", [-1, float("nan"), float("inf")])
def test_lint_refuses_a_bound_that_is_none(slow):
    with pytest.raises(ValueError, match="slow must be seconds, 0 or more"):
        lint(slow=slow)


def read(path):
    """The packets of a trace, whose events have the names and the tracks that they refer to."""
    trace_pb2 = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
    trace = trace_pb2.Trace()
    trace.ParseFromString(path.read_bytes())
    begins, needs = 1, 2
    names, categories, tracks = {}, {}, {}
    for packet in trace.packet:
        sequence = packet.trusted_packet_sequence_id
        if packet.sequence_flags & begins:
            tracks[sequence] = packet.trace_packet_defaults.track_event_defaults.track_uuid
        for kind, known in (("event_names", names), ("event_categories", categories)):
            for each in getattr(packet.interned_data, kind):
                assert (sequence, each.iid) not in known
                known[sequence, each.iid] = each.name
        if packet.HasField("track_event"):
            assert packet.sequence_flags & needs
            event = packet.track_event
            if event.name_iid:
                event.name = names[sequence, event.name_iid]
            event.categories.extend(categories[sequence, each] for each in event.category_iids)
            if not event.HasField("track_uuid"):
                event.track_uuid = tracks[sequence]
    return trace_pb2, trace.packet


def test_a_trace_has_a_track_for_each_thread_and_a_flow_from_each_send(tmp_path):
    path = tmp_path / "trace"
    clicks, width, height, kept = chain()
    with tracing(path):
        for number in range(100):
            clicks.send(number)
        thread = threading.Thread(target=clicks.send, args=(1000,))
        thread.start()
        thread.join()
    trace_pb2, packets = read(path)
    event = trace_pb2.TrackEvent
    tracks = {
        packet.track_descriptor.uuid: packet.track_descriptor
        for packet in packets
        if packet.HasField("track_descriptor")
    }
    assert len([each for each in tracks.values() if each.HasField("thread")]) == 2
    assert [each.name for each in tracks.values() if each.HasField("counter")] == ["messages"]
    events = [packet.track_event for packet in packets if packet.HasField("track_event")]
    assert {each.track_uuid for each in events} <= set(tracks)
    depth = {}
    for each in events:
        change = {event.TYPE_SLICE_BEGIN: 1, event.TYPE_SLICE_END: -1}.get(each.type, 0)
        depth[each.track_uuid] = depth.get(each.track_uuid, 0) + change
        assert depth[each.track_uuid] >= 0
    assert set(depth.values()) == {0}
    begun = [each for each in events if each.type == event.TYPE_SLICE_BEGIN]
    sends = [each for each in begun if list(each.categories) == ["send"]]
    handlers = [each for each in begun if list(each.categories) == ["handler"]]
    assert len([each for each in sends if each.name == "messenger clicks"]) == 101
    # Each handler belongs to a send before it.
    flows = {flow for each in sends for flow in each.flow_ids}
    assert len(flows) == len(sends)
    assert len(handlers) >= 101
    assert all(set(each.flow_ids) <= flows and each.flow_ids for each in handlers)
    stamps = {}
    for packet in packets:
        if packet.HasField("track_event"):
            track = packet.track_event.track_uuid
            assert packet.timestamp >= stamps.get(track, 0)
            stamps[track] = packet.timestamp
    assert kept


def test_a_trace_has_the_runs_of_functions_of_derived_variables(tmp_path):
    path = tmp_path / "trace"
    width = Var(1, name="width")
    area = derived(lambda: width.value * 2, name="area")
    twice = derived(lambda: area.value * 2, name="twice \u20ac")
    with tracing(path):
        assert twice.value == 4
        width.value = 3
        assert twice.value == 12
        assert twice.value == 12
    width.value = 5
    assert twice.value == 20
    trace_pb2, packets = read(path)
    event = trace_pb2.TrackEvent
    events = [packet.track_event for packet in packets if packet.HasField("track_event")]
    begun = [each.name for each in events if list(each.categories) == ["compute"]]
    assert sorted(begun) == ["derived area"] * 2 + ["derived twice \u20ac"] * 2
    ends = [each for each in events if each.type == event.TYPE_SLICE_END]
    assert len(ends) == len([each for each in events if each.type == event.TYPE_SLICE_BEGIN])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_trace_that_cannot_be_written_is_an_error():
    with pytest.raises(OSError, match="/dev/full cannot be written"), tracing("/dev/full"):
        pass
    with pytest.raises(OSError), tracing("/does/not/exist"):
        pass


def test_there_is_one_trace_at_a_time(tmp_path):
    with tracing(tmp_path / "one"), pytest.raises(RuntimeError, match="there is a trace already"):
        with tracing(tmp_path / "other"):
            pass


PROGRAM = """
import sys
from swiftobserver import Messenger, Var
clicks, width = Messenger(name="clicks"), Var(1, name="width")
def resize(message):
    width.value = message
kept = [clicks.observe(resize), width.observe(print), width.observe(print)]
clicks.send(int(sys.argv[1]))
"""


def run(tmp_path, *arguments):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    command = [
        sys.executable,
        "-m",
        "swiftobserver",
        *(str(script) if each is None else str(each) for each in arguments),
    ]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_program_that_is_not_changed_is_asked_why(tmp_path):
    done = run(tmp_path, "why", None, 5)
    assert (done.returncode, done.stderr) == (0, "")
    answer = lines(done.stdout)
    assert answer[:2] == ["Update(old=1, new=5)"] * 2
    assert answer[2].startswith('messenger "clicks": messenger "clicks" ')
    assert answer[3].startswith('variable "width": variable "width" ')
    assert answer[3].endswith('in handler "resize"')


def test_a_program_that_is_not_changed_is_looked_over(tmp_path):
    done = run(tmp_path, "lint", None, 5)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-1] == 'print observes variable "width" more than once'


def test_a_program_that_is_not_changed_is_traced(tmp_path):
    done = run(tmp_path, "trace", tmp_path / "trace", None, 5)
    assert (done.returncode, done.stderr) == (0, "")
    assert read(tmp_path / "trace")[1]
    environment = dict(os.environ, SWIFTOBSERVER_TRACE=str(tmp_path / "other"))
    subprocess.run([sys.executable, tmp_path / "program.py", "5"], env=environment, check=True, capture_output=True)
    assert read(tmp_path / "other")[1]


def test_what_is_used_wrongly_is_told(tmp_path):
    assert run(tmp_path, "why").returncode == 2
    assert run(tmp_path, "trace", "file").returncode == 2

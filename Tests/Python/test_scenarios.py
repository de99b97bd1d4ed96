# SPDX-License-Identifier: MIT
"""Acts out the scenarios that all languages share: see Tests/Scenarios/README.md."""

import itertools
import weakref

import pytest

from support import CHECKOUT, HEADERS, await_release, declared, each_kind
from swiftobserver import HandlerError, ManualClock, Messenger, Observer, Update, Var, combine, ticks

FOLDER = CHECKOUT / "Tests" / "Scenarios"
OPERATORS = {each.name: each.takes for each in declared(HEADERS) if each.takes}
# What has another name than in C.
IN_PYTHON = {"from": "from_", "unwrap_or": "unwrap", "replay": "replaying"}


class Scenario:
    def __init__(self, name, obstacle):
        self.name, self.lines, self.obstacle = name, [], obstacle


def _read(path):
    scenarios, obstacle = [], None
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("not in Python: "):
            obstacle = line
        elif not line.startswith((" ", "not in ")):
            scenarios.append(Scenario(line, obstacle))
        elif line.startswith("    not in Python: "):
            scenarios[-1].obstacle = line
        elif line.startswith("    ") and not line.startswith("    not in "):
            scenarios[-1].lines.append(line.strip())
    return scenarios


def _value(word):
    return None if word == "null" else int(word)


def _text(message):
    if isinstance(message, Update):
        return "(" + ",".join(map(_text, message)) + ")"
    if isinstance(message, (tuple, list)):
        return "[" + ",".join(map(_text, message)) + "]"
    return "null" if message is None else str(message)


class Author:
    """A sender."""


class Stage:
    def __init__(self, scenario, native):
        self.native = native
        self.rules = []
        for line in scenario.lines:
            if line.startswith("when "):
                trigger, actions = line[len("when ") :].split(": ", 1)
                self.rules.append((*trigger.split(), actions.split("; ")))
        # Observables and observers, observations, authors, and the blocks and batches that have not ended.
        self.things, self.observations, self.authors, self.blocks = {}, {}, {}, {}
        self.journal = []

    def note(self, word):
        self.journal.append(word)

    def handler(self, name, notes_authors):
        def receive(message):
            self.note(name + _text(message))
            self.follow(name, message)

        def receive_with_author(message, author):
            owners = {**self.authors, **self.things}
            self.note(f"{name}{_text(message)}@{next(key for key, each in owners.items() if each is author)}")
            self.follow(name, message)

        return receive_with_author if notes_authors else receive

    def follow(self, name, message):
        new = message.new if isinstance(message, Update) else message
        for who, what, actions in self.rules:
            if who == name and (what == "any" or what == _text(new)):
                for action in actions:
                    self.act(action)

    def combined_handler(self, name, count):
        def receive(*messages):
            self.note(name + "+".join(map(_text, messages)))
            self.follow(name, messages[0])

        # A handler takes as many messages as are combined.
        return {2: lambda one, other: receive(one, other), 3: lambda one, other, third: receive(one, other, third)}[
            count
        ]

    def act(self, line):
        words = line.split()
        author = None
        if len(words) > 2 and words[-2] == "as":
            author = self.authors.setdefault(words[-1], Author())
            words = words[:-2]
        if len(words) > 1 and words[1] == "=":
            self.things[words[0]] = self.make(*words[2:])
        else:
            try:
                getattr(self, "do_" + words[0])(*words[1:], **({} if author is None else {"author": author}))
            except HandlerError:
                self.note("failed")

    def make(self, kind, *words):
        if kind in JOINING:
            return JOINING[kind](self, *words)
        # What the operator takes by its declaration in the header, of which Python leaves out the context.
        takes = OPERATORS["swo_" + ("new_values" if kind == "new" else kind)]
        of = {
            "A_MAPPER": lambda word: lambda message: message * 10,
            "A_PREDICATE": lambda word: lambda message: message % 2 == 0,
            "AN_AUTHOR": lambda word: self.authors.setdefault(word, Author()),
        }
        if takes == ["SOURCES"]:
            source, *arguments = (self.things[each] for each in words)
        else:
            source = self.things[words[0]]
            arguments = [
                of.get(each, _value)(word) for each, word in itertools.zip_longest(takes[1:], words[1:], fillvalue="")
            ]
        made = getattr(source, IN_PYTHON.get(kind, kind))(*arguments)
        return made.map(lambda pair: Update(*pair)) if kind == "with_previous" else made

    def sources(self, names):
        return [self.things[each] for each in names]

    def chooser(self, names):
        # The first, the second ... of these; 0: none.
        choices = [None, *self.sources(names)]
        return lambda number: choices[number]

    def do_clock(self, name):
        self.things[name] = ManualClock()

    def do_advance(self, name, seconds):
        self.things[name].advance(int(seconds))

    def do_waiting(self, name):
        self.note(f"#{self.things[name].waiting}")

    def do_messenger(self, *names):
        self.things.update((name, Messenger(native=self.native)) for name in names)

    def do_variable(self, name, value):
        self.things[name] = Var(_value(value), native=self.native)

    def do_deferred(self, name, value):
        self.things[name] = Var(_value(value), deferred=True)

    def do_observer(self, *names):
        self.things.update((name, Observer()) for name in names)

    def do_queue(self, name):
        self.things[name] = []

    def do_drain(self, name):
        jobs, self.things[name][:] = self.things[name][:], []
        for job in jobs:
            job()

    def do_observe(self, observable, *words):
        words = list(words)
        handlers, options, observer, notes_authors, notes_end = [], {}, None, False, False
        while words:
            word = words.pop(0)
            if word == "by":
                observer = self.things[words.pop(0)]
            elif word == "replay":
                options["replay"] = int(words.pop(0))
            elif word == "on":
                options["on"] = self.things[words.pop(0)].append
            elif word == "once":
                options["once"] = True
            elif word == "authors":
                notes_authors = True
            elif word == "ends":
                notes_end = True
            else:
                handlers.append(word)
        for name in handlers:
            handler = self.handler(name, notes_authors)
            if notes_end:
                self.note_end(name, handler)
            source = self.things[observable]
            if observer is None:
                self.observations[name] = source.observe(handler, **options)
            else:
                self.observations[name] = observer.observe(source, handler, **options)

    def note_end(self, name, handler):
        weakref.finalize(handler, self.journal.append, name + "!").atexit = False

    def do_combine(self, name, *words):
        words, observer = list(words), None
        notes_end = words[-1] == "ends" and words.pop()
        if words[-2] == "by":
            observer = self.things[words.pop()]
            words.pop()
        else:
            observer = self.things[f"of {name}"] = Observer()
        sources = [self.things[each] for each in words]
        handler = self.combined_handler(name, len(sources))
        if notes_end:
            self.note_end(name, handler)
        self.observations[name] = observer.observe_combined(sources, handler)

    def do_send(self, name, value, **author):
        self.things[name].send(_value(value), **author)

    def do_set(self, name, value, **author):
        self.things[name].set(_value(value), **author)

    def do_add(self, name, number, **author):
        self.things[name].update(lambda value: value + int(number), **author)

    def do_resend(self, name, **author):
        self.things[name].send_latest(**author)

    def do_stop(self, name, waiting=""):
        assert waiting in ("", "waiting")
        self.observations[name].stop(wait=bool(waiting))

    def do_leave(self, observer, observable=None):
        self.things[observer].stop(*([] if observable is None else [self.things[observable]]))

    def do_release(self, name):
        del self.things[name]
        await_release()

    def do_block(self, name):
        block = (self.things.get(name) or self.observations[name]).blocked()
        block.__enter__()
        self.blocks.setdefault(name, []).append(block)

    def do_unblock(self, name):
        self.blocks[name].pop().__exit__(None, None, None)

    def do_begin(self, name):
        batch = self.things[name].batch()
        batch.__enter__()
        self.blocks.setdefault(name, []).append(batch)

    def do_end(self, name):
        self.do_unblock(name)

    def do_unordered(self, name):
        self.things[name].ordered = False

    def do_ordered(self, name):
        self.things[name].ordered = True

    def do_fail(self):
        raise ValueError

    def do_interrupt(self, name):
        raise KeyboardInterrupt

    def do_note(self, word):
        self.note(word)

    def do_read(self, name):
        self.note(f"[{_text(self.things[name].value)}]")

    def do_latest(self, name):
        self.note(f"<{_text(self.things[name].latest_message)}>")

    def do_count(self, name):
        self.note(f"#{self.things[name].count}")

    def do_living(self, name):
        # What was released in its own delivery has died since.
        await_release()
        self.note("yes" if self.observations[name].is_living else "no")

    def do_observing(self, observer, observable):
        self.note("yes" if self.things[observer].is_observing(self.things[observable]) else "no")


def _timed(kind, **options):
    """What waits for time: its intervals are seconds."""
    return lambda stage, source, seconds, clock: getattr(stage.things[source], kind)(
        int(seconds), loop=stage.things[clock], **options
    )


# What has several sources, or a memory, or waits.
JOINING = {
    "combine": lambda stage, *names: combine(*stage.sources(names)),
    "zip": lambda stage, source, *others: stage.things[source].zip(*stage.sources(others)),
    "with_latest_from": lambda stage, source, *others: stage.things[source].with_latest_from(*stage.sources(others)),
    "sample": lambda stage, source, sampler: stage.things[source].sample(stage.things[sampler]),
    "scan": lambda stage, source, initial: stage.things[source].scan(int(initial), lambda one, other: one + other),
    "buffer": lambda stage, source, count: stage.things[source].buffer(int(count)),
    "switch_to_latest": lambda stage, source, *names: stage.things[source].map(stage.chooser(names)).switch_to_latest(),
    "flat_map": lambda stage, source, most, *names: stage.things[source].flat_map(int(most), stage.chooser(names)),
    "debounce": _timed("debounce"),
    "throttle": _timed("throttle"),
    "throttle_first": _timed("throttle", latest=False),
    "throttle_latest": _timed("throttle", first=False),
    "delay": _timed("delay"),
    "timeout": _timed("timeout"),
    "collect": lambda stage, source, seconds, clock: stage.things[source].buffer(
        None, int(seconds), loop=stage.things[clock]
    ),
    "ticks": lambda stage, seconds, clock: ticks(int(seconds), loop=stage.things[clock]),
}

SCENARIOS = [scenario for path in sorted(FOLDER.glob("*.txt")) for scenario in _read(path)]


def test_there_are_scenarios():
    assert len(SCENARIOS) > 60


@each_kind
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario, native):
    if scenario.obstacle:
        pytest.skip(scenario.obstacle)
    stage = Stage(scenario, native)
    try:
        for line in scenario.lines:
            if line.startswith("when "):
                continue
            actions, _, expected = line.partition(" -> ")
            for action in actions.split("; "):
                try:
                    stage.act(action)
                except KeyboardInterrupt:
                    pass
            await_release()
            noted = " ".join(stage.journal)
            del stage.journal[:]
            assert f"{actions} -> {noted}" == f"{actions} -> {expected}"
    finally:
        # What is on the stage is observed by handlers that know the stage: not every such cycle ends by itself on PyPy.
        vars(stage).clear()

# SPDX-License-Identifier: MIT
"""Random programs on several threads against a model: pauses, blocks, batches, copies, interrupts, confinement, changes
of mode. Each thread takes its turn, so what has to arrive is known.

SWO_FUZZ=1000000 does that many operations of each kind of subject; what differs prints its seed, and SWO_FUZZ_SEED does
that one again.
"""

import copy
import os
import pickle
import random
from queue import SimpleQueue
from threading import Thread

import pytest

from swiftobserver import Messenger, Var

OPERATIONS = int(os.environ.get("SWO_FUZZ", 3000))
PROGRAM = 40


class Worker:
    """A thread that does one thing at a time, while its caller waits."""

    def __init__(self):
        self.jobs, self.done = SimpleQueue(), SimpleQueue()
        self.thread = Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while (job := self.jobs.get()) is not None:
            try:
                self.done.put((job(), None))
            except BaseException as error:
                self.done.put((None, error))

    def do(self, job):
        self.jobs.put(job)
        result, error = self.done.get()
        if error is not None:
            raise error
        return result

    def end(self):
        self.jobs.put(None)
        self.thread.join()


class Program:
    """One subject and its model."""

    def __init__(self, chance, kind, workers):
        self.chance, self.workers = chance, workers
        self.is_variable, self.is_native, self.is_confined = kind
        self.jobs, self.waiting_jobs = [], []
        self.subject = (
            (Var(0) if not self.is_native else Var(0, native=True))
            if self.is_variable
            else (Messenger(native=self.is_native))
        )
        if self.is_confined:
            self.subject.confine(self.jobs.append)
        self.value, self.left, self.batched = 0, [], None
        # What has begun, the oldest first: kind, what ends it, what waits in it.
        self.stays, self.observers, self.presses = [], [], False
        self.observe()

    # The model

    def change(self, number, author):
        """What a send or a set does."""
        if not self.is_variable:
            self.tell(number, author)
            return
        old, self.value = self.value, number
        if old == number:
            return
        if any(kind == "batch" for kind, _, _ in self.stays):
            self.batched = (old if self.batched is None else self.batched[0], author)
        else:
            self.tell((old, number), author)

    def tell(self, message, author):
        if any(kind == "blocked" for kind, _, _ in self.stays):
            return
        pauses = [waiting for kind, _, waiting in self.stays if kind == "paused"]
        if pauses:
            pauses[-1].append((message, author))
        else:
            self.deliver([(message, author)])

    def deliver(self, messages):
        """If it is interrupted, the rest is left to the next send."""
        self.left += messages
        if not messages:
            return
        while self.left:
            message, author = self.left.pop(0)
            was_pressed, self.presses = self.presses and bool(self.observers), self.presses and not self.observers
            for each in self.observers:
                each["has_to"].append((message, author))
            for each in [each for each in self.observers if each["once"]]:
                self.observers.remove(each)
            if was_pressed:
                self.interrupts = True
                if not self.observers:
                    # What is sent where nobody observes is lost.
                    self.left.clear()
                if self.subject.ordered:
                    return

    # Operations

    def on_some_thread(self, action):
        """Does it here or on another thread. Whether an interrupt came out must be what the model says."""
        self.interrupts = False
        worker = self.chance.choice([None, *self.workers])
        try:
            action() if worker is None else worker.do(action)
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
        return worker is None, interrupted

    def send(self):
        number, author = self.chance.randrange(6), self.chance.choice([None, None, "a", "b"])
        options = {} if author is None else {"author": author}
        send = self.subject.set if self.is_variable else self.subject.send
        is_pressed = self.press()
        is_here, interrupted = self.on_some_thread(lambda: send(number, **options))
        if self.is_confined and not is_here:
            self.waiting_jobs.append((number, author))
            self.release(is_pressed)
            return
        self.change(number, author)
        assert interrupted == self.interrupts
        self.release(is_pressed)

    def press(self):
        """Now and then the first handler that is called is interrupted."""
        self.presses = self.chance.random() < 0.1
        self.real_press = self.presses
        return self.presses

    def release(self, _):
        self.presses = self.real_press = False

    def run_jobs(self):
        jobs, self.jobs[:] = self.jobs[:], []
        for job in jobs:
            self.interrupts = False
            job()
        waiting, self.waiting_jobs = self.waiting_jobs, []
        assert len(jobs) == len(waiting)
        for number, author in waiting:
            self.change(number, author)

    def begin(self):
        kinds = ["blocked"]
        if self.is_variable and not self.is_confined:
            kinds.append("batch")
        if not self.is_native:
            kinds += ["paused", "paused"]
        kind = self.chance.choice(kinds)
        block = getattr(self.subject, kind)()
        is_here = self.is_confined
        block.begin() if is_here else self.on_some_thread(block.begin)
        self.stays.append((kind, block, []))

    def end(self):
        if not self.stays:
            return
        index = self.chance.randrange(len(self.stays))
        kind, block, waiting = self.stays[index]
        is_pressed = self.press()
        if self.is_confined:
            self.interrupts = False
            try:
                block.end()
                interrupted = False
            except KeyboardInterrupt:
                interrupted = True
        else:
            _, interrupted = self.on_some_thread(block.end)
        del self.stays[index]
        if kind == "batch":
            if not any(each == "batch" for each, _, _ in self.stays) and self.batched is not None:
                (old, author), self.batched = self.batched, None
                if old != self.value:
                    self.tell((old, self.value), author)
        elif kind == "paused":
            earlier = [each for each in self.stays[:index] if each[0] == "paused"]
            later = [each for each in self.stays[index:] if each[0] == "paused"]
            if earlier:
                earlier[-1][2].extend(waiting)
            elif later:
                later[0][2][:0] = waiting
            else:
                self.deliver(waiting)
        assert interrupted == self.interrupts, (kind, interrupted)
        self.release(is_pressed)

    def observe(self):
        observer = {"once": self.chance.random() < 0.2, "has": [], "has_to": []}

        def receive(message, author):
            message = tuple(message) if self.is_variable else message
            observer["has"].append((message, None if author is self.subject else author))
            if self.real_press:
                self.real_press = False
                raise KeyboardInterrupt

        observer["handle"] = self.subject.observe(receive, once=observer["once"])
        self.observers.append(observer)

    def stop(self):
        if len(self.observers) > 1:
            observer = self.observers.pop(self.chance.randrange(len(self.observers)))
            assert observer["handle"].stop(wait=self.chance.random() < 0.5)
            observer["stopped"] = list(observer["has_to"])
            self.check(observer)

    def copy(self):
        if not self.is_variable:
            return
        twin = self.chance.choice([copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])(
            self.subject
        )
        heard = []
        twin.observe(heard.append)
        assert twin.value == self.value
        assert not (twin.is_blocked or twin.is_paused)
        twin.value = 1000
        assert [each.new for each in heard] == [1000]

    def change_mode(self):
        if not self.is_confined and not self.left:
            self.subject.ordered = not self.subject.ordered

    def once_too_often(self):
        kind = self.chance.choice(
            ["blocked", *(["batch"] if self.is_variable else []), *([] if self.is_native else ["paused"])]
        )
        if not any(each == kind for each, _, _ in self.stays):
            with pytest.raises(RuntimeError):
                getattr(self.subject, kind)().end()

    def check(self, observer):
        assert observer["has"] == observer["has_to"]

    def run(self):
        operations = [self.send] * 8 + [self.begin, self.end] * 3
        operations += [self.observe, self.stop, self.copy, self.change_mode, self.once_too_often, self.run_jobs]
        for _ in range(PROGRAM):
            self.chance.choice(operations)()
            for each in self.observers:
                self.check(each)
            if self.is_variable:
                assert self.subject.value == self.value
        self.run_jobs()
        while self.stays:
            self.end()
        if not self.observers:
            self.observe()
        # What was left arrives, and what is sent last.
        self.change(100, None)
        self.subject.set(100) if self.is_variable else self.subject.send(100)
        for each in self.observers:
            self.check(each)


KINDS = {
    "variable": (True, False, False),
    "native variable": (True, True, False),
    "confined variable": (True, True, True),
    "messenger": (False, False, False),
    "native messenger": (False, True, False),
    "confined messenger": (False, False, True),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_random_programs_do_what_the_model_says(kind):
    workers = [Worker() for _ in range(2)]
    only = os.environ.get("SWO_FUZZ_SEED")
    seeds = [int(only)] if only else range(-(-OPERATIONS // PROGRAM))
    try:
        for seed in seeds:
            try:
                Program(random.Random(seed), kind, workers).run()
            except BaseException as error:
                raise AssertionError(f"SWO_FUZZ_SEED={seed}") from error
    finally:
        for each in workers:
            each.end()

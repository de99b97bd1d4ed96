# SPDX-License-Identifier: MIT
"""The questions that the plots answer, one each."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Question(NamedTuple):
    file: str
    title: str
    # What a size means; none where there is one size: then there are bars.
    size: Optional[str]
    measures: list[str]
    # The figures are shown as multiples of this subject's.
    relative_to: Optional[str] = None
    # Levels to reach.
    goals: tuple[float, ...] = ()
    note: str = ""


LANGUAGES = ("C", "Swift", "Python")
QUESTIONS = [
    *(
        Question(
            f"delivery-{one.lower()}", f"What a delivered message costs in {one}", "observers", [f"{one}, delivery"]
        )
        for one in LANGUAGES
    ),
    *(
        Question(
            f"observing-{one.lower()}",
            f"What it costs to observe and to stop in {one}",
            "others that observe",
            [f"{one}, observe + stop"],
        )
        for one in LANGUAGES
    ),
    *(
        Question(
            f"memory-{one.lower()}",
            f"How much memory an observation takes in {one}",
            "observations",
            [f"{one}, memory of an observation"],
        )
        for one in LANGUAGES
    ),
    Question(
        "variables",
        "What a variable costs in C",
        None,
        [
            "C, get a variable",
            "C, set a variable to what it is",
            "C, set a variable without observers",
            "C, set a variable with one observer",
        ],
    ),
    Question(
        "derived",
        "What a set costs that derived variables depend on, of the same for one thread alone",
        None,
        [
            "C, a set behind a derived diamond",
            "C, a set behind 100 derived side by side",
            "C, a set behind a derived chain of 100",
            "C, a set behind 50 derived pairs",
            "C, a set behind a derived triangle",
            "C, a set of one of 100 in a sum",
            "C, a set behind an unstable choice",
            "C, a set that leads to no other value",
            "C, a set of what is read 30 times",
            "C, a transaction behind 100 layers of four",
            "C, two sets and a read of a derived chain of 100",
            "C, a read of a derived variable",
        ],
        relative_to="the same for one thread alone",
        goals=(1.5,),
    ),
    Question(
        "derived-swift",
        "What a set costs behind a value that is computed of two and observed, in Swift",
        None,
        ["Swift, a set behind a value computed of two"],
    ),
    Question(
        "variables-python",
        "What it costs to set a variable in Python",
        None,
        ["Python, set a variable with one observer"],
    ),
    Question(
        "variables-swift",
        "What a variable costs in Swift",
        None,
        ["Swift, get a variable", "Swift, set a variable to what it is", "Swift, set a variable with one observer"],
    ),
    Question(
        "threads",
        "What threads reach on one observable, of one thread to which it is not biased",
        "observers",
        ["C, threads"],
        relative_to="ordered, 1 thread, biased to none",
        goals=(1,),
        note="Ordered, one thread delivers what the others hand over.",
    ),
    Question("hand-over", "How fast messages get to another thread in C", None, ["C, hand-over to another thread"]),
    Question(
        "chains-swift",
        "A message through a map and a filter in Swift",
        "chains",
        ["Swift, delivery through map and filter"],
    ),
    Question(
        "delivery-main-actor",
        "What a delivered message costs on the main actor in Swift",
        "observers",
        ["Swift, delivery on the main actor"],
        note="Each call makes sure that it is there.",
    ),
    Question(
        "vocabularies",
        "The vocabularies of other libraries",
        "observers",
        ["Swift, delivery by vocabulary", "Swift, delivery of values by vocabulary"],
    ),
    Question(
        "growth-observers",
        "A delivery, by the observers of the observable",
        "observers",
        ["C, delivery by observers", "Python, delivery by observers"],
        note="Handlers and contexts leave one cache after another; a bare loop shows the same.",
    ),
    Question(
        "growth-distance",
        "A delivery by a bare loop, by how far it lies from the handlers",
        "bytes between them",
        ["C, delivery by the distance of a loop from its handlers"],
        note="Libraries lie 2^45 bytes from a program: their calls and returns are the far ones.",
    ),
    Question(
        "growth-observables",
        "A send to one observer, by the observables that there are",
        "observables",
        ["C, send among many observables"],
        note="Chosen at random, the observables are found in no cache once there are many.",
    ),
    Question(
        "growth-observing",
        "To observe and to stop, by what else there is",
        "others",
        [
            "C, observe + stop by others of the observable",
            "C, observe + stop among many observables",
            "Python, observe + stop by others of the observable",
        ],
        note="Chosen at random, the observables are found in no cache once there are many.",
    ),
    Question(
        "growth-chains",
        "A map, by the length of its chain",
        "maps",
        ["C, a map by the length of its chain"],
        note="Each map is calls inside calls: beyond sixteen or so, the processor no longer foresees the returns.",
    ),
    Question(
        "growth-combined",
        "A part of a combined message, by the parts",
        "observables",
        ["C, a combined message by parts"],
    ),
    Question(
        "growth-memory",
        "Memory of an observation, by how many there are",
        "observations",
        ["C, memory of an observation by how many there are"],
        goals=(64,),
    ),
    Question(
        "growth-memory-observables",
        "Memory of an observable, by how many there are",
        "observables",
        ["C, memory of an observable by how many there are"],
        goals=(160,),
    ),
    Question("burst", "What a burst of a million observations leaves", None, ["C, memory kept after a burst"]),
    Question(
        "relays",
        "What a value takes to another connection, by a broker",
        None,
        ["Relays, a value to another connection", "Relays, processor time of a value"],
    ),
    Question(
        "relays-bursts",
        "How many values and events a second get to another connection",
        None,
        ["Relays, values in a burst", "Relays, events in a burst"],
    ),
    Question(
        "relays-mirrors",
        "What 10,000 mirrored variables take that change once a second",
        None,
        ["Relays, processor time of mirrored variables at 1 Hz"],
        goals=(25,),
    ),
    Question("loading", "How long the library takes to load", None, ["C, loading the library"]),
    Question("import", "How long it takes to import", None, ["Python, import"]),
]

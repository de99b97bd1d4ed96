# SPDX-License-Identifier: MIT
"""Puts the faults of faults.txt into a copy of the relays' sources, and looks whether the fuzzer finds them.

faults.py seed FOLDER            the copy, with all faults, none of them switched on
faults.py find FUZZER CORPUS     each one, switched on, has to end the fuzzer
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parents[2] / "Sources/ObserverRelay"


def read():
    """The name of each fault, its file, its lines and what takes their place."""
    for block in (HERE / "faults.txt").read_text().split("\n= ")[1:]:
        name, *lines = block.splitlines()
        parts = {mark: "\n".join(line[2:] for line in lines if line[:2] == mark + " ") for mark in "@-+"}
        yield name, parts["@"], parts["-"], parts["+"]


def seed(folder):
    texts = {path.name: path.read_text() for path in SOURCES.rglob("*.swift")}
    for number, (name, file, old, new) in enumerate(read(), 1):
        if texts[file].count(old + "\n") != 1:
            sys.exit(f"faults.txt: the lines of '{name}' do not stand in {file} once")
        texts[file] = texts[file].replace(old + "\n", new.replace("FAULT", f"isBroken({number})") + "\n")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        # What is as it was is not compiled again.
        if not (folder / name).exists() or (folder / name).read_text() != text:
            (folder / name).write_text(text)


def find(fuzzer, corpus):
    missed = 0
    faults = list(read())
    for number, (name, *_) in enumerate(faults, 1):
        environment = {**os.environ, "RELAY_FAULT": str(number)}
        # The fuzzer writes what it finds into the first folder.
        with tempfile.TemporaryDirectory() as findings:
            prefix = f"-artifact_prefix={fuzzer.parent}/found-"
            command = [fuzzer, "-runs=500000", "-max_len=300", prefix, findings, corpus]
            run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        said = [line for line in run.stderr.splitlines() if "ERROR: " in line or "rror: " in line]
        print(f"{'found' if run.returncode else 'MISSED'}: {name}{': ' + said[0][:100] if said else ''}", flush=True)
        missed += run.returncode == 0
    print(f"relays that are fuzzed: {len(faults) - missed} of {len(faults)} seeded faults found")
    sys.exit(missed > 0)


if sys.argv[1] == "seed":
    seed(pathlib.Path(sys.argv[2]))
else:
    find(pathlib.Path(sys.argv[2]), sys.argv[3])

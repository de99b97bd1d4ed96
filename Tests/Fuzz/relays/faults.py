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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Mutation"))
from faults import edited, read  # noqa: E402

SOURCES = HERE.parents[2] / "Sources"
LIST = HERE / "faults.txt"


def seed(folder):
    texts = {path: path.read_text() for path in (SOURCES / "ObserverRelay").rglob("*.swift")}
    edits = [edit for fault in read(LIST) for edit in fault.edits]
    for file in {edit.file for edit in edits}:
        there = [edit for edit in edits if edit.file == file]
        texts[SOURCES / file] = edited(file, texts[SOURCES / file], there, "isBroken({})")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        # What is as it was is not compiled again.
        made = folder / path.name
        if not made.exists() or made.read_text() != text:
            made.write_text(text)


def find(fuzzer, corpus):
    missed = 0
    faults = read(LIST)
    for fault in faults:
        environment = {**os.environ, "RELAY_FAULT": str(fault.number)}
        # The fuzzer writes what it finds into the first folder.
        with tempfile.TemporaryDirectory() as findings:
            prefix = f"-artifact_prefix={fuzzer.parent}/found-"
            command = [fuzzer, "-runs=500000", "-max_len=300", prefix, findings, corpus]
            run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        said = [line for line in run.stderr.splitlines() if "ERROR: " in line or "rror: " in line]
        print(
            f"{'found' if run.returncode else 'MISSED'}: {fault.name}{': ' + said[0][:100] if said else ''}", flush=True
        )
        missed += run.returncode == 0
    print(f"relays that are fuzzed: {len(faults) - missed} of {len(faults)} seeded faults found")
    sys.exit(missed > 0)


if sys.argv[1] == "seed":
    seed(pathlib.Path(sys.argv[2]))
else:
    find(pathlib.Path(sys.argv[2]), sys.argv[3])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks the relay in the ways of broken.txt, one at a time, and sees that the test of each fails, or waits for ever.

Usage: broken.py FOLDER OUT [PART OF A NAME]. In FOLDER the broken libraries are built; OUT has the tests."""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Mutation"))
import faults  # noqa: E402

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent.parent
# A test that fails by waiting is given up after so many seconds; a machine that is too busy for it shows nothing wrong.
LONG = 60


# How many tests wait beside one another, while the next library is built.
WAITING = 4


def main():
    folder, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in os.listdir(ROOT):
        if name not in (".git", ".build", "build", "Sources"):
            os.symlink(ROOT / name, folder / name)
    shutil.copytree(ROOT / "Sources", folder / "Sources")
    built = folder / "build" / out.name
    # What is not broken is not built again.
    shutil.copytree(out, built, symlinks=True, ignore=shutil.ignore_patterns("tests*", "fuzz", "module-cache"))
    with concurrent.futures.ThreadPoolExecutor(WAITING) as pool:
        runs = []
        for fault in faults.read(HERE / "broken.txt"):
            if wanted not in fault.name:
                continue
            build(fault, folder)
            libraries = folder / "libraries" / str(len(runs))
            libraries.mkdir(parents=True)
            for library in built.glob("*.so*"):
                shutil.copy2(library, libraries, follow_symlinks=False)
            runs.append(pool.submit(notices, fault, libraries, out / "tests/relay"))
        found = sum(run.result() for run in runs)
    print(f"broken relays: {found} found, {len(runs) - found} not found")
    sys.exit(found < len(runs) or not runs)


def build(fault, folder):
    texts = {edit.file: (ROOT / "Sources" / edit.file).read_text(encoding="utf-8") for edit in fault.edits}
    for file, text in texts.items():
        there = [edit for edit in fault.edits if edit.file == file]
        (folder / "Sources" / file).write_text(faults.edited(file, text, there, "true"), encoding="utf-8")
    subprocess.run(["make", "--no-print-directory", "--silent", "relay"], cwd=folder, check=True)
    for file, text in texts.items():
        (folder / "Sources" / file).write_text(text, encoding="utf-8")


def notices(fault, libraries, programs):
    program, _, test = fault.noticed_by.partition(": ")
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries)}
    command = ["timeout", "--kill-after=5s", str(LONG), str(programs / program), test]
    nothing = subprocess.DEVNULL
    run = subprocess.run(command, env=environment, stdin=nothing, stdout=nothing, stderr=nothing)
    how = "waits for ever" if run.returncode == 124 else f"exit {run.returncode}"
    print(f"{'found' if run.returncode else 'NOT FOUND'} ({how}): {fault.name}", flush=True)
    return run.returncode != 0


main()

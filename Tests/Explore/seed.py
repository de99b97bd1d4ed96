# SPDX-License-Identifier: MIT
"""Puts the faults of faults.txt into a copy of the sources, or says which program shows which fault.

seed.py FOLDER    Sources are copied there, with all faults, each behind a switch
seed.py           number, program and name of each fault, with tabs between them
"""

import pathlib
import re
import shutil
import sys

here = pathlib.Path(__file__).parent
top = here.parent.parent


def faults():
    found = []
    for line in (here / "faults.txt").read_text().splitlines():
        mark, text = line[:1], line[2:]
        if mark == "=":
            found.append({"name": text, "-": [], "+": []})
        elif mark in "@?" and mark:
            found[-1][mark] = text
        elif mark in "-+" and mark:
            found[-1][mark].append(text)
    return found


def seed(folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(top / "Sources", folder)
    for number, fault in enumerate(faults(), 1):
        file = folder.parent / fault["@"]
        text = file.read_text()
        # Other faults may have come into the lines between.
        pattern = r"\n(?:.*explore_fault.*\n)*".join(re.escape(line) for line in fault["-"])
        if len(re.findall("^" + pattern + "$", text, re.MULTILINE)) != 1:
            sys.exit(f"faults.txt: the lines of '{fault['name']}' do not stand in {fault['@']} once")
        new = "\n".join(fault["+"]).replace("FAULT", f"(explore_fault() == {number})")
        text = re.sub("^" + pattern + "$", lambda _: new, text, flags=re.MULTILINE)
        if file.suffix == ".swift" and "import CPlatform" not in text:
            text = "import CPlatform\n" + text
        file.write_text(text)


if len(sys.argv) > 1:
    seed(pathlib.Path(sys.argv[1]).resolve() / "Sources")
else:
    for number, fault in enumerate(faults(), 1):
        print(number, fault["?"], fault["name"], sep="\t")

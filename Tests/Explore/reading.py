# SPDX-License-Identifier: MIT
"""The failure that README.md reads is what the explorer prints: each line that stands there, in that order.

Usage: reading.py EXPLORER-WITH-FAULTS. Numbers of lines in the sources, and addresses of locks, are left out.
"""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Mutation"))
import faults  # noqa: E402


def words(line: str) -> str:
    line = re.sub(r":\d+", "", line)
    return " ".join(re.sub(r"\b(lock|unlock) .*", r"\1", line).split())


def main(explorer: str) -> None:
    page = (HERE / "README.md").read_text()
    told = re.search(r"<!-- executed by reading.py: (.*) -->\n```text\n(.*?)```", page, re.DOTALL)
    fault = next(each for each in faults.read(HERE / "faults.txt") if each.name == told[1])
    run = subprocess.run(
        [explorer, "-q", "-j", "1", "-b", "1", "-l", "100000", fault.noticed_by],
        env={**os.environ, "EXPLORE_FAULT": str(fault.number)},
        capture_output=True,
        text=True,
        check=False,
    )
    printed = iter(map(words, run.stderr.splitlines()))
    for line in told[2].splitlines():
        if words(line) not in printed:
            sys.exit(f"README.md reads '{line.strip()}', which is not printed there:\n{run.stderr}")
    print("the failure in README.md reads as it says")


if __name__ == "__main__":
    main(sys.argv[1])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds an operator to a copy of the checkout by the list in CONTRIBUTING.md, so that the list stays true.

Usage: add_operator.py FOLDER

The operator is `every_other`, which passes on the first, third, fifth message. What the list says is written by hand
is added by hand, here; the rest has to come by itself, and no other file may change. What is built and run afterwards
is in Tests/checks.mk.
"""

from __future__ import annotations

import filecmp
import pathlib
import re
import shutil
import subprocess
import sys

MOST_FILES, MOST_BY_HAND = 11, 9
LICENSE = "// SPDX-License-Identifier: MIT\n\n"

# By the end of each path of the list: the text before which the addition comes, or none for a file of its own.
ADDITIONS: dict[str, tuple[str, str]] = {
    "ObserverEngine": (
        "EveryOther.swift",
        LICENSE
        + """/// Passes on every other message, beginning with the first.
///
///     sent    1 2 3
///     passed  1   3
@inlinable
public func takingEveryOther<Message>() -> Step<Message, Message> {
    var isPassed = false
    return { message in
        isPassed.toggle()
        return isPassed ? message : nil
    }
}
""",
    ),
    "SwiftObserver": (
        "EveryOther.swift",
        LICENSE
        + """import ObserverEngine

extension Observable {
    /// An observable that passes on every other message of this one, beginning with the first.
    @inlinable
    public func everyOther() -> Transform<Self, Message> { Transform(self, takingEveryOther()) }
}

extension AdHocObservation {
    /// Passes on every other message, beginning with the first.
    @inlinable
    public func everyOther() -> AdHocObservation<Message> { through { takingEveryOther() } }
}
""",
    ),
    "SwiftObserverC": (
        "EveryOther.swift",
        LICENSE
        + """import CSwiftObserver
import ObserverEngine

@_cdecl("swo_every_other")
public func swo_every_other(
    _ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> swo_status {
    attach("every other", to: source, out, passing(takingEveryOther()))
}
""",
    ),
    "swiftobserver.h": (
        "/** Makes an observable that sends the messages of several",
        """/** Makes an observable that passes on every other message, beginning with the first. It keeps `source`
 *  alive.
 *
 *      sent         1 2 3
 *      every other  1   3
 */
SWO_API swo_status swo_every_other(swo_observable *SWO_NULLABLE source,
                                   swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

""",
    ),
    "observable.hpp": (
        "    observable unique_values() const",
        "    observable every_other() const { return observable(made(swo_every_other)); }\n",
    ),
    "methods.py": (
        "    def unique_values(self)",
        '''    def every_other(self) -> Observable[Message_co]:
        """An observable that passes on every other message of this one, beginning with the first."""
        passed = itertools.cycle((True, False))
        return self._made_by(transforms.filtered, lambda message: next(passed), "every_other")

''',
    ),
    "transforms.txt": (
        "Unique values are those",
        """Every other message begins with the first. (22)
    messenger m; odd = every_other m; observe odd a
    send m 1 -> a1
    send m 2
    send m 3 -> a3

""",
    ),
    "ScenarioTests.swift": (
        '        case "unique_values"',
        '        case "every_other": return source.everyOther()\n',
    ),
    "steps.hpp": (
        "    case Kind::swo_unique_values",
        """    case Kind::swo_every_other:
        return passing([isPassed = false](const Message &) mutable { return isPassed = !isPassed; });
""",
    ),
}


def main(folder: str) -> None:
    copy = pathlib.Path(folder)
    section = pathlib.Path("CONTRIBUTING.md").read_text(encoding="utf-8").split("\n## Adding an operator\n")[1]
    listed = re.findall(r"^\d+\. (.*?`([^`]+/[^`]+)`.*?)$", section.split("\n## ")[0], re.MULTILINE)
    by_hand = [path for line, path in listed if "accept-abi" not in line]
    written = [path for line, path in listed if "accept-abi" in line]
    if len(listed) > MOST_FILES or len(by_hand) > MOST_BY_HAND or len(by_hand) != len(ADDITIONS):
        sys.exit(f"operator: the list has {len(listed)} files, {len(by_hand)} of them by hand")
    take_over(copy)
    added = {add(copy, path) for path in by_hand}
    make(copy, "accept-abi")
    changed = {each for each in sources() if not filecmp.cmp(each, copy / each, shallow=False)}
    if changed - added != set(written) or added - changed != {
        each for each in added if not pathlib.Path(each).exists()
    }:
        sys.exit(f"operator: changed were {sorted(changed | added)}")
    print(f"{len(added)} files by hand, {len(written)} by make accept-abi")


def sources() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return [each for each in listed if pathlib.Path(each).is_file()]


def take_over(copy: pathlib.Path) -> None:
    """Has in the copy what is in the checkout, without touching what is the same already."""
    wanted = set(sources())
    for each in wanted:
        target = copy / each
        if not target.exists() or not filecmp.cmp(each, target, shallow=False):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(each, target)
    for target in copy.rglob("*"):
        name = str(target.relative_to(copy))
        if target.is_file() and not name.startswith(("build/", ".build/")) and name not in wanted:
            target.unlink()


def add(copy: pathlib.Path, path: str) -> str:
    """Adds what is listed for a path. The file that it went to."""
    part = next(each for each in ADDITIONS if each in path.split("/"))
    place, text = ADDITIONS[part]
    if place.endswith(".swift") and not path.endswith(".swift"):
        (copy / path / place).write_text(text, encoding="utf-8")
        return f"{path}/{place}"
    file = copy / path
    before = file.read_text(encoding="utf-8")
    if before.count(place) != 1:
        sys.exit(f"operator: {path} has {before.count(place)} times: {place}")
    after = before.replace(place, text + place)
    if part == "methods.py":
        after = after.replace(
            "from __future__ import annotations\n", "from __future__ import annotations\n\nimport itertools\n"
        )
    file.write_text(after, encoding="utf-8")
    return path


def make(copy: pathlib.Path, *targets: str) -> None:
    subprocess.run(["make", "--no-print-directory", "-C", str(copy), *targets], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmark ends whatever is missing, and says what was. Its repeats are far too short here."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
# A subject of ten nanoseconds a unit by a clock of its own, whose first run takes 16 milliseconds more.
SLOW_TO_BEGIN = r"""
#include <stdbool.h>
#include <time.h>

static double now_in_nanoseconds;
static int tell(struct timespec *now) {
    now->tv_sec = (time_t)(now_in_nanoseconds / 1e9);
    now->tv_nsec = (long)(now_in_nanoseconds - (double)now->tv_sec * 1e9);
    return 0;
}
#define clock_gettime(clock, now) tell(now)
#include "measure.h"

static void do_units(void *has_begun, long count) {
    now_in_nanoseconds += 10 * (double)count + (*(bool *)has_begun ? 0 : 16e6);
    *(bool *)has_begun = true;
}

int main(void) {
    bool has_begun = false;
    printf("%ld", units_in_a_slice(do_units, &has_begun));
    return 0;
}
"""
FIGURE = '{"measure": "C, delivery", "subject": "%s", "size": %d, "value": %g, "unit": "ns"}'


def bench(folder: str, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, str(HERE / "bench.py"), *arguments, "--output", folder]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def addresses(library: pathlib.Path) -> dict[str, str]:
    """Where the functions of a library lie."""
    said = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {name: address for address, _, name in (line.split() for line in said.splitlines())}


class BenchTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name)
        before, slow = FIGURE % ("said before it hung", 20, 1), FIGURE % ("swiftobserver", 10, 3)
        scripts = {
            "fails": "print('" + FIGURE % ("raw loop", 10, 2) + "'); raise SystemExit('error: the peer is ill')",
            "hangs": "print('" + before + "', flush=True); import time; time.sleep(600)",
            "babbles": "print('no figure')",
            "is_silent": "pass",
            "is_well": "print('" + slow + "'); print('" + FIGURE % ("GObject, emit", 10, 30) + "')",
        }
        added = ["--add", "no-such-program"]
        for name, text in scripts.items():
            (path / f"{name}.py").write_text(text, encoding="utf-8")
            (path / name).write_text(f"#!/bin/sh\nexec {sys.executable} {path / name}.py\n", encoding="utf-8")
            (path / name).chmod(0o755)
            added += ["--add", str(path / name)]
        only = ["--only", "variables", "no-such", *(str(path / name) for name in scripts)]
        cls.run_ = bench(cls.folder.name, "--rounds", "2", "--slice", "20", "--timeout", "20", *only, *added)
        cls.content = json.loads((path / "results.json").read_text(encoding="utf-8"))
        cls.markdown = (path / "results.md").read_text(encoding="utf-8")
        cls.path = path

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def why(self, name: str) -> str:
        return next(why for program, why in self.content["absent"].items() if program.endswith(name))

    def test_what_fails_hangs_babbles_or_is_not_there_is_a_line(self) -> None:
        self.assertEqual(self.why("fails"), "failed: exit 1: error: the peer is ill")
        self.assertEqual(self.why("hangs"), "failed: not done within 20 s")
        self.assertIn("no figure", self.why("babbles"))
        self.assertEqual(self.why("is_silent"), "failed: said nothing")
        self.assertIn("No such file", self.why("no-such-program"))
        for why in self.content["absent"].values():
            self.assertIn(why, self.markdown)
            self.assertIn(why, self.run_.stdout)

    def test_what_was_said_before_a_failure_counts(self) -> None:
        self.assertEqual([row["value"] for row in self.rows("raw loop")], [2])
        self.assertEqual([row["value"] for row in self.rows("said before it hung")], [1])

    def rows(self, subject: str) -> list[dict]:
        return [row for row in self.content["rows"] if row["measure"] == "C, delivery" and row["subject"] == subject]

    def test_what_fails_is_not_run_again_and_the_others_are(self) -> None:
        self.assertEqual([row["round"] for row in self.rows("raw loop")], [1])
        self.assertEqual([row["round"] for row in self.rows("GObject, emit")], [1, 2])

    def test_bars_are_judged_by_medians_of_ratios_and_what_is_not_measured_is_missed(self) -> None:
        self.assertIn(
            "reached: C, delivery, 10 observing: at most 1/10 of GObject, emit: 0.10 (limit 0.10)", self.markdown
        )
        self.assertIn("MISSED: C, delivery, 100 observing: at most 1/10 of GObject, emit: not measured", self.markdown)

    def test_the_rows_are_a_file_and_each_round_has_a_library_linked_in_another_order(self) -> None:
        lines = (self.path / "rows.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "round,build,program,measure,subject,size,value,unit")
        self.assertEqual(len(lines), len(self.content["rows"]) + 1)
        self.assertEqual({(row["round"], row["build"]) for row in self.content["rows"]}, {(1, 1), (2, 2)})
        folder = HERE.parent.parent / "build/embedded"
        built, linked = folder / "libswiftobserver.so", folder / "link-orders/2/libswiftobserver.so.0"
        self.assertNotEqual(addresses(built), addresses(linked))
        self.assertEqual(addresses(built).keys(), addresses(linked).keys())

    def test_what_differs_by_more_than_a_quarter_is_said_to_be_unstable(self) -> None:
        sys.path.insert(0, str(HERE))
        self.addCleanup(sys.path.remove, str(HERE))
        from results import summary

        self.assertEqual(str(summary([10, 12, 13])), "12.0 (10.0 to 13.0, unstable)")
        self.assertEqual(str(summary([10, 11, 12])), "11.0 (10.0 to 12.0)")

    def test_threads_that_did_not_send_at_once_for_long_are_no_figure(self) -> None:
        program = HERE.parent.parent / "build/embedded/benchmarks/threads"
        make = ["make", "--no-print-directory", "build/embedded/benchmarks/threads"]
        subprocess.run(make, check=True, capture_output=True, cwd=HERE.parent.parent)
        run = subprocess.run([program, "1"], text=True, capture_output=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("did not send at once for 100 ms", run.stderr)
        self.assertEqual(run.stdout, "")

    def test_the_machine_and_the_peers_are_described(self) -> None:
        self.assertTrue(self.content["machine"]["cores"].isdigit())
        for name in ("processor", "kernel", "governor", "C compiler"):
            self.assertTrue(self.content["machine"][name])
        for name in ("GLib", "Boost.Signals2", "libsigc++", "Qt", "OpenCombine", "psygnal", "PyDispatcher"):
            self.assertTrue(self.content["peers"][name])

    def test_a_program_of_the_project_is_measured_into_table_and_plot(self) -> None:
        self.assertIn("## C, get a variable", self.markdown)
        self.assertRegex(self.markdown, r"\| swiftobserver \| [\d.,]+ \([\d.,]+ to [\d.,]+(, unstable)?\)")
        self.assertIn("What a variable costs in C", (self.path / "variables.svg").read_text(encoding="utf-8"))

    def test_what_happens_once_does_not_shorten_the_repeats(self) -> None:
        program = self.path / "slow_to_begin"
        command = ["cc", "-x", "c", "-std=gnu11", "-I", str(HERE / "c"), "-", "-o", str(program)]
        subprocess.run(command, input=SLOW_TO_BEGIN, text=True, check=True)
        run = subprocess.run([program], env={"BENCH_SLICE": "10000"}, text=True, capture_output=True, check=True)
        self.assertEqual(run.stdout, "1000000")

    def test_what_happens_once_does_not_shorten_the_repeats_in_python(self) -> None:
        sys.path.insert(0, str(HERE / "python"))
        self.addCleanup(sys.path.remove, str(HERE / "python"))
        specification = importlib.util.spec_from_file_location("bench_of_python", HERE / "python/bench.py")
        measured = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(measured)
        clock = {"now": 0, "extra": 16_000_000}
        measured.perf_counter_ns = lambda: clock["now"]

        def take_ten_nanoseconds() -> None:
            clock["now"] += 10 + clock.pop("extra", 0)

        self.assertEqual(measured.fitting(take_ten_nanoseconds), measured.SLICE // 10)

    def test_the_same_figures_draw_the_same_bytes(self) -> None:
        python = HERE.parent.parent / "build/bench/python/bin/python"
        with tempfile.TemporaryDirectory() as again:
            subprocess.run(
                [python, HERE / "plots.py", self.path / "results.json", again], check=True, capture_output=True
            )
            for file in pathlib.Path(again).glob("*.svg"):
                self.assertEqual(file.read_bytes(), (self.path / file.name).read_bytes(), file.name)

    def test_the_readme_gets_the_table_and_the_plot(self) -> None:
        names = ("README.md", "all.md", "plot.svg", "raw.csv")
        readme, document, plot, raw = (self.path / name for name in names)
        readme.write_bytes((HERE.parent.parent / "README.md").read_bytes())
        document.write_bytes((HERE / "README.md").read_bytes())
        fill = [sys.executable, HERE / "readme.py", self.folder.name, readme, plot, document, raw]
        subprocess.run(fill, check=True)
        filled = readme.read_text(encoding="utf-8")
        self.assertRegex(filled, r"\| each of 10 handlers in C \| \*\*[\d.]+\*\* \| GObject, emit")
        self.assertRegex(document.read_text(encoding="utf-8"), r"\| to each of 10 \| \*\*[\d.]+\*\* \| GObject, emit")
        self.assertIn("[The raw rows](raw.csv)", document.read_text(encoding="utf-8"))
        self.assertEqual(raw.read_bytes(), (self.path / "rows.csv").read_bytes())
        self.assertLess(plot.stat().st_size, 60_000)
        subprocess.run(fill, check=True)
        self.assertEqual(readme.read_text(encoding="utf-8"), filled)
        readme.write_text("no place\n", encoding="utf-8")
        self.assertIn("has no place", subprocess.run(fill, capture_output=True, text=True).stderr)

    def test_every_measure_of_the_programs_has_a_question_or_is_known_to_have_none(self) -> None:
        sources = [
            *HERE.glob("c/*.c"),
            *HERE.glob("cxx/*.cpp"),
            *HERE.glob("swift/Sources/*/*.swift"),
            HERE / "python/bench.py",
        ]
        said = {
            name
            for file in sources
            for name in re.findall(r'"((?:C|Swift|Python|Relays), [^"{%]+)"', file.read_text(encoding="utf-8"))
        }
        asked = {
            name
            for name in re.findall(
                r'"((?:C|Swift|Python|Relays), [^"{]+)"', (HERE / "questions.py").read_text(encoding="utf-8")
            )
        }
        asked |= {
            f"{one}, {what}"
            for one in ("C", "Swift", "Python")
            for what in ("delivery", "observe + stop", "memory of an observation")
        }
        self.assertEqual(said - asked, TABLES_ALONE)


# What stands in the tables alone.
TABLES_ALONE = {
    "C, bare arithmetic by threads",
    "C, how long both threads worked at least",
    "C, memory of a derived variable",
    "C, threads: how long all of them sent at once",
    "C, threads: what the one that sent least sent of an even share",
    "C, sets of graphs of their own by threads",
    "Python, delivery to weak methods",
    "Python, memory left by a million deliveries",
    "Relays, memory of a mirrored variable",
    "Relays, processor time of a value in a burst",
    "Relays, processor time of an event in a burst",
    "Relays, resident memory of a mirrored variable",
    "Swift, allocations for a message",
    "Swift, delivery of values to a weakly held object",
    "Swift, delivery to for await",
}

if __name__ == "__main__":
    unittest.main(verbosity=1)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the questions that a result answers, each into an SVG file: the same bytes from the same figures.

Usage: plots.py JSON-FILE FOLDER
"""

from __future__ import annotations

import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter  # noqa: E402
from questions import LANGUAGES, QUESTIONS, Question  # noqa: E402
from results import Results  # noqa: E402

# Text stays text, and nothing in the file depends on when it was made.
plt.rcParams.update(
    {"svg.fonttype": "none", "svg.hashsalt": "swiftobserver", "font.size": 9, "font.family": "sans-serif"}
)
OURS = "#c0392b"
OTHERS = ["#2c6fa6", "#5b9f4a", "#d98b1f", "#7d5aa6", "#3aa6a0", "#8c6d4f", "#b0588f", "#6f7f2f", "#4f5d75"]
PLAIN = FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")


def main(path: str, folder: str) -> None:
    results = Results(json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["rows"])
    target = pathlib.Path(folder)
    drawn = 0
    for question in QUESTIONS:
        measures = [measure for measure in question.measures if measure in results.units]
        if measures:
            draw(question, measures, results, target / f"{question.file}.svg")
            drawn += 1
    draw_costs(results, target / "costs.svg")
    print(f"{drawn + 1} plots in {folder}")


def draw(question: Question, measures: list[str], results: Results, file: pathlib.Path) -> None:
    figure, axes = plt.subplots(figsize=(7.2, 4.4 if question.size else 0.8 + 0.34 * bars_in(measures, results)))
    (draw_lines if question.size else draw_bars)(axes, question, measures, results)
    axes.set_title(question.title, loc="left", fontsize=11)
    if question.note:
        figure.text(0.01, 0.005, question.note, fontsize=7, color="#555555")
    figure.tight_layout(rect=(0, 0.02 if question.note else 0, 1, 1))
    save(figure, file)


def save(figure: plt.Figure, file: pathlib.Path) -> None:
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)


def color_of(subject: str, index: int) -> str:
    return OURS if "swiftobserver" in subject.lower() else OTHERS[index % len(OTHERS)]


def draw_lines(axes: plt.Axes, question: Question, measures: list[str], results: Results) -> None:
    ours = 0
    index = 0
    for measure in measures:
        for subject in results.subjects[measure]:
            points = []
            for size in sorted(results.sizes[measure]):
                baseline = (measure, question.relative_to, size) if question.relative_to else None
                found = (
                    results.ratio((measure, subject, size), baseline)
                    if baseline
                    else results.of(measure, subject, size)
                )
                if found and found.median > 0:
                    points.append((size, found))
            if not points:
                continue
            is_ours = "swiftobserver" in subject.lower()
            label = subject if len(measures) == 1 else f"{measure.split(', ', 1)[0]}: {short(measure)}, {subject}"
            axes.errorbar(
                [size for size, _ in points],
                [found.median for _, found in points],
                yerr=[
                    [found.median - found.lowest for _, found in points],
                    [found.highest - found.median for _, found in points],
                ],
                label=label,
                color=color_of(subject, index),
                linestyle=("-", "--", ":", "-.")[ours % 4] if is_ours else "-",
                linewidth=2.2 if is_ours else 1.2,
                marker="o" if is_ours else ".",
                markersize=4,
                capsize=2,
                elinewidth=0.8,
            )
            ours += is_ours
            index += not is_ours
    for goal in question.goals:
        axes.axhline(goal, color="#999999", linewidth=0.8, linestyle=":")
    scale_of(axes, measures, results)
    axes.set_xlabel(question.size)
    axes.set_ylabel(f"times “{question.relative_to}”" if question.relative_to else results.units[measures[0]])
    axes.legend(fontsize=7, frameon=False)


def short(measure: str) -> str:
    return measure.split(", ", 1)[-1]


def scale_of(axes: plt.Axes, measures: list[str], results: Results) -> None:
    """Both axes are logarithmic; a size of none has its place on the left."""
    sizes = sorted({size for measure in measures for size in results.sizes[measure]})
    axes.set_xscale("symlog", linthresh=1) if 0 in sizes else axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes)
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(PLAIN)
    axes.yaxis.set_major_formatter(PLAIN)
    axes.grid(True, which="major", color="#e6e6e6", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def bars_in(measures: list[str], results: Results) -> int:
    return sum(len(results.subjects[measure]) for measure in measures) + len(measures)


def draw_bars(axes: plt.Axes, question: Question, measures: list[str], results: Results) -> None:
    labels, places, place = [], [], 0.0
    for measure in measures:
        for index, subject in enumerate(results.subjects[measure]):
            found = results.of(measure, subject, results.sizes[measure][0])
            if found is None:
                continue
            errors = [[found.median - found.lowest], [found.highest - found.median]]
            axes.barh(
                place,
                found.median,
                xerr=errors,
                color=color_of(subject, index),
                height=0.7,
                error_kw={"elinewidth": 0.8},
            )
            axes.annotate(f" {found.median:,.3g}", (found.highest, place), va="center", fontsize=7)
            labels.append(subject if len(measures) == 1 else f"{short(measure)}: {subject}")
            places.append(place)
            place -= 1
        place -= 0.6
    axes.set_yticks(places, labels, fontsize=7)
    axes.set_xlabel(results.units[measures[0]])
    axes.margins(x=0.12)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw_costs(results: Results, file: pathlib.Path) -> None:
    """The plot of the README: a delivery in each language, as multiples of a bare loop."""
    measures = [f"{language}, delivery" for language in LANGUAGES if f"{language}, delivery" in results.units]
    if not measures:
        return
    figure, panels = plt.subplots(1, len(measures), figsize=(3.5 * len(measures), 4.2), sharey=True, squeeze=False)
    for axes, measure in zip(panels[0], measures):
        baseline = results.subjects[measure][0]
        sizes = [size for size in sorted(results.sizes[measure]) if size > 0]
        for index, subject in enumerate(results.subjects[measure]):
            ratios = [(size, results.ratio((measure, subject, size), (measure, baseline, size))) for size in sizes]
            found = [(size, ratio.median) for size, ratio in ratios if ratio]
            if not found:
                continue
            is_ours = "swiftobserver" in subject.lower()
            axes.plot(
                *zip(*found),
                label="SwiftObserver" if is_ours else subject,
                color="#222222" if subject == baseline else color_of(subject, index),
                linewidth=2.4 if is_ours else 1.1,
                marker="o" if is_ours else None,
                markersize=4,
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(sizes)
        axes.xaxis.set_major_formatter(PLAIN)
        axes.yaxis.set_major_formatter(PLAIN)
        axes.minorticks_off()
        axes.set_xlabel("observers")
        axes.set_title(measure.split(",")[0], loc="left", fontsize=11)
        axes.legend(fontsize=6, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.15), ncol=2)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    panels[0][0].set_ylabel("a delivered message, times a bare loop")
    figure.tight_layout()
    save(figure, file)


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: MIT
"""A graph as a picture made of characters."""

from __future__ import annotations

from swiftobserver import Graph


def drawn(graph: Graph) -> str:
    """Each observable with what is made from it, and its handlers, to its right."""
    made = {edge.target for edge in graph.edges if edge.target is not None}
    lines: list[str] = []
    for root in (index for index in range(len(graph.nodes)) if index not in made):
        lines += _lines(graph, root, set())
    return "\n".join(f"   {line}" for line in lines)


def _lines(graph: Graph, index: int, shown: set[int]) -> list[str]:
    node = graph.nodes[index]
    text = node.kind if node.name is None else f'{node.kind} "{node.name}"'
    if index in shown:
        return [f"[{text}] ..."]
    shown.add(index)
    branches = []
    for edge in graph.edges:
        if edge.source == index:
            branches.append(
                [f"({edge.handler or 'handler'})"] if edge.target is None else _lines(graph, edge.target, shown)
            )
    lines = []
    for number, branch in enumerate(branches):
        is_first, is_last = number == 0, number == len(branches) - 1
        joint = ("─" if is_last else "┬") if is_first else ("└" if is_last else "├")
        lines.append(f"{'─' if is_first else ' '}{joint}─▶ {branch[0]}")
        lines += [f" {' ' if is_last else '│'}   {line}" for line in branch[1:]]
    box = f"[{text}]"
    return [f"{box if number == 0 else ' ' * len(box)} {line}" for number, line in enumerate(lines or [""])]

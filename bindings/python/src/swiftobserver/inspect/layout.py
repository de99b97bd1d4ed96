# SPDX-License-Identifier: MIT
"""Where things are on the page: what can be seen of a graph, placed by Graphviz, or in columns if it is too large."""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from typing import AbstractSet, Any, Dict, List, Optional, Set, Tuple

MOST_SHOWN = 1500
"""How many boxes a page shows: the rest is folded, and can be found."""
MOST_DRAWN = 250
"""How many of them Graphviz is given: it takes seconds for more."""
COLUMN, ROW = 230, 54


def device_of(name: Optional[str]) -> Optional[Tuple[str, str, str]]:
    """The box, the name and the property of a device, if the name of an observation is that of a relay."""
    if name is None or not name.startswith("relay "):
        return None
    device, slash, rest = name[len("relay ") :].partition("/")
    return (f"r{device.encode().hex()}", device, rest) if slash else None


def shown(
    graph: Dict[str, Any],
    search: str,
    folded: AbstractSet[str],
    rates: Dict[str, float],
    opened: AbstractSet[str] = frozenset(),
) -> Dict[str, Any]:
    """The picture of a graph on a page: boxes with places, arrows, and how much is folded.

    :param search: shows what has this in its kind or name, and what is next to that.
    :param folded: what these feed is not shown, unless something else feeds it.
    :param opened: devices whose properties are boxes.
    """
    boxes: Dict[str, Dict[str, Any]] = {node["id"]: {**node, "is_handler": False} for node in graph["nodes"]}
    arrows: List[Dict[str, Any]] = []
    for edge in graph["edges"]:
        target = edge.get("to")
        device = device_of(edge.get("name"))
        if target is None and device is not None and device[0] not in opened:
            target = device[0]
            boxes[target] = {"id": target, "kind": "device", "name": device[1], "is_handler": True}
        elif target is None:
            target = f"h{edge['observation']}"
            kind, name = ("handler", edge.get("name")) if device is None else (f"device {device[1]}", device[2])
            boxes[target] = {"id": target, "kind": kind, "name": name, "is_handler": True}
        if edge["from"] in boxes and target in boxes:
            arrows.append({"from": edge["from"], "to": target, "observation": edge.get("observation", "")})
    visible = _unfolded(boxes, arrows, folded)
    if search:
        found = {
            each
            for each in visible
            if search.lower() in f"{boxes[each]['kind']} {boxes[each].get('name') or ''}".lower()
        }
        beside = {
            end for arrow in arrows if found & {arrow["from"], arrow["to"]} for end in (arrow["from"], arrow["to"])
        }
        visible = [each for each in visible if each in found or each in beside]
    if len(visible) > MOST_SHOWN:
        # What happens comes first, then what has a name.
        ranked = sorted(visible, key=lambda each: (-rates.get(each, 0), boxes[each].get("name") is None))
        kept = set(ranked[:MOST_SHOWN])
        visible = [each for each in visible if each in kept]
    seen = set(visible)
    arrows = [arrow for arrow in arrows if arrow["from"] in seen and arrow["to"] in seen]
    places = _drawn(visible, arrows) if len(visible) <= MOST_DRAWN else None
    for each, (x, y) in (places or _in_columns(visible, arrows)).items():
        boxes[each]["x"], boxes[each]["y"] = x, y
    return {"boxes": [boxes[each] for each in visible], "arrows": arrows, "folded": len(boxes) - len(visible)}


def _unfolded(boxes: Dict[str, Any], arrows: List[Dict[str, Any]], folded: AbstractSet[str]) -> List[str]:
    feeding: Dict[str, List[str]] = defaultdict(list)
    for arrow in arrows:
        feeding[arrow["to"]].append(arrow["from"])
    hidden: Set[str] = set()
    has_grown = bool(folded)
    while has_grown:
        more = {
            each
            for each, sources in feeding.items()
            if each not in hidden and all(source in folded or source in hidden for source in sources)
        }
        hidden |= more
        has_grown = bool(more)
    return [each for each in boxes if each not in hidden]


def _drawn(visible: List[str], arrows: List[Dict[str, Any]]) -> Any:
    """None without Graphviz."""
    program = shutil.which("dot")
    if program is None or not visible:
        return None
    lines = [
        "digraph {",
        "rankdir=LR; nodesep=0.25; ranksep=0.6; node [shape=box, width=2.5, height=0.55, fixedsize=true];",
    ]
    lines += [f'"{each}";' for each in visible]
    lines += [f'"{arrow["from"]}" -> "{arrow["to"]}";' for arrow in arrows]
    try:
        result = subprocess.run(
            [program, "-Tplain"], input="\n".join([*lines, "}"]).encode(), capture_output=True, timeout=3, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    words = [line.split() for line in result.stdout.decode().splitlines()]
    height = next(float(line[3]) for line in words if line[0] == "graph")
    inch = 80
    return {
        line[1].strip('"'): (round(float(line[2]) * inch), round((height - float(line[3])) * inch))
        for line in words
        if line[0] == "node"
    }


def _in_columns(visible: List[str], arrows: List[Dict[str, Any]]) -> Dict[str, Any]:
    """Each to the right of all that feed it; in a circle, of those that came before it."""
    feeding: Dict[str, List[str]] = defaultdict(list)
    fed: Dict[str, int] = dict.fromkeys(visible, 0)
    for arrow in arrows:
        feeding[arrow["from"]].append(arrow["to"])
        fed[arrow["to"]] += 1
    column: Dict[str, int] = dict.fromkeys(visible, 0)
    waiting = [each for each in visible if fed[each] == 0]
    placed: Set[str] = set()
    remaining = iter(visible)
    while len(placed) < len(visible):
        if not waiting:
            # A circle: somewhere it begins.
            waiting.append(next(each for each in remaining if each not in placed))
        one = waiting.pop()
        if one in placed:
            continue
        placed.add(one)
        for target in feeding[one]:
            if target in placed:
                continue
            column[target] = max(column[target], column[one] + 1)
            fed[target] -= 1
            if fed[target] == 0:
                waiting.append(target)
    rows: Dict[int, int] = defaultdict(int)
    places = {}
    for each in visible:
        places[each] = (120 + COLUMN * column[each], 40 + ROW * rows[column[each]])
        rows[column[each]] += 1
    return places

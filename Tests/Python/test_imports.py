# SPDX-License-Identifier: MIT
"""The modules of the package import one another in one direction only."""

import ast
from graphlib import CycleError, TopologicalSorter

from support import PACKAGE


def imported_by(source, modules):
    """What a module imports of the package when it runs: at the top, in functions, wherever; not for type checkers."""
    found = set()
    waiting = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            names = [node.module] if node.module else [each.name for each in node.names]
            found.update(name if name in modules else "__init__" for name in names)
        waiting += ast.iter_child_nodes(node)
    return found


def circle(graph):
    """The modules of a circle, or None."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def test_no_modules_import_each_other_in_a_circle():
    sources = {path.stem: path.read_text() for path in PACKAGE.glob("*.py")}
    assert len(sources) > 20
    assert circle({name: imported_by(source, sources) for name, source in sources.items()}) is None

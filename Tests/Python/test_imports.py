# SPDX-License-Identifier: MIT
"""The modules of the package import one another in one direction only."""

import ast
from graphlib import CycleError, TopologicalSorter

from support import PACKAGE


def imported_by(name, source, modules):
    """What a module imports of the package: at the top, in functions, for type checkers, wherever."""
    found = set()
    above = name.split(".")[:-1]
    waiting = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and node.level:
            of = [*above[: len(above) + 1 - node.level], *(node.module or "").split(".")]
            whole = ".".join(filter(None, of))
            names = [whole] if whole in modules else [".".join(filter(None, [whole, each.name])) for each in node.names]
            found.update(each if each in modules else "__init__" for each in names)
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
    paths = {path: ".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in PACKAGE.rglob("*.py")}
    sources = {name: path.read_text() for path, name in paths.items()}
    assert len(sources) > 20
    assert circle({name: imported_by(name, source, sources) for name, source in sources.items()}) is None

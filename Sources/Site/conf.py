# SPDX-License-Identifier: MIT
"""How Sphinx makes the site: `make site`."""

import pathlib
import re
import sys

top = pathlib.Path(__file__).resolve().parent
header = (top / "swiftobserver.h").read_text(encoding="utf-8")
release = ".".join(re.findall(r"#define SWO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
project, author = "SwiftObserver", "the SwiftObserver authors"
project_copyright = "MIT licence"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
html_theme = "furo"
html_title = f"SwiftObserver {release}"
html_extra_path = ["extra"]
html_show_sourcelink = False
html_copy_source = False
# No page needs the network.
html_theme_options = {"top_of_page_buttons": []}
myst_heading_anchors = 4
# A table's first cell is empty here and there, and headings begin where a README begins them.
suppress_warnings = ["myst.header"]


# Marbles are drawn in text.
def setup(app: object) -> None:
    from pygments.lexers.special import TextLexer

    app.add_lexer("marbles", TextLexer)  # type: ignore[attr-defined]


default_role = "code"
autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
sys.setrecursionlimit(10_000)

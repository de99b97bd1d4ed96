# SPDX-License-Identifier: MIT
"""Names, the graph of observables, and how notebooks show them."""

import shutil
import stat
import weakref
from ctypes import addressof, byref, c_size_t, c_void_p

import pytest

import swiftobserver
from support import collect, each_kind
from swiftobserver import Messenger, Observer, Var, graph
from swiftobserver._library import declarations as library
from swiftobserver._values import encoding as _values


def handle(message):
    pass


@each_kind
def test_observables_have_names(native):
    for named in (Messenger(native=native, name="one"), Var(1, native=native, name="one")):
        assert named.name == "one"
        assert "'one'" in repr(named)
        named.name = "ünï"
        assert named.name == "ünï"
        named.name = None
        assert named.name is None
        assert "ünï" not in repr(named)


@each_kind
@pytest.mark.parametrize(
    "name, error", [(5, TypeError), (b"x", TypeError), ("a\0b", ValueError), ("\ud800", ValueError)]
)
def test_a_name_is_a_text(native, name, error):
    messenger = Messenger(native=native, name="before")
    with pytest.raises(error):
        messenger.name = name
    assert messenger.name == "before"
    with pytest.raises(error):
        Var(1, native=native, name=name)


def test_a_name_is_seen_by_c_code_and_seen_if_c_code_gives_it():
    messenger = Messenger(native=True)
    library.observable_set_name(messenger.pointer, b"by C")
    assert messenger.name == "by C"
    assert Messenger.adopt(messenger.pointer).name == "by C"
    messenger.name = "by Python"
    assert Messenger.adopt(messenger.pointer).name == "by Python"


@each_kind
def test_a_graph_has_what_was_asked_for_and_all_that_hangs_together(native):
    volume = Var(1, native=native, name="volume")
    values = volume.new()
    large = values.filter(bool)
    large.name = "large"
    unrelated = Messenger(native=native)
    observer = Observer()
    observer.observe(large, handle)
    observer.observe(unrelated, handle)
    for asked in (volume, large):
        found = graph(asked)
        assert {node.name for node in found.nodes} == {"volume", None, "large"}
        kinds = [node.kind for node in found.nodes]
        assert sorted(kinds) == ["filter", "new", "variable"]
        assert found.nodes[0].name == asked.name
        steps = {(found.nodes[edge.source].name, edge.handler) for edge in found.edges}
        assert steps == {("volume", None), (None, None), ("large", "handle")}
    assert len(graph(volume, unrelated).nodes) == 4


@each_kind
def test_relays_are_edges_and_not_handlers(native):
    one, other = Messenger(native=native, name="one"), Messenger(native=native, name="other")
    merged = one.merge(other)
    mine = merged.from_("me")
    found = graph(other)
    index = {node.name: position for position, node in enumerate(found.nodes)}
    relays = [position for position, node in enumerate(found.nodes) if node.kind in ("merge", "from")]
    assert [node.name for node in found.nodes][0] == "other"
    assert len(found.nodes) == 4
    (into,) = {edge.target for edge in found.edges if edge.source in (index["one"], index["other"])}
    assert into in relays
    assert [edge.target for edge in found.edges if edge.source == into] == [each for each in relays if each != into]
    assert mine.count == 0


@each_kind
def test_what_c_and_python_draw_looks_alike(native):
    variable = Var(1, native=True, name="volume")
    texts = variable.new()
    texts.observe(handle)
    text, address = library.Value(), c_void_p(variable.pointer)
    assert library.LIBRARY.swo_graph_dot(byref(address), c_size_t(1), byref(text)) == 0
    drawn = _values.decode(text)
    library.value_clear(addressof(text))
    assert drawn.replace('"handler"', '"handle"') == graph(variable).dot


@each_kind
def test_a_combined_observation_is_drawn_as_one(native):
    width, height, observer = Var(2, native=native, name="width"), Var(3, native=native, name="height"), Observer()
    news = height.new()
    area = observer.observe_combined((width, news), lambda width, height: None)
    for asked in (width, height):
        found = graph(asked)
        names = [each.name or each.kind for each in found.nodes]
        assert sorted(names) == ["combined", "height", "new", "width"]
        handlers = [each for each in found.edges if each.target is None]
        assert [names[each.source] for each in handlers] == ["combined"]
        assert "<lambda>" in handlers[0].handler
    area.stop()
    assert "combined" not in [each.kind for each in graph(width).nodes]


def test_what_c_code_has_made_from_it_is_in_the_graph():
    messenger, made = Messenger(native=True, name="source"), c_void_p()
    assert library.LIBRARY.swo_unwrap(c_void_p(messenger.pointer), byref(made)) == 0
    library.observable_set_name(made, b"made in C")
    found = graph(messenger)
    library.observable_release(made)
    assert ("unwrap", "made in C") in found.nodes
    assert found.edges == ((0, 1, None),)


def test_the_kinds_of_what_remembers_are_told():
    messenger = Messenger()
    made = [messenger.replaying(1), messenger.cache()]
    assert [graph(each).nodes[0].kind for each in made] == ["replay", "cache"]


def test_a_graph_keeps_nothing_alive():
    messenger = Messenger()
    transform = messenger.map(str)
    found, gone = graph(messenger), [weakref.ref(messenger), weakref.ref(transform)]
    del messenger, transform
    collect()
    assert [each() for each in gone] == [None, None]
    assert len(found.nodes) == 2


def test_only_observables_have_a_graph():
    with pytest.raises(TypeError, match="at least one"):
        graph()
    with pytest.raises(TypeError, match="observables must be observables, not int"):
        graph(Messenger(), 5)


@each_kind
def test_the_graph_is_written_for_graphviz(native):
    messenger = Messenger(native=native, name='quoted " and \\ and\nline')
    first = messenger.filter(bool)
    observation = first.observe(handle)
    assert (
        messenger.graph_dot
        == graph(messenger).dot
        == (
            "digraph {\n    rankdir=LR;\n"
            '    node [shape=box, style="rounded,filled", fillcolor=white, fontname=Helvetica, fontsize=12];\n'
            '    edge [color="#555555", arrowsize=0.7];\n'
            '    n0 [label="messenger\\nquoted \\" and \\\\ and\\nline"];\n'
            '    n1 [label="filter"];\n'
            "    n0 -> n1;\n"
            '    h1 [shape=ellipse, fillcolor="#eeeeee", label="handle"];\n'
            "    n1 -> h1;\n"
            "}\n"
        )
    )
    assert observation.stop()


def program(tmp_path, monkeypatch, script):
    """Puts a `dot` of its own in the place of Graphviz."""
    path = tmp_path / "dot"
    path.write_text(f"#!{shutil.which('sh')}\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))


def test_notebooks_show_the_drawing_that_graphviz_makes(tmp_path, monkeypatch):
    program(tmp_path, monkeypatch, "echo '<?xml version=\"1.0\"?>'; echo '<svg>drawing</svg>'")
    assert graph(Messenger())._repr_html_() == "<svg>drawing</svg>\n"


@pytest.mark.parametrize("script", [None, "exit 1", "echo no drawing", "echo '<svg>'; exit 1", "cannot run"])
def test_without_graphviz_notebooks_show_the_text(tmp_path, monkeypatch, script):
    if script is None:
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        program(tmp_path, monkeypatch, script)
    if script == "cannot run":
        (tmp_path / "dot").write_text("#!/does/not/exist\n")
    shown = graph(Messenger(name="<name>"))._repr_html_()
    assert shown.startswith("<pre>digraph {")
    assert "&lt;name&gt;" in shown


def test_notebooks_show_a_variable_with_its_value():
    variable = Var("<b>", name="te<xt")
    variable.observe(handle)
    shown = variable._repr_html_()
    assert "te&lt;xt" in shown
    assert "&#x27;&lt;b&gt;&#x27;" in shown
    assert "1 observation" in shown
    assert "2 observations" in (variable.observe(handle), variable._repr_html_())[1]


def test_what_is_loaded_later_is_listed_and_misspelt_names_are_told():
    assert set(swiftobserver.__all__) <= set(dir(swiftobserver))
    with pytest.raises(AttributeError, match="no attribute 'grahp'"):
        swiftobserver.grahp

# SPDX-License-Identifier: MIT
"""What a program that is inspected says of itself, and to whom."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import threading
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional
from urllib.parse import urlencode

import pytest

from swiftobserver.inspect import Lost, Program, Server

Start = Callable[..., Any]
LANGUAGES = ("c", "python")


def address(folder: Path) -> str:
    return f"unix:{folder}/socket"


def named(graph: Dict[str, Any], name: str) -> Dict[str, Any]:
    return next(node for node in graph["nodes"] if node.get("name") == name)


def events_of(program: Program, until: Callable[[List[Dict[str, Any]]], bool]) -> List[Dict[str, Any]]:
    found: List[Dict[str, Any]] = []
    while not until(found):
        found += program.events()["events"]
    return found


@pytest.fixture
def served(start: Start, tmp_path: Path) -> Iterator[Any]:
    running = start()
    server = Server(address(tmp_path))
    yield server, running
    server.close()


def asked(server: Server, path: str, method: str = "GET", body: Optional[str] = None, **headers: str) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), answer.headers


def below(server: Server, path: str) -> str:
    return server.page.partition(str(server.port))[2] + path


# ---- the program


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_graph_shows_what_is_there(start: Start, tmp_path: Path, language: str) -> None:
    start(language)
    graph = Program(address(tmp_path)).graph()
    width, area = named(graph, "width"), named(graph, "area")
    assert (width["kind"], width["value"], width["settable"]) == ("variable", "1", True)
    assert area["kind"] == "derived" and "settable" not in area
    reads = [edge for edge in graph["edges"] if edge["from"] == width["id"] and edge.get("to") == area["id"]]
    handlers = [edge["name"] for edge in graph["edges"] if edge["from"] == width["id"] and "to" not in edge]
    assert len(reads) == 1 and handlers == ["draw"]
    # What waits for a thread is no box of its own.
    assert {node["kind"] for node in graph["nodes"]} == {"messenger", "variable", "derived"}
    ends = [(edge["from"], edge["observation"]) for edge in graph["edges"] if "to" not in edge]
    assert len(ends) == len(set(ends)) == 6


@pytest.mark.parametrize("language", LANGUAGES)
def test_events_say_what_was_changed_because_of_what(start: Start, tmp_path: Path, language: str) -> None:
    running = start(language)
    program = Program(address(tmp_path))
    graph = program.graph()
    program.events()
    # It is kept from a moment on that the program chooses.
    found: List[Dict[str, Any]] = []
    while not any(event.get("name") == "width" for event in found):
        running.tell("click")
        found += program.events()["events"]
    click = next(event for event in found if event.get("name") == "clicks" and not event.get("call"))
    change = next(event for event in found if event.get("name") == "width" and event.get("because") == click["number"])
    assert int(change["new"]) == int(click["new"]) >= 100 and change["old"] != change["new"]
    resize = next(edge for edge in graph["edges"] if edge.get("name") == "resize")
    assert change["observation"] == resize["observation"] and change["of"] == named(graph, "width")["id"]
    calls = [event for event in found if event.get("call") and event["number"] == change["number"]]
    assert [event["of"] for event in calls] == [change["of"]] and calls[0]["took"] > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_variable_is_set_and_the_program_hears_it(start: Start, tmp_path: Path, language: str) -> None:
    running = start(language)
    program = Program(address(tmp_path))
    width = named(program.graph(), "width")["id"]
    assert program.set(width, "77") == ""
    running.read("width 77")
    assert named(program.graph(), "width")["value"] == "77"
    for wrong in ("x y", "", "12 3", "["):
        assert program.set(width, wrong) != "", wrong
    assert named(program.graph(), "width")["value"] == "77"
    assert program.set(named(program.graph(), "area")["id"], "3") != ""
    assert program.set("7", "3") != "" and program.set("x", "3") != "" and program.set(width, "1\n2") != ""
    running.tell("click")


def test_in_c_a_number_is_no_text(start: Start, tmp_path: Path) -> None:
    start()
    program = Program(address(tmp_path))
    for wrong in ("1.5", "99999999999999999999", "0x10"):
        assert program.set(named(program.graph(), "width")["id"], wrong) == "it holds no such value"
    secret = named(program.graph(), "secret")["id"]
    assert program.set(secret, "a b") == "" and named(program.graph(), "secret")["value"] == '"a b"'


def test_in_python_no_code_of_the_program_runs_to_show_a_value(start: Start, tmp_path: Path) -> None:
    running = start("python")
    program = Program(address(tmp_path))
    assert named(program.graph(), "things")["value"] == "[1, 2]"
    running.tell("object")
    assert named(program.graph(), "things")["value"] == "<object>"
    assert program.set(named(program.graph(), "things")["id"], "__import__('os')") == "the program does not take it"
    assert named(program.graph(), "things")["value"] == "<object>"
    # What nothing observes is there, because something has read it.
    graph = program.graph()
    assert named(graph, "height")["value"] == "3"
    chain = [
        (named(graph, one)["id"], named(graph, other)["id"])
        for one, other in (("height", "area"), ("area", "is large"))
    ]
    assert set(chain) <= {(edge["from"], edge.get("to")) for edge in graph["edges"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_shown_or_set_that_is_not_allowed(start: Start, tmp_path: Path, language: str) -> None:
    running = start(language, allowed="")
    program = Program(address(tmp_path))
    graph = program.graph()
    assert "values" not in graph and not any("value" in node for node in graph["nodes"])
    program.events()
    found: List[Dict[str, Any]] = []
    while not any(event.get("name") == "width" for event in found):
        running.tell("click")
        found += program.events()["events"]
    assert not any("old" in event or "new" in event for event in found)
    assert program.set(named(graph, "width")["id"], "7") == "this program allows no page to set anything"


def test_names_with_markup_and_control_characters_arrive(start: Start, tmp_path: Path) -> None:
    start()
    graph = Program(address(tmp_path)).graph()
    assert named(graph, "<img src=x onerror=document.title='taken'>\"\n\x1b[2J")["value"] == '"<b>bold</b>"'


def test_many_are_shown(start: Start, tmp_path: Path) -> None:
    running = start()
    running.tell("many 10000")
    graph = Program(address(tmp_path)).graph()
    assert len(graph["nodes"]) >= 10_004 and named(graph, "one of many 9999")["value"] == "9999"


def test_only_this_user_reaches_the_socket_which_ends_with_the_program(start: Start, tmp_path: Path) -> None:
    running = start()
    path = tmp_path / "socket"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert running.end() == 0
    assert not path.exists()


def test_a_path_has_the_number_of_the_process(start: Start, tmp_path: Path) -> None:
    running = start(address=f"unix:{tmp_path}/%p.socket")
    assert (tmp_path / f"{running.process.pid}.socket").exists()
    program = Program(str(running.process.pid))
    assert program.graph()["process"] == running.process.pid


def test_a_path_that_is_in_use_is_said_and_the_program_goes_on(start: Start, tmp_path: Path) -> None:
    first, second = start(), start()
    second.tell("click")
    second.end()
    assert "no page can show this program" in second.process.stderr.read()
    assert Program(address(tmp_path)).graph()["process"] == first.process.pid


@pytest.mark.parametrize("wrong", ["tcp:1234", "unix:", "nonsense", "unix:" + "x" * 200, "unix:/proc/none/socket"])
def test_a_wrong_address_is_said_and_the_program_goes_on(start: Start, wrong: str) -> None:
    running = start(address=wrong)
    running.tell("click")
    assert running.end() == 0
    assert "no page can show this program" in running.process.stderr.read()


def test_a_program_that_was_killed_leaves_a_path_that_the_next_one_takes(start: Start, tmp_path: Path) -> None:
    first = start()
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    second = start()
    assert Program(address(tmp_path)).graph()["process"] == second.process.pid


def test_a_program_that_ends_is_told_apart(start: Start, tmp_path: Path) -> None:
    running = start()
    program = Program(address(tmp_path))
    program.events()
    running.say("abort")
    running.process.wait()
    with pytest.raises(Lost, match="ended"):
        program.graph()


def test_a_child_process_is_not_shown_and_does_no_harm(start: Start, tmp_path: Path) -> None:
    running = start()
    program = Program(address(tmp_path))
    program.events()
    running.say("fork")
    assert "child 0" in running.read("did fork")
    running.tell("click")
    assert program.graph()["process"] == running.process.pid


def test_what_is_no_question_is_refused_and_the_rest_is_answered(start: Start, tmp_path: Path) -> None:
    start()
    hostile = socket.socket(socket.AF_UNIX)
    hostile.connect(f"{tmp_path}/socket")
    answers = hostile.makefile("rb")
    for line in (b"what\n", b"set\n", b"set \n", b"set 12\n", b"set zz 1\n", b"\n", b"\0\xff\n", b"graph graph\n"):
        hostile.sendall(line)
        assert "problem" in json.loads(answers.readline()), line
    with pytest.raises((ConnectionResetError, BrokenPipeError)):
        while True:
            hostile.sendall(b"x" * (1 << 17))
    # One that asks and reads nothing, and more than there is room for.
    lazy = [socket.socket(socket.AF_UNIX) for _ in range(20)]
    for each in lazy:
        each.setblocking(False)
        try:
            each.connect(f"{tmp_path}/socket")
            each.send(b"graph\n" * 5000)
        except OSError:
            pass
    for each in lazy:
        each.close()
    program = None
    while program is None:
        try:
            program = Program(address(tmp_path))
            program.graph()
        except Lost:
            program = None


def test_what_nobody_asks_for_is_not_kept(start: Start, tmp_path: Path) -> None:
    running = start()
    running.tell("click")
    assert Program(address(tmp_path)).events()["events"] == []


# ---- the server of the page


def test_a_page_answers_who_has_its_token(served: Any) -> None:
    server, running = served
    status, page, headers = asked(server, below(server, ""))
    assert status == 200 and "page.js" in page and "default-src 'none'" in headers["Content-Security-Policy"]
    assert json.loads(asked(server, below(server, "graph"))[1])["process"] == running.process.pid
    for path in ("page.js", "page.css"):
        assert asked(server, below(server, path))[0] == 200
    for path in ("nothing", "../server.py", "page.html", "%2e%2e/server.py"):
        assert asked(server, below(server, path))[0] == 404


@pytest.mark.parametrize("path", ["/", "/graph", "/x/graph", "/%s/graph", "//graph", "/" + "x" * 5000 + "/graph"])
def test_without_the_token_nothing_is_said(served: Any, path: str) -> None:
    server, _ = served
    status, said, _ = asked(server, path)
    assert status == 403 and "nodes" not in said


def test_another_host_or_origin_is_refused(served: Any) -> None:
    server, _ = served
    graph = below(server, "graph")
    assert asked(server, graph, Host=f"evil.example:{server.port}")[0] == 403
    assert asked(server, graph, Origin="http://evil.example")[0] == 403
    assert asked(server, graph, Origin="null")[0] == 403
    status, _, headers = asked(server, graph, Origin=f"http://127.0.0.1:{server.port}")
    assert status == 200 and "Access-Control-Allow-Origin" not in headers


def test_a_page_sets_only_in_json_of_its_own(served: Any) -> None:
    server, running = served
    graph = json.loads(asked(server, below(server, "graph"))[1])
    width = next(box["id"] for box in graph["boxes"] if box.get("name") == "width")
    body = json.dumps({"id": width, "text": "5"})
    wrong = [
        (body, "text/plain"),
        (body, "application/x-www-form-urlencoded"),
        ("{", "application/json"),
        ("[]", "application/json"),
        (json.dumps({"id": width}), "application/json"),
        ("x" * (1 << 17), "application/json"),
    ]
    for given, type_ in wrong:
        assert asked(server, below(server, "set"), "POST", given, Content_Type=type_)[0] == 400, given[:40]
    assert asked(server, below(server, "set"), "GET")[0] == 404
    status, said, _ = asked(server, below(server, "set"), "POST", body, Content_Type="application/json")
    assert (status, json.loads(said)) == (200, {"problem": ""})
    running.read("width 5")


def test_a_page_is_told_the_path_of_causes(served: Any) -> None:
    server, running = served
    graph = json.loads(asked(server, below(server, "graph"))[1])
    area = next(box["id"] for box in graph["boxes"] if box.get("name") == "area")
    node: Dict[str, Any] = {"changes": []}
    while not node["changes"]:
        running.tell("click")
        node = json.loads(asked(server, below(server, f"node?id={area}"))[1])
    path = node["changes"][0]["path"]
    assert [cause["name"] for cause in path] == ["width", "clicks"] and path[0]["handler"] == "resize"
    assert [handler["name"] for handler in node["handlers"]] == ["draw area"]


def test_what_feeds_can_be_folded_and_found(served: Any) -> None:
    server, _ = served
    graph = json.loads(asked(server, below(server, "graph"))[1])
    names = {box["id"]: box.get("name") for box in graph["boxes"]}
    width = next(each for each, name in names.items() if name == "width")
    folded = json.loads(asked(server, below(server, f"graph?fold={width}"))[1])
    assert {box.get("name") for box in folded["boxes"]} == set(names.values()) - {"area", "draw", "draw area"}
    assert folded["folded"] == 3
    found = json.loads(asked(server, below(server, "graph?search=SECR"))[1])
    assert {box.get("name") for box in found["boxes"]} == {"secret", "keep"}


def test_a_large_graph_is_folded(start: Start, tmp_path: Path) -> None:
    running = start()
    running.tell("many 10000")
    server = Server(address(tmp_path))
    graph = json.loads(asked(server, below(server, "graph"))[1])
    assert len(graph["boxes"]) == 1500 and graph["folded"] > 18_000
    assert all("x" in box for box in graph["boxes"])
    found = json.loads(asked(server, below(server, "graph?search=many+9999"))[1])
    assert [box["kind"] for box in found["boxes"]] == ["variable", "handler"]
    server.close()


def test_the_server_says_that_the_program_has_ended(served: Any) -> None:
    server, running = served
    running.say("abort")
    running.process.wait()
    server.wait()
    assert server.lost == "the program has ended, or answers no more"


def test_many_messages_keep_it_alive(served: Any) -> None:
    server, running = served
    sending = threading.Thread(target=running.tell, args=("send 20000",))
    sending.start()
    answers = 0
    while sending.is_alive():
        assert asked(server, below(server, "changes?after=0"))[0] == 200
        answers += 1
    sending.join()
    assert answers > 1


def test_programs_that_are_not_there_are_said() -> None:
    for wrong, why in (
        ("nonsense", "an address is"),
        ("unix:/nowhere/at/all", "no program"),
        (str(os.getpid()), "was not started with"),
        ("4194305", "cannot be looked at"),
    ):
        with pytest.raises(Lost, match=why):
            Program(wrong)


# ---- Swift


def test_a_program_in_swift_shows_its_variables_and_has_them_set(start: Start, tmp_path: Path) -> None:
    running = start("swift")
    program = Program(address(tmp_path))
    graph = program.graph()
    values = {node["name"]: (node["kind"], node.get("value"), "settable" in node) for node in graph["nodes"]}
    assert values == {
        "clicks": ("Messenger<Int>", None, False),
        "width": ("Var<Int>", "1", True),
        "title": ("Var<String>", '"<b>bold</b>"', True),
        "ratio": ("Var<Double>", "0.5", True),
        "is open": ("Var<Bool>", "true", True),
        # What is not made from a text.
        "size": ("Var<Size>", None, False),
        "optional": ("Var<Optional<Int>>", None, False),
        "area": ("Derived<Int, Never>", None, False),
    }
    running.tell("many")
    assert program.set(named(graph, "width")["id"], "77") == ""
    running.read("width 77")
    assert program.set(named(graph, "title")["id"], "a b") == ""
    running.read("title a b")
    assert named(program.graph(), "title")["value"] == '"a b"'
    for name, wrong in (("width", "1.5"), ("width", ""), ("is open", "yes"), ("ratio", "x")):
        assert program.set(named(graph, name)["id"], wrong) == "it holds no such value"
    for name in ("size", "optional"):
        assert program.set(named(graph, name)["id"], "1") == "it holds no such value"
    for name in ("clicks", "area"):
        assert program.set(named(graph, name)["id"], "1") == "this cannot be set"
    assert named(program.graph(), "width")["value"] == "77"


def test_a_program_in_swift_shows_and_sets_nothing_that_is_not_allowed(start: Start, tmp_path: Path) -> None:
    start("swift", allowed="")
    program = Program(address(tmp_path))
    graph = program.graph()
    assert not any("value" in node for node in graph["nodes"])
    assert program.set(named(graph, "width")["id"], "7") == "this program allows no page to set anything"


# ---- who, where, and stopping


@pytest.mark.parametrize("language", ["c", "python", "swift"])
def test_what_the_page_sets_is_said_to_be_by_the_page(start: Start, tmp_path: Path, language: str) -> None:
    running = start(language)
    program = Program(address(tmp_path))
    width = named(program.graph(), "width")["id"]
    program.events()
    number = 200
    found: List[Dict[str, Any]] = []
    while not any(event.get("handler") == "the page" for event in found):
        number += 1
        assert program.set(width, str(number)) == ""
        running.read(f"width {number}")
        found += program.events()["events"]
    change = next(event for event in found if event.get("handler") == "the page")
    assert change["of"] == width and "observation" not in change


def test_a_handler_says_where_it_is_written(start: Start, tmp_path: Path) -> None:
    start("python")
    edges = Program(address(tmp_path)).graph()["edges"]
    source = (Path(__file__).parent / "program.py").read_text().splitlines()
    line = source.index("def resize(count: int) -> None:") + 1
    resize = next(edge for edge in edges if edge.get("name") == "resize")
    assert resize["place"] == f"{Path(__file__).parent / 'program.py'}:{line}"


@pytest.mark.skipif(shutil.which("addr2line") is None, reason="there is no addr2line here")
def test_a_function_of_c_is_found_in_the_source(served: Any) -> None:
    server, running = served
    graph = json.loads(asked(server, below(server, "graph"))[1])
    clicks = next(box["id"] for box in graph["boxes"] if box.get("name") == "clicks")
    resize = next(box["id"] for box in graph["boxes"] if box.get("name") == "resize")
    source = (Path(__file__).parent / "program.c").read_text().splitlines()
    line = next(number for number, text in enumerate(source, 1) if text.startswith("static void resize("))
    node: Dict[str, Any] = {"handlers": []}
    while not node["handlers"]:
        running.tell("click")
        node = json.loads(asked(server, below(server, f"node?id={clicks}"))[1])
    place = next(each["place"] for each in node["handlers"] if each["name"] == "resize")
    assert place.endswith(f"Tests/Inspect/program.c:{line}")
    assert json.loads(asked(server, below(server, f"node?id={resize}"))[1])["place"] == place


def state_of(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize("language", ["c", "python", "swift"])
def test_a_program_stops_where_something_changes_and_goes_on(start: Start, tmp_path: Path, language: str) -> None:
    running = start(language, allowed="values,set,stop")
    server = Server(address(tmp_path))
    graph = json.loads(asked(server, below(server, "graph"))[1])
    width = next(box["id"] for box in graph["boxes"] if box.get("name") == "width")
    post = {"method": "POST", "Content_Type": "application/json"}

    def stop(observable: str) -> Any:
        return json.loads(asked(server, below(server, "stop"), body=json.dumps({"id": observable}), **post)[1])

    def changes() -> Any:
        return json.loads(asked(server, below(server, "changes?after=0"))[1])

    assert graph["stoppable"] and not changes()["stopped"]
    assert stop(width) == {"problem": ""}
    running.say("click")
    while not changes()["stopped"]:
        pass
    assert state_of(running.process.pid) == "T"
    # What is known can still be seen.
    assert asked(server, below(server, f"node?id={width}"))[0] == 200
    assert asked(server, below(server, "graph"))[0] == 200
    assert json.loads(asked(server, below(server, "continue"), body="{}", **post)[1]) == {"problem": ""}
    running.read("did click")
    # Once.
    running.tell("click")
    while changes()["stopped"]:
        pass
    assert stop(width) == {"problem": ""} and stop("0") == {"problem": ""}
    running.tell("click")
    assert not changes()["stopped"]
    server.close()


def test_a_program_that_does_not_allow_it_is_not_stopped(served: Any) -> None:
    server, running = served
    graph = json.loads(asked(server, below(server, "graph"))[1])
    assert not graph["stoppable"]
    body, type_ = json.dumps({"id": graph["boxes"][0]["id"]}), "application/json"
    status, said, _ = asked(server, below(server, "stop"), "POST", body, Content_Type=type_)
    assert (status, json.loads(said)) == (200, {"problem": "this program allows no page to stop it"})
    status, said, _ = asked(server, below(server, "continue"), "POST", "{}", Content_Type=type_)
    assert (status, json.loads(said)) == (200, {"problem": "this program allows no page to stop it"})
    running.tell("click")


# ---- what programs and others do


def test_a_program_that_becomes_another_one_is_shown_as_that(start: Start, tmp_path: Path) -> None:
    running = start()
    before = Program(address(tmp_path))
    before.events()
    running.say("exec")
    running.read("ready")
    with pytest.raises(Lost, match="ended"):
        before.graph()
    graph = Program(address(tmp_path)).graph()
    assert graph["process"] == running.process.pid and named(graph, "width")["value"] == "1"
    running.tell("click")


def test_a_name_of_a_megabyte_arrives(start: Start, tmp_path: Path) -> None:
    running = start()
    running.tell("rename")
    server = Server(address(tmp_path))
    graph = json.loads(asked(server, below(server, "graph"))[1])
    assert "n" * (1 << 20) in {box.get("name") for box in graph["boxes"]}
    server.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_another_user_is_not_admitted_even_if_the_socket_is_open_to_all(start: Start, tmp_path: Path) -> None:
    running = start()
    path = tmp_path / "socket"
    path.chmod(0o777)
    for each in (tmp_path, *tmp_path.parents):
        if each != Path("/") and not each.stat().st_mode & 0o001:
            each.chmod(each.stat().st_mode | 0o011)
    look = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
        "s.sendall(b'graph\\n'); print(s.recv(9))"
    )
    nobody = 65534
    other = subprocess.run(
        ["/usr/bin/python3", "-c", look, str(path)], user=nobody, group=nobody, extra_groups=[], capture_output=True
    )
    assert other.stdout in (b"b''\n", b"") and b"PermissionError" not in other.stderr, other
    assert Program(address(tmp_path)).graph()["process"] == running.process.pid


# ---- relays


def test_a_device_is_a_box_that_can_be_opened(start: Start, tmp_path: Path) -> None:
    running = start("python")
    running.tell("relay")
    server = Server(address(tmp_path))

    def graph(**given: str) -> Any:
        answer = json.loads(asked(server, below(server, f"graph?{urlencode(given)}"))[1])
        boxes = {box["id"]: (box["kind"], box.get("name")) for box in answer["boxes"]}
        return boxes, {(boxes[arrow["from"]], boxes[arrow["to"]]) for arrow in answer["arrows"]}

    boxes, arrows = graph()
    devices = {name: id for id, (kind, name) in boxes.items() if kind == "device"}
    assert set(devices) == {"shed", "house"}
    shed = ("device", "shed")
    assert {source for source, target in arrows if target == shed} == {
        ("variable", "shed/size/width"),
        ("variable", "shed/size/title"),
    }
    assert (("variable", "house/door/open"), ("device", "house")) in arrows
    node = json.loads(asked(server, below(server, f"node?id={devices['shed']}"))[1])
    assert [(each["property"], each["of"]["name"]) for each in node["properties"]] == [
        ("size/title", "shed/size/title"),
        ("size/width", "shed/size/width"),
    ]
    _, arrows = graph(open=devices["shed"])
    assert (("variable", "shed/size/width"), ("device shed", "size/width")) in arrows
    assert not any(target == shed for _, target in arrows)
    server.close()

# SPDX-License-Identifier: MIT
"""Serves the page of a program to the browsers of this machine that know its token."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Tuple
from urllib.parse import parse_qs, urlsplit

from .history import History
from .layout import device_of, shown
from .places import Places
from .program import Lost, Program

FILES = {"": "page.html", "page.js": "page.js", "page.css": "page.css"}
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
TICK = 0.1
"""How often the program is asked what has happened, in seconds."""
GRAPH = 1.0
"""For how long an answer about the graph is good."""
LONGEST_BODY = 1 << 16


class Server:
    """Asks a program for events, and answers a page, on threads of its own, until it is closed.

    >>> Server("unix:/nowhere")
    Traceback (most recent call last):
    swiftobserver.inspect.program.Lost: there is no program at unix:/nowhere: No such file or directory
    """

    def __init__(self, address: str, port: int = 0) -> None:
        """Connects to the program at `unix:PATH`, or with the number of its process. `Lost` if there is none."""
        self._program = Program(address)
        self._token = secrets.token_urlsafe(24)
        self._lock = threading.Lock()
        self._history = History()
        self._graph: Dict[str, Any] = self._program.graph()
        # Of handlers, by observations.
        self._names: Dict[str, str] = {}
        self._written: Dict[str, str] = {}
        self._functions: Dict[str, int] = {}
        self._places = Places(self._program.process)
        self._left = 0.0
        self._note_names()
        self._ended = threading.Event()
        self.lost: Optional[str] = None
        """Why the program answers no more."""
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler_for(self))
        self._http.daemon_threads = True
        self._threads = [
            threading.Thread(target=self._http.serve_forever, args=(0.1,), daemon=True),
            threading.Thread(target=self._follow, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def port(self) -> int:
        """Where it listens, at 127.0.0.1."""
        return int(self._http.server_address[1])

    @property
    def page(self) -> str:
        """The address of the page. Who knows it may look, and set what the program allows."""
        return f"http://127.0.0.1:{self.port}/{self._token}/"

    def close(self) -> None:
        """Ends all of it."""
        self._ended.set()
        self._http.shutdown()
        self._http.server_close()
        for thread in self._threads:
            thread.join()
        self._program.close()

    def wait(self) -> None:
        """Until the program has ended, or this is closed."""
        self._ended.wait()

    # ---- what the program says

    def _follow(self) -> None:
        while not self._ended.wait(TICK):
            try:
                events = self._program.events()
                self._left -= TICK
                graph = self._program.graph() if self._left <= 0 else None
            except Lost as error:
                self.lost = str(error)
                self._ended.set()
                return
            with self._lock:
                if graph is not None:
                    self._graph = graph
                    # A large graph is asked for less often.
                    self._left = GRAPH * (1 + len(graph["nodes"]) / 2000)
                    self._note_names()
                self._history.add(events)

    def _note_names(self) -> None:
        for edge in self._graph["edges"]:
            observation = edge.get("observation", "")
            if edge.get("name"):
                self._names[observation] = edge["name"]
            if edge.get("place"):
                self._written[observation] = edge["place"]
            elif edge.get("function"):
                self._functions[observation] = int(edge["function"], 16)
        known = {node["id"] for node in self._graph["nodes"]}
        # What nothing observes is known by what it sends.
        for observable, changes in self._history.last.items():
            if observable not in known and changes:
                node = {"id": observable, "kind": changes[-1].kind, "name": changes[-1].name}
                self._graph["nodes"].append(node)
        for node in self._graph["nodes"]:
            last = self._history.last.get(node["id"])
            if last and "value" not in node and last[-1].new is not None:
                node["value"] = last[-1].new

    # ---- what the page asks

    def answer(self, question: str, given: Dict[str, str]) -> Optional[Dict[str, Any]]:
        """Answer what a page asks; None: there is no such question."""
        with self._lock:
            if question == "graph":
                rates = self._history.since(0)["rates"]
                graph = {**self._graph, "nodes": list(self._graph["nodes"])}
            elif question == "changes":
                after = given.get("after", "")
                since = self._history.since(int(after) if after.isdecimal() else 0)
                return {**since, "gone": self.lost, "stopped": self._program.is_stopped}
            elif question == "node":
                node = self._node(given.get("id", ""))
            else:
                return None
        if question == "node":
            # Without the lock, for it may take long.
            for handler in node["handlers"]:
                handler["place"] = self._place(handler["observation"])
            node["place"] = self._place(node["id"][1:]) if node["id"].startswith("h") else None
            return node
        folded, opened = (frozenset(each for each in given.get(key, "").split(",") if each) for key in ("fold", "open"))
        about = {each: graph.get(each) for each in ("program", "process", "values", "settable", "stoppable")}
        return {**about, **shown(graph, given.get("search", ""), folded, rates, opened)}

    def _node(self, id: str) -> Dict[str, Any]:
        nodes = {node["id"]: node for node in self._graph["nodes"]}
        kinds = {each: node["kind"] for each, node in nodes.items()}
        properties = []
        for edge in self._graph["edges"]:
            device = device_of(edge.get("name"))
            if device is not None and device[0] == id:
                properties.append({"property": device[2], "of": nodes.get(edge["from"])})
        return {
            "id": id,
            "node": nodes.get(id),
            "changes": self._history.of(id, kinds, self._names),
            "handlers": self._history.handlers(id, self._names),
            "properties": sorted(properties, key=lambda each: str(each["property"])),
        }

    def _place(self, observation: str) -> Optional[str]:
        """Where the handler of an observation is written, as file and line, if that is known."""
        if observation in self._written:
            return self._written[observation]
        function = self._functions.get(observation)
        return None if function is None else self._places.of(function)

    def set(self, observable: str, text: str) -> str:
        """Sets a variable; returns what the problem is, or nothing."""
        problem = self._told(lambda: self._program.set(observable, text))
        self._left = 0.0
        return problem

    def stop_at(self, observable: str) -> str:
        """Has the program stop where an observable changes next; "0": nowhere. Returns as `set` does."""
        return self._told(lambda: self._program.stop_at(observable))

    def go_on(self) -> str:
        """Lets the program go on where it has stopped. Returns as `set` does."""
        if not self._graph.get("stoppable"):
            return "this program allows no page to stop it"
        problem = self._program.go_on()
        if not problem:
            # It need not note changes any more.
            self._program.stop_at("0")
        return problem

    def _told(self, tell: Callable[[], str]) -> str:
        if self._program.is_stopped:
            return "the program is stopped"
        try:
            return tell()
        except Lost as error:
            return str(error)

    def knows(self, token: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode())

    def is_own(self, host: Optional[str], origin: Optional[str]) -> bool:
        """Whether a request names this server, as one of a page that another one has sent does not."""
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        return host in hosts and (origin is None or origin in {f"http://{each}" for each in hosts})


def _handler_for(server: Server) -> Any:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30

        def do_GET(self) -> None:
            path, given = self._asked()
            if path is None:
                return
            if path in FILES:
                file = Path(__file__).with_name(FILES[path])
                return self._send(200, TYPES[file.suffix], file.read_bytes())
            answer = server.answer(path, given)
            if answer is None:
                return self._refuse(404, "there is no such page")
            self._send(200, "application/json", json.dumps(answer).encode())

        def do_POST(self) -> None:
            path, _ = self._asked()
            if path is None:
                return
            length = self.headers.get("Content-Length", "")
            # Of these a browser asks before another page may send them.
            is_json = self.headers.get("Content-Type", "").partition(";")[0].strip() == "application/json"
            if (
                path not in ("set", "stop", "continue")
                or not is_json
                or not length.isdecimal()
                or int(length) > LONGEST_BODY
            ):
                return self._refuse(400, "not understood")
            try:
                body = json.loads(self.rfile.read(int(length)).decode())
                if path == "set":
                    problem = server.set(str(body["id"]), str(body["text"]))
                else:
                    problem = server.stop_at(str(body["id"])) if path == "stop" else server.go_on()
            except (ValueError, KeyError, TypeError, UnicodeError):
                return self._refuse(400, "not understood")
            self._send(200, "application/json", json.dumps({"problem": problem}).encode())

        def _asked(self) -> Tuple[Optional[str], Dict[str, str]]:
            """The path that is asked for below the token; None: that has been refused."""
            parts = urlsplit(self.path)
            _, _, rest = parts.path.partition("/")
            token, slash, path = rest.partition("/")
            if not server.is_own(self.headers.get("Host"), self.headers.get("Origin")):
                self._refuse(403, "this server is asked by its own page alone")
            elif not slash or not server.knows(token):
                self._refuse(403, "the address of the page has a token, which this one has not")
            else:
                return path, {key: values[0] for key, values in parse_qs(parts.query).items()}
            return None, {}

        def _refuse(self, status: int, why: str) -> None:
            self.close_connection = True
            self._send(status, "text/plain", (why + "\n").encode())

        def _send(self, status: int, type_: str, body: bytes) -> None:
            self.send_response(status)
            for name, value in (
                ("Content-Type", f"{type_}; charset=utf-8"),
                ("Content-Length", str(len(body))),
                ("Cache-Control", "no-store"),
                ("Referrer-Policy", "no-referrer"),
                ("X-Content-Type-Options", "nosniff"),
                (
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                ),
            ):
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing."""

    return Handler

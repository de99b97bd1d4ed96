#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at the site as it is served. Each link leads somewhere, and no page needs the network. What a browser shows of
the main pages, at two widths, is no wider than its window, and is kept as pictures.

Usage: look.py SITE PICTURES
"""

from __future__ import annotations

import functools
import html.parser
import http.server
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse

SHOWN = {
    "index": "index.html",
    "readme": "README.html",
    "laws": "Sources/laws.html",
    "tested": "tested.html",
    "costs": "Tests/Benchmarks/README.html",
    "python": "python.html",
    "c": "c/swiftobserver_8h.html",
    "swift": "swift/documentation/swiftobserver/gettingstarted/",
}
WIDTHS = (390, 1280)
# DocC's pages are drawn by its own program, Doxygen's tables of members are what they are.
OF_OTHERS = ("c", "swift")


class Links(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attributes}
        self.places |= {known[name] for name in ("id", "name") if name in known}
        if tag in ("script", "img", "iframe", "source") and "src" in known:
            self.loaded.append(known["src"])
        if tag == "link" and "href" in known and re.search(r"stylesheet|icon|preload", known.get("rel", "")):
            self.loaded.append(known["href"])
        if tag == "a" and "href" in known:
            self.links.append(known["href"])


def parsed(page: pathlib.Path) -> Links:
    links = Links()
    links.feed(page.read_text(encoding="utf-8", errors="replace"))
    return links


def check_links(site: pathlib.Path) -> tuple[int, int, list[str]]:
    # DocC makes one program of all its pages, whose links it has checked itself.
    pages = [page for page in site.rglob("*.html") if "swift" not in page.relative_to(site).parts[:1]]
    known = {page: parsed(page) for page in pages}
    wrong, held, outside = [], 0, 0
    for page, links in known.items():
        for link in [*links.links, *links.loaded]:
            address = urllib.parse.urlsplit(link)
            if address.scheme in ("mailto", "data", "javascript"):
                continue
            if address.scheme or link.startswith("//"):
                if link in links.loaded:
                    wrong.append(f"{page.relative_to(site)} loads {link} from the network")
                outside += 1
                continue
            path = urllib.parse.unquote(address.path)
            base = site / path.lstrip("/") if path.startswith("/") else page.parent / path
            target = page if not path else base.resolve()
            if target.is_dir():
                target = target / "index.html"
            place = urllib.parse.unquote(address.fragment)
            if not target.is_file():
                wrong.append(f"{page.relative_to(site)} leads to {link}, which is not there")
            elif place and target in known and place not in known[target].places and site / "c" not in page.parents:
                wrong.append(f"{page.relative_to(site)} leads to {link}, a page without that place")
            else:
                held += 1
    return held, outside, sorted(set(wrong))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def browser() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    sys.exit("look: there is no chromium")


def shows(site: pathlib.Path, pictures: pathlib.Path) -> list[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pictures.mkdir(parents=True, exist_ok=True)
    wrong = []
    # No name but this machine's is found: what a page needs is here.
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--virtual-time-budget=10000",
    ]
    options += ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    for name, path in SHOWN.items():
        if not (site / path).exists():
            wrong.append(f"there is no {path}")
            continue
        for width in WIDTHS:
            picture = pictures / f"{name}-{width}.png"
            address = f"http://127.0.0.1:{server.server_port}/{path}"
            # The page in a frame of that width, for a headless browser has no window as narrow as a telephone's. The
            # title becomes what the page is wide.
            frame = site / "look.html"
            frame.write_text(
                f'<body style="margin:0"><iframe id="page" src="{address}" '
                f'style="border:0;width:{width}px;height:1600px">'
                "</iframe><script>page.onload = () => setTimeout(() => { document.title = 'width ' + "
                "page.contentDocument.documentElement.scrollWidth }, 3000)</script>",
                encoding="utf-8",
            )
            looked = f"http://127.0.0.1:{server.server_port}/look.html"
            command = [browser(), *options, f"--window-size={max(width, 500)},1600"]
            subprocess.run(
                [*command, f"--screenshot={picture}", looked],
                check=True,
                capture_output=True,
                timeout=120,
            )
            shown = subprocess.run(
                [*command, "--dump-dom", looked],
                capture_output=True,
                text=True,
                timeout=120,
            ).stdout
            found = re.search(r"<title>width (\d+)</title>", shown)
            frame.unlink()
            if picture.stat().st_size < 10_000:
                wrong.append(f"{picture.name} shows nothing")
            if name not in OF_OTHERS and (not found or int(found[1]) > width):
                wrong.append(f"{path} is {found[1] if found else '?'} wide in a window of {width}")
    server.shutdown()
    return wrong


def main(folder: str, pictures: str) -> int:
    site = pathlib.Path(folder).resolve()
    held, outside, wrong = check_links(site)
    wrong += shows(site, pathlib.Path(pictures))
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    print(f"site: {held} links hold, {outside} lead to other sites; {len(SHOWN) * len(WIDTHS)} pictures in {pictures}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))

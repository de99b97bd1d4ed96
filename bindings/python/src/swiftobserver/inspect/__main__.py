# SPDX-License-Identifier: MIT
"""`python -m swiftobserver.inspect ADDRESS`: a live page of a running program."""

from __future__ import annotations

import argparse
import sys
import webbrowser

from . import Lost, Server


def main() -> int:
    """Serves the page until the program has ended."""
    parser = argparse.ArgumentParser(
        prog="python -m swiftobserver.inspect",
        description="Shows in the browser what a running program observes, what happens in it, and why.",
        epilog="The program is one that was started with SWIFTOBSERVER_INSPECT=unix:PATH. It shows values, and lets "
        "the page set variables, with SWIFTOBSERVER_INSPECT_ALLOW=values,set.",
    )
    parser.add_argument("address", help="unix:PATH, or the number of the program's process")
    parser.add_argument("--port", type=int, default=0, help="where the page is served, at 127.0.0.1; at first any")
    parser.add_argument("--open", action="store_true", help="opens the page in the browser")
    arguments = parser.parse_args()
    try:
        server = Server(arguments.address, arguments.port)
    except (Lost, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(server.page, flush=True)
    if arguments.open:
        webbrowser.open(server.page)
    try:
        server.wait()
    except KeyboardInterrupt:
        pass
    if server.lost:
        print(server.lost, file=sys.stderr)
    server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A file server for static Apps, run as a script: ``static.py PORT FOLDER``. Loopback only, nothing cached,
so that what the browser shows is what lies in the folder.
"""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Handler(SimpleHTTPRequestHandler):
    """Serves files without caching and without a log line per request."""

    protocol_version = "HTTP/1.1"

    def end_headers(self) -> None:
        """Forbid caching."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing about requests; errors are still logged."""


def main(port: str, folder: str) -> None:
    """Serve until killed."""
    with ThreadingHTTPServer(("127.0.0.1", int(port)), partial(Handler, directory=folder)) as server:
        server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""An https server on this machine that behaves as it is told, with a certificate made for tests."""

from __future__ import annotations

import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""The certificate and its key; who is to trust it has SSL_CERT_FILE name this file."""


class Site:
    """The files of a server by their paths, how it serves them, and the requests that it got."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.etag: str | None = '"1"'
        self.redirects: dict[str, str] = {}
        self.statuses: dict[str, int] = {}
        self.breaks_after: int | None = None
        """How many bytes of a file are sent before the connection breaks off."""
        self.ranges = True
        self.length = True
        self.requests: list[tuple[str, str | None]] = []
        """Paths with the ranges that were asked for."""
        self.address = ""


@contextmanager
def https_site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self, site)

        def log_message(self, *_: object) -> None:
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    site.address = f"https://localhost:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def answer(request: BaseHTTPRequestHandler, site: Site) -> None:
    path = request.path.partition("?")[0]
    wanted = request.headers.get("Range")
    site.requests.append((path, wanted))
    if path in site.redirects:
        request.send_response(302)
        request.send_header("Location", site.redirects[path])
        request.end_headers()
        return
    if path not in site.files or path in site.statuses:
        request.send_error(site.statuses.get(path, 404))
        return
    content = site.files[path]
    start = 0
    if wanted is not None and site.ranges and request.headers.get("If-Range") == site.etag:
        found = re.fullmatch(r"bytes=(\d+)-", wanted)
        assert found is not None, wanted
        start = int(found[1])
        if start >= len(content):
            request.send_response(416)
            request.send_header("Content-Range", f"bytes */{len(content)}")
            request.end_headers()
            return
    request.send_response(206 if start else 200)
    if start:
        request.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
    if site.etag is not None:
        request.send_header("ETag", site.etag)
    if site.length:
        request.send_header("Content-Length", str(len(content) - start))
    request.end_headers()
    end = None if site.breaks_after is None else start + site.breaks_after
    request.wfile.write(content[start:end])

"""An https server on this machine that behaves as it is told, with a certificate made for tests."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""The certificate and its key; who is to trust it has SSL_CERT_FILE name this file."""


class Site:
    """The files of a server by their paths, how it serves them, and the paths that were asked for."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.breaks_after: int | None = None
        """How many bytes of a file are sent before the connection breaks off."""
        self.length = True
        """Whether the length of a file is stated."""
        self.requests: list[str] = []
        self.address = ""


@contextmanager
def trusted_site(**files: bytes) -> Iterator[Site]:
    """A server of these files that the process trusts while the block runs, and reaches without a proxy."""
    with pytest.MonkeyPatch.context() as patch, https_site() as site:
        patch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            patch.delenv(name, raising=False)
        site.files |= {f"/{name}.jsonl": content for name, content in files.items()}
        yield site


@contextmanager
def https_site() -> Iterator[Site]:
    """A server that runs while the block does."""
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
    """Answer as the site is told to."""
    path = request.path.partition("?")[0]
    site.requests.append(path)
    if path in site.redirects:
        request.send_response(302)
        request.send_header("Location", site.redirects[path])
        request.end_headers()
        return
    if path not in site.files:
        request.send_error(404)
        return
    content = site.files[path]
    request.send_response(200)
    if site.length:
        request.send_header("Content-Length", str(len(content)))
    request.end_headers()
    request.wfile.write(content[: site.breaks_after])

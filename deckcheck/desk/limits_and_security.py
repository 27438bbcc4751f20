"""What every request must keep, and what every response says: hosts, origins, size of a body, content policy.

A page of another site can make a browser send requests here. A foreign `Origin` is therefore refused for whatever
changes something, and a `Host` that is a foreign name is refused for everything (DNS rebinding).
"""

import logging
import traceback
from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger("uvicorn.error")

MOST_BYTES = 256 * 1024
"""The largest body of a request."""

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

SHEET_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)
"""The policy of a page to print, which carries its styles itself."""

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    # A private link must not reach another site; without any referrer, browsers would not name the origin of a form.
    "Referrer-Policy": "same-origin",
}


class Address(Struct, frozen=True):
    """Where the pages are: the address that the server listens on, and the one that people use, if it is another."""

    host: str
    port: int
    public_url: str | None = None

    @property
    def url(self) -> str:
        """The address to hand out, without a slash at the end."""
        if self.public_url is not None:
            return self.public_url.rstrip("/")
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def is_secure(self) -> bool:
        """Whether people use HTTPS, so that cookies may be limited to it."""
        return self.url.startswith("https://")

    def allows(self, host: str) -> bool:
        """Whether a `Host` header names this server: by an IP address, as localhost, or as in its address."""
        name = (urlsplit(f"//{host}").hostname or "").lower()
        known = {"localhost", self.host.lower(), (urlsplit(self.url).hostname or "").lower()}
        return name in known or _is_ip_address(name)


def _is_ip_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_foreign(origin: str, host: str, address: Address) -> bool:
    """Whether an `Origin` header is not that of these pages, which were asked for at `host`."""
    netloc = urlsplit(origin).netloc.lower()
    return netloc not in {host.lower(), urlsplit(address.url).netloc.lower()}


class Guard:
    """Refuses foreign hosts and origins and large bodies; adds the headers of safety to every response."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app = app
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        started = False

        async def send_and_note(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, _with_headers(send_and_note))
        except Exception as error:
            # Its message may hold a list or a name, so only the places in the program are logged.
            places = "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s\n%s", type(error).__name__, places)
            if not started:
                failure = PlainTextResponse(
                    "An error of this program; the server's output says where.\n", 500
                )
                await failure(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._address.allows(host):
            return PlainTextResponse("This name is not one of this server.\n", 421)
        if scope["method"] not in _SAFE_METHODS:
            origin = headers.get("origin")
            site = headers.get("sec-fetch-site", "same-origin")
            if site == "cross-site" or (origin is not None and is_foreign(origin, host, self._address)):
                return PlainTextResponse("This request comes from another site.\n", 403)
        if "transfer-encoding" in headers:
            # Browsers say how long a form is, and then the server reads no more.
            return PlainTextResponse("A request says how long its body is (Content-Length).\n", 411)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MOST_BYTES:
            return PlainTextResponse(f"A request has at most {MOST_BYTES} bytes.\n", 413)
        return None


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_with_headers

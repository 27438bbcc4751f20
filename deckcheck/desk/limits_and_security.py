"""What every request must keep, and what every response says: hosts, origins, size of a body, content policy.

A page of another site can make a browser send requests here. A foreign `Origin` is therefore refused for whatever
changes something, and a `Host` that is a foreign name is refused for everything (DNS rebinding).
"""

import logging
import traceback
from contextlib import suppress
from ipaddress import ip_address
from typing import Literal, get_args
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_log = logging.getLogger("uvicorn.error")

MOST_BYTES = 256 * 1024
"""The largest body of a request."""

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
    "Cache-Control": "no-store",
    "Vary": "Accept-Language, Cookie",
}

Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
LANGUAGE_COOKIE = "lang"
_YEAR = 365 * 24 * 60 * 60


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

    @property
    def is_exposed(self) -> bool:
        """Whether others can reach the pages without encryption."""
        is_local = self.host in ("127.0.0.1", "localhost", "::1") and self.public_url is None
        return not is_local and not self.is_secure

    def allows(self, host: str) -> bool:
        """Whether a `Host` header names this server: by an IP address, as localhost, or as in its address."""
        name = (urlsplit(f"//{host}").hostname or "").lower()
        with suppress(ValueError):
            ip_address(name)
            return True
        return name in {"localhost", self.host.lower(), (urlsplit(self.url).hostname or "").lower()}

    def is_origin(self, origin: str, host: str) -> bool:
        """Whether an `Origin` header is that of these pages, which were asked for at `host`."""
        netloc = urlsplit(origin).netloc.lower()
        return netloc in (host.lower(), urlsplit(self.url).netloc.lower())


def address_of(host: str, port: int, public_url: str | None) -> Address:
    """The address to serve at. Raises UserError for a public address that is none."""
    if public_url is not None:
        parts = urlsplit(public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
            hint = _("write it like https://decks.example")
            raise user_error(_("--public-url: {url!r} is no address of a site", url=public_url), hint=hint)
    return Address(host, port, public_url)


class Guard:
    """Refuses foreign hosts and origins and large bodies; adds the headers of safety and of language to every response."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app = app
        self._address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_answered, lang = False, QueryParams(scope["query_string"]).get("lang")

        async def send_with_headers(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                is_answered = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                # The language that was chosen on a page is kept for the next request.
                if lang in LANGUAGES:
                    secure = "; Secure" if self._address.is_secure else ""
                    cookie = (
                        f"{LANGUAGE_COOKIE}={lang}; HttpOnly; Max-Age={_YEAR}; Path=/; SameSite=lax{secure}"
                    )
                    headers.append("Set-Cookie", cookie)
            await send(message)

        answer = self._refusal(scope) or self._app
        try:
            await answer(scope, receive, send_with_headers)
        except Exception as error:
            # Its message may hold a list or a name, so only the places in the program are logged.
            places = "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s\n%s", type(error).__name__, places)
            if not is_answered:
                failure = PlainTextResponse(
                    "An error of this program; the server's output says where.\n", 500
                )
                await failure(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._address.allows(host):
            return PlainTextResponse("This name is not one of this server.\n", 421)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            origin = headers.get("origin")
            is_foreign = origin is not None and not self._address.is_origin(origin, host)
            if is_foreign or headers.get("sec-fetch-site") == "cross-site":
                return PlainTextResponse("This request comes from another site.\n", 403)
        if "transfer-encoding" in headers:
            # Browsers say how long a form is, and then the server reads no more.
            return PlainTextResponse("A request says how long its body is (Content-Length).\n", 411)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MOST_BYTES:
            return PlainTextResponse(f"A request has at most {MOST_BYTES} bytes.\n", 413)
        return None

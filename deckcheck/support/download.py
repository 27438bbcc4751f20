"""Downloads a file from an https address given by the user, in one go and within bounds."""

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from deckcheck.support import VERSION
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write
from deckcheck.support.messages import _

MOST_BYTES = 4 * 1024**3
"""The largest file: twice the largest card data that is published."""

_SECONDS = 30
_PIECE = 256 * 1024
_LONGEST_NAME = 200
_LONGEST_NUMBER = 18
_PLAIN = "%/:=&?~#+!$,;'@()*[]"
"""The characters of an address that aren't escaped, besides letters, digits and the like."""

Progress = Callable[[int, int], None]
"""Called with the number of bytes received and the total, 0 if unknown."""


@contextmanager
def downloaded(url: str, progress: Progress = lambda _done, _total: None) -> Iterator[Path]:
    """The file at an https address, complete and with its name there; it is removed after use.

    Raises UserError for another kind of address, and for what can't be fetched or is too large.
    """
    if not _is_plain_https(url):
        raise user_error(_("only plain https addresses can be downloaded"), path=url)
    with tempfile.TemporaryDirectory(prefix="deckcheck-") as folder, _opened(url) as response:
        file = Path(folder) / _name_of(response.geturl())
        try:
            _receive(response, file, url, progress)
        except OSError as error:
            raise cannot_write(file, error) from error
        yield file


def _is_plain_https(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() == "https" and bool(parts.hostname) and parts.username is None


def _opened(url: str) -> HTTPResponse:
    """The response of the server. Raises UserError for an unsuccessful one, and if there is none."""
    headers = {"User-Agent": f"deckcheck/{VERSION}", "Accept": "*/*", "Accept-Encoding": "identity"}
    try:
        request = Request(quote(url, safe=_PLAIN), headers=headers)
        response: HTTPResponse = build_opener(_OnlyHttps).open(request, timeout=_SECONDS)
    except HTTPError as error:
        error.close()
        raise user_error(_("the server answers {status}", status=error.code), path=url) from error
    except (URLError, HTTPException, OSError, ValueError) as error:
        raise user_error(_("cannot be reached: {reason}", reason=_reason(error)), path=url) from error
    return response


def _receive(response: HTTPResponse, path: Path, url: str, progress: Progress) -> None:
    """Write what the server sends to a file."""
    length = response.headers.get("Content-Length", "")
    total = int(length) if length.isdecimal() and len(length) <= _LONGEST_NUMBER else 0
    received = 0
    with path.open("wb") as file:
        while True:
            if max(received, total) > MOST_BYTES:
                raise user_error(_("too large (at most {most:,} bytes)", most=MOST_BYTES), path=url)
            try:
                piece = response.read(_PIECE)
            except (HTTPException, OSError) as error:
                raise _broken(url, received) from error
            if not piece:
                break
            file.write(piece)
            received += len(piece)
            progress(received, total)
    if total and received != total:
        raise _broken(url, received)


def _broken(url: str, received: int) -> UserError:
    message = _("the connection broke off after {held:,} bytes", held=received)
    return user_error(message, path=url, hint=_("try again"))


class _OnlyHttps(HTTPRedirectHandler):
    """Refuses redirects from https to anything else."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if urlsplit(newurl).scheme.lower() != "https":
            fp.close()
            reason = _("redirected to an address that is not https")
            raise user_error(_("cannot be reached: {reason}", reason=reason))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _name_of(url: str) -> str:
    """The name of the file at an address, with only characters that every file system allows."""
    name = re.sub(r"[^\w.-]", "_", unquote(urlsplit(url).path).rpartition("/")[2])
    # A file's name has at most 255 bytes, three for each Japanese character.
    name = name.encode("utf-8", "ignore")[-_LONGEST_NAME:].decode("utf-8", "ignore")
    return name.lstrip(".") or "download"


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
    return str(reason) or type(error).__name__

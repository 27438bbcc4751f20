"""Downloads files from https addresses given by the user: bounded, resumed after an interruption, and verified.

A download is kept in the cache until it is removed, with the version that the server states, so that an interrupted one
is resumed, but only if the file is still the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from filelock import FileLock, Timeout

from deckcheck.support import VERSION
from deckcheck.support.cache import cache_folder
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import Words, _

MOST_BYTES = 4 * 1024**3
"""The largest file: twice the largest card data that is published."""

_SECONDS = 30
_PIECE = 256 * 1024
_MOST_CHECKSUM = 1024
_NOT_OFFERED = (403, 404, 410)
_NO_RANGE = 416
_LONGEST_NAME = 200
_PLAIN = "%/:=&?~#+!$,;'@()*[]"
"""The characters of an address that aren't escaped, besides letters, digits and the like."""

Progress = Callable[[int, int], None]
"""Called with the number of bytes received and the total, 0 if unknown."""


@contextmanager
def downloaded(url: str, progress: Progress = lambda _done, _total: None) -> Iterator[Path]:
    """The file at an https address, complete and with its name there; it is removed after use.

    If its use fails, it is kept, as is a part of it. Raises UserError for another kind of address, for what can't be
    fetched or is too large, or if the checksum at the address with ".sha256" appended differs.
    """
    if not _is_plain_https(url):
        raise user_error(_("only plain https addresses can be downloaded"), path=url)
    folder = cache_folder() / "downloads" / hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()[:16]
    lock = FileLock(folder.with_suffix(".lock"), timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with lock:
            file = _Download(url, folder).fetch(progress)
            lock.acquire()
    except Timeout as error:
        raise user_error(_("another import is already downloading this"), path=url) from error
    except OSError as error:
        raise cannot_write(folder, error) from error
    try:
        yield file
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        lock.release()


def _is_plain_https(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() == "https" and bool(parts.hostname) and parts.username is None


class _State(NamedTuple):
    """What is known about the file of which a part is in the folder: its name and the version."""

    name: str = "download"
    validator: str | None = None


class _Download:
    """The download of one address into its own folder."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url, self._folder = url, folder
        self._opener = build_opener(_OnlyHttps)
        self._state_file = folder / ".state"
        self._state = self._earlier()

    def _earlier(self) -> _State:
        with contextlib.suppress(OSError, ValueError, TypeError):
            return _State(*json.loads(self._state_file.read_bytes()))
        return _State()

    @property
    def _file(self) -> Path:
        return self._folder / self._state.name

    def fetch(self, progress: Progress) -> Path:
        """The complete file, verified."""
        held = self._file.stat().st_size if self._file.is_file() else 0
        if not self._state.validator:
            held = 0
        try:
            with self._open(self._url, held) as response:
                self._receive(response, held, progress)
        except HTTPError as error:
            error.close()
            if error.code != _NO_RANGE or not held:
                raise self._failed(_("the server answers {status}", status=error.code)) from error
            if error.headers.get("Content-Range") != f"bytes */{held}":
                # The file has become shorter.
                self._file.unlink()
                return self.fetch(progress)
        self._verify()
        return self._file

    def _open(self, url: str, held: int = 0) -> HTTPResponse:
        """The response of the server. Raises HTTPError for an unsuccessful one, UserError if there is none."""
        headers = {"User-Agent": f"deckcheck/{VERSION}", "Accept": "*/*", "Accept-Encoding": "identity"}
        if held:
            headers |= {"Range": f"bytes={held}-", "If-Range": self._state.validator or ""}
        try:
            request = Request(quote(url, safe=_PLAIN), headers=headers)
            response: HTTPResponse = self._opener.open(request, timeout=_SECONDS)
        except HTTPError:
            raise
        except (URLError, HTTPException, OSError, ValueError) as error:
            raise self._failed(_("cannot be reached: {reason}", reason=_reason(error))) from error
        return response

    def _receive(self, response: HTTPResponse, held: int, progress: Progress) -> None:
        """Write what the server sends, after the part that exists, or from the start."""
        begin = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", ""))
        if response.status == 206 and (begin is None or int(begin[1]) != held):
            raise self._failed(_("the server answers with another part of the file"))
        if response.status != 206:
            held = 0
            shutil.rmtree(self._folder)
            self._folder.mkdir()
            self._state = _State(_name_of(response.geturl()), _validator(response))
            write_atomically(self._state_file, json.dumps(self._state).encode())
        length = response.headers.get("Content-Length", "")
        total = held + int(length) if length.isdecimal() and len(length) < 19 else 0
        if response.status == 206 and begin is not None and begin[2].isdecimal():
            # The server may send only a part of the rest.
            total = int(begin[2][:19])
        with self._file.open("ab" if held else "wb") as file:
            while True:
                if max(held, total) > MOST_BYTES:
                    raise self._failed(_("too large (at most {most:,} bytes)", most=MOST_BYTES))
                try:
                    piece = response.read(_PIECE)
                except (HTTPException, OSError) as error:
                    raise self._broken(held, total) from error
                if not piece:
                    break
                file.write(piece)
                held += len(piece)
                progress(held, total)
        if total and held != total:
            raise self._broken(held, total)

    def _verify(self) -> None:
        """Compare the file with the checksum that the server has for it, if any."""
        parts = urlsplit(self._url)
        try:
            with self._open(parts._replace(path=f"{parts.path}.sha256", fragment="").geturl()) as response:
                text = response.read(_MOST_CHECKSUM).decode("ascii", "replace")
        except HTTPError as error:
            error.close()
            if error.code in _NOT_OFFERED:
                return
            raise self._failed(
                _("its checksum cannot be fetched: the server answers {status}", status=error.code)
            ) from error
        except (HTTPException, OSError) as error:
            raise self._failed(
                _("its checksum cannot be fetched: {reason}", reason=_reason(error))
            ) from error
        stated = re.match(r"\s*([0-9a-fA-F]{64})(?![0-9a-fA-F])", text)
        if stated is None:
            # A page that says in words that nothing was found.
            return
        with self._file.open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
        if actual != stated[1].lower():
            self._file.unlink()
            raise self._failed(_("damaged: its checksum is not the one that the server states; try again"))

    def _broken(self, held: int, total: int) -> UserError:
        message = _("the connection broke off after {held:,} of {total:,} bytes", held=held, total=total)
        if not total:
            message = _("the connection broke off after {held:,} bytes", held=held)
        hint = _("run the same command again to go on from there") if self._state.validator else None
        return user_error(message, path=self._url, hint=hint)

    def _failed(self, message: Words) -> UserError:
        return user_error(message, path=self._url)


class _OnlyHttps(HTTPRedirectHandler):
    """Refuses redirects from https to anything else."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if urlsplit(newurl).scheme.lower() != "https":
            reason = _("redirected to an address that is not https")
            raise user_error(_("cannot be reached: {reason}", reason=reason))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _validator(response: HTTPResponse) -> str | None:
    """The server's identifier of this version of the file; None if a later part could be from another version."""
    etag = response.headers.get("ETag", "")
    found = etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified")
    return found if response.headers.get("Accept-Ranges") != "none" else None


def _name_of(url: str) -> str:
    """The name of the file at an address, with only characters that every file system allows."""
    name = re.sub(r"[^\w.-]", "_", unquote(urlsplit(url).path).rpartition("/")[2])
    # A file's name has at most 255 bytes, three for each Japanese character.
    name = name.encode("utf-8", "ignore")[-_LONGEST_NAME:].decode("utf-8", "ignore")
    return name.lstrip(".") or "download"


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
    return str(reason) or type(error).__name__

"""The files of other programs: downloaded, unpacked and parsed within bounds, and the records of what is in them."""

import bz2
import gzip
import io
import lzma
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO, Any, Literal, cast
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from deckcheck.support import VERSION
from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, renamed, user_error
from deckcheck.support.files import cannot_read, cannot_write, reason_of
from deckcheck.support.messages import Words, _, n_

MOST_BYTES = 8 * 1024**3
MOST_ITEM = 8 * 1024 * 1024
"""The most bytes of one item of JSON; a card has a few thousand."""

_PIECE = 256 * 1024
_MOST_DIRECTORY = 1024 * 1024
BOM = b"\xef\xbb\xbf"
_GZIP, _XZ, _BZIP2, _ZIP = b"\x1f\x8b", b"\xfd7zXZ\x00", b"BZh", (b"PK\x03\x04", b"PK\x05\x06")
_PACKED_ENDINGS = (".gz", ".xz", ".bz2", ".zip")

_ENDS_TOO_EARLY = ("premature EOF", "Incomplete")
"""What the parsers of ijson say of a file without its end."""

MOST_DOWNLOADED = 4 * 1024**3
"""The largest file that is downloaded: twice the largest card data that is published."""

_SECONDS = 30
_LONGEST_NAME = 200
_LONGEST_NUMBER = 18
_PLAIN = "%/:=&?~#+!$,;'@()*[]"
"""The characters of an address that aren't escaped, besides letters, digits and the like."""

Advance = Callable[[int], None]
"""Called with the number of further bytes of the file that are done."""


# What a file holds

Reason = Literal["unplayable", "flawed"]
"""Why an entry is left out: no deck can hold it (a token, an art card, an unreleased card …), or it makes no valid card."""

LEGAL_IN = "pool"
"""The attribute for the formats in which a card is legal; each version of a card may have another part of it."""


class SourceCard(Struct, frozen=True):
    """A card, or one of several entries for the same card.

    `record` is as in a card file, without aliases and printings. Two entries are the same card if their `source_id` or
    name agrees. The facts of one that `is_fallback` count only if the card has no other entries. `melds`
    names the card that this one melds into. `code` is an alias by which an earlier table may know the card under a
    name in another language. `statuses` are the source's words by format.
    """

    record: dict[str, Any]
    source_id: str = ""
    aliases: tuple[str, ...] = ()
    printings: tuple[dict[str, Any], ...] = ()
    is_fallback: bool = False
    melds: str | None = None
    code: str | None = None
    statuses: Mapping[str, str] | None = None


SourceEntry = SourceCard | Reason
"""A card, or why an entry is no card to import."""


class StatedList(Struct, frozen=True):
    """A banlist in a file, as of one day.

    `id` is the part of its id after the game, `title` its name in the file without the date, `date` the stated day, or the
    first of the month if it states a `month_only`. `statuses` and `free` (cards stated to have no
    status; None: all others) have cards by any name that the card table knows; with `others` all other cards have
    that status. `refused` says why it can't be imported.
    """

    id: str
    title: str
    date: str | None
    statuses: Mapping[str, str]
    free: frozenset[str] | None = None
    refused: Words | None = None
    others: str | None = None
    month_only: bool = False


class SourceKind(Struct, frozen=True):
    """A kind of files: its common name and game, how such files begin, and what reads cards and lists in them.

    The banlists may be those of entries that were read. `some_printings` says that a file with one entry per card has
    only one of the card's printings.
    """

    title: str
    game: str
    begins: re.Pattern[bytes]
    read_cards: Callable[[Path, Advance], Iterator[SourceEntry]] | None = None
    read_lists: Callable[[Path, Iterable[SourceEntry]], list[StatedList]] | None = None
    some_printings: bool = False


# Downloads

Progress = Callable[[int, int], None]
"""Called with the number of bytes received and the total, 0 if unknown."""


@contextmanager
def downloaded(url: str, progress: Progress = lambda _done, _total: None) -> Iterator[Path]:
    """The file at an https address, complete and with its name there; it is removed after use.

    Raises UserError for another kind of address, and for what can't be fetched or is too large.
    """
    if not _is_plain_https(url):
        raise user_error(_("only plain https addresses can be downloaded"), path=url)
    with tempfile.TemporaryDirectory(prefix="deckcheck-") as folder:
        try:
            response = _response(url)
        except HTTPError as error:
            error.close()
            raise user_error(_("the server answers {status}", status=error.code), path=url) from error
        except (URLError, HTTPException, OSError, ValueError) as error:
            reason = reason_of(getattr(error, "reason", error))
            raise user_error(_("cannot be reached: {reason}", reason=reason), path=url) from error
        file = Path(folder) / _name_of(response.geturl())
        with response:
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


def _response(url: str) -> HTTPResponse:
    """The response of the server. Raises URLError, HTTPException, OSError or ValueError."""
    # It can't open anything but https, also where a server redirects to it.
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.UnknownHandler,
        request.HTTPSHandler,
        request.HTTPDefaultErrorHandler,
        request.HTTPRedirectHandler,
        request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    headers = {"User-Agent": f"deckcheck/{VERSION}", "Accept": "*/*", "Accept-Encoding": "identity"}
    asked = request.Request(quote(url, safe=_PLAIN), headers=headers)
    response: HTTPResponse = opener.open(asked, timeout=_SECONDS)
    return response


def _receive(response: HTTPResponse, path: Path, url: str, progress: Progress) -> None:
    """Write what the server sends to a file. Raises OSError of the file, and UserError if that is too much or too little."""
    length = response.headers.get("Content-Length", "")
    total = int(length) if length.isdecimal() and len(length) <= _LONGEST_NUMBER else 0
    received = 0
    with path.open("wb") as file:
        while True:
            if max(received, total) > MOST_DOWNLOADED:
                raise user_error(_("too large (at most {most:,} bytes)", most=MOST_DOWNLOADED), path=url)
            try:
                piece = response.read(_PIECE)
            except (HTTPException, OSError) as error:
                message = _("cannot be downloaded: {reason}", reason=reason_of(error))
                raise user_error(message, path=url, hint=_("try again")) from error
            if not piece:
                break
            file.write(piece)
            received += len(piece)
            progress(received, total)
    if total and received != total:
        message = _("the connection broke off after {held:,} bytes", held=received)
        raise user_error(message, path=url, hint=_("try again"))


def _name_of(url: str) -> str:
    """The name of the file at an address, with only characters that every file system allows."""
    name = re.sub(r"[^\w.-]", "_", unquote(urlsplit(url).path).rpartition("/")[2])
    # A file's name has at most 255 bytes, three for each Japanese character.
    name = name.encode("utf-8", "ignore")[-_LONGEST_NAME:].decode("utf-8", "ignore")
    return name.lstrip(".") or "download"


# Content


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The file itself, or a temporary copy of what is packed in it, whose name lacks the ending of the archive.

    Raises UserError for a file that can't be read or unpacked. Errors about the copy become ones about the file.
    """
    try:
        with _PiecewiseFile(path) as archive:
            content = _content_of(path, archive)
            if content is None:
                yield path
                return
            with tempfile.TemporaryDirectory(prefix="deckcheck-") as folder:
                has_ending = path.suffix.lower() in _PACKED_ENDINGS
                copy = Path(folder) / (path.stem if has_ending else path.name)
                _copy(path, content, copy)
                try:
                    yield copy
                except UserError as error:
                    raise renamed(error, str(copy), str(path)) from error
    except OSError as error:
        raise cannot_read(path, error) from error


class _PiecewiseFile(io.FileIO):
    """A file that isn't read in large pieces, such as the directory of a ZIP file with very many files."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _MOST_DIRECTORY:
            raise zipfile.BadZipFile
        return super().read(size) or b""


def _content_of(path: Path, archive: _PiecewiseFile) -> IO[bytes] | None:
    """The unpacked content of an archive; None for any other file. Raises UserError for an unreadable ZIP file."""
    head = archive.read(len(_XZ))
    archive.seek(0)
    if head.startswith(_GZIP):
        return cast(IO[bytes], gzip.GzipFile(fileobj=archive, mode="rb"))
    if head.startswith(_XZ):
        return lzma.LZMAFile(archive)
    if head.startswith(_BZIP2):
        return bz2.BZ2File(archive)
    return _only_member(path, archive) if head.startswith(_ZIP) else None


def _only_member(path: Path, archive: _PiecewiseFile) -> IO[bytes]:
    try:
        packed = zipfile.ZipFile(archive)
        files = [member for member in packed.infolist() if not member.is_dir()]
        # What a Mac adds to its files is in this folder.
        members = [file for file in files if not file.filename.startswith("__MACOSX/")]
        if len(members) == 1:
            return packed.open(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        message = _("not a readable ZIP file: damaged, incomplete or with too many files")
        raise user_error(message, path=str(path)) from error
    message = n_(
        "the ZIP file holds {n} file; it must hold exactly one",
        "the ZIP file holds {n} files; it must hold exactly one",
        len(members),
    )
    raise user_error(message, path=str(path))


def _copy(path: Path, content: IO[bytes], copy: Path) -> None:
    """Write the content of an archive to a file. Raises OSError, and UserError if it is damaged or too large."""
    with copy.open("wb") as file:
        while True:
            try:
                piece = content.read(_PIECE)
            except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError) as error:
                # RuntimeError: a member with a password or an unknown compression.
                message = _("the archive is damaged or incomplete")
                raise user_error(message, path=str(path)) from error
            if not piece:
                return
            if file.tell() + len(piece) > MOST_BYTES:
                raise user_error(_("too large"), path=str(path))
            file.write(piece)


def json_items(path: Path, advance: Advance) -> Iterator[Any]:
    """Yields the items of the list that is all of a JSON file. Raises UserError, also for what follows the list."""
    try:
        import ijson
    except ImportError as error:
        hint = _("run pip install 'deckcheck[import]'")
        raise user_error(_("reading large JSON files needs another library"), hint=hint) from error
    items: list[Any] = ijson.sendable_list()
    parser = ijson.items_coro(items, "item", use_float=True)
    read = begin = 0
    with path.open("rb") as file:
        try:
            while piece := file.read(_PIECE):
                advance(len(piece))
                parser.send(piece.removeprefix(BOM) if read == 0 else piece)
                read += len(piece)
                if items:
                    yield from items
                    items.clear()
                    begin = read
                if read > MOST_BYTES:
                    raise user_error(_("too large"), path=str(path))
                if read - begin > MOST_ITEM:
                    raise user_error(_("one entry is too large"), path=str(path))
            parser.close()
        except ijson.JSONError as error:
            if any(words in str(error) for words in _ENDS_TOO_EARLY):
                message = _("ends too early, after {at:,} bytes: the download isn't complete", at=read)
            else:
                message = _("not valid JSON (before byte {at:,})", at=read)
            raise user_error(message, path=str(path)) from error
    yield from items


# Days in names

# 2024.4.8, or 20240408, which a time may follow.
_DAY = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:(?P<between>[-./])(?P<month>\d{1,2})(?P=between)(?P<day>\d{1,2})"
    r"|(?P<mm>\d\d)(?P<dd>\d\d)(?:\d{6})?)(?!\d)"
)
_MONTH = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)[-./](?P<month>\d{1,2})(?![-./]?\d)")


def month_in(text: str) -> str | None:
    """The first day of the first month without a day in a name ("2026.11"), as an ISO date; None without one."""
    match = _MONTH.search(text)
    date = match and f"{match['year']}-{int(match['month']):02}-01"
    return date if date and is_day(date) else None


def day_in(text: str) -> str | None:
    """The first full date in a name, as an ISO date; None without one."""
    for hit in _DAY.finditer(text):
        month, day = hit["month"] or hit["mm"], hit["day"] or hit["dd"]
        date = f"{hit['year']}-{int(month):02}-{int(day):02}"
        if is_day(date):
            return date
    return None

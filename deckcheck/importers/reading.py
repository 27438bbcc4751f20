"""The files of other programs: unpacked and parsed within bounds, and the records of what is in them."""

import bz2
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_read
from deckcheck.support.messages import Words, _, n_

MOST_BYTES = 8 * 1024**3
MOST_ITEM = 8 * 1024 * 1024
"""The most bytes of one item of JSON; a card has a few thousand."""

_PIECE = 64 * 1024
_MOST_DIRECTORY = 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_GZIP, _XZ, _BZIP2, _ZIP = b"\x1f\x8b", b"\xfd7zXZ\x00", b"BZh", (b"PK\x03\x04", b"PK\x05\x06")

_ENDS_TOO_EARLY = ("premature EOF", "Incomplete")
"""What the parsers of ijson say of a file without its end."""

Advance = Callable[[int], None]
"""Called with the number of further bytes of the file that are done."""


# What a file holds

Reason = Literal["token", "art", "beside", "remade", "other", "unreleased", "flawed"]
"""Why an entry is left out: a token, an art card, a card never in a deck, a version in one program only, a card of
another game, an unreleased one, or data that makes no valid card."""

LEGAL_IN = "pool"
"""The attribute for the formats in which a card is legal; each version of a card may have another part of it."""


class SourceCard(NamedTuple):
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


Entry = SourceCard | Reason
"""A card, or why an entry is no card to import."""


class StatedList(NamedTuple):
    """A banlist in a file, as of one day.

    `id` is the part of its id after the game, `title` its name in the file, `undated_title` the title without its date, `date` the
    stated day, or the first of the month if it states a `month_only`. `statuses` and `free` (cards stated to have no
    status; None: all others) have cards by any name that the card table knows; with `others` all other cards have
    that status. `refused` says why it can't be imported.
    """

    id: str
    title: str
    date: str | None
    statuses: Mapping[str, str]
    free: frozenset[str] | None = None
    refused: Words | None = None
    undated_title: str = ""
    others: str | None = None
    month_only: bool = False


class SourceKind(NamedTuple):
    """A kind of files: its id, common name and game, how such files begin, and what reads cards and lists in them.

    The banlists may be those of entries that were read. `some_printings` says that a file with one entry per card has
    only one of the card's printings.
    """

    id: str
    title: str
    game: str
    begins: re.Pattern[bytes]
    read_cards: Callable[[Path, Advance], Iterator[Entry]] | None = None
    read_lists: Callable[[Path, Iterable[Entry]], list[StatedList]] | None = None
    some_printings: bool = False


# Content


class Reader:
    """The unpacked content of a file, without a byte order mark; `is_packed` says whether the file was packed.

    Raises UserError if the file is broken or its content too large.
    """

    def __init__(self, path: Path, file: IO[bytes], advance: Advance) -> None:
        self.path = path
        self.at = 0
        self.limit = MOST_BYTES
        self._raw = _CountingFile(file, advance)
        self._content = _unpacked(path, self._raw)
        self.is_packed = self._content is not self._raw
        self._head = self._pull(len(_BOM)).removeprefix(_BOM)

    def head(self, size: int) -> bytes:
        """The first bytes, at most `size`, which stay to be read."""
        while len(self._head) < size and (more := self._pull(size - len(self._head))):
            self._head += more
        return self._head

    def read(self, size: int = _PIECE) -> bytes:
        """Up to `size` more bytes; b"" at the end."""
        if self._head:
            piece, self._head = self._head[:size], self._head[size:]
        else:
            piece = self._pull(size)
        self.at += len(piece)
        if self.at > self.limit:
            message = _("one entry is too large") if self.limit < MOST_BYTES else _("too large")
            raise user_error(message, path=str(self.path))
        return piece

    def _pull(self, size: int) -> bytes:
        try:
            return bytes(self._content.read(size))
        except EOFError as error:
            raise self.ends_too_early() from error
        except (OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError) as error:
            # RuntimeError: a member with a password or an unknown compression.
            if isinstance(error, OSError) and error.errno is not None:
                raise cannot_read(self.path, error) from error
            message = _("the archive is damaged (before byte {at:,})", at=self._raw.at)
            raise user_error(message, path=str(self.path)) from error

    def ends_too_early(self) -> UserError:
        """The error for a file whose end is missing."""
        message = _("ends too early, after {at:,} bytes: the download isn't complete", at=self._raw.at)
        return user_error(message, path=str(self.path))


class _CountingFile:
    """A file with the number of bytes read in `at`; `most` is the largest single read."""

    most: int | None = None

    def __init__(self, file: IO[bytes], advance: Advance) -> None:
        self._file, self._advance, self.at = file, advance, 0
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if self.most is not None and size > self.most:
            raise zipfile.BadZipFile
        piece = self._file.read(size)
        self.at += len(piece)
        self._advance(len(piece))
        return piece


def _unpacked(path: Path, raw: _CountingFile) -> Any:
    """A file object with the content of a file, unpacked if need be. Raises UserError for an unreadable ZIP file."""
    with path.open("rb") as file:
        head = file.read(len(_XZ))
    if head.startswith(_GZIP):
        return gzip.GzipFile(fileobj=raw, mode="rb")
    if head.startswith(_XZ):
        return lzma.LZMAFile(cast(IO[bytes], raw))
    if head.startswith(_BZIP2):
        return bz2.BZ2File(raw)
    return _only_member(path, raw) if head.startswith(_ZIP) else raw


def _only_member(path: Path, raw: _CountingFile) -> Any:
    try:
        # Opening reads the whole directory, which is small for a single file.
        raw.most = _MOST_DIRECTORY
        archive = zipfile.ZipFile(raw)
        raw.most = None
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) == 1:
            return archive.open(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        message = _("not a readable ZIP file: damaged, incomplete or with too many files")
        raise user_error(message, path=str(path)) from error
    message = n_(
        "the ZIP file holds {n} file; it must hold exactly one",
        "the ZIP file holds {n} files; it must hold exactly one",
        len(members),
    )
    raise user_error(message, path=str(path))


@contextmanager
def opened(path: Path, advance: Advance = lambda _count: None) -> Iterator[Reader]:
    """A reader of a file's content. Raises UserError if the file can't be opened or is an unreadable archive."""
    try:
        with path.open("rb") as file:
            yield Reader(path, file, advance)
    except OSError as error:
        raise cannot_read(path, error) from error


def json_items(reader: Reader) -> Iterator[Any]:
    """Yields the items of the list that is all of a JSON file. Raises UserError, also for what follows the list."""
    try:
        import ijson
    except ImportError as error:
        hint = _("run pip install 'deckcheck[import]'")
        raise user_error(_("reading large JSON files needs another library"), hint=hint) from error
    reader.limit = MOST_ITEM
    try:
        for item in ijson.items(reader, "item", use_float=True):
            yield item
            reader.limit = min(reader.at + MOST_ITEM, MOST_BYTES)
    except ijson.JSONError as error:
        if any(words in str(error) for words in _ENDS_TOO_EARLY):
            raise reader.ends_too_early() from error
        message = _("not valid JSON (before byte {at:,})", at=reader.at)
        raise user_error(message, path=str(reader.path)) from error


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

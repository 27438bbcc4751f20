"""Reads large downloaded files: unpacks them by their first bytes, within bounds, and parses JSON value by value."""

import gzip
import itertools
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_read
from deckcheck.support.messages import Message, _, n_

MOST_BYTES = 8 * 1024**3
MOST_RATIO = 200
"""The largest compression ratio; JSON of cards has 20 to 30."""

MOST_DEPTH = 40
_FREE = 64 * 1024 * 1024
_XZ_MEMORY = 128 * 1024 * 1024
_PIECE = 64 * 1024
_MOST_DIRECTORY = 1024 * 1024
_BOM = b"\xef\xbb\xbf"

Advance = Callable[[int], None]
"""Called with the number of further bytes of the file that are done."""

Event = tuple[str, Any]
Events = Iterator[Event]
OPENING = ("start_map", "start_array")
CLOSING = ("end_map", "end_array")


class Reader:
    """The unpacked content of a file, which may be `packed`; `at` counts the bytes read, `line` the lines (from 1).

    Raises UserError if the file is broken or its content too large.
    """

    def __init__(self, path: Path, raw: "_CountingFile") -> None:
        self.path = path
        self.at, self.line, self.piece_at = 0, 1, 0
        self._raw = raw
        self._source = _source(path, raw)
        self.packed = self._source is not raw
        self._peeked = b""
        self._limit = MOST_BYTES

    def peek(self, size: int) -> bytes:
        """The first bytes, at most `size`, without consuming them; only before anything is read."""
        while len(self._peeked) < size and (more := self._pull(size - len(self._peeked))):
            self._peeked += more
        return self._peeked[:size]

    def skip_mark(self) -> None:
        """Skip a byte order mark; only before anything is read."""
        if self.peek(len(_BOM)) == _BOM:
            self.read(len(_BOM))

    def read(self, size: int = _PIECE) -> bytes:
        """Up to `size` more bytes; b"" at the end."""
        if self._peeked:
            piece, self._peeked = self._peeked[:size], self._peeked[size:]
        else:
            piece = self._pull(size)
        self.piece_at = self.at
        self.at += len(piece)
        self.line += piece.count(b"\n")
        if self.at > self._limit:
            message = _("one entry is too large") if self._limit < MOST_BYTES else _("too large")
            raise user_error(message, path=str(self.path), line=self.line)
        return piece

    def limit_next(self, more: int) -> None:
        """Let at most `more` bytes be read before this is called again."""
        self._limit = min(self.at + more, MOST_BYTES)

    def _pull(self, size: int) -> bytes:
        try:
            piece: bytes = self._source.read(size)
        except EOFError as error:
            raise _ends_too_early(self.path, self._raw.at) from error
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise cannot_read(self.path, error) from error
            # RuntimeError: a member with a password or an unknown compression. LZMAError is checked by name, since lzma
            # may not be imported.
            known = (zlib.error, zipfile.BadZipFile, OSError, RuntimeError)
            if not isinstance(error, known) and type(error).__name__ != "LZMAError":
                raise
            message = _("the archive is damaged (before byte {at:,})", at=self._raw.at)
            raise user_error(message, path=str(self.path)) from error
        if self.packed and self.at > max(_FREE, MOST_RATIO * self._raw.at):
            raise user_error(_("compressed too strongly: it would grow too large"), path=str(self.path))
        return piece


def _ends_too_early(path: Path, at: int, line: int | None = None) -> UserError:
    message = _("ends too early, after {at:,} bytes: the download isn't complete", at=at)
    return user_error(message, path=str(path), line=line)


class _CountingFile:
    """The file as it is, with the number of bytes read in `at`; `most` is the largest single read."""

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


class _Unpacked:
    """The output of lzma or bz2 decompressors, stream after stream."""

    def __init__(self, raw: _CountingFile, make: Callable[[], Any]) -> None:
        self._raw, self._make = raw, make
        self._decompressor = make()

    def read(self, size: int) -> bytes:
        piece = rest = b""
        while not piece:
            if self._decompressor.eof:
                # xz pads the gap between two streams with zeros.
                rest = (self._decompressor.unused_data or self._raw.read(_PIECE)).lstrip(b"\0")
                if not rest:
                    break
                self._decompressor = self._make()
            elif self._decompressor.needs_input:
                rest = self._raw.read(_PIECE)
                if not rest:
                    raise EOFError
            piece, rest = self._decompressor.decompress(rest, size), b""
        return piece


@contextmanager
def unpacked(path: Path, advance: Advance = lambda _count: None) -> Iterator[Reader]:
    """A reader of a file's content. Raises UserError if the file can't be opened or is an unreadable ZIP file."""
    try:
        with path.open("rb") as file:
            yield Reader(path, _CountingFile(file, advance))
    except OSError as error:
        raise cannot_read(path, error) from error


def _source(path: Path, raw: _CountingFile) -> Any:
    """A file object with the content of a file, unpacked if need be. Raises UserError for an unreadable ZIP file."""
    with path.open("rb") as file:
        head = file.read(6)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw, mode="rb")
    if head.startswith(b"\xfd7zXZ\x00"):
        import lzma

        return _Unpacked(raw, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY))
    if head.startswith(b"BZh"):
        import bz2

        return _Unpacked(raw, bz2.BZ2Decompressor)
    if not head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return raw
    try:
        # Opening reads the whole directory, which is small for a single file.
        raw.most = _MOST_DIRECTORY
        archive = zipfile.ZipFile(raw)
        raw.most = None
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) != 1:
            message = n_(
                "the ZIP file holds {n} file; it must hold exactly one",
                "the ZIP file holds {n} files; it must hold exactly one",
                len(members),
            )
            raise user_error(message, path=str(path))
        return archive.open(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise user_error(
            _("not a readable ZIP file: damaged, incomplete or with too many files"), path=str(path)
        ) from error


# JSON


@contextmanager
def json_events(
    path: Path, advance: Advance, first: str, refusal: Message, most: int
) -> Iterator[tuple[Events, Reader]]:
    """The events after the first one of a JSON file, and its reader; the rest of the file is read at the end.

    Raises UserError with the `refusal` if the first event isn't `first`. `most` are the bytes allowed for an entry.
    """
    with unpacked(path, advance) as reader:
        reader.limit_next(most)
        events = _events(reader)
        if next(events)[0] != first:
            raise user_error(refusal, path=str(path))
        yield events, reader
        # Nothing may follow the last bracket.
        for _event in events:
            pass


def _events(reader: Reader) -> Events:
    """Yields a JSON file's events: ("map_key", "name"), ("string", …), ("start_array", None), … Raises UserError."""
    try:
        import ijson
    except ImportError as error:
        hint = _("run pip install 'deckcheck[import]'")
        raise user_error(_("reading large JSON files needs another library"), hint=hint) from error
    depth = 0
    try:
        reader.skip_mark()
        for event in ijson.basic_parse(reader, use_float=True):
            depth += (event[0] in OPENING) - (event[0] in CLOSING)
            if depth > MOST_DEPTH:
                message = _("nested too deeply (before byte {at:,})", at=reader.at)
                raise user_error(message, path=str(reader.path), line=reader.line)
            yield event
    except ijson.JSONError as error:
        raise _json_error(reader) from error


def _json_error(reader: Reader) -> UserError:
    """The error with its exact position: the parser only knows the piece, so it is parsed again byte by byte."""
    import ijson

    start = reader.piece_at
    if start == reader.at:
        return _ends_too_early(reader.path, reader.at, reader.line)
    with unpacked(reader.path) as again:
        again.skip_mark()
        slow = SimpleNamespace(read=lambda size: again.read(min(size, max(start - again.at, 1))))
        try:
            for _event in ijson.basic_parse(slow, use_float=True):
                pass
        except ijson.JSONError:
            reader = again
    message = _("not valid JSON (at byte {at:,})", at=reader.at)
    return user_error(message, path=str(reader.path), line=reader.line)


def read_value(events: Events, event: Event, nested: Collection[str] | None = None) -> Any:
    """The value that begins with `event`; its mappings keep lists and mappings under `nested` keys only (None: all)."""
    if event[0] == "start_map":
        return {key: read_value(events, inner, nested) for key, inner in pairs(events, nested)}
    if event[0] == "start_array":
        return [read_value(events, item, nested) for item in items(events)]
    return event[1]


def skip(events: Events, event: Event) -> None:
    """Skip the value that begins with `event`."""
    depth = int(event[0] in OPENING)
    while depth:
        kind = next(events)[0]
        depth += (kind in OPENING) - (kind in CLOSING)


def pairs(events: Events, nested: Collection[str] | None = None) -> Iterator[tuple[str, Event]]:
    """Yields each key of a map just begun with its value's first event; callers read the rest. `nested`: see `read_value`."""
    for kind, key in events:
        if kind == "end_map":
            return
        event = next(events)
        if nested is not None and event[0] in OPENING and key not in nested:
            skip(events, event)
        else:
            yield key, event


def items(events: Events) -> Iterator[Event]:
    """Yields the first event of each item of a list just begun; callers read the rest of the item."""
    return itertools.takewhile(lambda event: event[0] != "end_array", events)

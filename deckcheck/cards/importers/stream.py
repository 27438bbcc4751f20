"""Large files as they were downloaded: packed or not, bounded, and read piece by piece, JSON value by value.

gzip, xz, bzip2 and zip are told by their first bytes, not by the file's name.
"""

import gzip
import itertools
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_read
from deckcheck.support.messages import _, n_

MOST_BYTES = 8 * 1024**3
MOST_RATIO = 200
"""JSON of cards packs to a twentieth or thirtieth."""

MOST_DEPTH = 40
_FREE = 64 * 1024 * 1024
_XZ_MEMORY = 128 * 1024 * 1024
_PIECE = 64 * 1024
_BOM = b"\xef\xbb\xbf"

Advance = Callable[[int], None]
"""Is told how many more bytes of the file are done."""

Event = tuple[str, Any]
Events = Iterator[Event]
OPENING = ("start_map", "start_array")
CLOSING = ("end_map", "end_array")


class Reader:
    """A stream of bytes that knows how far it was read.

    `at` and `line` count what came out: bytes, and lines from 1. `packed` says
    whether the file was. Raises UserError when the file is broken or grows
    beyond all measure.
    """

    def __init__(self, path: Path, raw: "_Counted", source: Any, slowly_from: int | None) -> None:
        self.path, self.packed = path, source is not raw
        self.at, self.line, self.piece_at = 0, 1, 0
        self._raw, self._source, self._slowly_from = raw, source, slowly_from
        self._kept = b""
        self._limit = MOST_BYTES

    def peek(self, size: int) -> bytes:
        """The first bytes, which will be read again; only before anything else is read."""
        while len(self._kept) < size:
            more = self._pull(size - len(self._kept))
            if not more:
                break
            self._kept += more
        return self._kept[:size]

    def read(self, size: int = _PIECE) -> bytes:
        """Up to `size` more bytes; none at the end."""
        if self._slowly_from is not None:
            size = min(size, self._slowly_from - self.at) if self.at < self._slowly_from else 1
        if self._kept:
            piece, self._kept = self._kept[:size], self._kept[size:]
        else:
            piece = self._pull(size)
        self.piece_at = self.at
        self.at += len(piece)
        self.line += piece.count(b"\n")
        if self.at > self._limit:
            message = _("one entry is too large") if self._limit < MOST_BYTES else _("too large")
            raise user_error(message, path=str(self.path), line=self.line)
        return piece

    def allow(self, more: int) -> None:
        """From here on no more than that, before this is called again."""
        self._limit = min(self.at + more, MOST_BYTES)

    def _pull(self, size: int) -> bytes:
        try:
            piece: bytes = self._source.read(size)
        except EOFError as error:
            raise _ends_too_early(self.path, self._raw.at) from error
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise cannot_read(self.path, error) from error
            # RuntimeError: a member with a password, or packed in a way that zipfile doesn't know. LZMAError is only
            # there once lzma is imported.
            known = (zlib.error, zipfile.BadZipFile, OSError, RuntimeError)
            if not isinstance(error, known) and type(error).__name__ != "LZMAError":
                raise
            message = _("the archive is damaged (before byte {at:,})", at=self._raw.at)
            raise user_error(message, path=str(self.path)) from error
        if self.packed and self.at > max(_FREE, MOST_RATIO * self._raw.at):
            raise user_error(_("packed beyond all measure: it would grow too large"), path=str(self.path))
        return piece


def _ends_too_early(path: Path, at: int, line: int | None = None) -> UserError:
    message = _("ends too early, after {at:,} bytes: the download isn't complete", at=at)
    return user_error(message, path=str(path), line=line)


class _Counted:
    """The file itself, telling how much of it was read."""

    def __init__(self, file: IO[bytes], advance: Advance) -> None:
        self._file, self._advance, self.at = file, advance, 0
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.at += len(piece)
        self._advance(len(piece))
        return piece


class _Unpacked:
    """What a decompressor of lzma or bz2 gives, stream after stream."""

    def __init__(self, raw: _Counted, make: Callable[[], Any]) -> None:
        self._raw, self._make = raw, make
        self._decompressor = make()
        self._rest = b""

    def read(self, size: int) -> bytes:
        while True:
            if self._decompressor.eof:
                # xz pads the gap between two streams with zeros.
                self._rest = (self._decompressor.unused_data or self._raw.read(_PIECE)).lstrip(b"\0")
                if not self._rest:
                    return b""
                self._decompressor = self._make()
            if self._decompressor.needs_input and not self._rest:
                self._rest = self._raw.read(_PIECE)
                if not self._rest:
                    raise EOFError
            piece: bytes = self._decompressor.decompress(self._rest, size)
            self._rest = b""
            if piece:
                return piece


@contextmanager
def unpacked(
    path: Path, advance: Advance = lambda _count: None, *, slowly_from: int | None = None
) -> Iterator[Reader]:
    """A reader of what stands in the file; from the byte `slowly_from` on it gives one byte at a time.

    Raises UserError when the file can't be opened or isn't what it seems.
    """
    try:
        with path.open("rb") as file:
            head = file.read(6)
            file.seek(0)
            raw = _Counted(file, advance)
            yield Reader(path, raw, _source(path, raw, head), slowly_from)
    except OSError as error:
        raise cannot_read(path, error) from error
    except ValueError as error:
        if "null" not in str(error):
            raise
        raise user_error(_("not a valid file name"), path=str(path)) from error


def _source(path: Path, raw: _Counted, head: bytes) -> Any:
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw, mode="rb")
    if head.startswith(b"\xfd7zXZ\x00"):
        import lzma

        return _Unpacked(raw, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY))
    if head.startswith(b"BZh"):
        import bz2

        return _Unpacked(raw, bz2.BZ2Decompressor)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _member(path, raw)
    return raw


def _member(path: Path, raw: _Counted) -> Any:
    try:
        archive = zipfile.ZipFile(raw)
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
        raise user_error(_("not a readable ZIP file: damaged or incomplete"), path=str(path)) from error


def events(reader: Reader) -> Events:
    """The JSON in the stream, piece by piece: ("map_key", "name"), ("string", …), ("start_array", None), …

    Raises UserError with the place where the file ends too early, is no JSON
    or is nested too deeply.
    """
    try:
        import ijson
    except ImportError as error:
        hint = _("run pip install 'deckcheck[bulk]'")
        raise user_error(_("reading large JSON files needs another library"), hint=hint) from error
    depth = 0
    try:
        for event in _parsed(reader):
            if event[0] in OPENING:
                depth += 1
                if depth > MOST_DEPTH:
                    message = _("nested too deeply (before byte {at:,})", at=reader.at)
                    raise user_error(message, path=str(reader.path), line=reader.line)
            elif event[0] in CLOSING:
                depth -= 1
            yield event
    except ijson.JSONError as error:
        raise _no_json(reader) from error


def _parsed(reader: Reader) -> Events:
    import ijson

    if reader.peek(3) == _BOM:
        reader.read(3)
    return cast(Events, ijson.basic_parse(reader, use_float=True))


def _no_json(reader: Reader) -> UserError:
    """Where exactly: the parser only knows the piece, so that is gone through once more, byte by byte."""
    import ijson

    if reader.piece_at == reader.at:
        return _ends_too_early(reader.path, reader.at, reader.line)
    with unpacked(reader.path, slowly_from=reader.piece_at) as again:
        try:
            for _event in _parsed(again):
                pass
        except ijson.JSONError:
            reader = again
    message = _("not valid JSON (at byte {at:,})", at=reader.at)
    return user_error(message, path=str(reader.path), line=reader.line)


def value_of(events: Events, event: Event, leave_out: Collection[str] = ()) -> Any:
    """The value that begins with `event`, without the keys in `leave_out`, however deep they stand."""
    if event[0] not in OPENING:
        return event[1]
    top: Any = {} if event[0] == "start_map" else []
    stack: list[Any] = []
    here = top
    key = ""
    for kind, value in events:
        if kind == "map_key":
            if value in leave_out:
                skip(events, next(events))
            else:
                key = value
        elif kind in CLOSING:
            if not stack:
                return top
            here = stack.pop()
        else:
            inner = {} if kind == "start_map" else [] if kind == "start_array" else value
            if type(here) is list:
                here.append(inner)
            else:
                here[key] = inner
            if kind in OPENING:
                stack.append(here)
                here = inner
    return top


def skip(events: Events, event: Event) -> None:
    """Go past the value that begins with `event`."""
    depth = 1 if event[0] in OPENING else 0
    while depth:
        kind = next(events)[0]
        depth += (kind in OPENING) - (kind in CLOSING)


def pairs(events: Events) -> Iterator[tuple[str, Event]]:
    """The keys of a map just begun, each with the event that begins its value, which the caller goes past."""
    for kind, value in events:
        if kind == "end_map":
            return
        yield value, next(events)


def items(events: Events) -> Iterator[Event]:
    """The events that begin the items of a list just begun, each of which the caller goes past."""
    return itertools.takewhile(lambda event: event[0] != "end_array", events)

"""Opens a large file as it was downloaded: packed or not, bounded, and never more of it in memory than a piece.

gzip, xz, bzip2 and zip are told by their first bytes, not by the file's name.
"""

import gzip
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import cannot_read
from deckcheck.support.messages import _

MOST_BYTES = 8 * 1024**3
MOST_RATIO = 200
"""JSON of cards packs to a twentieth or thirtieth."""

_FREE = 64 * 1024 * 1024
_XZ_MEMORY = 128 * 1024 * 1024
_PIECE = 64 * 1024

Advance = Callable[[int], None]
"""Is told how many more bytes of the file are done."""


class Reader:
    """A stream of bytes that knows how far it was read.

    `at` and `line` count what came out: bytes, and lines from 1. `packed` says
    whether the file was. Raises UserError when the file is broken or grows
    beyond all measure.
    """

    def __init__(
        self, path: Path, raw: "_Counted", source: Any, *, packed: bool, slowly_from: int | None
    ) -> None:
        self.path, self.packed = path, packed
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
            raise wrong(
                (_("one entry is too large") if self._limit < MOST_BYTES else _("too large")),
                path=str(self.path),
                line=self.line,
            )
        return piece

    def allow(self, more: int) -> None:
        """From here on no more than that, before this is called again."""
        self._limit = min(self.at + more, MOST_BYTES)

    def _pull(self, size: int) -> bytes:
        try:
            piece: bytes = self._source.read(size)
        except EOFError as error:
            self._end_too_early(error)
        except (zlib.error, zipfile.BadZipFile, gzip.BadGzipFile) as error:
            self._broken(error)
        except RuntimeError as error:
            # A member with a password, or packed in a way that zipfile doesn't know.
            self._broken(error)
        except OSError as error:
            if error.errno is None:
                self._broken(error)
            raise cannot_read(self.path, error) from error
        except Exception as error:
            if type(error).__name__ != "LZMAError":
                raise
            self._broken(error)
        if self.packed and self.at > max(_FREE, MOST_RATIO * self._raw.at):
            raise wrong(
                _("packed beyond all measure: it would grow too large"),
                path=str(self.path),
            )
        return piece

    def _end_too_early(self, error: Exception) -> NoReturn:
        raise ends_too_early(self.path, self._raw.at) from error

    def _broken(self, error: Exception) -> NoReturn:
        at = self._raw.at
        raise wrong(
            _("the packed file is broken (somewhere before byte {at:,})", at=at),
            path=str(self.path),
        ) from error


def ends_too_early(path: Path, at: int, line: int | None = None) -> UserError:
    """What to say of a file that isn't all there."""
    return wrong(
        _("ends too early, after {at:,} bytes: the download isn't complete", at=at),
        path=str(path),
        line=line,
    )


class _Counted:
    """The file itself, telling how much of it was read."""

    def __init__(self, file: IO[bytes], advance: Advance) -> None:
        self._file, self._advance, self.at = file, advance, 0

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.at += len(piece)
        self._advance(len(piece))
        return piece

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True


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
def unpacked(path: Path, advance: Advance, *, slowly_from: int | None = None) -> Iterator[Reader]:
    """A reader of what stands in the file; from the byte `slowly_from` on it gives one byte at a time.

    Raises UserError when the file can't be opened or isn't what it seems.
    """
    try:
        with path.open("rb") as file:
            head = file.read(6)
            file.seek(0)
            raw = _Counted(file, advance)
            source = _source(path, raw, head)
            yield Reader(path, raw, source, packed=source is not raw, slowly_from=slowly_from)
    except OSError as error:
        raise cannot_read(path, error) from error
    except ValueError as error:
        if "null" not in str(error):
            raise
        raise wrong(_("can't be a file's name"), path=str(path)) from error


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
        members = [one for one in archive.infolist() if not one.is_dir()]
        if len(members) != 1:
            raise wrong(
                _("the ZIP file holds {n} files, and must hold one", n=len(members)),
                path=str(path),
            )
        return archive.open(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise wrong(
            _("is not a ZIP file that can be read: it is broken or not all there"),
            path=str(path),
        ) from error

"""Decodes the bytes of a list."""

from __future__ import annotations

import codecs
import re

from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Python decodes bytes that are undefined in Windows' CP932 to these.
_UNDEFINED = "\x80\uf8f0\uf8f1\uf8f2\uf8f3"


_LATIN = "cp1252"
_KANA = re.compile("[\u3040-\u30ff\uff66-\uff9d]{2}|[\u3040-\u30ff]")
_FOREIGN_LETTER = re.compile("(?<![A-Za-z])[^\0-\x7f]+(?![A-Za-z])")


def decode(data: bytes, path: str, *, nul: bool = False) -> str:
    """The text in `data`: UTF-8, UTF-16 with a byte order mark, else CP932 (Japanese Windows) or windows-1252.

    Line ends become "\\n" and the byte order mark is removed. Raises
    UserError, with line and column, for anything else, and for NUL characters
    unless `nul` allows them.
    """
    mark, encoding = encoding_of(data)
    data = data[len(mark) :]
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        text = data[: error.start].decode(encoding, "replace")
        end = len(text)
    else:
        wrong = (_UNDEFINED if encoding == "cp932" else "") + ("" if nul else "\0")
        end = min((index for char in wrong if (index := text.find(char)) >= 0), default=len(text))
        if end == len(text):
            return _with_line_feeds(text)
    text = _with_line_feeds(text[:end])
    raise user_error(
        _("not readable as text (neither UTF-8 nor UTF-16 nor Shift_JIS)"),
        path=path,
        line=text.count("\n") + 1,
        column=len(text) - text.rfind("\n"),
    )


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark (b"" for none) and the Python name of the encoding in which `decode` reads data.

    Of what isn't UTF-8, the encoding that gets furthest; data of both single-byte encodings is Japanese if it has
    kana, or letters apart from Latin ones.
    """
    mark, marked = next((pair for pair in _BYTE_ORDER_MARKS if data.startswith(pair[0])), (b"", ""))
    if marked:
        return mark, marked
    as_utf_8 = _length_read(data, "utf-8")
    if as_utf_8 == len(data):
        return b"", "utf-8"
    as_japanese = _length_read(data, "cp932")
    if as_utf_8 > as_japanese:
        return b"", "utf-8"
    if as_japanese == len(data):
        return b"", _LATIN if _looks_latin(data.decode("cp932")) and _is_latin(data) else "cp932"
    return b"", _LATIN if _is_latin(data) else "cp932"


def _length_read(data: bytes, encoding: str) -> int:
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


def _looks_latin(text: str) -> bool:
    """Whether all letters beyond ASCII are within Latin words, as accented ones are."""
    return _KANA.search(text) is None and _FOREIGN_LETTER.search(text) is None


def _is_latin(data: bytes) -> bool:
    """Whether data is windows-1252 with few letters beyond ASCII, all of them within words."""
    try:
        text = data.decode(_LATIN)
    except UnicodeDecodeError:
        return False
    beyond = [char for char in text if not char.isascii()]
    return all(char.isalpha() or char in "‘’“”–—…" for char in beyond) and 8 * len(beyond) <= len(text)

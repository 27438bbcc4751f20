"""Decodes the bytes of a list."""

from __future__ import annotations

import codecs

from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Python decodes bytes that are undefined in Windows' CP932 to these.
_UNDEFINED = "\x80\uf8f0\uf8f1\uf8f2\uf8f3"


def decode(data: bytes, path: str, *, nul: bool = False) -> str:
    """The text in `data`: UTF-8, UTF-16 with a byte order mark, else CP932 (Japanese Windows).

    Line ends become "\\n" and the byte order mark is removed. Raises
    UserError, with line and column, for anything else, and for NUL characters
    unless `nul` allows them.
    """
    mark, marked = next((pair for pair in _BYTE_ORDER_MARKS if data.startswith(pair[0])), (b"", ""))
    data = data[len(mark) :]
    errors: list[UnicodeDecodeError] = []
    for encoding in (marked,) if marked else ("utf-8", "cp932"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            errors.append(error)
            continue
        wrong = (_UNDEFINED if encoding == "cp932" else "") + ("" if nul else "\0")
        end = min((at for char in wrong if (at := text.find(char)) >= 0), default=len(text))
        if end == len(text):
            return _with_line_feeds(text)
        break
    else:
        # Report the error of the encoding that got further, likely the one that the author used.
        furthest = max(errors, key=lambda error: error.start)
        text = data[: furthest.start].decode(furthest.encoding, "replace")
        end = len(text)
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
    """The byte order mark (b"" for none) and Python encoding name of data that `decode` accepts."""
    mark, marked = next((pair for pair in _BYTE_ORDER_MARKS if data.startswith(pair[0])), (b"", ""))
    try:
        data[len(mark) :].decode(marked or "utf-8")
    except UnicodeDecodeError:
        return b"", "cp932"
    return mark, marked or "utf-8"

"""From the bytes of a list to its text."""

from __future__ import annotations

import codecs

from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _

_MARKED = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Python gives these to bytes that Windows leaves without a meaning.
_NO_LETTERS = frozenset("\x80\uf8f0\uf8f1\uf8f2\uf8f3")


def decode(data: bytes, path: str, *, nul: bool = False) -> str:
    """The text in `data`: UTF-8, UTF-16 with a byte order mark, else CP932 (Japanese Windows).

    Line ends come out as "\\n" and the byte order mark is gone. Raises
    UserError, with the place where it can be told, for anything else and for
    NUL characters, which no text holds, unless `nul` lets them stand.
    """
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            text = _strictly(data[len(mark) :], encoding, path)
            break
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            text = _windows(data, error, path)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not nul and "\0" in text:
        raise _unreadable(text[: text.index("\0")], path)
    return text


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark of a list that `decode` could read ("" for none), and Python's name of its encoding."""
    for mark, encoding in _MARKED:
        if data.startswith(mark):
            return mark, encoding
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return b"", "cp932"
    return b"", "utf-8"


def _strictly(data: bytes, encoding: str, path: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _unreadable(data[: error.start].decode(encoding, "replace"), path) from error


def _windows(data: bytes, first: UnicodeDecodeError, path: str) -> str:
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError as error:
        # Whichever reading came further is the one that the author meant.
        if error.start > first.start:
            before = data[: error.start].decode("cp932", "replace")
        else:
            before = data[: first.start].decode("utf-8", "replace")
        raise _unreadable(before, path) from error
    odd = next((at for at, char in enumerate(text) if char in _NO_LETTERS), None)
    if odd is not None:
        raise _unreadable(text[:odd], path)
    return text


def _unreadable(before: str, path: str) -> UserError:
    before = before.replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return user_error(
        _("not readable as text (neither UTF-8 nor UTF-16 nor Shift_JIS)"),
        path=path,
        line=line,
        column=column,
    )

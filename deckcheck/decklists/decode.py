"""From the bytes of a list to its text."""

from __future__ import annotations

import codecs

from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MARKED = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Python gives these to bytes that Windows leaves without a meaning.
_NO_LETTERS = "\x80\uf8f0\uf8f1\uf8f2\uf8f3"


def decode(data: bytes, path: str, *, nul: bool = False) -> str:
    """The text in `data`: UTF-8, UTF-16 with a byte order mark, else CP932 (Japanese Windows).

    Line ends come out as "\\n" and the byte order mark is gone. Raises
    UserError, with the place where it can be told, for anything else and for
    NUL characters, which no text holds, unless `nul` lets them stand.
    """
    mark, marked = next((pair for pair in _MARKED if data.startswith(pair[0])), (b"", ""))
    data = data[len(mark) :]
    errors: list[UnicodeDecodeError] = []
    for encoding in (marked,) if marked else ("utf-8", "cp932"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            errors.append(error)
            continue
        wrong = (_NO_LETTERS if encoding == "cp932" else "") + ("" if nul else "\0")
        end = min((at for char in wrong if (at := text.find(char)) >= 0), default=len(text))
        if end == len(text):
            return _with_line_feeds(text)
        break
    else:
        # Whichever reading came further is the one that the author meant.
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
    """The byte order mark of a list that `decode` could read ("" for none), and Python's name of its encoding."""
    mark, marked = next((pair for pair in _MARKED if data.startswith(pair[0])), (b"", ""))
    try:
        data[len(mark) :].decode(marked or "utf-8")
    except UnicodeDecodeError:
        return b"", "cp932"
    return mark, marked or "utf-8"

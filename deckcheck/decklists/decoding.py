"""The source of a list: bytes become text, and its lines lose what only a web page, terminal or editor needs.

Entities and percent codes are decoded, combining accents composed, invisible characters and tags dropped. Every
cleaned character knows its place in the line as written. The shape of a line is what patterns are matched with.
"""

import codecs
import re
import unicodedata
from functools import cache

from msgspec import Struct

from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

compiled = cache(re.compile)

HIDING = (
    r"line-through|strike|display\s*:\s*none|\b(?:hidden|removed|deleted|old)\b"
    r"|\b(?:qty|quantity|count|copies|amount)\s*=\s*[\"']?[0-9]"
)
"""Matches what in a tag hides its text, strikes it out or counts it."""

INVISIBLE = "\xad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2060\u2066\u2067\u2068\u2069\ufeff\ufe0e\ufe0f\u20e3"
"""Characters without a glyph, whose loss changes nothing. Overrides of the direction, which reverse text, stay."""

_BREAKS = "\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"
"""What other programs take for the end of a line: here the border of a cell."""

_ENTITY = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8}[0-9]{0,2});"
_BLOCKS = "p|li|ul|ol|div|td|th|table|h[1-6]|section|article|blockquote|details|summary|dl|dt|dd"
_TAG_NAMES = rf"{_BLOCKS}|span|i|b|em|strong|u|tr|tbody|thead|font|a|small|big|code|pre"
_FORUM_TAG = r"\[/?(?:b|i|u|size|color|font|center|deck|list|spoiler|quote)(?:=[^\[\]]{0,40})?\]"
_LETTER_IN_NAME = r"(?:(?<=[^\s>] )<[a-z]>(?= [^\s<])|(?<=[^\W\d])<[a-z]>(?=[^\W\d]))(?!.{0,200}</)"
"""Matches a letter between words that no tag closes, as in the names of some cards."""
_TAG = rf"(?!{_LETTER_IN_NAME})</?(?:{_TAG_NAMES})(?:\s(?![^<>]*(?:{HIDING}))[^<>]*)?/?>"
_BREAK_TAG = r"<[bh]r\s*/?>"
_BETWEEN_BLOCKS = (
    rf"</(?:{_BLOCKS})\s*>(?=\s{{0,9}}(?:<[^<>]{{0,99}}>\s{{0,9}}){{0,9}}[^<\s])|(?<=[^\s>])(?=<(?:{_BLOCKS})[\s>]){_TAG}"
    rf"|(?<=[0-9])(?:{_TAG})+(?=[0-9])"
)
"""Matches tags between two cells or items of a page on one line, and those that part two numbers."""
_ANSI = r"\x1b\[(?:[0124]?|[34][0-9]|[0-9];[0-9]{1,2})m"
_ESCAPE = r"\\(?=['\"])"
_COMBINING = "[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]+"
_EDIT = (
    f"(?i)(?P<entity>{_ENTITY})|(?P<gap>{_BREAK_TAG}|{_BETWEEN_BLOCKS}|[{_BREAKS}]|\\\\n(?=[^\\w]*\\d))"
    f"|(?P<dropped>{_TAG}|{_FORUM_TAG}|{_ANSI}|{_ESCAPE}|[{INVISIBLE}])"
    f"|(?P<combined>{_COMBINING})"
)
_SIGNS = frozenset("&<[\\\x1b" + _BREAKS)
_PERCENT = r"(?:%[0-9A-Fa-f]{2})+"
_TELLING_PERCENT = r"%(?:0[AaDd]|2[0-9A-Fa-f]|3[A-Fa-f]|5[BbDd]|[EeCc][0-9A-Fa-f]%)"


class Source(Struct, frozen=True):
    """A line of a list: as written, cleaned, and the index in the former of each character of the latter (None: the same)."""

    number: int
    raw: str
    text: str
    places: tuple[int, ...] | None = None

    def column(self, index: int) -> int:
        """The 1-based column in the line as written of an index into the cleaned line."""
        if self.places is None:
            return index + 1
        return (self.places[index] if index < len(self.places) else len(self.raw)) + 1


def clean_line(raw: str) -> tuple[str, tuple[int, ...] | None]:
    """A line without what no reader sees, and the place in `raw` of each of its characters; None if nothing changed."""
    if raw.isascii() and "%" not in raw and _SIGNS.isdisjoint(raw):
        return raw, None
    text: list[str] = []
    places: list[int] = []
    last = 0

    def keep(part: str, start: int, step: int) -> None:
        text.append(part)
        places.extend(start + step * index for index in range(len(part)))

    for match in compiled(_EDIT).finditer(raw):
        start, end = match.span()
        replaced = _replacement(match)
        keep(raw[last:start], last, 1)
        keep(replaced, start, 0)
        last = end
    keep(raw[last:], last, 1)
    cleaned = "".join(text)
    if compiled(_TELLING_PERCENT).search(cleaned):
        cleaned, places = _without_percent_codes(cleaned, places)
    return cleaned, None if cleaned == raw else tuple(places)


def _replacement(match: re.Match[str]) -> str:
    if match["entity"] is not None:
        # Few lists come from a web page, and loading its entities takes time.
        from html import unescape

        # A decoded line feed is the border of a cell, and an unknown entity stays.
        return re.sub(f"[\n{_BREAKS}]", "\t", unescape(match[0]))
    if match["gap"] is not None:
        return "\t"
    if match["dropped"] is not None:
        return ""
    return unicodedata.normalize("NFC", match[0])


def _without_percent_codes(text: str, places: list[int]) -> tuple[str, list[int]]:
    """A text of a link with its percent codes decoded; unchanged if they aren't UTF-8."""
    # Few texts come from a link, and loading this takes as long as reading a list.
    from urllib.parse import unquote

    pieces: list[str] = []
    kept: list[int] = []
    last = 0
    for match in compiled(_PERCENT).finditer(text):
        try:
            decoded = unquote(match[0], errors="strict")
        except UnicodeDecodeError:
            return text, places
        decoded = re.sub(f"[\n{_BREAKS}]+", "\t", decoded)
        pieces += [text[last : match.start()], decoded]
        kept += [*places[last : match.start()], *[places[match.start()]] * len(decoded)]
        last = match.end()
    return "".join([*pieces, text[last:]]), [*kept, *places[last:]]


def has_other_line_ends(text: str) -> bool:
    """Whether a text has other ends of lines than line feeds, as word processors and web pages have."""
    return any(sign in text for sign in "\x0b\x0c\x85\u2028\u2029")


def clean(text: str) -> str:
    """A cell or a value without what no reader sees."""
    return clean_line(text)[0].replace("\t", " ")


def sources_of(text: str) -> list[Source]:
    """The lines of a list."""
    return [Source(number, raw, *clean_line(raw)) for number, raw in enumerate(text.split("\n"), 1)]


# The shape of a line: full-width forms, look-alikes and letter case normalized, one character for one character.

ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"
KANJI = "一二三四五六七八九十"
CIRCLED = "".join(map(chr, (*range(0x2460, 0x2474), *range(0x3251, 0x3260))))
"""The circled numbers, 1 to 35."""
_LEVEL: dict[int, str] = {code: chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)}
_LEVEL |= {ord(char): char.lower() for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_LEVEL |= dict.fromkeys(
    map(ord, ZERO_WIDTH + "\u3000\xa0\u2002\u2003\u2007\u2009\u202f\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"),
    " ",
)
_LEVEL |= dict.fromkeys(map(ord, "×✕✖╳⨯"), "x") | dict.fromkeys(map(ord, "−–—‐‑‒―"), "-")
_LEVEL |= dict.fromkeys(map(ord, "【〔［〖"), "[") | dict.fromkeys(map(ord, "】〕］〗"), "]")
_LEVEL |= {first + digit: str(digit % 10) for first in range(0x1D7CE, 0x1D7FF, 10) for digit in range(10)}
_LEVEL |= {
    first + digit: chr(0x2460 + digit)
    for first in (0x2776, 0x2780, 0x278A, 0x2474, 0x2488)
    for digit in range(10)
}
_LEVEL |= {ord("〈"): "<", ord("〉"): ">", ord("･"): "・", ord("｜"): "|", ord("│"): "|", ord("┃"): "|"}
_LEVEL |= {ord("￥"): "¥", ord("（"): "(", ord("）"): ")", ord("≪"): "《", ord("≫"): "》"}

BULLETS = "・•●○■□◆◇★☆▪▫◦‣⁃▶►▷▸✓✔♦※>*+-~"


def shape_of(line: str) -> str:
    """`line` in lower case with look-alikes replaced; the same length."""
    return line.translate(_LEVEL)


def trim(shape: str, start: int, end: int, chars: str = " \t") -> tuple[int, int]:
    """The span without any of `chars` at its ends."""
    while start < end and shape[start] in chars:
        start += 1
    while end > start and shape[end - 1] in chars:
        end -= 1
    return start, end


# From bytes to text.

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Python decodes bytes that are undefined in Windows' CP932 to these.
_UNDEFINED = "\x80\uf8f0\uf8f1\uf8f2\uf8f3"


_LATIN = "cp1252"
_KANA = "[\u3040-\u30ff]|[\uff66-\uff9d]{2}"
_ZIP = b"PK\x03\x04"
"""The first bytes of archives, as which spreadsheets are stored."""


def decode(data: bytes, path: str, *, nul: bool = False) -> str:
    """The text in `data`: UTF-8, UTF-16 with a byte order mark, else CP932 (Japanese Windows) or windows-1252.

    Line ends become "\\n" and the byte order mark is removed. Raises
    UserError, with line and column, for anything else, and for NUL characters
    unless `nul` allows them.
    """
    is_packed = data.startswith(_ZIP)
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
            return with_line_feeds(text)
    text = with_line_feeds(text[:end])
    raise user_error(
        _("not readable as text (neither UTF-8 nor UTF-16 nor Shift_JIS)"),
        path=path,
        line=text.count("\n") + 1,
        column=len(text) - text.rfind("\n"),
        hint=_("save a spreadsheet as CSV, and unpack an archive") if is_packed else None,
    )


def with_line_feeds(text: str) -> str:
    """The text with the line ends of Linux."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark (b"" for none) and the Python name of the encoding in which `decode` reads data.

    Of what isn't UTF-8, the encoding that gets furthest; data of both single-byte encodings is Japanese if it has kana.
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
    has_kana = as_japanese == len(data) and compiled(_KANA).search(data.decode("cp932")) is not None
    return b"", _LATIN if _is_latin(data) and not has_kana else "cp932"


def _length_read(data: bytes, encoding: str) -> int:
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


def _is_latin(data: bytes) -> bool:
    """Whether data is windows-1252 with few letters beyond ASCII, all of them within words."""
    try:
        text = data.decode(_LATIN)
    except UnicodeDecodeError:
        return False
    beyond = [char for char in text if not char.isascii()]
    return all(char.isalpha() or char in "‘’“”–—…" for char in beyond) and 8 * len(beyond) <= len(text)

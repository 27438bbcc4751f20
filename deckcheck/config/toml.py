"""TOML files as plain values that know where they stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import date, time
from pathlib import Path
from typing import Any

from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import read_text
from deckcheck.support.messages import _
from deckcheck.support.yamlfile import Document, Keys

MOST_BYTES = 256 * 1024
MOST_DEPTH = 40

Marks = dict[Keys, tuple[int, int]]
"""From the way to a value to its 1-based line and column."""

_LONG_KEY = re.compile(
    r"""(?<![\w"'-])(?:(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){100}"""
)
_LONG_NUMBER = re.compile(r"[0-9_]{1000}")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'")
_LONG = re.compile(r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})|' r"'''.*?'''(?:'{0,2})", re.DOTALL)
_PLAIN = re.compile(r"[^,\]}#\n]*")


def load_toml(file: Path) -> Document:
    """Read a TOML file; dates and times are the strings that ISO 8601 makes of them.

    Raises UserError when it can't be read, isn't TOML, or breaks a bound.
    """
    return parse_toml(read_text(file, most=MOST_BYTES), str(file))


def parse_toml(text: str, name: str) -> Document:
    """As `load_toml`, from text."""
    import tomllib

    text = text.replace("\r\n", "\n")
    long = _LONG_KEY.search(text)
    if long is not None:
        # The parser takes the square of their number in time.
        raise user_error(_("the key is too long"), path=name, line=_line_of(text, long))
    try:
        data = tomllib.loads(text)
        marks = marks_of(text)
        plain = _plain(data, MOST_DEPTH)
    except RecursionError as error:
        raise user_error(_("nested too deeply"), path=name) from error
    except tomllib.TOMLDecodeError as error:
        raise _unreadable(str(error), text.split("\n"), name) from error
    except ValueError as error:
        # A whole number with more digits than Python reads.
        long = _LONG_NUMBER.search(text)
        raise user_error(
            _("the number is too large"), path=name, line=long and _line_of(text, long)
        ) from error
    return Document(name, plain, marks, tuple(text.split("\n")))


def _line_of(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


def _unreadable(message: str, lines: list[str], name: str) -> UserError:
    found = _AT.search(message)
    reason = message[: found.start()] if found is not None else message
    if found is not None and found[1]:
        line, column = int(found[1]), int(found[2])
    else:
        line, column = len(lines), len(lines[-1]) + 1
    excerpt = lines[line - 1] if line <= len(lines) else None
    said = _("not valid TOML: {reason}", reason=reason)
    return user_error(said, path=name, line=line, column=column, excerpt=excerpt)


def _plain(value: Any, depth: int) -> Any:
    if depth < 0:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _plain(inner, depth - 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, depth - 1) for inner in value]
    return value.isoformat() if isinstance(value, date | time) else value


# Where keys stand, which the parser doesn't tell


def marks_of(text: str) -> Marks:
    """The places of all keys and items of a TOML file that the parser has read, lines ended by a line feed.

    Nothing is checked again here. A key's place is its own, that of a list's item its beginning.
    """
    return _Places(text).marks


class _Places:
    """Goes through the text once; `marks` is what it found."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.marks: Marks = {(): (1, 1)}
        self.at = 0
        self._tables()

    def _tables(self) -> None:
        table: Keys = ()
        numbers: dict[Keys, int] = {}
        self._skip(_BLANK)
        while self.at < len(self.text):
            start = self.at
            if self.text[start] == "[":
                several = self.text.startswith("[[", start)
                self.at += 2 if several else 1
                table = self._table(numbers, several)
                self.at += 2 if several else 1
                self.marks.setdefault(table, self._place(start))
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _table(self, numbers: dict[Keys, int], several: bool) -> Keys:
        """The keys of a header; within a list of tables they go on from its last one."""
        keys: Keys = ()
        parts = self._parts()
        for at, (part, start) in enumerate(parts):
            keys = (*keys, part)
            self.marks.setdefault(keys, self._place(start))
            if several and at == len(parts) - 1:
                numbers[keys] = numbers.get(keys, -1) + 1
            if keys in numbers:
                keys = (*keys, numbers[keys])
        return keys

    def _parts(self) -> list[tuple[str, int]]:
        """A key with dots: its parts and where each begins."""
        parts: list[tuple[str, int]] = []
        while True:
            self._skip(_SPACE)
            start = self.at
            found = _BARE.match(self.text, start) or _QUOTED.match(self.text, start)
            if found is None:
                return parts
            self.at = found.end()
            parts.append((_unquoted(found[0]), start))
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def _pair(self, table: Keys) -> None:
        keys = table
        for part, start in self._parts():
            keys = (*keys, part)
            self.marks.setdefault(keys, self._place(start))
        # The equals sign.
        self.at += 1
        self._skip(_SPACE)
        self._value(keys)

    def _value(self, keys: Keys) -> None:
        char = self.text[self.at : self.at + 1]
        if char == "[":
            self._items(keys)
        elif char == "{":
            self._inline(keys)
        else:
            found = _LONG.match(self.text, self.at) or _QUOTED.match(self.text, self.at)
            self.at = found.end() if found is not None else self._skip(_PLAIN)

    def _items(self, keys: Keys) -> None:
        number = 0
        self.at += 1
        while True:
            self._skip(_BLANK)
            if self.at >= len(self.text) or self.text[self.at] == "]":
                break
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self.marks[*keys, number] = self._place(self.at)
            before = self.at
            self._value((*keys, number))
            number += 1
            if self.at == before:
                break
        self.at += 1

    def _inline(self, keys: Keys) -> None:
        self.at += 1
        while True:
            self._skip(_BLANK)
            if self.at >= len(self.text) or self.text[self.at] == "}":
                break
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self._pair(keys)
        self.at += 1

    def _skip(self, what: re.Pattern[str]) -> int:
        found = what.match(self.text, self.at)
        self.at = found.end() if found is not None else self.at
        return self.at

    def _place(self, at: int) -> tuple[int, int]:
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1


def _unquoted(word: str) -> str:
    if word[0] == "'":
        return word[1:-1]
    if word[0] != '"':
        return word
    if "\\" not in word:
        return word[1:-1]
    import tomllib

    return str(tomllib.loads(f"key = {word}")["key"])

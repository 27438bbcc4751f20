"""TOML: files as plain values with their places, and values written as TOML."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
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
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_TOKEN = re.compile(
    r"""
    ([ \t]+ | \#[^\n]*)
    | \"{3} (?:[^\\]|\\.)*? \"{3,5} | '{3} .*? '{3,5}
    | " (?:[^"\\\n]|\\.)* " | ' [^'\n]* '
    | [\w-]+ | .
    """,
    re.VERBOSE | re.DOTALL,
)
"""A blank or a comment, or anything else."""


def load_toml(file: Path) -> Document:
    """Read a TOML file; dates and times are the strings that ISO 8601 makes of them.

    Raises UserError when it can't be read, isn't TOML, or breaks a bound.
    """
    import tomllib

    name, text = str(file), read_text(file, most=MOST_BYTES).replace("\r\n", "\n")
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
    problem = _("not valid TOML: {reason}", reason=reason)
    return user_error(problem, path=name, line=line, column=column, excerpt=excerpt)


def _plain(value: Any, depth: int) -> Any:
    if depth < 0:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _plain(inner, depth - 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, depth - 1) for inner in value]
    return value.isoformat() if isinstance(value, date | time) else value


def as_toml(value: object) -> str:
    """A value as TOML writes it, in one line."""
    if isinstance(value, Mapping):
        pairs = ((key if _BARE.fullmatch(key) else as_toml(key), inner) for key, inner in value.items())
        return "{" + ", ".join(f"{key} = {as_toml(inner)}" for key, inner in pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


# Where keys are, which the parser doesn't tell


def marks_of(text: str) -> Marks:
    """The places of all keys and items of a TOML file that the parser has read, lines ended by a line feed.

    Nothing is checked again here. A key's place is its own, that of a list's item its beginning.
    """
    places = _Places(text)
    places.find_all()
    return places.marks


class _Places:
    """Goes through the tokens of a text once; `marks` is what it found."""

    def __init__(self, text: str) -> None:
        self.marks: Marks = {(): (1, 1)}
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._tokens = [(found[0], found.start()) for found in _TOKEN.finditer(text) if found[1] is None]
        # The end, behind which nobody reads.
        self._tokens.append(("", len(text)))
        self._next = 0
        # Within a list of tables, the number of its last one.
        self._numbers: dict[Keys, int] = {}

    def find_all(self) -> None:
        table: Keys = ()
        while self._peek():
            match self._peek():
                case "\n":
                    self._take()
                case "[":
                    start = self._place()
                    self._take()
                    table = self._header()
                    self.marks.setdefault(table, start)
                    self._skip("\n")
                case _:
                    self._pair(table)

    def _header(self) -> Keys:
        several = self._peek() == "["
        self._next += several
        keys: Keys = ()
        parts = self._parts()
        for at, (place, part) in enumerate(parts, start=1):
            keys = (*keys, part)
            self.marks.setdefault(keys, place)
            if several and at == len(parts):
                self._numbers[keys] = self._numbers.get(keys, -1) + 1
            if keys in self._numbers:
                keys = (*keys, self._numbers[keys])
        return keys

    def _parts(self) -> list[tuple[tuple[int, int], str]]:
        """A key with dots: its parts and where each begins."""
        parts = [(self._place(), _unquoted(self._take()))]
        while self._peek() == ".":
            self._take()
            parts.append((self._place(), _unquoted(self._take())))
        return parts

    def _pair(self, keys: Keys) -> None:
        for place, part in self._parts():
            keys = (*keys, part)
            self.marks.setdefault(keys, place)
        # The equals sign.
        self._take()
        self._value(keys)

    def _value(self, keys: Keys) -> None:
        opening = self._peek()
        if opening not in ("[", "{"):
            self._skip(",]}\n")
            return
        self._take()
        number = 0
        while self._peek() not in ("]", "}", ""):
            if self._peek() in (",", "\n"):
                self._take()
            elif opening == "{":
                self._pair(keys)
            else:
                self.marks[*keys, number] = self._place()
                self._value((*keys, number))
                number += 1
        self._take()

    def _skip(self, ends: str) -> None:
        """Go to the next of these tokens."""
        while self._peek() not in ends:
            self._take()

    def _peek(self) -> str:
        return self._tokens[self._next][0]

    def _take(self) -> str:
        token = self._peek()
        self._next += bool(token)
        return token

    def _place(self) -> tuple[int, int]:
        at = self._tokens[self._next][1]
        line = bisect_right(self._line_starts, at)
        return line, at - self._line_starts[line - 1] + 1


def _unquoted(word: str) -> str:
    if word.startswith("'"):
        return word[1:-1]
    if not word.startswith('"') or "\\" not in word:
        return word.strip('"')
    import tomllib

    return str(tomllib.loads(f"key = {word}")["key"])

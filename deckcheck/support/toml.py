"""Reads TOML files, within bounds, into values with places, and writes single values as TOML."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date, time
from pathlib import Path
from typing import Any

from deckcheck.support.documents import TOO_DEEP, Document, Keys
from deckcheck.support.errors import user_error
from deckcheck.support.files import read_text
from deckcheck.support.messages import _

MOST_BYTES = 256 * 1024
_MOST_DEPTH = 40

_LONG_KEY = re.compile(
    r"""(?<![\w"'-])(?:(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){100}"""
)
_LONG_NUMBER = re.compile(r"[0-9_]{1000}")
_REASON = re.compile(r"(.*?)(?: \(at (?:line (\d+), column (\d+)|end of document)\))?", re.DOTALL)
_NAME = re.compile(r"""[\w-]+|"[^"\n]*"|'[^'\n]*'""")
_NAMES = rf"(?P<names>(?:{_NAME.pattern})(?:[ \t]*\.[ \t]*(?:{_NAME.pattern}))*)"
_HEADER = re.compile(rf"[ \t]*(?P<brackets>\[\[?)[ \t]*{_NAMES}[ \t]*\]")
_KEY = re.compile(rf"[ \t]*(?P<brackets>){_NAMES}[ \t]*=")
_ITEM = re.compile(r"""\#.*|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,\[\]]+""")
"""A value, or a comment."""


def load_toml(file: Path) -> Document:
    """Read a TOML file, with dates and times as ISO 8601 strings. Raises UserError, also for exceeded bounds."""
    import tomllib

    path, text = str(file), read_text(file, most=MOST_BYTES).replace("\r\n", "\n")
    lines = tuple(text.split("\n"))
    try:
        if too_long := _LONG_KEY.search(text):
            # The parser takes quadratic time for dotted keys.
            raise user_error(_("the key is too long"), path=path, line=_line_of(text, too_long))
        return Document(path, _plain_toml(tomllib.loads(text), _MOST_DEPTH), places_in(text), lines)
    except RecursionError as error:
        raise user_error(TOO_DEEP, path=path) from error
    except tomllib.TOMLDecodeError as error:
        match = _REASON.fullmatch(str(error))
        assert match is not None
        line, column = int(match[2] or len(lines)), int(match[3] or len(lines[-1]) + 1)
        excerpt = lines[line - 1] if line <= len(lines) else None
        message = _("not valid TOML: {reason}", reason=match[1])
        raise user_error(message, path=path, line=line, column=column, excerpt=excerpt) from error
    except ValueError as error:
        # Python refuses to convert so many digits.
        digits = _LONG_NUMBER.search(text)
        message = _("the number is too large")
        raise user_error(message, path=path, line=digits and _line_of(text, digits)) from error


def _line_of(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


def _plain_toml(value: Any, depth: int) -> Any:
    if depth < 0:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _plain_toml(inner, depth - 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain_toml(inner, depth - 1) for inner in value]
    return value.isoformat() if isinstance(value, date | time) else value


def as_toml(value: object) -> str:
    """A string, number or list as one line of TOML; strings are also valid YAML."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    # JSON doesn't escape DEL, which TOML requires, and escapes characters beyond U+FFFF as surrogates.
    return re.sub(r"[^ -~]", _escaped, json.dumps(value, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def places_in(text: str) -> dict[Keys, tuple[int, int]]:
    """The places of the headers and keys that begin a line, and of the items behind a key, by their numbers.

    What is written within braces has no place of its own.
    """
    marks: dict[Keys, tuple[int, int]] = {(): (1, 1)}
    table: Keys = ()
    key: Keys = ()
    tables: Counter[Keys] = Counter()
    items = 0
    for number, line in enumerate(text.split("\n"), 1):
        match = _HEADER.match(line) or _KEY.match(line)
        if match is not None:
            brackets = match["brackets"]
            key, items = (() if brackets else table), 0
            for name in _NAME.finditer(line, *match.span("names")):
                if tables[key]:
                    key = (*key, tables[key] - 1)
                key = (*key, name[0].strip("\"'"))
                marks.setdefault(key, (number, name.start() + 1))
            if brackets == "[[":
                tables[key] += 1
                key = (*key, tables[key] - 1)
                marks[key] = (number, match.start("brackets") + 1)
            if brackets:
                table = key
        for item in () if "{" in line else _ITEM.finditer(line, match.end() if match else 0):
            if not item[0].startswith("#"):
                marks[*key, items] = (number, item.start() + 1)
                items += 1
    return marks

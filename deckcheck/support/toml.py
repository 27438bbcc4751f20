"""Reads TOML files, within bounds, into values with places, and writes single values as TOML."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
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
_TOKEN = re.compile(
    r"""
    ([ \t]+ | \#[^\n]*)
    | \"{3} (?:[^\\]|\\.)*? \"{3,5} | '{3} .*? '{3,5}
    | " (?:[^"\\\n]|\\.)* " | ' [^'\n]* '
    | [\w-]+ | .
    """,
    re.VERBOSE | re.DOTALL,
)
"""Blanks or a comment (group 1), or any other token."""


def load_toml(file: Path) -> Document:
    """Read a TOML file, with dates and times as ISO 8601 strings. Raises UserError, also for exceeded bounds."""
    import tomllib

    path, text = str(file), read_text(file, most=MOST_BYTES).replace("\r\n", "\n")
    lines = tuple(text.split("\n"))
    try:
        if too_long := _LONG_KEY.search(text):
            # The parser takes quadratic time for dotted keys.
            raise user_error(_("the key is too long"), path=path, line=_line_of(text, too_long))
        return Document(path, _plain_toml(tomllib.loads(text), _MOST_DEPTH), marks_of(text), lines)
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


def marks_of(text: str) -> dict[Keys, tuple[int, int]]:
    """The places of all keys and list items of a valid TOML text with LF line endings."""
    marks: dict[Keys, tuple[int, int]] = {(): (1, 1)}
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    # The open lists and tables as bracket and keys, and the next index of each list.
    containers: list[tuple[str, Keys]] = [("", ())]
    indexes: Counter[Keys] = Counter()
    key: Keys = ()
    header: list[tuple[int, int]] = []
    in_value = False
    for match in _TOKEN.finditer(text + "\n"):
        token, line = match[0], bisect_right(starts, match.start())
        place, (opening, parent) = (line, match.start() - starts[line - 1] + 1), containers[-1]
        if match[1] is not None:
            continue
        if header and token == "\n":
            if len(header) > 1:
                key = (*key, indexes[key])
                indexes[key[:-1]] += 1
            marks.setdefault(key, header[0])
            containers, header = [("", key)], []
        elif token in ("\n", ","):
            key, in_value = parent, False
        elif not in_value and token == "[" and not opening:
            header.append(place)
            key = ()
        elif token in ("]", "}"):
            if not header:
                containers.pop()
            in_value = not header
        elif in_value or opening == "[":
            if not in_value:
                key, in_value = (*parent, indexes[parent]), True
                marks[key] = place
                indexes[parent] += 1
            if token in ("[", "{"):
                containers.append((token, key))
                in_value = False
        elif token == "=":
            in_value = True
        elif token != ".":
            if header and indexes[key]:
                key = (*key, indexes[key] - 1)
            key = (*key, _unquoted(token))
            marks.setdefault(key, place)
    return marks


def _unquoted(word: str) -> str:
    if word[0] not in "\"'":
        return word
    import tomllib

    return next(iter(tomllib.loads(f"{word} = 0")))

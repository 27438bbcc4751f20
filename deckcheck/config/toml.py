"""TOML: files as plain values with their places, and values written as TOML."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
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
    """Read a TOML file, with dates and times as ISO 8601 strings. Raises UserError, also where it breaks a bound."""
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


def marks_of(text: str) -> Marks:
    """The places of all keys and list items of a TOML file that the parser has read, with LF line ends."""
    marks: Marks = {(): (1, 1)}
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    # The lists and tables around a token, the way to each behind its bracket; the last item of each list.
    around: list[tuple[str, Keys]] = [("", ())]
    numbers: Counter[Keys] = Counter()
    key: Keys = ()
    header: list[tuple[int, int]] = []
    in_value = False
    for found in _TOKEN.finditer(text + "\n"):
        token, line = found[0], bisect_right(starts, found.start())
        place, (opening, way) = (line, found.start() - starts[line - 1] + 1), around[-1]
        if found[1] is not None:
            continue
        if header and token == "\n":
            if len(header) > 1:
                key = (*key, numbers[key])
                numbers[key[:-1]] += 1
            marks.setdefault(key, header[0])
            around, header = [("", key)], []
        elif token in ("\n", ","):
            key, in_value = way, False
        elif not in_value and token == "[" and not opening:
            header.append(place)
            key = ()
        elif token in ("]", "}"):
            if not header:
                around.pop()
            in_value = not header
        elif in_value or opening == "[":
            if not in_value:
                key, in_value = (*way, numbers[way]), True
                marks[key] = place
                numbers[way] += 1
            if token in ("[", "{"):
                around.append((token, key))
                in_value = False
        elif token == "=":
            in_value = True
        elif token != ".":
            if header and numbers[key]:
                key = (*key, numbers[key] - 1)
            key = (*key, _unquoted(token))
            marks.setdefault(key, place)
    return marks


def _unquoted(word: str) -> str:
    if word[0] not in "\"'":
        return word
    import tomllib

    return next(iter(tomllib.loads(f"{word} = 0")))

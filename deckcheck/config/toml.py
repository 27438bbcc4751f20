"""TOML files as plain values that know where they stand."""

from __future__ import annotations

import re
from datetime import date, time
from pathlib import Path
from typing import Any

from deckcheck.config.places import marks_of
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import _
from deckcheck.support.yamlfile import Document

MOST_BYTES = 256 * 1024
MOST_DEPTH = 40
_LONG_KEY = re.compile(
    r"""(?<![\w"'-])(?:(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+){100}"""
)
_LONG_NUMBER = re.compile(r"[0-9_]{1000}")
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def load_toml(file: Path) -> Document:
    """Read a TOML file; dates and times are the strings that ISO 8601 makes of them.

    Raises UserError when it can't be read, isn't TOML, or breaks a bound.
    """
    name = str(file)
    data = read_bytes(file, most=MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise wrong(_("not UTF-8"), path=name, line=line) from error
    return parse_toml(text, name)


def parse_toml(text: str, name: str) -> Document:
    """As `load_toml`, from text."""
    import tomllib

    text = text.replace("\r\n", "\n")
    lines = tuple(text.split("\n"))
    long = _LONG_KEY.search(text)
    if long is not None:
        # The parser takes the square of their number in time.
        line = text.count("\n", 0, long.start()) + 1
        raise wrong(_("the key is too long"), path=name, line=line)
    try:
        data = tomllib.loads(text)
        marks = marks_of(text)
        plain = _plain(data, MOST_DEPTH)
    except RecursionError as error:
        raise wrong(_("nested too deeply"), path=name) from error
    except tomllib.TOMLDecodeError as error:
        raise _unreadable(str(error), lines, name) from error
    except ValueError as error:
        # A whole number with more digits than Python reads.
        long = _LONG_NUMBER.search(text)
        at = text.count("\n", 0, long.start()) + 1 if long is not None else None
        raise wrong(_("the number is too large"), path=name, line=at) from error
    return Document(name, plain, marks, lines)


def _unreadable(said: str, lines: tuple[str, ...], name: str) -> UserError:
    found = _AT.search(said)
    reason = said[: found.start()] if found is not None else said
    if found is not None and found[1]:
        line, column = int(found[1]), int(found[2])
    else:
        line, column = len(lines), len(lines[-1]) + 1
    excerpt = lines[line - 1] if line <= len(lines) else None
    return wrong(
        _("not valid TOML: {reason}", reason=reason),
        path=name,
        line=line,
        column=column,
        excerpt=excerpt,
    )


def _plain(value: Any, depth: int) -> Any:
    if depth < 0:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _plain(one, depth - 1) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one, depth - 1) for one in value]
    return value.isoformat() if isinstance(value, date | time) else value

"""Strict JSON: parsing, and readers for the fields of objects."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, placed_at, user_error
from deckcheck.support.files import decoded, read_text
from deckcheck.support.hashes import is_hash, is_name
from deckcheck.support.messages import Words, _
from deckcheck.support.safe_text import brief

Reader = Callable[[Any], Any]
"""Converts a JSON value. Raises FieldError for an invalid one."""

_HALF = re.compile("[\ud800-\udfff]")
_ID = re.compile("[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?")
_LONGEST_NAME = 200
_LONGEST_EXCERPT = 200


# Parsing


def parse_json(data: bytes, path: str, first_line: int = 1) -> Any:
    """The value in `data`. Raises UserError, also for duplicate keys and for NaN or infinity."""
    content = decoded(data, path, first_line)
    try:
        return _parse(content)
    except json.JSONDecodeError as error:
        excerpt = content.split("\n")[error.lineno - 1]
        raise user_error(
            _("not valid JSON: {reason}", reason=error.msg),
            path=path,
            line=first_line + error.lineno - 1,
            column=error.colno,
            excerpt=excerpt if len(excerpt) <= _LONGEST_EXCERPT else None,
        ) from None
    except UserError as error:
        raise placed_at(error, path, first_line) from None
    except (RecursionError, ValueError) as error:
        too_deep = isinstance(error, RecursionError)
        message = _("nested too deeply") if too_deep else _("not valid JSON: {reason}", reason=brief(error))
        raise user_error(message, path=path, line=first_line) from None


def _parse(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [pair[0] for pair in pairs]
        duplicate = next(key for key in keys if keys.count(key) > 1)
        raise user_error(_("this key appears twice: {key}", key=brief(duplicate)))
    return value


def _no_constant(word: str) -> NoReturn:
    raise user_error(_("not a number: {word}", word=word))


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises UserError."""
    return parse_object(read_text(path), str(path))


def parse_object(text: str, path: str | None = None) -> dict[str, Any]:
    """The JSON object in a text. Raises UserError, also for duplicate keys."""
    try:
        value = _parse(text)
    except (UserError, ValueError, RecursionError) as error:
        # No excerpt, since the text may contain personal data.
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise user_error(_("not readable as JSON"), path=path, line=line) from error
    if not isinstance(value, dict):
        raise user_error(_("this is not a JSON object"), path=path)
    return value


# Fields of an object


class FieldError(ValueError):
    """A value is missing or invalid; the argument is its key, if any."""


def malformed(what: Words, path: str | None, key: str | None = None) -> UserError:
    """The UserError for JSON that isn't a valid `what`; `key` is missing or invalid."""
    where = f": {key}" if key else ""
    return user_error(_("this is not a valid {what}{at}", what=what, at=where), path=path)


def read_fields(
    data: Mapping[str, Any], readers: Mapping[str, Reader], what: Words, path: str | None
) -> dict[str, Any]:
    """The values under the keys of `readers`. Raises UserError, with the key, for a missing or invalid value."""
    try:
        return _read_all(data, readers)
    except FieldError as error:
        raise malformed(what, path, str(error)) from error


def _read_all(data: Mapping[str, Any], readers: Mapping[str, Reader]) -> dict[str, Any]:
    values = {}
    for key, read in readers.items():
        try:
            values[key] = read(data.get(key))
        except FieldError as error:
            raise FieldError(".".join([key, *error.args])) from error
    return values


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def fitting(fits: Callable[[Any], object], kind: type = str) -> Reader:
    """Reads values of a type that meet a condition; refuses lone surrogates, which programs treat differently."""

    def read(value: Any) -> Any:
        if type(value) is not kind or (isinstance(value, str) and _HALF.search(value)) or not fits(value):
            raise FieldError
        return value

    return read


text = fitting(lambda _text: True)
name = fitting(lambda text: 0 < len(text) <= _LONGEST_NAME and is_name(text))
sha256 = fitting(is_hash)
day = fitting(is_day)
moment = fitting(_is_moment)
"""A time in ISO 8601 with a UTC offset."""
identifier = fitting(lambda text: len(text) <= _LONGEST_NAME and _ID.fullmatch(text))
"""The id of a format or a banlist, which can't be a path."""
number = fitting(lambda number: number > 0, int)
flag = fitting(lambda _flag: True, bool)


def choice(*words: str) -> Reader:
    """Reads one of `words`."""
    return fitting(words.__contains__)


def optional(read: Reader) -> Reader:
    """Also reads null, as None."""
    return lambda value: None if value is None else read(value)


def several(read: Reader) -> Reader:
    """Reads a list as a tuple."""

    def read_list(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise FieldError
        return tuple(map(read, value))

    return read_list


def record(make: Callable[..., Any], readers: Mapping[str, Reader]) -> Reader:
    """Reads an object with no other keys than these, by calling `make` with the values."""

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or not value.keys() <= readers.keys():
            raise FieldError
        return make(**_read_all(value, readers))

    return read

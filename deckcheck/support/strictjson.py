"""JSON that deckcheck wrote and that somebody may have altered: one reading only, and tables of its fields."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from deckcheck.support.canonicaljson import is_name
from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import read_text
from deckcheck.support.messages import Words, _

Reader = Callable[[Any], Any]
"""Makes of a JSON value what it stands for. Raises FieldError for a value of another kind."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|.)")
_DELETE = 0x7F
_HALF = re.compile("[\ud800-\udfff]")
_HEX = re.compile("[0-9a-f]{64}")
_ID = re.compile("[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?")
_LONGEST_NAME = 200


class FieldError(ValueError):
    """A value is missing or of the wrong kind; the text says under which key, if any."""


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises as `parse_object`, and for a file that can't be read."""
    return parse_object(read_text(path), str(path))


def parse_object(text: str, path: str | None = None) -> dict[str, Any]:
    """The JSON object in a text.

    Raises UserError for anything else, and for a key that stands there twice:
    other programs would read such a text differently.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        # The text itself may hold names, so none of it is shown.
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise user_error(_("not readable as JSON"), path=path, line=line) from error
    if not isinstance(value, dict):
        raise user_error(_("this is not a JSON object"), path=path)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _refuse(word: str) -> None:
    raise ValueError(word)


def unescaped(text: str) -> str:
    """A JSON text with all characters as they are that JSON lets stand so, whichever of them were escaped."""
    if "\\u" not in text:
        return text
    raw = _ESCAPE.sub(_raw, text).encode("utf-16", "surrogatepass")
    return raw.decode("utf-16", "surrogatepass")


def _raw(escape: re.Match[str]) -> str:
    code = int(escape[1] or "0", 16)
    return chr(code) if code >= _DELETE else escape[0]


def malformed(what: Words, path: str | None, key: str | None = None) -> UserError:
    """The error for JSON that is not the thing it should be; `key` is what is missing or wrong."""
    at = f": {key}" if key else ""
    return user_error(_("this is not a valid {what}{at}", what=what, at=at), path=path)


def read_fields(
    data: Mapping[str, Any], readers: Mapping[str, Reader], what: Words, path: str | None
) -> dict[str, Any]:
    """The values under the keys of `readers`. Raises UserError, naming the key, where one is no part of a `what`."""
    try:
        return _read_all(data, readers)
    except FieldError as error:
        raise malformed(what, path, str(error)) from error


def _read_all(data: Mapping[str, Any], readers: Mapping[str, Reader]) -> dict[str, Any]:
    found = {}
    for key, read in readers.items():
        try:
            found[key] = read(data.get(key))
        except FieldError as error:
            raise FieldError(".".join([key, *error.args])) from error
    return found


def is_hash(text: str) -> bool:
    """Whether the text is a SHA-256 in small hex digits."""
    return _HEX.fullmatch(text) is not None


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def fitting(fits: Callable[[Any], object], kind: type = str) -> Reader:
    """Reads values of that kind that fit. No text holds half a surrogate pair: each program makes something else of it."""

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
"""A time in ISO 8601 that says how far it is from UTC."""
identifier = fitting(lambda text: len(text) <= _LONGEST_NAME and _ID.fullmatch(text))
"""The id of a format or a banlist, and so never the path of a file."""
number = fitting(lambda number: number > 0, int)
flag = fitting(lambda _flag: True, bool)


def choice(*words: str) -> Reader:
    """Reads one of these words."""
    return fitting(words.__contains__)


def optional(read: Reader) -> Reader:
    """Reads null, too."""
    return lambda value: None if value is None else read(value)


def several(read: Reader) -> Reader:
    """Reads a list as a tuple."""

    def read_list(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise FieldError
        return tuple(map(read, value))

    return read_list


def record(make: Callable[..., Any], readers: Mapping[str, Reader]) -> Reader:
    """Reads an object with these keys alone as the record that `make` makes of their values."""

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or not value.keys() <= readers.keys():
            raise FieldError
        return make(**_read_all(value, readers))

    return read

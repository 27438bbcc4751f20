"""JSON that was written by deckcheck and may have been tampered with: one reading only, and bounded."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Words, _

_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|.)")
_DELETE = 0x7F
_HALF = re.compile("[\ud800-\udfff]")
_HEX = re.compile("[0-9a-f]{64}")
_ID = re.compile("[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?")
_LONGEST_ID = 200


def parse_object(text: str, path: str | None = None) -> dict[str, Any]:
    """The JSON object in a text.

    Raises UserError for anything else, and for a key that stands there twice:
    other programs would read such a text differently.
    """
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_none)
    except (ValueError, RecursionError) as error:
        # The text itself may hold names, so none of it is shown.
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise user_error(_("not readable as JSON"), path=path, line=line) from error
    if not isinstance(value, dict):
        raise user_error(_("this is not a JSON object"), path=path)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _none(word: str) -> None:
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


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises as `parse_object`, and for a file that can't be read."""
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise user_error(_("not UTF-8"), path=str(path)) from error
    return parse_object(text, str(path))


def malformed(what: Words, path: str | None, key: str | None = None) -> UserError:
    """The error for JSON that is not the thing it should be; `key` is what is missing or wrong."""
    at = "" if key is None else f": {key}"
    return user_error(_("this is not a valid {what}{at}", what=what, at=at), path=path)


def _is_text(value: object) -> bool:
    """Whether it is a text of whole characters: of half a surrogate pair, each program makes something else."""
    return isinstance(value, str) and _HALF.search(value) is None


def is_hash(text: str) -> bool:
    """Whether the text is a SHA-256 in small hex digits."""
    return _HEX.fullmatch(text) is not None


def is_moment(text: str) -> bool:
    """Whether the text is a time in ISO 8601 that says how far it is from UTC."""
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def is_id(text: str) -> bool:
    """Whether the text is the id of a format or a banlist, and so never the path of a file."""
    return len(text) <= _LONGEST_ID and _ID.fullmatch(text) is not None


class Fields:
    """Values of a JSON object that should be a `what`, each of the kind asked for; others are a UserError naming the key."""

    def __init__(self, data: Mapping[str, Any], what: Words, path: str | None) -> None:
        self.data = data
        self.what = what
        self.path = path

    def wrong(self, key: str) -> UserError:
        """What to raise for the value of that key."""
        return malformed(self.what, self.path, key)

    def text(self, key: str) -> str:
        value = self.data.get(key)
        if not _is_text(value):
            raise self.wrong(key)
        return str(value)

    def text_or_none(self, key: str) -> str | None:
        return None if self.data.get(key) is None else self.text(key)

    def number(self, key: str) -> int:
        value = self.data.get(key)
        if type(value) is not int or value < 1:
            raise self.wrong(key)
        return value

    def number_or_none(self, key: str) -> int | None:
        return None if self.data.get(key) is None else self.number(key)

    def hex(self, key: str) -> str:
        value = self.text(key)
        if not is_hash(value):
            raise self.wrong(key)
        return value

    def day(self, key: str) -> str:
        value = self.text(key)
        if not is_day(value):
            raise self.wrong(key)
        return value

    def moment(self, key: str) -> str:
        value = self.text(key)
        if not is_moment(value):
            raise self.wrong(key)
        return value

    def moment_or_none(self, key: str) -> str | None:
        return None if self.data.get(key) is None else self.moment(key)

    def id(self, key: str) -> str:
        value = self.text(key)
        if not is_id(value):
            raise self.wrong(key)
        return value

    def one_of(self, key: str, known: tuple[str, ...]) -> Any:
        value = self.data.get(key)
        if value not in known:
            raise self.wrong(key)
        return value

    def flag(self, key: str) -> bool:
        value = self.data.get(key)
        if not isinstance(value, bool):
            raise self.wrong(key)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key)
        if not isinstance(value, list) or not all(map(_is_text, value)):
            raise self.wrong(key)
        return tuple(value)

    def below(self, key: str) -> "Fields":
        """The object under the key, whose own keys are told as "key.its key"."""
        value = self.data.get(key)
        if not isinstance(value, dict):
            raise self.wrong(key)
        return _Below(value, self.what, self.path, key)

    def several(self, key: str) -> "list[Fields]":
        value = self.data.get(key)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.wrong(key)
        return [_Below(one, self.what, self.path, key) for one in value]


class _Below(Fields):
    def __init__(self, data: Mapping[str, Any], what: Words, path: str | None, above: str) -> None:
        super().__init__(data, what, path)
        self.above = above

    def wrong(self, key: str) -> UserError:
        return super().wrong(f"{self.above}.{key}")

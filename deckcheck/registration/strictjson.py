"""JSON that was written by deckcheck and may have been tampered with: one reading only, and bounded."""

import json
from pathlib import Path
from typing import Any

from deckcheck.errors import UserError, wrong
from deckcheck.files import read_bytes
from deckcheck.text import Text


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
        raise wrong("JSONとして読めません", "not readable as JSON", path=path, line=line) from error
    if not isinstance(value, dict):
        raise wrong("JSONのオブジェクトではありません", "this is no JSON object", path=path)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _none(word: str) -> None:
    raise ValueError(word)


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises as `parse_object`, and for a file that can't be read."""
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong("UTF-8ではありません", "not UTF-8", path=str(path)) from error
    return parse_object(text, str(path))


def malformed(what: Text, path: str | None, key: str | None = None) -> UserError:
    """The error for JSON that is not the thing it should be; `key` is what is missing or wrong."""
    at = "" if key is None else f": {key}"
    return wrong(f"{what.ja}ではありません{at}", f"this is no {what.en}{at}", path=path)

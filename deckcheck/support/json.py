"""JSON: read strictly, without duplicate keys, NaN and infinity; written canonically (RFC 8785) and hashed.

The hashes must never change: see docs/en/hashes.md.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NoReturn

from deckcheck.support.errors import UserError, placed_at, user_error
from deckcheck.support.files import decoded, read_text
from deckcheck.support.messages import _
from deckcheck.support.safe_text import brief

Kind = Literal["deck", "format", "banlist", "entry", "lot", "finding"]
"""The kinds of hashed values."""

FORM = 1
"""The version in every tag."""

_LONGEST_EXCERPT = 200
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_HASH = re.compile("[0-9a-f]{64}")


def digest(kind: Kind, value: object) -> str:
    """The SHA-256, in hex, of the canonical JSON of `[TAG, value]`, with the kind in the tag. Raises ValueError."""
    # It loads OpenSSL, which a plain check doesn't need.
    from hashlib import sha256

    return sha256(canonical([f"deckcheck/{kind}/{FORM}", value])).hexdigest()


def canonical(value: object) -> bytes:
    """The canonical JSON of a value. Raises ValueError for floats, integers beyond 2^53 - 1 and lone surrogates."""
    import rfc8785

    return rfc8785.dumps(_plain(value))


def _plain(value: object) -> Any:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    raise ValueError(f"not hashed: {type(value).__name__}")


def is_hash(text: str) -> bool:
    """Whether a text is a SHA-256 in lower-case hex digits."""
    return _HASH.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether a text may be a name in a hashed list: without control characters and lone surrogates."""
    return text.isprintable() or _CONTROL.search(text) is None


# Reading


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

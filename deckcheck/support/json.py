"""JSON: read strictly, without duplicate keys, NaN and infinity; written canonically (RFC 8785) and hashed.

The hashes must never change: see docs/en/hashes.md.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NoReturn

from deckcheck.support.errors import UserError, placed_at, user_error
from deckcheck.support.files import decoded, read_bytes
from deckcheck.support.messages import _
from deckcheck.support.safe_text import brief

Kind = Literal["deck", "format", "banlist", "entry", "lot", "finding"]
"""The kinds of hashed values."""

FORM = 1
"""The version in every tag."""

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


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises UserError."""
    return parse_object(read_bytes(path), str(path))


def parse_object(data: bytes, path: str, first_line: int = 1) -> dict[str, Any]:
    """The JSON object in `data`. Raises UserError, also for duplicate keys and for NaN or infinity.

    Its problems have no excerpt, since the text may contain personal data.
    """
    text = decoded(data, path, first_line)
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        message = _("not valid JSON: {reason}", reason=error.msg)
        raise user_error(message, path=path, line=line, column=error.colno) from None
    except UserError as error:
        raise placed_at(error, path, first_line) from None
    except RecursionError:
        raise user_error(_("nested too deeply"), path=path, line=first_line) from None
    except ValueError as error:
        message = _("not valid JSON: {reason}", reason=brief(error))
        raise user_error(message, path=path, line=first_line) from None
    if not isinstance(value, dict):
        raise user_error(_("this is not a JSON object"), path=path, line=first_line)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [pair[0] for pair in pairs]
        duplicate = next(key for key in keys if keys.count(key) > 1)
        raise user_error(_("this key appears twice: {key}", key=brief(duplicate)))
    return value


def _no_constant(word: str) -> NoReturn:
    raise user_error(_("not a number: {word}", word=word))

"""Hashes over canonical JSON (RFC 8785). None of this may ever change: see docs/en/hashes.md."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal

Kind = Literal["deck", "format", "banlist", "entry", "seal", "lot", "finding"]
"""What is hashed."""

FORM = 1
"""The number in every tag."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_HASH = re.compile("[0-9a-f]{64}")


def digest(kind: Kind, value: object) -> str:
    """The SHA-256, in hex, of the canonical JSON of `[TAG, value]`; the tag names the kind. Raises as `canonical`."""
    return sha256(canonical([f"deckcheck/{kind}/{FORM}", value])).hexdigest()


def canonical(value: object) -> bytes:
    """The canonical JSON of a value. Raises ValueError for fractions, integers beyond 2^53 - 1 and half surrogate pairs."""
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
    """Whether a text is a SHA-256 in lowercase hex digits."""
    return _HASH.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether a text may be a name in a hashed list: it has no control character and no half of a surrogate pair."""
    return text.isprintable() or _CONTROL.search(text) is None

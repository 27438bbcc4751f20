"""Hashes of canonical JSON (RFC 8785), which must never change: see docs/en/hashes.md."""

import re
from collections.abc import Mapping
from typing import Any, Literal

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

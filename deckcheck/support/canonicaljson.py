"""Canonical JSON (RFC 8785), and the hashes that are taken over it.

Every hash that is kept or handed on is made here: the SHA-256, in hex, of the
canonical JSON of `[TAG, VALUE]`. The tag says what is hashed, such as
"deckcheck/entry/1", so no hash passes for one of another kind. None of this may
ever change: docs/en/hashes.md says what each kind covers, and
tests/registration/test_vectors.py holds examples.
"""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal

Kind = Literal["deck", "format", "banlist", "entry", "seal", "lot", "finding"]
"""What is hashed."""

FORM = 1
"""The number in every tag."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def canonical(value: object) -> bytes:
    """The canonical JSON of a value of mappings, lists, texts, integers, truth values and None.

    Raises ValueError for anything else: fractions, which programs write
    differently, integers beyond 2^53 - 1, and halves of surrogate pairs, which
    are no text.
    """
    import rfc8785

    return rfc8785.dumps(_plain(value))


def digest(kind: Kind, value: object) -> str:
    """The hash, in hex, of a value of that kind. Raises as `canonical`."""
    return sha256(canonical([f"deckcheck/{kind}/{FORM}", value])).hexdigest()


def is_name(text: str) -> bool:
    """Whether a text may stand in a hashed list as a name: it holds no control character and no half of a surrogate pair."""
    return text.isprintable() or _CONTROL.search(text) is None


def _plain(value: object) -> Any:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    raise ValueError(f"not hashed: {type(value).__name__}")

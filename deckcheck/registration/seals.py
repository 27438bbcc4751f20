"""A list that stays secret until it is opened: a commitment now, the list and its salt later.

The commitment is a hash of the salt (64 hex digits), the game and the canonical list.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from deckcheck.model.finding import Verdict
from deckcheck.registration.canonical import CanonicalList, list_from, list_object
from deckcheck.support.canonicaljson import digest, is_name
from deckcheck.support.messages import _
from deckcheck.support.strictjson import is_day, is_hash, is_id, malformed, parse_object
from deckcheck.support.version import VERSION

FORM = 1
"""Raised when a seal is made in another way."""

VERDICTS = ("legal", "illegal", "undecided")
_SEAL = _("seal")
_OPENING = _("opening file")


class Seal(NamedTuple):
    """What is told of a secret list.

    `commitment` is a SHA-256 in hex; `verdict` is what the one who sealed the
    list says of it, by the format with the id `format` (the hash of its content
    in `format_hash`) on the day `as_of`.
    """

    commitment: str
    verdict: Verdict
    game: str
    format: str
    format_hash: str
    as_of: str


class Opening(NamedTuple):
    """What the player keeps: the list, the salt (64 hex digits), and the seal that they open."""

    seal: Seal
    salt: str
    cards: CanonicalList


def commitment(salt: str, cards: CanonicalList) -> str:
    """The commitment to a list, in hex."""
    return digest("seal", {"salt": salt, "game": cards.game, **list_object(cards)})


def opens(opening: Opening, sealed: str) -> bool:
    """Whether the list and the salt are those behind the commitment `sealed`."""
    return commitment(opening.salt, opening.cards) == sealed


def seal_object(seal: Seal) -> dict[str, object]:
    """The seal as plain values for JSON."""
    return {
        "seal": FORM,
        "commitment": seal.commitment,
        "verdict": seal.verdict,
        "game": seal.game,
        "format": {"id": seal.format, "sha256": seal.format_hash},
        "as_of": seal.as_of,
        "deckcheck": VERSION,
    }


def opening_object(opening: Opening) -> dict[str, object]:
    """The opening file as plain values for JSON."""
    return {
        "opening": FORM,
        "salt": opening.salt,
        "list": list_object(opening.cards),
        "seal": seal_object(opening.seal),
    }


def parse_seal(text: str, path: str | None = None) -> Seal:
    """The seal in a JSON text. Raises UserError when it is none."""
    return seal_from(parse_object(text, path), path)


def seal_from(data: Mapping[str, Any], path: str | None = None) -> Seal:
    """The seal that `seal_object` wrote. Raises UserError for anything else."""
    if data.get("seal") != FORM:
        raise malformed(_SEAL, path, "seal")
    stamp = data.get("format")
    format = stamp if isinstance(stamp, dict) else {}
    said = {
        "commitment": data.get("commitment"),
        "verdict": data.get("verdict"),
        "game": data.get("game"),
        "format": format.get("id"),
        "format_hash": format.get("sha256"),
        "as_of": data.get("as_of"),
    }
    for key, value in said.items():
        if not isinstance(value, str) or not 0 < len(value) <= 200 or not is_name(value):
            raise malformed(_SEAL, path, key)
    for key, fits in {
        "commitment": is_hash,
        "format_hash": is_hash,
        "format": is_id,
        "as_of": is_day,
    }.items():
        if not fits(str(said[key])):
            raise malformed(_SEAL, path, key)
    if said["verdict"] not in VERDICTS:
        raise malformed(_SEAL, path, "verdict")
    return Seal(**cast("dict[str, Any]", said))


def opening_from(data: Mapping[str, Any], path: str | None = None) -> Opening:
    """The opening that `opening_object` wrote. Raises UserError for anything else."""
    if data.get("opening") != FORM:
        raise malformed(_OPENING, path, "opening")
    salt, listed, sealed = data.get("salt"), data.get("list"), data.get("seal")
    if not isinstance(salt, str) or not is_hash(salt):
        raise malformed(_OPENING, path, "salt")
    if not isinstance(sealed, dict):
        raise malformed(_OPENING, path, "seal")
    seal = seal_from(sealed, path)
    if not isinstance(listed, dict):
        raise malformed(_OPENING, path, "list")
    try:
        return Opening(seal, salt, list_from(seal.game, listed, path))
    except ValueError as error:
        raise malformed(_OPENING, path, "list") from error

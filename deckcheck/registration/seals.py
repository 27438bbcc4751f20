"""A list that stays secret until it is opened: a commitment now, the list and its salt later.

The commitment is a hash of the salt (64 hex digits), the game and the canonical list. The
player's fields stand in the file of a seal as they do at the top of an open list; the
commitment doesn't bind them. Whoever knows the list and the salt can open the seal, and
nobody else.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from deckcheck.registration.canonical import CanonicalList, Stamp, list_from, list_object
from deckcheck.registration.model import FIELDS, SUBMITTED, Seal
from deckcheck.registration.submissions import Sender
from deckcheck.support import VERSION, strictjson
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _
from deckcheck.support.strictjson import digest

FORM = 1
"""Raised when a seal is made in another way."""

STAMP = strictjson.record(Stamp, {"id": strictjson.identifier, "sha256": strictjson.sha256})
VERDICT = strictjson.choice("legal", "illegal", "undecided")
_SEAL, _OPENING = _("seal"), _("opening file")
_SEAL_FIELDS = {
    "commitment": strictjson.sha256,
    "verdict": VERDICT,
    "game": strictjson.name,
    "format": STAMP,
    "as_of": strictjson.day,
}
_BANLISTS = strictjson.several(STAMP)
_MOST_LISTS = 100
_PLAYER_KEYS = {field: "player" if field == "name" else field for field in (*FIELDS, SUBMITTED)}


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
    """The seal, without its banlists, as plain values for JSON."""
    fields = {key: getattr(seal, key) for key in _SEAL_FIELDS}
    return {"seal": FORM, **fields, "format": seal.format._asdict(), "deckcheck": VERSION}


def seal_file(seal: Seal, sender: Sender) -> dict[str, object]:
    """What stands in the file of a seal, as plain values for JSON: who hands it in, too."""
    given = sender.player.given | {SUBMITTED: sender.submitted}
    fields = {key: given[field] for field, key in _PLAYER_KEYS.items() if given.get(field)}
    return seal_object(seal) | {"banlists": [stamp._asdict() for stamp in seal.banlists]} | fields


def opening_object(opening: Opening) -> dict[str, object]:
    """The opening file as plain values for JSON."""
    return {
        "opening": FORM,
        "salt": opening.salt,
        "list": list_object(opening.cards),
        "seal": seal_object(opening.seal),
    }


def seal_from(data: Mapping[str, Any], path: str | None = None) -> Seal:
    """The seal that `seal_object` wrote. Raises UserError for anything else."""
    if data.get("seal") != FORM:
        raise strictjson.malformed(_SEAL, path, "seal")
    return Seal(**strictjson.read_fields(data, _SEAL_FIELDS, _SEAL, path))


def seal_from_file(data: Mapping[str, Any], path: str | None = None) -> Seal:
    """The seal that `seal_file` wrote. Raises UserError where anything else stands in it."""
    seal = seal_from(data, path)
    if not data.keys() <= {*seal_object(seal), "banlists", *_PLAYER_KEYS.values()}:
        raise user_error(_("it contains something that is not part of a seal"), path=path)
    if not all(isinstance(data.get(key, ""), str) for key in _PLAYER_KEYS.values()):
        raise user_error(_("a field of the player is not text"), path=path)
    found = strictjson.read_fields(data, {"banlists": _BANLISTS}, _SEAL, path)
    if len(found["banlists"]) > _MOST_LISTS:
        raise strictjson.malformed(_SEAL, path, "banlists")
    return seal._replace(**found)


def opening_from(data: Mapping[str, Any], path: str | None = None) -> Opening:
    """The opening that `opening_object` wrote. Raises UserError for anything else."""
    if data.get("opening") != FORM:
        raise strictjson.malformed(_OPENING, path, "opening")
    salt = strictjson.read_fields(data, {"salt": strictjson.sha256}, _OPENING, path)["salt"]
    sealed = data.get("seal")
    if not isinstance(sealed, dict):
        raise strictjson.malformed(_OPENING, path, "seal")
    seal = seal_from(sealed, path)
    try:
        return Opening(seal, salt, list_from(seal.game, data.get("list"), path))
    except ValueError as error:
        raise strictjson.malformed(_OPENING, path, "list") from error

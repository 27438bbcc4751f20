"""A list that stays secret until it is opened: a commitment now, the list and its salt later.

The commitment is a hash of the salt (64 hex digits), the game and the canonical list. The
player's fields stand in the file of a seal as they do at the top of an open list; the
commitment doesn't bind them. Whoever knows the list and the salt can open the seal, and
nobody else.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from deckcheck.registration.canonical import CanonicalList, list_from, list_object
from deckcheck.registration.model import FIELDS, SUBMITTED, Seal
from deckcheck.registration.provenance import Stamp
from deckcheck.registration.submissions import Sender
from deckcheck.support.canonicaljson import digest, is_name
from deckcheck.support.dates import is_day
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _
from deckcheck.support.strictjson import is_hash, is_id, malformed, parse_object
from deckcheck.support.version import VERSION

FORM = 1
"""Raised when a seal is made in another way."""

VERDICTS = ("legal", "illegal", "undecided")
_SEAL = _("seal")
_OPENING = _("opening file")


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


_NAMES = {"name": "player"}
_FIELDS = tuple(_NAMES.get(field, field) for field in (*FIELDS, SUBMITTED))
_MOST_LISTS = 100
_LONGEST = 200


def shown_fields(sender: Sender) -> dict[str, str]:
    """What a seal shows of its player: fields by the keys that stand for them at the top of a list."""
    given = sender.player._asdict() | {SUBMITTED: sender.submitted}
    return {_NAMES.get(field, field): text for field, text in given.items() if text}


def sealed_object(seal: Seal, banlists: Iterable[Stamp], fields: Mapping[str, str]) -> dict[str, object]:
    """What stands in the file of a seal, as plain values for JSON."""
    return seal_object(seal) | {"banlists": [one._asdict() for one in banlists]} | dict(fields)


def banlists_of(data: Mapping[str, object], seal: Seal, path: str | None = None) -> tuple[Stamp, ...]:
    """The banlists that the file of a seal names.

    Raises UserError where anything else than `sealed_object` writes stands in it.
    """
    known = {*seal_object(seal), "banlists", *_FIELDS}
    if not data.keys() <= known:
        raise user_error(_("it contains something that is not part of a seal"), path=path)
    if not all(isinstance(data[field], str) for field in _FIELDS if field in data):
        raise user_error(_("a field of the player is not text"), path=path)
    listed = data.get("banlists")
    if not isinstance(listed, list) or len(listed) > _MOST_LISTS:
        raise _no_lists(path)
    return tuple(_stamp(one, path) for one in listed)


def _stamp(value: object, path: str | None) -> Stamp:
    match value:
        case {"id": str() as id, "sha256": str() as hash, **rest} if (
            not rest and 0 < len(id) <= _LONGEST and 0 < len(hash) <= _LONGEST
        ):
            return Stamp(id, hash)
    raise _no_lists(path)


def _no_lists(path: str | None) -> UserError:
    said = _("this is not a seal: banlists")
    return user_error(said, path=path)

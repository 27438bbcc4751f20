"""The file of a seal: the seal, and beside it whose it is and by which banlists it was judged.

The player's fields stand in it as they do at the top of an open list. The
commitment doesn't bind them: whoever knows the list and the salt can open the
seal, and nobody else.
"""

from collections.abc import Iterable, Mapping

from deckcheck.registration.entries.fields import SUBMITTED, Said
from deckcheck.registration.model import FIELDS
from deckcheck.registration.provenance import Stamp
from deckcheck.registration.seals import Seal, seal_object
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import _

_NAMES = {"name": "player"}
_FIELDS = tuple(_NAMES.get(field, field) for field in (*FIELDS, SUBMITTED))
_MOST_LISTS = 100
_LONGEST = 200


def shown_fields(said: Said) -> dict[str, str]:
    """What a seal shows of its player: fields by the keys that stand for them at the top of a list."""
    given = said.player._asdict() | {SUBMITTED: said.submitted}
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
        raise wrong(_("something in it is no part of a seal"), path=path)
    if not all(isinstance(data[field], str) for field in _FIELDS if field in data):
        raise wrong(_("a field of the player is no text"), path=path)
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
    said = _("this is no seal: banlists")
    return wrong(said, path=path)

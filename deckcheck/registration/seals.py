"""A list that stays secret until it is opened: a commitment now, the list and its salt later.

The commitment is a hash of the salt (64 hex digits), the game and the canonical list. The
player's fields are in the file of a seal as they are at the top of an open list; the
commitment doesn't bind them. Whoever knows the list and the salt can open the seal, and
nobody else.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.model.finding import Report, Verdict
from deckcheck.registration.canonical import STAMP, VERDICT, CanonicalList, Stamp, list_from, list_object
from deckcheck.registration.log import Receipt, entry_from
from deckcheck.registration.submissions import FIELD_NAMES, FIELDS, SUBMITTED, TIME, Sender
from deckcheck.report.wording import VERDICTS
from deckcheck.support import VERSION, strictjson
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _, series
from deckcheck.support.strictjson import digest

FORM = 1
"""Raised when a seal is made in another way."""

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


class Seal(NamedTuple):
    """What is public of a secret list.

    `commitment` is a SHA-256 in hex; `verdict` is what whoever sealed the list
    says of it, on the day `as_of` and by the format and the banlists of these stamps.
    """

    commitment: str
    verdict: Verdict
    game: str
    format: Stamp
    as_of: str
    banlists: tuple[Stamp, ...] = ()


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
    """The content of a seal's file as plain values for JSON; it names the sender, too."""
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
    """The seal that `seal_file` wrote. Raises UserError for anything else."""
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


def read_seal(path: Path) -> tuple[Seal, int | None]:
    """The seal in a file, or that of a receipt, and the games of a match, None where nothing gives them. Raises UserError."""
    data = strictjson.read_object(path)
    if "deckcheck_log" not in data:
        return seal_from_file(data, str(path)), None
    receipt = entry_from(data, str(path)).value
    if not isinstance(receipt, Receipt) or receipt.sealed is None:
        raise user_error(_("not the receipt of a sealed list"), path=str(path))
    rules = receipt.format, receipt.as_of, receipt.banlists
    return Seal(receipt.sealed, receipt.verdict, receipt.game, *rules), receipt.best_of


def sealed_lines(
    made: Seal, report: Report, sender: Sender, to_hand_in: Path, to_keep: Path
) -> Iterator[Message]:
    """The verdict of a new seal, its two files, and what it shows."""
    yield _(
        "{verdict} ({format}, by the rules of {day})",
        verdict=VERDICTS[made.verdict],
        format=report.format_name,
        day=made.as_of,
    )
    if made.verdict != "legal":
        yield _("`deckcheck check` shows why")
    yield _("commitment {hash}", hash=made.commitment)
    yield _("hand in: {path}", path=str(to_hand_in))
    names = [*(FIELD_NAMES[field] for field in sender.player.given), *([TIME] if sender.submitted else [])]
    if names:
        yield _("  (does not show the list; besides the verdict it shows: {fields})", fields=series(names))
    yield _("keep, and show nobody until it is opened: {path}", path=str(to_keep))


def opened_lines(sealed: Seal, report: Report, *, same_list: bool, changed: bool) -> Iterator[Message]:
    """Whether an opened list is the sealed one, and what has changed since."""
    if not same_list:
        yield _("this is not the list that was sealed")
        return
    yield _("this is the list that was sealed")
    if changed:
        yield _("the format has changed since the list was sealed")
    if report.verdict != sealed.verdict:
        was, now = VERDICTS[sealed.verdict], VERDICTS[report.verdict]
        yield _("the seal says “{sealed}”, but the list is “{checked}”", sealed=was, checked=now)

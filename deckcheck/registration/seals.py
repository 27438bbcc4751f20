"""What is hashed: lists in canonical form, the content of formats and banlists, and lists that stay secret behind a seal.

The hash of a banlist covers its file; that of a format its file, every file that it extends (in the order in which they
are read) and its game's; CR LF counts as LF. The commitment of a seal covers the salt (64 hex digits), the game and the
canonical list, not the player's fields.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.formats.loading import game_file
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, banlist_file, format_file, shown_path
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import Report, Verdict, fingerprint_of
from deckcheck.model.format import Format
from deckcheck.registration.submissions import FIELDS, SUBMITTED, Sender
from deckcheck.support import VERSION, strictjson
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.hashes import digest, is_name
from deckcheck.support.messages import Words, _, series

SEAL_FORM = 1
"""Raised when a seal is made in another way."""

MOST_COPIES = 100_000
"""No deck holds so many copies of a card."""

_MOST_LINES = 5
_MOST_LISTS = 100
_SEAL, _OPENING = _("seal"), _("opening file")
_PLAYER_KEYS = {field: "player" if field == "name" else field for field in (*FIELDS, SUBMITTED)}


# Canonical lists


class Copies(NamedTuple):
    """Copies of a card in a zone. `known` tells whether `card` is a canonical name or only what was written."""

    zone: str
    card: str
    copies: int
    known: bool = True


class CanonicalList(NamedTuple):
    """The cards of a deck, sorted by zone and name; each zone and name stands there once."""

    game: str
    cards: tuple[Copies, ...]

    @property
    def fingerprint(self) -> str:
        """The hash of the list: for one of known cards, the fingerprint of the deck."""
        return _fingerprint(self)


@lru_cache(maxsize=64)
def _fingerprint(listed: CanonicalList) -> str:
    # A log that is read asks for that of each list several times.
    return fingerprint_of(listed.game, **list_object(listed))


def canonical_list(game: str, cards: Iterable[Copies]) -> CanonicalList:
    """The list of these cards; equal ones are added up, and none of 0 copies is left."""
    added: dict[tuple[str, str, bool], int] = {}
    for zone, card, copies, known in cards:
        added[zone, card, known] = added.get((zone, card, known), 0) + copies
    sums = (Copies(zone, card, copies, known) for (zone, card, known), copies in added.items() if copies)
    return CanonicalList(game, tuple(sorted(sums)))


def list_of(deck: Deck, game: str) -> CanonicalList | None:
    """The canonical list of a deck, names that are no certain card as they are written; None with `uncertain` lines."""
    if uncertain(deck):
        return None
    cards = (
        Copies(entry.zone, entry.cards[0].name, entry.copies)
        if len(entry.cards) == 1
        else Copies(entry.zone, entry.written, entry.copies, known=False)
        for entry in deck.entries
    )
    return canonical_list(game, cards)


def uncertain(deck: Deck) -> list[Diagnostic | Entry]:
    """What leaves open which cards are in a deck and how often, by line."""
    unread = (found for found in deck.diagnostics if found.id in ("invalid-line", "unknown-zone"))
    unsure = (entry for entry in deck.entries if entry.copies != entry.most or _is_unfit(entry))
    return sorted([*unread, *unsure], key=lambda at: (at.line, at.column))


def uncertainty(found: Sequence[Diagnostic | Entry]) -> Words:
    """What is uncertain in a deck, as `uncertain` found it, and on which lines."""
    lines = sorted({at.line for at in found})
    named, more = series(lines[:_MOST_LINES]), "…" if len(lines) > _MOST_LINES else ""
    if all(isinstance(entry, Entry) and _is_unfit(entry) for entry in found):
        return _("a card name contains a control character (line {lines}{more})", lines=named, more=more)
    return _("some lines can't be read for certain (line {lines}{more})", lines=named, more=more)


def _is_unfit(entry: Entry) -> bool:
    return len(entry.cards) != 1 and not is_name(entry.written)


def deck_of(
    listed: CanonicalList, find: Callable[[str], tuple[Card, ...]], zones: Iterable[str], path: str
) -> Deck:
    """The deck of a canonical list, one line a card, `zones` in this order and others behind."""
    order = {zone: at for at, zone in enumerate(zones)}
    entries, lines = [], []
    for zone, card, copies, known in sorted(
        listed.cards, key=lambda copies: (order.get(copies.zone, len(order)), copies.zone, copies.card)
    ):
        cards = find(card)
        if known:
            # Another card's alias or half must not take the place of a canonical name.
            cards = tuple(found for found in cards if found.name == card) or cards
        lines.append(f"{copies} {card}")
        entries.append(Entry(card, cards, copies, copies, zone, len(lines), len(str(copies)) + 2))
    return Deck(path, tuple(entries), (), {}, "canonical", tuple(lines))


def check_list(
    listed: CanonicalList, format: LoadedFormat, path: str, as_of: str, best_of: int | None
) -> Report:
    """The report on the deck of a canonical list. Raises UserError for a format that can't be played."""
    deck = deck_of(listed, format.game_data.catalog.find, format.format.zones, path)
    return check(deck, format, as_of=as_of, best_of=best_of)


def list_object(listed: CanonicalList) -> dict[str, dict[str, dict[str, int]]]:
    """The list as plain values for JSON: the copies of known cards and of unknown names, by zone and name."""
    found: dict[str, dict[str, dict[str, int]]] = {"cards": {}, "unknown": {}}
    for zone, card, copies, known in listed.cards:
        found["cards" if known else "unknown"].setdefault(zone, {})[card] = copies
    return found


def list_from(game: str, data: object, what: Words, path: str | None = None) -> CanonicalList:
    """The list that `list_object` wrote as a part of a `what`. Raises UserError, at `path`, for anything else."""

    def items(value: object, *, least: int = 1) -> Iterable[tuple[str, object]]:
        if not isinstance(value, Mapping) or len(value) < least:
            raise strictjson.malformed(what, path, "list")
        return value.items()

    if dict(items(data)).keys() != {"cards", "unknown"}:
        raise strictjson.malformed(what, path, "list")
    cards = []
    for key, zones in items(data):
        for zone, names in items(zones, least=0):
            for card, copies in items(names):
                if not is_name(zone) or not is_name(card):
                    raise user_error(_("a card name contains a control character"), path=path)
                if type(copies) is not int or not 0 < copies <= MOST_COPIES:
                    raise strictjson.malformed(what, path, "list")
                cards.append(Copies(zone, card, copies, key == "cards"))
    return canonical_list(game, cards)


# The content of formats


class Stamp(NamedTuple):
    """A format or a banlist: its id and the hash of its content in hex."""

    id: str
    sha256: str


STAMP = strictjson.record(Stamp, {"id": strictjson.identifier, "sha256": strictjson.sha256})
VERDICT = strictjson.choice("legal", "illegal", "undecided")


class Provenance(NamedTuple):
    """Which rules a verdict came from: the format with all that it extends, and its banlists."""

    format: Stamp
    banlists: tuple[Stamp, ...]


def provenance(reference: str, folders: Folders = BUNDLED_ONLY) -> Provenance:
    """The content of the format of that id, alias, name or path, in hashes. Raises UserError."""
    from deckcheck.formats.inheritance import inherit
    from deckcheck.support.documents import load_yaml

    found = inherit(format_file(reference, folders=folders), folders)
    files = [*found.files, game_file(str(found.game))]
    whole = digest("format", [_content(file) for file in files])
    banlists = []
    for named in found.banlists:
        file = banlist_file(str(named.data), Path(named.path), folders)
        if not file.is_file():
            message = _("a banlist of the format is missing")
            raise user_error(message, path=str(file), hint=_("check the format"))
        banlists.append(Stamp(str(load_yaml(file).data["banlist"]), digest("banlist", _content(file))))
    return Provenance(Stamp(str(found.top.data["format"]), whole), tuple(banlists))


def reference_of(format: Format, folders: Folders = BUNDLED_ONLY) -> str:
    """The id of a loaded format, or its file where the id means another format or nothing."""
    try:
        same = shown_path(format_file(format.id, folders=folders)) == format.source.path
    except UserError:
        same = False
    return format.id if same else format.source.path


def _content(file: Path) -> str:
    return sha256(read_bytes(file).replace(b"\r\n", b"\n")).hexdigest()


# Seals

_SEAL_FIELDS = {
    "commitment": strictjson.sha256,
    "verdict": VERDICT,
    "game": strictjson.name,
    "format": STAMP,
    "as_of": strictjson.day,
}


class Seal(NamedTuple):
    """What is public of a secret list: its commitment in hex, and the verdict of whoever sealed it, by these rules."""

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
    return {"seal": SEAL_FORM, **fields, "format": seal.format._asdict(), "deckcheck": VERSION}


def seal_file(seal: Seal, sender: Sender) -> dict[str, object]:
    """The content of a seal's file as plain values for JSON; it names the sender, too."""
    given = sender.player.given | {SUBMITTED: sender.submitted}
    fields = {key: given[field] for field, key in _PLAYER_KEYS.items() if given.get(field)}
    return seal_object(seal) | {"banlists": [stamp._asdict() for stamp in seal.banlists]} | fields


def opening_object(opening: Opening) -> dict[str, object]:
    """The opening file as plain values for JSON."""
    return {
        "opening": SEAL_FORM,
        "salt": opening.salt,
        "list": list_object(opening.cards),
        "seal": seal_object(opening.seal),
    }


def seal_from(data: Mapping[str, Any], path: str | None = None) -> Seal:
    """The seal that `seal_object` wrote. Raises UserError for anything else."""
    if data.get("seal") != SEAL_FORM:
        raise strictjson.malformed(_SEAL, path, "seal")
    return Seal(**strictjson.read_fields(data, _SEAL_FIELDS, _SEAL, path))


def seal_from_file(data: Mapping[str, Any], path: str | None = None) -> Seal:
    """The seal that `seal_file` wrote. Raises UserError for anything else."""
    seal = seal_from(data, path)
    if not data.keys() <= {*seal_object(seal), "banlists", *_PLAYER_KEYS.values()}:
        raise user_error(_("it contains something that is not part of a seal"), path=path)
    if not all(isinstance(data.get(key, ""), str) for key in _PLAYER_KEYS.values()):
        raise user_error(_("a field of the player is not text"), path=path)
    found = strictjson.read_fields(data, {"banlists": strictjson.several(STAMP)}, _SEAL, path)
    if len(found["banlists"]) > _MOST_LISTS:
        raise strictjson.malformed(_SEAL, path, "banlists")
    return seal._replace(**found)


def opening_from(data: Mapping[str, Any], path: str | None = None) -> Opening:
    """The opening that `opening_object` wrote. Raises UserError for anything else."""
    if data.get("opening") != SEAL_FORM:
        raise strictjson.malformed(_OPENING, path, "opening")
    readers = {"salt": strictjson.sha256, "seal": strictjson.fitting(bool, dict)}
    salt, sealed = strictjson.read_fields(data, readers, _OPENING, path).values()
    seal = seal_from(sealed, path)
    return Opening(seal, salt, list_from(seal.game, data.get("list"), _OPENING, path))

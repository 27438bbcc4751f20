"""What a log says: receipts of accepted lists, withdrawals and deck checks; and how they are hashed.

The hash of a banlist covers its file; that of a format covers its file, every file that it extends (in
reading order) and its game's; CR LF counts as LF.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.formats.inheritance import inherit
from deckcheck.formats.loading import game_file
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, banlist_file, format_file
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Diagnostic
from deckcheck.model.deck import Entry as DeckEntry
from deckcheck.model.finding import FindingId, Report, Verdict, fingerprint_of
from deckcheck.registration.submissions import Player
from deckcheck.report.json import json_line
from deckcheck.support import VERSION, strict_json
from deckcheck.support.documents import load_yaml
from deckcheck.support.errors import user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.hashes import digest, is_name
from deckcheck.support.messages import Words, _, series

FORM = 1
"""The "deckcheck_log" of an entry; increased when a key changes its meaning or is removed."""

BEGINNING = "0" * 64
"""The previous hash in the first entry."""

MOST_COPIES = 100_000
"""The most copies of a card that a canonical list may have."""

_ENTRY = _("entry of a log")
_MOST_LINES = 5


# Canonical lists


class Copies(NamedTuple):
    """Copies of a card in a zone; `card` is a canonical name if `known`, else as written."""

    zone: str
    card: str
    copies: int
    known: bool = True


class CanonicalList(NamedTuple):
    """The cards of a deck, sorted by zone and name, without duplicates."""

    game: str
    cards: tuple[Copies, ...]

    @property
    def fingerprint(self) -> str:
        """The hash of the list; if all cards are known, it is the fingerprint of the deck."""
        return _fingerprint(self)

    @property
    def zones(self) -> dict[str, dict[str, dict[str, int]]]:
        """As in JSON: the copies of known cards and of unknown names, by zone and name."""
        result: dict[str, dict[str, dict[str, int]]] = {"cards": {}, "unknown": {}}
        for held in self.cards:
            result["cards" if held.known else "unknown"].setdefault(held.zone, {})[held.card] = held.copies
        return result


@lru_cache(maxsize=64)
def _fingerprint(listed: CanonicalList) -> str:
    # Reading a log needs the fingerprint of each list several times.
    return fingerprint_of(listed.game, **listed.zones)


def canonical_list(game: str, cards: Iterable[Copies]) -> CanonicalList:
    """The list of these cards, with equal ones added up and without those of 0 copies."""
    sums: dict[tuple[str, str, bool], Copies] = {}
    for held in cards:
        key = held.zone, held.card, held.known
        before = sums[key].copies if key in sums else 0
        sums[key] = held._replace(copies=before + held.copies)
    return CanonicalList(game, tuple(sorted(held for held in sums.values() if held.copies)))


def list_of(deck: Deck, game: str) -> CanonicalList | None:
    """The canonical list of a deck, with unknown or ambiguous names as written; None if it has `uncertain` lines."""
    if uncertain_lines(deck):
        return None
    cards = (Copies(entry.zone, entry.name, entry.copies, entry.card is not None) for entry in deck.entries)
    return canonical_list(game, cards)


def uncertain_lines(deck: Deck) -> list[Diagnostic | DeckEntry]:
    """The lines and entries that make the cards of a deck uncertain, sorted by place."""
    unread = (
        item for item in deck.diagnostics if item.id in (FindingId.INVALID_LINE, FindingId.UNKNOWN_ZONE)
    )
    unsure = (entry for entry in deck.entries if entry.card is None and not is_name(entry.written))
    return sorted([*unread, *unsure], key=lambda line: (line.line, line.column))


def uncertainty_message(uncertain: Sequence[Diagnostic | DeckEntry]) -> Words:
    """The message for the result of `uncertain_lines`, which must not be empty."""
    lines = sorted({item.line for item in uncertain})
    named, more = series(lines[:_MOST_LINES]), "…" if len(lines) > _MOST_LINES else ""
    return _("some lines can't be read for certain (line {lines}{more})", lines=named, more=more)


def deck_of(
    listed: CanonicalList, find: Callable[[str], tuple[Card, ...]], zones: Iterable[str], path: str
) -> Deck:
    """The deck of a canonical list, one line per card, in the order of `zones`, then other zones."""
    order = {zone: index for index, zone in enumerate(zones)}
    entries, lines = [], []
    in_order = sorted(listed.cards, key=lambda held: (order.get(held.zone, len(order)), held.zone, held.card))
    for number, held in enumerate(in_order, 1):
        cards = find(held.card)
        if held.known:
            # A canonical name takes precedence over aliases and halves of other cards.
            cards = tuple(card for card in cards if card.name == held.card) or cards
        lines.append(f"{held.copies} {held.card}")
        column = len(str(held.copies)) + 2
        entries.append(DeckEntry(held.card, cards, held.copies, held.zone, number, column))
    return Deck(path, tuple(entries), (), {}, "canonical", tuple(lines))


def check_list(
    listed: CanonicalList, format: LoadedFormat, path: str, as_of: str, best_of: int | None
) -> Report:
    """The report on a canonical list. Raises UserError for a format that can't be played."""
    deck = deck_of(listed, format.game_data.catalog.find, format.format.zones, path)
    return check(deck, format, as_of=as_of, best_of=best_of)


# The content of formats


class Stamp(NamedTuple):
    """The id of a format or a banlist, and the hash of its content in hex."""

    id: str
    sha256: str


class Provenance(NamedTuple):
    """The rules of a verdict: the format with all that it extends, and its banlists."""

    format: Stamp
    banlists: tuple[Stamp, ...]


def provenance(reference: str, folders: Folders = BUNDLED_ONLY) -> Provenance:
    """The hashes of the format with that id, alias, name or path. Raises UserError."""
    inherited = inherit(format_file(reference, folders=folders), folders)
    files = [*inherited.files, game_file(str(inherited.game), folders)]
    whole = digest("format", [_content(file) for file in files])
    banlists = []
    for banlist in inherited.banlists.values():
        file = banlist_file(str(banlist.data), Path(banlist.path), folders)
        if not file.is_file():
            message = _("a banlist of the format is missing")
            raise user_error(message, path=str(file), hint=_("check the format"))
        banlists.append(Stamp(str(load_yaml(file).data["banlist"]), digest("banlist", _content(file))))
    return Provenance(Stamp(str(inherited.top.data["format"]), whole), tuple(banlists))


def _content(file: Path) -> str:
    return sha256(read_bytes(file).replace(b"\r\n", b"\n")).hexdigest()


# Entries


class Receipt(NamedTuple):
    """An accepted list with the time in UTC.

    `cards` and `tool` are versions. `faults` are the rules that make the list illegal or undecided, `despite`
    the conditions that a judge overrode. `replaces` is the number of the player's previous receipt. `submission` is
    the id of the submission, which older receipts lack.
    """

    event: str
    date: str
    at: str
    player: Player
    place: str
    submitted: str | None
    game: str
    format: Stamp
    banlists: tuple[Stamp, ...]
    cards: str
    as_of: str
    best_of: int | None
    verdict: Verdict
    faults: tuple[str, ...]
    listed: CanonicalList
    by: str | None = None
    reason: str | None = None
    despite: tuple[str, ...] = ()
    replaces: int | None = None
    submission: str | None = None
    tool: str = VERSION

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the list."""
        return self.listed.fingerprint

    @property
    def rules(self) -> Provenance:
        """The format and banlists by which it was checked."""
        return Provenance(self.format, self.banlists)

    @property
    def time(self) -> datetime:
        """When it was written."""
        return datetime.fromisoformat(self.at)


class Withdrawal(NamedTuple):
    """A player who no longer takes part, with the `receipt` that this revokes and the ids of their submissions."""

    event: str
    at: str
    player: Player
    receipt: int | None
    submissions: tuple[str, ...]
    by: str
    reason: str
    tool: str = VERSION


class DeckCheck(NamedTuple):
    """A deck compared with a receipt (by number), `between_games` or before the first one."""

    event: str
    at: str
    receipt: int
    result: Literal["same", "different"]
    between_games: bool = False
    by: str | None = None
    tool: str = VERSION


EntryValue = Receipt | Withdrawal | DeckCheck


class Entry(NamedTuple):
    """An entry of a log: what it says, and all that is written in it, by schemas/receipt.schema.json."""

    value: EntryValue
    content: Mapping[str, Any]

    @property
    def number(self) -> int:
        """Its number in the log, from 1."""
        return int(self.content["number"])

    @property
    def previous(self) -> str:
        """The hash of the previous entry."""
        return str(self.content["previous"])

    @property
    def hash(self) -> str:
        """The hash of everything else in it."""
        return str(self.content["hash"])


def utc(time: datetime) -> str:
    """How entries write a time."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def entry_of(number: int, previous: str, value: EntryValue) -> Entry:
    """The entry after the one with the hash `previous`. Raises UserError for a lone surrogate."""
    [kind] = (kind for kind, record in _KINDS.items() if isinstance(value, record))
    head = {"deckcheck_log": FORM, "kind": kind, "number": number, "previous": previous}
    content = {**head, "event": value.event, "at": value.at, "tool": value.tool}
    for field, part in value._asdict().items():
        content |= _plain(field, part)
    try:
        return Entry(value, content | {"hash": digest("entry", content)})
    except ValueError as error:
        raise user_error(_("this contains text that a log can't store")) from error


def entry_line(entry: Entry) -> str:
    """The entry as one line of JSON, safe for terminals; the hash doesn't depend on this text."""
    return json_line(entry.content)


_KINDS: Mapping[str, type[Receipt | Withdrawal | DeckCheck]] = {
    "receipt": Receipt,
    "withdrawal": Withdrawal,
    "check": DeckCheck,
}


def _plain(field: str, value: object) -> dict[str, object]:
    """What is written of a field, by the keys in the entry."""
    match value:
        case CanonicalList():
            # The commitment is part of the final form of receipts.
            return {"list": value.zones, "fingerprint": value.fingerprint, "commitment": None}
        case Player():
            # An email address is nobody else's business.
            return {field: {key: text for key, text in value.filled.items() if key != "email"}}
        case Stamp():
            return {field: value._asdict()}
        case Verdict():
            return {field: str(value)}
        case tuple():
            return {field: [part._asdict() if isinstance(part, Stamp) else part for part in value]}
        case None if field == "submission":
            return {}
    return {field: value}


def _player(value: Any) -> Player:
    given = strict_json.fitting(lambda _fields: True, dict)(value)
    for part in (*given, *given.values()):
        strict_json.text(part)
    return Player().with_fields(given)


def _copies(value: Any) -> tuple[Copies, ...]:
    mapping = strict_json.fitting(lambda _mapping: True, dict)
    if mapping(value).keys() != {"cards", "unknown"}:
        raise strict_json.FieldError
    cards = []
    for key, zones in value.items():
        for zone, names in mapping(zones).items():
            for card, copies in mapping(names).items():
                fits = is_name(zone) and is_name(card) and type(copies) is int
                if not fits or not 0 < copies <= MOST_COPIES:
                    raise strict_json.FieldError
                cards.append(Copies(zone, card, copies, key == "cards"))
    return tuple(cards)


_text, _optional, _several = strict_json.text, strict_json.optional, strict_json.several
_stamp = strict_json.record(Stamp, {"id": strict_json.identifier, "sha256": strict_json.sha256})
_HEAD: Mapping[str, strict_json.Reader] = {
    "number": strict_json.number,
    "previous": strict_json.sha256,
    "hash": strict_json.sha256,
}
_READERS: Mapping[str, strict_json.Reader] = {
    "event": _text,
    "at": strict_json.moment,
    "tool": _text,
    "date": strict_json.day,
    "player": _player,
    "place": _text,
    "submitted": _optional(strict_json.moment),
    "game": _text,
    "format": _stamp,
    "banlists": _several(_stamp),
    "cards": _text,
    "as_of": strict_json.day,
    "best_of": _optional(strict_json.number),
    "verdict": strict_json.choice(*Verdict),
    "faults": _several(_text),
    "by": _optional(_text),
    "reason": _optional(_text),
    "despite": _several(_text),
    "replaces": _optional(strict_json.number),
    "submission": _optional(_text),
    "receipt": _optional(strict_json.number),
    "submissions": _several(_text),
    "result": strict_json.choice("same", "different"),
    "between_games": strict_json.flag,
}
"""The fields of all kinds of entries."""


def entry_from(content: Mapping[str, Any], path: str | None = None) -> Entry:
    """The entry with this content. Raises UserError, at `path`, also for a wrong hash."""
    record = _KINDS.get(str(content.get("kind")))
    if content.get("deckcheck_log") != FORM or isinstance(content.get("deckcheck_log"), bool):
        raise strict_json.malformed(_ENTRY, path, "deckcheck_log")
    if record is None:
        raise strict_json.malformed(_ENTRY, path, "kind")
    head = strict_json.read_fields(content, _HEAD, _ENTRY, path)
    readers = {field: _READERS[field] for field in record._fields if field != "listed"}
    fields = strict_json.read_fields(content, readers, _ENTRY, path)
    if record is Receipt:
        cards = strict_json.read_fields(content, {"list": _copies}, _ENTRY, path)["list"]
        fields["listed"] = canonical_list(fields["game"], cards)
        if content.get("fingerprint") != fields["listed"].fingerprint:
            raise strict_json.malformed(_ENTRY, path, "fingerprint")
    # The hash covers everything that was written, also what a later version adds.
    try:
        actual = digest("entry", {key: part for key, part in content.items() if key != "hash"})
    except ValueError:
        actual = ""
    if actual != head["hash"]:
        raise strict_json.malformed(_ENTRY, path, "hash")
    return Entry(record(**fields), content)


def read_entry(path: Path) -> Entry:
    """The entry in a receipt's file. Raises UserError."""
    return entry_from(strict_json.read_object(path), str(path))

"""What a log says: receipts of accepted lists, withdrawals and deck checks; and how they are hashed.

The hash of a banlist covers its file; that of a format covers its file, every file that it extends (in
reading order) and its game's; CR LF counts as LF.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert, field, json, structs

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
from deckcheck.support.documents import load_yaml
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.hashes import digest, is_name
from deckcheck.support.messages import Words, _, series
from deckcheck.support.strict_json import read_object

FORM = 1
"""The "deckcheck_log" of an entry; increased when a key changes its meaning or is removed."""

BEGINNING = "0" * 64
"""The previous hash in the first entry."""

_MOST_LINES = 5

# What may stand in an entry; also its hash refuses fractions and lone surrogates.
Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Number = Annotated[int, Meta(ge=1)]
Day = date
Moment = Annotated[datetime, Meta(tz=True)]
FormatId = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?\Z", max_length=200)]
"""The id of a format or a banlist, which can't be a path."""
Name = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f]*\Z")]
CopiesInList = Annotated[int, Meta(ge=1, le=100_000)]


# Canonical lists


class Copies(Struct, frozen=True, order=True):
    """Copies of a card in a zone; `card` is a canonical name if `known`, else as written."""

    zone: str
    card: str
    copies: int
    known: bool = True


class Zones(Struct, frozen=True, forbid_unknown_fields=True):
    """A list as in JSON: the copies of known cards and of unknown names, by zone and name."""

    cards: Mapping[Name, Mapping[Name, CopiesInList]]
    unknown: Mapping[Name, Mapping[Name, CopiesInList]]


class CanonicalList(Struct, frozen=True):
    """The cards of a deck, sorted by zone and name, without duplicates."""

    game: str
    cards: tuple[Copies, ...]

    @property
    def fingerprint(self) -> str:
        """The hash of the list; if all cards are known, it is the fingerprint of the deck."""
        zones = self.zones
        return fingerprint_of(self.game, zones.cards, zones.unknown)

    @property
    def zones(self) -> Zones:
        """The list as in JSON."""
        known: dict[str, dict[str, int]] = {}
        unknown: dict[str, dict[str, int]] = {}
        for held in self.cards:
            zones = known if held.known else unknown
            zones.setdefault(held.zone, {})[held.card] = held.copies
        return Zones(known, unknown)


def canonical_list(game: str, cards: Iterable[Copies]) -> CanonicalList:
    """The list of these cards, with equal ones added up and without those of 0 copies."""
    sums: dict[tuple[str, str, bool], Copies] = {}
    for held in cards:
        key = held.zone, held.card, held.known
        before = sums[key].copies if key in sums else 0
        sums[key] = structs.replace(held, copies=before + held.copies)
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


class Stamp(Struct, frozen=True, forbid_unknown_fields=True):
    """The id of a format or a banlist, and the hash of its content in hex."""

    id: FormatId
    sha256: Hash


class Provenance(Struct, frozen=True):
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


class Statement(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every entry says: the event, the time, and the version of deckcheck that wrote it."""

    event: str
    at: Moment
    tool: str


class Receipt(Statement, frozen=True, kw_only=True, tag="receipt"):
    """An accepted list.

    `given` are the fields of the player, without the email address. `cards` is a version. `faults` are the rules that
    make the list illegal or undecided, `despite` the conditions that a judge overrode. `replaces` is the number of the
    player's previous receipt. `submission` is the id of the submission, which older receipts lack.
    """

    date: Day
    given: Mapping[str, str] = field(name="player")
    place: str
    submitted: str | None = None
    game: str
    format: Stamp
    banlists: tuple[Stamp, ...]
    cards: str
    as_of: Day
    best_of: Number | None = None
    verdict: Verdict
    faults: tuple[str, ...]
    zones: Zones = field(name="list")
    fingerprint: Hash
    commitment: Any = None
    """Always null; earlier versions sealed lists with it."""
    by: str | None = None
    reason: str | None = None
    despite: tuple[str, ...]
    replaces: Number | None = None
    submission: str | None = None

    @property
    def player(self) -> Player:
        """The player."""
        return Player().with_fields(self.given)

    @property
    def listed(self) -> CanonicalList:
        """The list."""
        cards = [
            Copies(zone, card, copies, known)
            for known, zones in ((True, self.zones.cards), (False, self.zones.unknown))
            for zone, names in zones.items()
            for card, copies in names.items()
        ]
        return canonical_list(self.game, cards)

    @property
    def rules(self) -> Provenance:
        """The format and banlists by which it was checked."""
        return Provenance(self.format, self.banlists)


class Withdrawal(Statement, frozen=True, kw_only=True, tag="withdrawal"):
    """A player who no longer takes part, with the `receipt` that this revokes and the ids of their submissions."""

    given: Mapping[str, str] = field(name="player")
    receipt: Number | None = None
    submissions: tuple[str, ...]
    by: str
    reason: str

    @property
    def player(self) -> Player:
        """The player."""
        return Player().with_fields(self.given)


class DeckCheck(Statement, frozen=True, kw_only=True, tag="check"):
    """A deck compared with a receipt (by number), `between_games` or before the first one."""

    receipt: Number
    result: Literal["same", "different"]
    between_games: bool
    by: str | None = None


EntryValue = Receipt | Withdrawal | DeckCheck


class _Head(Struct, frozen=True):
    """The place of an entry in the chain."""

    deckcheck_log: Literal[1]
    number: Number
    previous: Hash
    hash: Hash


class Entry(Struct, frozen=True):
    """An entry of a log: what it says, and all that is written in it, by schemas/receipt.schema.json.

    `hash` is the hash of everything else in it, `previous` that of the previous entry; `number` counts from 1.
    """

    number: int
    previous: str
    hash: str
    value: EntryValue
    content: Mapping[str, Any]


def utc(time: datetime) -> datetime:
    """A time as entries have it: in UTC, in whole seconds."""
    return time.astimezone(UTC).replace(microsecond=0)


def entry_of(number: int, previous: str, value: EntryValue) -> Entry:
    """The entry after the one with the hash `previous`. Raises UserError for a lone surrogate."""
    try:
        said: dict[str, Any] = json.decode(json.encode(value))
        # As in receipts from before there were ids.
        if said.get("submission", "") is None:
            del said["submission"]
        head = {"deckcheck_log": FORM, "kind": said["kind"], "number": number, "previous": previous}
        content = head | said
        hash = digest("entry", content)
    except ValueError as error:
        raise user_error(_("this contains text that a log can't store")) from error
    return Entry(number, previous, hash, value, content | {"hash": hash})


def entry_line(entry: Entry) -> str:
    """The entry as one line of JSON, safe for terminals; the hash doesn't depend on this text."""
    return json_line(entry.content)


def entry_from(content: Mapping[str, Any], path: str | None = None) -> Entry:
    """The entry with this content. Raises UserError, at `path`, also for a wrong hash."""
    try:
        head = convert(content, _Head)
        value: EntryValue = convert(content, type=EntryValue)
    except ValidationError as error:
        raise _malformed(_key_of(error), path) from error
    if isinstance(value, Receipt) and value.fingerprint != value.listed.fingerprint:
        raise _malformed("fingerprint", path)
    # The hash covers everything that was written, also what a later version adds.
    try:
        actual = digest("entry", {key: part for key, part in content.items() if key != "hash"})
    except ValueError:
        actual = ""
    if actual != head.hash:
        raise _malformed("hash", path)
    return Entry(head.number, head.previous, head.hash, value, content)


def _malformed(key: str, path: str | None) -> UserError:
    return user_error(_("this is not a valid entry of a log: {key}", key=key), path=path)


def _key_of(error: ValidationError) -> str:
    """The key that msgspec says is missing or wrong; never what stands there, which may be personal data."""
    place = re.search(r"`\$\.?([^`]*)`", str(error))
    missing = re.search(r"missing required field `(\w+)`", str(error))
    return ".".join(match[1] for match in (place, missing) if match is not None)


def read_entry(path: Path) -> Entry:
    """The entry in a receipt's file. Raises UserError."""
    return entry_from(read_object(path), str(path))

"""Hashes of canonical lists, formats and banlists.

The hash of a banlist covers its file; that of a format covers its file, every file that it extends (in
reading order) and its game's; CR LF counts as LF.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.formats.inheritance import Inheritance, inherit
from deckcheck.formats.loading import game_file
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, banlist_file, format_file
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import FindingId, Report, fingerprint_of
from deckcheck.support import strict_json
from deckcheck.support.documents import load_yaml
from deckcheck.support.errors import user_error
from deckcheck.support.files import read_bytes, shipped
from deckcheck.support.hashes import digest, is_name
from deckcheck.support.messages import Words, _, series

MOST_COPIES = 100_000
"""The most copies of a card that a canonical list may have."""

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


@lru_cache(maxsize=64)
def _fingerprint(listed: CanonicalList) -> str:
    # Reading a log needs the fingerprint of each list several times.
    return fingerprint_of(listed.game, **list_object(listed))


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


def uncertain_lines(deck: Deck) -> list[Diagnostic | Entry]:
    """The lines and entries that make the cards of a deck uncertain, sorted by place."""
    unread = (
        item for item in deck.diagnostics if item.id in (FindingId.INVALID_LINE, FindingId.UNKNOWN_ZONE)
    )
    unsure = filter(_is_unfit, deck.entries)
    return sorted([*unread, *unsure], key=lambda line: (line.line, line.column))


def uncertainty_message(uncertain: Sequence[Diagnostic | Entry]) -> Words:
    """The message for the result of `uncertain`, which must not be empty."""
    lines = sorted({item.line for item in uncertain})
    named, more = series(lines[:_MOST_LINES]), "…" if len(lines) > _MOST_LINES else ""
    if all(isinstance(entry, Entry) and _is_unfit(entry) for entry in uncertain):
        return _("a card name contains a control character (line {lines}{more})", lines=named, more=more)
    return _("some lines can't be read for certain (line {lines}{more})", lines=named, more=more)


def _is_unfit(entry: Entry) -> bool:
    return entry.card is None and not is_name(entry.written)


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
        entries.append(Entry(held.card, cards, held.copies, held.zone, number, column))
    return Deck(path, tuple(entries), (), {}, "canonical", tuple(lines))


def check_list(
    listed: CanonicalList, format: LoadedFormat, path: str, as_of: str, best_of: int | None
) -> Report:
    """The report on a canonical list. Raises UserError for a format that can't be played."""
    deck = deck_of(listed, format.game_data.catalog.find, format.format.zones, path)
    return check(deck, format, as_of=as_of, best_of=best_of)


def list_object(listed: CanonicalList) -> dict[str, dict[str, dict[str, int]]]:
    """The list as values for JSON: the copies of known cards and of unknown names, by zone and name."""
    result: dict[str, dict[str, dict[str, int]]] = {"cards": {}, "unknown": {}}
    for held in listed.cards:
        result["cards" if held.known else "unknown"].setdefault(held.zone, {})[held.card] = held.copies
    return result


def list_from(game: str, data: object, what: Words, path: str | None = None) -> CanonicalList:
    """The list from a value that `list_object` wrote; `what` names the file. Raises UserError, at `path`."""

    def items(value: object, *, least: int = 1) -> Iterable[tuple[str, object]]:
        if not isinstance(value, Mapping) or len(value) < least:
            raise strict_json.malformed(what, path, "list")
        return value.items()

    if dict(items(data)).keys() != {"cards", "unknown"}:
        raise strict_json.malformed(what, path, "list")
    cards = []
    for key, zones in items(data):
        for zone, names in items(zones, least=0):
            for card, copies in items(names):
                if not is_name(zone) or not is_name(card):
                    raise user_error(_("a card name contains a control character"), path=path)
                if type(copies) is not int or not 0 < copies <= MOST_COPIES:
                    raise strict_json.malformed(what, path, "list")
                cards.append(Copies(zone, card, copies, key == "cards"))
    return canonical_list(game, cards)


# The content of formats


class Stamp(NamedTuple):
    """The id of a format or a banlist, and the hash of its content in hex."""

    id: str
    sha256: str


STAMP = strict_json.record(Stamp, {"id": strict_json.identifier, "sha256": strict_json.sha256})
VERDICT = strict_json.choice("legal", "illegal", "undecided")


class Provenance(NamedTuple):
    """The rules of a verdict: the format with all that it extends, and its banlists."""

    format: Stamp
    banlists: tuple[Stamp, ...]


def provenance(reference: str, folders: Folders = BUNDLED_ONLY) -> Provenance:
    """The hashes of the format with that id, alias, name or path. Raises UserError."""
    inherited = inherit(format_file(reference, folders=folders), folders)
    files = [*inherited.files, game_file(str(inherited.game), folders)]
    whole = digest("format", [_content(file) for file in files])
    banlists = [
        Stamp(str(load_yaml(file).data["banlist"]), digest("banlist", _content(file)))
        for file in _banlist_files(inherited, folders)
    ]
    return Provenance(Stamp(str(inherited.top.data["format"]), whole), tuple(banlists))


def own_banlists(reference: str, folders: Folders) -> list[str]:
    """The paths of the format's banlists that aren't bundled. Raises UserError."""
    inherited = inherit(format_file(reference, folders=folders), folders)
    bundled = shipped("banlists").resolve()
    files = _banlist_files(inherited, folders)
    return [str(file) for file in files if not file.resolve().is_relative_to(bundled)]


def _banlist_files(inherited: Inheritance, folders: Folders) -> Iterator[Path]:
    for banlist in inherited.banlists.values():
        file = banlist_file(str(banlist.data), Path(banlist.path), folders)
        if not file.is_file():
            message = _("a banlist of the format is missing")
            raise user_error(message, path=str(file), hint=_("check the format"))
        yield file


def _content(file: Path) -> str:
    return sha256(read_bytes(file).replace(b"\r\n", b"\n")).hexdigest()

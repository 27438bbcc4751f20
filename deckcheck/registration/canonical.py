"""A list apart from its notation: what is registered, hashed, sealed and compared."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import fingerprint_of
from deckcheck.support.canonicaljson import is_name
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _, series

MOST_COPIES = 100_000
"""No deck holds so many copies of a card."""

_MOST_LINES = 5


class Copies(NamedTuple):
    """So many copies of a card in a zone. `known` tells whether `card` is a canonical name or only what was written."""

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
        return fingerprint_of(self.game, **list_object(self))


def canonical_list(game: str, cards: Iterable[Copies]) -> CanonicalList:
    """The list of these cards in their order, equal ones added up, none of 0 copies among them."""
    added: dict[tuple[str, str, bool], int] = {}
    for one in cards:
        key = (one.zone, one.card, one.known)
        added[key] = added.get(key, 0) + one.copies
    sums = (Copies(zone, card, copies, known) for (zone, card, known), copies in added.items() if copies)
    return CanonicalList(game, tuple(sorted(sums)))


def list_of(deck: Deck, game: str) -> CanonicalList | None:
    """The canonical list of a deck; None while there are `uncertain` lines.

    Names that the card table doesn't have, or that may mean several cards,
    stay as they are written.
    """
    if uncertain(deck):
        return None
    cards = []
    for entry in deck.entries:
        known = len(entry.cards) == 1
        name = entry.cards[0].name if known else entry.written
        cards.append(Copies(entry.zone, name, entry.copies, known))
    return canonical_list(game, cards)


def uncertain(deck: Deck) -> list[Diagnostic | Entry]:
    """What in a deck leaves open which cards are in it and how often, by line.

    Lines that can't be read, uncertain counts, and unknown names that hold control characters.
    """
    found: list[Diagnostic | Entry] = [
        one for one in deck.diagnostics if one.id in ("invalid-line", "unknown-zone")
    ]
    found += [one for one in deck.entries if one.copies != one.most or _is_unfit(one)]
    return sorted(found, key=lambda one: (one.line, one.column))


def uncertainty(found: Sequence[Diagnostic | Entry]) -> Words:
    """What is uncertain in a deck, as `uncertain` found it, and on which lines."""
    lines = sorted({one.line for one in found})
    named, more = series(lines[:_MOST_LINES]), "…" if len(lines) > _MOST_LINES else ""
    if all(isinstance(one, Entry) and _is_unfit(one) for one in found):
        return _("a card name contains a control character (line {lines}{more})", lines=named, more=more)
    return _("some lines can't be read for certain (line {lines}{more})", lines=named, more=more)


def _is_unfit(entry: Entry) -> bool:
    return len(entry.cards) != 1 and not is_name(entry.written)


def deck_of(
    listed: CanonicalList, find: Callable[[str], tuple[Card, ...]], zones: Iterable[str], path: str
) -> Deck:
    """The deck that a canonical list tells of, one line a card, `zones` in this order and others behind."""
    order = {zone: at for at, zone in enumerate(zones)}
    cards = sorted(listed.cards, key=lambda one: (order.get(one.zone, len(order)), one.zone, one.card))
    lines = tuple(f"{one.copies} {one.card}" for one in cards)
    entries = tuple(
        Entry(one.card, _cards(one, find), one.copies, one.copies, one.zone, at, len(str(one.copies)) + 2)
        for at, one in enumerate(cards, 1)
    )
    return Deck(path, entries, (), {}, "canonical", lines)


def _cards(one: Copies, find: Callable[[str], tuple[Card, ...]]) -> tuple[Card, ...]:
    found = find(one.card)
    if not one.known:
        return found
    # The name is that of one card; another card's alias or half must not take its place.
    same = tuple(card for card in found if card.name == one.card)
    return same or found


def list_object(listed: CanonicalList) -> dict[str, dict[str, dict[str, int]]]:
    """The list as plain values for JSON: the copies of known cards and of unknown names, by zone and name."""
    found: dict[str, dict[str, dict[str, int]]] = {"cards": {}, "unknown": {}}
    for one in listed.cards:
        found["cards" if one.known else "unknown"].setdefault(one.zone, {})[one.card] = one.copies
    return found


def list_from(game: str, data: Mapping[str, object], path: str | None = None) -> CanonicalList:
    """The list that `list_object` wrote.

    Raises ValueError for anything else, and UserError, at `path`, for a name with control characters.
    """
    if data.keys() != {"cards", "unknown"}:
        raise ValueError("not a list")
    cards = []
    for key, zones in data.items():
        for zone, names in _mapping(zones).items():
            if not names:
                raise ValueError("an empty zone")
            for name, copies in _mapping(names).items():
                if not is_name(zone) or not is_name(name):
                    raise user_error(_("a card name contains a control character"), path=path)
                if type(copies) is not int or not 0 < copies <= MOST_COPIES:
                    raise ValueError("no number of copies")
                cards.append(Copies(zone, name, copies, key == "cards"))
    return canonical_list(game, cards)


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError("not a mapping")
    return value

"""Decks as copies of names in zones: taken from a list, judged, and written as a list."""

from collections.abc import Callable, Mapping

from deckcheck.checking.judge import LoadedFormat, check
from deckcheck.model.card import card_named, name_beside
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import Report
from deckcheck.support.messages import Words, _

Copies = Mapping[str, Mapping[str, int]]
"""The copies of each name, by zone."""


def copies_of(deck: Deck) -> dict[str, dict[str, int]]:
    """The copies of the known cards in a deck."""
    by_zone: dict[str, dict[str, int]] = {}
    for entry in deck.entries:
        if entry.card is not None and entry.copies:
            held = by_zone.setdefault(entry.zone, {})
            held[entry.card.name] = held.get(entry.card.name, 0) + entry.copies
    return by_zone


def reading_difference(deck: Deck, copies: Copies, format: LoadedFormat) -> Words | None:
    """How a deck read from the list of these copies differs from them; None if all are there."""
    zones, read = format.zone_names, copies_of(deck)
    for zone, held in copies.items():
        for name, number in held.items():
            copies_read = read.get(zone, {}).get(name, 0)
            other = next((zone for zone, cards in read.items() if name in cards), None)
            if copies_read != number and not copies_read and other is not None:
                return _("{card} is read as a card of {zone}", card=name, zone=zones.get(other, other))
            if copies_read != number:
                return _("copies of {card} read: {found} of {n}", card=name, found=copies_read, n=number)
    return None


def names_in_language_of(deck: Deck, format: LoadedFormat) -> Callable[[str], str]:
    """A function from the name of a card to its name in the language of a list."""
    written = next((entry.written for entry in deck.entries), "")
    catalog = format.game_data.catalog

    def spelt(name: str) -> str:
        beside = name_beside(catalog, name, written)
        return beside if isinstance(beside, str) else beside.ja

    return spelt


def deck_of(copies: Copies, format: LoadedFormat) -> Deck:
    """The copies as a deck, with an entry for each name in a zone."""
    entries: list[Entry] = []
    for zone, names in copies.items():
        for name, number in names.items():
            card = card_named(format.game_data.catalog, name)
            entries.append(Entry(name, (card,) if card else (), number, zone, len(entries) + 1, 1))
    return Deck("-", tuple(entries), (), {}, "text", ())


def judged(copies: Copies, format: LoadedFormat, as_of: str, best_of: int | None = None) -> Report:
    """The evaluator's report on the copies on an ISO date, in a match of `best_of` games."""
    return check(deck_of(copies, format), format, as_of=as_of, best_of=best_of)


def list_of(
    copies: Copies,
    format: LoadedFormat,
    lang: str,
    header: Mapping[str, str],
    spelt: Callable[[str], str] = str,
) -> str:
    """The copies as a list with these headers; `spelt` maps the names of cards to those in the list."""
    lines = [f"# {key}: {value}" for key, value in header.items()]
    for zone, names in copies.items():
        if any(names.values()):
            lines += [""] if lines else []
            lines.append(format.format.zones[zone].in_(lang))
            lines += [f"{number} x {spelt(name)}" for name, number in names.items() if number]
    return "\n".join(lines) + "\n"

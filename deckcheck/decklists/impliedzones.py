"""Zones that a list doesn't name: where its format has the cards, and where an empty line may begin the side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.vocabulary import Vocabulary, ahead
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import EMPTY_LINE, MOVED, ZONE_OF_ONE_LINE
from deckcheck.model.format import Format, Predicate
from deckcheck.support.messages import Words, _, shortened

_MOST_NAMED = 4
_SPACED = 4
"""From so many cards on, all of them parted, empty lines are but a way to write."""


def fit_zones(
    deck: Deck,
    format: Format,
    catalog: Catalog,
    names: Mapping[str, Words],
    as_text: Callable[[], Deck] | None = None,
) -> Deck:
    """The deck with its cards in the zones in which the format has them.

    Where a notation has no word for a zone, the format may say where lists
    put its cards instead (`listed_as`): they go home, with a remark, unless
    something is in that zone already. `as_text` reads the list as if
    its empty lines meant nothing; None where they don't. `names` are those of the game's zones.
    """
    # What isn't played can't begin at an empty line.
    played = [remark for remark in deck.diagnostics if remark.id != EMPTY_LINE or remark.zone in format.zones]
    deck = deck._replace(diagnostics=tuple(played))
    used = {entry.zone for entry in deck.entries}
    if used <= format.zones.keys():
        return deck
    for listed in dict.fromkeys(zone for zone, _most, _where in format.listed_as.values()):
        entries = [entry for entry in deck.entries if entry.zone == listed]
        if entries and listed not in format.zones:
            homes = _homes(entries, format, catalog, listed, used)
            if homes:
                for zone, moved in homes.items():
                    deck = _with_moved(deck, moved, zone, format.zones[zone], names[listed])
                return deck
    return deck if as_text is None else as_text()


def _homes(
    entries: Sequence[Entry], format: Format, catalog: Catalog, listed: str, used: set[str]
) -> dict[str, list[Entry]]:
    """The zones whose cards are listed elsewhere, with their entries; {} if they don't fit.

    A zone with a condition has the cards that meet it, unless the others would be left without any.
    """
    open_zones = {
        zone: (most, where)
        for zone, (other, most, where) in format.listed_as.items()
        if other == listed and zone not in used
    }
    first = next((zone for zone, (_most, where) in open_zones.items() if where is None), None)
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        meets = (
            zone
            for zone, (_most, where) in open_zones.items()
            if where is not None and _meet(entry, where, catalog)
        )
        zone = next(meets, first)
        if zone is None:
            return {}
        found.setdefault(zone, []).append(entry)
    if first is not None and first not in found:
        found = {first: list(entries)}
    fits = all(sum(entry.most for entry in there) <= open_zones[zone][0] for zone, there in found.items())
    return found if fits else {}


def _meet(entry: Entry, where: Predicate, catalog: Catalog) -> bool:
    from deckcheck.rules.predicates import YES, World, holds

    world = World("", {}, catalog)
    return bool(entry.cards) and all(holds(where, card, world) == YES for card in entry.cards)


def _with_moved(deck: Deck, moved: Sequence[Entry], zone: str, name: Words, listed: Words) -> Deck:
    # As they stand on their lines, which may be in another language than the card table.
    written = [_("“{card}”", card=entry.written) for entry in moved]
    remark = _(
        "counted in “{name}”, for this format has no “{listed}”: {cards}",
        name=name,
        listed=listed,
        cards=shortened(written, _MOST_NAMED),
    )
    entries = tuple(entry._replace(zone=zone) if entry in moved else entry for entry in deck.entries)
    return _with_remark(deck._replace(entries=entries), MOVED, remark, moved[0], moved[0].zone)


def note_gap(words: Vocabulary, names: Mapping[str, Words], deck: Deck) -> Deck:
    """The deck of a plain text, with a remark where its last cards may have been meant for the side.

    That is where nothing names a zone, and the last block of cards below an
    empty line has no title and fewer copies than the others together. In a
    list with an empty line after each card, none of them says anything.
    """
    from deckcheck.decklists.notations.common import SIDE, zone_of

    side = zone_of(words, SIDE)
    if side is None or len(deck.entries) < 2 or any(entry.zone != words.default for entry in deck.entries):
        return deck
    begins = [
        (at, before.line, entry.line)
        for at, (before, entry) in enumerate(zip(deck.entries, deck.entries[1:], strict=False), 1)
        if any(not line.strip() for line in deck.lines[before.line : entry.line - 1])
    ]
    if not begins or (len(deck.entries) == len(begins) + 1 > _SPACED):
        return deck
    first, before, line = begins[-1]
    titled = any(char.isalnum() for text in deck.lines[before : line - 1] for char in text)
    below = sum(entry.copies for entry in deck.entries[first:])
    if titled or 2 * below >= sum(entry.copies for entry in deck.entries):
        return deck
    main, other = names[words.default], names[side]
    remark = _(
        "counted in “{main}”, too; if “{other}” begins here, put that heading above", main=main, other=other
    )
    return _with_remark(deck, EMPTY_LINE, remark, deck.entries[first], side)


def note_zone_of_one_line(words: Vocabulary, names: Mapping[str, Words], deck: Deck) -> Deck:
    """The deck of a plain text, with a remark on the first cards below a line that begins with the word for a zone.

    The word holds for its own line. There is no doubt where it only ever marks
    cards, has several behind it, stands on top of the list, or is the cards' home.
    """
    marks = {"".join(filter(str.isalnum, word)) for word, _zone in words.marks}
    cards_on = Counter(entry.line for entry in deck.entries)
    first = next((entry.line for entry in deck.entries if entry.zone == words.default), 0)
    for before, entry in pairwise(deck.entries):
        rows = deck.lines[before.line - 1 : entry.line]
        if before.zone == words.default or entry.zone != words.default or before.line < first:
            continue
        said, own = (ahead(words, shape, 0, len(shape)) for shape in map(shape_of, (rows[0], rows[-1])))
        between = any(char.isalnum() for row in rows[1:-1] for char in row)
        at_home = bool(before.cards) and all(card.home == before.zone for card in before.cards)
        if between or at_home or own is not None or said is None or cards_on[before.line] > 1:
            continue
        if "".join(filter(str.isalnum, shape_of(rows[0])[: said.start])) not in marks:
            remark = _(
                "counted in “{main}”, for “{zone}” above holds for its own line only; if it goes on, put it on a "
                "line of its own",
                main=names[words.default],
                zone=names[before.zone],
            )
            return _with_remark(deck, ZONE_OF_ONE_LINE, remark, entry, entry.zone)
    return deck


def _with_remark(deck: Deck, id: str, remark: Words, entry: Entry, zone: str) -> Deck:
    diagnostic = Diagnostic(id, remark, entry.line, entry.column, zone, entry.written)
    diagnostics = sorted(
        (*deck.diagnostics, diagnostic), key=lambda diagnostic: (diagnostic.line, diagnostic.column)
    )
    return deck._replace(diagnostics=tuple(diagnostics))

"""A list as a format means it: its notation may know fewer zones than the format has, or others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import EMPTY_LINE, MOVED
from deckcheck.model.format import Format
from deckcheck.support.messages import Localized, Words, _

_MOST_NAMED = 4


def fitted(
    deck: Deck, format: Format, names: Mapping[str, Words], as_text: Callable[[], Deck] | None
) -> Deck:
    """The deck with its cards in the zones in which the format has them.

    Where the notation has no word for a zone, the format may say where lists
    put its cards instead (`listed_as`): they go home, with a remark, unless
    something stands in that zone already. `as_text` reads the list as if
    its empty lines meant nothing; None where they don't. `names` are those of the game's zones.
    """
    # What isn't played can't begin at an empty line.
    played = [one for one in deck.diagnostics if one.id != EMPTY_LINE or one.zone in format.zones]
    deck = deck._replace(diagnostics=tuple(played))
    standing = {entry.zone for entry in deck.entries}
    if standing <= format.zones.keys():
        return deck
    for zone, (listed, most) in format.listed_as.items():
        moved = [entry for entry in deck.entries if entry.zone == listed]
        if not moved or zone in standing or listed in format.zones:
            continue
        if sum(entry.most for entry in moved) <= most:
            return _moved(deck, moved, zone, format.zones[zone], names[listed])
    return deck if as_text is None else as_text()


def _moved(deck: Deck, moved: list[Entry], zone: str, name: Words, listed: Words) -> Deck:
    # As they stand on their lines, which may be in another language than the card table.
    cards, more = [entry.written for entry in moved[:_MOST_NAMED]], max(len(moved) - _MOST_NAMED, 0)
    message = Localized(
        "".join(f"「{card}」" for card in cards) + (f"ほか{more}枚" if more else ""),
        " and ".join([f"“{card}”" for card in cards] + ([f"{more} more"] if more else [])),
    )
    said = _(
        "counted in “{name}”, for this format has no “{listed}”: {message}",
        name=name,
        listed=listed,
        message=message,
    )
    first = moved[0]
    diagnostic = Diagnostic(MOVED, said, first.line, first.column, first.zone, first.written)
    entries = tuple(entry._replace(zone=zone) if entry in moved else entry for entry in deck.entries)
    diagnostics = sorted((*deck.diagnostics, diagnostic), key=lambda one: (one.line, one.column))
    return deck._replace(entries=entries, diagnostics=tuple(diagnostics))

"""Card data of others: one module a source, which may use the words of its game.

A module has `read(path, file)`, which goes through a file and tells card by
card what stands there, and `card_of(found)`, which makes a card of it or says
what it is instead. The rest (staging, fitting to the game's vocabulary,
writing) is the same for all.
"""

from typing import NamedTuple


class Kind(NamedTuple):
    """A source of cards: its id, what people call it, its game and its module."""

    id: str
    title: str
    game: str
    module: str


KINDS = {
    kind.id: kind
    for kind in (
        Kind("mtgjson", "MTGJSON", "magic", "deckcheck.cardtable.importers.mtgjson"),
        Kind("scryfall", "Scryfall", "magic", "deckcheck.cardtable.importers.scryfall"),
        Kind("ygopro", "YGOPro", "yugioh", "deckcheck.cardtable.importers.ygopro"),
    )
}
"""In the order in which help and messages name them."""

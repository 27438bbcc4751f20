"""Decks that come as names and copies in zones rather than as the text of a list: their cards and zones are looked up."""

from collections.abc import Collection

from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Catalog
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import UNKNOWN_ZONE
from deckcheck.model.game import Game
from deckcheck.support.messages import _


class ZoneWords:
    """What the words for zones mean in a game; `zones` are the ids that are known."""

    def __init__(self, game: Game, zones: Collection[str]) -> None:
        self._zones, self._vocabulary = zones, Vocabulary(game)

    def zone(self, word: str) -> str | None:
        """The id of a zone by its id or heading, the word itself if it is neither; None for what isn't in the deck."""
        if not word or word in self._zones:
            return word
        zone = self._vocabulary.zones.get(self._vocabulary.fold(word), word)
        return None if zone in self._vocabulary.aside else zone


def with_cards(deck: Deck, game: Game, catalog: Catalog, zones: Collection[str]) -> Deck:
    """A deck of names with its cards and zones, as if it were a list. Cards without a zone go to their home.

    Cards in a zone such as that of cards left out aren't in the deck, and a zone that nobody knows is reported.
    """
    words, entries, unknown = ZoneWords(game, zones), list[Entry](), dict[str, int]()
    for entry in deck.entries:
        zone = words.zone(entry.zone)
        if zone is None:
            continue
        cards = tuple(catalog.find(entry.written))
        zone = zone or (cards[0].home if len(cards) == 1 else None) or game.default_zone
        entries.append(entry._replace(cards=cards, zone=zone))
        if zone not in zones:
            unknown.setdefault(zone, entry.line)
    diagnostics = [
        Diagnostic(UNKNOWN_ZONE, _("no zone is called “{zone}”", zone=zone), line, 1, zone, zone)
        for zone, line in unknown.items()
    ]
    return deck._replace(entries=tuple(entries), diagnostics=tuple(diagnostics))

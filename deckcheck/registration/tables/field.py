"""The field of an event: what is played, counted over the lists that stand."""

from collections import Counter
from typing import NamedTuple

from deckcheck.model.deck import Deck
from deckcheck.registration.model import Roster
from deckcheck.support.messages import Localized, Words

MOST_CARDS = 20


class Slice(NamedTuple):
    """A value, and how many decks hold a card that has it."""

    name: Words
    decks: int


class Chart(NamedTuple):
    """An attribute, and its values in the game's order, those that nobody plays left out unless the game names them."""

    name: Words
    slices: tuple[Slice, ...]


class Played(NamedTuple):
    """A card, how many decks play it, and how many copies there are in all of them."""

    card: str
    decks: int
    copies: int


class Field(NamedTuple):
    """What is played in `decks` lists."""

    decks: int
    charts: tuple[Chart, ...]
    cards: tuple[Played, ...]


def field_of(roster: Roster, most: int = MOST_CARDS) -> Field:
    """The field of a roster; lists that don't count, can't be read or are sealed are no part of it."""
    decks = [row.report.deck for row in roster.rows if row.counts and row.report is not None]
    charts = tuple(_chart(roster, key, decks) for key in roster.format.game_data.game.charts)
    return Field(len(decks), charts, _most_played(decks, most))


def _chart(roster: Roster, key: str, decks: list[Deck]) -> Chart:
    attribute = roster.format.game_data.game.attributes[key]
    counts: Counter[str] = Counter()
    for deck in decks:
        held: set[str] = set()
        for entry in deck.entries:
            fact = entry.cards[0].facts.get(key) if len(entry.cards) == 1 and entry.copies else None
            if isinstance(fact, frozenset):
                held |= fact
        counts.update(held)
    others = sorted(counts.keys() - set(attribute.values), key=lambda value: (-counts[value], value))
    names = attribute.names or {}
    return Chart(
        attribute.name,
        tuple(
            Slice(names.get(value, Localized(value, value)), counts[value])
            for value in [*attribute.values, *others[:MOST_CARDS]]
        ),
    )


def _most_played(decks: list[Deck], most: int) -> tuple[Played, ...]:
    copies: Counter[str] = Counter()
    players: Counter[str] = Counter()
    for deck in decks:
        mine: Counter[str] = Counter()
        for entry in deck.entries:
            if len(entry.cards) == 1 and entry.copies:
                mine[entry.cards[0].name] += entry.copies
        copies.update(mine)
        players.update(mine.keys())
    best = sorted(players, key=lambda name: (-players[name], -copies[name], name))[:most]
    return tuple(Played(name, players[name], copies[name]) for name in best)

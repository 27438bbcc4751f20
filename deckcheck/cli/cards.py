"""`deckcheck cards`: what is known of cards, and adding to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from deckcheck.checking.judge import GameData, load_format, open_game_data
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.options import game_ids
from deckcheck.cli.screen import complain, output
from deckcheck.formats.lookup import bundled_formats
from deckcheck.model.banlist import Banlist
from deckcheck.model.card import Card
from deckcheck.report.cardsheet import card_sheet, listed_statuses
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

FOUND, NOT_FOUND = 0, 1


def show(name: str, game: str | None, as_of: str | None, cards: Sequence[str], lang: str) -> int:
    """Write all that is known of a card; 1, with what may be meant, when it is not one certain card.

    Without `game` it is looked for in every game.
    """
    tell_first_time(lang)
    tables = _tables(game, cards)
    found = [(table, card) for table in tables for card in table.catalog.find(name)]
    if len(found) != 1:
        _tell_missing(name, found, tables, lang)
        return NOT_FOUND
    table, card = found[0]
    day = as_of or date.today().isoformat()
    standings = listed_statuses(card, _banlists(table, cards), day)
    with output(None, exact=False) as write:
        write(card_sheet(card, table.game, standings, day, lang))
    return FOUND


def find(text: str, limit: int, game: str | None, cards: Sequence[str], lang: str) -> int:
    """Write the names of cards with `text` in a name; 1 when there is none. Without `game` of every game."""
    from deckcheck.cards.search import search

    tell_first_time(lang)
    tables = _tables(game, cards)
    found = [(table, card) for table in tables for card in search(table.catalog, text, limit + 1)]
    if not found:
        _tell_missing(text, [], tables, lang)
        return NOT_FOUND
    with output(None, exact=False) as write:
        for told in _named(found[:limit], lang):
            write(told + "\n")
    if len(found) > limit:
        complain(_("(only the first {limit}; --limit shows more)", limit=limit).in_(lang) + "\n")
    return FOUND


def _tables(game: str | None, cards: Sequence[str]) -> list[GameData]:
    """The card table of the game, or of every game. Raises UserError where none can be used."""
    tables: list[GameData] = []
    wrong: list[UserError] = []
    for id in game_ids(game):
        try:
            tables.append(open_game_data(id, [Path(path) for path in cards]))
        except UserError as error:
            # Cards of one's own are those of one game.
            wrong.append(error)
    if not tables:
        raise wrong[0]
    return tables


def _named(found: Sequence[tuple[GameData, Card]], lang: str) -> list[str]:
    """The cards' names, with their games where there are several."""
    several = len({table.game.id for table, _ in found}) > 1
    return [
        safe(card.name) + (f" ({table.game.name.in_(lang)}: --game {table.game.id})" if several else "")
        for table, card in found
    ]


def _banlists(table: GameData, cards: Sequence[str]) -> list[Banlist]:
    """Every list that a bundled format of the game leans on, by id."""
    tables = {table.game.id: table}
    lists: dict[str, Banlist] = {}
    for one in bundled_formats():
        if one.id.startswith(f"{table.game.id}/"):
            format = load_format(one.id, cards=[Path(path) for path in cards], games=tables).format
            lists |= {banlist.id: banlist for banlist in format.banlists}
    return [lists[name] for name in sorted(lists)]


def _tell_missing(
    name: str, found: Sequence[tuple[GameData, Card]], tables: Sequence[GameData], lang: str
) -> None:
    said = safe(name)
    if found:
        complain(_("{said!r} may be any of:\n", said=said).in_(lang))
        complain("".join(f"  {told}\n" for told in _named(found, lang)))
        return
    complain(_("{said!r} is not in the card table\n", said=said).in_(lang))
    near = [one for table in tables for one in table.catalog.suggest(name)]
    if near:
        complain(_("did you mean:\n").in_(lang))
    complain("".join(f"  {safe(one)}\n" for one in near))

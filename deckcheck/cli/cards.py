"""`deckcheck cards`: what is known of cards, and adding to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from deckcheck.banlists import Banlist
from deckcheck.checking import Table, load_format, open_table
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.options import game_id
from deckcheck.cli.screen import complain, output
from deckcheck.formats.find import bundled_formats
from deckcheck.games import load_game
from deckcheck.report.cardsheet import card_sheet, standings_of
from deckcheck.report.places import safe
from deckcheck.text import Text

FOUND, NOT_FOUND = 0, 1


def show(name: str, game: str | None, as_of: str | None, cards: Sequence[str], lang: str) -> int:
    """Write all that is known of a card; 1, with what may be meant, when it is not one certain card."""
    tell_first_time(lang)
    table = _table(game, cards)
    found = table.catalogue.find(name)
    if len(found) != 1:
        _tell_missing(name, [card.name for card in found], table, lang)
        return NOT_FOUND
    day = as_of or date.today().isoformat()
    standings = standings_of(found[0], _banlists(table, cards), day)
    with output(None, exact=False) as write:
        write(card_sheet(found[0], table.game, standings, day, lang))
    return FOUND


def find(text: str, limit: int, game: str | None, cards: Sequence[str], lang: str) -> int:
    """Write the names of cards with `text` in a name; 1 when there is none."""
    from deckcheck.cardtable.search import search

    tell_first_time(lang)
    table = _table(game, cards)
    found = search(table.catalogue, text, limit + 1)
    if not found:
        _tell_missing(text, [], table, lang)
        return NOT_FOUND
    with output(None, exact=False) as write:
        for card in found[:limit]:
            write(safe(card.name) + "\n")
    if len(found) > limit:
        ja = f"（{limit}件まで表示しました。--limit で増やせます）"
        complain(Text(ja, f"(only the first {limit}; --limit shows more)").in_(lang) + "\n")
    return FOUND


def take_in(file: str, game: str | None, lang: str) -> int:
    """Add the cards of a file to the user's own."""
    from deckcheck.cardtable.userdata import import_cards

    done = import_cards(load_game(game_id(game)), Path(file))
    with output(None, exact=False) as write:
        if lang == "ja":
            write(
                f"追加{done.added}枚、変更{done.changed}枚、変わらないもの{done.unchanged}枚: {safe(str(done.path))}\n"
            )
        else:
            said = f"{done.added} added, {done.changed} changed, {done.unchanged} as before"
            write(f"{said}: {safe(str(done.path))}\n")
    return FOUND


def _table(game: str | None, cards: Sequence[str]) -> Table:
    return open_table(game_id(game), [Path(path) for path in cards])


def _banlists(table: Table, cards: Sequence[str]) -> list[Banlist]:
    """Every list that a bundled format of the game leans on, by id."""
    tables = {table.game.id: table}
    lists: dict[str, Banlist] = {}
    for one in bundled_formats():
        if one.id.startswith(f"{table.game.id}/"):
            format = load_format(one.id, cards=[Path(path) for path in cards], tables=tables).format
            lists |= {banlist.id: banlist for banlist in format.banlists}
    return [lists[name] for name in sorted(lists)]


def _tell_missing(name: str, candidates: Sequence[str], table: Table, lang: str) -> None:
    said = safe(name)
    if candidates:
        complain(Text(f"「{said}」は次のどれか決められません:\n", f"{said!r} may be any of:\n").in_(lang))
    else:
        complain(
            Text(f"「{said}」はカード表にありません\n", f"{said!r} is not in the card table\n").in_(lang)
        )
        candidates = table.catalogue.suggest(name)
        if candidates:
            complain(Text("もしかして:\n", "did you mean:\n").in_(lang))
    complain("".join(f"  {safe(one)}\n" for one in candidates))

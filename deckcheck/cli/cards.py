"""`deckcheck cards`: looking cards up, and importing one's own."""

from collections.abc import Sequence
from pathlib import Path

from deckcheck.checking.judge import GameData, load_format, open_game_data
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import Group, Run, command
from deckcheck.cli.import_command import import_cards
from deckcheck.cli.project import open_project
from deckcheck.formats.loading import game_id, known_games
from deckcheck.formats.lookup import Folders, known_formats
from deckcheck.model.banlist import Banlist
from deckcheck.model.card import Card, Catalog
from deckcheck.report.card_facts import card_sheet, listed_statuses
from deckcheck.support.dates import today
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe

FOUND, NOT_FOUND = 0, 1


@command(_("Show a card's data and legal status."), "* as_of game lang cards games config isolated")
def show_card(run: Run, name: str = opt.argument(_("Card name."), "NAME")) -> int:
    folders = open_project(run, []).options.folders
    tables = _tables(run, folders)
    found = [(table, card) for table in tables for card in table.catalog.find(name)]
    if len(found) != 1:
        return _report_missing(name, found, tables, run.lang)
    table, card = found[0]
    day = run.as_of or today().isoformat()
    statuses = listed_statuses(card, _banlists(table, run.cards, folders), day)
    terminal.show(card_sheet(card, table.game, statuses, day, run.lang))
    return FOUND


@command(_("Find cards by part of a name."), "* game lang cards games config isolated")
def search_cards(
    run: Run,
    text: str = opt.argument(_("Part of a name."), "TEXT"),
    limit: int = opt.option(_("Maximum number of results."), "N", default=50, min=1),
) -> int:
    tables = _tables(run, open_project(run, []).options.folders)
    found = [(table, card) for table in tables for card in search(table.catalog, text, limit + 1)]
    if not found:
        return _report_missing(text, (), tables, run.lang)
    terminal.show_lines(_names(found[:limit], run.lang), run.lang)
    if len(found) > limit:
        terminal.write_messages(run.lang, _("(first {limit} shown; use --limit to show more)", limit=limit))
    return FOUND


cards = Group(
    _("Look up and import cards."), {"show": show_card, "search": search_cards, "import": import_cards}
)


def search(catalog: Catalog, text: str, limit: int) -> list[Card]:
    """At most `limit` cards with `text`, folded, in a name, an alias, or the name of a face or a half.

    Cards whose name begins with it come first, then the oldest. An empty text finds nothing.
    """
    key = catalog.fold(text)
    found: list[tuple[bool, int, Card]] = []
    for place, card in enumerate(catalog if key else ()):
        keys = list(map(catalog.fold, card.names))
        if any(key in name for name in keys):
            found.append((not any(name.startswith(key) for name in keys), place, card))
    found.sort(key=lambda hit: hit[:2])
    return [card for _, _, card in found[: max(limit, 0)]]


def _tables(run: Run, folders: Folders) -> list[GameData]:
    """The card table of the game, or of every game. Raises UserError if none can be used."""
    game = run.game
    tables, errors = [], []
    for id in known_games(folders) if game is None else [game_id(game, folders)]:
        try:
            tables.append(open_game_data(id, [Path(file) for file in run.cards], folders))
        except UserError as error:
            # The user's own cards belong to one game.
            errors.append(error)
    if not tables:
        raise errors[0]
    return tables


def _names(found: Sequence[tuple[GameData, Card]], lang: str) -> list[str]:
    """The cards' names, with their games if there are several."""
    several = len({table.game.id for table, _card in found}) > 1
    return [
        card.name + (f" ({table.game.name.in_(lang)}: --game {table.game.id})" if several else "")
        for table, card in found
    ]


def _banlists(table: GameData, cards: Sequence[str], folders: Folders) -> list[Banlist]:
    """Every list that a format of the game uses, by id."""
    tables = {table.game.id: table}
    lists: dict[str, Banlist] = {}
    for entry in known_formats(Folders().with_games(folders.games)):
        if entry.id.startswith(f"{table.game.id}/"):
            files = [Path(file) for file in cards]
            format = load_format(entry.id, cards=files, games=tables, folders=folders).format
            lists |= {banlist.id: banlist for banlist in format.banlists}
    return [lists[name] for name in sorted(lists)]


def _report_missing(
    name: str, found: Sequence[tuple[GameData, Card]], tables: Sequence[GameData], lang: str
) -> int:
    if found:
        heading, names = _("“{name}” could be any of these:", name=safe(name)), _names(found, lang)
    else:
        terminal.write_messages(lang, _("“{name}” is not in the card table", name=safe(name)))
        heading = _("Did you mean:")
        names = [near for table in tables for near in table.catalog.suggest(name)]
    if names:
        terminal.write_stderr(heading.in_(lang) + "\n" + "".join(f"  {safe(line)}\n" for line in names))
    return NOT_FOUND

"""Looking cards up in the tables of one game or of all, for people who know a name or a part of it."""

from collections.abc import Sequence
from pathlib import Path

from deckcheck.checking.judge import GameData, OpenedGames, load_format, open_game_data
from deckcheck.checking.session import CheckOptions
from deckcheck.formats.loading import game_id, known_games
from deckcheck.formats.lookup import Folders, known_formats
from deckcheck.model.banlist import Banlist
from deckcheck.model.card import Card
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import write_messages, write_stderr


def card_tables(game: str | None, options: CheckOptions) -> list[GameData]:
    """The card table of the game, or of every game. Raises UserError if none can hold the user's own cards."""
    folders, files = options.folders, [Path(file) for file in options.cards]
    ids = known_games(folders) if game is None else [game_id(game, folders)]
    tables, errors = [], []
    for id in ids:
        try:
            tables.append(open_game_data(id, files, folders))
        except UserError as error:
            # The user's own cards belong to one game.
            errors.append(error)
            tables.append(open_game_data(id, (), folders))
    if len(errors) == len(ids):
        raise errors[0]
    return tables


def names_of(matches: Sequence[tuple[GameData, Card]], lang: str, text: str = "") -> list[str]:
    """The cards' names, first the one that has the `text`, with their games if there are several."""
    several = len({table.game.id for table, _card in matches}) > 1
    lines = []
    for table, card in matches:
        line = _name_with(text, table, card)
        if several:
            line += f" ({table.game.name.in_(lang)}: --game {table.game.id})"
        lines.append(line)
    return lines


def _name_with(text: str, table: GameData, card: Card) -> str:
    """The card's name; before it in the language of `text` if only another of its names has that."""
    fold = table.catalog.fold
    key = fold(text)
    if key in fold(card.name):
        return card.name
    return next((f"{name} = {card.name}" for name in card.aliases if key in fold(name)), card.name)


def write_others(
    name: str, matches: Sequence[tuple[GameData, Card]], tables: Sequence[GameData], lang: str
) -> None:
    """Say on standard error that a name means no card or several, and which cards may be meant."""
    if matches:
        heading, names = _("“{name}” could be any of these:", name=safe(name)), names_of(matches, lang)
    else:
        write_messages(lang, _("“{name}” is not in the card table", name=safe(name)))
        heading = _("Did you mean:")
        names = [near for table in tables for near in table.catalog.suggest(name)]
    if names:
        write_stderr(heading.in_(lang) + "\n" + "".join(f"  {safe(line)}\n" for line in names))


def banlists_of(table: GameData, folders: Folders) -> list[Banlist]:
    """Every list that a format of the game uses, by id."""
    tables: OpenedGames = {table.game.id: table}
    lists: dict[str, Banlist] = {}
    for entry in known_formats(Folders().with_games(folders.games)):
        if entry.id.startswith(f"{table.game.id}/"):
            format = load_format(entry.id, games=tables, folders=folders).format
            lists |= {banlist.id: banlist for banlist in format.banlists}
    return [lists[name] for name in sorted(lists)]

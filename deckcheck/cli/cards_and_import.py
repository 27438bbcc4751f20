"""`deckcheck cards` and `deckcheck import`: cards looked up; cards and banlists imported."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from deckcheck.checking.judge import GameData, Loader
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App, Group
from deckcheck.cli.run import Run, Status
from deckcheck.config import add_folders
from deckcheck.formats.loading import game_id, known_games
from deckcheck.formats.lookup import Folders, known_formats
from deckcheck.model.banlist import Banlist, Change, change_on
from deckcheck.model.card import Card
from deckcheck.model.game import Game
from deckcheck.report.results import RenderOptions
from deckcheck.report.text import answer, write_problems
from deckcheck.report.wording import status_name
from deckcheck.support.dates import today
from deckcheck.support.errors import UserError, placed_at, renamed, user_error
from deckcheck.support.messages import N_, Words, _, card_series, series
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import Bar, show, show_lines, write_messages, write_stderr

cards_app = App(cls=Group, no_args_is_help=True, help=N_("Look up cards."))


@cards_app.command(
    "search",
    help=N_("Find cards by part of a name."),
    epilog="deckcheck cards search デドダム\ndeckcheck cards search ドラゴン --limit 10",
)
def search_cards(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help=N_("Part of a name."))],
    limit: Annotated[int, typer.Option(metavar="N", min=1, help=N_("Maximum number of results."))] = 50,
    game: opt.Game = None,
    config: opt.Config = None,
) -> int:
    run: Run = ctx.obj
    options = run.session(config).options
    tables = _card_tables(game, options)
    matches = [
        Match(loader, table, card)
        for loader, table in tables
        for card in table.catalog.search(text, limit + 1)
    ]
    if not matches:
        _write_others(text, (), tables, run.lang)
        return Status.PROBLEMS
    show_lines(_names_of(matches[:limit], run.lang, text), run.lang)
    if len(matches) > limit:
        write_messages(run.lang, _("(first {limit} shown; use --limit to show more)", limit=limit))
    return Status.OK


@cards_app.command(
    "show",
    help=N_("Show a card's data and legal status."),
    epilog="deckcheck cards show 天災デドダム\ndeckcheck cards show 'Lightning Bolt' --as-of 2024-01-01",
)
def show_card(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help=N_("Card name."))],
    as_of: opt.AsOf = None,
    game: opt.Game = None,
    config: opt.Config = None,
) -> int:
    run: Run = ctx.obj
    options = run.session(config).options
    tables = _card_tables(game, options)
    matches = [Match(loader, table, card) for loader, table in tables for card in table.catalog.find(name)]
    if len(matches) != 1:
        _write_others(name, matches, tables, run.lang)
        return Status.PROBLEMS
    day = as_of or today().isoformat()
    show(_card_sheet(matches[0], options.settings.folders, day, run.lang))
    return Status.OK


# Looking up


class Match(Struct, frozen=True):
    """A card with the table that has it, and what has loaded that table."""

    loader: Loader
    table: GameData
    card: Card


def _card_tables(game: str | None, options: CheckOptions) -> list[tuple[Loader, GameData]]:
    """The card table of the game, or of every game. Raises UserError if none can hold the user's own cards."""
    folders, files = options.settings.folders, options.settings.cards
    ids = known_games(folders) if game is None else [game_id(game, folders)]
    tables, errors = [], []
    with_own, without = Loader(files, folders), Loader((), folders)
    for id in ids:
        try:
            tables.append((with_own, with_own.game(id)))
        except UserError as error:
            # The user's own cards belong to one game.
            errors.append(error)
            tables.append((without, without.game(id)))
    if len(errors) == len(ids):
        raise errors[0]
    return tables


def _names_of(matches: Sequence[Match], lang: str, text: str = "") -> list[str]:
    """The cards' names, first the one that has the `text`, with their games if there are several."""
    several = len({match.table.game.id for match in matches}) > 1
    lines = []
    for match in matches:
        line, game = _name_with(text, match.table, match.card), match.table.game
        if several:
            line += f" ({game.name.in_(lang)}: --game {game.id})"
        lines.append(line)
    return lines


def _name_with(text: str, table: GameData, card: Card) -> str:
    """The card's name; before it in the language of `text` if only another of its names has that."""
    fold = table.catalog.fold
    key = fold(text)
    if key in fold(card.name):
        return card.name
    return next((f"{name} = {card.name}" for name in card.aliases if key in fold(name)), card.name)


def _write_others(
    name: str, matches: Sequence[Match], tables: Sequence[tuple[Loader, GameData]], lang: str
) -> None:
    """Say on standard error that a name means no card or several, and which cards may be meant."""
    if matches:
        heading, names = _("“{name}” could be any of these:", name=safe(name)), _names_of(matches, lang)
    else:
        write_messages(lang, _("“{name}” is not in the card table", name=safe(name)))
        heading = _("Did you mean:")
        names = [near for _loader, table in tables for near in table.catalog.suggest(name)]
    if names:
        write_stderr(heading.in_(lang) + "\n" + "".join(f"  {safe(line)}\n" for line in names))


# One card


class ListedStatus(Struct, frozen=True):
    """The status of a card in one list on a day, alone or together `with_cards`; without a `change` it isn't limited.

    `is_known` says that the list has the card, or all entries of that day. `expected` are statuses that it got on unknown days.
    """

    banlist: Banlist
    change: Change | None
    is_known: bool = True
    is_incomplete: bool = False
    with_cards: Words | None = None
    expected: tuple[Words, ...] = ()


def _card_sheet(match: Match, folders: Folders, as_of: str, lang: str) -> str:
    """The card's facts, sides, printings, status on the day and corrections, ended by a line feed."""
    card, game = match.card, match.table.game
    statuses = [
        status for banlist in _banlists_of(match, folders) for status in _statuses(card, banlist, game, as_of)
    ]
    return answer(
        "card.txt",
        RenderOptions(lang),
        card=card,
        game=game,
        attributes=list(game.attributes.values()),
        infinity=inf,
        statuses=statuses,
        as_of=as_of,
        card_series=card_series,
    )


def _banlists_of(match: Match, folders: Folders) -> Iterable[Banlist]:
    """Every list that a format of the game uses, by id."""
    lists: dict[str, Banlist] = {}
    for entry in known_formats(Folders().with_games(folders.games)):
        if entry.id.startswith(f"{match.table.game.id}/"):
            format = match.loader.format(entry.id).format
            lists |= {banlist.id: banlist for banlist in format.banlists}
    return [lists[name] for name in sorted(lists)]


def _statuses(card: Card, banlist: Banlist, game: Game, as_of: str) -> Iterator[ListedStatus]:
    """Yields the status of the card in a list on a day: its own, then each combination that it is in."""
    entries = [entry for entry in banlist.entries if any(card.name in side for side in entry.sides)]
    history = next((entry.history for entry in entries if not entry.is_combination), ())
    is_listed = any(change.since <= as_of for change in history)
    is_known = is_listed or not banlist.partial_on(as_of)
    is_incomplete = banlist.incomplete_on(as_of)
    expected = [
        status_name(change.after, game)
        for change in banlist.unconfirmed
        if change.card == card.name and (is_incomplete or banlist.partial)
    ]
    change = change_on(history, as_of)
    yield ListedStatus(banlist, change, is_known, is_incomplete, expected=tuple(expected))
    for entry in entries:
        change = change_on(entry.history, as_of)
        if change is not None and entry.is_combination:
            others = [card_series(sorted(side)) for side in entry.sides if card.name not in side]
            yield ListedStatus(banlist, change, with_cards=series(others, _(" / ")))


if TYPE_CHECKING:
    from deckcheck.importers.importer import Lists

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")

import_app = App()


@import_app.command(
    "import",
    help=N_(
        "Import cards and banlists. Reads Scryfall bulk data, .cdb and lflist.conf of EDOPro or YGOPro, JSON "
        "Lines and YAML, compressed or not, from files or https addresses. What is imported holds for all your decks "
        "from then on."
    ),
    epilog="deckcheck import cards.cdb lflist.conf\ndeckcheck import our-cards.yaml --into data",
)
def import_(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE|URL...", help=N_("Files or https addresses."))],
    into: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help=N_("Put everything into this folder beside the decks instead, and name it in the settings."),
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="YYYY-MM-DD",
            callback=opt.day,
            help=N_("Date from which lists apply (default: the date in the data or in the list's name)."),
        ),
    ] = None,
    game: opt.Game = None,
    config: opt.Config = None,
) -> int:
    run: Run = ctx.obj
    from deckcheck.importers.importer import Importer

    if into is not None and (not into or (Path(into).is_symlink() and not Path(into).exists())):
        raise user_error(_("--into: name a folder"))
    settings = run.session(config).options.settings
    importer = Importer(
        game,
        cards=settings.cards,
        folders=settings.folders,
        folder=None if into is None else Path(into),
        since=since,
        lang=run.lang,
    )
    look = RenderOptions(run.lang)
    waiting: list[tuple[str, Lists]] = []
    written: set[str] = set()
    failed = False
    for word in files:
        try:
            with _file(word, run.lang) as path:
                cards, lists = importer.import_file(path)
            if cards is not None:
                written.add("cards")
                show(answer("import.txt", look, cards=cards, lists=()))
            if lists is not None:
                waiting.append((word, lists))
        except UserError as error:
            failed = True
            write_problems(error.problems, run.lang)
    # Lists may name cards of files that come after them.
    for word, lists in waiting:
        try:
            updates, remarks = importer.write(lists)
            if updates:
                written.add("banlists")
            show(answer("import.txt", look, cards=None, lists=updates))
            write_messages(run.lang, *remarks)
        except UserError as error:
            failed = True
            write_problems(placed_at(error, word).problems, run.lang)
    if importer.folder is not None:
        paths = {key: [importer.folder / key] for key in sorted(written, reverse=True)}
        added = add_folders(paths, importer.folder, config)
        show_lines([] if added is None else [added], run.lang)
    return Status.ERROR if failed else Status.OK


@contextmanager
def _file(word: str, lang: str) -> Iterator[Path]:
    """The file with that name, or at that address, with a progress bar for the download. Raises UserError.

    Problems of a downloaded file are told as those of its address.
    """
    path = Path(word)
    if not _ADDRESS.match(word):
        if (word == "-" and not path.exists()) or path.is_fifo() or path.is_char_device():
            raise user_error(_("cannot import from standard input or a pipe; name a file"), path=word)
        yield path
        return
    from deckcheck.importers.source_files import downloaded

    bar = Bar(0, _("downloading").in_(lang) + " ")
    with downloaded(word, bar.reach) as fetched:
        bar.clear()
        try:
            yield fetched
        except UserError as error:
            raise renamed(error, str(fetched), word) from error

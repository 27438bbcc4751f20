"""`deckcheck cards`: what is known of cards, and cards of one's own."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.options import AsOf, Cards, Game, Lang, Quiet
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Message, Series, _, series

if TYPE_CHECKING:
    from deckcheck.cards.importers.registry import Kind
    from deckcheck.cards.userdata import BulkImport, ImportResult
    from deckcheck.checking.judge import GameData
    from deckcheck.model.banlist import Banlist
    from deckcheck.model.card import Card

FOUND, NOT_FOUND = 0, 1
_OWN_ENDINGS = (".yaml", ".yml", ".jsonl")
_MOST_LISTED = 10
_REASONS = {
    "token": _("tokens and emblems"),
    "art": _("art cards"),
    "beside": _("cards that are never in a deck"),
    "remade": _("digital-only versions"),
    "other": _("cards of other games"),
    "unreleased": _("unreleased cards"),
    "flawed": _("unreadable entries"),
}
"""Why an import leaves cards out."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help=_("Look up and import cards.").key, rich_markup_mode=None, no_args_is_help=True)
    group.command("show", help=_("Show a card's data and legal status.").key)(show)
    group.command("search", help=_("Find cards by part of a name.").key)(search)
    group.command(
        "import",
        help=_(
            "Add cards to your own card table, from JSON Lines or YAML, MTGJSON, Scryfall bulk data, or an EDOPro or "
            "YGOPro .cdb file, compressed or not."
        ).key,
    )(import_)
    app.add_typer(group, name="cards")


@command
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help=_("Card name.").key)],
    as_of: AsOf = None,
    game: Game = None,
    lang: Lang = None,
    cards: Cards = None,
) -> int:
    from deckcheck.cli.language import user_language
    from deckcheck.cli.terminal import output, tell_first_time
    from deckcheck.report.cardsheet import card_sheet, listed_statuses
    from deckcheck.support.dates import today

    spoken = lang or user_language()
    tell_first_time(spoken)
    tables = _tables(game, cards or ())
    found = [(table, card) for table in tables for card in table.catalog.find(name)]
    if len(found) != 1:
        return _tell_missing(name, found, tables, spoken)
    table, card = found[0]
    day = as_of or today().isoformat()
    statuses = listed_statuses(card, _banlists(table, cards or ()), day)
    with output(None, exact=False) as write:
        write(card_sheet(card, table.game, statuses, day, spoken))
    return FOUND


@command
def search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help=_("Part of a name.").key)],
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help=_("Maximum number of results.").key)
    ] = 50,
    game: Game = None,
    lang: Lang = None,
    cards: Cards = None,
) -> int:
    from deckcheck.cards.catalog import search as search_cards
    from deckcheck.cli.language import user_language
    from deckcheck.cli.terminal import complain, output, tell_first_time

    spoken = lang or user_language()
    tell_first_time(spoken)
    tables = _tables(game, cards or ())
    found = [(table, card) for table in tables for card in search_cards(table.catalog, text, limit + 1)]
    if not found:
        return _tell_missing(text, (), tables, spoken)
    with output(None, exact=False) as write:
        for line in _names(found[:limit], spoken):
            write(line + "\n")
    if len(found) > limit:
        complain(_("(first {limit} shown; use --limit to show more)", limit=limit).in_(spoken) + "\n")
    return FOUND


def _tables(game: str | None, cards: Sequence[str]) -> "list[GameData]":
    """The card table of the game, or of every game. Raises UserError where none can be used."""
    from deckcheck.checking.judge import open_game_data
    from deckcheck.cli.project import game_ids

    tables = []
    errors = []
    for id in game_ids(game):
        try:
            tables.append(open_game_data(id, [Path(path) for path in cards]))
        except UserError as error:
            # Cards of one's own are those of one game.
            errors.append(error)
    if not tables:
        raise errors[0]
    return tables


def _names(found: "Sequence[tuple[GameData, Card]]", lang: str) -> list[str]:
    """The cards' names, with their games where there are several."""
    from deckcheck.support.safetext import safe

    several = len({table.game.id for table, _card in found}) > 1
    return [
        safe(card.name) + (f" ({table.game.name.in_(lang)}: --game {table.game.id})" if several else "")
        for table, card in found
    ]


def _banlists(table: "GameData", cards: Sequence[str]) -> "list[Banlist]":
    """Every list that a bundled format of the game uses, by id."""
    from deckcheck.checking.judge import load_format
    from deckcheck.formats.lookup import bundled_formats

    tables = {table.game.id: table}
    lists: dict[str, Banlist] = {}
    for named in bundled_formats():
        if named.id.startswith(f"{table.game.id}/"):
            format = load_format(named.id, cards=[Path(path) for path in cards], games=tables).format
            lists |= {banlist.id: banlist for banlist in format.banlists}
    return [lists[name] for name in sorted(lists)]


def _tell_missing(
    name: str, found: "Sequence[tuple[GameData, Card]]", tables: "Sequence[GameData]", lang: str
) -> int:
    from deckcheck.cli.terminal import complain
    from deckcheck.support.safetext import safe

    if found:
        heading, names = _("“{name}” could be any of these:", name=safe(name)), _names(found, lang)
    else:
        complain(_("“{name}” is not in the card table", name=safe(name)).in_(lang) + "\n")
        heading = _("Did you mean:")
        names = [safe(near) for table in tables for near in table.catalog.suggest(name)]
    if names:
        complain(heading.in_(lang) + "\n" + "".join(f"  {line}\n" for line in names))
    return NOT_FOUND


@command
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help=_("File with the cards.").key)],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SOURCE",
            help=_(
                "Source of the data: mtgjson, scryfall or ygopro (default: detected from the content)."
            ).key,
        ),
    ] = None,
    quiet: Quiet = False,
    game: Game = None,
    lang: Lang = None,
) -> int:
    from deckcheck.cards.userdata import import_bulk
    from deckcheck.cli.language import user_language
    from deckcheck.cli.project import game_id
    from deckcheck.cli.terminal import file_progress, output, require_file
    from deckcheck.formats.loading import load_game

    spoken = lang or user_language()
    require_file(file)
    lines: list[str | Message]
    kind = _kind(file, source)
    if kind is None:
        from deckcheck.cards.userdata import import_cards

        id = _game_of(Path(file)) if game is None else game_id(game)
        lines = [_result(import_cards(load_game(id), Path(file)))]
    elif game is not None and game != kind.game:
        raise user_error(_("--game: {source} is data for {game}", source=kind.title, game=kind.game))
    else:
        with file_progress(file, spoken, shown=not quiet) as advance:
            taken = import_bulk(load_game(kind.game), kind, Path(file), advance)
        lines = (
            [_result(taken.result)]
            if quiet
            else [*_seen(kind, taken), _result(taken.result), *_left_out(taken)]
        )
    with output(None, exact=False) as write:
        for line in lines:
            write((line if isinstance(line, str) else line.in_(spoken)) + "\n")
    return 0


def _kind(file: str, source: str | None) -> "Kind | None":
    """Whose data the file holds; None for cards in deckcheck's own form."""
    if source is None and file.lower().endswith(_OWN_ENDINGS):
        return None
    from deckcheck.cards.importers.registry import kind_named, kind_of

    return kind_of(Path(file)) if source is None else kind_named(source)


def _game_of(file: Path) -> str:
    """The id of the one game whose words a card file of deckcheck's own keeps to.

    Raises UserError where there are several or none.
    """
    from deckcheck.cards.cardfile import MOST_BYTES, read_cards, vocabulary
    from deckcheck.cards.importers.registry import KINDS
    from deckcheck.cli.project import game_id, game_ids
    from deckcheck.formats.loading import load_game
    from deckcheck.support.files import read_bytes

    data = read_bytes(file, most=MOST_BYTES)
    meant, errors = [], []
    for id in game_ids(None):
        try:
            if read_cards(file, data, vocabulary(load_game(id))):
                meant.append(id)
        except UserError as error:
            errors.append(error)
    if len(meant) == 1:
        return meant[0]
    if not meant and not file.name.lower().endswith(_OWN_ENDINGS):
        raise user_error(
            _("not a known kind of card data"),
            path=str(file),
            hint=_(
                "name its source with --from ({sources}), or the game of a file of your own with --game",
                sources=series(KINDS),
            ),
        )
    if not meant and errors and all(error.problems == errors[0].problems for error in errors):
        raise errors[0]
    return game_id(None)


def _result(done: "ImportResult") -> Message:
    from deckcheck.support.safetext import safe

    return _(
        "{added} added, {changed} changed, {unchanged} unchanged: {path}",
        added=done.added,
        changed=done.changed,
        unchanged=done.unchanged,
        path=safe(str(done.path)),
    )


def _seen(kind: "Kind", taken: "BulkImport") -> Iterator[str | Message]:
    from deckcheck.support.safetext import safe

    yield kind.title + (f" ({safe(taken.date[:20])})" if taken.date else "")
    if taken.resumed:
        yield _("resumed an earlier import ({count:,} entries were already read)", count=taken.resumed)


def _left_out(taken: "BulkImport") -> Iterator[Message]:
    from deckcheck.support.safetext import safe

    remarks = taken.notes
    counts = [
        _("{what} {count:,}", what=_REASONS[reason], count=count)
        for reason, count in sorted(taken.left_out.items())
        if count and reason in _REASONS
    ]
    if counts:
        yield _("left out: {what}", what=series(counts))
    doubles = [
        _("“{name}” (same as “{other}”)", name=safe(name), other=safe(other))
        for name, other in remarks.doubles
    ]
    if doubles:
        yield _("left out because of their names: {cards}", cards=_first(doubles))
    clashes = [_("“{alias}” ({name})", alias=safe(alias), name=safe(name)) for alias, name in remarks.clashes]
    if clashes:
        yield _("aliases that could mean another card, too: {aliases}", aliases=_first(clashes))
    unknown = [
        _("{word} ({count:,})", word=safe(word), count=count)
        for word, count in sorted(remarks.unknown.items())
    ]
    if unknown:
        yield _("words that the game does not define: {words}", words=_first(unknown))


def _first(items: Sequence[Message]) -> Series:
    """The first of several items, and how many more there are."""
    more = len(items) - _MOST_LISTED
    return series([*items[:_MOST_LISTED], *([_("{count:,} more", count=more)] if more > 0 else [])])

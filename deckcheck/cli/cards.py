"""`deckcheck cards`: looking cards up, and importing one's own."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.cards.catalog import search
from deckcheck.checking.judge import GameData, load_format, open_game_data
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import Group, Run, command
from deckcheck.cli.project import game_id, tell_of_cards
from deckcheck.formats.loading import bundled_games, load_game
from deckcheck.formats.lookup import bundled_formats
from deckcheck.model.banlist import Banlist
from deckcheck.model.card import Card
from deckcheck.report.cardsheet import card_sheet, listed_statuses
from deckcheck.support.dates import today
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Message, _, series
from deckcheck.support.safetext import safe

if TYPE_CHECKING:
    from deckcheck.cards.importers import Kind
    from deckcheck.cards.userdata import ImportResult

FOUND, NOT_FOUND = 0, 1
_OWN_ENDINGS = (".yaml", ".yml", ".jsonl")
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

_REMARKS = {
    "left-out": _("left out: {items}"),
    "doubles": _("left out because of their names: {items}"),
    "clashes": _("aliases that could mean another card, too: {items}"),
    "unknown": _("words that the game does not define: {items}"),
}
"""Remarks on an import of a large file."""


@command(_("Show a card's data and legal status."), "* as_of game lang cards")
def show_card(run: Run, name: str = opt.argument(_("Card name."), "NAME")) -> int:
    tables = _tables(run)
    found = [(table, card) for table in tables for card in table.catalog.find(name)]
    if len(found) != 1:
        return _tell_missing(name, found, tables, run.lang)
    table, card = found[0]
    day = run.options.as_of or today().isoformat()
    statuses = listed_statuses(card, _banlists(table, run.options.card_files), day)
    terminal.show(card_sheet(card, table.game, statuses, day, run.lang))
    return FOUND


@command(_("Find cards by part of a name."), "* game lang cards")
def search_cards(
    run: Run,
    text: str = opt.argument(_("Part of a name."), "TEXT"),
    limit: int = opt.option(_("Maximum number of results."), "N", default=50, min=1),
) -> int:
    tables = _tables(run)
    found = [(table, card) for table in tables for card in search(table.catalog, text, limit + 1)]
    if not found:
        return _tell_missing(text, (), tables, run.lang)
    terminal.show_lines(_names(found[:limit], run.lang), run.lang)
    if len(found) > limit:
        terminal.tell(run.lang, _("(first {limit} shown; use --limit to show more)", limit=limit))
    return FOUND


@command(
    _(
        "Add cards to your own card table. Reads JSON Lines and YAML, MTGJSON, Scryfall bulk data, and EDOPro or "
        "YGOPro .cdb files, compressed or not."
    ),
    "* quiet game lang",
)
def import_cards(
    run: Run,
    file: str = opt.argument(_("File with the cards."), "FILE"),
    source: str | None = opt.option(
        _("Source of the data: mtgjson, scryfall or ygopro (default: detected from the content)."),
        "SOURCE",
        "--from",
    ),
) -> int:
    from deckcheck.cards.importers import kind_named, kind_of

    game, quiet = run.options.game, run.options.quiet
    terminal.require_file(file)
    path = Path(file)
    if source is not None:
        kind: Kind | None = kind_named(source)
    else:
        kind = None if file.lower().endswith(_OWN_ENDINGS) else kind_of(path)
    if kind is None:
        from deckcheck.cards import userdata

        done = userdata.import_cards(load_game(_game_of(path) if game is None else game_id(game)), path)
    elif game is not None and game != kind.game:
        raise user_error(_("--game: {source} is data for {game}", source=kind.title, game=kind.game))
    else:
        from deckcheck.cards.importers.import_run import import_bulk

        with terminal.file_progress(file, run.lang, shown=not quiet) as advance:
            done = import_bulk(load_game(kind.game), kind, path, advance)
    terminal.show_lines(_outcome(done, None if quiet or kind is None else kind.title), run.lang)
    return 0


cards = Group(
    _("Look up and import cards."), {"show": show_card, "search": search_cards, "import": import_cards}
)


def _tables(run: Run) -> list[GameData]:
    """The card table of the game, or of every game. Raises UserError where none can be used."""
    tell_of_cards(run)
    game = run.options.game
    tables, errors = [], []
    for id in bundled_games() if game is None else [game_id(game)]:
        try:
            tables.append(open_game_data(id, [Path(file) for file in run.options.card_files]))
        except UserError as error:
            # Cards of one's own are those of one game.
            errors.append(error)
    if not tables:
        raise errors[0]
    return tables


def _names(found: Sequence[tuple[GameData, Card]], lang: str) -> list[str]:
    """The cards' names, with their games where there are several."""
    several = len({table.game.id for table, _card in found}) > 1
    return [
        card.name + (f" ({table.game.name.in_(lang)}: --game {table.game.id})" if several else "")
        for table, card in found
    ]


def _banlists(table: GameData, cards: Sequence[str]) -> list[Banlist]:
    """Every list that a bundled format of the game uses, by id."""
    tables = {table.game.id: table}
    lists: dict[str, Banlist] = {}
    for entry in bundled_formats():
        if entry.id.startswith(f"{table.game.id}/"):
            format = load_format(entry.id, cards=[Path(file) for file in cards], games=tables).format
            lists |= {banlist.id: banlist for banlist in format.banlists}
    return [lists[name] for name in sorted(lists)]


def _tell_missing(
    name: str, found: Sequence[tuple[GameData, Card]], tables: Sequence[GameData], lang: str
) -> int:
    if found:
        heading, names = _("“{name}” could be any of these:", name=safe(name)), _names(found, lang)
    else:
        terminal.tell(lang, _("“{name}” is not in the card table", name=safe(name)))
        heading = _("Did you mean:")
        names = [near for table in tables for near in table.catalog.suggest(name)]
    if names:
        terminal.complain(heading.in_(lang) + "\n" + "".join(f"  {safe(line)}\n" for line in names))
    return NOT_FOUND


def _game_of(file: Path) -> str:
    """The id of the only game that a card file of the user's own fits. Raises UserError for several or none."""
    from deckcheck.cards.cardfile import MOST_BYTES, read_cards, vocabulary
    from deckcheck.cards.importers import KINDS

    data = read_bytes(file, most=MOST_BYTES)
    meant, errors = [], []
    for id in bundled_games():
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


def _outcome(done: "ImportResult", source: str | None) -> Iterator[Message | str]:
    """What an import did, in words; of a large file more than the numbers of cards."""
    if source is not None:
        yield source + (f" ({done.date[:20]})" if done.date else "")
        if done.resumed:
            yield _("resumed an earlier import ({count:,} entries were already read)", count=done.resumed)
    yield _(
        "{added} added, {changed} changed, {unchanged} unchanged: {path}",
        added=done.added,
        changed=done.changed,
        unchanged=done.unchanged,
        path=str(done.path),
    )
    if source is None:
        return
    found = {
        "left-out": [
            _("{what} {count:,}", what=_REASONS[reason], count=count)
            for reason, count in sorted(done.left_out.items())
            if count and reason in _REASONS
        ],
        "doubles": [
            _("“{name}” (same as “{other}”)", name=name, other=other) for name, other in done.doubles
        ],
        "clashes": [_("“{alias}” ({name})", alias=alias, name=name) for alias, name in done.clashes],
        "unknown": [
            _("{word} ({count:,})", word=word, count=done.unknown[word]) for word in sorted(done.unknown)
        ],
    }
    for kind, items in found.items():
        if items:
            more = len(items) - 10
            rest = [_("and {more} more", more=more)] if more > 0 else []
            yield _REMARKS[kind].filled(items=series([*items[:10], *rest]))

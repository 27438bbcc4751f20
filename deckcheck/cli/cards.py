"""`deckcheck cards`: looking cards up."""

from typing import Annotated

import typer

from deckcheck.analysis.card_lookup import Match, card_sheet, card_tables, names_of, write_others
from deckcheck.cli import options as opt
from deckcheck.cli.help import App, Group
from deckcheck.cli.run import Run, Status
from deckcheck.support.dates import today
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import show, show_lines, write_messages

app = App(cls=Group, no_args_is_help=True, help=N_("Look up cards."))


@app.command(
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
    tables = card_tables(game, options)
    matches = [Match(table, card) for table in tables for card in table.catalog.search(text, limit + 1)]
    if not matches:
        write_others(text, (), tables, run.lang)
        return Status.PROBLEMS
    show_lines(names_of(matches[:limit], run.lang, text), run.lang)
    if len(matches) > limit:
        write_messages(run.lang, _("(first {limit} shown; use --limit to show more)", limit=limit))
    return Status.OK


@app.command(
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
    tables = card_tables(game, options)
    matches = [Match(table, card) for table in tables for card in table.catalog.find(name)]
    if len(matches) != 1:
        write_others(name, matches, tables, run.lang)
        return Status.PROBLEMS
    day = as_of or today().isoformat()
    show(card_sheet(matches[0], options.settings.folders, day, run.lang))
    return Status.OK

"""`deckcheck sheet`: a list, an event or a format in; sheets for print out."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.checking.deck_files import STANDARD_INPUT
from deckcheck.checking.session import CheckOptions, Session
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.help import Command, examples
from deckcheck.cli.project import (
    Project,
    open_event,
    open_project,
    protect_event,
    protect_inputs,
    single_list,
)
from deckcheck.cli.run import Run, Status
from deckcheck.decklists.header import games_of
from deckcheck.registration.log import read_log
from deckcheck.registration.roster import build_roster
from deckcheck.registration.sheet import Page, render_html, sheet_of, sheets_of
from deckcheck.registration.submissions import Player, read_sender
from deckcheck.support.dates import today
from deckcheck.support.errors import user_error
from deckcheck.support.files import is_file, read_bytes
from deckcheck.support.messages import N_, _, series

_NOT_FOR_EVENTS = (
    *("format", "as_of", "best_of", "cards", "games", "config", "notation"),
    *("name", "reading", "handle", "id", "table"),
)
"""Options for what an event's file or the entries already say."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Make printable A4 decklist sheets, in HTML: one page for a deck, or for an event file one page for "
        "each player, in table order. Findings that a list asks to ignore still appear on the sheet."
    ),
    epilog=examples(
        "deckcheck sheet deck.txt -o sheet.html", "deckcheck sheet --empty --format original -o blank.html"
    )
    + N_(
        "Exit status: 0 written (the sheet of an illegal deck says so); 2 something could not be read. Sheets "
        "contain names, so the output file is readable by its owner only."
    ),
)
def sheet(
    ctx: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="DECK|EVENT",
            help=N_("Decklist file, - for a deck on standard input, or an event file (event.yaml)."),
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER...]",
            help=N_("Only these players of an event: ids of submissions, players' ids or names."),
        ),
    ] = None,
    empty: Annotated[
        bool,
        typer.Option(
            "--empty", help=N_("Make a blank sheet to fill in by hand (with --format or an event file).")
        ),
    ] = False,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help=N_(
                "Player name (default: the list's “# player: …” line; other fields likewise, such as “# table: …”)."
            ),
        ),
    ] = None,
    reading: Annotated[
        str | None, typer.Option(metavar="TEXT", help=N_("Reading of the name in kana."))
    ] = None,
    handle: Annotated[str | None, typer.Option(metavar="TEXT", help=N_("Handle."))] = None,
    id: Annotated[str | None, typer.Option(metavar="TEXT", help=N_("Player ID."))] = None,
    table: Annotated[str | None, typer.Option(metavar="TEXT", help=N_("Table number."))] = None,
    format: opt.Format = None,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    cards: opt.Cards = None,
    games: opt.Games = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output: opt.Output = None,
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    run.private = True
    if (output or "").lower().endswith(".pdf"):
        hint = _("write HTML and print it with a browser, which saves PDF, too")
        raise user_error(_("sheets are HTML, not PDF"), path=output, hint=hint)
    if players and (path is None or not is_event(path)):
        raise user_error(_("players can only be named with an event file"))
    player = Player(name, reading, handle, id, table)
    options = CheckOptions(format, as_of, best_of, tuple(cards or ()), notation=notation)
    pages: Sequence[Page]
    if path is not None and is_event(path):
        unsuitable = ["--" + key.replace("_", "-") for key in _NOT_FOR_EVENTS if opt.typed(ctx, key)]
        if unsuitable:
            message = _(
                "cannot be used with an event file, which sets them itself: {options}",
                options=series(unsuitable),
            )
            raise user_error(message, path=path)
        pages = _of_event(run, path, players or (), output, empty=empty, always=opt.typed(ctx, "_lang"))
    elif empty and path is not None:
        raise user_error(_("--empty can only be used with --format or an event file"), path=path)
    elif path is not None:
        project = open_project(run, [path], options, games=games, config=config)
        if path != STANDARD_INPUT:
            protect_inputs(output, [Path(path)])
        pages = [_of_deck(run, project, path, player)]
    elif not empty:
        raise user_error(_("name a deck or an event file (or use --empty for a blank sheet)"))
    elif format is None:
        raise user_error(_("--empty requires --format or an event file"))
    else:
        project = open_project(run, ["."], options, games=games, config=config)
        rules, day = project.load_format(format), as_of or today().isoformat()
        pages = [sheet_of(rules, run.lang, day, player=player, best_of=best_of)]
    terminal.show(render_html(pages), exact=True, file=output, private=True)
    return Status.OK


def is_event(path: str) -> bool:
    """Whether a file describes an event, judging by its keys, even if it is broken. Standard input never does."""
    if path == STANDARD_INPUT or not is_file(Path(path)):
        return False
    keys = re.findall(rb"(?m)^(event|entries)[ \t]*:", read_bytes(Path(path)))
    return b"event" in keys and (b"entries" in keys or path.lower().endswith((".yaml", ".yml")))


def _of_deck(run: Run, project: Project, path: str, player: Player) -> Page:
    """The sheet of one list; `player` takes precedence over what the list says about its player."""
    opened = Session(project.options).open(single_list(path))
    # Sheets are for judges, who ignore nothing.
    report = opened.check(strict=True)
    own = read_sender(opened.text, path).player
    shown = own.with_fields(player.filled)
    lang = run.asked_lang or own.language or run.lang
    best_of = games_of(opened.deck, opened.best_of)
    return sheet_of(opened.format, lang, report.as_of, report=report, player=shown, best_of=best_of)


def _of_event(
    run: Run, path: str, players: Sequence[str], output: str | None, *, empty: bool, always: bool
) -> Sequence[Page]:
    """The sheets of an event, of all its players if none are named; `always`: in the option's language, whatever the lists say."""
    session = open_event(run, path)
    event = session.event
    protect_event(output, event)
    if empty:
        lang = run.lang if always else event.language or run.lang
        return [sheet_of(session.format, lang, event.as_of, event=event, best_of=event.best_of)]
    roster = build_roster(session, read_log(event.log, event.id))
    rows = [roster.find(who) for who in players]
    pages, unclear = sheets_of(roster, run.lang, rows, always=always)
    terminal.write_paths(
        _("no sheet (which of the player's lists counts cannot be decided)"), unclear, run.lang
    )
    if not pages:
        raise user_error(_("no lists to make sheets of"), path=path)
    return pages

"""`deckcheck sheet` and `deckcheck verify`: sheets to print, and decks at the table compared with receipts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.checking.deck_files import STANDARD_INPUT
from deckcheck.checking.many_lists import single_list
from deckcheck.checking.session import CheckOptions, read_list
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.decklists.decoding import decode
from deckcheck.registration import deck_checks
from deckcheck.registration.event import is_event, open_event, protect_event
from deckcheck.registration.roster import build_roster
from deckcheck.registration.sheet import Page, render_html, sheet_of, sheet_of_list, sheets_of
from deckcheck.registration.submissions import Player
from deckcheck.report.text import render_options, show_answer
from deckcheck.support.dates import today
from deckcheck.support.errors import user_error
from deckcheck.support.files import is_file, protect_inputs
from deckcheck.support.messages import N_, _, series
from deckcheck.support.terminal import show, write_paths

_NOT_FOR_EVENTS = ("format", "as_of", "best_of", "config", "notation", "name")
"""Options for what an event's file or the entries already say."""

sheet_app = App()


@sheet_app.command(
    help=N_(
        "Make printable A4 decklist sheets, in HTML: one page for a deck, or for an event file one page for "
        "each player, in table order. Findings that a list asks to ignore still appear on the sheet. Sheets contain "
        "names, so the output file is readable by its owner only."
    ),
    epilog="deckcheck sheet deck.txt -o sheet.html\ndeckcheck sheet --empty --format original -o blank.html",
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
    format: opt.Format = None,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    output: opt.Output = None,
) -> None:
    run: Run = ctx.obj
    run.private = True
    if (output or "").lower().endswith(".pdf"):
        hint = _("write HTML and print it with a browser, which saves PDF, too")
        raise user_error(_("sheets are HTML, not PDF"), path=output, hint=hint)
    of_event = path is not None and path != STANDARD_INPUT and is_event(Path(path))
    if players and not of_event:
        raise user_error(_("players can only be named with an event file"))
    options = CheckOptions(format, as_of, best_of, notation=notation)
    pages: Sequence[Page]
    if path is not None and of_event:
        typed = ["--" + key.replace("_", "-") for key in _NOT_FOR_EVENTS if opt.typed(ctx, key)]
        if typed:
            problem = _(
                "cannot be used with an event file, which sets them itself: {options}", options=series(typed)
            )
            raise user_error(problem, path=path)
        pages = _of_event(run, path, players or (), output, empty=empty, always=opt.typed(ctx, "_lang"))
    elif empty:
        if path is not None or format is None:
            raise user_error(_("--empty can only be used with --format or an event file"), path=path)
        rules = run.session(config, ["."], options).load(format)
        day = as_of or today().isoformat()
        pages = [sheet_of(rules, run.lang, day, player=Player(name), best_of=best_of)]
    elif path is None:
        raise user_error(_("name a deck or an event file (or use --empty for a blank sheet)"))
    else:
        if path != STANDARD_INPUT:
            protect_inputs(output, [Path(path)])
        opened = run.session(config, [path], options).open(single_list(path))
        pages = [sheet_of_list(opened, run.asked_lang, run.lang, name)]
    show(render_html(pages), exact=True, file=output, private=True)


def _of_event(
    run: Run, path: str, players: Sequence[str], output: str | None, *, empty: bool, always: bool
) -> Sequence[Page]:
    """The sheets of an event, of all its players if none are named; `always`: in the option's language, whatever the lists say."""
    session = open_event(Path(path))
    event = session.event
    protect_event(output, event)
    if empty:
        lang = run.lang if always else event.language or run.lang
        return [sheet_of(session.format, lang, event.as_of, event=event, best_of=event.best_of)]
    roster = build_roster(session)
    rows = [roster.find(who) for who in players]
    pages, unclear = sheets_of(roster, run.lang, rows, always=always)
    write_paths(_("no sheet (which of the player's lists counts cannot be decided)"), unclear, run.lang)
    if not pages:
        raise user_error(_("no lists to make sheets of"), path=path)
    return pages


_STATUS = {"same": Status.OK, "different": Status.PROBLEMS, "undecided": Status.UNDECIDED}

verify_app = App()


@verify_app.command(
    help=N_(
        "Compare a deck at the table, as typed by a judge, with the registered list. With --event, the list must "
        "also be in the event's log, and the result is recorded there (--by is required). A deck whose last check "
        "matched is left out by `event draw`."
    ),
    epilog="deckcheck verify Suzuki typed.txt --event event.yaml --by Sato\n"
    "deckcheck verify receipts/0012.json typed.txt",
)
def verify(
    ctx: typer.Context,
    receipt: Annotated[
        str,
        typer.Argument(
            metavar="RECEIPT|PLAYER",
            help=N_("Receipt; with --event also the id of a submission, or a player's id or name."),
        ),
    ],
    deck: Annotated[
        str,
        typer.Argument(metavar="DECK", help=N_("The deck as typed: a file, or - for standard input.")),
    ],
    between_games: Annotated[
        bool,
        typer.Option(
            "--after-sideboarding",
            help=N_("Allow any legal exchange of the registered cards between games."),
        ),
    ] = False,
    by: Annotated[
        str | None, typer.Option(metavar="JUDGE", help=N_("The judge, for the log of --event."))
    ] = None,
    event: opt.EventFile = None,
    config: opt.Config = None,
    output_format: opt.TextOrJson = "text",
) -> int:
    run: Run = ctx.obj
    run.private = True
    # A player's name says nothing about where the settings are.
    rules = run.session(config, [receipt if is_file(Path(receipt)) else "."])
    session = None if event is None else open_event(Path(event))
    opened = None if session is None else session.event
    judge = (by or "").strip()
    if bool(judge) is (opened is None):
        raise user_error(_("--event and --by belong together: the check is recorded in the event's log"))
    entry = deck_checks.find_receipt(receipt, opened)
    format = deck_checks.registered_format(entry.receipt, session or rules)
    typed = deck_checks.typed_deck(decode(read_list(deck), deck), deck, format)
    comparison = deck_checks.verify(entry.receipt, typed, format, between_games=between_games)
    if opened is not None:
        deck_checks.record_check(
            opened, entry, comparison, between_games=between_games, by=judge, path=receipt
        )
    recorded = None if opened is None else entry
    zones = format.zone_names
    answer = {"found": comparison, "recorded": recorded, "zones": zones, "between_games": between_games}
    values = deck_checks.comparison_values(comparison, recorded)
    show_answer(output_format, render_options(run.lang), "verify.txt", answer, values)
    return _STATUS[comparison.result]

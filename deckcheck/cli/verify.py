"""`deckcheck verify`: a receipt and a deck at the table in, what differs out."""

from pathlib import Path
from typing import Annotated

import typer

from deckcheck.checking.session import read_list
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.decklists.decoding import decode
from deckcheck.registration import deck_checks
from deckcheck.registration.event import open_event
from deckcheck.report.text import render_options, show_answer
from deckcheck.support.errors import user_error
from deckcheck.support.files import is_file
from deckcheck.support.messages import N_, _

_STATUS = {"same": Status.OK, "different": Status.PROBLEMS, "undecided": Status.UNDECIDED}

app = App()


@app.command(
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

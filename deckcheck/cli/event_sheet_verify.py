"""`deckcheck event`, `sheet` and `verify`: registration for an event, sheets to print, and decks at the table compared with receipts."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec.structs import replace

from deckcheck.checking.deck_files import STANDARD_INPUT
from deckcheck.checking.many_lists import single_list
from deckcheck.checking.session import CheckOptions, read_list
from deckcheck.cli import options as opt
from deckcheck.cli.help import App, Group
from deckcheck.cli.init_and_serve import Host, Port, PublicUrl, require_web
from deckcheck.cli.run import Run, Status
from deckcheck.config import settings_for
from deckcheck.decklists.decoding import decode
from deckcheck.registration import acceptance, deck_checks
from deckcheck.registration import log as logs
from deckcheck.registration.acceptance import worst_problem
from deckcheck.registration.event import is_event, open_event, protect_event, read_event
from deckcheck.registration.log import read_log, receipt_file, write_receipts
from deckcheck.registration.notices import send_out
from deckcheck.registration.roster import build_roster
from deckcheck.registration.roster_tables import render_csv, render_json, render_text
from deckcheck.registration.sheet import Page, render_html, sheet_of, sheet_of_list, sheets_of
from deckcheck.registration.submissions import Player
from deckcheck.report.text import Progress, render_options, show_answer
from deckcheck.scaffold import init_event
from deckcheck.support.dates import now, today
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import is_file, protect_inputs
from deckcheck.support.messages import N_, _, series, shortened
from deckcheck.support.templates import render
from deckcheck.support.terminal import show, write_messages, write_paths

_STATUS = {
    **dict.fromkeys(("fine", "intact", "same"), Status.OK),
    **dict.fromkeys(("problems", "altered", "different"), Status.PROBLEMS),
    **dict.fromkeys(("undecided", "open"), Status.UNDECIDED),
    "unreadable": Status.ERROR,
}
"""What a roster, an audit and a comparison say of an event, with the exit status."""

event_app = App(
    cls=Group,
    no_args_is_help=True,
    help=N_("Run deck registration for an event, from the first list to the deck checks."),
)


@event_app.callback()
def event(ctx: typer.Context) -> None:
    """What all commands share: their errors may have names in them."""
    ctx.obj.private = True


@event_app.command(
    no_args_is_help=False,
    help=N_("Write a commented event file, and make the folder for its lists. Existing files are kept."),
    epilog="deckcheck event init\ndeckcheck event init cup/event.yaml --format original --date 2026-12-05",
)
def init(
    ctx: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(metavar="[FILE]", show_default=False, help=N_("File to write (default: event.yaml).")),
    ] = Path("event.yaml"),
    format: opt.FormatChosen = None,
    date: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help=N_("Date of the event (default: a week from today).")),
    ] = None,
    form: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=N_("Read the columns of a form's export (CSV, TSV, XLSX), and write what they are."),
        ),
    ] = None,
) -> None:
    run: Run = ctx.obj
    made = init_event(file, date, format, run.lang, settings_for([str(file)]).folders, form)
    quoted = shlex.quote(str(file))
    show(
        render(
            "event-init.txt", run.lang, file=str(file), made=made, by_default=format is None, quoted=quoted
        )
    )


@event_app.command(
    help=N_(
        "Check all lists of an event, and show the players in a table. The output contains names: the output file "
        "and the --letters folder are readable by their owner only."
    ),
    epilog="deckcheck event check event.yaml\ndeckcheck event check event.yaml --letters letters",
)
def check(
    ctx: typer.Context,
    event: opt.Event,
    letters: Annotated[
        str | None, typer.Option(metavar="DIR", help=N_("Write a notice for each player into this folder."))
    ] = None,
    letters_csv: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help=N_("Write the notices with the players' addresses into this file, for a mail merge."),
        ),
    ] = None,
    output_format: Annotated[
        Literal["text", "json", "csv"],
        typer.Option(help=N_("Output format.")),
    ] = "text",
    output: opt.Output = None,
    color: opt.Color = "auto",
) -> int:
    run: Run = ctx.obj
    session = open_event(event)
    for target in (output, letters, letters_csv):
        protect_event(target, session.event)
    roster = build_roster(session)
    if output_format == "text":
        text = render_text(roster, render_options(run.lang, color, file=output))
    else:
        text = {"csv": render_csv, "json": render_json}[output_format](roster, run.lang)
    show(text, exact=output_format != "text", file=output, private=True)
    if letters is not None or letters_csv is not None:
        progress = Progress(len(roster.player_rows), run.lang)
        write_messages(run.lang, *send_out(roster, letters, letters_csv, progress.advance))
        progress.clear()
    return _STATUS[acceptance.state_of(roster)]


@event_app.command(
    help=N_(
        "Accept the lists: each is frozen as a receipt in the log. What is already accepted does not change."
    ),
    epilog="deckcheck event accept event.yaml\n"
    "deckcheck event accept event.yaml Suzuki --by Sato --reason 'came in by mail'",
)
def accept(
    ctx: typer.Context,
    event: opt.Event,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER...]",
            help=N_("Accept only these: ids of submissions in `event check`, players' ids or names."),
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="JUDGE", help=N_("Judge who accepts lists that could not be accepted otherwise.")
        ),
    ] = None,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help=N_("Why they are accepted."))] = None,
    output_format: opt.TextOrJson = "text",
) -> int:
    run: Run = ctx.obj
    override = None if by is None and reason is None else acceptance.decided(by or "", reason or "")
    if override is not None and not players:
        raise user_error(_("with --by, name the players whose lists are accepted"))
    session = open_event(event)
    done = acceptance.accept(session, now=now(), only=players or (), override=override)
    try:
        # Also those of a run that was interrupted before this.
        note = write_receipts(done.log, session.event.receipts)
        done = replace(done, notes=done.notes if note is None else (*done.notes, note))
    except UserError as error:
        hint = _("the log is complete; fix this and run the command again to write the receipts")
        raise UserError([replace(problem, hint=hint) for problem in error.problems]) from error
    finally:
        # Accepted lists stay accepted, and are shown before any error.
        answer = {
            "done": done,
            "event": session.event,
            "worst_problem": worst_problem,
            "shortened": shortened,
        }
        show_answer(
            output_format, render_options(run.lang), "accept.txt", answer, acceptance.acceptance_values(done)
        )
    return Status.PROBLEMS if done.refused else Status.OK


@event_app.command(
    help=N_(
        "Record that a player no longer takes part: the receipt is revoked, and nothing of theirs is printed or drawn."
    ),
    epilog="deckcheck event withdraw event.yaml Suzuki --by Sato --reason 'called in sick'",
)
def withdraw(
    ctx: typer.Context,
    event: opt.Event,
    player: Annotated[
        str,
        typer.Argument(metavar="PLAYER", help=N_("Player: the id of a submission, the player's id or name.")),
    ],
    by: Annotated[
        str, typer.Option(metavar="NAME", help=N_("Who decides this, such as the judge or the player."))
    ],
    reason: Annotated[str, typer.Option(metavar="TEXT", help=N_("Why."))],
    output_format: opt.TextOrJson = "text",
) -> None:
    run: Run = ctx.obj
    override = acceptance.decided(by, reason)
    session = open_event(event)
    done = acceptance.withdraw(session, player, override, now=now())
    # The entry is the last one of the log.
    values = {"withdrawn": done.entry.content, "entries": done.entry.number, "head": done.entry.hash}
    show_answer(output_format, render_options(run.lang), "withdraw.txt", {"done": done}, values)


@event_app.command(
    help=N_(
        "Say whether the log is as it was written, and whether each accepted list still gets its verdict."
    ),
    epilog="deckcheck event audit event.yaml\ndeckcheck event audit event.yaml receipt.json",
)
def audit(
    ctx: typer.Context,
    event: opt.Event,
    receipts: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[RECEIPT...]",
            help=N_("Receipts that must be in the log, such as players' copies."),
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(metavar="HASH", help=N_("A head written down earlier, all 64 digits (repeatable).")),
    ] = None,
    output_format: opt.TextOrJson = "text",
) -> int:
    run: Run = ctx.obj
    session = open_event(event)
    if not session.event.log.exists():
        raise user_error(_("there is no log yet"), path=str(session.event.log))
    result = logs.audit(session, heads=head or (), receipts=[Path(receipt) for receipt in receipts or ()])
    answer = {"audited": result}
    show_answer(output_format, render_options(run.lang), "audit.txt", answer, logs.audit_values(result))
    return _STATUS[result.verdict]


@event_app.command(
    help=N_(
        "Draw the decks to check at the table; the same seed and log always draw the same decks. A deck whose last "
        "check (verify --event) matched its list is left out; one that differed can be drawn again."
    ),
    epilog="deckcheck event draw event.yaml --seed 4-6-1-3",
)
def draw(
    ctx: typer.Context,
    event: opt.Event,
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help=N_("Any text, best chosen in public, such as by rolling dice at the event."),
        ),
    ],
    share: Annotated[
        str, typer.Option(metavar="N%", help=N_("Share of all accepted decks to draw."))
    ] = "10%",
    output_format: opt.TextOrJson = "text",
) -> None:
    run: Run = ctx.obj
    wanted = deck_checks.share_of(share)
    opened = read_event(event)
    log = read_log(opened)
    drawn = deck_checks.draw(log, wanted, seed)
    if not drawn.total:
        raise user_error(_("no list has been accepted yet"), path=str(opened.log))
    head = {"share": share, "seed": seed, "head": log.head}
    files = {entry.number: receipt_file(opened.receipts, entry.number) for entry in drawn.drawn}
    decks = [{"number": entry.number, "player": entry.receipt.player.filled} for entry in drawn.drawn]
    answer = head | {"draw": drawn, "files": files}
    values = head | {"accepted": drawn.total, "checked": drawn.checked, "drawn": decks}
    show_answer(output_format, render_options(run.lang), "draw.txt", answer, values)


@event_app.command(
    help=N_(
        "Serve a page on which players submit their lists, and a desk for the organiser, until ^C. Lists are stored as "
        "files in the event's folder, and the other commands may be used at the same time."
    ),
    epilog="deckcheck event serve event.yaml\n"
    "deckcheck event serve event.yaml --public-url https://cup.example",
)
def serve(
    ctx: typer.Context,
    event: opt.Event,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    public_url: PublicUrl = None,
) -> None:
    run: Run = ctx.obj
    require_web()
    from deckcheck.desk.limits_and_security import address_of
    from deckcheck.desk.player_pages import serve_event

    serve_event(open_event(event), address_of(host, port, public_url), run.lang)


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
    opened = None if event is None else open_event(Path(event))
    judge = (by or "").strip()
    if bool(judge) is (opened is None):
        raise user_error(_("--event and --by belong together: the check is recorded in the event's log"))
    entry = deck_checks.find_receipt(receipt, None if opened is None else opened.event)
    comparison = deck_checks.check_deck(
        opened or rules,
        entry,
        decode(read_list(deck), deck),
        deck,
        between_games=between_games,
        by=judge,
        who=receipt,
    )
    recorded = None if opened is None else entry
    answer = {
        "compared": comparison,
        "recorded": recorded,
        "zones": (opened or rules).load(entry.receipt.format.id).zone_names,
        "between_games": between_games,
    }
    values = deck_checks.comparison_values(comparison, recorded)
    show_answer(output_format, render_options(run.lang), "verify.txt", answer, values)
    return _STATUS[comparison.result]

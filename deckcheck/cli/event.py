"""`deckcheck event`: registration for an event, from its file to the checks of decks at the table."""

import os
import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.help import OUTPUT, Command, Group, examples
from deckcheck.cli.project import open_event, protect_event
from deckcheck.cli.run import Run, Status
from deckcheck.config.settings import settings_for
from deckcheck.registration import acceptance
from deckcheck.registration import audit as auditing
from deckcheck.registration import draw as drawing
from deckcheck.registration.acceptance import failures, numbered, worst_problem
from deckcheck.registration.event import read_event
from deckcheck.registration.log import read_log, receipt_file, receipts_folder, write_receipts
from deckcheck.registration.roster import Roster, build_roster
from deckcheck.registration.roster_outputs import render_csv, render_html, render_json, render_text
from deckcheck.report.wording import VERDICTS
from deckcheck.support.dates import now, today
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, write_new
from deckcheck.support.messages import N_, _, n_
from deckcheck.support.safe_text import safe
from deckcheck.support.templates import render

_AUDIT_STATUS = {"intact": Status.OK, "altered": Status.PROBLEMS, "open": Status.UNDECIDED}

app = typer.Typer(
    cls=Group,
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help=N_("Run deck registration for an event, from the first list to the deck checks."),
)


@app.callback()
def event(ctx: typer.Context, _lang: opt.Lang = None) -> None:
    """What all commands share: their errors may have names in them."""
    ctx.obj.private = True


@app.command(
    cls=Command,
    help=N_("Write a commented event file, and make the folder for its lists. Existing files are kept."),
    epilog=examples(
        "deckcheck event init", "deckcheck event init cup/event.yaml --format original --date 2026-12-05"
    ),
)
def init(
    ctx: typer.Context,
    file: Annotated[
        str,
        typer.Argument(metavar="[FILE]", show_default=False, help=N_("File to write (default: event.yaml).")),
    ] = "event.yaml",
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            autocompletion=opt.format_names,
            help=N_("Format; `deckcheck formats` lists them."),
        ),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help=N_("Date of the event (default: a week from today).")),
    ] = None,
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    from deckcheck.scaffold.setup import LISTS, event_text

    exists = user_error(_("already exists and was kept"), path=file)
    target = Path(file)
    if os.path.lexists(target):
        raise exists
    terminal.explain_first_run(run.lang)
    text, day, named = event_text(target, date, format, run.lang, settings_for([file]).folders, today())
    try:
        if not write_new(target, text.encode()):
            raise exists
    except OSError as error:
        raise cannot_write(file, error) from error
    lists = target.parent / LISTS
    if not lists.exists():
        try:
            # Lists say who plays them.
            lists.mkdir(mode=0o700)
        except OSError as error:
            reason = error.strerror or str(error)
            raise user_error(_("cannot be created: {reason}", reason=reason), path=str(lists)) from error
    shown = {"file": file, "lists": str(lists), "date": day, "format": named, "by_default": format is None}
    terminal.show(render("event-init.txt", run.lang, **shown, quoted=shlex.quote(file)))
    return Status.OK


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_("Check all lists of an event, and show the players in a table."),
    epilog=examples("deckcheck event check event.yaml", "deckcheck event check event.yaml --letters letters")
    + N_(
        "Exit status: 0 every player is fine; 1 a list is illegal, missing or late, a field is empty, or similar; "
        "2 a list (or the event) could not be read; 3 some lists are undecided, and nothing else is wrong. The "
        "output contains names: the output file and the --letters folder are readable by their owner only."
    ),
)
def check(
    ctx: typer.Context,
    event: opt.Event,
    letters: Annotated[
        str | None, typer.Option(metavar="DIR", help=N_("Write a notice for each player into this folder."))
    ] = None,
    output_format: Annotated[
        Literal["text", "json", "csv", "html"],
        typer.Option(rich_help_panel=OUTPUT, help=N_("Output format.")),
    ] = "text",
    output: opt.Output = None,
    exit_zero: opt.ExitZero = False,
    color: opt.Color = "auto",
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    lang = run.lang
    session = open_event(run, event)
    for target in (output, letters):
        protect_event(target, session.event)
    roster = build_roster(session, read_log(session.event.log, session.event.id).receipts)
    as_text = output_format == "text"
    if as_text:
        look = terminal.render_options(lang, color, file=output)
        text = render_text(roster, lang, color=look.color)
    else:
        text = {"csv": render_csv, "html": render_html, "json": render_json}[output_format](roster, lang)
    terminal.show(text, exact=not as_text, file=output, private=True)
    if letters is not None:
        from deckcheck.registration.notices import write_notices

        progress = terminal.Progress(len(roster.player_rows), lang)
        try:
            count = write_notices(roster, Path(letters), progress.advance)
        finally:
            progress.clear()
        written = n_(
            "{n:,} notice written to {folder}",
            "{n:,} notices written to {folder}",
            count,
            folder=safe(letters),
        )
        terminal.write_messages(lang, written)
    status = status_of(roster)
    return Status.OK if exit_zero and status != Status.ERROR else status


def status_of(roster: Roster) -> Status:
    """The exit status for the lists that count for players."""
    kinds = {
        against.id for row in roster.rows if row.counts or row.instead is None for against in failures(row)
    }
    if "unreadable" in kinds:
        return Status.ERROR
    if kinds - {"undecided", "unsettled"}:
        return Status.PROBLEMS
    return Status.UNDECIDED if kinds else Status.OK


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Accept the lists: each is frozen as a receipt in the log. What is already accepted does not change."
    ),
    epilog=examples(
        "deckcheck event accept event.yaml",
        "deckcheck event accept event.yaml 12 --by Sato --reason 'came in by mail'",
    )
    + N_(
        "Exit status: 0 every list is accepted; 1 some are not; 2 something could not be read or written (the "
        "output shows what was accepted)."
    ),
)
def accept(
    ctx: typer.Context,
    event: opt.Event,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER...]",
            help=N_("Accept only these players, by their number in `event check`, their ID or their name."),
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
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    override = None
    if by is not None or reason is not None:
        override = acceptance.Override((by or "").strip(), (reason or "").strip())
        if not all(override):
            raise user_error(_("--by and --reason must be used together, and neither may be empty"))
        if not players:
            raise user_error(_("with --by, name the players whose lists are accepted"))
    session = open_event(run, event)
    folder = receipts_folder(session.event)
    done = acceptance.accept(session, now=now(), only=players or (), override=override)
    try:
        # Also those of a run that was interrupted before this.
        _written, aside = write_receipts(done.log, folder)
        if aside:
            note = _(
                "the receipts folder contained receipts that differ from the log ({numbers}); they were renamed and kept: "
                "run `deckcheck event audit`",
                numbers=numbered(aside),
            )
            done = done._replace(notes=(*done.notes, note))
    except UserError as error:
        hint = _("the log is complete; fix this and run the command again to write the receipts")
        raise UserError([problem._replace(hint=hint) for problem in error.problems]) from error
    finally:
        # Accepted lists stay accepted, and are shown before any error.
        shown = {
            "done": done,
            "event": session.event,
            "folder": folder,
            "failures": failures,
            "worst_problem": worst_problem,
            "numbered": numbered,
            "overridable": any(all(failure.by_word for failure in failures(row)) for row in done.refused),
        }
        terminal.show_answer(output_format, run.lang, "accept.txt", shown, acceptance.acceptance_values(done))
    return Status.PROBLEMS if done.refused else Status.OK


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Prove that nothing in the log was altered, removed or reordered, and check every receipt again."
    ),
    epilog=examples("deckcheck event audit event.yaml", "deckcheck event audit event.yaml receipt.json")
    + N_(
        "Exit status: 0 nothing was altered; 1 something was altered; 2 the audit could not run; 3 some receipts "
        "cannot be proven because the rules have changed."
    ),
)
def audit(
    ctx: typer.Context,
    event: opt.Event,
    receipts: Annotated[
        list[str] | None,
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
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    session = open_event(run, event)
    if not session.event.log.exists():
        raise user_error(_("there is no log yet"), path=str(session.event.log))
    found = auditing.audit(session, heads=head or (), receipts=[Path(receipt) for receipt in receipts or ()])
    shown = {"found": found, "verdicts": VERDICTS}
    terminal.show_answer(output_format, run.lang, "audit.txt", shown, auditing.audit_values(found, run.lang))
    return _AUDIT_STATUS[found.verdict]


@app.command(
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Draw the decks to check at the table; the same seed and log always draw the same decks. A deck whose last "
        "check (verify --event) matched its list is left out; one that differed can be drawn again."
    ),
    epilog=examples("deckcheck event draw event.yaml --seed 4-6-1-3"),
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
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    wanted = drawing.share_of(share)
    opened = read_event(Path(event))
    log = read_log(opened.log, opened.id)
    found = drawing.draw(log, wanted, seed)
    if not found.total:
        raise user_error(_("no list has been accepted yet"), path=str(opened.log))
    head = {"share": share, "seed": seed, "head": log.head}
    folder = receipts_folder(opened)
    files = [receipt_file(folder, number) for number, _receipt in found.drawn]
    shown = head | {"found": found, "files": files}
    values = head | drawing.draw_values(found)
    terminal.show_answer(output_format, run.lang, "draw.txt", shown, values)
    return Status.OK

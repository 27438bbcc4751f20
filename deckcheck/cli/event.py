"""`deckcheck event` and `deckcheck verify`: registration for an event, from its file to the checks of decks at the table."""

import os
import shlex
from pathlib import Path
from typing import Literal

from deckcheck.checking.judge import read_deck
from deckcheck.checking.session import read_list
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import Group, Run, command
from deckcheck.cli.project import format_named, open_event, open_project, protect_event
from deckcheck.config.settings import settings_for
from deckcheck.decklists.decode import decode
from deckcheck.registration import acceptance, deck_checks
from deckcheck.registration import audit as auditing
from deckcheck.registration import draw as drawing
from deckcheck.registration.acceptance import failures, worst_problem
from deckcheck.registration.event import read_event
from deckcheck.registration.log import read_log, receipt_file, write_receipts
from deckcheck.registration.roster import Roster, build_roster
from deckcheck.registration.roster_page import render_html
from deckcheck.registration.tables import render_csv, render_json, render_text
from deckcheck.report.wording import VERDICTS
from deckcheck.support.dates import now, today
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, is_file, write_new
from deckcheck.support.messages import _, n_
from deckcheck.support.safe_text import safe
from deckcheck.support.templates import render

ALL_WELL, SOME_WRONG, NOT_READ, SOME_UNDECIDED = 0, 1, 2, 3
AUDIT_STATUS = {"intact": 0, "altered": 1, "open": 3}
CHECK_STATUS = {"same": 0, "different": 1, "undecided": 3}


@command(_("Write a commented event file, and make the folder for its lists. Existing files are kept."))
def init(
    run: Run,
    file: str = opt.argument(_("File to write (default: event.yaml)."), "[FILE]", default="event.yaml"),
    format: str | None = opt.option(
        _("Format; `deckcheck formats` lists them."), "ID|FILE", "--format", "-f"
    ),
    date: str | None = opt.option(_("Date of the event (default: a week from today)."), "YYYY-MM-DD"),
    form: str | None = opt.option(
        _("Read the columns of a form's export (CSV, TSV, XLSX), and write what they are."), "FILE"
    ),
) -> int:
    from deckcheck.scaffold.setup import LISTS, event_text

    exists = user_error(_("already exists and was kept"), path=file)
    target = Path(file)
    if os.path.lexists(target):
        raise exists
    terminal.explain_first_run(run.lang)
    folders = settings_for([file]).folders
    export = None if form is None else Path(form)
    made = event_text(target, date, format, run.lang, folders, today(), export)
    try:
        if not write_new(target, made.text.encode()):
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
    values: dict[str, object] = {
        "file": file,
        "lists": str(lists),
        "date": made.day,
        "format": made.format,
        "form": made.form,
    }
    values["by_default"] = format is None
    terminal.show(render("event-init.txt", run.lang, **values, quoted=shlex.quote(file)))
    return 0


@command(
    _("Check all lists of an event, and show the players in a table."),
    "* output exit_zero lang color",
    epilog=_(
        "Exit status: 0 every player is fine; 1 a list is illegal, missing or late, a field is empty, or similar; "
        "2 a list (or the event) could not be read; 3 some lists are undecided, and nothing else is wrong. The "
        "output contains names: the output file and the --letters folder are readable by their owner only."
    ),
    help_if_bare=True,
    private=True,
)
def check(
    run: Run,
    event: str = opt.EVENT,
    output_format: Literal["text", "json", "csv", "html"] = opt.option(_("Output format."), default="text"),
    letters: str | None = opt.option(_("Write a notice for each player into this folder."), "DIR"),
    letters_csv: str | None = opt.option(
        _("Write the notices with the players' addresses into this file, for a mail merge."), "FILE"
    ),
) -> int:
    output, lang = run.output, run.lang
    session = open_event(run, event)
    for target in (output, letters, letters_csv):
        protect_event(target, session.event)
    roster = build_roster(session, read_log(session.event.log, session.event.id))
    as_text = output_format == "text"
    if as_text:
        color = terminal.render_options(lang, run.color, file=output).color
        text = render_text(roster, lang, color=color)
    else:
        text = {"csv": render_csv, "html": render_html, "json": render_json}[output_format](roster, lang)
    terminal.show(text, exact=not as_text, file=output, private=True)
    if letters is not None or letters_csv is not None:
        _write_letters(run, roster, letters, letters_csv)
    status = status_of(roster)
    return ALL_WELL if run.exit_zero and status != NOT_READ else status


def _write_letters(run: Run, roster: Roster, folder: str | None, file: str | None) -> None:
    from deckcheck.registration.notices import notices, notices_csv, recipients, write_notices

    progress = terminal.Progress(len(recipients(roster)), run.lang)
    try:
        made = notices(roster, progress.advance)
    finally:
        progress.clear()
    for target in (folder, file):
        if target is None:
            continue
        if target == folder:
            write_notices(made, Path(target), roster.event)
        else:
            terminal.show(notices_csv(made), exact=True, file=target, private=True)
        message = n_(
            "{n:,} notice written to {target}",
            "{n:,} notices written to {target}",
            len(made),
            target=safe(target),
        )
        terminal.write_messages(run.lang, message)
    nowhere = sum(not one.row.submission.player.email for one in made)
    if file is not None and nowhere:
        message = n_("{n:,} of them has no address", "{n:,} of them have no address", nowhere)
        terminal.write_messages(run.lang, message)


def status_of(roster: Roster) -> int:
    """The exit status for the lists that count for players."""
    rows = [row for row in roster.rows if row.needs_attention]
    kinds = {failure.id for row in rows for failure in failures(row, roster.event)}
    if "unreadable" in kinds:
        return NOT_READ
    if kinds - {"undecided", "unsettled"}:
        return SOME_WRONG
    return SOME_UNDECIDED if kinds else ALL_WELL


@command(
    _("Accept the lists: each is frozen as a receipt in the log. What is already accepted does not change."),
    "* output_format lang",
    epilog=_(
        "Exit status: 0 every list is accepted; 1 some are not; 2 something could not be read or written (the "
        "output shows what was accepted)."
    ),
    help_if_bare=True,
    private=True,
)
def accept(
    run: Run,
    event: str = opt.EVENT,
    players: list[str] = opt.argument(
        _("Accept only these: ids of submissions in `event check`, players' ids or names."),
        "[PLAYER...]",
        default=None,
    ),
    by: str | None = opt.option(_("Judge who accepts lists that could not be accepted otherwise."), "JUDGE"),
    reason: str | None = opt.option(_("Why they are accepted."), "TEXT"),
) -> int:
    override = _override(by, reason)
    if override is not None and not players:
        raise user_error(_("with --by, name the players whose lists are accepted"))
    session = open_event(run, event)
    done = acceptance.accept(session, now=now(), only=players, override=override)
    try:
        # Also those of a run that was interrupted before this.
        note = write_receipts(done.log, session.event.receipts)
        done = done._replace(notes=done.notes if note is None else (*done.notes, note))
    except UserError as error:
        hint = _("the log is complete; fix this and run the command again to write the receipts")
        raise UserError([problem._replace(hint=hint) for problem in error.problems]) from error
    finally:
        # Accepted lists stay accepted, and are shown before any error.
        shown = {"done": done, "event": session.event, "worst_problem": worst_problem, "verdicts": VERDICTS}
        run.show("accept.txt", shown, acceptance.acceptance_values(done))
    return 1 if done.refused else 0


def _override(by: str | None, reason: str | None) -> acceptance.Override | None:
    """The decision that the options state; None for neither. Raises UserError for only one of them."""
    if by is None and reason is None:
        return None
    override = acceptance.Override((by or "").strip(), (reason or "").strip())
    if not all(override):
        raise user_error(_("--by and --reason must be used together, and neither may be empty"))
    return override


@command(
    _(
        "Record that a player no longer takes part: the receipt is revoked, and nothing of theirs is printed or drawn."
    ),
    "* output_format lang",
    help_if_bare=True,
    private=True,
)
def withdraw(
    run: Run,
    event: str = opt.EVENT,
    player: str = opt.argument(_("Player: the id of a submission, the player's id or name."), "PLAYER"),
    by: str = opt.option(_("Who decides this, such as the judge or the player."), "NAME", default=...),
    reason: str = opt.option(_("Why."), "TEXT", default=...),
) -> int:
    override = _override(by, reason)
    assert override is not None
    session = open_event(run, event)
    done = acceptance.withdraw(session, player, override, now=now())
    run.show("withdraw.txt", {"done": done}, acceptance.withdrawal_values(done))
    return 0


@command(
    _("Say whether the log is as it was written, and whether each accepted list still gets its verdict."),
    "* output_format lang",
    epilog=_(
        "Exit status: 0 nothing was altered; 1 something was altered; 2 the audit could not run; 3 some receipts "
        "cannot be proven because the rules have changed."
    ),
    help_if_bare=True,
    private=True,
)
def audit(
    run: Run,
    event: str = opt.EVENT,
    receipts: list[str] = opt.argument(
        _("Receipts that must be in the log, such as players' copies."), "[RECEIPT...]", default=None
    ),
    head: list[str] = opt.option(_("A head written down earlier, all 64 digits (repeatable)."), "HASH"),
) -> int:
    session = open_event(run, event)
    if not session.event.log.exists():
        raise user_error(_("there is no log yet"), path=str(session.event.log))
    found = auditing.audit(session, heads=head, receipts=[Path(receipt) for receipt in receipts])
    shown = {"found": found, "verdicts": VERDICTS}
    run.show("audit.txt", shown, auditing.audit_values(found, run.lang))
    return AUDIT_STATUS[found.verdict]


@command(
    _(
        "Draw the decks to check at the table; the same seed and log always draw the same decks. A deck whose last "
        "check (verify --event) matched its list is left out; one that differed can be drawn again."
    ),
    "* output_format lang",
    help_if_bare=True,
    private=True,
)
def draw(
    run: Run,
    event: str = opt.EVENT,
    seed: str = opt.option(
        _("Any text, best chosen in public, such as by rolling dice at the event."), "TEXT", default=...
    ),
    share: str = opt.option(_("Share of all accepted decks to draw."), "N%", default="10%"),
) -> int:
    wanted = drawing.share_of(share)
    opened = read_event(Path(event))
    log = read_log(opened.log, opened.id)
    found = drawing.draw(log, wanted, seed)
    if not found.total:
        raise user_error(_("no list has been accepted yet"), path=str(opened.log))
    head = {"share": share, "seed": seed, "head": log.head}
    files = [receipt_file(opened.receipts, number) for number, _receipt in found.drawn]
    run.show("draw.txt", head | {"found": found, "files": files}, head | drawing.draw_values(found))
    return 0


@command(
    _(
        "Compare a deck at the table, as typed by a judge, with the registered list. With --event, the list must "
        "also be in the event's log, and the result is recorded there (--by is required). A deck whose last check "
        "matched is left out by `event draw`."
    ),
    "* event output_format lang cards games config isolated",
    epilog=_(
        "Exit status: 0 as registered; 1 different; 2 something could not be read; 3 undecided because of "
        "unreadable lines or unknown names."
    ),
    help_if_bare=True,
    private=True,
)
def verify(
    run: Run,
    receipt: str = opt.argument(
        _("Receipt; with --event also the id of a submission, or a player's id or name."), "RECEIPT|PLAYER"
    ),
    deck: str = opt.argument(_("The deck as typed: a file, or - for standard input."), "DECK"),
    between_games: bool = opt.flag(
        _("Allow any legal exchange of the registered cards between games."), "--after-sideboarding"
    ),
    by: str | None = opt.option(_("The judge, for the log of --event."), "JUDGE"),
) -> int:
    project = open_project(run, [receipt if is_file(Path(receipt)) else "."])
    event = None if project.event is None else project.event.event
    judge = (by or "").strip()
    if event is None and by is not None:
        raise user_error(_("--by requires --event, whose log it is recorded in"))
    if event is not None and not judge:
        raise user_error(
            _("--event requires --by, because the check is recorded in the log"),
            hint=_("name the judge who checked the deck"),
        )
    reference = deck_checks.read_reference(receipt, event)
    format, _hashes = format_named(reference.receipt.format.id, project)
    typed = read_deck(format, decode(read_list(deck), deck), deck)
    if not typed.entries and not typed.diagnostics:
        raise user_error(_("no cards in this list"), path=deck)
    found = deck_checks.verify(reference.receipt, typed, format, between_games=between_games)
    if event is not None and found.result != "undecided":
        deck_checks.record_check(
            event, reference, found.result, between_games=between_games, by=judge, path=receipt
        )
    zones = {zone.id: zone.name for zone in format.game_data.game.zones.values()} | dict(format.format.zones)
    shown = {"found": found, "reference": reference, "zones": zones, "between_games": between_games}
    run.show("verify.txt", shown, deck_checks.comparison_values(found, reference))
    return CHECK_STATUS[found.result]


event = Group(
    _("Run deck registration for an event, from the first list to the deck checks."),
    {"init": init, "check": check, "accept": accept, "withdraw": withdraw, "audit": audit, "draw": draw},
)

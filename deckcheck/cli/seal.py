"""`deckcheck seal` and `deckcheck unseal`: a secret list, committed to and opened."""

import secrets
from pathlib import Path

from deckcheck.checking import deck_files
from deckcheck.checking.session import Session
from deckcheck.cli import options as opt
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import format_named, open_project
from deckcheck.cli.terminal import render_options, show
from deckcheck.registration.commitments import (
    Opening,
    Seal,
    check_list,
    commitment,
    list_of,
    opening_from,
    opening_object,
    opens,
    provenance,
    reference_of,
    seal_file,
    uncertain_lines,
    uncertainty_message,
)
from deckcheck.registration.log import read_seal
from deckcheck.registration.submissions import FIELD_NAMES, TIME, read_sender
from deckcheck.report.json import json_page
from deckcheck.report.text import render as render_report
from deckcheck.report.wording import VERDICTS
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import _
from deckcheck.support.safe_text import safe
from deckcheck.support.strict_json import read_object
from deckcheck.support.templates import render

STATUS = {"legal": 0, "illegal": 1, "undecided": 3}
SAME, NOT_SAME = 0, 1


@command(
    _(
        "Register a list without showing it: make a seal with the verdict to hand in, and an opening file to keep."
    ),
    "format event as_of best_of * output_format lang cards games config isolated",
    epilog=_("Exit status: 0 the deck is legal; 1 illegal; 2 not sealed; 3 undecided."),
    help_if_bare=True,
)
def seal(
    run: Run,
    deck: str = opt.DECK,
    folder: str | None = opt.option(_("Folder for the two files (default: that of the deck)."), "DIR"),
) -> int:
    project = open_project(run, [deck])
    opened = Session(project.options).open(deck_files.DeckFile(deck))
    report = opened.check(strict=True)
    listed = list_of(opened.deck, report.game)
    if listed is None:
        raise user_error(
            _("there is no list to seal: {reason}", reason=uncertainty_message(uncertain_lines(opened.deck))),
            path=deck,
            hint=_("`deckcheck check` shows more"),
        )
    sender = read_sender(opened.text, deck)
    if sender.problem is not None:
        raise user_error(sender.problem, path=deck)
    folders = project.options.folders
    hashes = provenance(reference_of(opened.format.format, folders), folders)
    salt = secrets.token_hex(32)
    made = Seal(
        commitment(salt, listed), report.verdict, report.game, hashes.format, report.as_of, hashes.banlists
    )
    page = json_page(seal_file(made, sender))
    source = Path("deck" if deck == deck_files.STANDARD_INPUT else deck)
    target = source.parent if folder is None else Path(folder)
    to_keep, to_hand_in = (target / f"{source.stem}.{kind}.json" for kind in ("opening", "seal"))
    texts = {to_keep: json_page(opening_object(Opening(made, salt, listed))), to_hand_in: page}
    for file in reversed(texts):
        if file.exists():
            hint = _("use --folder to write elsewhere")
            raise user_error(_("already exists and will not be overwritten"), path=str(file), hint=hint)
    try:
        for file, text in texts.items():
            write_atomically(file, text.encode(), durable=True)
    except BaseException as error:
        # An opening without its seal would only obstruct the next try.
        to_keep.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise cannot_write(file, error) from error
        raise
    if run.output_format == "json":
        show(page, exact=True)
    else:
        names = [FIELD_NAMES[field] for field in sender.player.filled] + [TIME] * bool(sender.submitted)
        head = {"seal": made, "format": report.format_name, "verdicts": VERDICTS, "names": names}
        show(render("seal.txt", run.lang, **head, to_hand_in=to_hand_in, to_keep=to_keep))
    return STATUS[report.verdict]


@command(
    _("Prove that an opened list is the sealed one, show it, and check it again."),
    "event lang cards games config isolated",
    epilog=_(
        "Exit status: 0 it is the sealed list, with the same verdict; 1 it is not, or the verdict differs; "
        "2 something could not be read."
    ),
    help_if_bare=True,
    private=True,
)
def unseal(
    run: Run,
    seal: str = opt.argument(_("Seal, or the receipt of a sealed list."), "SEAL"),
    opening: str = opt.argument(_("Opening file."), "OPENING"),
) -> int:
    project = open_project(run, [opening])
    sealed, registered_best_of = read_seal(Path(seal))
    opened = opening_from(read_object(Path(opening)), opening)
    format, hashes = format_named(sealed.format.id, project)
    zones = format.format.zones
    best_of = project.options.best_of if registered_best_of is None else registered_best_of
    report = check_list(opened.cards, format, opening, sealed.as_of, best_of)
    same_list = opens(opened, sealed.commitment)
    text = []
    for zone, name in zones.items():
        if here := [copies for copies in opened.cards.cards if copies.zone == zone]:
            text.append(f"{name.in_(run.lang)} {sum(copies.copies for copies in here)}\n")
            text += (f"  {copies.copies} {safe(copies.card)}\n" for copies in here)
    show("".join(text) + "\n" + render_report(report, render_options(run.lang)))
    changed = hashes != (sealed.format, sealed.banlists)
    found = {"same_list": same_list, "changed": changed, "sealed": sealed.verdict, "verdict": report.verdict}
    show(render("unseal.txt", run.lang, verdicts=VERDICTS, **found))
    return SAME if same_list and report.verdict == sealed.verdict else NOT_SAME

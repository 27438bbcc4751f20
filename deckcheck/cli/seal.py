"""`deckcheck seal` and `deckcheck unseal`: a secret list, committed to and opened."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import command, private_command
from deckcheck.cli.options import (
    AsOf,
    BestOf,
    Cards,
    Config,
    DeckFile,
    Format,
    Isolated,
    JsonOrText,
    Lang,
    OfEvent,
)
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Message, _, series

if TYPE_CHECKING:
    from deckcheck.model.finding import Report
    from deckcheck.registration.model import Seal
    from deckcheck.registration.provenance import Stamp
    from deckcheck.registration.submissions import Sender

STATUS = {"legal": 0, "illegal": 1, "undecided": 3}
SAME, NOT_SAME = 0, 1


def register(app: typer.Typer) -> None:
    """Add both commands."""
    app.command(
        "seal",
        no_args_is_help=True,
        help=_(
            "Register a list without showing it: make a seal with the verdict to hand in, and an opening file to keep."
        ).key,
        epilog=_("Exit status: 0 the deck is legal; 1 illegal; 2 not sealed; 3 undecided.").key,
    )(seal)
    app.command(
        "unseal",
        no_args_is_help=True,
        help=_("Prove that an opened list is the sealed one, show it, and check it again.").key,
        epilog=_(
            "Exit status: 0 it is the sealed list, with the same verdict; 1 it is not, or the verdict differs; "
            "2 something could not be read."
        ).key,
    )(unseal)


@command
def seal(
    deck: DeckFile,
    format: Format = None,
    event: OfEvent = None,
    as_of: AsOf = None,
    best_of: BestOf = None,
    folder: Annotated[
        str | None,
        typer.Option(
            "--folder", metavar="DIR", help=_("Folder for the two files (default: that of the deck).").key
        ),
    ] = None,
    output_format: JsonOrText = "text",
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> int:
    import secrets

    from deckcheck.checking.judge import check
    from deckcheck.checking.session import Session
    from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
    from deckcheck.cli.project import check_options, language_of, project_settings, ruling
    from deckcheck.cli.terminal import output, tell_first_time
    from deckcheck.registration.canonical import list_of, uncertain, uncertainty
    from deckcheck.registration.model import Seal
    from deckcheck.registration.provenance import provenance, reference_of
    from deckcheck.registration.seals import Opening, commitment, opening_object, sealed_object, shown_fields
    from deckcheck.registration.submissions import read_fields, read_player
    from deckcheck.report.json import json_page

    settings = project_settings([deck], config=config, isolated=isolated)
    options = check_options(settings, format=format, as_of=as_of, best_of=best_of, cards=cards)
    rules = ruling(options, event)
    spoken = language_of(settings, lang)
    tell_first_time(spoken)
    opened = Session(rules.options).open(DeckFile(deck))
    try:
        report = check(
            opened.deck, opened.format, as_of=opened.as_of, best_of=opened.best_of, suppressions=False
        )
    except UserError as error:
        raise opened.placed(error) from error
    cards_in_deck = list_of(opened.deck, report.game)
    if cards_in_deck is None:
        raise user_error(
            _("there is no list to seal: {reason}", reason=uncertainty(uncertain(opened.deck))),
            path=deck,
            hint=_("`deckcheck check` shows more"),
        )
    said = read_fields(read_player(opened.text, "" if deck == STANDARD_INPUT else Path(deck).suffix.lower()))
    if said.problem is not None:
        raise user_error(said.problem, path=deck)
    folders = rules.options.folders
    hashes = provenance(reference_of(opened.format.format, folders), folders)
    salt = secrets.token_hex(32)
    made = Seal(
        commitment(salt, cards_in_deck),
        report.verdict,
        report.game,
        hashes.format.id,
        hashes.format.sha256,
        report.as_of,
    )
    page = json_page(sealed_object(made, hashes.banlists, shown_fields(said)))
    to_hand_in, to_keep = _files(deck, folder)
    _write(to_keep, json_page(opening_object(Opening(made, salt, cards_in_deck))))
    try:
        _write(to_hand_in, page)
    except BaseException:
        # What opens nothing would only be in the way of the next try.
        to_keep.unlink(missing_ok=True)
        raise
    with output(None, exact=output_format == "json") as write:
        if output_format == "json":
            write(page)
        else:
            for line in _sealed_lines(made, report, said, to_hand_in, to_keep):
                write(line.in_(spoken) + "\n")
    return STATUS[report.verdict]


def _files(path: str, folder: str | None) -> tuple[Path, Path]:
    """Where the seal and the opening go. Raises UserError where something is there already."""
    from deckcheck.checking.walk import STANDARD_INPUT

    deck = Path("deck") if path == STANDARD_INPUT else Path(path)
    home = deck.parent if folder is None else Path(folder)
    files = (home / f"{deck.stem}.seal.json", home / f"{deck.stem}.opening.json")
    for file in files:
        if file.exists():
            raise user_error(
                _("already exists and will not be overwritten"),
                path=str(file),
                hint=_("use --folder to write elsewhere"),
            )
    return files


def _write(file: Path, text: str) -> None:
    from deckcheck.support.files import cannot_write, write_atomically

    try:
        write_atomically(file, text.encode(), durable=True)
    except OSError as error:
        raise cannot_write(file, error) from error


def _sealed_lines(
    made: "Seal", report: "Report", said: "Sender", to_hand_in: Path, to_keep: Path
) -> Iterator[Message]:
    from deckcheck.registration.model import FIELD_NAMES
    from deckcheck.registration.submissions import TIME
    from deckcheck.report.wording import VERDICTS
    from deckcheck.support.safetext import safe

    yield _(
        "{verdict} ({format}, by the rules of {day})",
        verdict=VERDICTS[made.verdict],
        format=report.format_name,
        day=made.as_of,
    )
    if made.verdict != "legal":
        yield _("`deckcheck check` shows why")
    yield _("commitment {hash}", hash=made.commitment)
    yield _("hand in: {path}", path=safe(str(to_hand_in)))
    names = [FIELD_NAMES[field] for field, value in said.player._asdict().items() if value]
    names += [TIME] if said.submitted else []
    if names:
        yield _("  (does not show the list; besides the verdict it shows: {fields})", fields=series(names))
    yield _("keep, and show nobody until it is opened: {path}", path=safe(str(to_keep)))


@private_command
def unseal(
    seal: Annotated[
        str, typer.Argument(metavar="SEAL", help=_("Seal, or the receipt of a sealed list.").key)
    ],
    opening: Annotated[str, typer.Argument(metavar="OPENING", help=_("Opening file.").key)],
    event: OfEvent = None,
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> int:
    import sys

    from deckcheck.checking.judge import check
    from deckcheck.cli.project import check_options, format_named, language_of, project_settings, ruling
    from deckcheck.cli.terminal import output, tell_first_time, wants_color, width_of
    from deckcheck.registration.canonical import deck_of
    from deckcheck.registration.seals import opening_from, opens
    from deckcheck.report.writer import RenderOptions, make_writer
    from deckcheck.support.safetext import safe
    from deckcheck.support.strictjson import read_object

    settings = project_settings([opening], config=config, isolated=isolated)
    rules = ruling(check_options(settings, cards=cards), event)
    spoken = language_of(settings, lang)
    tell_first_time(spoken)
    sealed, banlists, registered_best_of = _read_seal(Path(seal))
    opened = opening_from(read_object(Path(opening)), opening)
    format, hashes = format_named(sealed.format, rules)
    zones = format.format.zones
    deck = deck_of(opened.cards, format.game_data.catalog.find, zones, opening)
    best_of = rules.options.best_of if registered_best_of is None else registered_best_of
    report = check(deck, format, as_of=sealed.as_of, best_of=best_of, suppressions=False)
    same_list = opens(opened, sealed.commitment)
    look = RenderOptions(spoken, wants_color("auto", sys.stdout), width_of(sys.stdout))
    with output(None, exact=False) as write:
        for zone, name in zones.items():
            here = [copies for copies in opened.cards.cards if copies.zone == zone]
            if here:
                write(f"{name.in_(spoken)} {sum(copies.copies for copies in here)}\n")
                write("".join(f"  {copies.copies} {safe(copies.card)}\n" for copies in here))
        write("\n" + make_writer("text", look).fragment(report))
        changed = hashes.format.sha256 != sealed.format_hash or hashes.banlists != banlists
        for line in _opened_lines(sealed, report, same_list=same_list, changed=changed):
            write(line.in_(spoken) + "\n")
    return SAME if same_list and report.verdict == sealed.verdict else NOT_SAME


def _read_seal(path: Path) -> "tuple[Seal, tuple[Stamp, ...], int | None]":
    """The seal in a file, or that of a receipt, with the banlists of its verdict and the games of a match.

    The games are None where nothing tells them. Raises UserError.
    """
    from deckcheck.registration.log import Receipt, entry_from
    from deckcheck.registration.model import Seal
    from deckcheck.registration.seals import banlists_of, seal_from
    from deckcheck.support.strictjson import read_object

    data = read_object(path)
    if "deckcheck_log" not in data:
        seal = seal_from(data, str(path))
        return seal, banlists_of(data, seal, str(path)), None
    receipt = entry_from(data, str(path)).value
    if not isinstance(receipt, Receipt) or receipt.sealed is None:
        raise user_error(_("not the receipt of a sealed list"), path=str(path))
    stamp = receipt.format
    seal = Seal(receipt.sealed, receipt.verdict, receipt.game, stamp.id, stamp.sha256, receipt.as_of)
    return seal, receipt.banlists, receipt.best_of


def _opened_lines(sealed: "Seal", report: "Report", *, same_list: bool, changed: bool) -> Iterator[Message]:
    from deckcheck.report.wording import VERDICTS

    if not same_list:
        yield _("this is not the list that was sealed")
        return
    yield _("this is the list that was sealed")
    if changed:
        yield _("the format has changed since the list was sealed")
    if report.verdict != sealed.verdict:
        was, now = VERDICTS[sealed.verdict], VERDICTS[report.verdict]
        yield _("the seal says “{sealed}”, but the list is “{checked}”", sealed=was, checked=now)

"""`deckcheck seal` and `unseal`: a secret list, told of and opened."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

from deckcheck.checking.judge import check
from deckcheck.checking.session import OpenedDeck
from deckcheck.checking.walk import STANDARD_INPUT
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.project import language_of
from deckcheck.cli.ruling import Asked, format_named, opened, ruling
from deckcheck.cli.screen import output, wants_color, width_of
from deckcheck.model.finding import Report
from deckcheck.registration.canonical import deck_of, list_of, uncertain, uncertainty
from deckcheck.registration.entries.fields import TIME, Said, said_of
from deckcheck.registration.entries.header import read_player
from deckcheck.registration.obstacles import FIELD_NAMES
from deckcheck.registration.provenance import Stamp, provenance, reference_of
from deckcheck.registration.receipts import Receipt, entry_from
from deckcheck.registration.sealfile import banlists_of, sealed_object, shown_fields
from deckcheck.registration.seals import (
    Opening,
    Seal,
    commitment,
    opening_from,
    opening_object,
    opens,
    seal_from,
)
from deckcheck.report.escaping import json_page
from deckcheck.report.wording import VERDICTS
from deckcheck.report.writer import RenderOptions, make_writer
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import Words, _, series
from deckcheck.support.safetext import safe
from deckcheck.support.strictjson import read_object

__all__ = ["Asked", "seal", "unseal"]

LEGAL, ILLEGAL, UNDECIDED = 0, 1, 3
STATUS = {"legal": LEGAL, "illegal": ILLEGAL, "undecided": UNDECIDED}
SAME, NOT_SAME = 0, 1


def seal(path: str, asked: Asked, folder: str | None, form: str, lang: str | None) -> int:
    """Seal the list at `path`, write both files, tell commitment and verdict, and return the exit status.

    Raises UserError; then nothing is written.
    """
    rules = ruling(path, asked)
    language = language_of(rules.settings, lang)
    tell_first_time(language)
    one = opened(path, rules)
    report = _judged(one)
    listed = list_of(one.deck, report.game)
    if listed is None:
        raise wrong(
            _("there is no list to seal: {reason}", reason=uncertainty(uncertain(one.deck))),
            path=path,
            hint=_("deckcheck check tells more"),
        )
    said = _said(path, one.text)
    hashes = provenance(reference_of(one.format.format, rules.folders), rules.folders)
    salt = secrets.token_hex(32)
    made = Seal(
        commitment(salt, listed),
        report.verdict,
        report.game,
        hashes.format.id,
        hashes.format.sha256,
        report.as_of,
    )
    handed_in = sealed_object(made, hashes.banlists, shown_fields(said))
    to_hand_in, to_keep = _files(path, folder)
    _write(to_keep, json_page(opening_object(Opening(made, salt, listed))))
    try:
        _write(to_hand_in, json_page(handed_in))
    except BaseException:
        # What opens nothing would only be in the way of the next try.
        to_keep.unlink(missing_ok=True)
        raise
    with output(None, exact=form == "json") as write:
        if form == "json":
            write(json_page(handed_in))
        else:
            for line in _told(made, report, said, to_hand_in, to_keep):
                write(line.in_(language) + "\n")
    return STATUS[report.verdict]


def _said(path: str, text: str) -> Said:
    """Whose list it is, as it says at its top. Raises UserError for what is too long."""
    ending = "" if path == STANDARD_INPUT else Path(path).suffix.lower()
    said = said_of(read_player(text, ending))
    if said.problem is not None:
        raise wrong(said.problem, path=path)
    return said


def _judged(one: OpenedDeck) -> Report:
    try:
        return check(one.deck, one.format, as_of=one.as_of, best_of=one.best_of, suppressions=False)
    except UserError as error:
        raise one.placed(error) from error


def _files(path: str, folder: str | None) -> tuple[Path, Path]:
    """Where the seal and the opening go. Raises UserError where something is there already."""
    name = "deck" if path == STANDARD_INPUT else Path(path).stem
    beside = Path() if path == STANDARD_INPUT else Path(path).parent
    home = beside if folder is None else Path(folder)
    files = (home / f"{name}.seal.json", home / f"{name}.opening.json")
    for file in files:
        if file.exists():
            raise wrong(
                _("this is there already, and it won't be written over"),
                path=str(file),
                hint=_("--folder names another place"),
            )
    return files


def _write(file: Path, text: str) -> None:
    try:
        write_atomically(file, text.encode(), durable=True)
    except OSError as error:
        raise cannot_write(file, error) from error


def _told(made: Seal, report: Report, said: Said, to_hand_in: Path, to_keep: Path) -> Iterator[Words]:
    verdict = VERDICTS[made.verdict]
    name = report.format_name
    yield _("{verdict} ({name}, by the rules of {day})", verdict=verdict, name=name, day=made.as_of)
    if made.verdict != "legal":
        yield _("deckcheck check tells why")
    yield _("commitment {commitment}", commitment=made.commitment)
    yield _("hand in: {to_hand_in}", to_hand_in=safe(str(to_hand_in)))
    names = [FIELD_NAMES[field] for field, value in said.player._asdict().items() if value]
    names += [TIME] if said.submitted else []
    if names:
        yield _(
            "  (it doesn't show the list; beside the verdict it shows: {names})",
            names=series(names),
        )
    yield _("keep, and show nobody before it is opened: {to_keep}", to_keep=safe(str(to_keep)))


def unseal(sealed: str, opening: str, asked: Asked, lang: str | None) -> int:
    """Tell whether the opening is that of the seal, show the list with its verdict, and return the exit status.

    Raises UserError for files that are no seal and no opening.
    """
    rules = ruling(opening, asked)
    language = language_of(rules.settings, lang)
    tell_first_time(language)
    marked, banlists, accepted_for = _sealed(Path(sealed))
    kept = opening_from(read_object(Path(opening)), opening)
    mine = opens(kept, marked.commitment)
    format, hashes = format_named(marked.format, rules)
    table, zones = format.game_data, format.format.zones
    deck = deck_of(kept.cards, table.catalog.find, zones, opening)
    best_of = rules.wish.best_of if accepted_for is None else accepted_for
    report = check(deck, format, as_of=marked.as_of, best_of=best_of, suppressions=False)
    stands = mine and report.verdict == marked.verdict
    look = RenderOptions(language, wants_color("auto", sys.stdout), width_of(sys.stdout))
    with output(None, exact=False) as write:
        for zone, name in zones.items():
            here = [one for one in kept.cards.cards if one.zone == zone]
            if here:
                write(f"{name.in_(language)} {sum(one.copies for one in here)}\n")
                write("".join(f"  {one.copies} {safe(one.card)}\n" for one in here))
        write("\n" + make_writer("text", look).fragment(report))
        changed = hashes.format.sha256 != marked.format_hash or hashes.banlists != banlists
        for line in _opened(marked, report, mine=mine, changed=changed):
            write(line.in_(language) + "\n")
    return SAME if stands else NOT_SAME


def _sealed(path: Path) -> tuple[Seal, tuple[Stamp, ...], int | None]:
    """The seal in a file, or that which a receipt tells of, with the banlists of its verdict and the games of a match.

    The games are None where nothing tells them. Raises UserError.
    """
    data = read_object(path)
    if "deckcheck_log" not in data:
        seal = seal_from(data, str(path))
        return seal, banlists_of(data, seal, str(path)), None
    receipt = entry_from(data, str(path)).value
    if not isinstance(receipt, Receipt) or receipt.sealed is None:
        raise wrong(_("this is no receipt of a sealed list"), path=str(path))
    stamp = receipt.format
    seal = Seal(receipt.sealed, receipt.verdict, receipt.game, stamp.id, stamp.sha256, receipt.as_of)
    return seal, receipt.banlists, receipt.best_of


def _opened(marked: Seal, report: Report, *, mine: bool, changed: bool) -> Iterator[Words]:
    if not mine:
        yield _("this is not the list that was sealed")
        return
    yield _("this is the list that was sealed")
    if changed:
        yield _("the format has changed since the list was sealed")
    if report.verdict != marked.verdict:
        was, now = VERDICTS[marked.verdict], VERDICTS[report.verdict]
        yield _("the seal says “{was}”, but the list is {now}", was=was, now=now)

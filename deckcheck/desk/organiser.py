"""What the organiser's pages show and do, in plain values.

Each function opens the event anew, so that what commands or other desks did meanwhile counts; the pages run them in
other processes. All raise UserError.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.checking.judge import read_deck
from deckcheck.desk.checks import Setting
from deckcheck.desk.marked_list import MarkedLine, Note, marked_lines, notes_on_deck
from deckcheck.registration import acceptance, deck_checks
from deckcheck.registration.acceptance import Override
from deckcheck.registration.deck_checks import Reference, draw, draw_values, share_of
from deckcheck.registration.event import EventSession
from deckcheck.registration.log import read_log, write_receipts
from deckcheck.registration.notices import notice, notices, notices_csv
from deckcheck.registration.roster import Roster, build_roster
from deckcheck.registration.roster_tables import (
    entry_values,
    render_csv,
    render_json,
    roster_values,
    submitted_words,
)
from deckcheck.registration.sheet import render_html as render_sheets
from deckcheck.registration.sheet import sheets_of
from deckcheck.support.dates import now
from deckcheck.support.errors import user_error
from deckcheck.support.messages import SEMICOLON, _, plain, series

FILES = {"roster.csv": "text/csv", "roster.json": "application/json", "letters.csv": "text/csv"}
"""The media types of the files for other programs: the roster, and the letters to all players for a mail merge."""


class RosterView(NamedTuple):
    """The roster as the organiser sees it."""

    values: Mapping[str, Any]
    """As in its JSON."""
    times: Mapping[str, str]
    """When each submission came in, by its id, as the clocks at the event show it."""


class PlayerView(NamedTuple):
    """A submission as the organiser sees it."""

    entry: Mapping[str, Any]
    """The submission as in the JSON of the roster."""
    fields: Mapping[str, str]
    """What the player gave, by the names of the fields."""
    submitted: str
    lines: tuple[MarkedLine, ...]
    notes: tuple[Note, ...]
    text: str
    """The list where it couldn't be read."""
    letter: str


class CheckView(NamedTuple):
    """The registered list of a deck to check at the table, and how a typed one compares."""

    player: str
    receipt: int
    cards: Mapping[str, Mapping[str, int]]
    comparison: Mapping[str, Any] | None = None
    """As in the JSON of `verify`."""


def roster(_setting: Setting, event: Path, lang: str) -> RosterView:
    """The roster."""
    entries = _roster(_open(event))
    times = {row.id: submitted_words(row, entries.event) for row in entries.rows}
    return RosterView(roster_values(entries, lang), times)


def file(_setting: Setting, event: Path, lang: str, name: str) -> str:
    """The text of one of FILES."""
    entries = _roster(_open(event))
    match name:
        case "roster.csv":
            return render_csv(entries, lang)
        case "roster.json":
            return render_json(entries, lang)
    return notices_csv(notices(entries))


def sheets(_setting: Setting, event: Path, lang: str, who: str) -> str:
    """The sheets of all players, or of one submission, as a page to print."""
    entries = _roster(_open(event))
    pages, _unclear = sheets_of(entries, lang, [entries.find(who)] if who else ())
    if not pages:
        raise user_error(_("there is no list to print yet"))
    return render_sheets(pages)


def player(_setting: Setting, event: Path, lang: str, who: str) -> PlayerView:
    """One submission with its list, its findings and the letter to its player."""
    entries = _roster(_open(event))
    row = entries.find(who)
    report = row.report
    return PlayerView(
        entry_values(row, entries.event, lang),
        {entries.event.field_name(id).in_(lang): value for id, value in row.player.filled.items()},
        submitted_words(row, entries.event),
        () if report is None else marked_lines(report, entries.format, lang),
        () if report is None else notes_on_deck(report, lang),
        (row.submission.text or "") if report is None else "",
        notice(row, entries, entries.event.language_of(row.player, lang)),
    )


def accept(_setting: Setting, event: Path, lang: str, who: str, by: str, reason: str) -> tuple[str, ...]:
    """Accept one submission, or all that may be ("" for `who`); what was frozen and what was refused, in words.

    With a judge (`by`) and a `reason`, also one that may not be accepted otherwise.
    """
    session = _open(event)
    override = None
    if by.strip() or reason.strip():
        override = Override(by.strip(), reason.strip())
        if not all(override):
            raise user_error(_("a judge's decision needs a name and a reason"))
    done = acceptance.accept(session, now=now(), only=[who] if who else [], override=override)
    write_receipts(done.log, session.event.receipts)
    sentences = [
        _(
            "{player}: accepted (receipt {number})",
            player=row.player.called or row.id,
            number=entry.number,
        ).in_(lang)
        for row, entry in done.accepted
    ]
    for refusal in done.refused:
        name = refusal.row.player.called or refusal.row.id
        reasons = series(refusal.reasons, SEMICOLON)
        sentences.append(_("{player}: not accepted: {reasons}", player=name, reasons=reasons).in_(lang))
    return tuple(sentences) or (_("nothing to accept").in_(lang),)


def withdraw(_setting: Setting, event: Path, lang: str, who: str, by: str, reason: str) -> tuple[str, ...]:
    """Write into the log that a player no longer takes part; what was written, in words."""
    override = Override(by.strip(), reason.strip())
    if not all(override):
        raise user_error(_("a withdrawal needs a name and a reason"))
    session = _open(event)
    done = acceptance.withdraw(session, who, override, now=now())
    write_receipts(done.log, session.event.receipts)
    name = done.row.player.called or done.row.id
    return (_("{player}: withdrawn (entry {number})", player=name, number=done.entry.number).in_(lang),)


def drawn(_setting: Setting, event: Path, _lang: str, share: str, seed: str) -> Mapping[str, Any]:
    """The decks drawn for a check, as in the JSON of `event draw`."""
    opened = _open(event).event
    log = read_log(opened.log, opened.id)
    return draw_values(draw(log, share_of(share), seed))


def registered(_setting: Setting, event: Path, lang: str, who: str) -> CheckView:
    """The registered list of a player."""
    session = _open(event)
    return _view(deck_checks.read_reference(who, session.event), session, lang)


def verify(
    _setting: Setting, event: Path, lang: str, who: str, text: str, between_games: bool, by: str
) -> CheckView:
    """Compare a typed deck with the registered list, and write the result into the log."""
    session = _open(event)
    reference = deck_checks.read_reference(who, session.event)
    if not by.strip():
        raise user_error(_("name the judge who checked the deck"))
    deck = read_deck(session.format, text, "deck")
    if not deck.entries and not deck.diagnostics:
        raise user_error(_("no card is listed here"))
    comparison = deck_checks.verify(reference.receipt, deck, session.format, between_games=between_games)
    if comparison.result != "undecided":
        deck_checks.record_check(
            session.event,
            reference,
            comparison.result,
            between_games=between_games,
            by=by.strip(),
            path=who,
        )
    values: Mapping[str, Any] = plain(deck_checks.comparison_values(comparison, reference), lang)
    return _view(reference, session, lang)._replace(comparison=values)


def _view(reference: Reference, session: EventSession, lang: str) -> CheckView:
    receipt, names = reference.receipt, session.format.format.zones
    cards: dict[str, dict[str, int]] = {}
    for copies in receipt.listed.cards:
        zone = names[copies.zone].in_(lang) if copies.zone in names else copies.zone
        cards.setdefault(zone, {})[copies.card] = copies.copies
    return CheckView(receipt.player.called or str(reference.entry.number), reference.entry.number, cards)


def _open(event: Path) -> EventSession:
    return EventSession.open(event)


def _roster(session: EventSession) -> Roster:
    return build_roster(session, read_log(session.event.log, session.event.id))

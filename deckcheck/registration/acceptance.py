"""Acceptance: from lists that count to receipts in the log."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from deckcheck.registration.conditions import Failure, failures, numbered, unknown_times, worst_problem
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.log import Entry, Log, Receipt, entry_object, extend, receipts_folder
from deckcheck.registration.roster import Roster, Row, build_roster, key_of, name_key
from deckcheck.registration.roster_outputs import render
from deckcheck.registration.seals import list_of
from deckcheck.registration.submissions import Player
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _

MOST_NAMED = 20
"""Of the players that an argument may mean so many are named, by number."""


class Word(NamedTuple):
    """A judge's word: who says that lists are accepted all the same, and why."""

    by: str
    reason: str


class Acceptance(NamedTuple):
    """What came of an acceptance: the log, its new entries, lists accepted before, rows refused or gone."""

    log: Log
    added: tuple[Entry, ...]
    unchanged: int
    refused: tuple[Row, ...]
    gone: tuple[Row, ...] = ()
    notes: tuple[Words, ...] = ()


def accept(
    session: EventSession, *, now: datetime, only: Sequence[str] = (), word: Word | None = None
) -> Acceptance:
    """Freeze every list that counts and fails no condition; what is accepted already stays.

    With `only`, just these players (numbers, ids or names), for whom a judge's `word` overrides what may be overridden.
    Raises UserError, with nothing changed, when the log can't be extended or `only` names nobody.
    """
    event = session.event
    # The lock of a log that is not there yet is not left behind where nobody is named.
    if only and not event.log.exists():
        chosen(build_roster(session), only)
    done = Acceptance(Log(), (), 0, ())

    def make(log: Log) -> list[Receipt]:
        nonlocal done
        _require_whole(log, event)
        roster = build_roster(session, log.receipts)
        taken: list[tuple[Row, tuple[Failure, ...]]] = []
        refused: list[Row] = []
        gone: list[Row] = []
        unchanged = 0
        for row in chosen(roster, only):
            failed = failures(row)
            by_word = all(failure.by_word for failure in failed)
            if row.state == "gone":
                gone.append(row)
            # An accepted list that can't be read any more is not as it was accepted.
            elif row.is_frozen and by_word:
                unchanged += 1
            elif not failed or (word is not None and by_word):
                taken.append((row, failed))
            elif row.counts or row.is_unclear:
                # Of a player's lists only the one that counts is mentioned, unless it is unclear which.
                refused.append(row)
        notes = (*unknown_times(event, [row for row, _failed in taken]), *roster.notes)
        done = Acceptance(log, (), unchanged, tuple(refused), tuple(gone), notes)
        return [_receipt(session, row, now, word, failed) for row, failed in taken]

    log, added = extend(event.log, event.id, make)
    return done._replace(log=log, added=added)


def _receipt(
    session: EventSession, row: Row, now: datetime, word: Word | None, despite: Sequence[Failure]
) -> Receipt:
    event, format, rules = session.event, session.format, session.rules.provenance
    submission, report, seal = row.submission, row.report, row.seal
    judged = report or seal
    if judged is None:
        raise ValueError("nothing to accept")
    errors = [] if report is None else [each for each in report.findings if each.severity == "error"]
    by, reason = word if word is not None and despite else (None, None)
    return Receipt(
        event=event.id,
        date=event.date,
        at=now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        player=submission.player,
        place=submission.place,
        submitted=None if submission.submitted is None else submission.submitted.isoformat(),
        game=format.game_data.game.id,
        format=rules.format,
        banlists=rules.banlists,
        cards=format.game_data.catalog.version,
        as_of=event.as_of,
        best_of=event.best_of,
        verdict=judged.verdict,
        faults=tuple(dict.fromkeys(error.rule for error in errors)),
        listed=None if report is None else list_of(report.deck, report.game),
        sealed=None if seal is None else seal.commitment,
        by=by,
        reason=reason,
        despite=tuple(failure.id for failure in despite),
        replaces=row.accepted,
    )


def chosen(roster: Roster, only: Sequence[str]) -> list[Row]:
    """The rows of the players named in `only`, or all. Raises UserError unless each means one player."""
    if not only:
        return list(roster.rows)
    hint = _("name players by their number in deckcheck event check, or by their id")
    groups: set[int] = set()
    for at, word in enumerate(only, 1):
        id, name = key_of(Player(word, id=word))
        meant = [
            row
            for row in roster.rows
            if (id and key_of(row.submission.player)[0] == id) or str(row.submission.number) == word.strip()
        ]
        # A name that several players have means none of them, not even the one who gave no id.
        meant = meant or [row for row in roster.rows if name and name_key(row.submission.player.name) == name]
        found = {row.group for row in meant}
        if len(found) > 1:
            named = numbered(sorted({row.submission.number for row in meant}), MOST_NAMED)
            message = _("argument {at} may mean several players ({named})", at=at, named=named)
            raise user_error(message, hint=hint)
        if not found:
            raise user_error(_("argument {at} names no player", at=at), hint=hint)
        groups |= found
    return [row for row in roster.rows if row.group in groups]


def _require_whole(log: Log, event: Event) -> None:
    """Raises UserError when there are receipts that the log has lost."""
    stems = [file.stem for file in receipts_folder(event).glob("*.json")]
    numbers = [int(stem) for stem in stems if stem.isascii() and stem.isdigit()]
    if max(numbers, default=0) > len(log.entries):
        raise user_error(
            _("there are receipts for entries that the log lacks: it was lost or cut off"),
            path=str(event.log),
            hint=_("deckcheck event audit tells more"),
        )


# In words and as values for JSON


def acceptance_text(done: Acceptance, event: Event, lang: str) -> str:
    """What was accepted, what not and why, and where it is written down."""
    return render(
        "accept.txt",
        lang,
        done=done,
        event=event,
        folder=receipts_folder(event),
        failures=failures,
        worst_problem=worst_problem,
        numbered=numbered,
        overridable=any(all(failure.by_word for failure in failures(row)) for row in done.refused),
    )


def acceptance_values(done: Acceptance) -> dict[str, object]:
    """As `acceptance_text`."""

    def placed(row: Row, **others: object) -> dict[str, object]:
        return {"number": row.submission.number, "place": row.submission.place, **others}

    return {
        "accepted": [entry_object(entry) for entry in done.added],
        "unchanged": done.unchanged,
        "refused": [
            placed(row, obstacles=[failure.values for failure in failures(row)]) for row in done.refused
        ],
        "gone": [placed(row, receipt=row.accepted) for row in done.gone],
        "notes": done.notes,
        "entries": len(done.log.entries),
        "head": done.log.head,
    }

"""Accepting lists: the lists that count get receipts in the log."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from deckcheck.registration.acceptance_conditions import (
    Failure,
    failures,
    numbered,
    unknown_times,
    worst_problem,
)
from deckcheck.registration.commitments import list_of
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.log import Entry, Log, Receipt, entry_object, extend, receipts_folder
from deckcheck.registration.roster import Roster, Row, build_roster, name_key, player_key
from deckcheck.registration.roster_outputs import render
from deckcheck.registration.submission_files import Player
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _

MOST_NAMED = 20
"""The number of players that are named if an argument is ambiguous."""


class Override(NamedTuple):
    """A judge's decision to accept lists despite failed conditions: who and why."""

    by: str
    reason: str


class Acceptance(NamedTuple):
    """The result: the log, its new entries, the number of lists accepted before, rows refused or gone, notes."""

    log: Log
    added: tuple[Entry, ...]
    unchanged: int
    refused: tuple[Row, ...]
    gone: tuple[Row, ...] = ()
    notes: tuple[Words, ...] = ()


def accept(
    session: EventSession, *, now: datetime, only: Sequence[str] = (), override: Override | None = None
) -> Acceptance:
    """Accept every list that counts and fails no condition; accepted ones stay as they are.

    `only` limits this to some players, by number, id or name; `override` then applies to their lists. Raises
    UserError, with nothing changed, if the log can't be extended or `only` is invalid.
    """
    event = session.event
    # Check the names first, so that an error doesn't leave the lock file of a new log.
    if only and not event.log.exists():
        rows_of(build_roster(session), only)
    done = Acceptance(Log(), (), 0, ())

    def make(log: Log) -> list[Receipt]:
        nonlocal done
        _require_whole(log, event)
        roster = build_roster(session, log.receipts)
        accepted: list[tuple[Row, tuple[Failure, ...]]] = []
        refused: list[Row] = []
        gone: list[Row] = []
        unchanged = 0
        for row in rows_of(roster, only):
            failed = failures(row)
            by_word = all(failure.by_word for failure in failed)
            if row.state == "gone":
                gone.append(row)
            # An accepted list that has become unreadable isn't unchanged.
            elif row.is_frozen and by_word:
                unchanged += 1
            elif not failed or (override is not None and by_word):
                accepted.append((row, failed))
            elif row.counts or row.is_unclear:
                # A player's other lists aren't reported.
                refused.append(row)
        notes = (*unknown_times(event, [row for row, _failed in accepted]), *roster.notes)
        done = Acceptance(log, (), unchanged, tuple(refused), tuple(gone), notes)
        return [_receipt(session, row, now, override, failed) for row, failed in accepted]

    log, added = extend(event.log, event.id, make)
    return done._replace(log=log, added=added)


def _receipt(
    session: EventSession, row: Row, now: datetime, override: Override | None, despite: Sequence[Failure]
) -> Receipt:
    event, format, rules = session.event, session.format, session.rules.provenance
    submission, report, seal = row.submission, row.report, row.seal
    judged = report or seal
    if judged is None:
        raise ValueError("nothing to accept")
    errors = [] if report is None else [finding for finding in report.findings if finding.severity == "error"]
    by, reason = override if override is not None and despite else (None, None)
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


def rows_of(roster: Roster, only: Sequence[str]) -> list[Row]:
    """The rows of the players in `only`, or all. Raises UserError for one that isn't exactly one player."""
    if not only:
        return list(roster.rows)
    hint = _("name players by their number in deckcheck event check, or by their id")
    groups: set[int] = set()
    for at, text in enumerate(only, 1):
        id, name = player_key(Player(text, id=text))
        found = [
            row
            for row in roster.rows
            if (id and player_key(row.submission.player)[0] == id)
            or str(row.submission.number) == text.strip()
        ]
        # A name shared by several players is ambiguous, even if only one of them gave no id.
        found = found or [row for row in roster.rows if name and name_key(row.submission.player.name) == name]
        players = {row.group for row in found}
        if len(players) > 1:
            named = numbered(sorted({row.submission.number for row in found}), MOST_NAMED)
            message = _("argument {at} may mean several players ({named})", at=at, named=named)
            raise user_error(message, hint=hint)
        if not players:
            raise user_error(_("argument {at} names no player", at=at), hint=hint)
        groups |= players
    return [row for row in roster.rows if row.group in groups]


def _require_whole(log: Log, event: Event) -> None:
    """Raises UserError if there are receipt files for entries that the log lacks."""
    stems = [file.stem for file in receipts_folder(event).glob("*.json")]
    numbers = [int(stem) for stem in stems if stem.isascii() and stem.isdigit()]
    if max(numbers, default=0) > len(log.entries):
        raise user_error(
            _("there are receipts for entries that the log lacks: it was lost or cut off"),
            path=str(event.log),
            hint=_("run `deckcheck event audit` for details"),
        )


# Text and JSON


def acceptance_text(done: Acceptance, event: Event, lang: str) -> str:
    """The result in words: what was accepted, what wasn't and why, and where the receipts are."""
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
    """The result as values for JSON."""

    def numbered_row(row: Row, **others: object) -> dict[str, object]:
        return {"number": row.submission.number, "place": row.submission.place, **others}

    return {
        "accepted": [entry_object(entry) for entry in done.added],
        "unchanged": done.unchanged,
        "refused": [
            numbered_row(row, obstacles=[failure.values for failure in failures(row)]) for row in done.refused
        ],
        "gone": [numbered_row(row, receipt=row.accepted) for row in done.gone],
        "notes": done.notes,
        "entries": len(done.log.entries),
        "head": done.log.head,
    }

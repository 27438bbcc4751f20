"""Accepting and withdrawing: the conditions that a row of the roster fails, and what the log then says."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.model.finding import Finding, FindingId, State, list_of, singly, uncertain_lines
from deckcheck.model.format import Severity
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.log import Entry, Log, Receipt, Withdrawal, open_log, utc
from deckcheck.registration.roster import Roster, Row, build_roster
from deckcheck.report.findings import ADD_CARDS
from deckcheck.report.wording import LABELS, Label, gravest_first
from deckcheck.support import VERSION
from deckcheck.support.errors import Problem, user_error
from deckcheck.support.messages import Words, _, series, shortened

_MOST_NAMED = 5


class Failure(Struct, frozen=True):
    """A failed condition of acceptance; `by_word`: a judge can override it."""

    kind: str
    message: Words
    by_word: bool = True


def failures(row: Row, event: Event) -> tuple[Failure, ...]:
    """The conditions that prevent the row's list from being accepted, those that a judge can override last."""
    return tuple(sorted(_failures(row, event), key=lambda failure: failure.by_word))


_OF_STATES: Mapping[str, Words] = {
    "missing": _("there is no list"),
    "unreadable": _("the list can't be read"),
    "illegal": _("the list is illegal"),
    "undecided": _("it can't be decided whether the list is legal"),
}


def _failures(row: Row, event: Event) -> Iterator[Failure]:
    """Failures because of the player's other submissions or other players, of the list, of the time and the fields."""
    if row.state == "gone":
        yield Failure("gone", _("accepted, but no longer among the entries"), by_word=False)
        return
    if row.withdrawn is not None:
        yield Failure("withdrawn", _("this player has withdrawn (entry {number})", number=row.withdrawn))
    if row.conflict == "lists":
        message = _("this player registered more than once, and it is unclear which list counts")
        yield Failure("unclear", message)
    if row.conflict == "player":
        rivals = shortened(row.rivals, _MOST_NAMED)
        message = _(
            "it is unclear whose list this is: others have the same name or id ({rivals})", rivals=rivals
        )
        yield Failure("whose", message)
    if row.instead is not None:
        message = _("another list of the same player counts ({instead})", instead=row.instead)
        yield Failure("superseded", message)
    if row.accepted is not None and not row.is_frozen and (row.instead is None or row.changed is not None):
        message = _("the list is not the one that was accepted (receipt {number})", number=row.accepted)
        yield Failure("changed", message)
    if row.report is not None and (uncertain := uncertain_lines(row.report.deck)):
        lines = shortened(sorted({item.line for item in uncertain}), _MOST_NAMED)
        message = _(
            "some lines can't be read for certain, and must be corrected first (line {lines})", lines=lines
        )
        yield Failure("unsettled", message, by_word=False)
    if row.state in _OF_STATES:
        yield Failure(row.state, _OF_STATES[row.state], by_word=row.report is not None)
    for word, key in row.submission.misspelt:
        message = _("there is no header {word!r}; did you mean {key!r}?", word=word, key=key)
        yield Failure("header", message)
    if row.late:
        yield Failure("late", _("the list came after the deadline"))
    if row.untimed and row.submission.submitted_as:
        message = _(
            "the submission time “{written}” can't be read, so it is unclear whether the list is late",
            written=row.submission.submitted_as,
        )
        yield Failure("untimed", message)
    elif row.untimed:
        message = _("there is no submission time, so it is unclear whether the list is late")
        yield Failure("untimed", message)
    if row.lacking:
        names = series(event.field_name(field) for field in row.lacking)
        yield Failure("lacking", _("not filled in: {names}", names=names))


def state_of(roster: Roster) -> Literal["fine", "problems", "unreadable", "undecided"]:
    """The state of the lists that count for players: the worst one."""
    rows = [row for row in roster.rows if row.needs_attention]
    kinds = {failure.kind for row in rows for failure in failures(row, roster.event)}
    if "unreadable" in kinds:
        return "unreadable"
    if kinds - {"undecided", "unsettled"}:
        return "problems"
    return "undecided" if kinds else "fine"


# What is wrong with a list


def as_finding(problem: Problem) -> Finding:
    """Why a list can't be read as a finding, which is of no rule."""
    return Finding(
        "", Severity.ERROR, State.VIOLATED, problem.message, problem.line, problem.column, hint=problem.hint
    )


def to_correct(row: Row) -> list[Finding]:
    """What is wrong with a row's list that its player could correct, the gravest first: errors and warnings."""
    findings = [as_finding(problem) for problem in row.problems]
    for finding in singly(() if row.report is None else row.report.findings):
        # Players can't correct a banlist, and have no card table.
        if finding.severity != "info" and finding.rule != FindingId.UNCONFIRMED_CHANGE:
            findings.append(replace(finding, hint=None) if finding.hint == ADD_CARDS else finding)
    return gravest_first(findings)


def worst_problem(row: Row) -> Finding | None:
    """The most serious finding of a row, with the number of further errors in its message; None if there is none."""
    findings = to_correct(row)
    if not findings:
        return None
    message = findings[0].message
    if findings[0].severity == "warning":
        message = _("{warning}: {said}", warning=LABELS[Label.WARNING], said=message)
    more = sum(other.severity == "error" for other in findings[1:])
    if more:
        message = _("{message}, and {more} more", message=message, more=more)
    return replace(findings[0], message=message)


# Accepting


class Override(Struct, frozen=True):
    """A judge's decision: who and why."""

    by: str
    reason: str


def decided(by: str, reason: str) -> Override:
    """The decision that somebody stated. Raises UserError if a name or a reason is missing."""
    override = Override(by.strip(), reason.strip())
    if not override.by or not override.reason:
        raise user_error(_("a decision needs a name and a reason"))
    return override


class Refusal(Struct, frozen=True):
    """A row whose list wasn't accepted, with the reasons."""

    row: Row
    reasons: tuple[Failure, ...]

    @property
    def by_word(self) -> bool:
        """Whether a judge can override the reasons."""
        return all(reason.by_word for reason in self.reasons)


class Recorded(Struct, frozen=True):
    """A row, and the entry that was written into the log about it: a receipt, or that the player has withdrawn."""

    row: Row
    entry: Entry


class Acceptance(Struct, frozen=True):
    """The result: the log, what was accepted, the number of lists accepted before, rows refused or gone, notes."""

    log: Log
    accepted: tuple[Recorded, ...]
    unchanged: int
    refused: tuple[Refusal, ...]
    gone: tuple[Row, ...] = ()
    notes: tuple[Words, ...] = ()


def accept(
    session: EventSession, *, now: datetime, only: Sequence[str] = (), override: Override | None = None
) -> Acceptance:
    """Accept every list that counts and fails no condition; accepted ones stay as they are.

    `only` limits this to some submissions, by the id of a submission or a player, or a name; `override` then applies
    to them. Raises UserError, with nothing changed, if the log can't be extended or `only` is invalid.
    """
    if override is not None and not only:
        raise user_error(_("a judge decides about single lists; name them"))
    # An unknown name leaves no lock of a new log behind.
    if only and not session.event.log.exists():
        _rows_named(build_roster(session), only)
    accepted: list[Recorded] = []
    refused: list[Refusal] = []
    with open_log(session.event) as writer:
        roster = build_roster(session, writer.log)
        looked_at = _rows_named(roster, only) if only else [row for row in roster.rows if row.needs_attention]
        for row in looked_at:
            failed = failures(row, session.event)
            if row.is_frozen and override is not None:
                message = _(
                    "already accepted (receipt {accepted}), so there is nothing to decide",
                    accepted=row.accepted,
                )
                failed = (Failure("accepted", message, by_word=False),)
            refusal = Refusal(row, failed)
            if row.state == "gone" and override is None:
                continue
            # An accepted list stays accepted whatever else it fails, unless it can no longer be read.
            if failed and not (refusal.by_word and (row.is_frozen or override is not None)):
                refused.append(refusal)
            elif not row.is_frozen:
                accepted.append(Recorded(row, writer.add(_receipt(session, row, now, override, failed))))
    gone = tuple(row for row in roster.rows if row.state == "gone")
    unchanged = sum(row.is_frozen for row in roster.rows)
    return Acceptance(writer.log, tuple(accepted), unchanged, tuple(refused), gone, roster.notes)


def _rows_named(roster: Roster, only: Sequence[str]) -> list[Row]:
    """The rows that are named, each once. Raises UserError, with the candidates, for what isn't exactly one."""
    rows: list[Row] = []
    for who in only:
        row = roster.find(who)
        if row not in rows:
            rows.append(row)
    twice = {row.group for row in rows if sum(other.group == row.group for other in rows) > 1}
    if twice:
        ids = [row.id for row in rows if row.group in twice]
        raise user_error(_("these are lists of one player: {ids}", ids=shortened(ids, _MOST_NAMED)))
    return rows


def _receipt(
    session: EventSession, row: Row, now: datetime, override: Override | None, despite: Sequence[Failure]
) -> Receipt:
    event, format = session.event, session.format
    rules = session.provenance(event.format)
    submission, report = row.submission, row.report
    listed = None if report is None else list_of(report.deck)
    assert report is not None and listed is not None
    return Receipt(
        event=event.id,
        at=utc(now),
        tool=VERSION,
        date=date.fromisoformat(event.date),
        given=replace(submission.player, deck_name=row.deck_name).public,
        place=submission.place,
        submitted=None if submission.submitted is None else submission.submitted.isoformat(),
        game=format.game_data.game.id,
        format=rules.format,
        banlists=rules.banlists,
        cards=format.game_data.catalog.version,
        as_of=date.fromisoformat(event.as_of),
        best_of=event.best_of,
        verdict=report.verdict,
        faults=tuple(dict.fromkeys(error.rule for error in report.errors)),
        listed=listed,
        fingerprint=listed.fingerprint(report.game),
        by=None if override is None else override.by,
        reason=None if override is None else override.reason,
        despite=tuple(failure.kind for failure in despite),
        replaces=row.accepted,
        submission=submission.id,
    )


def acceptance_values(done: Acceptance) -> dict[str, object]:
    """The result as values for JSON."""

    def values(row: Row, **others: object) -> dict[str, object]:
        return {"submission": row.id, "place": row.submission.place, **others}

    refused = []
    for one in done.refused:
        obstacles = [reason.message for reason in one.reasons]
        refused.append(values(one.row, obstacles=obstacles, by_word=one.by_word))
    return {
        "accepted": [one.entry.content for one in done.accepted],
        "unchanged": done.unchanged,
        "refused": refused,
        "gone": [values(row, receipt=row.accepted) for row in done.gone],
        "notes": done.notes,
        "entries": len(done.log.entries),
        "head": done.log.head,
    }


# Withdrawing


def withdraw(
    session: EventSession,
    who: str,
    override: Override,
    *,
    now: datetime,
    own: Collection[str] | None = None,
) -> Recorded:
    """Write into the log that a player no longer takes part, which revokes the player's receipt.

    `own` are the ids of the submissions of whoever asks for it; by default, an organiser does. Raises UserError, with
    nothing changed, for nobody or several, for one who has already withdrawn, and if others of the player's submissions
    aren't among `own`.
    """
    # As in `accept`.
    if not session.event.log.exists():
        build_roster(session).find(who, player=True)
    with open_log(session.event) as writer:
        roster = build_roster(session, writer.log)
        row = roster.find(who, player=True)
        if row.withdrawn is not None:
            raise user_error(_("this player has withdrawn (entry {number})", number=row.withdrawn))
        submissions = [other.id for other in roster.rows if other.group == row.group and other.id]
        if own is not None and not set(submissions) <= set(own):
            raise user_error(
                _("there are other lists under this name or player ID; ask the organiser to withdraw you")
            )
        withdrawal = Withdrawal(
            event=session.event.id,
            at=utc(now),
            tool=VERSION,
            given=row.player.public,
            receipt=row.accepted,
            submissions=tuple(submissions),
            by=override.by,
            reason=override.reason,
        )
        return Recorded(row, writer.add(withdrawal))

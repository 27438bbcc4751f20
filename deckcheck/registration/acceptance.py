"""Accepting lists: the conditions that a row of the roster fails, and the receipts of the lists that fail none."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from deckcheck.model.finding import singly
from deckcheck.registration.commitments import list_of, uncertain_lines, uncertainty_message
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.log import TIME_FORM, Entry, Log, Receipt, entry_object, extend, receipts_folder
from deckcheck.registration.roster import Roster, Row, build_roster, name_key, player_key
from deckcheck.registration.submissions import FIELD_NAMES, Player
from deckcheck.report.findings import ADD_CARDS
from deckcheck.report.locations import line_of, marks
from deckcheck.report.wording import LABELS, Label, label_of
from deckcheck.support.errors import place_of, user_error
from deckcheck.support.messages import Words, _, n_, p_, series

MOST_NAMED = 20
"""The number of players that are named if an argument is ambiguous."""

_MOST_NUMBERS, _MOST_TIMES, _MOST_SHOWN, _MOST_LINES = 5, 20, 5, 6
_OF_THE_LIST = ("missing", "unreadable", "unclear", "superseded", "unsettled", "illegal", "undecided")


class Failure(NamedTuple):
    """A failed condition of acceptance: `message` for the organiser, `notice` for the player.

    `notice` is None if the row's state explains it. `by_word`: a judge can override the condition.
    """

    id: str
    message: Words
    notice: Words | None = None
    by_word: bool = False

    @property
    def values(self) -> dict[str, object]:
        """The failure as values for JSON."""
        return {"kind": self.id, "message": self.message, "by_word": self.by_word}


def failures(row: Row) -> tuple[Failure, ...]:
    """The conditions that prevent the row's list from being accepted, most serious first."""
    failed = tuple(all_failures(row))
    if row.state == "gone":
        return failed[:1]
    # Later submissions of other players don't affect an accepted list.
    return tuple(item for item in failed if not (row.is_frozen and item.id in ("namesake", "copied")))


def all_failures(row: Row) -> Iterator[Failure]:
    """Every condition that the row fails, those that a judge can override last."""
    if row.state == "gone":
        yield Failure("gone", _("accepted, but no longer among the entries"))
    if row.state == "missing":
        yield Failure("missing", _("there is no list"))
    if row.state == "unreadable":
        yield Failure("unreadable", _("the list can't be read"))
    if row.is_unclear:
        message = _("this player registered more than once, and it is unclear which list counts")
        yield Failure("unclear", message)
    if row.instead is not None:
        message = _("another list of the same player counts (no. {instead})", instead=row.instead)
        yield Failure("superseded", message)
    if row.namesakes:
        message = _(
            "several players have this name, so it is unclear whose list this is without an id ({named})",
            named=numbered(row.namesakes),
        )
        notice = _(
            "Other players have the same name, so it is unclear whose list this is. Please give your player ID."
        )
        yield Failure("namesake", message, notice)
    if row.copies or row.copied is not None:
        named = numbered(row.copies) if row.copies else _("receipt {copied}", copied=row.copied)
        notice = _("Another player handed in the same seal, so it can't be accepted as it is.")
        yield Failure("copied", _("the same seal as another player's ({named})", named=named), notice)
    unsettled = [] if row.report is None else uncertain_lines(row.report.deck)
    if unsettled:
        yield Failure("unsettled", uncertainty_message(unsettled))
    if row.state == "illegal":
        yield Failure("illegal", _("the list is illegal"), by_word=True)
    if row.state == "undecided":
        yield Failure("undecided", _("it can't be decided whether the list is legal"), by_word=True)
    if row.late:
        notice = _("It came after the deadline; the organiser decides whether it is accepted.")
        yield Failure("late", _("the list came after the deadline"), notice, by_word=True)
    if row.untimed:
        message = _("the submission time can't be read, so it is unclear whether the list is late")
        notice = _(
            "The time of submission can't be read; the organiser decides whether the list is accepted."
        )
        yield Failure("untimed", message, notice, by_word=True)
    if row.lacking:
        names = series(FIELD_NAMES[field] for field in row.lacking)
        notice = _("These fields are empty: {names}.", names=names)
        yield Failure("lacking", _("not filled in: {names}", names=names), notice, by_word=True)
    if row.changed == "acceptance":
        yield Failure("changed", _("the list is not the one that was accepted"), by_word=True)


def numbered(numbers: Sequence[int], most: int = _MOST_NUMBERS) -> Words:
    """The numbers of submissions in words, at most `most` of them."""
    shown, more = series(numbers[:most]), len(numbers) - most
    if more > 0:
        return n_("no. {numbers} and {n:,} more", "no. {numbers} and {n:,} more", more, numbers=shown)
    return _("no. {numbers}", numbers=shown)


def unknown_times(event: Event, rows: Sequence[Row]) -> list[Words]:
    """A note on rows without a known time, if there is a deadline; [] if all are known."""
    numbers = [row.submission.number for row in rows if row.late is None]
    if event.deadline is None or not numbers:
        return []
    message = _(
        "the deadline is {when}, but the submission time is unknown for {number:,} of the lists ({named})",
        when=event.local_time(event.deadline),
        number=len(numbers),
        named=numbered(numbers, _MOST_TIMES),
    )
    return [message]


def flags(row: Row) -> list[Words]:
    """The messages on a row other than on its list, such as late, empty fields, registered twice."""
    messages = [failure.message for failure in all_failures(row) if failure.id not in _OF_THE_LIST]
    if row.others:
        shown = [*map(str, row.others[:_MOST_SHOWN]), *(["…"] if len(row.others) > _MOST_SHOWN else [])]
        others = series(shown, p_("beside", ", "))
        message = _(
            "registered more than once (also no. {others}); it is unclear which list counts", others=others
        )
        if row.counts:
            message = _(
                "registered more than once (also no. {others}; no. {number} counts)",
                others=others,
                number=row.submission.number,
            )
        elif row.instead is not None:
            message = _("registered more than once (no. {instead} counts)", instead=row.instead)
        messages.append(message)
    if row.changed == "deadline":
        messages.append(_("another list came after the deadline"))
    if row.accepted is not None:
        messages.append(_("accepted ({accepted})", accepted=row.accepted))
    return messages


# Problems and findings of a list


class Point(NamedTuple):
    """A problem or a finding of a row's list with its place.

    `marks` are its first lines: number, text, and the column and length of the marked part; `more` is a note
    on the rest. `for_player` is False if no player could correct it.
    """

    label: Label
    message: Words
    hint: Words | None
    place: str
    marks: Sequence[tuple[int, str, int, int]] = ()
    more: Words | None = None
    for_player: bool = True


def points(row: Row) -> list[Point]:
    """The problems and findings of a row's list: errors first, then undecided ones, warnings and infos."""
    place = row.submission.place
    result = [
        Point(
            Label.ERROR,
            problem.message,
            problem.hint,
            place_of(problem.path or place, problem.line, problem.column),
            [(problem.line, problem.excerpt or "", problem.column or 1, 0)] if problem.line else [],
        )
        for problem in row.problems
    ]
    if row.report is None:
        return result
    for finding in singly(row.report.findings):
        places = marks(finding, row.report.deck)
        more = len(places) - _MOST_LINES
        point = Point(
            label_of(finding, lenient=False),
            finding.message,
            # Players have no card table.
            None if finding.hint == ADD_CARDS else finding.hint,
            place_of(place, finding.line, finding.column),
            [
                (line, line_of(row.report, line), column, length)
                for line, column, length in places[:_MOST_LINES]
            ],
            _("and {more} more lines", more=more) if more > 0 else None,
            # Players can't correct a banlist.
            finding.severity != "info" and finding.rule != "unconfirmed-change",
        )
        result.append(point)
    return sorted(result, key=lambda point: list(LABELS).index(point.label))


class Worst(NamedTuple):
    """The most serious problem of a row, with its place; `more` counts further errors."""

    place: str
    message: Words
    hint: Words | None
    more: int

    def in_(self, lang: str) -> str:
        """The message with the number of further errors, in `lang`."""
        more = _(", and {more} more", more=self.more).in_(lang) if self.more else ""
        return self.message.in_(lang) + more


def worst_problem(row: Row) -> Worst | None:
    """The most serious problem of a row; None if there is none."""
    shown = [point for point in points(row) if point.for_player]
    if not shown:
        return None
    worst, *others = shown
    message = worst.message
    if worst.label == "warning":
        message = _("{warning}: {said}", warning=LABELS[Label.WARNING], said=message)
    return Worst(worst.place, message, worst.hint, sum(other.label != "warning" for other in others))


# Accepting


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
    by, reason = override if override is not None and despite else (None, None)
    return Receipt(
        event=event.id,
        date=event.date,
        at=now.astimezone(UTC).strftime(TIME_FORM),
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
        faults=() if report is None else tuple(dict.fromkeys(error.rule for error in report.errors)),
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

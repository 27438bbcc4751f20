"""The conditions of acceptance that a row of the roster fails, and the messages on a row for all outputs."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckcheck.model.finding import singly
from deckcheck.registration.commitments import uncertain_lines, uncertainty_message
from deckcheck.registration.event import Event
from deckcheck.registration.roster import Row
from deckcheck.registration.submission_files import FIELD_NAMES
from deckcheck.report.findings import ADD_CARDS
from deckcheck.report.locations import line_of, marks
from deckcheck.report.wording import LABELS, Label, label_of
from deckcheck.support.errors import place_of
from deckcheck.support.messages import Words, _, n_, p_, series

_MOST_NAMED, _MOST_TIMES, _MOST_SHOWN, _MOST_LINES = 5, 20, 5, 6
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


def numbered(numbers: Sequence[int], most: int = _MOST_NAMED) -> Words:
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
            "error",
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
        message = _("{warning}: {said}", warning=LABELS["warning"], said=message)
    return Worst(worst.place, message, worst.hint, sum(other.label != "warning" for other in others))

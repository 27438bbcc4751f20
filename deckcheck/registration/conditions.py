"""The conditions of acceptance: what may be wrong with a row of the roster, worded once for every output."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from deckcheck.registration.canonical import uncertain, uncertainty
from deckcheck.registration.model import FIELD_NAMES, Event, Row
from deckcheck.support.messages import Words, _, n_, series

ConditionId = Literal[
    "gone",
    "missing",
    "unreadable",
    "unclear",
    "superseded",
    "namesake",
    "copied",
    "unsettled",
    "illegal",
    "undecided",
    "late",
    "untimed",
    "lacking",
    "changed",
]
Severity = Literal["unreadable", "error", "undecided"]
"""How `deckcheck event check` ends where nothing graver is found."""

_MOST_NAMED, _MOST_TIMES = 5, 20


class Condition(NamedTuple):
    """A way in which a row may fall short.

    `by_word` says that a judge may accept the list all the same. `fails` tells
    whether a row falls short, `message` words that for the organiser, `notice`
    for the player (None where the state of the list says it). `binds_accepted`
    is False where a list that was accepted before stays accepted.
    """

    id: ConditionId
    by_word: bool
    fails: Callable[[Row], bool]
    message: Callable[[Row], Words]
    notice: Callable[[Row], Words] | None = None
    severity: Severity = "error"
    binds_accepted: bool = True


class Failure(NamedTuple):
    """A condition that a row fails, in words for the organiser and for the player."""

    condition: Condition
    message: Words
    notice: Words | None

    @property
    def id(self) -> ConditionId:
        return self.condition.id

    @property
    def by_word(self) -> bool:
        return self.condition.by_word


def failures(row: Row) -> tuple[Failure, ...]:
    """What stands in the way of accepting this row's list, the gravest first; () for nothing."""
    if row.state == "gone":
        return all_failures(row)[:1]
    return tuple(
        failure for failure in all_failures(row) if failure.condition.binds_accepted or not row.settled
    )


def all_failures(row: Row) -> tuple[Failure, ...]:
    """Every condition that the row fails, also those that don't undo an acceptance."""
    return tuple(
        Failure(each, each.message(row), None if each.notice is None else each.notice(row))
        for each in CONDITIONS
        if each.fails(row)
    )


def numbered(numbers: Sequence[int], most: int = _MOST_NAMED) -> Words:
    """Submissions by their numbers, the first `most` of them."""
    some, more = series(numbers[:most]), len(numbers) - most
    if more > 0:
        return n_("no. {numbers} and {n:,} more", "no. {numbers} and {n:,} more", more, numbers=some)
    return _("no. {numbers}", numbers=some)


def _said(message: Words) -> Callable[[Row], Words]:
    return lambda _row: message


def _superseded(row: Row) -> Words:
    return _("another list of the same player counts (no. {instead})", instead=row.instead)


def _shared_name(row: Row) -> Words:
    return _(
        "several players have this name, so it is unclear whose list this is without an id ({named})",
        named=numbered(row.namesakes),
    )


def _copied_seal(row: Row) -> Words:
    named = numbered(row.copies) if row.copies else _("receipt {copied}", copied=row.copied)
    return _("the same seal as another player's ({named})", named=named)


def _is_unsettled(row: Row) -> bool:
    return row.report is not None and bool(uncertain(row.report.deck))


def _unsettled(row: Row) -> Words:
    return uncertainty([] if row.report is None else uncertain(row.report.deck))


def _names(row: Row) -> Words:
    return series(FIELD_NAMES[field] for field in row.lacking)


CONDITIONS: tuple[Condition, ...] = (
    Condition(
        "gone",
        False,
        lambda row: row.state == "gone",
        _said(_("accepted, but no longer among the entries")),
    ),
    Condition("missing", False, lambda row: row.state == "missing", _said(_("there is no list"))),
    Condition(
        "unreadable",
        False,
        lambda row: row.state == "unreadable",
        _said(_("the list can't be read")),
        severity="unreadable",
    ),
    Condition(
        "unclear",
        False,
        lambda row: row.is_unclear,
        _said(_("this player registered more than once, and it is unclear which list counts")),
    ),
    Condition(
        "superseded",
        False,
        lambda row: not row.counts and row.instead is not None,
        _superseded,
    ),
    Condition(
        "namesake",
        False,
        lambda row: bool(row.namesakes),
        _shared_name,
        _said(
            _(
                "Other players have the same name, so it is unclear whose list this is. Please "
                "give your player ID."
            )
        ),
        binds_accepted=False,
    ),
    Condition(
        "copied",
        False,
        lambda row: bool(row.copies) or row.copied is not None,
        _copied_seal,
        _said(_("Another player handed in the same seal, so it can't be accepted as it is.")),
        binds_accepted=False,
    ),
    Condition("unsettled", False, _is_unsettled, _unsettled, severity="undecided"),
    Condition("illegal", True, lambda row: row.state == "illegal", _said(_("the list is illegal"))),
    Condition(
        "undecided",
        True,
        lambda row: row.state == "undecided",
        _said(_("it can't be decided whether the list is legal")),
        severity="undecided",
    ),
    Condition(
        "late",
        True,
        lambda row: row.late is True,
        _said(_("the list came after the deadline")),
        _said(_("It came after the deadline; the organiser decides whether it is accepted.")),
    ),
    Condition(
        "untimed",
        True,
        lambda row: row.untimed,
        _said(_("the submission time can't be read, so it is unclear whether the list is late")),
        _said(_("The time of submission can't be read; the organiser decides whether the list is accepted.")),
    ),
    Condition(
        "lacking",
        True,
        lambda row: bool(row.lacking),
        lambda row: _("not filled in: {names}", names=_names(row)),
        lambda row: _("These fields are empty: {names}.", names=_names(row)),
    ),
    Condition(
        "changed",
        True,
        lambda row: row.changed == "acceptance",
        _said(_("the list is not the one that was accepted")),
        _said(_("This is not the list that was accepted; a change needs the organiser's consent.")),
    ),
)
"""The gravest first: what no word of a judge can mend stands before what one can."""


def unknown_times(event: Event, rows: Sequence[Row]) -> Words | None:
    """That the deadline can't be watched where times are not known; None where all is well."""
    numbers = [row.submission.number for row in rows if row.late is None]
    if event.deadline is None or not numbers:
        return None
    return _(
        "the deadline is {when}, but the submission time is unknown for {number:,} of the lists ({named})",
        when=event.local_time(event.deadline),
        number=len(numbers),
        named=numbered(numbers, _MOST_TIMES),
    )

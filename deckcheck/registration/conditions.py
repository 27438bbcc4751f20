"""The conditions of acceptance: what may be wrong with a row of the roster, worded once for every output."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from deckcheck.model.deck import Diagnostic, Entry
from deckcheck.registration.canonical import uncertain, uncertainty
from deckcheck.registration.model import FIELD_NAMES, Event, Row
from deckcheck.support.messages import Words, _, n_, series

ConditionId = (
    Literal["gone", "missing", "unreadable", "unclear", "superseded", "namesake", "copied"]
    | Literal["unsettled", "illegal", "undecided", "late", "untimed", "lacking", "changed"]
)
Wording = Words | Callable[[Row], Words]

_MOST_NAMED, _MOST_TIMES = 5, 20


class Condition(NamedTuple):
    """A way in which a row may fall short.

    `fails` tells whether a row falls short, `message` words that for the organiser,
    `notice` for the player (None where the state of the list says it). `by_word` says
    that a judge may accept the list all the same. `binds_accepted` is False where a
    list that was accepted before stays accepted.
    """

    id: ConditionId
    fails: Callable[[Row], bool]
    message: Wording
    notice: Wording | None = None
    by_word: bool = False
    binds_accepted: bool = True


class Failure(NamedTuple):
    """A condition that a row fails, in words for the organiser and for the player."""

    id: ConditionId
    by_word: bool
    message: Words
    notice: Words | None

    def object(self, lang: str) -> dict[str, object]:
        """The failure as plain values for JSON."""
        return {"kind": self.id, "message": self.message.in_(lang), "by_word": self.by_word}


def failures(row: Row) -> tuple[Failure, ...]:
    """What stands in the way of accepting this row's list, the gravest first; () for nothing."""
    if row.state == "gone":
        return all_failures(row)[:1]
    return tuple(_failing(row, [each for each in CONDITIONS if each.binds_accepted or not row.is_frozen]))


def all_failures(row: Row) -> tuple[Failure, ...]:
    """Every condition that the row fails, also those that don't undo an acceptance."""
    return tuple(_failing(row, CONDITIONS))


def _failing(row: Row, conditions: Sequence[Condition]) -> list[Failure]:
    def words(wording: Wording) -> Words:
        return wording(row) if callable(wording) else wording

    return [
        Failure(
            each.id, each.by_word, words(each.message), None if each.notice is None else words(each.notice)
        )
        for each in conditions
        if each.fails(row)
    ]


def numbered(numbers: Sequence[int], most: int = _MOST_NAMED) -> Words:
    """Submissions by their numbers, the first `most` of them."""
    some, more = series(numbers[:most]), len(numbers) - most
    if more > 0:
        return n_("no. {numbers} and {n:,} more", "no. {numbers} and {n:,} more", more, numbers=some)
    return _("no. {numbers}", numbers=some)


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


def _copied_seal(row: Row) -> Words:
    named = numbered(row.copies) if row.copies else _("receipt {copied}", copied=row.copied)
    return _("the same seal as another player's ({named})", named=named)


def _uncertain(row: Row) -> list[Diagnostic | Entry]:
    return [] if row.report is None else uncertain(row.report.deck)


def _lacking(row: Row) -> Words:
    return series(FIELD_NAMES[field] for field in row.lacking)


CONDITIONS: tuple[Condition, ...] = (
    Condition("gone", lambda row: row.state == "gone", _("accepted, but no longer among the entries")),
    Condition("missing", lambda row: row.state == "missing", _("there is no list")),
    Condition("unreadable", lambda row: row.state == "unreadable", _("the list can't be read")),
    Condition(
        "unclear",
        lambda row: row.is_unclear,
        _("this player registered more than once, and it is unclear which list counts"),
    ),
    Condition(
        "superseded",
        lambda row: row.instead is not None,
        lambda row: _("another list of the same player counts (no. {instead})", instead=row.instead),
    ),
    Condition(
        "namesake",
        lambda row: bool(row.namesakes),
        lambda row: _(
            "several players have this name, so it is unclear whose list this is without an id ({named})",
            named=numbered(row.namesakes),
        ),
        _(
            "Other players have the same name, so it is unclear whose list this is. Please give your "
            "player ID."
        ),
        binds_accepted=False,
    ),
    Condition(
        "copied",
        lambda row: bool(row.copies) or row.copied is not None,
        _copied_seal,
        _("Another player handed in the same seal, so it can't be accepted as it is."),
        binds_accepted=False,
    ),
    Condition("unsettled", lambda row: bool(_uncertain(row)), lambda row: uncertainty(_uncertain(row))),
    Condition("illegal", lambda row: row.state == "illegal", _("the list is illegal"), by_word=True),
    Condition(
        "undecided",
        lambda row: row.state == "undecided",
        _("it can't be decided whether the list is legal"),
        by_word=True,
    ),
    Condition(
        "late",
        lambda row: row.late is True,
        _("the list came after the deadline"),
        _("It came after the deadline; the organiser decides whether it is accepted."),
        by_word=True,
    ),
    Condition(
        "untimed",
        lambda row: row.untimed,
        _("the submission time can't be read, so it is unclear whether the list is late"),
        _("The time of submission can't be read; the organiser decides whether the list is accepted."),
        by_word=True,
    ),
    Condition(
        "lacking",
        lambda row: bool(row.lacking),
        lambda row: _("not filled in: {names}", names=_lacking(row)),
        lambda row: _("These fields are empty: {names}.", names=_lacking(row)),
        by_word=True,
    ),
    Condition(
        "changed",
        lambda row: row.changed == "acceptance",
        _("the list is not the one that was accepted"),
        _("This is not the list that was accepted; a change needs the organiser's consent."),
        by_word=True,
    ),
)
"""The gravest first: what no word of a judge can mend stands before what one can."""

"""The roster of an event: a row for each submission, the conditions of accepting it, and what every output says of it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.deck import Diagnostic, Entry
from deckcheck.model.finding import Finding, ListUsed, Report
from deckcheck.registration.canonical import uncertain, uncertainty
from deckcheck.registration.eventfile import Event
from deckcheck.registration.log import Receipt
from deckcheck.registration.seals import Seal
from deckcheck.registration.submissions import FIELD_NAMES, Submission
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.report.writer import place_of
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Value, Words, _, n_, p_, series

State = Literal["legal", "illegal", "undecided", "unreadable", "missing", "gone"]
STATES: dict[str, Words] = {
    "legal": VERDICTS["legal"],
    "illegal": VERDICTS["illegal"],
    "undecided": VERDICTS["undecided"],
    "unreadable": _("unreadable"),
    "missing": _("no list"),
    "gone": _("gone"),
    "unclear": _("unclear which"),
}
"""Names of the states, and of that of a player of whom nobody can tell which list counts."""

MOST_OTHERS = 100
"""Of the submissions that a row has something in common with, so many are named."""

NOT_FOR_PLAYERS = "unconfirmed-change"
"""A finding about the banlist, about which no player can do anything."""

_MOST_NAMED, _MOST_TIMES, _MOST_SHOWN = 5, 20, 5


class Row(NamedTuple):
    """What was found out about one submission; "gone" are those of accepted players who are no longer among the entries.

    `report` is that of a list, `seal` what came in its stead; `problems` make it unreadable. `late` is None
    where there is a deadline and no known time. `lacking` are required fields without a value.

    Rows of one player share their `group`; `numbers` are those of all the player's submissions, where there are
    several. The list that `counts` is the player's; where that is unclear, none counts. `instead` is the number of
    the one that counts. `accepted` is the number of the player's receipt. `changed` says that another list came in
    after the "deadline" and doesn't count, or that this one is not the list that was accepted.

    `namesakes` are submissions of several players with ids and the name of this one, who has no id. `copies` are
    other players' submissions with the same seal, `copied` is the receipt of such a seal. `notes` change nothing.
    """

    submission: Submission
    state: State
    group: int
    report: Report | None = None
    seal: Seal | None = None
    problems: tuple[Problem, ...] = ()
    late: bool | None = False
    lacking: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    counts: bool = True
    accepted: int | None = None
    changed: Literal["deadline", "acceptance"] | None = None
    instead: int | None = None
    notes: tuple[Words, ...] = ()
    namesakes: tuple[int, ...] = ()
    copies: tuple[int, ...] = ()
    copied: int | None = None

    @property
    def untimed(self) -> bool:
        """Whether there is a deadline, and the time that is or should be written here can't be read."""
        return self.late is None and (self.submission.timed or bool(self.submission.submitted_as))

    @property
    def others(self) -> tuple[int, ...]:
        """The numbers of the player's other submissions, the first of them."""
        own = self.submission.number
        return tuple(islice((number for number in self.numbers if number != own), MOST_OTHERS))

    @property
    def is_unclear(self) -> bool:
        """Whether nobody can tell which of the player's lists counts."""
        return not self.counts and self.instead is None

    @property
    def is_frozen(self) -> bool:
        """Whether this list was accepted as it is."""
        return self.counts and self.accepted is not None and self.changed != "acceptance"

    @property
    def shown_state(self) -> str:
        """The state by which outputs colour and find the row, a key of STATES."""
        return "unclear" if self.is_unclear else self.state


class Roster(NamedTuple):
    """All submissions of an event, judged, in their order; behind them the rows that are gone.

    `receipts` are those in force, by number; `notes` are remarks about the event as a whole.
    """

    event: Event
    format: LoadedFormat
    rows: tuple[Row, ...]
    notes: tuple[Words, ...] = ()
    receipts: Mapping[int, Receipt] = {}

    @property
    def remarks(self) -> tuple[Words, ...]:
        """The notes, behind one about unknown times."""
        return (*unknown_times(self.event, self.rows), *self.notes)

    @property
    def player_rows(self) -> dict[int, Row]:
        """A row for each player, by group: the one that counts, the first where that is unclear."""
        found: dict[int, Row] = {}
        for row in self.rows:
            if row.counts or (row.is_unclear and row.group not in found):
                found[row.group] = row
        return found


# The conditions of acceptance

ConditionId = (
    Literal["gone", "missing", "unreadable", "unclear", "superseded", "namesake", "copied"]
    | Literal["unsettled", "illegal", "undecided", "late", "untimed", "lacking", "changed"]
)
Wording = Words | Callable[[Row], Words]


class Condition(NamedTuple):
    """A way in which a row may fall short.

    `fails` says whether a row falls short, `message` words that for the organiser,
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
    """The conditions that keep this row's list from being accepted, the gravest first."""
    if row.state == "gone":
        return all_failures(row)[:1]
    return all_failures(row, [each for each in CONDITIONS if each.binds_accepted or not row.is_frozen])


def all_failures(row: Row, conditions: Sequence[Condition] | None = None) -> tuple[Failure, ...]:
    """Every condition that the row fails, by default also those that don't undo an acceptance."""

    def words(wording: Wording) -> Words:
        return wording(row) if callable(wording) else wording

    return tuple(
        Failure(
            each.id, each.by_word, words(each.message), None if each.notice is None else words(each.notice)
        )
        for each in (CONDITIONS if conditions is None else conditions)
        if each.fails(row)
    )


def numbered(numbers: Sequence[int], most: int = _MOST_NAMED) -> Words:
    """Submissions by their numbers, the first `most` of them."""
    some, more = series(numbers[:most]), len(numbers) - most
    if more > 0:
        return n_("no. {numbers} and {n:,} more", "no. {numbers} and {n:,} more", more, numbers=some)
    return _("no. {numbers}", numbers=some)


def unknown_times(event: Event, rows: Sequence[Row]) -> list[Words]:
    """A note of rows whose time is not known where there is a deadline; none where all is well."""
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


def _copied_seal(row: Row) -> Words:
    named = numbered(row.copies) if row.copies else _("receipt {copied}", copied=row.copied)
    return _("the same seal as another player's ({named})", named=named)


def _uncertain(row: Row) -> list[Diagnostic | Entry]:
    return [] if row.report is None else uncertain(row.report.deck)


def lacking_names(row: Row) -> Words:
    """The required fields that are empty."""
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
        lambda row: _("not filled in: {names}", names=lacking_names(row)),
        lambda row: _("These fields are empty: {names}.", names=lacking_names(row)),
        by_word=True,
    ),
    Condition(
        "changed",
        lambda row: row.changed == "acceptance",
        _("the list is not the one that was accepted"),
        by_word=True,
    ),
)
"""The gravest first: those that no judge can override, then those that a judge can."""

_FLAGGED = {"gone", "namesake", "copied", "late", "untimed", "lacking", "changed"}
"""Conditions about something else than the list itself."""


# What every output says of a row


class Worst(NamedTuple):
    """The worst problem of a row, with its place; `more` counts further errors."""

    place: str
    message: Words
    hint: Words | None
    more: int

    def in_(self, lang: str) -> str:
        """The message, and how many more there are."""
        more = _(", and {more} more", more=self.more).in_(lang) if self.more else ""
        return self.message.in_(lang) + more


def worst_problem(row: Row) -> Worst | None:
    """The problem to show first; None where there is none."""
    place = row.submission.place
    if row.problems:
        first = row.problems[0]
        where = place_of(first.path or place, first.line, first.column)
        return Worst(where, first.message, first.hint, len(row.problems) - 1)
    # Infos and what concerns the banlist as a whole are no reason to look at a deck.
    ranked = [
        each for each in sorted_findings(row) if each.severity != "info" and each.rule != NOT_FOR_PLAYERS
    ]
    if not ranked:
        return None
    worst, *others = ranked
    message = worst.message
    if worst.severity == "warning":
        message = _("{warning}: {said}", warning=LABELS["warning"], said=message)
    where = place_of(place, worst.line, worst.column)
    return Worst(where, message, worst.hint, sum(other.severity == "error" for other in others))


def sorted_findings(row: Row) -> list[Finding]:
    """The findings, sure errors first, then open ones, then warnings; each in the order of the list."""

    def gravity(finding: Finding) -> tuple[int, bool]:
        return ("error", "warning", "info").index(finding.severity), finding.verdict != "violated"

    return [] if row.report is None else sorted(row.report.findings, key=gravity)


def flags(row: Row) -> list[Words]:
    """What there is to say of a row beside its list: gone, a copied seal, late, empty fields, registered twice, changed."""
    found = [failure.message for failure in all_failures(row) if failure.id in _FLAGGED]
    if row.others:
        some: list[Value] = [*row.others[:_MOST_SHOWN], *(["…"] if len(row.others) > _MOST_SHOWN else [])]
        others = series(some, p_("beside", ", "))
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
        found.append(message)
    if row.changed == "deadline":
        found.append(_("another list came after the deadline"))
    if row.accepted is not None:
        found.append(_("accepted ({accepted})", accepted=row.accepted))
    return found


def headline(event: Event) -> Words:
    """The name of the event and its day."""
    return _("{event} ({date})", event=event.name, date=event.date)


def by_rules(roster: Roster) -> Words:
    """The rules by which the lists were judged."""
    name, day, match = roster.format.format.name, roster.event.as_of, roster.event.best_of
    if match:
        return _("{name}, by the rules of {day}, best of {match}", name=name, day=day, match=match)
    return _("{name}, by the rules of {day}", name=name, day=day)


def totals(roster: Roster) -> dict[str, int]:
    """How many players are what, by the keys of the JSON output.

    "entries" counts submissions and "unknown_time" lists without a time though there is a
    deadline; everything else counts players.
    """
    rows = roster.rows
    counting = [row for row in rows if row.counts]
    states = Counter[str](row.state for row in counting)
    players = Counter(row.group for row in rows)
    states["unclear"] = len(players) - len(counting)
    return {
        "players": len(players),
        "entries": sum(row.state != "gone" for row in rows),
        **{state: states[state] for state in STATES},
        "late": sum(row.late is True for row in counting),
        "unknown_time": sum(row.late is None for row in rows),
        "lacking": sum(bool(row.lacking) for row in counting),
        "twice": sum(number > 1 for number in players.values()),
        "changed": sum(row.changed is not None for row in counting),
        "accepted": len({row.group for row in rows if row.accepted is not None}),
    }


def total_words(found: Mapping[str, int]) -> Words:
    """All totals in one line; what is nought is left out."""
    besides: dict[str, Words] = {
        "late": p_("note", "late"),
        "lacking": _("with empty fields"),
        "twice": _("registered more than once"),
        "changed": _("with a changed list"),
        "accepted": _("accepted"),
    }
    main, more = (
        series(
            _("{number:,} {name}", number=found[key], name=name) for key, name in names.items() if found[key]
        )
        for names in (STATES, besides)
    )
    states = main if main.items else _("none")
    line = n_("{n:,} player: {states}", "{n:,} players: {states}", found["players"], states=states)
    return p_("totals", "{totals} ({more})", totals=line, more=more) if more.items else line


def lists_used(roster: Roster) -> tuple[tuple[ListUsed, ...], frozenset[str]]:
    """The banlists that were used, and the cards in lists of which they have a change that was not applied."""
    reports = [row.report for row in roster.rows if row.report is not None]
    used = reports[0].lists if reports else ()
    unapplied = {change.card for banlist in used for change in banlist.unapplied}
    names = (
        entry.cards[0].name
        for report in (reports if unapplied else ())
        for entry in report.deck.entries
        if len(entry.cards) == 1
    )
    return used, frozenset(unapplied.intersection(names))


def submitted_words(row: Row, event: Event) -> str:
    """When a list came in, by the clocks at the event; what is written there where that is no time."""
    submission = row.submission
    return submission.submitted_as if submission.submitted is None else event.local_time(submission.submitted)

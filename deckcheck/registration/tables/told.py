"""What every table of a roster tells of a row, and of all of them together."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from deckcheck.model.finding import Finding, ListUsed
from deckcheck.registration.conditions import ConditionId, all_failures, unknown_times
from deckcheck.registration.model import Event, Roster, Row, State
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.support.messages import Words, _, p_, series
from deckcheck.support.text import Text

STATES: Mapping[State, Words] = {
    "legal": VERDICTS["legal"],
    "illegal": VERDICTS["illegal"],
    "undecided": VERDICTS["undecided"],
    "unreadable": _("unreadable"),
    "missing": _("no list"),
    "gone": _("gone"),
}
UNCLEAR = _("unclear which")

_TOLD_BELOW = "unconfirmed-change"


class Totals(NamedTuple):
    """How many players are what; a player of whom no list counts is `unclear`.

    `entries` are all that came in. `unknown_time` counts lists without a time
    though there is a deadline.
    """

    players: int
    entries: int
    states: Mapping[State, int]
    unclear: int
    late: int
    unknown_time: int
    lacking: int
    twice: int
    changed: int
    accepted: int


class Told(NamedTuple):
    """The gravest thing that there is to tell of a row, with its place; `more` counts further errors.

    A `warning` doesn't count for the verdict.
    """

    place: str
    message: Words
    hint: Words | None
    more: int
    warning: bool = False

    def in_(self, lang: str) -> str:
        """The message, with what it is called where it is only a warning, and how many more there are."""
        said = self.message.in_(lang)
        if self.warning:
            said = _("{warning}: {said}", warning=LABELS["warning"], said=said).in_(lang)
        if self.more:
            said += _(", and {more} more", more=self.more).in_(lang)
        return said


def totals(roster: Roster) -> Totals:
    """The totals of all rows."""
    standing = [row for row in roster.rows if row.counts]
    states = Counter(row.state for row in standing)
    groups = Counter(row.group for row in roster.rows)
    return Totals(
        players=len(groups),
        entries=sum(row.state != "gone" for row in roster.rows),
        states={state: states[state] for state in STATES},
        unclear=len(groups) - len(standing),
        late=sum(row.late is True for row in standing),
        unknown_time=sum(row.late is None for row in roster.rows),
        lacking=sum(bool(row.lacking) for row in standing),
        twice=sum(number > 1 for number in groups.values()),
        changed=sum(row.changed is not None for row in standing),
        accepted=len({row.group for row in roster.rows if row.accepted is not None}),
    )


def state_name(row: Row) -> Words:
    """What the state of a row is called; a list that doesn't count has one of its own where nobody can tell why."""
    return UNCLEAR if is_unclear(row) else STATES[row.state]


def is_unclear(row: Row) -> bool:
    """Whether nobody can tell which of the player's lists stands."""
    return not row.counts and row.instead is None


def gravest(row: Row) -> Told | None:
    """What to tell first of a row; None where there is nothing."""
    place = row.submission.place
    if row.problems:
        first = row.problems[0]
        where = ":".join(str(part) for part in (first.path or place, first.line, first.column) if part)
        return Told(where, first.message, first.hint, len(row.problems) - 1)
    # Infos and what is told of the list of cards as a whole are no reason to look at a deck.
    findings = [one for one in sorted_findings(row) if one.severity != "info" and one.rule != _TOLD_BELOW]
    if not findings:
        return None
    one = findings[0]
    where = ":".join(str(part) for part in (place, one.line, one.column) if part)
    more = sum(other.severity == "error" for other in findings[1:])
    return Told(where, one.message, one.hint, more, one.severity == "warning")


def sorted_findings(row: Row) -> list[Finding]:
    """The findings, sure errors first, then open ones, then warnings; each in the order of the list."""
    findings = () if row.report is None else row.report.findings
    return sorted(findings, key=_gravity)


def _gravity(finding: Finding) -> int:
    if finding.severity == "error":
        return 0 if finding.verdict == "violated" else 1
    return 2 if finding.severity == "warning" else 3


_BESIDE_THE_LIST: frozenset[ConditionId] = frozenset(
    ["gone", "namesake", "copied", "late", "untimed", "lacking", "changed"]
)


def flags(row: Row) -> list[Words]:
    """What there is to tell of a row beside its list: gone, a copied seal, late, empty fields, registered twice, changed."""
    found = [failure.message for failure in all_failures(row) if failure.id in _BESIDE_THE_LIST]
    if row.others:
        found.append(_twice(row))
    if row.changed == "deadline":
        found.append(_("another list came after the deadline"))
    if row.accepted is not None:
        found.append(_("accepted ({accepted})", accepted=row.accepted))
    return found


def _twice(row: Row) -> Words:
    others = "・".join(map(str, row.others[:5])) + ("…" if len(row.others) > 5 else "")
    if row.counts:
        return Text(
            f"重複登録（{others}番。この{row.submission.number}番を使います）",
            f"registered more than once (also no. {others.replace('・', ', ')}; this one stands)",
        )
    if row.instead is None:
        return Text(
            f"重複登録（{others}番）で、どれを使うのか決められません",
            f"registered more than once (also no. {others.replace('・', ', ')}); which list stands can't be told",
        )
    return _("registered more than once (no. {instead} stands)", instead=row.instead)


def headline(event: Event) -> Words:
    """The name of the event and its day."""
    return _("{event} ({date})", event=event.name, date=event.date)


def by_rules(roster: Roster) -> Words:
    """By which rules the lists were judged."""
    name, event = roster.format.format.name, roster.event
    match = event.best_of
    return (
        _("{name}, by the rules of {day}, best of {match}", name=name, day=event.as_of, match=match)
        if match
        else _("{name}, by the rules of {day}", name=name, day=event.as_of)
    )


def total_words(found: Totals) -> Words:
    """All totals in one line; what is nought is left out."""
    states = [(STATES[state], number) for state, number in found.states.items()]
    states.append((UNCLEAR, found.unclear))
    besides = [
        (p_("note", "late"), found.late),
        (_("with empty fields"), found.lacking),
        (_("registered more than once"), found.twice),
        (_("with a changed list"), found.changed),
        (_("accepted"), found.accepted),
    ]
    message = series(_("{number:,} {name}", number=number, name=name) for name, number in states if number)
    more = series(_("{number:,} {name}", number=number, name=name) for name, number in besides if number)
    players = "player" if found.players == 1 else "players"
    return Text(
        f"{found.players:,}人: {message.ja or 'なし'}" + (f"（{more.ja}）" if more.ja else ""),
        f"{found.players:,} {players}: {message.en or 'none'}" + (f" ({more.en})" if more.en else ""),
    )


def remarks(roster: Roster) -> list[Words]:
    """What is to be told of the event as a whole."""
    untold = unknown_times(roster.event, roster.rows)
    return [*([] if untold is None else [untold]), *roster.notes]


def local(time: datetime, event: Event) -> str:
    """A time as the clocks at the event show it."""
    return event.local_time(time)


def at_event(time: datetime, event: Event) -> datetime:
    """The same time in the event's time zone, where the system knows that."""
    return event.clock(time)


def lists_used(roster: Roster) -> tuple[tuple[ListUsed, ...], frozenset[str]]:
    """The dated lists by which was judged, and the cards in lists of which they tell a change that was not applied."""
    reports = [row.report for row in roster.rows if row.report is not None]
    if not reports:
        return (), frozenset()
    used = reports[0].lists
    told = {change.card for one in used for change in one.unapplied}
    held = {
        entry.cards[0].name
        for report in reports
        if told
        for entry in report.deck.entries
        if len(entry.cards) == 1 and entry.cards[0].name in told
    }
    return used, frozenset(held)

"""What every output of a roster says of a row, the totals of all rows, and statistics of what is played."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from deckcheck.model.deck import Deck
from deckcheck.model.finding import Finding, ListUsed
from deckcheck.registration.conditions import ConditionId, all_failures, unknown_times
from deckcheck.registration.model import Event, Roster, Row, State
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.support.messages import Localized, Words, _, n_, p_, series

STATES: Mapping[State, Words] = {
    "legal": VERDICTS["legal"],
    "illegal": VERDICTS["illegal"],
    "undecided": VERDICTS["undecided"],
    "unreadable": _("unreadable"),
    "missing": _("no list"),
    "gone": _("gone"),
}
UNCLEAR = _("unclear which")

_OF_THE_BANLIST = "unconfirmed-change"


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


class Worst(NamedTuple):
    """The worst problem of a row, with its place; `more` counts further errors.

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


def worst_problem(row: Row) -> Worst | None:
    """The problem to show first; None where there is none."""
    place = row.submission.place
    if row.problems:
        first = row.problems[0]
        where = ":".join(str(part) for part in (first.path or place, first.line, first.column) if part)
        return Worst(where, first.message, first.hint, len(row.problems) - 1)
    # Infos and what is told of the list of cards as a whole are no reason to look at a deck.
    findings = [one for one in sorted_findings(row) if one.severity != "info" and one.rule != _OF_THE_BANLIST]
    if not findings:
        return None
    one = findings[0]
    where = ":".join(str(part) for part in (place, one.line, one.column) if part)
    more = sum(other.severity == "error" for other in findings[1:])
    return Worst(where, one.message, one.hint, more, one.severity == "warning")


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
    others = series([*row.others[:5], *(["…"] if len(row.others) > 5 else [])], p_("beside", ", "))
    if row.counts:
        return _(
            "registered more than once (also no. {others}; no. {number} counts)",
            others=others,
            number=row.submission.number,
        )
    if row.instead is None:
        return _(
            "registered more than once (also no. {others}); it is unclear which list counts", others=others
        )
    return _("registered more than once (no. {instead} counts)", instead=row.instead)


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
    states_found = message if message.items else _("none")
    line = n_("{n:,} player: {states}", "{n:,} players: {states}", found.players, states=states_found)
    return p_("totals", "{totals} ({more})", totals=line, more=more) if more.items else line


def remarks(roster: Roster) -> list[Words]:
    """What is to be told of the event as a whole."""
    unknown = unknown_times(roster.event, roster.rows)
    return [*([] if unknown is None else [unknown]), *roster.notes]


def lists_used(roster: Roster) -> tuple[tuple[ListUsed, ...], frozenset[str]]:
    """The dated lists by which was judged, and the cards in lists of which they tell a change that was not applied."""
    reports = [row.report for row in roster.rows if row.report is not None]
    if not reports:
        return (), frozenset()
    used = reports[0].lists
    unapplied = {change.card for one in used for change in one.unapplied}
    held = {
        entry.cards[0].name
        for report in reports
        if unapplied
        for entry in report.deck.entries
        if len(entry.cards) == 1 and entry.cards[0].name in unapplied
    }
    return used, frozenset(held)


MOST_CARDS = 20


class Slice(NamedTuple):
    """A value, and how many decks hold a card that has it."""

    name: Words
    decks: int


class Chart(NamedTuple):
    """An attribute, and its values in the game's order, those that nobody plays left out unless the game names them."""

    name: Words
    slices: tuple[Slice, ...]


class Played(NamedTuple):
    """A card, how many decks play it, and how many copies there are in all of them."""

    card: str
    decks: int
    copies: int


class Statistics(NamedTuple):
    """What is played in `decks` lists."""

    decks: int
    charts: tuple[Chart, ...]
    cards: tuple[Played, ...]


def statistics_of(roster: Roster, most: int = MOST_CARDS) -> Statistics:
    """What is played at an event; lists that don't count, can't be read or are sealed don't count."""
    decks = [row.report.deck for row in roster.rows if row.counts and row.report is not None]
    charts = tuple(_chart(roster, key, decks) for key in roster.format.game_data.game.charts)
    return Statistics(len(decks), charts, _most_played(decks, most))


def _chart(roster: Roster, key: str, decks: list[Deck]) -> Chart:
    attribute = roster.format.game_data.game.attributes[key]
    counts: Counter[str] = Counter()
    for deck in decks:
        held: set[str] = set()
        for entry in deck.entries:
            fact = entry.cards[0].facts.get(key) if len(entry.cards) == 1 and entry.copies else None
            if isinstance(fact, frozenset):
                held |= fact
        counts.update(held)
    others = sorted(counts.keys() - set(attribute.values), key=lambda value: (-counts[value], value))
    names = attribute.names or {}
    return Chart(
        attribute.name,
        tuple(
            Slice(names.get(value, Localized(value, value)), counts[value])
            for value in [*attribute.values, *others[:MOST_CARDS]]
        ),
    )


def _most_played(decks: list[Deck], most: int) -> tuple[Played, ...]:
    copies: Counter[str] = Counter()
    players: Counter[str] = Counter()
    for deck in decks:
        mine: Counter[str] = Counter()
        for entry in deck.entries:
            if len(entry.cards) == 1 and entry.copies:
                mine[entry.cards[0].name] += entry.copies
        copies.update(mine)
        players.update(mine.keys())
    best = sorted(players, key=lambda name: (-players[name], -copies[name], name))[:most]
    return tuple(Played(name, players[name], copies[name]) for name in best)

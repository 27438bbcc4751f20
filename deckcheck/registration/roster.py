"""The roster of an event: a row for each submission, which one counts, and what keeps it from being accepted."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.deck import Diagnostic, Entry
from deckcheck.model.finding import Finding, ListUsed, Report
from deckcheck.registration.commitments import Seal, list_of, uncertain, uncertainty
from deckcheck.registration.eventfile import Event
from deckcheck.registration.log import Receipt
from deckcheck.registration.submissions import FIELD_NAMES, Player, Submission
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.report.writer import line_of, marks, place_of
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Value, Words, _, n_, p_, series
from deckcheck.support.safetext import without_hidden

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

_MOST_NAMED, _MOST_TIMES, _MOST_SHOWN, _MOST_LINES = 5, 20, 5, 6


class Row(NamedTuple):
    """What is known of one submission; "gone" are those of accepted players who are no longer among the entries.

    `problems` make the list unreadable. `late` is None where there is a deadline and no known time. `lacking` are required
    fields without a value. `notes` change nothing. Rows of one player share their `group`; `numbers` are those of all the
    player's submissions if there are several. One of them `counts`, and `instead` is its number in the other rows; where it
    is unclear, none does. `accepted` is the number of the player's receipt. `changed`: another list came in after the
    "deadline", or this is not the one of the "acceptance". `namesakes` are submissions of several players with ids and this
    name, `copies` other players' submissions with the same seal, and `copied` the receipt of such a seal.
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
    def mark(self) -> str | None:
        """What tells this list from others: its fingerprint, or the commitment of its seal; None for no list."""
        if self.seal is not None:
            return self.seal.commitment
        listed = None if self.report is None else list_of(self.report.deck, self.report.game)
        return None if listed is None else listed.fingerprint

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
    """All submissions of an event in their order, behind them the rows that are gone, and the receipts in force."""

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


# Who is the same player


def groups(players: Sequence[Player]) -> list[int]:
    """A number for each player, the same for those who are one person; numbered from 1 as they first appear.

    The same id is the same person. Who gives only a name is one with the others who do, and with the only holder of an id
    who bears it; where several ids share it, one more person. Who gives neither is nobody else.
    """
    keys = [(id_key(player), name_key(player.name)) for player in players]
    holders: dict[str, set[str]] = defaultdict(set)
    for id, name in keys:
        if id and name:
            holders[name].add(id)
    numbers: dict[tuple[str, str | int], int] = {}
    found = []
    for at, (id, name) in enumerate(keys):
        held = holders.get(name, ())
        key: tuple[str, str | int] = ("id", id) if id else ("name", name) if name else ("nobody", at)
        if not id and len(held) == 1:
            key = ("id", next(iter(held)))
        found.append(numbers.setdefault(key, len(numbers) + 1))
    return found


def id_key(player: Player) -> str:
    """The id of a player for comparing; "" for none."""
    return name_key(player.id).casefold()


def name_key(text: str | None) -> str:
    """A name or an id without blanks and invisible characters, by which nobody is told apart."""
    shown = without_hidden(unicodedata.normalize("NFKC", text or ""), joiners=True)
    return "".join(shown.split())


# Precedence: which of a player's submissions counts


def with_precedence(event: Event, rows: Sequence[Row]) -> list[Row]:
    """The rows of one player, each with the others' numbers and whether it counts.

    Of several lists the last one on time counts, of late ones the last. Where a time is missing nobody can tell, unless all
    lists are the same. Required fields that the list that counts leaves empty are taken from earlier submissions.
    """
    if len(rows) == 1:
        return list(rows)
    lists = [row for row in rows if row.state != "missing"] or rows
    # What is not yet a list is compared by its text.
    marks = {
        row.submission.number: row.mark
        or f"text {row.submission.number if row.problems else row.submission.text}"
        for row in lists
    }
    in_time = [row for row in lists if not row.late] or lists
    winner: int | None = max(in_time, key=_when).submission.number
    if any(row.submission.submitted is None for row in lists):
        winner = in_time[-1].submission.number if len(set(marks.values())) == 1 else None
    # One tuple for all of them: whoever registers ten thousand times doesn't make it ten thousand such tuples.
    numbers = tuple(row.submission.number for row in rows)
    done = []
    for row in rows:
        counts = row.submission.number == winner
        if counts:
            mark = marks[row.submission.number]
            later = any(other.late and marks[other.submission.number] != mark for other in lists)
            row = _completed(row, rows)
            if row.late is False and event.deadline is not None and later:
                row = row._replace(changed="deadline")
        done.append(row._replace(numbers=numbers, counts=counts, instead=None if counts else winner))
    return done


def _when(row: Row) -> tuple[float, int]:
    """Those without a time, who can't be placed among the others, come first."""
    when = row.submission.submitted
    return -1.0 if when is None else when.timestamp(), row.submission.number


def _completed(row: Row, rows: Sequence[Row]) -> Row:
    """The row with required fields that its player left empty and gave before, the last time first."""
    own = row.submission

    def is_before(other: Submission) -> bool:
        if other.submitted is None or own.submitted is None:
            return other.number < own.number
        return (other.submitted, other.number) < (own.submitted, own.number)

    earlier = sorted((other for other in rows if is_before(other.submission)), key=_when, reverse=True)
    found: dict[str, str] = {}
    notes = []
    for field in row.lacking:
        values = ((other, other.submission.player.given.get(field, "")) for other in earlier)
        other, value = next(((other, value) for other, value in values if value.strip()), (row, ""))
        if value:
            found[field] = value
            message = _(
                "{name}: left empty here, taken from the earlier submission no. {number}",
                name=FIELD_NAMES[field],
                number=other.submission.number,
            )
            notes.append(message)
    return row._replace(
        submission=own._replace(player=own.player._replace(**found)),
        lacking=tuple(field for field in row.lacking if field not in found),
        notes=(*row.notes, *notes),
    )


# What was accepted, and what rows have in common

Receipts = dict[int, tuple[int, Receipt]]
"""The receipt of each player in force, with its number, by the player's group."""


def receipts_of(accepted: Mapping[int, Receipt], players: Sequence[int], rows: Iterable[Row]) -> Receipts:
    """The last receipt of each player, by the `players`' groups; nameless ones are assigned by place and list."""
    last = dict(zip(players, accepted.items(), strict=True))

    def is_named(player: Player) -> bool:
        return bool(id_key(player) or name_key(player.name))

    nameless = [group for group, (_number, receipt) in last.items() if not is_named(receipt.player)]
    if nameless:
        unnamed_rows = (row for row in rows if not is_named(row.submission.player))
        places = {(row.submission.place, row.mark): row.group for row in unnamed_rows}
        for group in nameless:
            number, receipt = last.pop(group)
            last[places.get((receipt.place, receipt.mark), group)] = number, receipt
    return last


def with_receipt(row: Row, receipts: Receipts) -> Row:
    """The row beside what was accepted for its player."""
    if row.group not in receipts:
        return row
    number, receipt = receipts[row.group]
    mark = row.mark if row.counts else None
    changed = mark is not None and mark != receipt.mark
    return row._replace(accepted=number, changed="acceptance" if changed else row.changed)


def gone(receipts: Receipts, rows: Sequence[Row]) -> Iterator[Row]:
    """A row for each player who was accepted and is not among the entries; numbered behind those."""
    here = {row.group for row in rows}
    last = max((row.submission.number for row in rows), default=0)
    missing = sorted((number, group) for group, (number, _receipt) in receipts.items() if group not in here)
    for at, (number, group) in enumerate(missing, last + 1):
        receipt = receipts[group][1]
        yield Row(Submission(at, receipt.place, receipt.player, None), "gone", group, accepted=number)


def with_others(rows: Sequence[Row], receipts: Receipts) -> Iterator[Row]:
    """The rows with what each has in common with those of other players: a name without an id, a seal."""
    holders: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    sealed: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    accepted: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        number, player = row.submission.number, row.submission.player
        if id_key(player) and name_key(player.name):
            holders[name_key(player.name)][id_key(player)].append(number)
        if row.seal is not None:
            sealed[row.seal.commitment][row.group].append(number)
    for group, (number, receipt) in receipts.items():
        accepted[receipt.mark].append((number, group))
    namesakes = {
        name: tuple(sorted(number for numbers in ids.values() for number in numbers)[:MOST_OTHERS])
        for name, ids in holders.items()
        if len(ids) > 1
    }
    for row in rows:
        player, own = row.submission.player, row.group
        if not id_key(player):
            row = row._replace(namesakes=namesakes.get(name_key(player.name), ()))
        if row.seal is not None:
            mark = row.seal.commitment
            others = (number for group, mine in sealed[mark].items() if group != own for number in mine)
            copied = (number for number, group in accepted.get(mark, ()) if group != own)
            row = row._replace(copies=tuple(sorted(islice(others, MOST_OTHERS))), copied=next(copied, None))
        yield row


# The conditions of acceptance


class Failure(NamedTuple):
    """A condition of acceptance that a row fails, in words for the organiser and, unless the state says it, for the player.

    `by_word` says that a judge may accept the list all the same.
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
    """The conditions that keep this row's list from being accepted, the gravest first."""
    found = tuple(all_failures(row))
    if row.state == "gone":
        return found[:1]
    # A list that was accepted before stays accepted, whoever came since.
    return tuple(each for each in found if not (row.is_frozen and each.id in ("namesake", "copied")))


def all_failures(row: Row) -> Iterator[Failure]:
    """Every condition that the row fails: first those that no judge can override, then those that a judge can."""
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
    unsettled: list[Diagnostic | Entry] = [] if row.report is None else uncertain(row.report.deck)
    if unsettled:
        yield Failure("unsettled", uncertainty(unsettled))
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
        names = lacking_names(row)
        notice = _("These fields are empty: {names}.", names=names)
        yield Failure("lacking", _("not filled in: {names}", names=names), notice, by_word=True)
    if row.changed == "acceptance":
        yield Failure("changed", _("the list is not the one that was accepted"), by_word=True)


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


def lacking_names(row: Row) -> Words:
    """The required fields that are empty."""
    return series(FIELD_NAMES[field] for field in row.lacking)


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
    ranked = players_findings(row)
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


def players_findings(row: Row) -> list[Finding]:
    """As `sorted_findings`, without infos and what concerns the whole banlist: nothing that a player could mend."""
    return [
        found
        for found in sorted_findings(row)
        if found.severity != "info" and found.rule != "unconfirmed-change"
    ]


def marked_lines(finding: Finding, row: Row) -> tuple[list[tuple[int, str, int, int]], list[Words]]:
    """The first places of a finding: a line, its text, column and length; and a note if there are more."""
    if row.report is None:
        return [], []
    found = marks(finding, row.report)
    more = len(found) - _MOST_LINES
    lines = [
        (line, line_of(row.report, line), column, length) for line, column, length in found[:_MOST_LINES]
    ]
    return lines, [_("and {more} more lines", more=more)] if more > 0 else []


def flags(row: Row) -> list[Words]:
    """What there is to say of a row beside its list, such as late, empty fields, registered twice."""
    of_the_list = ("missing", "unreadable", "unclear", "superseded", "unsettled", "illegal", "undecided")
    found = [failure.message for failure in all_failures(row) if failure.id not in of_the_list]
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


def submitted_words(row: Row, event: Event) -> str:
    """When a list came in, by the clocks at the event; what is written there where that is no time."""
    submission = row.submission
    return submission.submitted_as if submission.submitted is None else event.local_time(submission.submitted)


# What every output says of the event


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
    """How many players are what, by the keys of the JSON output; "entries" and "unknown_time" count submissions."""
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

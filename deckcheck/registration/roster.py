"""The roster of an event: its submissions judged, which one counts for each player, and what was accepted before.

Here a submission is compared with the deadline, its format with the event's, and its player with those of other submissions.
"""

import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat, SuggestionCache, check, read_deck
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.forms import read_submissions
from deckcheck.registration.log import Receipt
from deckcheck.registration.seals import Seal, list_of, seal_from_file
from deckcheck.registration.submissions import FIELD_NAMES, Player, Submission
from deckcheck.report.wording import VERDICTS
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.messages import Localized, Words, _, n_
from deckcheck.support.safetext import without_hidden
from deckcheck.support.strictjson import parse_object

State = Literal["legal", "illegal", "undecided", "unreadable", "missing", "gone"]
STATES: Mapping[str, Words] = {
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

MOST_SUGGESTED = 1000
"""Unknown names of an event for which names like them are looked for; it takes some milliseconds for each."""

_LONGEST_SEAL = 64 * 1024
_OF_A_LIST = ("as-of", "date", "best-of")
"""Keys of a list's header that an event overrides."""

_BLANK = "\ufeff \t\r\n　"


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
    def player_rows(self) -> dict[int, Row]:
        """A row for each player, by group: the one that counts, the first where that is unclear."""
        found: dict[int, Row] = {}
        for row in self.rows:
            if row.counts or (row.is_unclear and row.group not in found):
                found[row.group] = row
        return found


def build_roster(
    session: EventSession,
    accepted: Mapping[int, Receipt] = {},
    submissions: Sequence[Submission] | None = None,
) -> Roster:
    """The submissions (None: all that have come in), judged by the event's rules, beside the receipts in force.

    Raises UserError.
    """
    event = session.event
    if submissions is None:
        submissions = read_submissions(event, session.format.game_data.game)
    # What is wrong with the rules is no submission's problem.
    rules = session.rules.provenance if event.sealed or accepted else None
    session.format.prepared(event.as_of, event.best_of)
    catalog = SuggestionCache(session.format.game_data.catalog, MOST_SUGGESTED)
    format = session.format.with_catalog(catalog)
    players = [submission.player for submission in submissions]
    persons = groups([*players, *(receipt.player for receipt in accepted.values())])
    of_players: dict[int, list[Row]] = defaultdict(list)
    for submission, group in zip(submissions, persons, strict=False):
        of_players[group].append(_judged(submission, group, session, format))
    judged = (row for mine in of_players.values() for row in mine)
    receipts = _receipts_of(accepted, persons[len(submissions) :], judged)
    rows = [row for mine in of_players.values() for row in _with_precedence(event, mine)]
    rows.sort(key=lambda row: row.submission.number)
    rows += _gone(receipts, rows)
    notes: list[Words] = []
    earlier = sum(receipt.rules != rules for _number, receipt in receipts.values())
    if earlier:
        note = n_(
            "{n:,} list was accepted under an earlier version of the rules; run deckcheck event audit",
            "{n:,} lists were accepted under an earlier version of the rules; run deckcheck event audit",
            earlier,
        )
        notes.append(note)
    if catalog.exhausted:
        note = _(
            "so many names are not in the card table that only {most_suggested:,} of them got suggestions",
            most_suggested=MOST_SUGGESTED,
        )
        notes.append(note)
    return Roster(event, session.format, tuple(_compared(rows, receipts)), tuple(notes), accepted)


# One submission


def _judged(submission: Submission, group: int, session: EventSession, format: LoadedFormat) -> Row:
    """The row of one submission, before anything is known of others."""
    event, given = session.event, submission.player.given
    lacking = tuple(field for field in event.required if not given.get(field, "").strip())
    row = Row(submission, "missing", group, lacking=lacking)
    text = (submission.text or "").strip(_BLANK)
    try:
        if submission.problem is not None:
            raise user_error(submission.problem)
        if text:
            sealed = _sealed_object(text, submission.place)
            row = _of_list(row, session, format) if sealed is None else _of_seal(row, sealed, session)
    except UserError as error:
        row = row._replace(state="unreadable", problems=placed_at(error, submission.place).problems)
    if row.state == "missing" or event.deadline is None:
        return row
    when = submission.submitted
    return row._replace(late=None if when is None else when > event.deadline)


def _of_list(row: Row, session: EventSession, format: LoadedFormat) -> Row:
    """The row of an open list. Raises UserError."""
    event = session.event
    if event.sealed:
        # Nothing of a secret list may get into the organiser's tables, not even what is wrong with it.
        hint = _("deckcheck seal makes a seal")
        raise user_error(_("lists are handed in sealed at this event"), hint=hint)
    deck = read_deck(format, row.submission.text or "", row.submission.place)
    if not deck.entries and not deck.diagnostics:
        return row
    deck = deck._replace(header={key: deck.header[key] for key in deck.header if key not in _OF_A_LIST})
    report = check(deck, format, as_of=event.as_of, best_of=event.best_of, suppressions=False)
    return row._replace(state=report.verdict, report=report, notes=tuple(_ineffective(deck, session)))


def _ineffective(deck: Deck, session: EventSession) -> Iterator[Words]:
    """What a list says that has no effect at an event: another format, directives."""
    rules, written = session.format.format, deck.header.get("format", "")
    named = unicodedata.normalize("NFKC", written).strip().casefold()
    own = (rules.id, rules.name.in_("ja"), rules.name.in_("en"), *rules.aliases)
    if named and named not in {name.casefold() for name in own}:
        others = {entry.id: entry for entry in session.known_formats if named in entry.names}
        # Where a name may mean several other formats, nothing is said.
        if len(others) == 1 and rules.id not in others:
            [entry] = others.values()
            other = Localized(entry.ja, entry.en)
            yield _("the list says it is for {other}; it was judged as {name}", other=other, name=rules.name)
    if deck.directives:
        yield _("the list ignores findings; at an event that has no effect")


def _sealed_object(text: str, place: str) -> Mapping[str, object] | None:
    """The JSON object of a seal, or of what opens one; None for any other text. Raises UserError."""
    if not text.startswith("{") or '"seal"' not in text or len(text) > _LONGEST_SEAL:
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parse_object(text, place) if isinstance(data, dict) and "seal" in data else None


def _of_seal(row: Row, data: Mapping[str, object], session: EventSession) -> Row:
    """The row of a seal. Raises UserError."""
    if not session.event.sealed:
        raise user_error(_("this is a sealed list, but the event asks for the list itself"))
    if "opening" in data:
        raise user_error(
            _("this opens a seal; only the seal is handed in, and what opens it stays with the player")
        )
    place = row.submission.place
    seal = seal_from_file(data, place)
    hint = _("seal it again by the event's file: deckcheck seal DECK --event EVENT")
    problems = tuple(Problem(message, place, hint=hint) for message in _unfit(seal, session))
    return row._replace(state="unreadable" if problems else seal.verdict, seal=seal, problems=problems)


def _unfit(seal: Seal, session: EventSession) -> Iterator[Words]:
    """Why the verdict of a seal says nothing for this event."""
    event, format, rules = session.event, session.format.format, session.rules.provenance
    another = (seal.game, seal.format.id) != (format.game, format.id)
    if another:
        yield _(
            "it was sealed for another format ({format}); this event plays {id}",
            format=seal.format.id,
            id=format.id,
        )
    if seal.as_of != event.as_of:
        yield _(
            "it was sealed by the rules of {day}; this event uses those of {event_as_of}",
            day=seal.as_of,
            event_as_of=event.as_of,
        )
    elif not another:
        if seal.format.sha256 != rules.format.sha256:
            yield _("it was sealed by another version of the format than this event's")
        if seal.banlists != rules.banlists:
            yield _("it was sealed by other versions of the banlists than this event's")


# Who is the same player


def groups(players: Sequence[Player]) -> list[int]:
    """A number for each player, the same for those who are one person; numbered from 1 as they first appear.

    The same id is the same person. Who gives only a name is one with the others who do, and with the only holder of an id
    who bears it; where several ids share it, one more person. Who gives neither is nobody else.
    """
    keys = list(map(key_of, players))
    holders: dict[str, set[str]] = defaultdict(set)
    for id, name in keys:
        if id and name:
            holders[name].add(id)
    numbers: dict[tuple[str, str | int], int] = {}
    found = []
    for at, (id, name) in enumerate(keys):
        if not id and len(holders.get(name, ())) == 1:
            [id] = holders[name]
        key: tuple[str, str | int] = ("id", id) if id else ("name", name) if name else ("nobody", at)
        found.append(numbers.setdefault(key, len(numbers) + 1))
    return found


def key_of(player: Player) -> tuple[str, str]:
    """A player's id and name for comparing, "" for none: without blanks and invisible characters."""
    return name_key(player.id).casefold(), name_key(player.name)


def name_key(text: str | None) -> str:
    """A name for comparing."""
    shown = without_hidden(unicodedata.normalize("NFKC", text or ""), joiners=True)
    return "".join(shown.split())


# Precedence: which of a player's submissions counts


def _with_precedence(event: Event, rows: Sequence[Row]) -> list[Row]:
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
    done = [
        row._replace(numbers=numbers, counts=False, instead=winner)
        if row.submission.number != winner
        else _completed(row, rows)._replace(numbers=numbers)
        for row in rows
    ]
    if winner is None or event.deadline is None:
        return done
    later = any(row.late and marks[row.submission.number] != marks[winner] for row in lists)
    return [
        row._replace(changed="deadline") if later and row.counts and not row.late else row for row in done
    ]


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
        for other in earlier:
            value = other.submission.player.given.get(field, "")
            if value.strip():
                found[field] = value
                message = _(
                    "{name}: left empty here, taken from the earlier submission no. {number}",
                    name=FIELD_NAMES[field],
                    number=other.submission.number,
                )
                notes.append(message)
                break
    return row._replace(
        submission=own._replace(player=own.player._replace(**found)),
        lacking=tuple(field for field in row.lacking if field not in found),
        notes=(*row.notes, *notes),
    )


# What was accepted, and what rows have in common

_Receipts = dict[int, tuple[int, Receipt]]
"""The receipt of each player in force, with its number, by the player's group."""


def _receipts_of(accepted: Mapping[int, Receipt], players: Sequence[int], rows: Iterable[Row]) -> _Receipts:
    """The last receipt of each player, by the `players`' groups; nameless ones are assigned by place and list."""
    last = dict(zip(players, accepted.items(), strict=True))
    nameless = [group for group, (_number, receipt) in last.items() if not any(key_of(receipt.player))]
    if nameless:
        unnamed_rows = (row for row in rows if not any(key_of(row.submission.player)))
        places = {(row.submission.place, row.mark): row.group for row in unnamed_rows}
        for group in nameless:
            number, receipt = last.pop(group)
            last[places.get((receipt.place, receipt.mark), group)] = number, receipt
    return last


def _gone(receipts: _Receipts, rows: Sequence[Row]) -> list[Row]:
    """A row for each player who was accepted and is not among the entries; numbered behind those."""
    here = {row.group for row in rows}
    missing = sorted((number, group) for group, (number, _receipt) in receipts.items() if group not in here)
    found = []
    for at, (_number, group) in enumerate(missing, rows[-1].submission.number + 1 if rows else 1):
        receipt = receipts[group][1]
        found.append(Row(Submission(at, receipt.place, receipt.player, None), "gone", group))
    return found


def _compared(rows: Sequence[Row], receipts: _Receipts) -> Iterator[Row]:
    """The rows beside what was accepted for their players, and beside those of others: names without an id, seals."""
    holders: dict[str, dict[int, str]] = defaultdict(dict)
    sealed: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    accepted: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        number, (id, name) = row.submission.number, key_of(row.submission.player)
        if id and name:
            holders[name][number] = id
        if row.seal is not None:
            sealed[row.seal.commitment][row.group].append(number)
    for group, (number, receipt) in receipts.items():
        accepted[receipt.mark].append((number, group))
    namesakes = {
        name: tuple(sorted(ids)[:MOST_OTHERS]) for name, ids in holders.items() if len(set(ids.values())) > 1
    }
    for row in rows:
        if row.group in receipts:
            number, receipt = receipts[row.group]
            mark = row.mark if row.counts else None
            changed = mark is not None and mark != receipt.mark
            row = row._replace(accepted=number, changed="acceptance" if changed else row.changed)
        id, name = key_of(row.submission.player)
        if not id:
            row = row._replace(namesakes=namesakes.get(name, ()))
        if row.seal is not None:
            seal = row.seal.commitment
            others = (n for group, numbers in sealed[seal].items() if group != row.group for n in numbers)
            copied = (number for number, group in accepted[seal] if group != row.group)
            row = row._replace(copies=tuple(sorted(islice(others, MOST_OTHERS))), copied=next(copied, None))
        yield row

"""The roster of an event: its submissions checked, which one counts for each player, and the lists accepted before.

Compares each submission with the deadline, its format with the event's, and its player with those of the others.
"""

import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from deckcheck.cards.suggestions import MOST_IN_EVENT, SuggestionCache
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report, Verdict
from deckcheck.registration.commitments import Seal, list_of, seal_from_file
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.forms import read_submissions
from deckcheck.registration.log import Receipt
from deckcheck.registration.submissions import FIELD_NAMES, Player, Submission
from deckcheck.report.wording import VERDICTS
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.messages import Localized, Words, _, n_
from deckcheck.support.safe_text import without_hidden
from deckcheck.support.strict_json import parse_object

State = Literal["legal", "illegal", "undecided", "unreadable", "missing", "gone"]
STATES: Mapping[str, Words] = {
    "legal": VERDICTS[Verdict.LEGAL],
    "illegal": VERDICTS[Verdict.ILLEGAL],
    "undecided": VERDICTS[Verdict.UNDECIDED],
    "unreadable": _("unreadable"),
    "missing": _("no list"),
    "gone": _("gone"),
    "unclear": _("unclear which"),
}
"""The names of the states, and of "unclear", for a player with several lists if it isn't certain which counts."""

MOST_OTHERS = 100
"""The most submissions that a row names as having something in common with it."""

_LONGEST_SEAL = 64 * 1024
_OF_A_LIST = ("as-of", "date", "best-of")
"""The header keys that an event overrides."""

_BLANK = "\ufeff \t\r\n　"


class Row(NamedTuple):
    """A submission with its results; the state "gone" is for accepted players who are no longer among the entries.

    `problems` make the list unreadable. `late` is None if there is a deadline and no known time. `lacking`
    are required fields without a value. `notes` have no effect. Rows of one player share a `group`, and
    `numbers` are those of all the player's submissions if there are several. One of them `counts`, and the
    others have its number as `instead`; if it is unclear which, none counts. `accepted` is the number of the
    player's receipt. `changed`: another list came after the "deadline", or this isn't that of the "acceptance".
    `namesakes` are submissions of several players with this name and ids, `copies` are other players' submissions
    with the same seal, and `copied` is the receipt of one.
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
        """The list's identity: its fingerprint, or the commitment of its seal; None without a certain list."""
        if self.seal is not None:
            return self.seal.commitment
        listed = None if self.report is None else list_of(self.report.deck, self.report.game)
        return None if listed is None else listed.fingerprint

    @property
    def untimed(self) -> bool:
        """Whether there is a deadline, and an expected or written time can't be read."""
        return self.late is None and (self.submission.timed or bool(self.submission.submitted_as))

    @property
    def others(self) -> tuple[int, ...]:
        """The numbers of the player's other submissions, at most MOST_OTHERS."""
        own = self.submission.number
        return tuple(islice((number for number in self.numbers if number != own), MOST_OTHERS))

    @property
    def is_unclear(self) -> bool:
        """Whether it is unclear which of the player's lists counts."""
        return not self.counts and self.instead is None

    @property
    def is_frozen(self) -> bool:
        """Whether this list was accepted and hasn't changed since."""
        return self.counts and self.accepted is not None and self.changed != "acceptance"

    @property
    def shown_state(self) -> str:
        """The state shown in outputs, a key of STATES."""
        return "unclear" if self.is_unclear else self.state


class Roster(NamedTuple):
    """All submissions of an event in order, followed by rows of the state "gone", and the receipts in force."""

    event: Event
    format: LoadedFormat
    rows: tuple[Row, ...]
    notes: tuple[Words, ...] = ()
    receipts: Mapping[int, Receipt] = {}

    @property
    def player_rows(self) -> dict[int, Row]:
        """A row for each player, by group: the one that counts, or the first if that is unclear."""
        by_group: dict[int, Row] = {}
        for row in self.rows:
            if row.counts or (row.is_unclear and row.group not in by_group):
                by_group[row.group] = row
        return by_group


def build_roster(
    session: EventSession,
    accepted: Mapping[int, Receipt] = {},
    submissions: Sequence[Submission] | None = None,
) -> Roster:
    """The roster of the submissions (None: read them all), checked by the event's rules, with the receipts in force.

    Raises UserError.
    """
    event = session.event
    if submissions is None:
        submissions = read_submissions(event, session.format.game_data.game)
    # Errors in the rules must not be reported for each submission.
    rules = session.rules.provenance if event.sealed or accepted else None
    session.format.prepared(event.as_of, event.best_of)
    catalog = SuggestionCache(session.format.game_data.catalog, MOST_IN_EVENT)
    format = session.format.with_catalog(catalog)
    players = [submission.player for submission in submissions]
    persons = groups([*players, *(receipt.player for receipt in accepted.values())])
    of_players: dict[int, list[Row]] = defaultdict(list)
    for submission, group in zip(submissions, persons, strict=False):
        of_players[group].append(_check(submission, group, session, format))
    judged = (row for mine in of_players.values() for row in mine)
    receipts = _receipts_of(accepted, persons[len(submissions) :], judged)
    rows = [row for mine in of_players.values() for row in _with_precedence(event, mine)]
    rows.sort(key=lambda row: row.submission.number)
    rows += _gone_rows(receipts, rows)
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
            most_suggested=MOST_IN_EVENT,
        )
        notes.append(note)
    return Roster(event, session.format, tuple(_with_comparisons(rows, receipts)), tuple(notes), accepted)


# One submission


def _check(submission: Submission, group: int, session: EventSession, format: LoadedFormat) -> Row:
    """The row of one submission, checked on its own."""
    event, given = session.event, submission.player.filled
    lacking = tuple(field for field in event.required if not given.get(field, "").strip())
    row = Row(submission, "missing", group, lacking=lacking)
    text = (submission.text or "").strip(_BLANK)
    try:
        if submission.problem is not None:
            raise user_error(submission.problem)
        if text:
            sealed = _sealed_object(text, submission.place)
            row = _with_list(row, session, format) if sealed is None else _with_seal(row, sealed, session)
    except UserError as error:
        row = row._replace(state="unreadable", problems=placed_at(error, submission.place).problems)
    if row.state == "missing" or event.deadline is None:
        return row
    when = submission.submitted
    return row._replace(late=None if when is None else when > event.deadline)


def _with_list(row: Row, session: EventSession, format: LoadedFormat) -> Row:
    """The row of an open list. Raises UserError."""
    event = session.event
    if event.sealed:
        # Nothing about a secret list may get into the roster, not even its problems.
        hint = _("deckcheck seal makes a seal")
        raise user_error(_("lists are handed in sealed at this event"), hint=hint)
    deck = read_deck(format, row.submission.text or "", row.submission.place)
    if not deck.entries and not deck.diagnostics:
        return row
    deck = deck._replace(header={key: deck.header[key] for key in deck.header if key not in _OF_A_LIST})
    report = check(deck, format, as_of=event.as_of, best_of=event.best_of, suppressions=False)
    return row._replace(
        state=report.verdict.value, report=report, notes=tuple(_ineffective_notes(deck, session))
    )


def _ineffective_notes(deck: Deck, session: EventSession) -> Iterator[Words]:
    """Notes on parts of a list without effect at an event: another format, directives."""
    rules, written = session.format.format, deck.header.get("format", "")
    named = unicodedata.normalize("NFKC", written).strip().casefold()
    own = (rules.id, rules.name.in_("ja"), rules.name.in_("en"), *rules.aliases)
    if named and named not in {name.casefold() for name in own}:
        others = {entry.id: entry for entry in session.known_formats if named in entry.names}
        # An ambiguous name isn't reported.
        if len(others) == 1 and rules.id not in others:
            [entry] = others.values()
            other = Localized(entry.ja, entry.en)
            yield _("the list says it is for {other}; it was judged as {name}", other=other, name=rules.name)
    if deck.directives:
        yield _("the list ignores findings; at an event that has no effect")


def _sealed_object(text: str, place: str) -> Mapping[str, object] | None:
    """The JSON object of a seal or an opening file; None for any other text. Raises UserError."""
    if not text.startswith("{") or '"seal"' not in text or len(text) > _LONGEST_SEAL:
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parse_object(text, place) if isinstance(data, dict) and "seal" in data else None


def _with_seal(row: Row, data: Mapping[str, object], session: EventSession) -> Row:
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
    problems = tuple(Problem(message, place, hint=hint) for message in _seal_problems(seal, session))
    return row._replace(state="unreadable" if problems else seal.verdict.value, seal=seal, problems=problems)


def _seal_problems(seal: Seal, session: EventSession) -> Iterator[Words]:
    """Why the verdict of a seal isn't valid for this event."""
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


# Identifying players


def groups(players: Sequence[Player]) -> list[int]:
    """A number for each player, the same for one person, from 1 in order of appearance.

    The same id means the same person. Players with only a name are one person, the same as the holder of an
    id with that name if there is exactly one. A player with neither is a person of their own.
    """
    keys = list(map(player_key, players))
    holders: dict[str, set[str]] = defaultdict(set)
    for id, name in keys:
        if id and name:
            holders[name].add(id)
    numbers: dict[tuple[str, str | int], int] = {}
    result = []
    for at, (id, name) in enumerate(keys):
        if not id and len(holders.get(name, ())) == 1:
            [id] = holders[name]
        key: tuple[str, str | int] = ("id", id) if id else ("name", name) if name else ("nobody", at)
        result.append(numbers.setdefault(key, len(numbers) + 1))
    return result


def player_key(player: Player) -> tuple[str, str]:
    """A player's id and name for comparing, "" for none, without blanks and invisible characters."""
    return name_key(player.id).casefold(), name_key(player.name)


def name_key(text: str | None) -> str:
    """A name for comparing: NFKC, without blanks and invisible characters."""
    shown = without_hidden(unicodedata.normalize("NFKC", text or ""), joiners=True)
    return "".join(shown.split())


# Precedence: which of a player's submissions counts


def _with_precedence(event: Event, rows: Sequence[Row]) -> list[Row]:
    """The rows of one player, with the others' numbers and whether each counts.

    Of several lists, the last one on time counts, or the last if all are late. If a time is missing, it is
    unclear, unless all lists are the same. Its empty required fields are taken from earlier submissions.
    """
    if len(rows) == 1:
        return list(rows)
    lists = [row for row in rows if row.state != "missing"] or rows
    # Rows without a list are compared by their text.
    marks = {
        row.submission.number: row.mark
        or f"text {row.submission.number if row.problems else row.submission.text}"
        for row in lists
    }
    in_time = [row for row in lists if not row.late] or lists
    winner: int | None = max(in_time, key=_when).submission.number
    if any(row.submission.submitted is None for row in lists):
        winner = in_time[-1].submission.number if len(set(marks.values())) == 1 else None
    # One shared tuple, so that memory stays linear in the number of submissions.
    numbers = tuple(row.submission.number for row in rows)
    done = [
        row._replace(numbers=numbers, counts=False, instead=winner)
        if row.submission.number != winner
        else _with_earlier_fields(row, rows)._replace(numbers=numbers)
        for row in rows
    ]
    if winner is None or event.deadline is None:
        return done
    later = any(row.late and marks[row.submission.number] != marks[winner] for row in lists)
    return [
        row._replace(changed="deadline") if later and row.counts and not row.late else row for row in done
    ]


def _when(row: Row) -> tuple[float, int]:
    """The sort key for the time of submission; rows without a time come first."""
    when = row.submission.submitted
    return -1.0 if when is None else when.timestamp(), row.submission.number


def _with_earlier_fields(row: Row, rows: Sequence[Row]) -> Row:
    """The row with empty required fields filled from the player's earlier submissions, the latest first."""
    own = row.submission

    def is_before(other: Submission) -> bool:
        if other.submitted is None or own.submitted is None:
            return other.number < own.number
        return (other.submitted, other.number) < (own.submitted, own.number)

    earlier = [other.submission for other in sorted(rows, key=_when) if is_before(other.submission)]
    # The latest one that gives a field counts.
    given = {
        field: other for other in earlier for field, value in other.player.filled.items() if value.strip()
    }
    filled = {field: getattr(given[field].player, field) for field in row.lacking if field in given}
    notes = (
        _(
            "{name}: left empty here, taken from the earlier submission no. {number}",
            name=FIELD_NAMES[field],
            number=given[field].number,
        )
        for field in filled
    )
    return row._replace(
        submission=own._replace(player=own.player._replace(**filled)),
        lacking=tuple(field for field in row.lacking if field not in filled),
        notes=(*row.notes, *notes),
    )


# Earlier acceptance, and comparing players

_Receipts = dict[int, tuple[int, Receipt]]
"""The receipt in force of each player, with its number, by group."""


def _receipts_of(accepted: Mapping[int, Receipt], players: Sequence[int], rows: Iterable[Row]) -> _Receipts:
    """The last receipt of each player, by the groups in `players`; nameless ones are matched by place and list."""
    last = dict(zip(players, accepted.items(), strict=True))
    nameless = [group for group, (_number, receipt) in last.items() if not any(player_key(receipt.player))]
    if nameless:
        unnamed_rows = (row for row in rows if not any(player_key(row.submission.player)))
        places = {(row.submission.place, row.mark): row.group for row in unnamed_rows}
        for group in nameless:
            number, receipt = last.pop(group)
            last[places.get((receipt.place, receipt.mark), group)] = number, receipt
    return last


def _gone_rows(receipts: _Receipts, rows: Sequence[Row]) -> list[Row]:
    """A row for each accepted player who is no longer among the entries, numbered after those."""
    here = {row.group for row in rows}
    missing = sorted((number, group) for group, (number, _receipt) in receipts.items() if group not in here)
    gone = []
    for at, (_number, group) in enumerate(missing, rows[-1].submission.number + 1 if rows else 1):
        receipt = receipts[group][1]
        gone.append(Row(Submission(at, receipt.place, receipt.player, None), "gone", group))
    return gone


def _with_comparisons(rows: Sequence[Row], receipts: _Receipts) -> Iterator[Row]:
    """The rows compared with their players' receipts, and with others that have the same name or seal."""
    holders: dict[str, dict[int, str]] = defaultdict(dict)
    sealed: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    accepted: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        number, (id, name) = row.submission.number, player_key(row.submission.player)
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
        id, name = player_key(row.submission.player)
        if not id:
            row = row._replace(namesakes=namesakes.get(name, ()))
        if row.seal is not None:
            seal = row.seal.commitment
            others = (n for group, numbers in sealed[seal].items() if group != row.group for n in numbers)
            copied = (number for number, group in accepted[seal] if group != row.group)
            row = row._replace(copies=tuple(sorted(islice(others, MOST_OTHERS))), copied=next(copied, None))
        yield row

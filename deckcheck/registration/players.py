"""The rows of a roster: submissions with their results, whose they are, and which of a player's lists counts.

The same id means the same player, unless it is given with different names: then somebody may have typed another
player's id. Players with only a name are one person, the same as the holder of an id with that name if there is
exactly one. Whether names that differ in case or punctuation are one player is unclear.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from deckcheck.model.finding import Report, Verdict
from deckcheck.registration.event import Event
from deckcheck.registration.log import Log
from deckcheck.registration.receipts import Receipt, Withdrawal
from deckcheck.registration.submissions import Links, Player, Submission, id_key, name_key, spelling_key
from deckcheck.report.wording import VERDICTS
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Value, Words, _
from deckcheck.support.safe_text import safe

State = Literal["legal", "illegal", "undecided", "unreadable", "missing", "gone"]
STATES: Mapping[str, Words] = {
    "legal": VERDICTS[Verdict.LEGAL],
    "illegal": VERDICTS[Verdict.ILLEGAL],
    "undecided": VERDICTS[Verdict.UNDECIDED],
    "unreadable": _("unreadable"),
    "missing": _("no list"),
    "gone": _("gone"),
    "unclear": _("unclear which"),
    "withdrawn": _("withdrawn"),
}
"""The names of the states, of "unclear", where it isn't certain whose list counts, and of "withdrawn" players."""

MOST_NAMED = 100
"""The most other submissions that a row names, so that memory stays linear in the number of submissions."""


class Conflict(NamedTuple):
    """Why it is unclear which of the player's "lists" counts, or of which "player" a list is.

    `rivals` are the ids of the other submissions.
    """

    kind: Literal["lists", "player"]
    rivals: tuple[str, ...]


class Row(NamedTuple):
    """A submission with its results; the state "gone" is for accepted players who are no longer among the entries.

    `problems` make the list unreadable. `mark` is the list's fingerprint, also with unknown names; None without a
    certain list. `late` is None if there is a deadline and no known time. `lacking` are required fields without a
    value. `notes` have no effect. Rows of one player share a `group`, and `others` are the ids of the player's other
    submissions. One of them `counts`, and the others have its id as `instead`. Where a `conflict` makes that unclear,
    none counts.

    `accepted` is the number of the player's receipt, and `is_frozen` says that it is for this list. `changed`: another
    list came after the "deadline", or this one came after the "acceptance" of another one. `withdrawn` is the number
    of the entry that withdrew the player.
    """

    submission: Submission
    state: State
    group: int = 0
    report: Report | None = None
    mark: str | None = None
    problems: tuple[Problem, ...] = ()
    late: bool | None = False
    lacking: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    counts: bool = True
    conflict: Conflict | None = None
    accepted: int | None = None
    is_frozen: bool = False
    changed: Literal["deadline", "acceptance"] | None = None
    instead: str | None = None
    notes: tuple[Words, ...] = ()
    withdrawn: int | None = None

    @property
    def id(self) -> str:
        """The id of the submission; "" for a player who is gone and was accepted before there were ids."""
        return self.submission.id

    @property
    def player(self) -> Player:
        """The player of the submission."""
        return self.submission.player

    @property
    def untimed(self) -> bool:
        """Whether there is a deadline, and an expected or written time can't be read."""
        return self.late is None and (self.submission.timed or bool(self.submission.submitted_as))

    @property
    def is_unclear(self) -> bool:
        """Whether it is unclear whose list this is, or which of the player's lists counts."""
        is_open = self.instead is None and self.withdrawn is None and not self.is_frozen
        return self.conflict is not None and is_open

    @property
    def needs_attention(self) -> bool:
        """Whether the organiser should look at the row's failures: it counts, might count, or came too late to."""
        return self.counts or self.is_unclear or self.changed == "acceptance"

    @property
    def shown_state(self) -> str:
        """The state shown in outputs, a key of STATES."""
        if self.withdrawn is not None:
            return "withdrawn"
        return "unclear" if self.is_unclear and self.state not in ("missing", "gone") else self.state

    @property
    def deck_name(self) -> str | None:
        """The deck's name, from the form or the list."""
        return self.player.deck_name or (None if self.report is None else self.report.name)


def id_of(row: Row) -> str:
    """What tells a row from others, also one that has no submission any more."""
    return row.id or f"receipt {row.accepted}"


# Who is who


def is_called(who: str, player: Player) -> bool:
    """Whether `who` is the player's id, or the name in any spelling."""
    id, name = id_key(who), spelling_key(who)
    return bool(id and id_key(player.id) == id) or bool(name and spelling_key(player.name) == name)


def candidate(id: Value, player: Player) -> Value:
    """One of several that may be meant, in words: the id of a submission or a receipt, and its player."""
    name = " ".join(part for part in (player.name, player.id) if part)
    return _("{id} ({name})", id=id, name=safe(name)) if name else id


def groups(players: Iterable[Player]) -> list[int]:
    """A number for each player, the same for one person, from 1 in order of appearance.

    A player with neither id nor name is a person of their own.
    """
    keys = [(id_key(player.id), name_key(player.name), spelling_key(player.name)) for player in players]
    holders: dict[str, set[str]] = defaultdict(set)
    spellings: dict[str, set[str]] = defaultdict(set)
    for id, name, spelling in keys:
        if id and name:
            holders[name].add(id)
            spellings[id].add(spelling)
    numbers: dict[tuple[str, str, str | int], int] = {}
    result = []
    for index, (id, name, spelling) in enumerate(keys):
        if not id and len(holders.get(name, ())) == 1:
            [id] = holders[name]
        key: tuple[str, str, str | int] = ("nobody", "", index)
        if id:
            key = ("id", id, spelling if len(spellings[id]) > 1 else "")
        elif name:
            key = ("name", name, "")
        result.append(numbers.setdefault(key, len(numbers) + 1))
    return result


def _conflicts(rows: Sequence[Row], gone: Sequence[Row]) -> Mapping[str, Conflict]:
    """The conflicts of rows by their ids: others have the same id, or the same name where a row has no id."""
    sharing: dict[tuple[str, str], list[Row]] = defaultdict(list)
    persons: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row in rows:
        for key in _keys(row.player):
            sharing[key].append(row)
    for row in (*rows, *gone):
        for key in _keys(row.player):
            persons[key].add(row.group)
    conflicts: dict[str, Conflict] = {}
    for row in rows:
        for key in _keys(row.player)[:1]:
            if len(persons[key]) > 1:
                rivals = (one.id for one in sharing[key] if one.group != row.group)
                conflicts[row.id] = Conflict("player", tuple(islice(rivals, MOST_NAMED)))
    return conflicts


def _keys(player: Player) -> list[tuple[str, str]]:
    """What a player is known by: the id, if there is one, and the name in any spelling."""
    keys = [("id", id_key(player.id)), ("name", spelling_key(player.name))]
    return [(kind, key) for kind, key in keys if key]


# Players in the log


def with_players(rows: Sequence[Row], event: Event, log: Log) -> list[Row]:
    """The rows with their players' groups and receipts, those that count, and rows of players who are gone."""
    receipts, withdrawals = log.receipts, log.withdrawals
    recorded: dict[int, Receipt | Withdrawal] = {**receipts, **withdrawals}
    corrections = Links(event.links).corrections()
    # What players wrote last under their private links says who they are.
    players = {row.id: row.player for row in rows}
    players |= {id: players[last] for id, last in corrections.items() if id in players and last in players}
    own_rows = _own_rows(recorded, rows)
    others = {number: one.player for number, one in recorded.items() if number not in own_rows}
    persons = groups([*players.values(), *others.values()])
    group_of_row = dict(zip(players, persons, strict=False))
    rows = [row._replace(group=group_of_row[row.id]) for row in rows]
    group_of = dict(zip(others, persons[len(players) :], strict=True))
    group_of |= {number: group_of_row[row.id] for number, row in own_rows.items()}
    group_of |= _claimed(receipts, group_of, rows)
    present = set(group_of_row.values())
    # Later entries win.
    last = {group: number for number, group in sorted(group_of.items())}
    accepted = {group: number for group, number in last.items() if number in receipts}
    gone = [
        _gone_row(number, receipts[number], group)
        for group, number in sorted(accepted.items(), key=lambda pair: pair[1])
        if group not in present
    ]
    active = [row for row in rows if last.get(row.group) not in withdrawals]
    known = [row._replace(submission=row.submission._replace(player=players[row.id])) for row in active]
    unclear = _conflicts(known, gone)
    by_group: dict[int, list[Row]] = defaultdict(list)
    # Of submissions in the same second, the last one wins.
    for row in sorted(rows, key=lambda row: row.id not in corrections):
        by_group[row.group].append(row._replace(conflict=unclear.get(row.id)))
    done: list[Row] = []
    for group, mine in by_group.items():
        mine, number = _with_others(mine), last.get(group)
        if number in withdrawals:
            done += [row._replace(withdrawn=number, counts=False) for row in mine]
        elif number is not None:
            done += _with_receipt(mine, event, receipts[number], number)
        else:
            done += _with_precedence(mine, event)
    order = {row.id: index for index, row in enumerate(rows)}
    return [*sorted(done, key=lambda row: order[row.id]), *gone]


def _own_rows(recorded: Mapping[int, Receipt | Withdrawal], rows: Sequence[Row]) -> dict[int, Row]:
    """The row of each receipt and withdrawal, by number: its submission, also if only the player was corrected."""
    by_id = {row.id: row for row in rows}
    by_mark: dict[str | None, list[Row]] = defaultdict(list)
    for row in rows:
        by_mark[row.mark].append(row)
    own: dict[int, Row] = {}
    for number, one in recorded.items():
        ids = one.submissions if isinstance(one, Withdrawal) else (one.submission,)
        same = [by_id[id] for id in ids if id in by_id][:1]
        if not same and isinstance(one, Receipt):
            same = [row for row in by_mark.get(one.fingerprint, ()) if _is_corrected(one, row)]
        if len(same) == 1:
            own[number] = same[0]
    return own


def _is_corrected(receipt: Receipt, row: Row) -> bool:
    """Whether a row with an accepted list is the accepted submission, at most with another id or another name."""
    when, before = row.submission.submitted, receipt.player
    if receipt.submitted is None:
        is_same = row.submission.place == receipt.place
    else:
        is_same = when is not None and when.isoformat() == receipt.submitted
    shared = set(_keys(before)) & set(_keys(row.player))
    return is_same and (bool(shared) or before.id is None or row.player.id is None)


def _claimed(
    receipts: Mapping[int, Receipt], group_of: Mapping[int, int], rows: Sequence[Row]
) -> dict[int, int]:
    """The groups of players who alone have the id or name of an accepted one who is gone, by the receipt's number."""
    present, taken = {row.group for row in rows}, set(group_of.values())
    sharing: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row in rows:
        for key in _keys(row.player):
            sharing[key].add(row.group)
    claims = {
        number: {group for key in _keys(receipt.player) for group in sharing[key]} - taken
        for number, receipt in receipts.items()
        if group_of[number] not in present
    }
    claimants = Counter(group for claim in claims.values() for group in claim)
    return {
        number: min(claim)
        for number, claim in claims.items()
        if len(claim) == 1 and claimants[min(claim)] == 1
    }


def _gone_row(number: int, receipt: Receipt, group: int) -> Row:
    """The row of an accepted player who is no longer among the entries."""
    submission = Submission(receipt.place, receipt.player, None, id=receipt.submission or "")
    return Row(submission, "gone", group, accepted=number)


# Precedence: which of a player's submissions counts


def _with_precedence(rows: Sequence[Row], event: Event) -> list[Row]:
    """The rows of one player, and whether each counts.

    The last list on time counts, or the last if all are late. If a time is missing, it is unclear, unless all lists
    are the same. Empty required fields are taken from earlier submissions.
    """
    lists = [row for row in rows if row.state != "missing"] or rows
    conflict = next((row.conflict for row in rows if row.conflict is not None), None)
    in_time = [row for row in lists if not row.late] or lists
    winner = sorted(in_time, key=_when)[-1]
    if len(lists) > 1 and any(row.submission.submitted is None for row in lists):
        winner = in_time[-1]
        if conflict is None and len({_mark_or_text(row) for row in lists}) > 1:
            conflict = Conflict("lists", tuple(row.id for row in lists))
    if conflict is not None:
        return [row._replace(counts=False, conflict=row.conflict or conflict) for row in rows]
    later = any(row.late and not winner.late and _mark_or_text(row) != _mark_or_text(winner) for row in lists)
    changed: Literal["deadline"] | None = "deadline" if later else None
    return [
        _with_earlier_fields(row, rows, event)._replace(changed=changed)
        if row.id == winner.id
        else row._replace(counts=False, instead=winner.id)
        for row in rows
    ]


def _with_receipt(rows: Sequence[Row], event: Event, receipt: Receipt, number: int) -> list[Row]:
    """The rows of an accepted player: the accepted list counts if it is among them."""
    rows = [row._replace(accepted=number) for row in rows]
    same = [row for row in rows if row.mark == receipt.fingerprint]
    if not same:
        return _with_precedence(rows, event)
    exact = [row for row in same if row.id == receipt.submission]
    frozen = (exact or same)[-1]
    after = [
        row
        for row in rows
        if row.mark != frozen.mark and row.state != "missing" and _is_after(row, frozen, receipt)
    ]
    done = []
    for row in rows:
        if row.id == frozen.id:
            completed = _with_earlier_fields(row, rows, event)
            is_late = any(other.late for other in after)
            done.append(completed._replace(is_frozen=True, changed="deadline" if is_late else None))
        else:
            changed: Literal["acceptance"] | None = "acceptance" if row in after and not row.late else None
            done.append(row._replace(counts=False, instead=frozen.id, changed=changed))
    return done


def _with_others(rows: Sequence[Row]) -> list[Row]:
    """The rows of one player with the ids of each other, at most MOST_NAMED."""
    ids = [row.id for row in rows[: MOST_NAMED + 1]]
    return [row._replace(others=tuple(id for id in ids if id != row.id)[:MOST_NAMED]) for row in rows]


def _is_after(row: Row, frozen: Row, receipt: Receipt) -> bool:
    """Whether a submission came after another one was accepted. A judge knew those that had come until then."""
    when, accepted_one = row.submission.submitted, frozen.submission.submitted
    if receipt.by is not None:
        return when is not None and when > receipt.at
    return when is None or accepted_one is None or when > accepted_one


def _mark_or_text(row: Row) -> str:
    """What tells a row's list from others; rows without a certain list are compared by their text."""
    return row.mark or f"text {row.id if row.problems else row.submission.text}"


def _when(row: Row) -> float:
    """The sort key for the time of submission; rows without a time come first, and of equal ones the last wins."""
    when = row.submission.submitted
    return -1.0 if when is None else when.timestamp()


def _with_earlier_fields(row: Row, rows: Sequence[Row], event: Event) -> Row:
    """The row with empty required fields filled from the player's earlier submissions, the latest first."""
    in_order = sorted(rows, key=_when)
    given: dict[str, Submission] = {}
    # The latest one that gives a field counts.
    for other in in_order[: in_order.index(row)]:
        given |= {field: other.submission for field, value in other.player.filled.items() if value.strip()}
    filled = {field: given[field].player.filled[field] for field in row.lacking if field in given}
    notes = tuple(
        _(
            "{name}: left empty here, taken from the earlier submission {id}",
            name=event.field_name(field),
            id=given[field].id,
        )
        for field in filled
    )
    return row._replace(
        submission=row.submission._replace(player=row.player.with_fields(filled)),
        lacking=tuple(field for field in row.lacking if field not in filled),
        notes=(*row.notes, *notes),
    )

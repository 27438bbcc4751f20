"""Who is who: which submissions and receipts belong to one player, where that is unclear, and which list counts.

The same id means the same player, unless it is given with different names: then somebody may have typed another
player's id. Players with only a name are one person, the same as the holder of an id with that name if there is
exactly one. Names that differ in case or punctuation are one name, but whether they are one player is unclear.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from deckcheck.registration.event import Event
from deckcheck.registration.links import Links
from deckcheck.registration.log import Log
from deckcheck.registration.receipts import Receipt, Withdrawal
from deckcheck.registration.roster_rows import Conflict, Row
from deckcheck.registration.submissions import Player, Submission, id_key, name_key, player_key, spelling_key
from deckcheck.support.messages import Value, _
from deckcheck.support.safe_text import safe

MOST_RIVALS = 100
"""The most submissions that a conflict names."""

MOST_OTHERS = 100
"""The most other submissions of a player that a row names."""


class Named(NamedTuple):
    """A submission's id and player with the player's group; the id is None for the player of a receipt."""

    submission: str | None
    player: Player
    group: int

    @property
    def id(self) -> str:
        """The player's id for comparing, "" for none."""
        return id_key(self.player.id)

    @property
    def name(self) -> str:
        """The player's name for comparing, "" for none."""
        return spelling_key(self.player.name)


def is_called(who: str, player: Player) -> bool:
    """Whether `who` is the player's id or name."""
    id, name = id_key(who), name_key(who)
    return bool(id and id_key(player.id) == id) or bool(name and name_key(player.name) == name)


def is_spelled(who: str, player: Player) -> bool:
    """Whether `who` is the player's name in any spelling."""
    spelled = spelling_key(who)
    return bool(spelled) and spelling_key(player.name) == spelled


def candidate(id: Value, player: Player) -> Value:
    """One of several that may be meant, in words: the id of a submission or a receipt, and its player."""
    name = " ".join(part for part in (player.name, player.id) if part)
    return _("{id} ({name})", id=id, name=safe(name)) if name else id


def groups(players: Sequence[Player]) -> list[int]:
    """A number for each player, the same for one person, from 1 in order of appearance.

    A player with neither id nor name is a person of their own.
    """
    keys = [(id_key(player.id), spelling_key(player.name)) for player in players]
    holders: dict[str, set[str]] = defaultdict(set)
    names: dict[str, set[str]] = defaultdict(set)
    for id, name in keys:
        if id and name:
            holders[name].add(id)
            names[id].add(name)
    numbers: dict[tuple[str, str, str | int], int] = {}
    result = []
    for index, (id, name) in enumerate(keys):
        if not id and len(holders.get(name, ())) == 1:
            [id] = holders[name]
        key: tuple[str, str, str | int] = ("nobody", "", index)
        if id:
            key = ("id", id, name if len(names[id]) > 1 else "")
        elif name:
            key = ("name", name, "")
        result.append(numbers.setdefault(key, len(numbers) + 1))
    return result


def conflicts(named: Sequence[Named]) -> Mapping[str, Conflict]:
    """The conflicts of submissions, by their ids. Players who have withdrawn must be left out."""
    by_id: dict[str, list[Named]] = defaultdict(list)
    by_name: dict[str, list[Named]] = defaultdict(list)
    by_group: dict[int, list[Named]] = defaultdict(list)
    for one in named:
        by_group[one.group].append(one)
        if one.id:
            by_id[one.id].append(one)
        if one.id and one.name:
            by_name[one.name].append(one)
    by_submission = {}
    for one in named:
        if one.submission is None:
            continue
        conflict = _conflict(one, by_id[one.id] if one.id else [], by_name[one.name], by_group[one.group])
        if conflict is not None:
            by_submission[one.submission] = conflict
    return by_submission


def _conflict(
    one: Named, same_id: Sequence[Named], same_name: Sequence[Named], same_player: Sequence[Named]
) -> Conflict | None:
    others = [other for other in same_id if other.group != one.group]
    if others:
        return Conflict("id", _submissions(others))
    if one.id or not one.name:
        return None
    if len({other.id for other in same_name}) > 1:
        return Conflict("namesake", _submissions(same_name))
    spelled = [other for other in same_player if name_key(other.player.name) != name_key(one.player.name)]
    return Conflict("spelling", _submissions(spelled)) if spelled else None


def _submissions(named: Sequence[Named]) -> tuple[str, ...]:
    ids = (one.submission for one in named if one.submission is not None)
    return tuple(islice(ids, MOST_RIVALS))


# The rows of players


def with_players(rows: Sequence[Row], event: Event, log: Log) -> list[Row]:
    """The rows with their players' groups and receipts, those that count, and rows of players who are gone."""
    receipts, withdrawals = log.receipts, log.withdrawals
    corrections = Links(event.links).corrections()
    players = _players_by_submission(rows, corrections)
    recorded = {
        **_current_players(rows, receipts),
        **{number: one.player for number, one in withdrawals.items()},
    }
    for number, receipt in receipts.items():
        if receipt.submission in players:
            recorded[number] = players[receipt.submission]
    for number, withdrawal in withdrawals.items():
        for id in withdrawal.submissions:
            recorded[number] = players.get(id, recorded[number])
    persons = groups([*(players[row.id] for row in rows), *recorded.values()])
    grouped = [row._replace(group=group) for row, group in zip(rows, persons, strict=False)]
    group_of = dict(zip(recorded, persons[len(rows) :], strict=True))
    for number, one in (receipts | withdrawals).items():
        if not any(player_key(one.player)):
            same = [row.group for row in grouped if _is_nameless_row_of(row, one)]
            group_of[number] = same[0] if same else group_of[number]
    # Later entries win.
    last = {group: number for number, group in sorted(group_of.items())}
    accepted = {group: number for group, number in last.items() if number in receipts}
    withdrawn = {group: number for group, number in last.items() if number in withdrawals}
    active = [
        *(Named(row.id, players[row.id], row.group) for row in grouped if row.group not in withdrawn),
        *(Named(None, recorded[number], group) for group, number in accepted.items()),
    ]
    unclear = conflicts(active)
    gone = {
        number: receipts[number] for group, number in accepted.items() if group not in persons[: len(rows)]
    }
    by_group: dict[int, list[Row]] = defaultdict(list)
    # Of submissions in the same second, the last one wins.
    for row in sorted(grouped, key=lambda row: row.id not in corrections):
        by_group[row.group].append(row._replace(conflict=unclear.get(row.id)))
    done: list[Row] = []
    for group, mine in by_group.items():
        mine = _with_others(mine)
        if group in withdrawn:
            done += [row._replace(withdrawn=withdrawn[group], counts=False) for row in mine]
        elif group in accepted:
            done += _with_receipt(mine, event, receipts[accepted[group]], accepted[group])
        else:
            done += _with_precedence(mine, event)
    order = {row.id: index for index, row in enumerate(rows)}
    done = sorted(
        (row._replace(continues=_continued(row, gone)) for row in done), key=lambda row: order[row.id]
    )
    return [*done, *_gone_rows(gone, done)]


def _players_by_submission(rows: Sequence[Row], corrections: Mapping[str, str]) -> dict[str, Player]:
    """The player of each submission, by what the player wrote last under the private link."""
    players = {row.id: row.submission.player for row in rows}
    for id, last in corrections.items():
        if id in players and last in players:
            players[id] = players[last]
    return players


def _is_nameless_row_of(row: Row, recorded: Receipt | Withdrawal) -> bool:
    """Whether a row without name and id is that of a receipt or a withdrawal without these."""
    if any(player_key(row.submission.player)):
        return False
    if isinstance(recorded, Withdrawal):
        return row.id in recorded.submissions
    return (row.submission.place, row.mark) == (recorded.place, recorded.fingerprint)


def _gone_rows(gone: Mapping[int, Receipt], rows: Sequence[Row]) -> list[Row]:
    """A row for each accepted player who is no longer among the entries, and whom no other one may be."""
    continued = {row.continues for row in rows}
    first = max((row.group for row in rows), default=0) + 1
    left = [(number, receipt) for number, receipt in sorted(gone.items()) if number not in continued]
    made = []
    for group, (number, receipt) in enumerate(left, first):
        submission = Submission(receipt.place, receipt.player, None, id=receipt.submission or "")
        made.append(Row(submission, "gone", group, accepted=number))
    return made


def _current_players(rows: Sequence[Row], receipts: Mapping[int, Receipt]) -> dict[int, Player]:
    """The players of receipts: as they are now called, if only the player of an accepted submission was corrected."""
    names = {(player.id, player.name) for player in (row.submission.player for row in rows)}
    by_list: dict[tuple[str | None, str | None], list[Row]] = defaultdict(list)
    for row in rows:
        when = row.submission.submitted
        by_list[row.mark, None if when is None else when.isoformat()].append(row)
    players = {}
    for number, receipt in receipts.items():
        players[number] = receipt.player
        if (receipt.player.id, receipt.player.name) in names:
            continue
        same = by_list.get((receipt.fingerprint, receipt.submitted), [])
        if receipt.submitted is None:
            same = [row for row in same if row.submission.place == receipt.place]
        shared = [row for row in same if _is_corrected(receipt.player, row.submission.player)]
        if len(shared) == 1:
            players[number] = shared[0].submission.player
    return players


def _is_corrected(before: Player, now: Player) -> bool:
    """Whether one player may be the other after a correction: the id or the name is the same, or both have neither."""
    same_id = before.id is not None and name_key(before.id) == name_key(now.id)
    same_name = before.name is not None and name_key(before.name) == name_key(now.name)
    return same_id or same_name or before.id is None or now.id is None


def _continued(row: Row, gone: Mapping[int, Receipt]) -> int | None:
    """The receipt of a player who is gone and has this row's id or name; None if there isn't exactly one."""
    if row.accepted is not None or (not row.counts and not row.is_unclear):
        return None
    player = row.submission.player
    numbers = [
        number
        for number, receipt in gone.items()
        if (player.id and id_key(player.id) == id_key(receipt.player.id))
        or (player.name and spelling_key(player.name) == spelling_key(receipt.player.name))
    ]
    return numbers[0] if len(numbers) == 1 else None


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
    done = []
    for row in rows:
        if row.id == winner.id:
            completed = _with_earlier_fields(row, rows, event)
            done.append(completed._replace(changed="deadline") if later else completed)
        else:
            done.append(row._replace(counts=False, instead=winner.id))
    return done


def _with_receipt(rows: Sequence[Row], event: Event, receipt: Receipt, number: int) -> list[Row]:
    """The rows of an accepted player: the accepted list counts if it is among them."""
    rows = [row._replace(accepted=number) for row in rows]
    same = [row for row in rows if row.mark == receipt.fingerprint]
    if not same:
        return _with_precedence(rows, event)
    exact = [row for row in same if row.id == receipt.submission]
    frozen = (exact or same)[-1]
    others = [row for row in rows if row.mark != frozen.mark and row.state != "missing"]
    after = {row.id for row in others if _is_after(row, frozen, receipt)}
    late = any(row.late for row in others if row.id in after)
    done = []
    for row in rows:
        if row.id == frozen.id:
            completed = _with_earlier_fields(row, rows, event)
            done.append(completed._replace(is_frozen=True, changed="deadline" if late else None))
        else:
            changed: Literal["acceptance"] | None = "acceptance" if row.id in after and not row.late else None
            done.append(row._replace(counts=False, instead=frozen.id, changed=changed))
    return done


def _with_others(rows: Sequence[Row]) -> list[Row]:
    """The rows of one player with the ids of each other, at most MOST_OTHERS."""
    # Not all of them, so that memory stays linear in the number of submissions.
    ids = [row.id for row in rows[: MOST_OTHERS + 1]]
    return [row._replace(others=tuple(id for id in ids if id != row.id)[:MOST_OTHERS]) for row in rows]


def _is_after(row: Row, frozen: Row, receipt: Receipt) -> bool:
    """Whether a submission came after another one was accepted. A judge knew those that had come until then."""
    when, accepted_one = row.submission.submitted, frozen.submission.submitted
    if receipt.by is not None:
        return when is not None and when > receipt.time
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
    position = {one.id: index for index, one in enumerate(rows)}
    own = row.submission

    def is_before(other: Row) -> bool:
        if other.submission.submitted is None or own.submitted is None:
            return position[other.id] < position[row.id]
        return (other.submission.submitted, position[other.id]) < (own.submitted, position[row.id])

    earlier = [other.submission for other in sorted(rows, key=_when) if is_before(other)]
    # The latest one that gives a field counts.
    given = {
        field: other for other in earlier for field, value in other.player.filled.items() if value.strip()
    }
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
        submission=own._replace(player=own.player.with_fields(filled)),
        lacking=tuple(field for field in row.lacking if field not in filled),
        notes=(*row.notes, *notes),
    )

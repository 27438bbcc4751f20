"""Who is the same player, which of a player's lists stands, and how lists compare with those of others."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from deckcheck.registration.canonical import list_of
from deckcheck.registration.model import FIELD_NAMES, MOST_OTHERS, Accepted, Event, Player, Row, Submission
from deckcheck.registration.provenance import Provenance
from deckcheck.support.messages import Words, _, n_
from deckcheck.support.safetext import without_hidden


def groups(players: Sequence[Player]) -> list[int]:
    """A number for each player, the same for those who are one person; numbered from 1 as they first appear.

    The same id is the same person. Who gives no id is the person of that name:
    another without an id, or the only holder of an id who bears it. A name that
    several ids share tells nothing, so whoever gives only that name is one more
    person. Who gives neither is nobody else. Letter case of ids, blanks, width
    and invisible characters never count.
    """
    keys = [(id_key(player), name_key(player.name)) for player in players]
    holders: dict[str, set[str]] = {}
    for id, name in keys:
        if id and name:
            holders.setdefault(name, set()).add(id)
    numbers: dict[tuple[str, str | int], int] = {}
    found = []
    for at, (id, name) in enumerate(keys):
        held = holders.get(name, ())
        key: tuple[str, str | int]
        if id:
            key = ("id", id)
        elif not name:
            key = ("nobody", at)
        elif len(held) == 1:
            key = ("id", next(iter(held)))
        else:
            key = ("name", name)
        found.append(numbers.setdefault(key, len(numbers) + 1))
    return found


def id_key(player: Player) -> str:
    """The id of a player for comparing; "" for none."""
    return name_key(player.id).casefold()


def name_key(text: str | None) -> str:
    """A name or an id without blanks and what can't be seen, which tell no two people apart."""
    shown = without_hidden(unicodedata.normalize("NFKC", text or ""), joiners=True)
    return "".join(shown.split())


def mark_of(row: Row) -> str | None:
    """What tells this list from others: its fingerprint, or the commitment of its seal; None for no list."""
    if row.seal is not None:
        return row.seal.commitment
    if row.report is None:
        return None
    listed = list_of(row.report.deck, row.report.game)
    return None if listed is None else listed.fingerprint


def is_late(event: Event, submission: Submission) -> bool | None:
    """Whether a list came after the deadline; None where its time is not known."""
    if event.deadline is None:
        return False
    return None if submission.submitted is None else submission.submitted > event.deadline


def lacking(event: Event, player: Player) -> tuple[str, ...]:
    """The fields that every player must give, and this one didn't."""
    given = player._asdict()
    return tuple(field for field in event.required if not (given[field] or "").strip())


def with_precedence(event: Event, rows: Sequence[Row]) -> list[Row]:
    """The rows of one player, each with the others' numbers and whether it counts.

    Rows without a list never stand in for one. Of several lists the last one
    on time counts, of late ones the last. Where a time is missing that can't be
    told, and then only lists that are all the same leave no question. Required
    fields that the one that counts leaves empty are taken from earlier ones.
    """
    if len(rows) == 1:
        return list(rows)
    lists = [row for row in rows if row.state != "missing"] or list(rows)
    marks = {row.submission.number: _mark_or_text(row) for row in lists}
    winner = _winner(lists, marks)
    number = None if winner is None else winner.submission.number
    # One tuple for all of them: whoever registers ten thousand times doesn't make it ten thousand such tuples.
    numbers = tuple(row.submission.number for row in rows)
    done = []
    for row in rows:
        counts = row.submission.number == number
        if counts:
            row = _completed(row, rows)
            if row.late is False and event.deadline is not None and _came_after(row, lists, marks):
                row = row._replace(changed="deadline")
        done.append(row._replace(numbers=numbers, counts=counts, instead=None if counts else number))
    return done


def _winner(rows: Sequence[Row], marks: Mapping[int, str]) -> Row | None:
    in_time = [row for row in rows if not row.late] or rows
    if any(row.submission.submitted is None for row in rows):
        return in_time[-1] if len(set(marks.values())) == 1 else None
    return max(in_time, key=_when)


def _when(row: Row) -> tuple[float, int]:
    """Those without a time, who can't be placed among the others, come first."""
    submission = row.submission
    return (
        -1.0 if submission.submitted is None else submission.submitted.timestamp(),
        submission.number,
    )


def _mark_or_text(row: Row) -> str:
    """The mark, or for what is not yet a list its text."""
    return mark_of(row) or f"text {row.submission.number if row.problems else row.submission.text}"


def _came_after(winner: Row, rows: Sequence[Row], marks: Mapping[int, str]) -> bool:
    own = marks[winner.submission.number]
    return any(row.late and marks[row.submission.number] != own for row in rows)


def _completed(row: Row, rows: Sequence[Row]) -> Row:
    """The row with what its player left out and gave before, the last time first."""
    if not row.lacking:
        return row
    earlier = sorted((other for other in rows if _is_before(other, row)), key=_when, reverse=True)
    given = row.submission.player._asdict()
    notes = list(row.notes)
    left = []
    for field in row.lacking:
        source = next((one for one in earlier if _given(one, field)), None)
        if source is None:
            left.append(field)
            continue
        given[field] = _given(source, field)
        notes.append(
            _(
                "{name}: left empty here, taken from the earlier submission no. {number}",
                name=FIELD_NAMES[field],
                number=source.submission.number,
            )
        )
    submission = row.submission._replace(player=Player(**given))
    return row._replace(submission=submission, lacking=tuple(left), notes=tuple(notes))


def _given(row: Row, field: str) -> str:
    value = getattr(row.submission.player, field) or ""
    return value if value.strip() else ""


def _is_before(row: Row, other: Row) -> bool:
    here, there = row.submission, other.submission
    if here.submitted is None or there.submitted is None:
        return here.number < there.number
    return (here.submitted, here.number) < (there.submitted, there.number)


def last_of_each(accepted: Sequence[Accepted], numbers: Sequence[int]) -> dict[int, Accepted]:
    """The receipt that stands for each player; `numbers` are those of the players."""
    standing: dict[int, Accepted] = {}
    for receipt, group in zip(accepted, numbers, strict=True):
        if group not in standing or receipt.number > standing[group].number:
            standing[group] = receipt
    return standing


def recognised(standing: Mapping[int, Accepted], rows: Iterable[Row]) -> dict[int, Accepted]:
    """The receipts by player, those of players without name and id found again by place and list."""
    nameless = {group for group, receipt in standing.items() if not _is_named(receipt)}
    if not nameless:
        return dict(standing)
    places = {
        (row.submission.place, mark_of(row)): row.group for row in rows if not _is_named(row.submission)
    }
    return {
        places.get((receipt.place, receipt.mark), group) if group in nameless else group: receipt
        for group, receipt in standing.items()
    }


def _is_named(player_of: Submission | Accepted) -> bool:
    return bool(id_key(player_of.player) or name_key(player_of.player.name))


def with_receipt(row: Row, receipt: Accepted | None) -> Row:
    """The row beside what was accepted for its player."""
    if receipt is None:
        return row
    mark = mark_of(row) if row.counts else None
    changed = mark is not None and mark != receipt.mark
    return row._replace(accepted=receipt.number, changed="acceptance" if changed else row.changed)


def gone(standing: Mapping[int, Accepted], rows: Sequence[Row], after: int) -> Iterator[Row]:
    """A row for each player who was accepted and of whom nothing is among the entries; numbered behind `after`."""
    here = {row.group for row in rows}
    missing = [(group, receipt) for group, receipt in standing.items() if group not in here]
    missing.sort(key=lambda pair: pair[1].number)
    for number, (group, receipt) in enumerate(missing, after + 1):
        submission = Submission(number, receipt.place, receipt.player, None)
        yield Row(submission, "gone", group, accepted=receipt.number)


def with_others(rows: Sequence[Row], standing: Mapping[int, Accepted]) -> list[Row]:
    """The rows with what each has in common with those of other players: a name without an id, a seal."""
    namesakes = _namesakes(rows)
    sealed: dict[str, dict[int, list[int]]] = {}
    for row in rows:
        if row.seal is not None:
            mine = sealed.setdefault(row.seal.commitment, {}).setdefault(row.group, [])
            mine.append(row.submission.number)
    accepted: dict[str, list[tuple[int, int]]] = {}
    for group, receipt in standing.items():
        accepted.setdefault(receipt.mark, []).append((group, receipt.number))
    found = []
    for row in rows:
        player = row.submission.player
        name = "" if id_key(player) else name_key(player.name)
        row = row._replace(namesakes=namesakes.get(name, ()))
        if row.seal is not None:
            mark, own = row.seal.commitment, row.group
            others = (number for group, mine in sealed[mark].items() if group != own for number in mine)
            copied = (number for group, number in accepted.get(mark, ()) if group != own)
            row = row._replace(copies=tuple(sorted(islice(others, MOST_OTHERS))), copied=next(copied, None))
        found.append(row)
    return found


def _namesakes(rows: Iterable[Row]) -> dict[str, tuple[int, ...]]:
    """The submissions of players with ids, by the names that several such players share."""
    holders: dict[str, dict[str, list[int]]] = {}
    for row in rows:
        player = row.submission.player
        id, name = id_key(player), name_key(player.name)
        if id and name:
            holders.setdefault(name, {}).setdefault(id, []).append(row.submission.number)
    return {
        name: tuple(sorted(number for mine in ids.values() for number in mine)[:MOST_OTHERS])
        for name, ids in holders.items()
        if len(ids) > 1
    }


def by_earlier_rules(standing: Mapping[int, Accepted], rules: Provenance | None) -> Words | None:
    """That lists were accepted by rules that are no longer what they were; None where there are none."""
    if rules is None:
        return None
    number = sum(receipt.rules is not None and receipt.rules != rules for receipt in standing.values())
    if not number:
        return None
    return n_(
        "{n:,} list was accepted under an earlier version of the rules; run deckcheck event audit",
        "{n:,} lists were accepted under an earlier version of the rules; run deckcheck event audit",
        number,
    )

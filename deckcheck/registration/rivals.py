"""Which of a player's lists stands for the player."""

from collections.abc import Mapping, Sequence

from deckcheck.registration.canonical import list_of
from deckcheck.registration.model import Event, Player, Row, Submission
from deckcheck.registration.obstacles import FIELD_NAMES
from deckcheck.support.messages import Words, _


def mark_of(row: Row) -> str | None:
    """What tells this list from others: that of its canonical list, or the commitment of its seal; None for no list."""
    if row.seal is not None:
        return row.seal.commitment
    if row.report is None:
        return None
    listed = list_of(row.report.deck, row.report.game)
    return None if listed is None else listed.fingerprint


def is_late(event: Event, one: Submission) -> bool | None:
    """Whether a list came after the deadline; None where its time is not known."""
    if event.deadline is None:
        return False
    return None if one.submitted is None else one.submitted > event.deadline


def lacking(event: Event, player: Player) -> tuple[str, ...]:
    """The fields that every player must give, and this one didn't."""
    given = player._asdict()
    return tuple(field for field in event.required if not (given[field] or "").strip())


def settled(event: Event, rows: Sequence[Row]) -> list[Row]:
    """The rows of one player, each with the others' numbers and whether it counts.

    Rows without a list never stand in for one. Of several lists the last one
    on time counts, of late ones the last. Where a time is missing that can't be
    told, and then only lists that are all the same leave no question. Required
    fields that the one that counts leaves empty are taken from earlier ones.
    """
    if len(rows) == 1:
        return list(rows)
    some = [row for row in rows if row.state != "missing"] or list(rows)
    marks = {row.submission.number: _told_apart_by(row) for row in some}
    standing = _standing(some, marks)
    number = None if standing is None else standing.submission.number
    numbers = [row.submission.number for row in rows]
    done = []
    for row in rows:
        own = row.submission.number
        counts = own == number
        after = counts and row.late is False and event.deadline is not None
        whole = _completed(row, rows) if counts else row
        done.append(
            whole._replace(
                others=tuple(one for one in numbers if one != own),
                counts=counts,
                instead=None if counts else number,
                changed="deadline" if after and _came_after(row, some, marks) else row.changed,
            )
        )
    return done


def _completed(row: Row, rows: Sequence[Row]) -> Row:
    """The row with what its player left out and gave before, the last time first."""
    earlier = sorted((one for one in rows if _is_before(one, row)), key=_when, reverse=True)
    given = row.submission.player._asdict()
    notes = list(row.notes)
    for field in row.lacking:
        for one in earlier:
            said = getattr(one.submission.player, field)
            if said and said.strip():
                given[field] = said
                notes.append(_taken(field, one.submission.number))
                break
    player = Player(**given)
    left = tuple(field for field in row.lacking if given[field] == getattr(row.submission.player, field))
    return row._replace(submission=row.submission._replace(player=player), lacking=left, notes=tuple(notes))


def _taken(field: str, number: int) -> Words:
    name = FIELD_NAMES[field]
    return _(
        "{name}: left empty here, taken from the earlier submission no. {number}", name=name, number=number
    )


def _is_before(one: Row, other: Row) -> bool:
    here, there = one.submission, other.submission
    if here.submitted is None or there.submitted is None:
        return here.number < there.number
    return (here.submitted, here.number) < (there.submitted, there.number)


def _when(row: Row) -> tuple[float, int]:
    """Those without a time, who can't be placed among the others, come first."""
    one = row.submission
    return -1.0 if one.submitted is None else one.submitted.timestamp(), one.number


def _told_apart_by(row: Row) -> str:
    """The mark, or for what is not yet a list its text."""
    return mark_of(row) or f"text {row.submission.number if row.problems else row.submission.text}"


def _standing(rows: Sequence[Row], marks: Mapping[int, str]) -> Row | None:
    in_time = [row for row in rows if not row.late] or rows
    timed = [(row.submission.submitted, row) for row in rows if row.submission.submitted is not None]
    if len(timed) < len(rows):
        return in_time[-1] if len({marks[row.submission.number] for row in rows}) == 1 else None
    last = [(time, row.submission.number, row) for time, row in timed if row in in_time]
    return max(last, key=lambda one: one[:2])[2]


def _came_after(standing: Row, rows: Sequence[Row], marks: Mapping[int, str]) -> bool:
    own = marks[standing.submission.number]
    return any(row.late and marks[row.submission.number] != own for row in rows)

"""Which of a player's lists stands for the player."""

from collections.abc import Mapping, Sequence

from deckcheck.registration.canonical import list_of
from deckcheck.registration.model import Event, Row, Submission


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


def settled(event: Event, rows: Sequence[Row]) -> list[Row]:
    """The rows of one player, each with the others' numbers and whether it counts.

    Rows without a list never stand in for one. Of several lists the last one
    on time counts, of late ones the last. Where a time is missing that can't be
    told, and then only lists that are all the same leave no question.
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
        done.append(
            row._replace(
                others=tuple(one for one in numbers if one != own),
                counts=counts,
                instead=None if counts else number,
                changed="deadline" if after and _came_after(row, some, marks) else row.changed,
            )
        )
    return done


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

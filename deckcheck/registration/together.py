"""What shows only when all submissions of an event lie side by side, and beside what was accepted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from deckcheck.registration.model import Accepted, Row, Submission
from deckcheck.registration.players import bare, groups, key_of
from deckcheck.registration.provenance import Provenance
from deckcheck.registration.rivals import mark_of
from deckcheck.support.messages import Words
from deckcheck.support.text import Text


def grouped(submissions: Sequence[Submission], accepted: Sequence[Accepted]) -> tuple[list[int], list[int]]:
    """Who is the same player: a number for each submission and for each that was accepted."""
    numbers = groups([one.player for one in submissions] + [one.player for one in accepted])
    return numbers[: len(submissions)], numbers[len(submissions) :]


def recognised(standing: Mapping[int, Accepted], rows: Iterable[Row]) -> dict[int, Accepted]:
    """The receipts by player, those of players without name and id found again by place and list."""
    nameless = [group for group, was in standing.items() if not _is_named(was)]
    if not nameless:
        return dict(standing)
    places = {
        (row.submission.place, mark_of(row)): row.group for row in rows if not _is_named(row.submission)
    }
    return {
        places.get((was.place, was.mark), group) if group in nameless else group: was
        for group, was in standing.items()
    }


def _is_named(one: Submission | Accepted) -> bool:
    return bool(key_of(one.player) or bare(one.player.name))


def last_of_each(accepted: Sequence[Accepted], numbers: Sequence[int]) -> dict[int, Accepted]:
    """The receipt that stands for each player."""
    standing: dict[int, Accepted] = {}
    for was, group in zip(accepted, numbers, strict=True):
        if group not in standing or was.number > standing[group].number:
            standing[group] = was
    return standing


def compared(row: Row, was: Accepted | None) -> Row:
    """The row beside what was accepted for its player."""
    if was is None:
        return row
    mark = mark_of(row) if row.counts else None
    return row._replace(
        accepted=was.number, changed="acceptance" if mark is not None and mark != was.mark else row.changed
    )


def gone(standing: Mapping[int, Accepted], rows: Sequence[Row], after: int) -> Iterator[Row]:
    """A row for each player who was accepted and of whom nothing is among the entries; numbered behind `after`."""
    here = {row.group for row in rows}
    missing = [(group, was) for group, was in standing.items() if group not in here]
    missing.sort(key=lambda one: one[1].number)
    for number, (group, was) in enumerate(missing, after + 1):
        yield Row(Submission(number, was.place, was.player, None), "gone", group, accepted=was.number)


def side_by_side(rows: Sequence[Row], standing: Mapping[int, Accepted]) -> list[Row]:
    """The rows with what each has in common with those of other players."""
    namesakes = _namesakes(rows)
    copies = _copies(rows)
    accepted: dict[str, list[tuple[int, int]]] = {}
    for group, was in standing.items():
        accepted.setdefault(was.mark, []).append((was.number, group))
    found = []
    for row in rows:
        player = row.submission.player
        name = "" if key_of(player) else bare(player.name)
        mark = None if row.seal is None else row.seal.commitment
        copied = [number for number, group in accepted.get(mark, ()) if group != row.group] if mark else []
        found.append(
            row._replace(
                namesakes=namesakes.get(name, ()),
                copies=tuple(number for number, group in copies.get(mark, ()) if group != row.group)
                if mark
                else (),
                copied=copied[0] if copied else None,
            )
        )
    return found


def _namesakes(rows: Iterable[Row]) -> dict[str, tuple[int, ...]]:
    """The submissions of players with ids, by the names that several such players share."""
    holders: dict[str, dict[str, list[int]]] = {}
    for row in rows:
        player = row.submission.player
        id, name = key_of(player), bare(player.name)
        if id and name:
            holders.setdefault(name, {}).setdefault(id, []).append(row.submission.number)
    return {
        name: tuple(sorted(number for mine in ids.values() for number in mine))
        for name, ids in holders.items()
        if len(ids) > 1
    }


def _copies(rows: Iterable[Row]) -> dict[str, list[tuple[int, int]]]:
    """The submissions with each seal, as their numbers and players."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        if row.seal is not None:
            found.setdefault(row.seal.commitment, []).append((row.submission.number, row.group))
    return found


def by_earlier_rules(standing: Mapping[int, Accepted], rules: Provenance | None) -> Words | None:
    """That lists were accepted by rules that are no longer what they were; None where there are none."""
    if rules is None:
        return None
    number = sum(was.rules is not None and was.rules != rules for was in standing.values())
    if not number:
        return None
    lists = "1 list was" if number == 1 else f"{number:,} lists were"
    return Text(
        f"いまとは内容の違うルールで受け付けたリストが{number:,}件あります。deckcheck event audit で調べてください",
        f"{lists} accepted under an earlier version of the rules; run deckcheck event audit",
    )

"""Who is the same player, which of a player's lists counts, and how lists compare with those of others."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from deckcheck.registration.canonical import Provenance, list_of
from deckcheck.registration.eventfile import Event
from deckcheck.registration.log import Receipt
from deckcheck.registration.roster import MOST_OTHERS, Row
from deckcheck.registration.submissions import FIELD_NAMES, Player, Submission
from deckcheck.support.messages import Words, _, n_
from deckcheck.support.safetext import without_hidden

Receipts = dict[int, tuple[int, Receipt]]
"""The receipt of each player in force, with its number, by the player's group."""


def groups(players: Sequence[Player]) -> list[int]:
    """A number for each player, the same for those who are one person; numbered from 1 as they first appear.

    The same id is the same person. Who gives no id is the person of that name:
    another without an id, or the only holder of an id who bears it. A name that
    several ids share tells nothing, so whoever gives only that name is one more
    person. Who gives neither is nobody else. Letter case of ids, blanks, width
    and invisible characters never count.
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


def mark_of(row: Row) -> str | None:
    """What tells this list from others: its fingerprint, or the commitment of its seal; None for no list."""
    if row.seal is not None:
        return row.seal.commitment
    listed = None if row.report is None else list_of(row.report.deck, row.report.game)
    return None if listed is None else listed.fingerprint


def with_precedence(event: Event, rows: Sequence[Row]) -> list[Row]:
    """The rows of one player, each with the others' numbers and whether it counts.

    Rows without a list never replace one. Of several lists the last one on time
    counts, of late ones the last. Where a time is missing nobody can tell, unless
    all lists are the same. Required fields that the list that counts leaves empty
    are taken from earlier ones.
    """
    if len(rows) == 1:
        return list(rows)
    lists = [row for row in rows if row.state != "missing"] or rows
    # What is not yet a list is compared by its text.
    marks = {
        row.submission.number: mark_of(row)
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
    earlier = sorted((other for other in rows if _is_before(other.submission, own)), key=_when, reverse=True)
    found: dict[str, str] = {}
    notes = list(row.notes)
    for field in row.lacking:
        for other in earlier:
            value = other.submission.player.given.get(field, "")
            if value.strip():
                found[field] = value
                notes.append(
                    _(
                        "{name}: left empty here, taken from the earlier submission no. {number}",
                        name=FIELD_NAMES[field],
                        number=other.submission.number,
                    )
                )
                break
    return row._replace(
        submission=own._replace(player=own.player._replace(**found)),
        lacking=tuple(field for field in row.lacking if field not in found),
        notes=tuple(notes),
    )


def _is_before(here: Submission, there: Submission) -> bool:
    if here.submitted is None or there.submitted is None:
        return here.number < there.number
    return (here.submitted, here.number) < (there.submitted, there.number)


def receipts_of(accepted: Mapping[int, Receipt], players: Sequence[int], rows: Iterable[Row]) -> Receipts:
    """The last receipt of each player; `players` are the groups of the receipts, which come in the log's order.

    Receipts of players without name and id are assigned by place and list.
    """
    last = dict(zip(players, accepted.items(), strict=True))
    nameless = (row for row in rows if not _is_named(row.submission.player))
    places: dict[tuple[str, str | None], int] = {}
    if not all(_is_named(receipt.player) for _number, receipt in last.values()):
        places = {(row.submission.place, mark_of(row)): row.group for row in nameless}
    return {
        places.get((receipt.place, receipt.mark), group) if not _is_named(receipt.player) else group: (
            number,
            receipt,
        )
        for group, (number, receipt) in last.items()
    }


def _is_named(player: Player) -> bool:
    return bool(id_key(player) or name_key(player.name))


def with_receipt(row: Row, receipts: Receipts) -> Row:
    """The row beside what was accepted for its player."""
    if row.group not in receipts:
        return row
    number, receipt = receipts[row.group]
    mark = mark_of(row) if row.counts else None
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


def with_others(rows: Sequence[Row], receipts: Receipts) -> list[Row]:
    """The rows with what each has in common with those of other players: a name without an id, a seal."""
    names: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    sealed: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    accepted: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        number, player = row.submission.number, row.submission.player
        if id_key(player):
            names[name_key(player.name)][id_key(player)].append(number)
        if row.seal is not None:
            sealed[row.seal.commitment][row.group].append(number)
    for group, (number, receipt) in receipts.items():
        accepted[receipt.mark].append((number, group))
    namesakes = {
        name: tuple(sorted(number for numbers in ids.values() for number in numbers)[:MOST_OTHERS])
        for name, ids in names.items()
        if name and len(ids) > 1
    }

    def completed(row: Row) -> Row:
        player = row.submission.player
        if not id_key(player):
            row = row._replace(namesakes=namesakes.get(name_key(player.name), ()))
        if row.seal is None:
            return row
        mark, own = row.seal.commitment, row.group
        others = (number for group, numbers in sealed[mark].items() if group != own for number in numbers)
        copied = (number for number, group in accepted.get(mark, ()) if group != own)
        return row._replace(copies=tuple(sorted(islice(others, MOST_OTHERS))), copied=next(copied, None))

    return [completed(row) for row in rows]


def by_earlier_rules(receipts: Receipts, rules: Provenance | None) -> list[Words]:
    """A note of lists that were accepted by rules that have changed since; none where there are none."""
    number = sum(rules not in (None, receipt.rules) for _number, receipt in receipts.values())
    if not number:
        return []
    return [
        n_(
            "{n:,} list was accepted under an earlier version of the rules; run deckcheck event audit",
            "{n:,} lists were accepted under an earlier version of the rules; run deckcheck event audit",
            number,
        )
    ]

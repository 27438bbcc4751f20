"""Who is the same player, which of a player's lists stands, and how lists compare with those of others."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from deckcheck.registration.canonical import Provenance, list_of
from deckcheck.registration.model import FIELD_NAMES, MOST_OTHERS, Accepted, Event, Player, Row, Submission
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


def with_precedence(event: Event, rows: Sequence[Row]) -> list[Row]:
    """The rows of one player, each with the others' numbers and whether it counts.

    Rows without a list never stand in for one. Of several lists the last one
    on time counts, of late ones the last. Where a time is missing that can't be
    told, and then only lists that are all the same leave no question. Required
    fields that the one that counts leaves empty are taken from earlier ones.
    """
    if len(rows) == 1:
        return list(rows)
    lists = [row for row in rows if row.state != "missing"] or rows
    marks = {row.submission.number: _mark_or_text(row) for row in lists}
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


def _mark_or_text(row: Row) -> str:
    """The mark, or for what is not yet a list its text."""
    return mark_of(row) or f"text {row.submission.number if row.problems else row.submission.text}"


def _completed(row: Row, rows: Sequence[Row]) -> Row:
    """The row with what its player left out and gave before, the last time first."""
    if not row.lacking:
        return row
    own = row.submission
    earlier = sorted((other for other in rows if _is_before(other.submission, own)), key=_when, reverse=True)
    given = own.player._asdict()
    notes, left = list(row.notes), []
    for field in row.lacking:
        for other in earlier:
            value = getattr(other.submission.player, field) or ""
            if value.strip():
                break
        else:
            left.append(field)
            continue
        given[field] = value
        notes.append(
            _(
                "{name}: left empty here, taken from the earlier submission no. {number}",
                name=FIELD_NAMES[field],
                number=other.submission.number,
            )
        )
    return row._replace(
        submission=own._replace(player=Player(**given)), lacking=tuple(left), notes=tuple(notes)
    )


def _is_before(here: Submission, there: Submission) -> bool:
    if here.submitted is None or there.submitted is None:
        return here.number < there.number
    return (here.submitted, here.number) < (there.submitted, there.number)


def receipts_of(
    accepted: Sequence[Accepted], players: Sequence[int], rows: Iterable[Row]
) -> dict[int, Accepted]:
    """The last receipt of each player; `players` are the numbers of the players of the receipts.

    Those of players without name and id are found again by place and list.
    """
    last: dict[int, Accepted] = {}
    for receipt, group in zip(accepted, players, strict=True):
        if group not in last or receipt.number > last[group].number:
            last[group] = receipt
    if all(_is_named(receipt.player) for receipt in last.values()):
        return last
    nameless = (row for row in rows if not _is_named(row.submission.player))
    places = {(row.submission.place, mark_of(row)): row.group for row in nameless}
    return {
        group if _is_named(receipt.player) else places.get((receipt.place, receipt.mark), group): receipt
        for group, receipt in last.items()
    }


def _is_named(player: Player) -> bool:
    return bool(id_key(player) or name_key(player.name))


def with_receipt(row: Row, receipt: Accepted | None) -> Row:
    """The row beside what was accepted for its player."""
    if receipt is None:
        return row
    mark = mark_of(row) if row.counts else None
    changed = mark is not None and mark != receipt.mark
    return row._replace(accepted=receipt.number, changed="acceptance" if changed else row.changed)


def gone(receipts: Mapping[int, Accepted], rows: Sequence[Row]) -> Iterator[Row]:
    """A row for each player who was accepted and of whom nothing is among the entries; numbered behind those."""
    here = {row.group for row in rows}
    last = max((row.submission.number for row in rows), default=0)
    missing = [(receipt, group) for group, receipt in receipts.items() if group not in here]
    for number, (receipt, group) in enumerate(sorted(missing, key=lambda pair: pair[0].number), last + 1):
        submission = Submission(number, receipt.place, receipt.player, None)
        yield Row(submission, "gone", group, accepted=receipt.number)


def with_others(rows: Sequence[Row], receipts: Mapping[int, Accepted]) -> list[Row]:
    """The rows with what each has in common with those of other players: a name without an id, a seal."""
    names: dict[str, dict[str, list[int]]] = {}
    sealed: dict[str, dict[int, list[int]]] = {}
    accepted: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        number, player = row.submission.number, row.submission.player
        id, name = id_key(player), name_key(player.name)
        if id and name:
            names.setdefault(name, {}).setdefault(id, []).append(number)
        if row.seal is not None:
            sealed.setdefault(row.seal.commitment, {}).setdefault(row.group, []).append(number)
    for group, receipt in receipts.items():
        accepted.setdefault(receipt.mark, []).append((receipt.number, group))
    namesakes = {
        name: tuple(sorted(number for numbers in ids.values() for number in numbers)[:MOST_OTHERS])
        for name, ids in names.items()
        if len(ids) > 1
    }
    found = []
    for row in rows:
        player = row.submission.player
        if not id_key(player):
            row = row._replace(namesakes=namesakes.get(name_key(player.name), ()))
        if row.seal is not None:
            mark, own = row.seal.commitment, row.group
            others = (number for group, numbers in sealed[mark].items() if group != own for number in numbers)
            copied = (number for number, group in accepted.get(mark, ()) if group != own)
            row = row._replace(copies=tuple(sorted(islice(others, MOST_OTHERS))), copied=next(copied, None))
        found.append(row)
    return found


def by_earlier_rules(receipts: Iterable[Accepted], rules: Provenance | None) -> Words | None:
    """That lists were accepted by rules that are no longer what they were; None where there are none."""
    number = sum(rules is not None and receipt.rules not in (None, rules) for receipt in receipts)
    if not number:
        return None
    return n_(
        "{n:,} list was accepted under an earlier version of the rules; run deckcheck event audit",
        "{n:,} lists were accepted under an earlier version of the rules; run deckcheck event audit",
        number,
    )

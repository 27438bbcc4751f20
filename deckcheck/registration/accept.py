"""Acceptance: from lists that stand to receipts in the log."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking import LoadedFormat
from deckcheck.errors import wrong
from deckcheck.files import write_atomically
from deckcheck.registration.canonical import list_of
from deckcheck.registration.log import Log, extend
from deckcheck.registration.model import Event, Player, Roster, Row
from deckcheck.registration.obstacles import Obstacle, obstacles
from deckcheck.registration.players import groups
from deckcheck.registration.provenance import Provenance
from deckcheck.registration.receipts import Entry, Receipt, entry_object
from deckcheck.report.objects import json_page
from deckcheck.text import Text


class Word(NamedTuple):
    """A judge's word: who says that lists are accepted all the same, and why."""

    by: str
    reason: str


class Refused(NamedTuple):
    """A submission that was not accepted, and what stands in the way."""

    row: Row
    obstacles: tuple[Obstacle, ...]


class Accepting(NamedTuple):
    """What came of an acceptance: the log as it is now, the new entries, how many stood accepted before as they are, the rest."""

    log: Log
    added: tuple[Entry, ...]
    unchanged: int
    refused: tuple[Refused, ...]


Judge = Callable[[Log], Roster]
"""From the log as it stands to the roster that is judged with it."""


def accept(
    event: Event,
    judge: Judge,
    rules: Provenance,
    *,
    now: datetime,
    only: Sequence[str] = (),
    word: Word | None = None,
) -> Accepting:
    """Freeze every list that counts and that nothing stands against; what is accepted already stays.

    With `only`, players by number in the roster, by id or by name, nobody
    else; for them a judge's `word` overrides what may be overridden. Raises UserError when the
    log can't be extended, and when `only` names nobody; nothing is changed then.
    """
    refused: list[Refused] = []
    unchanged = 0

    def make(log: Log) -> list[Receipt]:
        nonlocal unchanged
        _require_whole(log, event)
        roster = judge(log)
        rows = chosen(roster, only)
        unchanged = 0
        refused.clear()
        made = []
        for row in rows:
            against = obstacles(row)
            # What has no list any more is not as it was accepted.
            still = row.counts and all(one.by_word for one in against)
            if row.accepted is not None and row.changed != "acceptance" and still:
                unchanged += 1
                continue
            if against and (word is None or not all(one.by_word for one in against)):
                # Of a player's lists only the one that counts is spoken of, unless none of them counts.
                if row.counts or row.instead is None:
                    refused.append(Refused(row, against))
                continue
            made.append(_receipt(event, roster.format, row, rules, now, word if against else None, against))
        return made

    log, added = extend(event.log, event.id, make)
    return Accepting(log, added, unchanged, tuple(refused))


def _receipt(
    event: Event,
    format: LoadedFormat,
    row: Row,
    rules: Provenance,
    now: datetime,
    word: Word | None,
    against: Sequence[Obstacle],
) -> Receipt:
    one, report, seal = row.submission, row.report, row.seal
    if report is None and seal is None:
        raise ValueError("nothing to accept")
    listed = None if report is None else list_of(report.deck, report.game)
    errors = [] if report is None else [said for said in report.findings if said.severity == "error"]
    return Receipt(
        event=event.id,
        date=event.date,
        at=now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        player=one.player,
        place=one.place,
        submitted=None if one.submitted is None else one.submitted.isoformat(),
        game=format.table.game.id,
        format=rules.format,
        banlists=rules.banlists,
        cards=format.table.catalogue.version,
        as_of=event.as_of,
        best_of=event.best_of,
        verdict=report.verdict if report is not None else seal.verdict if seal is not None else "undecided",
        faults=tuple(dict.fromkeys(said.rule for said in errors)),
        listed=listed,
        sealed=None if seal is None else seal.commitment,
        by=None if word is None else word.by,
        reason=None if word is None else word.reason,
        despite=tuple(dict.fromkeys(said.kind for said in against)),
        replaces=row.accepted,
    )


def chosen(roster: Roster, only: Sequence[str]) -> list[Row]:
    """The rows of the players that are named, all rows where none is.

    Raises UserError, which names nobody, for a word that means no player or several.
    """
    if not only:
        return list(roster.rows)
    groups = {_group(roster, word, at) for at, word in enumerate(only, 1)}
    return [row for row in roster.rows if row.group in groups]


def _group(roster: Roster, word: str, at: int) -> int:
    # Who has this id or this name is who would be the same player.
    players = [Player(id=word), Player(name=word), *(row.submission.player for row in roster.rows)]
    of_id, of_name, *others = groups(players)
    by_id = {row.group for row, group in zip(roster.rows, others, strict=True) if group == of_id}
    by_name = {row.group for row, group in zip(roster.rows, others, strict=True) if group == of_name}
    by_number = {row.group for row in roster.rows if str(row.submission.number) == word.strip()}
    found = by_id | by_number or by_name
    if len(found) == 1:
        return found.pop()
    hint = Text(
        "deckcheck event check の番号か、プレイヤーのidで指定してください",
        "name players by their number in deckcheck event check, or by their id",
    )
    if found:
        raise wrong(
            f"{at}つ目の指定に当てはまるプレイヤーが複数います",
            f"argument {at} may mean several players",
            hint=hint,
        )
    raise wrong(
        f"{at}つ目の指定に当てはまるプレイヤーがいません", f"argument {at} names no player", hint=hint
    )


def _require_whole(log: Log, event: Event) -> None:
    """Raises UserError when there are receipts that the log has lost."""
    folder = receipts_folder(event)
    numbers = [
        int(file.stem) for file in folder.glob("*.json") if file.stem.isascii() and file.stem.isdigit()
    ]
    if max(numbers, default=0) > len(log.entries):
        raise wrong(
            "受付証にある項目が記録にありません。記録が失われたか、切り取られています",
            "there are receipts of entries that the log doesn't have: it was lost or cut off",
            path=str(event.log),
            hint=Text("deckcheck event audit で調べてください", "deckcheck event audit tells more"),
        )


def receipts_folder(event: Event) -> Path:
    """Where each receipt stands in a file of its own, beside the log."""
    return event.log.with_name(event.log.name.removesuffix(".jsonl").removesuffix(".log") + ".receipts")


def receipt_file(folder: Path, number: int) -> Path:
    """The file of the receipt of that number."""
    return folder / f"{number:04}.json"


def receipt_page(entry: Entry) -> str:
    """What stands in the file of a receipt."""
    return json_page(entry_object(entry))


def write_receipts(log: Log, folder: Path) -> int:
    """Write each receipt of the log that isn't there yet into a file of its own, and say how many were written.

    They are copies for players and judges; the log is what counts. Raises
    UserError where they can't be written.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = 0
        for entry in log.entries:
            file = receipt_file(folder, entry.number)
            if isinstance(entry.value, Receipt) and not file.exists():
                write_atomically(file, receipt_page(entry).encode())
                written += 1
        return written
    except OSError as error:
        reason = error.strerror or str(error)
        raise wrong(f"書き込めません: {reason}", f"can't be written: {reason}", path=str(folder)) from error

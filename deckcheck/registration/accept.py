"""Acceptance: from lists that stand to receipts in the log."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import LoadedFormat
from deckcheck.registration.canonical import list_of
from deckcheck.registration.log import Log, extend
from deckcheck.registration.model import Event, Player, Roster, Row
from deckcheck.registration.obstacles import Obstacle, numbered, obstacles
from deckcheck.registration.players import bare, key_of
from deckcheck.registration.provenance import Provenance
from deckcheck.registration.receipts import Entry, Receipt, entry_object
from deckcheck.registration.tables.told import unknown_times
from deckcheck.report.escaping import json_page
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Words, _

MOST_NAMED = 20
"""Of the players that a word may mean so many are told, by number."""


class Word(NamedTuple):
    """A judge's word: who says that lists are accepted all the same, and why."""

    by: str
    reason: str


class Refused(NamedTuple):
    """A submission that was not accepted, and what stands in the way."""

    row: Row
    obstacles: tuple[Obstacle, ...]


class Accepting(NamedTuple):
    """What came of an acceptance: the log as it is now, the new entries, how many stood accepted before as they are, the rest.

    `gone` are those of players who were accepted before and of whom nothing is
    among the entries any more. `notes` are remarks about the whole.
    """

    log: Log
    added: tuple[Entry, ...]
    unchanged: int
    refused: tuple[Refused, ...]
    gone: tuple[Row, ...] = ()
    notes: tuple[Words, ...] = ()


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
    gone: list[Row] = []
    notes: list[Words] = []
    unchanged = 0

    def make(log: Log) -> list[Receipt]:
        nonlocal unchanged
        _require_whole(log, event)
        roster = judge(log)
        taken: list[Row] = []
        unchanged = 0
        refused.clear()
        gone.clear()
        for row in chosen(roster, only):
            if row.state == "gone":
                gone.append(row)
                continue
            against = obstacles(row)
            # What has no list any more is not as it was accepted.
            still = all(one.by_word for one in against)
            if row.settled and still:
                unchanged += 1
                continue
            if against and (word is None or not all(one.by_word for one in against)):
                # Of a player's lists only the one that counts is spoken of, unless none of them counts.
                if row.counts or row.instead is None:
                    refused.append(Refused(row, against))
                continue
            taken.append(row)
        untold = unknown_times(event, taken)
        notes[:] = [*([] if untold is None else [untold]), *roster.notes]
        return [_receipt(event, roster.format, row, rules, now, word, obstacles(row)) for row in taken]

    log, added = extend(event.log, event.id, make)
    return Accepting(log, added, unchanged, tuple(refused), tuple(gone), tuple(notes))


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
        game=format.game_data.game.id,
        format=rules.format,
        banlists=rules.banlists,
        cards=format.game_data.catalog.version,
        as_of=event.as_of,
        best_of=event.best_of,
        verdict=report.verdict if report is not None else seal.verdict if seal is not None else "undecided",
        faults=tuple(dict.fromkeys(said.rule for said in errors)),
        listed=listed,
        sealed=None if seal is None else seal.commitment,
        # No word was needed where nothing stood against it.
        by=word.by if word is not None and against else None,
        reason=word.reason if word is not None and against else None,
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
    id, name = key_of(Player(id=word)), bare(word)
    meant = [row for row in roster.rows if id and key_of(row.submission.player) == id]
    meant += [row for row in roster.rows if str(row.submission.number) == word.strip()]
    # A name that several players have means none of them, not even the one who gave no id.
    meant = meant or [row for row in roster.rows if name and bare(row.submission.player.name) == name]
    found = {row.group for row in meant}
    if len(found) == 1:
        return found.pop()
    hint = _("name players by their number in deckcheck event check, or by their id")
    if found:
        named = numbered(sorted({row.submission.number for row in meant}), MOST_NAMED)
        raise wrong(
            _("argument {at} may mean several players ({named})", at=at, named=named),
            hint=hint,
        )
    raise wrong(_("argument {at} names no player", at=at), hint=hint)


def _require_whole(log: Log, event: Event) -> None:
    """Raises UserError when there are receipts that the log has lost."""
    folder = receipts_folder(event)
    numbers = [
        int(file.stem) for file in folder.glob("*.json") if file.stem.isascii() and file.stem.isdigit()
    ]
    if max(numbers, default=0) > len(log.entries):
        raise wrong(
            _("there are receipts of entries that the log doesn't have: it was lost or cut off"),
            path=str(event.log),
            hint=_("deckcheck event audit tells more"),
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

"""Acceptance: from lists that count to receipts in the log, and a file for each beside it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from deckcheck.registration.canonical import list_of
from deckcheck.registration.conditions import Failure, failures, numbered, unknown_times
from deckcheck.registration.log import PATIENCE, Entry, Log, Receipt, entry_object, extend, read_entry
from deckcheck.registration.model import Event, Player, Roster, Row
from deckcheck.registration.precedence import id_key, name_key
from deckcheck.registration.roster import EventSession
from deckcheck.report.json import json_page
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import cannot_write, read_bytes, write_many
from deckcheck.support.messages import Words, _

MOST_NAMED = 20
"""Of the players that an argument may mean so many are named, by number."""

_MOST_ASIDE = 1000


class Word(NamedTuple):
    """A judge's word: who says that lists are accepted all the same, and why."""

    by: str
    reason: str


class Acceptance(NamedTuple):
    """What came of an acceptance: the log as it is now, the new entries, how many were accepted before, and the rest.

    `refused` are rows that were not accepted (see conditions.failures); `gone` are rows of players who were accepted before and of whom nothing is
    among the entries any more. `notes` are remarks about the whole.
    """

    log: Log
    added: tuple[Entry, ...]
    unchanged: int
    refused: tuple[Row, ...]
    gone: tuple[Row, ...] = ()
    notes: tuple[Words, ...] = ()


def accept(
    session: EventSession, *, now: datetime, only: Sequence[str] = (), word: Word | None = None
) -> Acceptance:
    """Freeze every list that counts and that nothing stands against; what is accepted already stays.

    With `only`, players by number in the roster, by id or by name, nobody
    else; for them a judge's `word` overrides what may be overridden. Raises UserError when the
    log can't be extended, and when `only` names nobody; nothing is changed then.
    """
    event = session.event
    # A log's lock is not left behind where nobody is named.
    if only and not event.log.exists():
        chosen(session.roster(Log(), judged=False), only)
    done = Acceptance(Log(), (), 0, ())

    def make(log: Log) -> list[Receipt]:
        nonlocal done
        _require_whole(log, event)
        roster = session.roster(log)
        rows = chosen(roster, only)
        taken: list[tuple[Row, tuple[Failure, ...]]] = []
        refused: list[Row] = []
        unchanged = 0
        for row in rows:
            failed = failures(row)
            # What has no list any more is not as it was accepted.
            by_word = all(failure.by_word for failure in failed)
            if row.state == "gone":
                continue
            if row.is_frozen and by_word:
                unchanged += 1
            elif not failed or (word is not None and by_word):
                taken.append((row, failed))
            elif row.counts or row.is_unclear:
                # Of a player's lists only the one that counts is spoken of, unless none of them counts.
                refused.append(row)
        unknown = unknown_times(event, [row for row, _failed in taken])
        done = Acceptance(
            log,
            (),
            unchanged,
            tuple(refused),
            tuple(row for row in rows if row.state == "gone"),
            (*([] if unknown is None else [unknown]), *roster.notes),
        )
        return [_receipt(session, row, now, word, failed) for row, failed in taken]

    log, added = extend(event.log, event.id, make)
    return done._replace(log=log, added=added)


def _receipt(
    session: EventSession, row: Row, now: datetime, word: Word | None, despite: Sequence[Failure]
) -> Receipt:
    event, format, rules = session.event, session.format, session.rules.provenance
    submission, report, seal = row.submission, row.report, row.seal
    judged = report or seal
    if judged is None:
        raise ValueError("nothing to accept")
    errors = [] if report is None else [each for each in report.findings if each.severity == "error"]
    by, reason = word if word is not None and despite else (None, None)
    return Receipt(
        event=event.id,
        date=event.date,
        at=now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        player=submission.player,
        place=submission.place,
        submitted=None if submission.submitted is None else submission.submitted.isoformat(),
        game=format.game_data.game.id,
        format=rules.format,
        banlists=rules.banlists,
        cards=format.game_data.catalog.version,
        as_of=event.as_of,
        best_of=event.best_of,
        verdict=judged.verdict,
        faults=tuple(dict.fromkeys(error.rule for error in errors)),
        listed=None if report is None else list_of(report.deck, report.game),
        sealed=None if seal is None else seal.commitment,
        by=by,
        reason=reason,
        despite=tuple(failure.id for failure in despite),
        replaces=row.accepted,
    )


def chosen(roster: Roster, only: Sequence[str]) -> list[Row]:
    """The rows of the players that are named, all rows where none is.

    Raises UserError, which names nobody, for a word that means no player or several.
    """
    if not only:
        return list(roster.rows)
    hint = _("name players by their number in deckcheck event check, or by their id")
    groups: set[int] = set()
    for at, word in enumerate(only, 1):
        id, name = id_key(Player(id=word)), name_key(word)
        meant = [
            row
            for row in roster.rows
            if (id and id_key(row.submission.player) == id) or str(row.submission.number) == word.strip()
        ]
        # A name that several players have means none of them, not even the one who gave no id.
        meant = meant or [row for row in roster.rows if name and name_key(row.submission.player.name) == name]
        found = {row.group for row in meant}
        if len(found) > 1:
            named = numbered(sorted({row.submission.number for row in meant}), MOST_NAMED)
            message = _("argument {at} may mean several players ({named})", at=at, named=named)
            raise user_error(message, hint=hint)
        if not found:
            raise user_error(_("argument {at} names no player", at=at), hint=hint)
        groups |= found
    return [row for row in roster.rows if row.group in groups]


def _require_whole(log: Log, event: Event) -> None:
    """Raises UserError when there are receipts that the log has lost."""
    stems = [file.stem for file in receipts_folder(event).glob("*.json")]
    numbers = [int(stem) for stem in stems if stem.isascii() and stem.isdigit()]
    if max(numbers, default=0) > len(log.entries):
        raise user_error(
            _("there are receipts for entries that the log lacks: it was lost or cut off"),
            path=str(event.log),
            hint=_("deckcheck event audit tells more"),
        )


def receipts_folder(event: Event) -> Path:
    """Where each receipt stands in a file of its own, beside the log."""
    return event.log.with_name(event.log.name.removesuffix(".jsonl").removesuffix(".log") + ".receipts")


def receipt_file(folder: Path, number: int) -> Path:
    """The file of the receipt of that number."""
    return folder / f"{number:04}.json"


def receipt_page(entry: Entry) -> bytes:
    """What stands in the file of a receipt."""
    return json_page(entry_object(entry)).encode()


def holds(file: Path, page: bytes) -> bool:
    """Whether a file is byte for byte this page."""
    try:
        return read_bytes(file, most=len(page)) == page
    except UserError:
        return False


class WrittenReceipts(NamedTuple):
    """How many files were written, and the numbers of those in whose place another receipt stood."""

    number: int
    aside: tuple[int, ...]


def write_receipts(log: Log, folder: Path) -> WrittenReceipts:
    """Write each receipt of the log into a file of its own, where it doesn't stand there already.

    All is on the disk when this returns. What a run that was cut off has left
    is taken away, and a file that is broken is written anew. A whole receipt that says
    something else than the log may be what proves that the log was rewritten: it is kept
    beside, where an audit finds it. Raises UserError where they can't be written.
    """
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(folder.with_name(f".{folder.name}.lock"), timeout=PATIENCE):
            for part in folder.glob(".*.part"):
                part.unlink(missing_ok=True)
            stale: dict[str, bytes] = {}
            aside = []
            for entry in log.entries:
                file, page = receipt_file(folder, entry.number), receipt_page(entry)
                if isinstance(entry.value, Receipt) and not holds(file, page):
                    stale[file.name] = page
                    if _put_aside(file, entry):
                        aside.append(entry.number)
            if stale:
                write_many(folder, stale)
            return WrittenReceipts(len(stale), tuple(aside))
    except Timeout as error:
        hint = _("wait a moment and try again")
        raise user_error(_("another desk is writing the receipts"), path=str(folder), hint=hint) from error
    except OSError as error:
        raise cannot_write(folder, error) from error


def _put_aside(file: Path, entry: Entry) -> bool:
    """Whether a whole receipt stood there that says something else, and was given another name."""
    try:
        if read_entry(file) == entry:
            return False
    except UserError:
        return False
    for at in range(1, _MOST_ASIDE):
        free = file.with_name(f"{file.stem}.replaced{f'-{at}' if at > 1 else ''}.json")
        if not free.exists():
            file.rename(free)
            return True
    raise OSError("too many receipts were put aside")

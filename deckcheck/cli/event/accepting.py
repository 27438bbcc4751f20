"""`deckcheck event accept`: lists in, receipts in the log, and a word on each list that was not accepted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.cli.check import tell_first_time
from deckcheck.cli.language import user_language
from deckcheck.cli.screen import output
from deckcheck.registration.accept import (
    Accepting,
    Refused,
    Word,
    accept,
    receipts_folder,
)
from deckcheck.registration.desk import open_desk, roster_of, rules_of
from deckcheck.registration.obstacles import numbered
from deckcheck.registration.receiptfiles import write_receipts
from deckcheck.registration.receipts import entry_object
from deckcheck.registration.tables.told import gravest
from deckcheck.report.escaping import json_page
from deckcheck.report.json import TOOL
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import Localized, Words, _, n_, series
from deckcheck.support.safetext import safe
from deckcheck.support.text import Text

ALL_ACCEPTED, SOME_REFUSED = 0, 1


class Asked(NamedTuple):
    """What stands on the command line beside the event."""

    players: tuple[str, ...]
    by: str | None
    reason: str | None
    output: Literal["text", "json"]
    lang: str | None


def run(path: str, asked: Asked) -> int:
    """Accept, tell what came of it, and return the exit status. Raises UserError.

    Nothing is accepted then, save where only the files of the receipts can't be written.
    """
    lang = asked.lang or user_language()
    word = _word(asked)
    tell_first_time(lang)
    desk = open_desk(Path(path))
    rules = rules_of(desk).provenance
    done = accept(
        desk.event,
        lambda log: roster_of(desk, log, rules),
        rules,
        now=datetime.now(UTC),
        only=asked.players,
        word=word,
    )
    # Also those of a run that was cut off before it came so far.
    try:
        aside, unwritten = write_receipts(done.log, receipts_folder(desk.event)).aside, None
    except UserError as error:
        aside, unwritten = (), error
    if aside:
        done = done._replace(notes=(*done.notes, _aside(aside)))
    with output(None, exact=asked.output == "json") as write:
        if asked.output == "json":
            write(json_page(_object(done, lang)))
        else:
            for line in _lines(done, desk.event.log, receipts_folder(desk.event)):
                write(line.in_(lang) + "\n")
    if unwritten is not None:
        # What was accepted stays so, and is told before.
        raise UserError([one._replace(hint=_IN_THE_LOG) for one in unwritten.problems])
    return SOME_REFUSED if done.refused else ALL_ACCEPTED


_IN_THE_LOG = _("the log has what was accepted; mend this and run it again, and the receipts are written")


def _aside(numbers: Sequence[int]) -> Words:
    named = numbered(numbers)
    return _(
        "other receipts than the log's stood in the folder ({named}); they are kept under other "
        "names: run deckcheck event audit",
        named=named,
    )


def _word(asked: Asked) -> Word | None:
    by, reason = (asked.by or "").strip(), (asked.reason or "").strip()
    if asked.by is None and asked.reason is None:
        return None
    if not by or not reason:
        raise wrong(_("--by and --reason go together, and neither may be empty"))
    if not asked.players:
        raise wrong(_("with --by, name the players whose lists are accepted"))
    return Word(by, reason)


def _lines(done: Accepting, log: Path, folder: Path) -> Iterator[Words]:
    new, old = len(done.added), done.unchanged
    yield Text(f"受付 {new + old}件（新規 {new}、受付済み {old}）", f"accepted: {new} new, {old} as before")
    if done.refused:
        yield _("not accepted: {n}", n=len(done.refused))
        for refused in done.refused:
            yield _refused(refused)
        if any(all(one.by_word for one in refused.obstacles) for refused in done.refused):
            yield _("on a judge's word: deckcheck event accept EVENT NUMBER --by JUDGE --reason TEXT")
    if done.gone:
        named = numbered([row.submission.number for row in done.gone])
        yield _("accepted, but no longer among the entries: {n} ({named})", n=len(done.gone), named=named)
    for note in done.notes:
        yield _("note: {note}", note=note)
    size, head = len(done.log.entries), done.log.head
    yield n_("log {log} ({n} entry)", "log {log} ({n} entries)", size, log=safe(str(log)))
    yield _("receipts {folder}", folder=safe(str(folder)))
    yield _(
        "head {head}\n  (note it down: event audit --head then shows whether anything was cut off "
        "or rewritten)",
        head=head,
    )


def _refused(refused: Refused) -> Words:
    row = refused.row
    told = gravest(row)
    name = safe(row.submission.player.name or "")
    why = series(one.message for one in refused.obstacles)
    first = Localized("", "") if told is None else _(" — {message}", message=told.message)
    number = row.submission.number
    return Text(
        f"  {number}  {name}  {safe(why.ja + first.ja)}", f"  {number}  {name}  {safe(why.en + first.en)}"
    )


def _object(done: Accepting, lang: str) -> dict[str, object]:
    return {
        "schema": 1,
        "tool": dict(TOOL),
        "accepted": [entry_object(entry) for entry in done.added],
        "unchanged": done.unchanged,
        "refused": [
            {
                "number": one.row.submission.number,
                "place": one.row.submission.place,
                "obstacles": [
                    {"kind": of.kind, "message": of.message.in_(lang), "by_word": of.by_word}
                    for of in one.obstacles
                ],
            }
            for one in done.refused
        ],
        "gone": [
            {"number": row.submission.number, "place": row.submission.place, "receipt": row.accepted}
            for row in done.gone
        ],
        "notes": [note.in_(lang) for note in done.notes],
        "entries": len(done.log.entries),
        "head": done.log.head,
    }

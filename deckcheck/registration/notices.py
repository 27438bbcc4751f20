"""Notices to players about their lists and what to do by when, as text and as files, one a player."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from deckcheck.registration.eventfile import Event
from deckcheck.registration.roster import Roster, Row, failures, marked_lines, players_findings
from deckcheck.registration.roster_outputs import render
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import excerpt, safe

MARK = ".deckcheck-letters"
"""A file in a folder of notices that names their event, so that no other files are taken for notices."""

_FILE = re.compile(r"\d{3,}\.txt")
_LONGEST_NAME = 80
_WIDTH = 72


class Point(NamedTuple):
    """Something to correct or to look at, with the lines that it is about, and a note if there are more of them."""

    message: Words
    hint: Words | None
    lines: Sequence[tuple[int, str]] = ()
    more: Sequence[Words] = ()


def notice(row: Row, roster: Roster, lang: str) -> str:
    """The notice to the player of this row, in `lang`, safe for a screen and ended by a line feed."""
    event, player = roster.event, row.submission.player
    name = safe((player.name or player.handle or "").strip())
    errors = [
        Point(problem.message, problem.hint, _quoted(problem.line, problem.excerpt, problem.column or 1))
        for problem in row.problems
    ]
    warnings: list[Point] = []
    for finding in players_findings(row):
        found, more = marked_lines(finding, row)
        lines = [quoted for line, text, column, _length in found for quoted in _quoted(line, text, column)]
        points = errors if finding.severity == "error" else warnings
        points.append(Point(finding.message, finding.hint, lines, more))
    until: Words = _("the day of the event ({day})", day=_day(date.fromisoformat(event.date)))
    return render(
        "notice.txt",
        lang,
        row=row,
        event=event,
        name=name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…",
        day=_day(date.fromisoformat(event.date)),
        number=len(row.others) + 1,
        format=roster.format.format.name,
        errors=errors,
        warnings=warnings,
        failed=() if row.is_frozen else failures(row),
        moment=_moment,
        until=until if event.deadline is None else _moment(event.clock(event.deadline)),
    )


def _quoted(number: int | None, line: str | None, column: int) -> list[tuple[int, str]]:
    """A line of a list with its number, cut around the column; nothing where it is not known."""
    return [(number, excerpt(line, column, 1, _WIDTH).line.strip())] if number and line else []


def _day(day: date) -> Words:
    return _("{year}-{month:02}-{day:02}", year=day.year, month=day.month, day=day.day)


def _moment(when: datetime) -> Words:
    return _("{day} {time} ({zone})", day=_day(when), time=f"{when:%H:%M}", zone=when.tzname())


def write_notices(roster: Roster, folder: Path) -> int:
    """Write a notice to every player, named by the number of the submission, and return how many there are.

    Outdated notices in the folder are removed. Raises UserError when it holds anything else, or can't be written.
    """
    event = roster.event
    notices = {
        f"{row.submission.number:03}.txt": notice(row, roster, event.language_of(row.submission.player))
        for row in roster.player_rows.values()
    }
    try:
        _claim(folder, event)
        for file in folder.iterdir():
            if _FILE.fullmatch(file.name) and file.name not in notices:
                file.unlink()
        for name, text in notices.items():
            write_atomically(folder / name, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise cannot_write(folder, error) from error
    return len(notices)


def _claim(folder: Path, event: Event) -> None:
    """Make the folder one of notices for this event alone. Raises UserError when it belongs to anything else."""
    mark = folder / MARK
    if not folder.is_dir():
        folder.mkdir(parents=True, mode=0o700)
    elif not mark.is_file():
        if any(folder.iterdir()):
            hint = _("name an empty or a new folder")
            raise user_error(_("there are other files in this folder"), path=str(folder), hint=hint)
    elif mark.read_bytes()[:1000].decode("utf-8", "replace").strip() != event.id:
        hint = _("name another folder for each event")
        raise user_error(_("these are another event's notices"), path=str(folder), hint=hint)
    folder.chmod(0o700)
    write_atomically(mark, f"{event.id}\n".encode())

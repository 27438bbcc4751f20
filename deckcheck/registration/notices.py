"""Notices to players about their lists and what to do by when, as text and as files, one a player."""

import re
from datetime import date, datetime
from pathlib import Path

from deckcheck.registration.conditions import failures, points
from deckcheck.registration.event import Event
from deckcheck.registration.roster import Roster, Row
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


def notice(row: Row, roster: Roster, lang: str) -> str:
    """The notice to the player of this row, in `lang`, safe for a screen and ended by a line feed."""
    event, player = roster.event, row.submission.player
    name = safe((player.name or player.handle or "").strip())
    found = [point for point in points(row) if point.for_player]
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
        errors=[point for point in found if point.label != "warning"],
        warnings=[point for point in found if point.label == "warning"],
        quoted=lambda line, column: excerpt(line, column, 1, _WIDTH).line.strip(),
        failed=() if row.is_frozen else failures(row),
        moment=_moment,
        until=until if event.deadline is None else _moment(event.clock(event.deadline)),
    )


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

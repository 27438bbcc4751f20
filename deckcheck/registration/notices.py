"""Notices to players about their lists and what to do by when, as text and as one file per player."""

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from pathlib import Path

from deckcheck.analysis.repair import Repair, repair
from deckcheck.analysis.repair_wording import change_lines
from deckcheck.analysis.repaired_lists import obstacles
from deckcheck.checking.deck_copies import copies_of, names_in_language_of
from deckcheck.registration.acceptance import failures, points
from deckcheck.registration.event import Event
from deckcheck.registration.roster import Roster, Row
from deckcheck.report.text import excerpt
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import Words, _, n_
from deckcheck.support.safe_text import cut, safe
from deckcheck.support.templates import render

MARK = ".deckcheck-letters"
"""The name of the file that marks a folder as the notices of one event, so that no other files are deleted."""

_FILE = re.compile(r"\d{3,}\.txt")
_LONGEST_NAME = 80
_WIDTH = 72


def notice(row: Row, roster: Roster, lang: str) -> str:
    """The notice to the player of this row in `lang`, safe for terminals, ending in a line feed."""
    event, player = roster.event, row.submission.player
    name = safe((player.name or player.handle or "").strip())
    shown = [point for point in points(row) if point.for_player]
    until: Words = _("the day of the event ({day})", day=_day(date.fromisoformat(event.date)))
    return render(
        "notice.txt",
        lang,
        row=row,
        event=event,
        name=cut(name, _LONGEST_NAME),
        day=_day(date.fromisoformat(event.date)),
        number=len(row.others) + 1,
        format=roster.format.format.name,
        errors=[point for point in shown if point.label != "warning"],
        warnings=[point for point in shown if point.label == "warning"],
        quoted=lambda line, column: excerpt(line, column, 1, _WIDTH).line.strip(),
        repair=None if row.is_frozen or row.is_unclear else _repair(row, roster),
        failed=() if row.is_frozen else failures(row),
        moment=_moment,
        until=until if event.deadline is None else _moment(event.clock(event.deadline)),
    )


def _repair(row: Row, roster: Roster) -> tuple[Words, Iterable[Words]] | None:
    """A small change that makes an illegal list legal: a heading and lines; None if the list isn't certain or none is found."""
    event, report, format = roster.event, row.report, roster.format
    if report is None or report.verdict != "illegal" or any(obstacles(report)):
        return None
    found = repair(copies_of(report.deck), format, event.as_of, best_of=event.best_of)
    if not isinstance(found, Repair):
        return None
    if found.is_proven:
        head = n_(
            "The smallest change that makes it legal ({n} copy):",
            "The smallest change that makes it legal ({n} copies):",
            found.distance,
        )
    else:
        head = n_(
            "A small change that makes it legal ({n} copy):",
            "A small change that makes it legal ({n} copies):",
            found.distance,
        )
    return head, change_lines(found, format, names_in_language_of(report.deck, format))


def _day(day: date) -> Words:
    return _("{year}-{month:02}-{day:02}", year=day.year, month=day.month, day=day.day)


def _moment(when: datetime) -> Words:
    return _("{day} {time} ({zone})", day=_day(when), time=f"{when:%H:%M}", zone=when.tzname())


def write_notices(roster: Roster, folder: Path, advance: Callable[[], None] = lambda: None) -> int:
    """Write a notice to every player into a file named by the submission's number; returns how many.

    `advance` is called after each notice, which may take seconds, and all are written at the end.
    Removes outdated notices in the folder. Raises UserError if it holds anything else or can't be written.
    """
    event = roster.event
    notices: dict[str, str] = {}
    try:
        _claim(folder, event)
        for row in roster.player_rows.values():
            lang = event.language_of(row.submission.player)
            notices[f"{row.submission.number:03}.txt"] = notice(row, roster, lang)
            advance()
        for file in folder.iterdir():
            if _FILE.fullmatch(file.name) and file.name not in notices:
                file.unlink()
        for name, text in notices.items():
            write_atomically(folder / name, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise cannot_write(folder, error) from error
    return len(notices)


def _claim(folder: Path, event: Event) -> None:
    """Create the folder, marked as this event's. Raises UserError if it holds other files."""
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

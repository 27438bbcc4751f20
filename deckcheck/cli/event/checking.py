"""`deckcheck event check`: an event's file in; the roster, letters and an exit status out."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.cli.check import tell_first_time
from deckcheck.cli.language import user_language
from deckcheck.cli.private import spare_event, write_private
from deckcheck.cli.screen import Color, complain, output, wants_color
from deckcheck.registration.desk import open_desk, roster_of
from deckcheck.registration.log import read_log
from deckcheck.registration.model import Roster
from deckcheck.registration.obstacles import obstacles
from deckcheck.support.messages import Words
from deckcheck.support.safetext import safe
from deckcheck.support.text import Text

ALL_WELL, SOME_WRONG, NOT_READ, SOME_UNDECIDED = 0, 1, 2, 3


class Asked(NamedTuple):
    """The options of `deckcheck event check` as they were given."""

    event: str
    output_format: Literal["text", "json", "csv", "html"] = "text"
    output: str | None = None
    letters: str | None = None
    exit_zero: bool = False
    lang: str | None = None
    color: Color = "auto"


def run(asked: Asked) -> int:
    """Write the roster, and letters where they are asked for; the exit status.

    Raises UserError for an event that can't be used, and where nothing may be written.
    """
    lang = asked.lang or user_language()
    tell_first_time(lang)
    desk = open_desk(Path(asked.event))
    event = desk.event
    for target in (asked.output, asked.letters):
        if target is not None:
            spare_event(target, event)
    roster = roster_of(desk, read_log(event.log, event.id))
    _write(_rendered(roster, asked, lang), asked)
    if asked.letters is not None:
        from deckcheck.registration.letterbox import write_letters

        number = write_letters(roster, Path(asked.letters))
        complain(_written(number, asked.letters).in_(lang) + "\n")
    status = status_of(roster)
    return ALL_WELL if asked.exit_zero and status != NOT_READ else status


def status_of(roster: Roster) -> int:
    """The exit status: how it stands with the lists that stand for players."""
    kinds = {
        against.kind for row in roster.rows if row.counts or row.instead is None for against in obstacles(row)
    }
    if "unreadable" in kinds:
        return NOT_READ
    if kinds - {"undecided", "unsettled"}:
        return SOME_WRONG
    return SOME_UNDECIDED if kinds else ALL_WELL


def _rendered(roster: Roster, asked: Asked, lang: str) -> str:
    table = import_module(f"deckcheck.registration.tables.{asked.output_format}")
    if asked.output_format != "text":
        return str(table.render(roster, lang))
    stream = None if asked.output is not None else sys.stdout
    return str(table.render(roster, lang, color=wants_color(asked.color, stream)))


def _write(text: str, asked: Asked) -> None:
    if asked.output is None and asked.output_format == "text":
        with output(None, exact=False) as write:
            write(text)
    else:
        write_private(text.encode("utf-8", "backslashreplace"), asked.output)


def _written(number: int, folder: str) -> Words:
    letters = "letter" if number == 1 else "letters"
    return Text(f"{safe(folder)} に{number:,}通書きました", f"{number:,} {letters} written to {safe(folder)}")

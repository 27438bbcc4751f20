"""`deckcheck impact`: lists and two days in, the decks that change between them out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple

from deckcheck.analysis.impact import AnnouncementError, Compared, Comparison
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.project import language_of, project, wish_of
from deckcheck.cli.screen import Color, Progress, output, tell_problems, wants_color
from deckcheck.formats.banlists import Announcement, read_announcement, unused_announcement
from deckcheck.report.impact import (
    Announced,
    Days,
    Impact,
    Impacts,
    render_json,
    render_markdown,
    render_text,
)
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem, UserError, wrong
from deckcheck.support.messages import Words, _

NONE_WORSE, SOME_WORSE, NOT_CHECKED = 0, 1, 2

_RENDERERS = {"text": render_text, "json": render_json, "markdown": render_markdown}


class Asked(NamedTuple):
    """What stands on the command line beside the lists, days and files as they are written there."""

    before: str | None
    after: str
    on: str | None = None
    format: str | None = None
    best_of: int | None = None
    cards: tuple[str, ...] = ()
    lang: str | None = None
    output: Literal["text", "json", "markdown"] = "text"
    file: str | None = None
    color: Color = "auto"
    notation: str | None = None


def run(paths: Sequence[str], asked: Asked, *, config: str | None, isolated: bool) -> int:
    """Write which decks change between the days, and return the exit status.

    What could not be checked goes to standard error. Raises UserError for
    days, an announcement or settings that can't be used.
    """
    settings = project(paths, config=config, isolated=isolated)
    lang = language_of(settings, asked.lang)
    wish = wish_of(
        settings, format=asked.format, best_of=asked.best_of, cards=asked.cards, notation=asked.notation
    )
    days, announcement = _days(asked)
    items = list(find_decks(paths, settings=settings))
    if asked.file is not None:
        _spare(asked.file, items, announcement)
    tell_first_time(lang)
    impacts = _compared(items, Comparison(wish, days, announcement).compare, days, announcement, lang)
    as_text = asked.output == "text"
    look = RenderOptions(
        lang, as_text and wants_color(asked.color, None if asked.file is not None else sys.stdout)
    )
    with output(asked.file, exact=not as_text) as write:
        write(_RENDERERS[asked.output](impacts, look))
    if impacts.failed:
        return NOT_CHECKED
    return SOME_WORSE if impacts.worse else NONE_WORSE


def _days(asked: Asked) -> tuple[Days, Announcement | None]:
    before = date.today().isoformat() if asked.before is None else _day(asked.before, "--from")
    if not asked.after.lower().endswith((".yaml", ".yml")):
        if asked.on is not None:
            raise wrong(_("--on goes with a file under --to only"))
        after, announcement, announced = _day(asked.after, "--to", _OR_A_FILE), None, None
    else:
        announcement = read_announcement(asked.after)
        announced = Announced(announcement.path, announcement.banlist)
        after = announcement.newest if asked.on is None else _day(asked.on, "--on")
    if before > after:
        hint = None
        if asked.before is None:
            hint = _("give the earlier day with --from, which is today where it is left out")
        message = _("{before} is after {after}", before=before, after=after)
        raise wrong(_("--from: {message}", message=message), hint=hint)
    return Days(before, after, announced), announcement


_OR_A_FILE = _("the name of a file must end in .yaml")


def _day(written: str, option: str, hint: Words | None = None) -> str:
    try:
        return date.fromisoformat(written.replace("/", "-")).isoformat()
    except ValueError as error:
        raise wrong(
            _(
                "{option}: there is no day {written!r} (it is written YYYY-MM-DD)",
                option=option,
                written=written,
            ),
            hint=hint,
        ) from error


def _spare(file: str, items: Sequence[DeckFile | UserError], announcement: Announcement | None) -> None:
    """Raises UserError when the results would be written over one of the files that are read."""
    target = Path(file)
    read = [item.path for item in items if isinstance(item, DeckFile) and item.path != STANDARD_INPUT]
    if announcement is not None:
        read.append(announcement.path)
    if target.exists() and any(target.samefile(path) for path in read):
        message = _("this file is read, so it won't be written over")
        raise wrong(message, path=file)


def _compared(
    items: Sequence[DeckFile | UserError],
    compared: Callable[[DeckFile], Compared],
    days: Days,
    announcement: Announcement | None,
    lang: str,
) -> Impacts:
    impacts: list[Impact] = []
    problems: dict[Problem, None] = {}
    used: set[str] = set()
    failed = 0
    progress = Progress(len(items))
    for item in items:
        try:
            if isinstance(item, UserError):
                raise item
            impact, lists = compared(item)
            used.update(lists)
            impacts += [] if impact is None else [impact]
        except AnnouncementError:
            progress.clear()
            raise
        except UserError as error:
            failed += 1
            new = [one for one in dict.fromkeys(error.problems) if one not in problems]
            if new:
                progress.clear()
                tell_problems(new, lang)
            problems |= dict.fromkeys(new)
        progress.advance(1)
    progress.clear()
    decks = len(items) - failed
    if announcement is not None and decks and announcement.banlist not in used:
        raise unused_announcement(announcement, used)
    turned = tuple(one for one in impacts if one.turned)
    touched = tuple(one for one in impacts if not one.turned)
    return Impacts(days, turned, touched, decks, failed, tuple(problems))

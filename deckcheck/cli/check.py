"""`deckcheck check`: many lists in, results and an exit status out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

from deckcheck.checking.batch import Item, Request, check_paths
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.cli.screen import (
    Color,
    Progress,
    complain,
    is_terminal,
    output,
    tell_problems,
    wants_color,
    width_of,
)
from deckcheck.config.settings import NO_SETTINGS, Settings
from deckcheck.model.finding import ListUsed
from deckcheck.model.rule import RuleInfo
from deckcheck.report.writer import Ending, Tally, make_writer
from deckcheck.support.cache import cache_folder
from deckcheck.support.errors import Problem, wrong
from deckcheck.support.messages import _
from deckcheck.support.safetext import about, safe

ALL_LEGAL, SOME_ILLEGAL, NOT_CHECKED, SOME_UNDECIDED = 0, 1, 2, 3

_NO_LIST = _("not checked, being no decklist")
_ALL_EXCLUDED = _("nothing to check, all of it is excluded")
_FIRST_TIME = _("preparing the card table (the first time only, this takes a moment)…")


def run(
    paths: Sequence[str],
    request: Request,
    *,
    settings: Settings = NO_SETTINGS,
    file: str | None = None,
    color: Color = "auto",
    corrections: Literal["make", "show"] | None = None,
) -> int:
    """Check every list under `paths`, write the results, and return the exit status.

    `settings` say what is left out of folders. Certain `corrections` are made
    before, or only shown, and then nothing is checked. What could not be checked goes
    to standard error. Raises UserError when the results can't be written.
    """
    stream = None if file is not None else sys.stdout
    passed_over: list[str] = []
    excluded: list[str] = []
    items = list(find_decks(paths, passed_over, settings, excluded, request.check.stdin_name))
    if file is not None:
        _spare(file, items)
    look = request.render
    if passed_over:
        complain(about(_NO_LIST, passed_over).in_(look.lang) + "\n")
    if excluded and not items:
        complain(about(_ALL_EXCLUDED, excluded).in_(look.lang) + "\n")
    look = look._replace(
        color=request.output in ("text", "statistics") and wants_color(color, stream),
        width=width_of(stream),
        brief=len(items) > 1,
    )
    tell_first_time(look.lang)
    failed = 0
    if corrections is not None:
        from deckcheck.cli.fix import fix_paths

        fixed = fix_paths(
            items, request.check, look.lang, named=paths, diff=corrections == "show", color=color
        )
        failed, items = fixed.failed, fixed.items
        if corrections == "show" or not items:
            would_change = corrections == "show" and fixed.changed
            return NOT_CHECKED if failed else SOME_ILLEGAL if would_change else ALL_LEGAL
    status = _checked(items, request._replace(render=look), file, apart=not is_terminal(stream))
    return NOT_CHECKED if failed else status


def show_files(paths: Sequence[str], settings: Settings, lang: str, stdin_name: str | None = None) -> int:
    """Write the path of every list that would be checked, one a line; what is not there is told and is 2."""
    items = list(find_decks(paths, settings=settings, stdin_name=stdin_name))
    with output(None, exact=False) as write:
        for item in items:
            if isinstance(item, DeckFile):
                write(safe(item.path) + "\n")
    problems = [problem for item in items if not isinstance(item, DeckFile) for problem in item.problems]
    tell_problems(problems, lang)
    return NOT_CHECKED if problems else ALL_LEGAL


def _spare(file: str, items: Sequence[Item]) -> None:
    """Raises UserError when the results would be written over one of the lists."""
    target = Path(file)
    lists = [item.path for item in items if isinstance(item, DeckFile) and item.path != STANDARD_INPUT]
    if target.exists() and any(target.samefile(path) for path in lists):
        raise wrong(_("this is one of the decks to check, so it won't be written over"), path=file)


def tell_first_time(lang: str) -> None:
    """Tell whoever watches why nothing happens for a second, when no card table was made yet."""
    if is_terminal(sys.stderr) and not any(cache_folder().glob("*.sqlite")):
        complain(_FIRST_TIME.in_(lang) + "\n")


def _checked(items: Sequence[Item], request: Request, file: str | None, *, apart: bool) -> int:
    """As `run`; `apart` says that results don't land on the terminal on which the progress bar stands."""
    lang = request.render.lang
    writer = make_writer(request.output, request.render)
    tally, failed, left_out = Tally(), 0, 0
    lists: dict[ListUsed, None] = {}
    problems: dict[Problem, None] = {}
    rules: dict[RuleInfo, None] = {}
    held: set[str] = set()
    gathered: list[str] = []
    progress = Progress(len(items))
    with output(file, exact=writer.exact) as write, closing(check_paths(items, request)) as all_done:
        before = writer.opening
        for done in all_done:
            new = [one for one in dict.fromkeys(done.problems) if one not in problems]
            if new or not apart:
                progress.clear()
            if writer.gathers:
                gathered += done.texts
            elif done.texts:
                write(before + writer.separator.join(done.texts))
                before = writer.separator
            if new:
                tell_problems(new, lang)
            problems |= dict.fromkeys(new)
            lists |= dict.fromkeys(done.lists)
            rules |= dict.fromkeys(done.rules)
            held |= done.held
            tally = tally.plus(done.tally)
            failed += done.size - done.tally.decks
            left_out += done.suppressed
            progress.advance(done.size)
        progress.clear()
        ending = Ending(
            tally,
            failed,
            left_out,
            tuple(lists),
            tuple(problems),
            frozenset(held),
            tuple(rules),
            tuple(gathered),
        )
        opening = "" if tally.decks and not writer.gathers else writer.opening
        write(opening + writer.closing(ending))
    if failed:
        return NOT_CHECKED
    if tally.illegal:
        return SOME_ILLEGAL
    return SOME_UNDECIDED if tally.undecided and not request.render.lenient else ALL_LEGAL

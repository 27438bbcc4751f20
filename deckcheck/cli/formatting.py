"""`deckcheck fmt`: many lists in, the same lists in canonical notation and an exit status out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from deckcheck.checking.session import CheckOptions, Session, read_list
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.rewrite import diff_of, leads_away, one_a_table, replace_file, require_plain_file
from deckcheck.cli.screen import Color, Progress, complain, output, tell_problems, wants_color
from deckcheck.config.settings import NO_SETTINGS, Settings
from deckcheck.decklists.decode import decode
from deckcheck.report.terminal import Paint, painter
from deckcheck.rewriting.canonical import make_formatter
from deckcheck.support.errors import Problem, UserError, wrong
from deckcheck.support.messages import Words, _, n_, series
from deckcheck.support.safetext import about, safe

DONE, WOULD_CHANGE, NOT_DONE = 0, 1, 2

_STRUCTURED = (".csv", ".tsv", ".yaml", ".yml", ".json")
_FOREIGN = (".dek", ".cod", ".dck", ".ydk")
_SHEETS_AND_TREES = ("csv", "tsv", "yaml", "json")

LeftAlone = Literal["structured", "foreign"]
"""Why a list is none to be formatted: it is data, or in the notation of another tool, which couldn't read it any more."""

_ALL_EXCLUDED = _("nothing to format, all of it is excluded")
_NO_TEXT = _("left alone, being no decklist as text")
_OF_OTHERS = _(
    "left alone, being in the notation of another tool (deckcheck convert --to canonical writes it anew)"
)


class Written(NamedTuple):
    """A list before and after; `changes` also where only bytes differ."""

    before: str
    after: str
    changes: bool


Write = Callable[[DeckFile], Written | LeftAlone]


def run(
    paths: Sequence[str],
    wish: CheckOptions,
    lang: str,
    *,
    settings: Settings = NO_SETTINGS,
    check: bool = False,
    diff: bool = False,
    color: Color = "auto",
) -> int:
    """Format every list under `paths` and return the exit status.

    `settings` say what is left out of folders. With `check` or `diff` nothing
    is written. What can't be formatted goes to standard error, as does the
    summary.
    """
    others: list[str] = []
    foreign: list[str] = []
    excluded: list[str] = []
    items = list(find_decks(paths, others, settings, excluded))
    tell_first_time(lang)
    written = _writer(wish)
    paint = painter(wants_color(color, sys.stdout))
    progress = Progress(len(items))
    problems: dict[Problem, None] = {}
    dry = check or diff
    changed = same = failed = 0
    for item in items:
        try:
            if isinstance(item, UserError):
                raise item
            done = "structured" if leads_away(item.path, paths) else written(item)
            if isinstance(done, str):
                (foreign if done == "foreign" else others).append(item.path)
            else:
                if item.path == STANDARD_INPUT or (dry and done.changes):
                    progress.clear()
                _tell(item.path, done, lang, paint, check=check, diff=diff)
                changed += done.changes
                same += not done.changes
        except UserError as error:
            progress.clear()
            tell_problems([one for one in dict.fromkeys(error.problems) if one not in problems], lang)
            problems |= dict.fromkeys(error.problems)
            failed += 1
        progress.advance(1)
    progress.clear()
    if others:
        complain(about(_NO_TEXT, others).in_(lang) + "\n")
    if foreign:
        complain(about(_OF_OTHERS, foreign).in_(lang) + "\n")
    if excluded and not items:
        complain(about(_ALL_EXCLUDED, excluded).in_(lang) + "\n")
    if [item for item in items if not (isinstance(item, DeckFile) and item.path == STANDARD_INPUT)] or dry:
        complain(_summary(changed, same, failed, dry=dry).in_(lang) + "\n")
    if failed:
        return NOT_DONE
    return WOULD_CHANGE if dry and changed else DONE


def _writer(wish: CheckOptions) -> Write:
    """A function from a list to what it is in canonical notation, or why it is left alone."""
    session = Session(wish)
    formatter = one_a_table(make_formatter)

    def written(found: DeckFile) -> Written | LeftAlone:
        given = found.path == STANDARD_INPUT
        if not given:
            require_plain_file(found.path)
        if not given and found.path.lower().endswith(_STRUCTURED):
            return "structured"
        if not given and wish.notation is None and found.path.lower().endswith(_FOREIGN):
            return "foreign"
        one = session.open(found)
        if not given and one.deck.notation != "text":
            return "structured" if one.deck.notation in _SHEETS_AND_TREES else "foreign"
        zones = tuple(one.format.format.zones)
        after = formatter(one.format.game_data)(one.text, one.deck.path, zones, one.deck.notation)
        if given:
            return Written(one.text, after, one.text != after)
        data = read_list(found.path)
        if decode(data, found.path) != one.text:
            raise wrong(_("it changed meanwhile"), path=found.path)
        changes = data != after.encode()
        return Written(one.text, after, changes)

    return written


def _tell(path: str, done: Written, lang: str, paint: Paint, *, check: bool, diff: bool) -> None:
    """Do with a list what was asked: show it, name it, or write it."""
    if diff or check:
        if done.changes:
            with output(None, exact=False) as write:
                write(
                    diff_of(path, done.before, done.after, lang=lang, paint=paint)
                    if diff
                    else safe(path) + "\n"
                )
    elif path == STANDARD_INPUT:
        with output(None, exact=True) as write:
            write(done.after)
    elif done.changes:
        replace_file(path, done.after.encode())


def _summary(changed: int, same: int, failed: int, *, dry: bool) -> Words:
    if dry:
        done = n_("{n} file would be reformatted", "{n} files would be reformatted", changed)
    else:
        done = n_("{n} file reformatted", "{n} files reformatted", changed)
    parts = [done, _("{same} left unchanged", same=same)]
    if failed:
        parts.append(_("{failed} could not be formatted", failed=failed))
    return series(parts)

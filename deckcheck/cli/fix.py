"""`check --fix`: the certain corrections, before the lists are checked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from deckcheck.checking.batch import Item
from deckcheck.checking.judge import LoadedFormat
from deckcheck.checking.session import CheckOptions, Session, read_list
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.cli.rewrite import diff_of, leads_away, one_a_table, replace_file, require_plain_file
from deckcheck.cli.screen import Color, Progress, complain, output, tell_problems, wants_color
from deckcheck.decklists.decode import decode
from deckcheck.report.terminal import Paint, painter
from deckcheck.rewriting.fixing import Fix, Fixed, make_fixer
from deckcheck.rewriting.inplace import with_lines
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.safetext import safe


class Outcome(NamedTuple):
    """What became of a run's lists: those left to check, how many were (or would be) changed, how many not for an error."""

    items: list[Item]
    changed: int
    failed: int


def fix_paths(
    items: Sequence[Item],
    wish: CheckOptions,
    lang: str,
    *,
    named: Sequence[str] = (),
    diff: bool = False,
    color: Color = "auto",
) -> Outcome:
    """Correct the certain mistakes of every list, and tell each on standard error.

    `items` come from `walk.find_decks`; links among them are followed only where
    they were `named`. With `diff` nothing is written and the
    changes go to standard output. Standard input is written to standard output
    and isn't among the items that are left, for it can't be read again. A list
    that can't be read is left for the check to tell; with `diff`, where no
    check follows, it is told here.
    """
    fixed = _fixer(wish)
    paint = painter(wants_color(color, sys.stdout))
    progress = Progress(len(items))
    left: list[Item] = []
    changed = failed = 0
    for item in items:
        given = isinstance(item, DeckFile) and item.path == STANDARD_INPUT
        if not given:
            left.append(item)
        try:
            if isinstance(item, UserError):
                raise item
            if leads_away(item.path, named):
                continue
            if not given:
                require_plain_file(item.path)
            one = fixed(item)
        except UserError as error:
            if given or diff:
                progress.clear()
                tell_problems(error.problems, lang)
                failed += 1
        else:
            if one.fixed.fixes or given:
                progress.clear()
            try:
                _tell(item.path, wish.shown_name(item.path), one, lang, paint, diff=diff)
                changed += bool(one.fixed.fixes)
            except UserError as error:
                progress.clear()
                tell_problems(error.problems, lang)
                failed += 1
        progress.advance(1)
    progress.clear()
    return Outcome(left, changed, failed)


class _One(NamedTuple):
    """A list and its corrections; `data` is what stands in the file, None for standard input."""

    before: str
    fixed: Fixed
    data: bytes | None


def _fixer(wish: CheckOptions) -> Callable[[DeckFile], _One]:
    session = Session(wish)
    fixer = one_a_table(make_fixer)

    def fixed(found: DeckFile) -> _One:
        one = session.open(found)
        done = fixer(one.format.game_data)(one.text, one.deck.path, _beside(one.format), one.deck.notation)
        given = found.path == STANDARD_INPUT
        data = None if given or not done.fixes else read_list(found.path)
        if data is not None and decode(data, found.path) != one.text:
            done = Fixed(one.text, {}, ())
        return _One(one.text, done, data)

    return fixed


def _beside(format: LoadedFormat) -> list[str]:
    """Names of what lies beside a deck, which the card table needn't know."""
    return [name for one in format.format.set_aside for name in one.names]


def _tell(path: str, shown: str, one: _One, lang: str, paint: Paint, *, diff: bool) -> None:
    """Do with a list what was asked: show it or write it, and say what was corrected."""
    fixes = one.fixed.fixes
    if diff:
        if fixes:
            with output(None, exact=False) as write:
                write(diff_of(shown, one.before, one.fixed.text, lang=lang, paint=paint))
        return
    if path == STANDARD_INPUT:
        with output(None, exact=True) as write:
            write(one.fixed.text)
    elif one.data is not None and fixes:
        replace_file(path, with_lines(one.data, one.fixed.lines, path))
    for fix in fixes:
        complain(f"{safe(shown)}:{fix.line}: {_said(fix).in_(lang)}\n")


def _said(fix: Fix) -> Words:
    change = f"{safe(fix.was)} → {safe(fix.now)}"
    if fix.merged is None:
        return Localized(change, change)
    return _("{change} (merged with line {merged})", change=change, merged=fix.merged)

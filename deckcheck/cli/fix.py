"""`check --fix`: the certain corrections, before the lists are checked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.checking.session import CheckOptions
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.cli.terminal import Color, Progress, complain, output, tell_problems, wants_color
from deckcheck.report.text import Paint, painter
from deckcheck.rewriting.files import CorrectedFile, diff_of, leads_away, make_file_fixer
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

if TYPE_CHECKING:
    from deckcheck.checking.batch import Item


class Outcome(NamedTuple):
    """What became of a run's lists: those left to check, how many were (or would be) changed, how many not for an error."""

    items: list[Item]
    changed: int
    failed: int


def fix_paths(
    items: Sequence[Item],
    options: CheckOptions,
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
    corrected = make_file_fixer(options)
    paint = painter(wants_color(color, sys.stdout))
    progress = Progress(len(items))
    left: list[Item] = []
    changed = failed = 0
    for item in items:
        is_input = isinstance(item, DeckFile) and item.path == STANDARD_INPUT
        if not is_input:
            left.append(item)
        told_here = is_input or diff
        try:
            if isinstance(item, UserError):
                raise item
            if leads_away(item.path, named):
                continue
            file = corrected(item)
            told_here = True
            if file.fixed.fixes or is_input:
                progress.clear()
            _finish(item.path, options.shown_name(item.path), file, lang, paint, diff=diff)
            changed += bool(file.fixed.fixes)
        except UserError as error:
            if told_here:
                progress.clear()
                tell_problems(error.problems, lang)
                failed += 1
        progress.advance(1)
    progress.clear()
    return Outcome(left, changed, failed)


def _finish(path: str, shown: str, file: CorrectedFile, lang: str, paint: Paint, *, diff: bool) -> None:
    """Show a corrected list or write it, and say what was corrected."""
    if diff:
        if file.fixed.fixes:
            with output(None, exact=False) as write:
                write(diff_of(shown, file.before, file.fixed.text, lang=lang, paint=paint))
        return
    if path == STANDARD_INPUT:
        with output(None, exact=True) as write:
            write(file.fixed.text)
    else:
        file.save(path)
    for fix in file.fixed.fixes:
        change = f"{safe(fix.was)} → {safe(fix.now)}"
        if fix.merged is not None:
            change = _("{change} (merged with line {line})", change=change, line=fix.merged).in_(lang)
        complain(f"{safe(shown)}:{fix.line}: {change}\n")

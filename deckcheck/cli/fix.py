"""`check --fix`: the certain corrections, before the lists are checked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.checking.session import CheckOptions, Item
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.cli.terminal import Color, Progress, complain, for_each, show, wants_color
from deckcheck.report.text import painter
from deckcheck.rewriting.files import Rewriter
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe


class Outcome(NamedTuple):
    """What became of a run's lists: those left to check, how many were (or would be) changed, how many failed."""

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
    """Correct the certain mistakes of every list, and tell each on standard error; with `diff` only show them.

    `items` come from `walk.find_decks`; links among them are followed only where they were `named`. Standard input
    is written to standard output and isn't among the items that are left, for it can't be read again. A list that
    can't be read is left for the check to tell; with `diff`, where no check follows, it is told here.
    """
    rewriter, paint = Rewriter(options, named), painter(wants_color(color, sys.stdout))
    lists = [item for item in items if diff or isinstance(item, DeckFile)]
    progress = Progress(len(lists), lang)
    changed = 0

    def work(found: DeckFile) -> None:
        nonlocal changed
        is_input, shown = found.path == STANDARD_INPUT, options.shown_name(found.path)
        try:
            opened = rewriter.open(found)
        except UserError:
            if is_input or diff:
                raise
            return
        if opened is None:
            return
        file = rewriter.corrected(found, opened)
        if file.fixes or is_input:
            progress.clear()
        if diff:
            show(file.diff(shown, lang, paint) if file.fixes else "")
        elif is_input:
            show(file.after, exact=True)
        else:
            file.save()
        for fix in () if diff else file.fixes:
            change = f"{safe(fix.was)} → {safe(fix.now)}"
            if fix.merged is not None:
                change = _("{change} (merged with line {line})", change=change, line=fix.merged).in_(lang)
            complain(f"{safe(shown)}:{fix.line}: {change}\n")
        changed += bool(file.fixes)

    failed = for_each(lists, progress, work)
    left = [item for item in items if not isinstance(item, DeckFile) or item.path != STANDARD_INPUT]
    return Outcome(left, changed, failed)

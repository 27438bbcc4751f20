"""`check --fix`: the certain corrections, before the lists are checked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.checking.batch import Item
from deckcheck.checking.session import CheckOptions
from deckcheck.checking.walk import STANDARD_INPUT, DeckFile
from deckcheck.cli.terminal import Color, Progress, complain, show, wants_color
from deckcheck.report.text import painter
from deckcheck.rewriting.files import diff_of, leads_away, make_file_fixer
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
    progress = Progress(len(items), lang)
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
            shown = options.shown_name(item.path)
            file = corrected(item)
            told_here = True
            fixes = file.fixed.fixes
            if fixes or is_input:
                progress.clear()
            if diff:
                if fixes:
                    show(diff_of(shown, file.before, file.fixed.text, lang=lang, paint=paint))
            else:
                if is_input:
                    show(file.fixed.text, exact=True)
                else:
                    file.save(item.path)
                for fix in fixes:
                    change = f"{safe(fix.was)} → {safe(fix.now)}"
                    if fix.merged is not None:
                        change = _("{change} (merged with line {line})", change=change, line=fix.merged).in_(
                            lang
                        )
                    complain(f"{safe(shown)}:{fix.line}: {change}\n")
            changed += bool(fixes)
        except UserError as error:
            if told_here:
                progress.tell(error.problems)
                failed += 1
        progress.advance()
    progress.clear()
    return Outcome(left, changed, failed)

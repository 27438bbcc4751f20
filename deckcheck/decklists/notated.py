"""What stands on the lines of a text that isn't written as people type lists: sheets, trees, other tools' notations."""

from __future__ import annotations

from collections.abc import Iterable

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.seen import Seen


def seen_in_notation(lines: Lines, text: str, path: str, notation: str) -> Iterable[tuple[int, Seen]] | None:
    """Each line that holds something, with its number; None for a sheet of one column, which is plain text.

    `notation` is csv, tsv, yaml, json or one of notations.told.NAMES. Raises
    UserError, with the place, for what is malformed or too large.
    """
    if notation in ("csv", "tsv"):
        from deckcheck.decklists.sheets import seen_in_sheet

        return seen_in_sheet(lines, text, path, notation)
    if notation in ("yaml", "json"):
        from deckcheck.decklists.trees import seen_in_tree

        return seen_in_tree(lines, text, path, notation)
    from deckcheck.decklists.notations.told import notation as module_of

    return module_of(notation).seen_in(lines, text, path)

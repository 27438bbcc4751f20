"""What stands on the lines of a text that isn't written as people type lists: sheets, trees, other tools' notations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckcheck.decklists.lines import Lines
from deckcheck.decklists.seen import MOST_LINES, Seen
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


def seen_in_notation(lines: Lines, text: str, path: str, notation: str) -> Iterable[tuple[int, Seen]] | None:
    """Each line that holds something, with its number; None for a sheet of one column, which is plain text.

    `notation` is csv, tsv, yaml, json or one of notations.registry.NAMES. Raises
    UserError, with the place, for what is malformed or too large.
    """
    if notation in ("csv", "tsv"):
        from deckcheck.decklists.sheets import read_sheet

        return read_sheet(lines, text, path, notation)
    if notation in ("yaml", "json"):
        from deckcheck.decklists.trees import read_tree

        return _bounded(read_tree(lines, text, path, notation), path)
    from deckcheck.decklists.notations.registry import notation as module_of

    return _bounded(module_of(notation).read(lines, text, path), path)


def _bounded(seen: Iterable[tuple[int, Seen]], path: str) -> Iterator[tuple[int, Seen]]:
    """The same, with no more cards than a text has lines: all of a tree may stand on one line."""
    cards = 0
    for number, line in seen:
        cards += line.kind in ("entry", "several", "invalid")
        if cards > MOST_LINES:
            message = _("too many cards (at most {most:,})", most=MOST_LINES)
            raise user_error(message, path=path, line=number, column=line.column)
        yield number, line

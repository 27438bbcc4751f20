"""Which lines of a list certainly give the copies of a card, even if its name is unknown."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from deckcheck.model.deck import Entry

USUAL_COPIES = 4
MOST_COPIES = USUAL_COPIES + 1
"""One copy too many is a common mistake; unknown names with more copies are seldom cards."""


def counted_lines(entries: Sequence[Entry], lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines with a usual count, written as in most lines: before the name, or marked after it.

    A line with its number elsewhere, such as a note or heading, or with the sum of others, may not be a card.
    """
    forms: dict[str, list[Entry]] = {}
    for entry in entries:
        line = lines[entry.line - 1] if 0 < entry.line <= len(lines) else ""
        form = _form_of(line, entry)
        if form is not None:
            forms.setdefault(form, []).append(entry)
    usual = max(forms.values(), key=len, default=[])
    if 2 * len(usual) < len(entries):
        return frozenset()
    totals = _totals(entries)
    return frozenset(
        entry.line
        for entry in usual
        if entry.copies <= USUAL_COPIES or (entry.copies <= MOST_COPIES and entry.line not in totals)
    )


def _totals(entries: Sequence[Entry]) -> set[int]:
    """The lines whose count is the sum of those directly under or over them."""
    totals = set()
    for index, entry in enumerate(entries):
        following = entries[index + 1 : index + 1 + MOST_COPIES]
        preceding = entries[max(index - MOST_COPIES, 0) : index][::-1]
        for neighbours in (following, preceding):
            if entry.copies in accumulate(other.copies for other in neighbours):
                totals.add(entry.line)
    return totals


def _form_of(line: str, entry: Entry) -> str | None:
    """How a line writes the copies of an entry, with 0 for the number; None if it doesn't."""
    written = unicodedata.normalize("NFKC", entry.written)
    before, name, behind = unicodedata.normalize("NFKC", line).partition(written)
    text = before if any(map(str.isdigit, before)) else behind
    number = re.search("[0-9]+", text)
    if not name or number is None or number[0] != str(entry.copies):
        return None
    sign, counter = text[: number.start()].strip()[-1:], text[number.end() : number.end() + 1].strip()
    is_marked = text is before or counter or (sign and sign in "x×✕✖*")
    return f"{text[: number.start()]}0{counter}" if is_marked else None

"""The lines that most lists consist of, read without trying every other way to read them."""

from __future__ import annotations

from collections.abc import Callable

from deckcheck.decklists.header import header_line
from deckcheck.decklists.seen import BLANK, LONGEST_LINE, Seen
from deckcheck.decklists.vocabulary import Vocabulary, sort_of_folded
from deckcheck.model.card import Catalog

_TIMES = " x "
_MOST_DIGITS = 2
_BETWEEN_WORDS = str.maketrans("", "", " ・")


def make_simple(words: Vocabulary, catalog: Catalog) -> Callable[[str], Seen | None]:
    """A function from a line to what it is: `4 x NAME`, `4 NAME`, a bare heading, a header, an empty line.

    None for a line that could be read in another way, too, or that is not
    written so plainly: trying all ways takes patterns that take longer to
    compile than a plain list takes to check. What comes is what lines.classify
    says of the line.
    """

    sign = catalog.fold(_TIMES)

    def simple(line: str) -> Seen | None:
        copies, times, name = line.partition(_TIMES)
        if not times:
            copies, times, name = line.partition(" ")
        if not (copies.isascii() and copies.isdigit()):
            return None if times == _TIMES else _other(line)
        if len(copies) > _MOST_DIGITS or copies[0] == "0" or not name or name.strip() != name:
            return None
        cards = catalog.find(name)
        # In another spelling than the card's own, digits, brackets and marks may mean something.
        if len(cards) != 1 or (name != cards[0].name and not name.translate(_BETWEEN_WORDS).isalpha()):
            return None
        folded = words.fold(name)
        if sort_of_folded(words, folded) is not None:
            return None
        # The sign, or the number, may be how another name begins.
        before, first = (sign, sign) if times == _TIMES else (copies, copies[0])
        if before + folded in catalog.beginning(first):
            return None
        number, home = int(copies), cards[0].home
        column = len(line) - len(name) + 1
        return Seen(
            "entry", name, cards, number, number, column, home=home if home != words.default else None
        )

    def _other(line: str) -> Seen | None:
        if not line:
            return BLANK
        if line[0] == "#" and len(line) <= LONGEST_LINE:
            header = header_line(line)
            return None if header is None else Seen("header", header[1], column=1, key=header[0])
        zone = words.zones.get(words.fold(line)) if line.isalpha() and len(line) <= LONGEST_LINE else None
        if zone is None or catalog.find(line):
            return None
        return Seen("heading", line, column=1, zone=zone, known=zone in words.zone_ids)

    return simple

"""The line that most lists consist of, `4 x NAME`, read without trying every other way to read it."""

from __future__ import annotations

from collections.abc import Callable

from deckcheck.cards import Card, Catalogue
from deckcheck.decklists.vocabulary import Vocabulary, sort_of

_TIMES = " x "
_MOST_DIGITS = 2
_BETWEEN_WORDS = str.maketrans("", "", " ・")


def make_simple(words: Vocabulary, catalogue: Catalogue) -> Callable[[str], tuple[str, Card, int] | None]:
    """A function from a line to the name as written, its card and the copies.

    None for a line that could be read in another way, too, or that is not
    written so plainly: trying all ways takes patterns that take longer to
    compile than such a list takes to check.
    """

    def simple(line: str) -> tuple[str, Card, int] | None:
        copies, times, name = line.partition(_TIMES)
        if not times or len(copies) > _MOST_DIGITS or not (copies.isascii() and copies.isdigit()):
            return None
        if copies[0] == "0" or not name or name.strip() != name:
            return None
        cards = catalogue.find(name)
        # In another spelling than the card's own, digits, brackets and marks may mean something.
        if len(cards) != 1 or (name != cards[0].name and not name.translate(_BETWEEN_WORDS).isalpha()):
            return None
        if sort_of(words, name) is not None or catalogue.find(_TIMES + name):
            return None
        return name, cards[0], int(copies)

    return simple

"""When two spellings of a name are the same. The game says what is dropped (`names:` in its game.yaml)."""

import unicodedata
from collections.abc import Callable

from deckcheck.model.game import Folding

Fold = Callable[[str], str]


def make_fold(folding: Folding) -> Fold:
    """A function from a name as written to the key under which it is looked up."""
    table: dict[int, str | None] = {ord(char): None for char in folding.drop}
    table |= {ord(old): new for old, new in folding.replace.items()}

    # Most names are done after one pass, unless a replacement is itself replaced or dropped.
    once = not any(ord(char) in table for new in folding.replace.values() for char in new)

    def fold(name: str) -> str:
        kept = name.translate(table)
        level = unicodedata.normalize("NFKC", kept)
        is_level = once and level == kept
        # Some characters only fall to the drop list once normalised, one (´) only
        # before, and a few (half-width voiced kana) only join once a neighbour is gone.
        joined = "".join((level if is_level else level.translate(table)).split()).casefold()
        if is_level and joined == level:
            return joined
        return unicodedata.normalize("NFKC", joined).translate(table)

    return fold

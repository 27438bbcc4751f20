"""When two spellings of a card's name are the same name.

What is dropped is the game's to say (`names:` in its game.yaml); this module
only carries it out. Nothing here guesses: a fold is exact or it is not, and
suggestions are for people to read.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

Fold = Callable[[str], str]


class Folding(NamedTuple):
    """What a game's names lose before they are compared.

    `drop` holds the characters that never tell two cards apart (white space
    always goes); `replace` maps single characters that normalisation leaves
    unequal. Letter case and compatibility forms (NFKC) never count.
    """

    drop: str = ""
    replace: Mapping[str, str] = MappingProxyType({})


def make_fold(folding: Folding) -> Fold:
    """A function from a name as written to the key under which it is looked up."""
    table: dict[int, str | None] = {ord(char): None for char in folding.drop}
    table |= {ord(old): new for old, new in folding.replace.items()}

    def fold(name: str) -> str:
        # Some characters only fall to the drop list once normalised, one (´) only
        # before, and a few (half-width voiced kana) only join once a neighbour is gone.
        kept = unicodedata.normalize("NFKC", name.translate(table)).translate(table)
        return unicodedata.normalize("NFKC", "".join(kept.split()).casefold()).translate(table)

    return fold


def suggest(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """The names most like `name`, best first, none that is far off.

    `known` is compared as given: fold both sides first to compare folded names.
    """
    from rapidfuzz import fuzz, process

    hits = process.extract(name, known, scorer=fuzz.WRatio, limit=4 * most, score_cutoff=70)
    # Where a part of the name matches several alike, the whole decides.
    hits.sort(key=lambda hit: (-hit[1], -fuzz.ratio(name, hit[0])))
    return [hit[0] for hit in hits[:most]]

"""When two spellings of a name are the same, and which names are like one that no card has.

What is dropped is the game's to say (`names:` in its game.yaml). A fold is exact; suggestions are for people.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from deckcheck.model.game import Folding
from deckcheck.support.errors import suggest

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


class LetterIndex:
    """The answers of `suggest` for many names, several times as fast: few names are compared as a whole."""

    def __init__(self, known: Sequence[str]) -> None:
        self._known = known
        # Words are compared in any order, for which letters say too little.
        self._odd = [at for at, name in enumerate(known) if name.split() != [name]]
        self._sizes = [len(name) for name in known]
        self._repeated = [len(name) - len(set(name)) for name in known]
        self._holders: dict[str, list[int]] = {}
        for at, name in enumerate(known):
            for char in set(name):
                self._holders.setdefault(char, []).append(at)

    def suggest(self, name: str, *, most: int = 3) -> list[str]:
        """The names most like `name`, best first, none that is far off."""
        is_odd = name.split() != [name]
        near = self._known if is_odd else [self._known[at] for at in self._near(name)]
        return suggest(name, near, most=most)

    def _near(self, name: str) -> list[int]:
        """The places of those that may be like enough, in their order.

        For a likeness of 70, two names need 0.35 of all their letters in common. Where one is a part of the other,
        0.9 of the likeness counts, so the shorter needs 0.63 of its letters in the longer.
        """
        common: Counter[int] = Counter()
        for char in set(name):
            common.update(self._holders.get(char, ()))
        size, repeated = len(name), len(name) - len(set(name))
        sizes, mine = self._sizes, self._repeated
        near = {
            at
            for at, shared in common.items()
            if (held := shared + min(repeated, mine[at])) >= _AS_WHOLES * (size + sizes[at])
            or held >= _AS_A_PART * min(size, sizes[at])
        }
        return sorted(near.union(self._odd))


_AS_WHOLES, _AS_A_PART = 0.349, 0.63
"""A little below what is needed, since likeness is reckoned in floating point."""

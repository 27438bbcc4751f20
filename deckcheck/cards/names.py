"""Names of cards: when two spellings are the same, and which names are similar to an unknown one.

A game says what folding drops (`names:` in its game.yaml). Similar names are for people and never affect a verdict.
"""

import math
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from deckcheck.model.card import Card, Catalog
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


MOST_IN_LIST, MOST_IN_EVENT = 20, 1000
"""The most unknown names for which suggestions are made: each takes a search of some milliseconds in all names."""

_MOST_SIMILAR = 15
_SHORTEST_PART = 3
_LEAST = 70
_ALMOST_EQUAL, _NEAR = 80, 6
_PART = 0.9
"""How much less a name is worth that agrees with only a part of another one."""
KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
"""The katakana for each hiragana."""


def similar_names(key: str, names: Sequence[str]) -> list[str]:
    """The folded names that are similar to `key`: those that end with it, as if a title were missing, then the most alike.

    A name is similar that is spelt almost like `key`, has almost this in it, or is a part of it. If none is, so is one
    that is like `key` in katakana.
    """
    in_katakana = key.translate(KATAKANA)
    return _similar(key, names) or (_similar(in_katakana, names) if in_katakana != key else [])


def _similar(key: str, names: Sequence[str]) -> list[str]:
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import LCSseq

    if not key or key.isdecimal():
        # Numbers that are alike mean cards that aren't.
        return []
    alike = process.extract(key, names, scorer=fuzz.ratio, score_cutoff=_LEAST, limit=_MOST_SIMILAR)
    scores = {name: score for name, score, _place in alike}
    # Where a name is spelt almost like this, others that are far less alike only distract.
    best = max(scores.values(), default=0)
    nearest = best - _NEAR if best >= _ALMOST_EQUAL else 0
    # Whether the letters of a part come in this order is found out much faster than how well the part agrees.
    least = _LEAST / _PART
    letters = math.ceil(len(key) * least / 100)
    longer = [
        name
        for name, _score, _place in process.extract(
            key, names, scorer=LCSseq.similarity, score_cutoff=letters, limit=None
        )
        if len(name) >= len(key)
    ]
    partly = process.extract(key, longer, scorer=fuzz.partial_ratio, score_cutoff=least, limit=_MOST_SIMILAR)
    within = [(name, 100.0, 0) for name in names if len(name) >= _SHORTEST_PART and name in key]
    for name, score, _place in (*partly, *within):
        scores[name] = max(scores.get(name, 0), _PART * score)

    def lacks_title(name: str) -> bool:
        return len(key) >= _SHORTEST_PART and name.endswith(key)

    def order(name: str) -> tuple[bool, float, float, bool, str]:
        return not lacks_title(name), -scores[name], -fuzz.ratio(key, name), not name.startswith(key), name

    return sorted((name for name in scores if scores[name] >= nearest or lacks_title(name)), key=order)


class FewSuggestions:
    """A catalog that suggests names for only so many different ones."""

    def __init__(self, catalog: Catalog, most: int) -> None:
        self._catalog, self._most = catalog, most
        self._names: set[str] = set()
        self.version, self.sets = catalog.version, catalog.sets
        self.fold, self.find, self.has = catalog.fold, catalog.find, catalog.has
        self.beginning, self.words, self.search = catalog.beginning, catalog.words, catalog.search

    def suggest(self, name: str) -> list[str]:
        """The catalog's suggestions for a name; none for further names."""
        if name not in self._names and len(self._names) >= self._most:
            return []
        self._names.add(name)
        return self._catalog.suggest(name)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._catalog)

    def __len__(self) -> int:
        return len(self._catalog)

"""`deckcheck check --fix`: corrects certain mistakes in a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from html import escape

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.judge import GameData
from deckcheck.decklists.read import AS_LINES, MARKUP
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Entry
from deckcheck.rewriting.formatter import difference
from deckcheck.support.errors import UserError

MOST_FIXES = 100
"""The most corrections in one list; more of them are hardly typing errors."""

_NAMED = AS_LINES | MARKUP
"""The notations with card names on their lines, in which only the name is replaced."""


class Fix(Struct, frozen=True):
    """A corrected name: the line number, the text before and after."""

    line: int
    was: str
    now: str


class FixedList(Struct, frozen=True):
    """A corrected list: its text, what it is read as, and the corrections."""

    text: str
    deck: Deck
    fixes: tuple[Fix, ...] = ()


class Fixer:
    """Corrects misspelt names with a single candidate, in lines of names; data and passcodes stay unchanged."""

    def __init__(self, table: GameData) -> None:
        self._table = table
        self._spelling = make_speller(table.catalog)

    def fix(self, text: str, path: str, leave: Iterable[str] = (), notation: str | None = None) -> FixedList:
        """The corrected list; the names in `leave` stay. `notation` is that of the list, if known.

        Raises UserError as reading does.
        """
        text = text.removeprefix("\ufeff")
        fixed = FixedList(text, self._table.read(text, path, notation))
        if fixed.deck.notation not in _NAMED:
            return fixed
        fold = self._table.catalog.fold
        unchanged = set(map(fold, leave))
        unknown = [entry for entry in fixed.deck.entries if not entry.cards]
        for entry in unknown[:MOST_FIXES]:
            if fold(entry.written) not in unchanged:
                fixed = self._with_name(fixed, entry)
        return replace(fixed, fixes=tuple(sorted(fixed.fixes)))

    def _with_name(self, fixed: FixedList, wrong: Entry) -> FixedList:
        """The list with one more name corrected; as it was if that isn't certain or would change anything else."""
        # An earlier correction on the same line may have moved the name.
        place = wrong.line, wrong.written
        matching = [entry for entry in fixed.deck.entries if (entry.line, entry.written) == place]
        correction = self._spelling(wrong.written) if len(matching) == 1 else None
        if correction is None:
            return fixed
        entry, (card, name) = matching[0], correction
        lines = fixed.text.split("\n")
        line, start = lines[entry.line - 1], entry.column - 1
        end = start + len(entry.written)
        if line[start:end] != entry.written:
            # The name is escaped, or the file has no names.
            return fixed
        written = escape(name) if fixed.deck.notation in MARKUP else name
        lines[entry.line - 1] = line[:start] + written + line[end:]
        text = "\n".join(lines)
        try:
            deck = self._table.read(text, fixed.deck.path, fixed.deck.notation)
        except UserError:
            return fixed
        home = card.home if entry.zone == self._table.game.default_zone else None
        for zone in dict.fromkeys((entry.zone, home or entry.zone)):
            meant = replace(entry, cards=(card,), zone=zone)
            entries = tuple(meant if other is entry else other for other in fixed.deck.entries)
            wanted = replace(fixed.deck, entries=entries)
            if difference(wanted, deck, wanted.header) is None:
                return FixedList(text, deck, (*fixed.fixes, Fix(entry.line, entry.written, name)))
        return fixed


NEAR = 1
"""The edit distance of a correctable misspelling; swapping two neighbours is one edit."""

APART = 2
"""No other card may have a name within this edit distance."""

SHORTEST = 5
"""The length of the shortest folded name that is corrected; shorter ones are too similar."""

# Single letters and Roman numerals distinguish cards, as digits do.
_NUMERALS = r"(?<![a-z])(?:[a-z]|[ivxlcdm]+)(?![a-z])"


def make_speller(catalog: Catalog) -> Callable[[str], tuple[Card, str] | None]:
    """A function from an unknown name to the only card that it can mean, and that card's spelling; None if unclear.

    Aliases, halves and faces are names too. Numbers are never corrected, since they distinguish cards.
    """

    @cache
    def spellings() -> list[str]:
        return [name for card in catalog for name in card.names]

    @cache
    def keys() -> list[str]:
        return [catalog.fold(name) for name in spellings()]

    def spelt(name: str) -> tuple[Card, str] | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        key = catalog.fold(name)
        if len(key) < SHORTEST:
            return None
        matches = process.extract(key, keys(), scorer=OSA.distance, score_cutoff=APART, limit=None)
        # A half's name may be another card's own name, which is then meant.
        meant = {card for _key, _distance, index in matches for card in catalog.find(spellings()[index])}
        if len(meant) != 1:
            return None
        nearest, distance, index = min(matches, key=lambda match: (match[1], match[2]))
        if distance != NEAR or len(nearest) < SHORTEST or _numerals(nearest) != _numerals(key):
            return None
        return meant.pop(), spellings()[index]

    return spelt


def _numerals(key: str) -> tuple[list[str], list[str]]:
    return [char for char in key if char.isnumeric()], re.findall(_NUMERALS, key)

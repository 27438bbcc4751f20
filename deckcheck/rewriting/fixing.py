"""`deckcheck check --fix`: the corrections of a list that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple, Protocol

from deckcheck.checking.judge import GameData
from deckcheck.decklists.linewise import Looker, make_looker
from deckcheck.decklists.read import AS_TEXT, MARKUP
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.finding import MOVED
from deckcheck.rewriting.comments import Beside, Number, beside
from deckcheck.support.errors import UserError

MOST_FIXES = 100
"""In one list; what needs more was not made by slips of the pen."""

_NAMED = AS_TEXT | MARKUP | {"forge", "xmage"}
"""The notations in which a card's name stands on its line, and nothing but the name is replaced."""


class Fix(NamedTuple):
    """One correction: the line (of the list as it was), and what became of what.

    `merged` is the line that went into this one, None for a name put right.
    """

    line: int
    was: str
    now: str
    merged: int | None = None


class Fixed(NamedTuple):
    """A list after its corrections; `lines` maps the lines that changed to what they are now, None for gone."""

    text: str
    lines: Mapping[int, str | None]
    fixes: tuple[Fix, ...]


class Fixer(Protocol):
    """From a list's text, its path, names to be left alone and its notation, where it is told, to the list put right."""

    def __call__(
        self, text: str, path: str, leave: Collection[str] = (), notation: str | None = None
    ) -> Fixed: ...


class _Line(NamedTuple):
    number: int
    text: str


def make_fixer(table: GameData) -> Fixer:
    """A function from a list's text, its path and names to be left alone to the list with its certain mistakes put right.

    Misspelt names with one candidate (see spelling) are corrected, and two
    lines of the same card in the same zone become one. Each correction is
    read again, and dropped unless it changed what it was to change and nothing
    else. In files of other tools only names are corrected, and the file stays
    in their notation; CSV, YAML and JSON stay as they are. It raises UserError
    where the reader does.
    """
    looker = make_looker(table.game, table.catalog)
    spelt = make_speller(table.catalog)
    default = table.game.default_zone

    def fixed(text: str, path: str, leave: Collection[str] = (), notation: str | None = None) -> Fixed:
        text = text.removeprefix("\ufeff")
        deck = table.read(text, path, notation)
        lines = [_Line(at, line) for at, line in enumerate(text.split("\n"), 1)]
        if deck.notation not in _NAMED:
            return Fixed(text, {}, ())
        left = {table.catalog.fold(name) for name in leave}
        fixes: list[Fix] = []
        wrong = [entry for entry in deck.entries if not entry.cards]
        for entry in wrong[:MOST_FIXES]:
            if table.catalog.fold(entry.written) in left:
                continue
            found = _spelling(deck, lines, entry)
            if found is not None:
                deck, lines, fix = found
                fixes.append(fix)
        tried: set[tuple[int, int]] = set()
        while deck.notation in AS_TEXT and len(tried) < MOST_FIXES:
            pair = next((pair for pair in _twice(deck, lines, tried)), None)
            if pair is None:
                break
            tried.add((lines[pair[0].line - 1].number, lines[pair[1].line - 1].number))
            merged = _merged(deck, lines, *pair)
            if merged is not None:
                deck, lines, fix = merged
                fixes.append(fix)
        return Fixed(_joined(lines), _changed(text.split("\n"), lines), tuple(sorted(fixes)))

    def _spelling(deck: Deck, lines: Sequence[_Line], entry: Entry) -> tuple[Deck, list[_Line], Fix] | None:
        number, line = lines[entry.line - 1]
        # An earlier correction on the same line may have moved it.
        mine = [one for one in deck.entries if one.line == entry.line and one.written == entry.written]
        correction = spelt(entry.written) if len(mine) == 1 else None
        if correction is None:
            return None
        start = mine[0].column - 1
        end = start + len(entry.written)
        better = [*lines]
        if line[start:end] != entry.written:
            # It is escaped there, or in a file that says nothing of names.
            return None
        now = correction.name if deck.notation not in MARKUP else escape(correction.name)
        better[entry.line - 1] = _Line(number, line[:start] + now + line[end:])
        try:
            read = table.read(_joined(better), deck.path, deck.notation)
        except UserError:
            return None
        at = deck.entries.index(mine[0])
        return (
            (read, better, Fix(number, entry.written, correction.name))
            if _is_spelt(deck, read, at, correction.card)
            else None
        )

    def _is_spelt(old: Deck, new: Deck, at: int, card: Card) -> bool:
        if len(old.entries) != len(new.entries) or not _same_but_entries(old, new, None):
            return False
        for place, (was, now) in enumerate(zip(old.entries, new.entries, strict=True)):
            if place != at:
                if _what(was) != _what(now) or was.line != now.line:
                    return False
                continue
            home = was.zone == default and now.zone == card.home
            if now.cards != (card,) or (now.copies, now.most) != (was.copies, was.most):
                return False
            if now.line != was.line or not (now.zone == was.zone or home):
                return False
        return True

    def _merged(
        deck: Deck, lines: Sequence[_Line], first: Entry, later: Entry
    ) -> tuple[Deck, list[_Line], Fix] | None:
        number, line = lines[first.line - 1]
        kept, gone = _plain(looker, deck, lines, first), _plain(looker, deck, lines, later)
        count = None if kept is None or gone is None or gone.comments[0] else kept.counts[0]
        if count is None or gone is None or gone.counts[0] is None or not _replaceable(line, count):
            return None
        if later.line > 1 and lines[later.line - 2].text.lstrip().startswith(("#", "//")):
            # A comment above would then speak of another card.
            return None
        copies = first.copies + later.copies
        start, end = count.digits
        summed = line[:start] + _in_the_style_of(line[start:end], copies) + line[end:]
        better = [_Line(number, summed) if one.number == number else one for one in lines]
        del better[later.line - 1]
        read = table.read(_joined(better), deck.path, deck.notation)
        fix = Fix(number, line.strip(), summed.strip(), lines[later.line - 1].number)
        return (read, better, fix) if _is_merged(deck, read, first, later, copies) else None

    return fixed


def _joined(lines: Sequence[_Line]) -> str:
    return "\n".join(line.text for line in lines)


def _changed(before: Sequence[str], lines: Sequence[_Line]) -> dict[int, str | None]:
    now = {line.number: line.text for line in lines}
    return {at: now.get(at) for at, line in enumerate(before, 1) if now.get(at) != line}


def _what(entry: Entry) -> tuple[object, ...]:
    return entry.written, entry.cards, entry.copies, entry.most, entry.zone


def _twice(
    deck: Deck, lines: Sequence[_Line], tried: Collection[tuple[int, int]]
) -> Iterator[tuple[Entry, Entry]]:
    """The first line of a card in a zone, and another one of it."""
    met: dict[tuple[Card, str], Entry] = {}
    for entry in deck.entries:
        if len(entry.cards) == 1 and entry.copies == entry.most:
            first = met.setdefault((entry.cards[0], entry.zone), entry)
            pair = (lines[first.line - 1].number, lines[entry.line - 1].number)
            if first.line < entry.line and pair not in tried:
                yield first, entry


def _plain(looker: Looker, deck: Deck, lines: Sequence[_Line], entry: Entry) -> Beside | None:
    """What stands beside an entry that has its line for itself, None where it hasn't or where the line speaks to us."""
    if any(one.line == entry.line for one in deck.directives):
        return None
    seen = looker.classify(lines[entry.line - 1].text)
    if seen.kind != "entry" or seen.column != entry.column:
        return None
    return beside(looker.words, lines[entry.line - 1].text, [seen])


def _replaceable(line: str, count: Number) -> bool:
    start, end = count.digits
    return line[start:end].isdecimal() and not (count.plain and line[end : end + 1] in tuple(".)．）"))


def _in_the_style_of(digits: str, number: int) -> str:
    """A number in full-width digits where the old one was."""
    return (
        str(number) if digits.isascii() else str(number).translate({48 + at: 0xFF10 + at for at in range(10)})
    )


def _same_but_entries(old: Deck, new: Deck, gone: int | None) -> bool:
    """Whether all but the entries is the same, without the line `gone`."""

    def left(deck: Deck, gone: int | None) -> list[tuple[object, ...]]:
        found: list[tuple[object, ...]] = []
        for diagnostic in deck.diagnostics:
            if diagnostic.id != MOVED:
                found.append((diagnostic.id, _line_without(diagnostic.line, gone), diagnostic.written))
        for one in deck.directives:
            found.append((one.whole, one.rules, one.reason, _line_without(one.line, gone)))
        return found

    return old.header == new.header and left(old, gone) == left(new, None)


def _line_without(line: int, gone: int | None) -> int:
    return line if gone is None or line < gone else line - 1


def _is_merged(old: Deck, new: Deck, first: Entry, later: Entry, copies: int) -> bool:
    if not _same_but_entries(old, new, later.line):
        return False
    meant = []
    for entry in old.entries:
        if entry == later:
            continue
        if entry == first:
            entry = entry._replace(copies=copies, most=copies)
        meant.append((_what(entry), _line_without(entry.line, later.line)))
    return meant == [(_what(entry), entry.line) for entry in new.entries]


NEAR = 1
"""A misspelling is so many edits away from the name that was meant: a character more, less, other, or two swapped."""

APART = 2
"""Within so many edits no other card may have a name."""

SHORTEST = 5
"""Shorter names (folded) are too much alike."""


class Correction(NamedTuple):
    """A card and how it is spelt."""

    card: Card
    name: str


# A letter alone and Roman numerals tell cards apart as digits do.
_NUMERALS = r"(?<![a-z])(?:[a-z]|[ivxlcdm]+)(?![a-z])"


def make_speller(catalog: Catalog) -> Callable[[str], Correction | None]:
    """A function from a name that no card has to the certain correction, None where there is none.

    Every name under which a card is found counts: aliases, halves and faces,
    too. Numbers are never corrected, for they tell cards apart.
    """
    keys: list[str] = []
    owners: list[Correction] = []

    def spelt(name: str) -> Correction | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        key = catalog.fold(name)
        if len(key) < SHORTEST:
            return None
        if not keys:
            for card in catalog:
                spellings = [card.name, *card.aliases, *(part.name for part in (*card.faces, *card.parts))]
                keys.extend(map(catalog.fold, spellings))
                owners.extend(Correction(card, spelling) for spelling in spellings)
        hits = process.extract(key, keys, scorer=OSA.distance, score_cutoff=APART, limit=None)
        if not hits or len({owners[at].card for _, _, at in hits}) > 1:
            return None
        found, distance, at = min(hits, key=lambda hit: (hit[1], hit[2]))
        if distance != NEAR or len(found) < SHORTEST or _numerals(found) != _numerals(key):
            return None
        return owners[at] if catalog.find(owners[at].name) == (owners[at].card,) else None

    return spelt


def _numerals(key: str) -> tuple[list[str], list[str]]:
    return [char for char in key if char.isnumeric()], re.findall(_NUMERALS, key)

"""Where the names of cards stand in a line: one index of folded names, and the cheapest cover of a line by them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from deckcheck.decklists.shapes import compiled, number_said, trim
from deckcheck.model.card import Card, Catalog

Find = Callable[[str], tuple[Card, ...]]
Kind = Literal["name", "number", "ditto", "word"]

_VOICED = frozenset("ﾞﾟ\u3099\u309a")
_JOINT = r"[ \t]*(?://?|／|⇔|→|⇒)[ \t]*"
_MOST_FACES = 8
_LONGEST = 240
_BRACKETS = r"()\[\]<>{}（）［］＜＞【】〔〕〖〗《》≪≫「」『』"
_GAP = rf"[\s、。,;:：|{_BRACKETS}\"'“”=!！?？／/・※→←⇔+&~～〜…*・●○■□◆◇★☆•-]"
_DITTO = r"(?:〃|々|仝|″|”|同上|同じく|ditto)(?=[\s|,;]|$)"
_WORD = rf"[^\s、,;|{_BRACKETS}\"“”／/]+"
# What a step costs: a name is dear, letters that nobody understands are dearer.
_GAP_COST, _NUMBER_COST, _NAME_COST, _WORD_COST, _LETTER_COST, _GLUED_COST = 0.01, 0.1, 1.0, 3.0, 0.2, 20.0


class Piece(NamedTuple):
    """A stretch of a line: a name with the `cards` it can mean, a `number` (`marked` as a count), a ditto mark, a word."""

    kind: Kind
    start: int
    end: int
    cards: tuple[Card, ...] = ()
    number: int = 0
    marked: bool = False


def linked(find: Find, text: str) -> tuple[Card, ...]:
    """The cards of a name, or those that all names joined by slashes or arrows can mean; () where there are none."""
    cards = find(text)
    if cards:
        return cards
    parts = [part for part in compiled(_JOINT).split(text, _MOST_FACES) if part.strip()]
    if len(parts) < 2:
        return ()
    meant = find("/".join(parts))
    if meant:
        # A half may be another card's name, too; both together are one.
        return meant
    meant = find(parts[0])
    for part in parts[1:]:
        others = find(part)
        meant = tuple(card for card in meant if card in others)
    return meant


class Cover:
    """Cuts lines into names, numbers, ditto marks and words.

    A name begins where a word may begin or where another name ends; of all ways to cut a line the one
    that leaves the fewest letters unexplained, with the fewest names, is taken.
    """

    def __init__(self, catalog: Catalog, find: Find, number: str) -> None:
        self._catalog, self._find, self._number = catalog, find, number
        self._folded: dict[str, str] = {}
        self._keys: dict[str, tuple[frozenset[str], tuple[int, ...]]] = {}
        self._single: dict[str, bool] = {}
        self._line = ""
        self._places: list[tuple[int, int]] = []

    def pieces(self, line: str, shape: str, start: int = 0, end: int | None = None) -> list[Piece]:
        """The pieces of a stretch, in order."""
        end = len(line) if end is None else end
        text, places = self._fold(line, start, end)
        first: dict[int, int] = {}
        for at, place in enumerate(places):
            first.setdefault(place, at)
        number, gap, word, ditto = map(compiled, (self._number, _GAP, _WORD, _DITTO))
        # Cost, the place before, the piece between; by place and by what stands before it.
        best: dict[tuple[int, bool], tuple[float, tuple[int, bool] | None, Piece | None]] = {
            (start, False): (0.0, None, None)
        }

        def reach(
            state: tuple[int, bool], before: tuple[int, bool], cost: float, piece: Piece | None
        ) -> None:
            if state not in best or best[state][0] > cost:
                best[state] = (cost, before, piece)

        for at in range(start, end):
            for behind_word in (False, True):
                here = (at, behind_word)
                if here not in best:
                    continue
                cost = best[here][0]
                apart = gap.match(line, at, end)
                if apart is not None:
                    reach((at + 1, False), here, cost + _GAP_COST, None)
                same = ditto.match(line, at, end)
                if same is not None:
                    reach((same.end(), False), here, cost + _NUMBER_COST, Piece("ditto", *same.span()))
                if behind_word:
                    continue
                if at in first:
                    for last, cards in self._names(line, text, places, first[at], end):
                        reach((last, False), here, cost + _NAME_COST, Piece("name", at, last, cards))
                found = number.match(shape, at, end)
                if found is not None:
                    value = number_said(found["n"])
                    marked = bool(found["x"] or found["c"])
                    glued = shape[found.end() : found.end() + 1].isalpha() and found.end() not in first
                    more = _GLUED_COST if glued else _NUMBER_COST
                    piece = Piece("number", *found.span(), number=value, marked=marked)
                    reach((found.end(), False), here, cost + more, piece)
                run = word.match(line, at, end)
                if run is not None:
                    before = best[here][2]
                    glued = before is not None and before.end == at and before.kind == "name"
                    more = _WORD_COST + _LETTER_COST * (run.end() - at) + (_GLUED_COST if glued else 0)
                    reach((run.end(), True), here, cost + more, Piece("word", *run.span()))
        return _joined(line, self._path(best, end), self._find)

    def occur(self, line: str, start: int, end: int) -> bool:
        """Whether any name that is known stands within a stretch, wherever it begins or ends."""
        if line != self._line:
            text, places = self._fold(line, 0, len(line))
            self._line, self._places = line, []
            for at, char in enumerate(text):
                if char not in self._single:
                    self._single[char] = bool(self._find(char))
                if self._single[char]:
                    self._places.append((places[at], places[at] + 1))
                    continue
                keys, sizes = self._beginning(text[at : at + 2])
                size = next((size for size in sizes if text[at : at + size] in keys), None)
                if size is not None and at + size <= len(text):
                    self._places.append((places[at], places[at + size - 1] + 1))
        return any(start <= first and last <= end for first, last in self._places)

    def _path(
        self, best: dict[tuple[int, bool], tuple[float, tuple[int, bool] | None, Piece | None]], end: int
    ) -> list[Piece]:
        ends = [state for state in ((end, False), (end, True)) if state in best]
        state: tuple[int, bool] | None = min(ends, key=lambda one: best[one][0]) if ends else None
        found: list[Piece] = []
        while state is not None:
            _cost, before, piece = best[state]
            if piece is not None:
                found.append(piece)
            state = before
        return found[::-1]

    def _fold(self, line: str, start: int, end: int) -> tuple[str, list[int]]:
        """A stretch folded letter by letter, and where in the line each letter of that stands."""
        text: list[str] = []
        places: list[int] = []
        at = start
        while at < end:
            size = 2 if at + 1 < end and line[at + 1] in _VOICED else 1
            unit = line[at : at + size]
            folded = self._folded.get(unit)
            if folded is None:
                folded = self._folded[unit] = self._catalog.fold(unit)
            text.append(folded)
            places += [at] * len(folded)
            at += size
        return "".join(text), places

    def _beginning(self, start: str) -> tuple[frozenset[str], tuple[int, ...]]:
        """The folded names that begin with two letters, and how long they are."""
        known = self._keys.get(start)
        if known is None:
            keys = self._catalog.beginning(start) if len(start) == 2 else frozenset()
            known = self._keys[start] = (keys, tuple(sorted({len(key) for key in keys})))
        return known

    def _names(
        self, line: str, text: str, places: list[int], first: int, end: int
    ) -> list[tuple[int, tuple[Card, ...]]]:
        """Where the names end that begin at a place, with their cards."""
        known = self._beginning(text[first : first + 2])
        found = []
        for size in known[1]:
            last = first + size
            if last > len(text) or text[first:last] not in known[0]:
                continue
            stop = places[last - 1] + 1
            behind = line[stop : stop + 1]
            if behind in _VOICED and behind:
                continue
            if _in_a_word(line[stop - 1], behind):
                continue
            # What a name ends in may be dropped when it is folded.
            while stop < end and not self._folded.get(line[stop], "?") and line[stop] not in " \t\u3000・･-":
                cards = self._find(line[places[first] : stop + 1])
                if not cards or cards[0].name[-1:] != line[stop]:
                    break
                stop += 1
            cards = self._find(line[places[first] : stop]) if stop - places[first] <= _LONGEST else ()
            if cards:
                found.append((stop, cards))
        return found


def _in_a_word(last: str, behind: str) -> bool:
    """Whether a name would end within a word of Latin letters or a number."""
    if not (last.isascii() and last.isalnum() and behind.isascii() and behind.isalnum()):
        return False
    return last.isdigit() == behind.isdigit()


def _joined(line: str, pieces: list[Piece], find: Find) -> list[Piece]:
    """The pieces with the sides of one card, joined by a slash or an arrow, as one name."""
    found: list[Piece] = []
    for piece in pieces:
        before = found[-1] if found else None
        if piece.kind == "name" and before is not None and before.kind == "name":
            between = trim(line, before.end, piece.start, " \t\u3000")
            joined = re.fullmatch(_JOINT, line[slice(*between)])
            both = find(line[before.start : piece.end]) if joined else ()
            if both:
                found[-1] = Piece("name", before.start, piece.end, both)
                continue
        found.append(piece)
    return found

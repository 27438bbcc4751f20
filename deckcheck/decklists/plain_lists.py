"""The short way of plain lists: one pattern and one look-up a line, for lists in which every character is a count, a
sign, a name, a heading or a header.

Its results are those of the full reader, whose patterns take longer to compile than a plain list takes to check. A line
that has anything else sends the whole list there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import compiled
from deckcheck.decklists.header_directives_comments import header_line
from deckcheck.decklists.lines import (
    BLANK,
    LONGEST_LINE,
    USUAL,
    CardLine,
    CountLine,
    Heading,
    Item,
    Label,
    Line,
    Numbered,
    may_number,
)
from deckcheck.decklists.vocabulary import Vocabulary, sort_of
from deckcheck.model.card import Card, Catalog

_MOST_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 160
_SIGNS, _BULLETS, _DIGITS = "x×X✕", "・●", frozenset("0123456789")
_COUNT_CHARS = _DIGITS.union(_SIGNS)
_NUMBER = r"(?P<count>[1-9][0-9]?)"
_LEAST_PAIRS = 2
_SHORTEST_WORD = 2
_OF_ONE_SCRIPT = "[A-Za-z]+|[^A-Za-z]+"
_FIRST = 3
"""By how many letters the catalog looks up the beginnings of names."""
_WITHOUT_GAPS = str.maketrans("", "", " ・")


class _Name(Struct, frozen=True):
    """An unambiguous name: its card, the home if that isn't the default zone, and the folded name.

    `longer` are the folded names that begin with it. `only_quoted`: it is plain only in brackets, for it is an alias
    with signs.
    """

    cards: tuple[Card, ...]
    home: str | None
    folded: str
    longer: tuple[str, ...]
    only_quoted: bool


class PlainListReader:
    """Reads lists that are unambiguous; None for all others."""

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self._words, self._catalog = words, catalog
        counters = "|".join(re.escape(word) for word in words.around.counters if not word.isascii())
        counter = f"(?:{counters})" if counters else "(?!)"
        self._left = rf"{_NUMBER}(?: ?[{_SIGNS}] ?|{counter}(?:[：:] ?| )?| )(?P<quote>《)?(?P<name>[^《》]+)(?(quote)》)"
        self._right = (
            rf"(?:[{_BULLETS}] ?)?(?P<quote>《)?(?P<name>[^《》]*?[^《》\s])(?(quote)》)"
            rf"(?:[ \u3000]?[{_SIGNS}] ?|[ \u3000])?{_NUMBER}{counter}?"
        )
        self._alone = rf"(?:[{_SIGNS}] ?)?{_NUMBER}{counter}?"
        self._names: Callable[[str], _Name | None] = lru_cache(_MOST_REMEMBERED)(self._look_up)
        self._has: Callable[[str], bool] = lru_cache(_MOST_REMEMBERED)(catalog.has)
        self._sign = catalog.fold("x")

    def lines(self, source: Sequence[str]) -> list[Numbered] | None:
        """The numbered lines of a list with a card on each line, or with names and counts on alternating lines."""
        lines: list[Numbered] = []
        cards: dict[int, Item] = {}
        for number, line in enumerate(source, 1):
            item = self._card(line)
            if item is not None:
                cards[number] = item
                lines.append((number, CardLine((item,))))
                continue
            if not cards and self._half(line) is not None:
                return self._alternating(source)
            other = self._other(line)
            if other is None:
                return None
            lines.append((number, other))
        return lines if _are_certain(cards, source) else None

    def _alternating(self, source: Sequence[str]) -> list[Numbered] | None:
        """The lines of a list in which each count is on the line after its name, or each on the line before it."""
        lines: list[Numbered] = []
        cards: dict[int, Item] = {}
        first: Item | int | None = None
        orders: set[bool] = set()
        for number, line in enumerate(source, 1):
            half = self._half(line)
            other = self._other(line) if half is None and first is None else None
            if other is not None:
                lines.append((number, other))
            elif first is None and half is not None:
                first = half
            elif isinstance(first, Item) and isinstance(half, int):
                cards[number - 1] = replace(first, copies=half)
                lines += [(number - 1, CardLine((cards[number - 1],))), (number, CountLine())]
                orders.add(True)
                first = None
            elif isinstance(first, int) and isinstance(half, Item):
                cards[number] = replace(half, copies=first)
                lines += [(number - 1, CountLine()), (number, CardLine((cards[number],)))]
                orders.add(False)
                first = None
            else:
                return None
        is_whole = first is None and len(orders) == 1 and len(cards) >= _LEAST_PAIRS
        return lines if is_whole and _are_certain(cards, source) else None

    def _half(self, line: str) -> Item | int | None:
        """The card of a line that is nothing but a name, or the number of one that is nothing but a count; None for others."""
        known = self._name(line)
        if known is not None:
            return Item(line, known.cards, 0, 1, None, known.home)
        match = None if _DIGITS.isdisjoint(line) else compiled(self._alone).fullmatch(line)
        return None if match is None else int(match["count"])

    def _card(self, line: str) -> Item | None:
        """The card of a line, if no other name may contain the count or its sign; None for other lines."""
        if len(line) > _LONGEST_REMEMBERED or _DIGITS.isdisjoint(line) or line[:1] in "/<":
            return None
        match = compiled(self._left).fullmatch(line) if "1" <= line[:1] <= "9" else None
        if match is not None:
            known = self._name(match["name"], quoted=match["quote"] is not None)
            if known is not None:
                return _item_of(match, known) if self._is_certain_behind(match, known) else None
            if self._is_new_name(match["name"]):
                between = line[match.end("count") : match.start("name")].strip(_SIGNS + " 《")
                return None if between else _item_of(match)
        # A name may begin with a number.
        match = compiled(self._right).fullmatch(line)
        if match is None:
            return None
        start = match.start("name")
        items = []
        for name, copies in _splits(match):
            known = self._name(name, quoted=match["quote"] is not None)
            if known is not None and self._is_certain_before(known, line[start + len(name) :]):
                items.append(Item(name, known.cards, copies, start + 1, None, known.home))
        if not items and match.end("name") < match.start("count") and self._is_new_name(match["name"]):
            return _item_of(match)
        return items[0] if len(items) == 1 else None

    def _is_new_name(self, name: str) -> bool:
        """Whether a text can only be the name of a card that the table lacks: words of letters, without a known one."""
        words = name.replace("・", " ").split()
        if name.strip() != name or not "".join(words).isalpha() or min(map(len, words)) < _SHORTEST_WORD:
            return False
        # Where scripts meet, a word may end.
        pieces = [piece for word in words for piece in compiled(_OF_ONE_SCRIPT).findall(word)]
        if self._words.has_own_word(" ".join(pieces)):
            return False
        rests = ("".join(pieces[place:]) for place in range(len(pieces)))
        return not any(self._begins_with_name(self._words.fold(rest)) for rest in rests)

    def _begins_with_name(self, folded: str) -> bool:
        """Whether a folded text begins with the name of a card."""
        starts = (folded[:size] for size in range(1, _FIRST))
        longer = self._catalog.beginning(folded[:_FIRST])
        return any(map(self._catalog.has, starts)) or any(map(folded.startswith, longer))

    def _is_certain_behind(self, match: re.Match[str], known: _Name) -> bool:
        """Whether no longer name begins with the count in front of a name, or with its sign."""
        if match["quote"]:
            return True
        between = match.string[match.end("count") : match.start("name")]
        before = match["count"] if _COUNT_CHARS.isdisjoint(between) else self._sign
        return not self._has(before + known.folded)

    def _is_certain_before(self, known: _Name, behind: str) -> bool:
        """Whether no longer name continues with the text behind a name: its count or a sign."""
        return not known.longer or not (known.folded + self._words.fold(behind)).startswith(known.longer)

    def _name(self, name: str, *, quoted: bool = False) -> _Name | None:
        known = self._names(name) if len(name) <= _LONGEST_REMEMBERED else None
        return None if known is not None and known.only_quoted and not quoted else known

    def _look_up(self, name: str) -> _Name | None:
        words, catalog = self._words, self._catalog
        cards = catalog.find(name)
        if len(cards) != 1:
            return None
        # In a spelling other than the card's own, digits, brackets and marks may have a meaning.
        only_quoted = name != cards[0].name and not name.translate(_WITHOUT_GAPS).isalpha()
        if only_quoted and name not in cards[0].aliases and normalize("NFKC", name) not in cards[0].aliases:
            return None
        folded = words.fold(name)
        if name != cards[0].name and not words.fold(name[0]):
            # A sign in front of a name may say something of the card.
            return None
        is_word = name.islower() and words.comment_says_out(name)
        if is_word or name.isdecimal() or name in _SIGNS or name.strip() != name:
            return None
        if sort_of(words, folded) is not None:
            return None
        aliases = cards[0].aliases
        if "《" in name or any(alias[:1] == "《" for alias in aliases):
            return None
        home = cards[0].home
        return _Name(
            cards,
            home if home != words.default else None,
            folded,
            tuple(catalog.beginning(folded) - {folded}),
            only_quoted,
        )

    def _other(self, line: str) -> Line | None:
        """A line without a card: empty, or a header or heading; None for others."""
        words = self._words
        if not line:
            return BLANK
        if line[0] == "#" and len(line) <= LONGEST_LINE:
            return header_line(line)
        bare = line[1:-1] if line[0] == "【" and line[-1] == "】" else line
        sort = sort_of(words, words.fold(bare)) if bare.isalpha() and len(line) <= LONGEST_LINE else None
        if sort is None or self._catalog.find(line):
            return None
        if isinstance(sort, Label):
            return Label(line)
        is_zone = isinstance(sort, Heading) and sort.zone in words.zone_ids
        return replace(sort, written=line) if is_zone else None


def _item_of(match: re.Match[str], known: _Name | None = None) -> Item:
    """The card that a pattern found; without `known` one that the table lacks."""
    cards, home = (known.cards, known.home) if known is not None else ((), None)
    return Item(match["name"], cards, int(match["count"]), match.start("name") + 1, None, home)


def _splits(match: re.Match[str]) -> list[tuple[str, int]]:
    """The name and the count of a line with its count last; where they touch, each may have some of the digits."""
    name, count = match["name"], match["count"]
    if match.end("name") < match.start("count"):
        return [(name, int(count))]
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :] + count
    sizes = [size for size in (1, 2)[: len(digits)] if digits[-size] != "0"]
    return [(stem + digits[:-size], int(digits[-size:])) for size in sizes]


def _are_certain(cards: Mapping[int, Item], source: Sequence[str]) -> bool:
    """Whether all lines with cards have one form, whose numbers can't number them, and names that the table lacks can only be names.

    These are few, with a usual count. In another form, a name may be a heading with a sum.
    """
    if not cards or may_number([item.copies for item in cards.values()]):
        return False
    forms = set()
    for number, item in cards.items():
        forms.add(source[number - 1].replace(item.written, "\n", 1).replace(str(item.copies), "", 1))
    new = [item for item in cards.values() if not item.cards]
    is_usual = bool(next(iter(cards.values())).cards) and all(item.copies <= USUAL for item in new)
    return len(forms) == 1 and (not new or (is_usual and 2 * len(new) < len(cards)))

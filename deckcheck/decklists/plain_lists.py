"""The short way of plain lists: one pattern and one look-up a line, for lists in which every character is a count, a
sign, a name, a heading or a header.

Its results are those of the full reader, whose patterns take longer to compile than a plain list takes to check. A line
that has anything else sends the whole list there.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from unicodedata import normalize

from msgspec import Struct

from deckcheck.decklists.decoding import compiled
from deckcheck.decklists.header import header_line
from deckcheck.decklists.lines import (
    BLANK,
    LONGEST_LINE,
    USUAL,
    Blank,
    HeaderLine,
    Heading,
    Label,
    may_number,
)
from deckcheck.decklists.vocabulary import Vocabulary, sort_of
from deckcheck.model.card import Card, Catalog
from deckcheck.model.deck import Deck, Entry

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


class _Card(Struct, frozen=True):
    """A name as written, in a 1-based column, with its copies; `known` is None for one that the table lacks."""

    known: _Name | None
    written: str
    copies: int
    column: int


class _Half(Struct, frozen=True):
    """A line with only a name, or (without one) only a count."""

    number: int
    line: str
    known: _Name | None
    copies: int


class PlainListReader:
    """Reads lists that are unambiguous; None for all others."""

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self._words, self._catalog = words, catalog
        counters = "|".join(re.escape(word) for word in words.counters if not word.isascii())
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

    def deck(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck of a list with a card on each line, or with names and counts on alternating lines."""
        draft = _Draft(self._words)
        for number, line in enumerate(source, 1):
            card = self._card(line)
            if card is not None:
                is_added = draft.add(card, number)
            elif not draft.entries and self._half(line, number) is not None:
                return self._alternating(source, path)
            else:
                is_added = draft.add_other(self._other(line), is_last=number == len(source))
            if not is_added:
                return None
        return draft.deck(source, path)

    def _alternating(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck of a list in which each count is on the line after its name, or each on the line before it."""
        draft = _Draft(self._words)
        first: _Half | None = None
        orders: set[bool] = set()
        for number, line in enumerate(source, 1):
            half = self._half(line, number)
            if half is None:
                is_last = number == len(source)
                if first is not None or not draft.add_other(self._other(line), is_last=is_last):
                    return None
                continue
            if first is None:
                first = half
                continue
            named, counted = (first, half) if half.known is None else (half, first)
            orders.add(named is first)
            if named.known is None or counted.known is not None or len(orders) > 1:
                return None
            if not draft.add(_Card(named.known, named.line, counted.copies, 1), named.number):
                return None
            first = None
        return draft.deck(source, path) if first is None and len(draft.entries) >= _LEAST_PAIRS else None

    def _half(self, line: str, number: int) -> _Half | None:
        """A line that is nothing but a name or a count; None for others."""
        known = self._name(line)
        if known is not None:
            return _Half(number, line, known, 0)
        match = None if _DIGITS.isdisjoint(line) else compiled(self._alone).fullmatch(line)
        return None if match is None else _Half(number, line, None, int(match["count"]))

    def _card(self, line: str) -> _Card | None:
        """The card of a line, if no other name may contain the count or its sign; None for other lines."""
        if len(line) > _LONGEST_REMEMBERED or _DIGITS.isdisjoint(line) or line[:1] in "/<":
            return None
        if "1" <= line[:1] <= "9":
            match = compiled(self._left).fullmatch(line)
            known = None if match is None else self._name(match["name"], quoted=match["quote"] is not None)
            if match is not None and known is not None:
                return _card_of(match, known) if self._is_certain_behind(match, known) else None
            if match is not None and self._is_new_name(match["name"]):
                between = line[match.end("count") : match.start("name")].strip(_SIGNS + " 《")
                return None if between else _card_of(match, None)
        # A name may begin with a number.
        match = compiled(self._right).fullmatch(line)
        if match is None:
            return None
        cards = [card for card in self._splits(match) if self._is_certain_before(line, card)]
        if not cards and match.end("name") < match.start("count") and self._is_new_name(match["name"]):
            return _card_of(match, None)
        return cards[0] if len(cards) == 1 else None

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

    def _splits(self, match: re.Match[str]) -> Iterator[_Card]:
        """The cards of a line with its count last; where a name touches the count, each may have some of the digits."""
        name, column = match["name"], match.start("name") + 1
        if match.end("name") < match.start("count"):
            yield from self._named(name, match["count"], column, quoted=match["quote"] is not None)
            return
        stem = name.rstrip("0123456789")
        digits = name[len(stem) :] + match["count"]
        for size in (1, 2)[: len(digits)]:
            if digits[-size] != "0":
                yield from self._named(stem + digits[:-size], digits[-size:], column)

    def _named(self, name: str, count: str, column: int, *, quoted: bool = False) -> Iterator[_Card]:
        known = self._name(name, quoted=quoted)
        if known is not None:
            yield _Card(known, name, int(count), column)

    def _is_certain_behind(self, match: re.Match[str], known: _Name) -> bool:
        """Whether no longer name begins with the count in front of a name, or with its sign."""
        if match["quote"]:
            return True
        between = match.string[match.end("count") : match.start("name")]
        before = match["count"] if _COUNT_CHARS.isdisjoint(between) else self._sign
        return not self._has(before + known.folded)

    def _is_certain_before(self, line: str, card: _Card) -> bool:
        """Whether no longer name continues with the text behind a name, its count or a sign."""
        if card.known is None or not card.known.longer:
            return True
        behind = self._words.fold(line[card.column - 1 + len(card.written) :])
        return not (card.known.folded + behind).startswith(card.known.longer)

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
        if name.isdecimal() or name in _SIGNS or name.strip() != name or sort_of(words, folded) is not None:
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

    def _other(self, line: str) -> Blank | HeaderLine | Heading | Label | None:
        words = self._words
        if not line:
            return BLANK
        if line[0] == "#" and len(line) <= LONGEST_LINE:
            return header_line(line)
        bare = line[1:-1] if line[0] == "【" and line[-1] == "】" else line
        sort = sort_of(words, words.fold(bare)) if bare.isalpha() and len(line) <= LONGEST_LINE else None
        if sort is None or self._catalog.find(line):
            return None
        if sort.sort == "label":
            return Label(line)
        if sort.sort != "zone" or sort.zone is None:
            return None
        return Heading(line, sort.zone, None, sort.zone in words.zone_ids)


def _card_of(match: re.Match[str], known: _Name | None) -> _Card:
    return _Card(known, match["name"], int(match["count"]), match.start("name") + 1)


class _Draft:
    """A deck under construction."""

    def __init__(self, words: Vocabulary) -> None:
        self._default = self.zone = words.default
        self._ends_at_label = words.ends_at_label
        self._header: dict[str, str] = {}
        self._headed: set[str] = set()
        self._may_end_zone = False
        """Whether an empty line begins the default zone unless that has cards below a heading."""
        self.entries: list[Entry] = []
        self._has_new_names = False

    def add(self, card: _Card, number: int) -> bool:
        """Adds the card of a line; False if it would have to move to its home."""
        if card.known is None:
            self._has_new_names = True
            if not self.entries or card.copies > USUAL:
                return False
        elif card.known.home is not None and self.zone == self._default:
            return False
        cards = () if card.known is None else card.known.cards
        self.entries.append(Entry(card.written, cards, card.copies, self.zone, number, card.column))
        return True

    def add_other(self, line: Blank | HeaderLine | Heading | Label | None, *, is_last: bool) -> bool:
        """Adds a line without a card; False if it may change the meaning of others."""
        match line:
            case Heading():
                self.zone = line.zone
                # Below a second heading of the same zone may be another list.
                is_first = line.zone not in self._headed
                self._headed.add(line.zone)
                return line.is_known and is_first
            case HeaderLine():
                is_given = line.key in self._header
                self._header.setdefault(line.key, line.value)
                return not self.entries and not is_given
            case Label():
                return self.zone == self._default and self.zone not in self._ends_at_label
            case Blank():
                if self.zone in self._ends_at_label and not is_last:
                    self._may_end_zone = True
                return True
        return False

    def deck(self, source: Sequence[str], path: str) -> Deck | None:
        """The deck; None if it is empty or its numbers may not be counts."""
        if not self.entries or may_number([entry.copies for entry in self.entries]):
            return None
        if self._may_end_zone and all(entry.zone != self._default for entry in self.entries):
            return None
        if self._has_new_names and not self._has_one_form(source):
            return None
        return Deck(path, tuple(self.entries), (), self._header, "text", tuple(source))

    def _has_one_form(self, source: Sequence[str]) -> bool:
        """Whether most names are known, and all stand in the same way beside their counts."""
        forms = set()
        for entry in self.entries:
            line, end = source[entry.line - 1], entry.column - 1 + len(entry.written)
            forms.add((_without_digits(line[: entry.column - 1]), _without_digits(line[end:])))
        known = sum(1 for entry in self.entries if entry.cards)
        return len(forms) == 1 and 2 * known > len(self.entries)


def _without_digits(text: str) -> str:
    return "".join(char for char in text if char not in _DIGITS)

"""Reads single lines and cells: names, rows, sections, and cards with everything around them explained."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice

from deckcheck.decklists.auditor import Leftover, leftover
from deckcheck.decklists.lexer import BULLETS, CIRCLED, MOST_COPIES, Lexer, compiled, shape_of, trim
from deckcheck.decklists.lines import (
    BAD_COUNT,
    TWO_ZONES,
    UNEXPLAINED,
    CardLine,
    Heading,
    Item,
    Label,
    Taken,
    Total,
    stretch,
)
from deckcheck.decklists.rows import Name, Row, RowReader
from deckcheck.decklists.vocabulary import Vocabulary, heading_of, sort_of
from deckcheck.model.card import Card, Catalog
from deckcheck.support.messages import Words

Section = Heading | Label | Total
"""What begins a section or states a sum."""
_MOST_ROWS, _MOST_SUGGESTED = 1 << 13, 1 << 10
_LONGEST_SUGGESTED = 120
NEAR, ONE_SLIP = 72, 100
"""How similar two names are, in percent, that may be meant to be the same, or that differ by a slip of the pen at most."""
_SHORTEST_NEAR, _SHORTEST_SLIP, _LETTERS_A_SLIP = 3, 4, 8
DIGIT = rf"[0-9{CIRCLED}]"
_PLAIN_NAME = r"[^\W\d_]+(?:[ ',\-/・.’]{1,2}[^\W\d_]+)*"
_SECOND_NUMBER = r"種|[0-9] *[/~-] *[0-9]"
_COUNT_AROUND = r"^[0-9]{1,3}(?:WORD|[ x*])*|[ x*]*[0-9]{1,3}(?:WORD)?$"
_MOST_BETWEEN = 3
"""The most characters between a card's name and a numeral that counts it, such as a particle."""
_LONGEST_WORDS, _MOST_NUMERALS = 200, 10
_SHORTEST_SOUGHT, _LONGEST_SOUGHT = 4, 40
"""The lengths of names that are sought within words."""


class LineReader:
    """Reads lines of one game; rows are cached, within bounds."""

    def __init__(self, words: Vocabulary, catalog: Catalog) -> None:
        self.words = words
        self._catalog = catalog
        self.lexer = Lexer(catalog, words.patterns, self._is_zone)
        self._rows = RowReader(words, self.lexer)
        self._row = lru_cache(_MOST_ROWS)(self._rows.row)
        self.suggest: Callable[[str], list[str]] = lru_cache(_MOST_SUGGESTED)(self._suggest)

    def _is_zone(self, text: str) -> bool:
        sort = sort_of(self.words, text)
        return (sort is not None and sort[0] == "zone") or self.words.says_out(text)

    def _suggest(self, text: str) -> list[str]:
        return self._catalog.suggest(text) if len(text) <= _LONGEST_SUGGESTED else []

    def find(self, name: str) -> tuple[Card, ...]:
        """The cards of a whole name; a name written twice, for both sides of a card, is one."""
        cards = self.lexer.find(name)
        if not cards and "//" in name:
            halves = {self.words.fold(half) for half in name.split("//")}
            cards = self.lexer.find(name.split("//")[0].strip()) if len(halves) == 1 else ()
        return cards

    def row(self, text: str) -> Row:
        """The row of a line or cell, whose numbers may be explained without effect on other lists."""
        return self._row(text).copy()

    def problem_in_remark(self, text: str) -> Words | None:
        """Why a remark in brackets behind an unknown card can't be passed over; None if it can."""
        return self._rows.problem_in(text, ())

    def is_fact(self, text: str, cards: tuple[Card, ...]) -> bool:
        """Whether a text beside cards is a fact of theirs."""
        return self._rows.is_fact(text, [Name(cards, 0, 0)])

    def is_near(self, text: str, least: int = NEAR) -> bool:
        """Whether a text may be a misspelt card's name: a name is at least so similar, in percent."""
        from rapidfuzz import fuzz

        bare = text.strip(BULLETS + "《》【】「」『』[]<>■◆ \u3000")
        # A count beside a misspelt name makes it no less similar.
        bare = (
            compiled(_COUNT_AROUND.replace("WORD", self.words.patterns.counter)).sub("", shape_of(bare))
            or bare
        )
        folded = self.words.fold(bare)
        if len(folded) < _SHORTEST_NEAR:
            return False
        if len(folded) > _SHORTEST_NEAR and least <= NEAR and self._catalog.beginning(folded):
            # The first part of a name, whose rest is on the next line or lost.
            return True
        for suggestion in self.suggest(bare)[:3]:
            names = [name for card in self.lexer.find(suggestion) for name in card.names]
            others = [self.words.fold(name) for name in names]
            if any(fuzz.ratio(folded, other) >= least or _is_one_slip(folded, other) for other in others):
                return True
        return False

    def is_longer_name(self, row: Row, start: int, end: int) -> bool:
        """Whether a span of letters holds a known name as part of a longer one that the table lacks."""
        shape = row.shape[start:end].strip()
        first = min((name.start for name in row.names), default=end)
        says_out = first <= start and self.words.says_out(shape)
        plain = compiled(_PLAIN_NAME).fullmatch(shape) is not None
        return plain and not row.explained and not says_out and not self.words.may_say_count(shape)

    def counts_card_in_words(self, text: str) -> bool:
        """Whether a text of words has a card's name beside a numeral, with at most a few characters between them."""
        numerals = self.words.numerals_in(shape_of(text[:_LONGEST_WORDS]))
        for numeral in islice(numerals, _MOST_NUMERALS):
            before, behind = text[: numeral.start()].rstrip(), text[numeral.end() :].lstrip()
            for more in range(_MOST_BETWEEN + 1):
                if self._ends_with_card(before[: len(before) - more]) or self.find(behind[more:]):
                    return True
        return False

    def _ends_with_card(self, text: str) -> bool:
        starts = [0, *range(max(len(text) - _LONGEST_SOUGHT, 1), len(text) - _SHORTEST_SOUGHT + 1)]
        return any(self.find(text[start:]) for start in starts)

    def item_in(self, row: Row, column: int) -> Item | tuple[Words, int]:
        """The only card of a row, with its count or 0, or why there is none; `column` is that of the row's text."""
        numbers = [number for number in row.numbers if number.taken is None]
        if row.problem is not None:
            return row.problem, column + row.problem_start
        if len(row.names) != 1 or not row.names[0].cards or len(numbers) > 1:
            return UNEXPLAINED.filled(part=row.text.strip()[:40]), column
        if numbers and not 0 <= numbers[0].value <= MOST_COPIES:
            return BAD_COUNT, column + numbers[0].start
        if numbers:
            numbers[0].taken = Taken.COUNT
        zones = {word.zone for word in row.zones}
        if len(zones) > 1:
            return TWO_ZONES, column
        name = row.names[0]
        rest = leftover(row.text, row.stretches([name]))
        if rest is not None:
            return rest.why, column + rest.start
        copies = numbers[0].value if numbers else 0
        written = row.text[name.start : name.end]
        return item_of(self.words, written, name.cards, copies, column + name.start, next(iter(zones), None))


def _is_one_slip(one: str, other: str) -> bool:
    """Whether two names differ in one letter, long ones in one of eight."""
    from rapidfuzz.distance import OSA

    most = max(1, len(one) // _LETTERS_A_SLIP)
    return len(one) > _SHORTEST_SLIP and OSA.distance(one, other, score_cutoff=most) <= most


def item_of(
    words: Vocabulary, written: str, cards: tuple[Card, ...], copies: int, column: int, zone: str | None
) -> Item:
    """A card with its count, in a zone named beside it (None: none is)."""
    homes = {card.home for card in cards}
    home = homes.pop() if len(homes) == 1 else None
    known = zone is None or zone in words.zone_ids
    return Item(written, cards, copies, column, zone, None if home == words.default else home, known)


def section_line(words: Vocabulary, written: str) -> Section | None:
    """A text as a heading, label or sum, with at most one number, which is checked as the sum; None for other texts."""
    shape = shape_of(written)
    start, end = trim(shape, 0, len(shape))
    heading = heading_of(words, shape[start:end])
    if heading is None:
        return None
    numbers = compiled("[0-9]+").findall(shape)
    # Beside the sum there may be the number of different cards, or that of a label (a cost).
    if len(numbers) > 1 and heading.sort != "label" and not compiled(_SECOND_NUMBER).search(shape):
        return None
    bare, column = written.strip(), start + 1
    everything = stretch(Taken.HEAD, written)
    match heading.sort:
        case "zone":
            zone = heading.zone or words.default
            known = zone in words.zone_ids
            return Heading(bare, zone, heading.total, known or zone in words.aside, column, everything)
        case "total" if heading.total is not None:
            return Total(bare, heading.total, heading.zone, column, everything)
        case "label":
            return Label(bare, heading.total, None, column, everything)
    return Label(bare, None, None, column, everything)


def names_of(placed: Iterable[Name | None]) -> list[Name]:
    """The names that are cards."""
    return [name for name in placed if name is not None]


def card_line(
    items: Iterable[Item], row: Row, names: Iterable[Name | None]
) -> tuple[CardLine, Leftover | None]:
    """The line of these cards and what of its row nothing explains."""
    stretches = row.stretches(names_of(names))
    return CardLine(tuple(items), stretches), leftover(row.text, stretches)

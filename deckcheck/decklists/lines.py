"""The lines of a list as read: one record for each thing that a line can be, with what its characters were taken for.

The tag of a record is what an explanation calls such a line.
"""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct

from deckcheck.decklists.decoding import Source
from deckcheck.model.card import Card
from deckcheck.model.deck import Entry
from deckcheck.support.messages import Words, _

MOST_COPIES = 999
USUAL, MOST_LIKELY = 4, 99
"""Few games allow more copies of a card than the first, and other numbers (costs, power) are often larger; no list has
more than the second."""
LEAST_SLOTS, LEAST_NUMBERED = 8, 3
"""So many rows with growing numbers, or with the numbers of slots, may be numbered by them."""
MOST_LINES = 5000
LONGEST_LINE = 2000

GAP_BEGINS_SIDE = frozenset({"mtgo", "arena"})
"""The notations in which an empty line begins another zone unless a heading does."""
ROWS = frozenset({"text", "csv", "tsv", "mtgo", "arena", "moxfield"})
"""The notations in which each line has a card or several, or something between them."""


class Taken(StrEnum):
    """What a stretch of text was taken for."""

    CARD = "card"
    COUNT = "count"
    ZONE = "zone"
    SUM = "sum"
    PRINTING = "printing"
    """What is printed on the card, or where it was printed, or what it costs: nothing of the deck."""
    NUMBERING = "numbering"
    """The number of the line or of the slot."""
    COMMENT = "comment"
    """Behind an explicit mark, whatever it says."""
    REMARK = "remark"
    """Words without a mark that can't change the deck."""
    TITLE = "title"
    HEADER = "header"
    HEAD = "head"
    """The head of a column or section, or a field of another program."""


class Stretch(Struct, frozen=True):
    """The characters from `start` to before `end` of a line, and what they were taken for."""

    taken: Taken
    start: int
    end: int


Stretches = tuple[Stretch, ...]


class Item(Struct, frozen=True):
    """A card on a line: `zone` is named on the line itself, `home` is the card's, unless that is the default zone."""

    written: str
    cards: tuple[Card, ...]
    copies: int
    column: int
    zone: str | None = None
    home: str | None = None
    is_zone_known: bool = True


class CardLine(Struct, frozen=True, tag="cards"):
    """One card or several."""

    items: tuple[Item, ...]
    stretches: Stretches = ()


class Heading(Struct, frozen=True, tag="zone"):
    """The heading of a zone; of an unknown one as written, unless `is_known`."""

    written: str
    zone: str
    total: int | None = None
    is_known: bool = True
    column: int = 1
    stretches: Stretches = ()


class Label(Struct, frozen=True, tag="label"):
    """A heading that sorts cards within a zone; with a `zone`, the cards below are in that zone again."""

    written: str
    total: int | None = None
    zone: str | None = None
    column: int = 1
    stretches: Stretches = ()


class Total(Struct, frozen=True, tag="sum"):
    """The sum of other lines, perhaps of a zone; without a number, the word for it."""

    written: str
    total: int | None
    zone: str | None = None
    column: int = 1
    stretches: Stretches = ()


class HeaderLine(Struct, frozen=True, tag="header"):
    """A line such as `# format: …`; `why` says what is wrong with it."""

    key: str
    value: str
    why: Words | None = None
    column: int = 1
    stretches: Stretches = ()


class Title(Struct, frozen=True, tag="title"):
    """The deck's name; `why` says what a reader of the report should know."""

    written: str
    why: Words | None = None
    column: int = 1
    stretches: Stretches = ()


class Comment(Struct, frozen=True, tag="comment"):
    """A line that is no part of the deck. A `remark` has no mark that says so."""

    written: str = ""
    remark: bool = False
    column: int = 1
    stretches: Stretches = ()


class Blank(Struct, frozen=True, tag="blank"):
    """An empty line, or one with a rule."""

    stretches: Stretches = ()


class CountLine(Struct, frozen=True, tag="count"):
    """A line that holds only the count of a card on another line."""

    stretches: Stretches = ()


class Told(Struct, frozen=True, tag="unread"):
    """A line that isn't read; `may_head`: it may be the heading of the cards below."""

    written: str
    why: Words
    column: int = 1
    may_head: bool = False
    stretches: Stretches = ()


Line = CardLine | Heading | Label | Total | HeaderLine | Title | Comment | Blank | CountLine | Told

Numbered = tuple[int, Line]
"""A line with its number."""

BLANK, COMMENT = Blank(), Comment()


class Why:
    """Why a line isn't read, or what should be known of one that is."""

    NOT_READ = _("this line can't be read (write “4 x NAME”; put “#” before a remark)")
    UNEXPLAINED = _("it isn't clear what “{part}” means here (write “4 x NAME”; put “#” before a remark)")
    TOO_LONG = _("the line is too long (at most {longest_line} characters)", longest_line=LONGEST_LINE)
    BAD_COUNT = _("a count is a number from 1 to {most_copies}", most_copies=MOST_COPIES)
    NO_COUNT = _("no count is given here (a number from 1 to {most_copies})", most_copies=MOST_COPIES)
    NAME_OR_CARD = _("this is the deck's name or a card (put “#” before a name, a count before a card)")
    NAME_OR_HEADING = _("this is a heading or a card (put a count before a card)")
    TITLE_OR_HEADING = _(
        "this may be the heading of the cards below, since the main part begins further down "
        "(put “# deck:” before the deck's name)"
    )
    NAME_AS_TITLE = _("taken as the deck's name (put a count before it if it is a card)")
    NO_ANSWER = _("“{head}” is empty here, so it isn't clear whether the card is in the deck (write ○ or ×)")
    NO_COUNTS = _("it isn't clear which column holds the counts (give it the head “Count”)")
    TWO_NUMBERS = _("it isn't clear whether the count is {first} or {second} (write “4 x NAME”)")
    COUNT_OR_ORDINAL = _("this may be a count or just the number of the line (write “4 x NAME”)")
    TWO_WAYS = _("the counts of this list can be read in two ways (write “4 x NAME”)")
    TWO_CARDS = _("the digits here may belong to the card's name or to its count (write “4 x NAME”)")
    LIST_OF_CHANGES = _("this looks like a change to a deck (give the whole list, without “+” and “-”)")
    STRUCK_OUT = _("this line is struck out (delete it, or the marks around it)")
    OUT = _("“{part}” says that this card may not be in the deck (delete the line, or these words)")
    NOT_ONE_LINE = _("the cards below may be in this zone, too (put its name on a line of its own)")
    MAY_BEGIN_FIRST = _(
        "this may still belong to the zone above, or begin the main part, which has no cards (put a heading here)"
    )
    OTHER_LIST = _("this belongs to another deck or player than the rows above (check each list by itself)")
    TWO_ZONES = _("two zones are named")


class UnreadError(Exception):
    """Why a text can't be read, and the 1-based column of what is in the way."""

    def __init__(self, why: Words, column: int) -> None:
        self.why, self.column = why, column


def told(written: str, why: Words, column: int = 1, *, may_head: bool = False) -> Told:
    """A line that isn't read, shown as written from its first character; `column` is 1-based."""
    return Told(written.strip()[:LONGEST_LINE], why, column, may_head)


def told_line(source: Source, why: Words, start: int | None = None, *, may_head: bool = False) -> Told:
    """A line that isn't read, with the index of what can't be (None: of its text)."""
    index = len(source.text) - len(source.text.lstrip()) if start is None else start
    return told(source.raw, why, source.column(index), may_head=may_head)


def no_such_zone(zone: str) -> Words:
    """Why the cards under an unknown heading may be anywhere."""
    return _("no zone is called “{zone}”", zone=zone)


def items_of(line: Line) -> tuple[Item, ...]:
    """The cards of a line."""
    return line.items if isinstance(line, CardLine) else ()


def stretch(taken: Taken, text: str) -> Stretches:
    """All of a text as one stretch."""
    return (Stretch(taken, 0, len(text)),)


def may_number(values: Sequence[int]) -> bool:
    """Whether the numbers of rows may be those of lines or slots: they grow from row to row, or there are many of them."""
    return len(set(values)) >= LEAST_SLOTS or (grow(values) and (are_dense(values) or are_running(values)))


def grow(values: Sequence[int]) -> bool:
    """Whether each number is larger than the one before."""
    return len(values) > 1 and all(first < second for first, second in pairwise(values))


def are_dense(values: Sequence[int]) -> bool:
    """Whether growing numbers are close enough together for numbers of lines."""
    return len(values) > LEAST_NUMBERED + 1 and values[-1] <= 2 * len(values) + 2


def are_running(values: Sequence[int]) -> bool:
    """Whether the numbers are 1, 2, 3 and so on."""
    return len(values) >= LEAST_NUMBERED and list(values) == list(range(1, len(values) + 1))


def counted_lines(entries: Sequence[Entry], lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines with a usual count, written as in most lines: before the name, or marked after it.

    A line with its number elsewhere, such as a note or heading, or with a larger one, such as a sum, may not be a card.
    """
    forms: dict[str, list[Entry]] = {}
    for entry in entries:
        line = lines[entry.line - 1] if 0 < entry.line <= len(lines) else ""
        form = _form_of(line, entry)
        if form is not None:
            forms.setdefault(form, []).append(entry)
    usual = max(forms.values(), key=len, default=[])
    if 2 * len(usual) < len(entries):
        return frozenset()
    return frozenset(entry.line for entry in usual if entry.copies <= USUAL)


def _form_of(line: str, entry: Entry) -> str | None:
    """How a line writes the copies of an entry, with 0 for the number; None if it doesn't."""
    written = unicodedata.normalize("NFKC", entry.written)
    before, name, behind = unicodedata.normalize("NFKC", line).partition(written)
    text = before if any(map(str.isdigit, before)) else behind
    number = re.search("[0-9]+", text)
    if not name or number is None or number[0] != str(entry.copies):
        return None
    sign, counter = text[: number.start()].strip()[-1:], text[number.end() : number.end() + 1].strip()
    is_marked = text is before or counter or (sign and sign in "x×✕✖*")
    return f"{text[: number.start()]}0{counter}" if is_marked else None

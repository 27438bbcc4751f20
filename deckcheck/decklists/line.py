"""The kinds of a line, and the messages for lines that can't be used."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from deckcheck.decklists.lexer import CIRCLED, MOST_COPIES
from deckcheck.model.card import Card
from deckcheck.support.messages import Words, _

USUAL, MOST_LIKELY = 4, 99
"""Few games allow more copies of a card than the first, and other numbers (costs, power) are often larger; no list has
more than the second."""
LEAST_ROWS = 3
"""The fewest rows that make a pattern."""
MOST_LINES = 5000
LONGEST_LINE = 2000

ZONES_BY_EMPTY_LINES = frozenset({"mtgo"})
"""The notations in which only an empty line begins another zone."""

Kind = Literal[
    "entry",
    "several",
    "heading",
    "label",
    "total",
    "header",
    "title",
    "comment",
    "blank",
    "invalid",
    # Found by reading the list as a whole: a count on another line than its card, and text around the list.
    "count",
    "furniture",
    # Provisional: the surrounding lines decide (see context.py).
    "bare",
    "unknown",
    "either",
    "numbered",
    "heading?",
    "title?",
    "total?",
    "table",
    "head",
]


class Line(NamedTuple):
    """A classified line.

    For an entry, `zone` is the zone named on the line itself, and `home` the card's home zone unless that is
    the default zone. For a heading, `zone` is a zone id if `known`, else the heading as written. `more` holds
    the entries of a line with several, or the alternative readings of the line. `total` is the sum that it
    states, or the number of a numbered line. `cells` are those of a table row. `loose`: an unmarked word
    named the zone, so it may be a title.
    """

    kind: Kind
    written: str = ""
    cards: tuple[Card, ...] = ()
    copies: int = 0
    most: int = 0
    column: int = 1
    zone: str | None = None
    home: str | None = None
    total: int | None = None
    known: bool = True
    key: str = ""
    why: Words | None = None
    more: "tuple[Line, ...]" = ()
    cells: tuple[str, ...] = ()
    loose: bool = False

    @property
    def parts(self) -> "tuple[Line, ...]":
        """The entries of the line."""
        return self.more if self.kind == "several" else (self,) if self.kind == "entry" else ()


FINAL_KINDS = frozenset(
    {
        *("entry", "several", "heading", "label", "total", "header", "title", "comment", "blank", "invalid"),
        *("count", "furniture"),
    }
)
"""The kinds that need no context; the others are provisional."""

COUNTED_COMMENT = rf"^(?>.*?(?:[#＃]|(?<![:：])//|／／)).*[\d{CIRCLED}一-十]"
"""Matches a comment that contains a number."""

COMMENT_MARKS = {"<!--": "-->", "/*": "*/"}
"""The marks at both ends of a comment, which may extend over several lines."""

CARDS = frozenset({"entry", "several"})
"""The kinds of lines with cards."""

BLANK = Line("blank")
COMMENT = Line("comment")

KNOWN = "known"
"""The key of an unusable line that names a known card."""

REMARK = "remark"
"""The key of furniture that the reader reports as a remark."""

NOT_READ = _("this line can't be read")
TOO_LONG = _("the line is too long (at most {longest_line} characters)", longest_line=LONGEST_LINE)
BAD_COUNT = _("a count is a number from 1 to {most_copies}", most_copies=MOST_COPIES)
NO_COUNT = _("no count is given here (a number from 1 to {most_copies})", most_copies=MOST_COPIES)
NEGATIVE = _("a count can't be negative (put a space after a dash that is a bullet)")
NO_TITLE = _("this can be read neither as the deck's name nor as a card's line")
NAME_OR_CARD = _("this is the deck's name or a card (put “#” before a name, a count before a card)")
NAME_OR_HEADING = _("this is a heading or a card (put a count before a card)")
NAME_AS_TITLE = _("taken as the deck's name (put a count before it if it is a card)")
HEADING_AS_TITLE = _("taken as the deck's name, since it is no zone and all cards are below it")
SUM_OR_COUNT = _(
    "this may be the sum of the cards below or the copies of each (write each card's count beside it)"
)
NO_COUNTS = _("it isn't clear which column holds the counts (give it the head “Count”)")
NUMBER_OR_COUNT = _("this may be the line's number or a count (write “{form}” for a count)", form="4 x NAME")
FULL_WITHOUT = _(
    "this card has no count, and the deck is full without it (write its count, or “#” before a remark)"
)
SPAN = _("the count is not one number")
OTHER_SUM = _("the total in front doesn't match the cards after it")
OPEN_COUNT = _("a question mark leaves the count open")
LIST_OF_CHANGES = _("this looks like a change to a deck (give the whole list, without “+” and “-”)")
NO_CARD = _("this doesn't look like a card's line")
ZONE_WITHOUT_CARD = _("a zone is named, but no card beside it can be read")
STRUCK_OUT = _("this line is struck out (delete it, or the marks around it)")
TOO_MANY_ITEMS = _("too many items on one line")


def invalid(line: str, why: Words, column: int = 1) -> Line:
    """An unusable line, shown as written from its first character; `column` is 1-based."""
    return Line("invalid", line.strip()[:LONGEST_LINE], column=column, why=why)


def comment_blocks(text: Sequence[str]) -> Iterator[int]:
    """The indexes of the lines in comments over several lines, from one that begins with a mark to one that ends with it."""
    first, end = 0, ""
    for at, line in enumerate(map(str.strip, text)):
        if not end:
            marks = (mark for mark in COMMENT_MARKS if line.startswith(mark))
            first, end = at, COMMENT_MARKS.get(next(marks, ""), "")
            end = "" if end in line else end
        elif line.endswith(end):
            yield from range(first, at + 1)
            end = ""


def several(line: str, parts: Sequence[Line]) -> Line:
    """A line of several entries, or the only one."""
    if len(parts) == 1:
        return parts[0]
    return Line("several", line.strip(), column=len(line) - len(line.lstrip()) + 1, more=tuple(parts))


def is_titled(lines: Iterable[Line]) -> bool:
    """Whether a line or the header names the deck."""
    return any(line.kind == "title" or line.key == "deck" for line in lines)


def no_such_zone(zone: str) -> Words:
    """Why the cards under an unknown heading may be anywhere."""
    return _("no zone is called “{zone}”", zone=zone)


def bad_count(text: str) -> Words:
    """Why that is no count: it has no number, or one that is none of copies."""
    return BAD_COUNT if any(map(str.isdigit, text)) else NO_COUNT
